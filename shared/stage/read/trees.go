package read

// depth is how many questions a tree of the second score asks.
const depth = 4

// scoreTree is one tree of the second score: at each of its nodes, root first
// and level by level, a feature is compared with a limit; more goes right. The
// leaf reached is what the tree adds to the log odds.
type scoreTree struct {
	feature [1<<depth - 1]int16
	limit   [1<<depth - 1]float32
	leaf    [1 << depth]float32
}

// sumTrees is the sum of what all trees say of a row of features.
func sumTrees(trees []scoreTree, row []float64) float64 {
	sum := 0.0
	for i := range trees {
		t := &trees[i]
		at := 0
		for range depth {
			right := 1
			if row[t.feature[at]] > float64(t.limit[at]) {
				right = 2
			}
			at = 2*at + right
		}
		sum += float64(t.leaf[at-(1<<depth-1)])
	}
	return sum
}

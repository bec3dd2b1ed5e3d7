package read

var firstWeights = []struct {
	name   string
	weight float64
}{}

package content

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
)

// RoleMain is the role of main content.
const RoleMain = "main"

// Weights are the models of the roles a block may play.
type Weights struct {
	About string            `json:"about"` // what they were fitted on
	Roles map[string]*Model `json:"roles"`
}

// Model turns features into the log odds that a block plays a role.
type Model struct {
	Linear map[string]float64 `json:"linear"` // of the first score, by feature
	Base   float64            `json:"base"`   // of the second score
	Trees  []Tree             `json:"trees"`

	linear []float64 // in the order of FeatureNames
}

// Depth is how many questions a tree asks.
const Depth = 4

// Tree is one tree of the second score. At each node, root first and level by level, a
// feature is compared with a limit; more goes right. The leaf reached is what the tree
// adds to the log odds.
type Tree struct {
	Ask   [1<<Depth - 1]string  `json:"ask"` // names of FeatureNames and AroundNames
	Limit [1<<Depth - 1]float32 `json:"limit"`
	Add   [1 << Depth]float32   `json:"add"`

	ask [1<<Depth - 1]int16
}

//go:embed weights.json
var weightsFile []byte

// weights reads the embedded weights on first use.
var weights = sync.OnceValue(func() *Weights {
	var w Weights
	if err := json.Unmarshal(weightsFile, &w); err != nil {
		panic(fmt.Sprintf("weights.json: %v", err))
	}
	for role, m := range w.Roles {
		if err := m.Bind(); err != nil {
			panic(fmt.Sprintf("weights.json: role %s: %v; run make fit", role, err))
		}
	}
	return &w
})

// Bind finds the features that a model names. It is an error if there are others, or if
// a feature has no weight in the first score: then the weights are those of another version.
func (m *Model) Bind() error {
	names := FeatureNames()
	m.linear = make([]float64, len(names))
	for i, n := range names {
		v, ok := m.Linear[n]
		if !ok {
			return fmt.Errorf("feature %q has no weight", n)
		}
		m.linear[i] = v
	}
	if len(m.Linear) != len(names) {
		return fmt.Errorf("there are weights of %d features, but %d features",
			len(m.Linear), len(names))
	}
	names = append(slices.Clone(names), AroundNames...)
	at := make(map[string]int16, len(names))
	for i, n := range names {
		at[n] = int16(i)
	}
	for t := range m.Trees {
		for k, n := range m.Trees[t].Ask {
			i, ok := at[n]
			if !ok {
				return fmt.Errorf("a tree asks for the unknown feature %q", n)
			}
			m.Trees[t].ask[k] = i
		}
	}
	return nil
}

// first is the weighted sum of a block's features. The conversions keep the compiler from
// fusing operations, so that all processors give the same sum.
func (m *Model) first(row []float64) float64 {
	sum := 0.0
	for i, v := range row {
		sum += float64(m.linear[i] * v)
	}
	return sum
}

// second is the sum of what all trees say of a row of features.
func (m *Model) second(row []float64) float64 {
	sum := 0.0
	for i := range m.Trees {
		sum += m.Trees[i].say(row)
	}
	return m.Base + sum
}

func (t *Tree) say(row []float64) float64 {
	at := 0
	for range Depth {
		right := 1
		if row[t.ask[at]] > float64(t.Limit[at]) {
			right = 2
		}
		at = 2*at + right
	}
	return float64(t.Add[at-(1<<Depth-1)])
}

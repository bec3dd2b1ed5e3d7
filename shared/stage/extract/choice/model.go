package choice

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Weights are what tools/fit found: of each feature or sign by its name, and of "constant".
type Weights struct {
	About string `json:"about"` // what they were fitted on
	// from these log odds on that the pages answer a question, it is answered
	Bound float64            `json:"bound"`
	Order map[string]float64 `json:"order"` // of the features, see Row.Order
	Known map[string]float64 `json:"known"` // of the signs, see Belief
	Quote map[string]float64 `json:"quote"`

	order        Row
	known, quote judge
}

// Constant is the name of the weight that is added to a belief in any case.
const Constant = "constant"

// judge is a logistic model of Signs.
type judge struct {
	constant float64
	weights  Signs
}

//go:embed weights.json
var file []byte

// weights reads the embedded weights on first use.
var weights = sync.OnceValue(func() *Weights {
	w, err := Read(file)
	if err != nil {
		panic(fmt.Sprintf("weights.json: %v; run make fit", err))
	}
	return w
})

// Read reads weights. It is an error if a feature or sign has none, or if they name others:
// then they are those of another version.
func Read(data []byte) (*Weights, error) {
	var w Weights
	if err := json.Unmarshal(data, &w); err != nil {
		return nil, err
	}
	if err := bind(w.order[:], w.Order, Names()); err != nil {
		return nil, fmt.Errorf("order: %w", err)
	}
	for _, b := range []struct {
		name string
		from map[string]float64
		to   *judge
	}{{"known", w.Known, &w.known}, {"quote", w.Quote, &w.quote}} {
		all := make([]float64, signCount+1)
		if err := bind(all, b.from, append(SignNames(), Constant)); err != nil {
			return nil, fmt.Errorf("%s: %w", b.name, err)
		}
		copy(b.to.weights[:], all)
		b.to.constant = all[signCount]
	}
	return &w, nil
}

// bind puts weights in the order of names.
func bind(to []float64, from map[string]float64, names []string) error {
	for i, n := range names {
		v, ok := from[n]
		if !ok {
			return fmt.Errorf("%q has no weight", n)
		}
		to[i] = v
	}
	if len(from) != len(names) {
		return fmt.Errorf("there are %d weights for %d features", len(from), len(names))
	}
	return nil
}

// odds is the weighted sum of signs. As in Order, the conversion keeps the compiler from fusing
// operations, so that all processors give the same sum.
func (j *judge) odds(s *Signs) float64 {
	sum := j.constant
	for i, v := range s {
		sum += float64(j.weights[i] * v)
	}
	return sum
}

// WordsOrder is Order by the words alone.
func (r *Row) WordsOrder() float64 {
	w, sum := weights(), 0.0
	for i, v := range r {
		sum += float64(w.order[i] * v)
	}
	return sum
}

// Why names the features that spoke most for a candidate, at most most of them, the strongest
// first: "words covered, form of an answer".
func (r *Row) Why(most int) string {
	w := r.weighed()
	type part struct {
		name  string
		share float64
	}
	var parts []part
	for i, v := range r {
		if x := w[i] * v; x > 0 {
			parts = append(parts, part{names[i], x})
		}
	}
	slices.SortStableFunc(parts, func(a, b part) int {
		switch {
		case a.share > b.share:
			return -1
		case a.share < b.share:
			return 1
		}
		return 0
	})
	var out []string
	for _, p := range parts[:min(most, len(parts))] {
		out = append(out, p.name)
	}
	return strings.Join(out, ", ")
}

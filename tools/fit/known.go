package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"

	"wstk/shared/stage/extract/choice"
)

//go:embed known.json
var knownFile []byte

// known are the weights to which fitted ones are drawn; others are drawn to zero. On few
// questions, a feature that they seldom need keeps its known weight.
type known struct {
	OrderScale  float64            `json:"order_scale"`
	Order       map[string]float64 `json:"order"` // by the name of the feature
	BeliefScale float64            `json:"belief_scale"`
	Belief      map[string]float64 `json:"belief"` // by the name of the sign
}

func readKnown() (order choice.Row, belief []float64, err error) {
	var k known
	if err := json.Unmarshal(knownFile, &k); err != nil {
		return order, nil, fmt.Errorf("known.json: %w", err)
	}
	belief = make([]float64, len(choice.SignNames()))
	for _, t := range []struct {
		from  map[string]float64
		scale float64
		names []string
		to    []float64
	}{{k.Order, k.OrderScale, choice.Names(), order[:]},
		{k.Belief, k.BeliefScale, choice.SignNames(), belief}} {
		for name, w := range t.from {
			i := slices.Index(t.names, name)
			if i < 0 {
				return order, nil, fmt.Errorf("known.json: nothing is called %q", name)
			}
			t.to[i] = t.scale * w
		}
	}
	return order, belief, nil
}

package main

import (
	"testing"

	"wstk/shared/stage/extract/choice"
)

func TestCosinesAreWeighedByWhatTheyTell(t *testing.T) {
	for _, tells := range []choice.Feature{choice.Alike, choice.AlikePassage} {
		var all []asked
		for range 50 {
			var right, wrong choice.Row
			right[choice.Alike], right[choice.AlikePassage] = .4, .4
			right[choice.Uncovered] = .5
			wrong = right
			right[tells] = .6
			all = append(all, asked{Kind: "fact", Candidates: []answerRow{{Row: wrong},
				{Row: right, Right: true}}, Quoted: []bool{false, true},
				Spans: []choice.Span{{Holds: []int{0}}, {Holds: []int{1}}}}, asked{Kind: "none"})
		}
		w := fitShares(all, func(*asked) bool { return true })
		likely, other := w[2], w[3]
		if tells == choice.AlikePassage {
			likely, other = w[3], w[2]
		}
		if likely < 5 || other > 1 || other < -1 {
			t.Errorf("what tells has the weight %.1f, the other %.1f", likely, other)
		}
		for i := range all {
			all[i].orderBy(w)
		}
		if !all[0].right(1) {
			t.Error("the candidate that answers is not first")
		}
		known, quote := fitLikeness(all, func(*asked) bool { return true })
		for _, b := range []float64{known.odds(all[0].likeness(false)),
			quote.odds(all[0].likeness(true))} {
			if b < 1 {
				t.Errorf("what always answers is believed by %.1f", b)
			}
		}
	}
}

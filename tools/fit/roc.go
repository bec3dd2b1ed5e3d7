package main

import (
	"fmt"
	"slices"
	"strings"

	"wstk/shared/stage/extract/choice"
)

// wordings are the ways in which a question is written.
var wordings = []string{"near", "user", "short", "typed", "alone"}

// report prints how good the choice is on sites it was not fitted on.
func report(all []asked, sites []string) {
	fmt.Println("On sites that were not fitted on (parts of compound questions by themselves):")
	fmt.Println("| site | wording | n | first | in 3 | in 10 | among candidates | best quote |")
	fmt.Println("|---|---|---|---|---|---|---|---|")
	for _, site := range append(slices.Clone(sites), "all") {
		for _, wording := range wordings {
			var n [6]int
			for i := range all {
				x := &all[i]
				if x.Kind == "none" || x.Part > 0 || x.Wording != wording || site != "all" &&
					x.Site != site {
					continue
				}
				n[0]++
				for k, first := range []int{1, 3, 10, 1000} {
					if x.right(first) {
						n[k+1]++
					}
				}
				if x.best {
					n[5]++
				}
			}
			if n[0] == 0 {
				continue
			}
			fmt.Printf("| %s | %s | %d |", site, wording, n[0])
			for _, v := range n[1:] {
				fmt.Printf(" %.2f |", float64(v)/float64(max(n[0], 1)))
			}
			fmt.Println()
		}
	}
	gate(all, sites)
	calibration(all)
	worst(all)
}

// refusedAt is the share of the questions without an answer that are refused, by the bound that
// is written.
const refusedAt = 0.86

// boundOf is the log odds of belief under which a share of the questions without an answer are.
func boundOf(all []asked, share float64, use func(*asked) bool) float64 {
	var none []float64
	for i := range all {
		if x := &all[i]; x.Kind == "none" && x.Part == 0 && use(x) {
			none = append(none, x.known)
		}
	}
	slices.Sort(none)
	return none[min(int(share*float64(len(none))), len(none)-1)]
}

// gate prints what is answered if some share of the questions without an answer is refused, by a
// bound that was found on other sites.
func gate(all []asked, sites []string) {
	fmt.Println("\n| wording | bound at | honest no | answered | first | quote | AUC |")
	fmt.Println("|---|---|---|---|---|---|---|")
	for _, share := range []float64{0.8, refusedAt, 0.9, 0.95} {
		bounds := map[string]float64{}
		for _, s := range sites {
			bounds[s] = boundOf(all, share, func(x *asked) bool { return x.Site != s })
		}
		for _, wording := range wordings {
			var n, refused, nones, answered, first, quoted float64
			for i := range all {
				x := &all[i]
				at := bounds[x.Site]
				switch {
				case x.Part > 0 || x.Wording != wording:
				case x.Kind == "none":
					nones++
					refused += number(x.known < at)
				default:
					n++
					answered += number(x.known >= at)
					first += number(x.known >= at && x.right(1))
					quoted += number(x.known >= at && x.best)
				}
			}
			fmt.Printf("| %s | %.2f | %.2f | %.2f | %.2f | %.2f | %.3f |\n", wording, share,
				refused/max(nones, 1), answered/n, first/n, quoted/n, areaUnder(all, wording))
		}
	}
}

// areaUnder is the area under the curve of the questions of a wording whose answer is among the
// first quoted against those without an answer, by belief.
func areaUnder(all []asked, wording string) float64 {
	var above, pairs float64
	for i := range all {
		x := &all[i]
		if x.Part > 0 || x.Wording != wording || x.Kind == "none" || !x.best {
			continue
		}
		for k := range all {
			o := &all[k]
			if o.Part == 0 && o.Wording == wording && o.Kind == "none" {
				pairs++
				above += number(x.known > o.known)
			}
		}
	}
	return above / max(pairs, 1)
}

// calibration prints how often what is believed is right.
func calibration(all []asked) {
	fmt.Println("\n| belief in the best quote | n | stated | right |")
	fmt.Println("|---|---|---|---|")
	for low := range 10 {
		n, stated, right := 0.0, 0.0, 0.0
		for i := range all {
			if p := choice.Probability(all[i].quote); min(int(p*10), 9) == low {
				n++
				stated += p
				right += number(all[i].best)
			}
		}
		if n > 0 {
			fmt.Printf("| .%d | %.0f | %.2f | %.2f |\n", low, n, stated/n, right/n)
		}
	}
}

// worst prints the wrong statements that are believed most.
func worst(all []asked) {
	var wrong []*asked
	for i := range all {
		if x := &all[i]; len(x.ranked) > 0 && !x.best {
			wrong = append(wrong, x)
		}
	}
	slices.SortStableFunc(wrong, func(a, b *asked) int {
		if a.quote > b.quote {
			return -1
		}
		return 1
	})
	fmt.Println("\nWrong, and believed most:")
	for _, x := range wrong[:min(10, len(wrong))] {
		text := strings.Join(strings.Fields(x.Candidates[x.ranked[0]].Text), " ")
		fmt.Printf("%.2f %s %s: %s\n      %.140s\n", choice.Probability(x.quote), x.ID, x.Wording,
			x.Text, text)
	}
}

package main

import (
	"cmp"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// limits say which words are related.
type limits struct {
	near float64 // the least cosine of words that only the model relates
	tied float64 // the least cosine of words that WordNet relates as closely as can be
	most int     // how many words one is related to at most
}

// inUse are the limits that the table is made with.
var inUse = limits{near: .54, tied: .34, most: 10}

// relation is another word by its number, and how closely it is related, 0–1.
type relation struct {
	to     int
	weight float64
}

// relate returns the relations of each word, the closest first. Two words are related if each
// is among the closest of the other, so that a word which is near to many has no more
// relations than others.
func relate(words []word, v vectors, w *wordnet, whole map[string]bool, l limits) [][]relation {
	found := make([]map[int]float64, len(words))
	for i := range found {
		found[i] = map[int]float64{}
	}
	put := func(i, j int, weight float64) {
		if weight >= l.near && i != j && !opposite(w, words[i], words[j]) {
			found[i][j] = max(found[i][j], weight)
			found[j][i] = found[i][j]
		}
	}
	// The model knows a word by its pieces if its vocabulary does not have it, and holds
	// words with the same pieces for near.
	for i, near := range v.neighbours(l.near, 3*l.most) {
		for _, n := range near {
			if whole[words[i].text] && whole[words[n.at].text] {
				put(i, n.at, n.cos)
			}
		}
	}
	at := map[string]int{}
	for i, x := range words {
		at[x.text] = i
	}
	for i, x := range words {
		w.ties(x.text, func(other string, tie float64) {
			if j, ok := at[other]; ok {
				put(i, j, cosine(v[i], v[j])+(l.near-l.tied)*tie)
			}
		})
	}
	return mutual(found, l.most)
}

// mutual keeps the pairs of which each is among the most closest of the other.
func mutual(found []map[int]float64, most int) [][]relation {
	closest := make([][]relation, len(found))
	for i := range found {
		for _, j := range slices.Sorted(maps.Keys(found[i])) {
			closest[i] = append(closest[i], relation{j, found[i][j]})
		}
		slices.SortStableFunc(closest[i], func(a, b relation) int {
			return cmp.Compare(b.weight, a.weight)
		})
		closest[i] = closest[i][:min(most, len(closest[i]))]
	}
	out := make([][]relation, len(found))
	for i := range closest {
		for _, r := range closest[i] {
			if slices.ContainsFunc(closest[r.to], func(b relation) bool { return b.to == i }) {
				out[i] = append(out[i], r)
			}
		}
	}
	return out
}

// negations are what words with the opposite meaning begin with.
var negations = []string{"un", "in", "im", "ir", "il", "dis", "non", "de", "mis", "anti",
	"counter"}

//go:embed opposites.txt
var opposites string

// apart are the pairs of words of opposites.txt by their tokens.
var apart = func() map[[2]string]bool {
	out := map[[2]string]bool{}
	for line := range strings.Lines(opposites) {
		if line[0] == '#' {
			continue
		}
		words := strings.Fields(line)
		for _, a := range words {
			for _, b := range words {
				out[[2]string{tokenOf(a), tokenOf(b)}] = true
			}
		}
	}
	return out
}()

// opposite reports whether two words mean the opposite: WordNet or opposites.txt says so, or
// one is the other with a negation before it.
func opposite(w *wordnet, a, b word) bool {
	return apart[[2]string{a.stem, b.stem}] || w.opposes(a.text, b.text) ||
		w.opposes(b.text, a.text) || negated(a.text, b.text)
}

// opposes reports whether b, or a word that b is a form of, is an opposite of a.
func (w *wordnet) opposes(a, b string) bool {
	of := w.known[a]
	if of == nil {
		of = w.opposites(a)
		w.known[a] = of
	}
	return slices.ContainsFunc(w.basesOf(b), func(base string) bool { return of[base] })
}

// negated reports whether one word is the other with a negation before it.
func negated(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return slices.ContainsFunc(negations, func(n string) bool {
		rest, ok := strings.CutPrefix(b, n)
		return ok && len(rest) > 2 && a[:min(4, len(a))] == rest[:min(4, len(rest))]
	})
}

// table returns the file: a line for each word that is related to others, in the order of
// their tokens.
func table(words []word, relations [][]relation) string {
	order := make([]int, 0, len(words))
	for i := range words {
		if len(relations[i]) > 0 {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(words[a].stem, words[b].stem) })
	var b strings.Builder
	for _, i := range order {
		b.WriteString(words[i].text)
		for _, r := range relations[i] {
			fmt.Fprintf(&b, "\t%s %d", words[r.to].text, hundredths(r.weight))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// hundredths is a weight as the table has it.
func hundredths(weight float64) int { return min(99, int(100*weight)) }

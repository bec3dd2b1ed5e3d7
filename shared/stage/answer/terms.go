package answer

import (
	"math"
	"strings"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Stats say in how many texts of a corpus a token stands (see text.Tokenize), so that rare words
// weigh more than common ones. The zero Stats weigh all words alike.
type Stats struct {
	Texts   int            // passages that were counted
	Holding map[string]int // of them, those that hold the token
}

// StatsOf counts the tokens of passages as a question in this language has them; lang is a BCP 47
// tag, "" for an unknown language.
func StatsOf(lang string, passages ...string) Stats {
	s := Stats{Texts: len(passages), Holding: map[string]int{}}
	for _, p := range passages {
		for t := range tokensOf(p, lang) {
			s.Holding[t]++
		}
	}
	return s
}

// weight is the inverse document frequency of a token as BM25 has it, ln(1 + (N−n+½)/(n+½)): it is
// never negative (Robertson and Zaragoza 2009, "The Probabilistic Relevance Framework", with the 1
// that Lucene adds). A token that no text holds weighs most.
func (s Stats) weight(token string) float64 {
	n := float64(min(s.Holding[token], s.Texts))
	return math.Log1p((float64(s.Texts) - n + 0.5) / (n + 0.5))
}

// words are the tokens of a question that say what it is about, each once, in its order.
type words struct {
	tokens []string
	shares []float64 // what part of the question each is, by its weight; they add up to 1
}

// wordsOf reads a question. Stop words count only where there are no others.
func wordsOf(question, lang string, s Stats) words {
	var w words
	all := text.Tokenize(question, lang)
	sum := 0.0
	for _, stops := range []bool{false, true} {
		seen := map[string]bool{}
		for _, t := range all {
			if t.Stop == stops && !seen[t.Text] {
				seen[t.Text] = true
				w.tokens = append(w.tokens, t.Text)
				w.shares = append(w.shares, s.weight(t.Text))
				sum += s.weight(t.Text)
			}
		}
		if len(w.tokens) > 0 {
			break
		}
	}
	for i := range w.shares {
		w.shares[i] /= sum
	}
	return w
}

// in is the share of the words that a set of tokens holds, from 0 to 1.
func (w words) in(set map[string]bool) float64 {
	sum := 0.0
	for i, t := range w.tokens {
		if set[t] {
			sum += w.shares[i]
		}
	}
	return min(1, sum)
}

// tokensOf is the set of the tokens of a text, stop words among them.
func tokensOf(s, lang string) map[string]bool {
	set := map[string]bool{}
	for _, t := range text.Tokenize(s, lang) {
		set[t.Text] = true
	}
	return set
}

// placed is a passage behind its title and headings, which say what it is about.
func placed(h wstk.Hit) string {
	return h.Title + "\n" + strings.Join(h.SectionPath, "\n") + "\n" + h.Text
}

// overlap is the Jaccard similarity of two sets: what both hold, of what either holds. Two empty
// sets share nothing.
func overlap(a, b map[string]bool) float64 {
	if len(a) > len(b) {
		a, b = b, a
	}
	both := 0
	for t := range a {
		if b[t] {
			both++
		}
	}
	if both == 0 {
		return 0
	}
	return float64(both) / float64(len(a)+len(b)-both)
}

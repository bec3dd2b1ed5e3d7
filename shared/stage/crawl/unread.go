package crawl

import (
	"cmp"
	"context"
	"math"
	"net/url"
	"slices"
	"strings"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Unread is a link that no crawl has followed, and what is known of the page behind it.
type Unread struct {
	URL     string
	Anchors []string // the words of links to it
	Titles  []string // of pages that link to it
}

// Weights of where a word of the question stands: in the words of a link, in the path, or
// only in the title of a page that links there.
const (
	anchorWeight = 3.0
	pathWeight   = 2.0
	titleWeight  = 0.5
)

// Rank orders links by how well they fit a question, best first, and leaves out those that
// share no word with it. A word counts by where it stands and by how rare it is among the
// links: log(1 + n/df) of n links of which df have it. Links that fit equally well are in the
// order of their URLs.
func Rank(question string, links []Unread) []Unread {
	terms := tokens(question)
	if len(terms) == 0 {
		terms = allTokens(question)
	}
	df := map[string]int{}
	fields := make([]map[string]float64, len(links))
	for i, l := range links {
		fields[i] = l.words(terms)
		for w := range fields[i] {
			df[w]++
		}
	}
	type scored struct {
		Unread
		score float64
	}
	var fit []scored
	for i, l := range links {
		score := 0.0
		for w, weight := range fields[i] {
			score += weight * math.Log(1+float64(len(links))/float64(df[w]))
		}
		if score > 0 {
			fit = append(fit, scored{l, score})
		}
	}
	slices.SortFunc(fit, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.URL, b.URL))
	})
	out := make([]Unread, len(fit))
	for i, f := range fit {
		out[i] = f.Unread
	}
	return out
}

// words are the terms that stand somewhere in what is known of a link, each with the weight
// of its best place.
func (l Unread) words(terms map[string]bool) map[string]float64 {
	out := map[string]float64{}
	add := func(weight float64, texts ...string) {
		for _, s := range texts {
			for w := range allTokens(s) {
				if terms[w] {
					out[w] = max(out[w], weight)
				}
			}
		}
	}
	add(anchorWeight, l.Anchors...)
	add(titleWeight, l.Titles...)
	if u, err := url.Parse(l.URL); err == nil {
		query, err := url.QueryUnescape(u.RawQuery)
		if err != nil {
			query = u.RawQuery
		}
		add(pathWeight, strings.NewReplacer("-", " ", "_", " ", ".", " ", "/", " ").
			Replace(u.Path), query)
	}
	return out
}

// tokens are the search terms of s that say something about the topic.
func tokens(s string) map[string]bool {
	out := map[string]bool{}
	for _, t := range text.Tokenize(s, text.DetectLanguage(s)) {
		if !t.Stop {
			out[t.Text] = true
		}
	}
	return out
}

// allTokens are the search terms of s, stop words included.
func allTokens(s string) map[string]bool {
	out := map[string]bool{}
	for _, t := range text.Tokenize(s, "") {
		out[t.Text] = true
	}
	return out
}

// ScopeOf returns what belongs to a site, as far as a run of it has found out.
func (s *Stage) ScopeOf(ctx context.Context, run wstk.Run, site wstk.Site) (*Scope, error) {
	v, err := s.view(ctx, run, site)
	return v.scope, err
}

package collate

import (
	"slices"

	"wstk/shared/stage/collate/page"
	"wstk/shared/wstk"
)

// weights say which sources an extraction rests on and which of them count.
type weights struct {
	urls    []string          // of all evidence, in order of first appearance
	copyOf  map[string]string // near-copies: the page counted in its place
	primary string
	quotes  *page.Witnesses
	backing []int           // the quotes that say the leading statement
	first   map[string]bool // pages that gave another statement than the leading one
	again   map[string]bool // pages that say the leading statement again
}

func weigh(x wstk.Extraction, p *page.Set) weights {
	w := weights{copyOf: map[string]string{}, first: map[string]bool{}, again: map[string]bool{},
		quotes: p.Witnesses(x.Evidence)}
	var first []wstk.Evidence // of each address
	for _, e := range x.Evidence {
		p.Tick()
		if slices.Contains(w.urls, e.URL) {
			continue
		}
		for i, u := range w.urls {
			if w.copyOf[u] == "" && p.Copies(first[i], e) {
				w.copyOf[e.URL] = u
				break
			}
		}
		w.urls, first = append(w.urls, e.URL), append(first, e)
	}
	lead := leading(x)
	if lead < 0 {
		return w
	}
	w.primary = x.Evidence[p.Lead(x.Statements[lead], x.Evidence)].URL
	w.backing = w.quotes.Backing(x.Statements[lead])
	for _, n := range w.backing {
		w.again[x.Evidence[n].URL] = true
	}
	for _, s := range x.Statements {
		if n := p.Lead(s, x.Evidence); n >= 0 && !slices.Contains(w.backing, n) {
			w.first[x.Evidence[n].URL] = true
		}
	}
	return w
}

// leading is the statement the grade is about: the first that has evidence and is not merely the
// item's title, and rather one that its quotes bear in whole; -1 for none.
func leading(x wstk.Extraction) int {
	title, part := -1, -1
	for i, s := range x.Statements {
		switch {
		case len(s.Evidence) == 0:
		case s.Field == page.TitleField && title < 0:
			title = i
		case s.Field == page.TitleField:
		case len(s.Open) == 0:
			return i
		case part < 0:
			part = i
		}
	}
	if part >= 0 {
		return part
	}
	return title
}

// sources lists the pages with their roles: primary gave the leading statement,
// corroborating says it again, as a near-copy does what its original said; all others
// are supporting.
func (w weights) sources(x wstk.Extraction, p *page.Set) []wstk.Source {
	out := make([]wstk.Source, 0, len(w.urls))
	for _, u := range w.urls {
		s := wstk.Source{URL: u, Role: wstk.Supporting, CopyOf: w.copyOf[u]}
		switch {
		case u == w.primary:
			s.Role = wstk.Primary
		case s.CopyOf != "", w.again[u] && !w.first[u]:
			s.Role = wstk.Corroborating
		}
		for _, e := range x.Evidence {
			if e.URL != u {
				continue
			}
			s.FetchedAt, s.PublishedAt = e.FetchedAt, e.PublishedAt
			if d := p.Of(e); d != nil {
				s.Title = d.Meta.Title
				if s.FetchedAt.IsZero() {
					s.FetchedAt = d.FetchedAt
				}
				if s.PublishedAt == nil {
					s.PublishedAt = d.Meta.PublishedAt
				}
			}
			break
		}
		out = append(out, s)
	}
	for i, s := range out { // the primary source comes first
		if s.Role == wstk.Primary && i > 0 {
			copy(out[1:i+1], out[:i])
			out[0] = s
			break
		}
	}
	return out
}

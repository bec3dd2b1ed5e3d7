package collate

import (
	"context"
	"slices"
	"strings"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// pages are the Documents that evidence stands in, with what is computed of them
// once. An Evidence is of the Document whose address, text and snapshot it names: a
// later reading of the page says nothing about it.
type pages struct {
	stop
	docs map[version]*wstk.Document
	main map[*wstk.Document]string
	set  map[*wstk.Document]*text.Setting
	read Setting
	data map[*wstk.DataItem]any // as JSON

	folded map[*wstk.Document][]string // blocks, see foldedBlocks

	parts bool // parts of sentences may be direct, see earlierRules
}

// Setting returns what a Document takes back of its text, for a caller who keeps it for
// several answers. What it returns after ctx ended is not used.
type Setting func(ctx context.Context, d *wstk.Document) *text.Setting

type version struct {
	url            string
	text, snapshot wstk.Hash
}

func newPages(ctx context.Context, docs []*wstk.Document) *pages {
	p := &pages{stop: stop{ctx}, docs: map[version]*wstk.Document{}, main: map[*wstk.Document]string{}, set: map[*wstk.Document]*text.Setting{},
		data: map[*wstk.DataItem]any{}, folded: map[*wstk.Document][]string{}}
	p.read = func(ctx context.Context, d *wstk.Document) *text.Setting {
		return text.NewSetting(ctx, d.Text, d.Meta.Title, d.Meta.Type, d.Meta.Language, d.Outline)
	}
	for _, d := range docs {
		if d == nil {
			continue
		}
		key := version{d.URL, d.TextSHA256, d.SnapshotSHA256}
		if p.docs[key] == nil {
			p.docs[key] = d
		}
	}
	return p
}

// kept has what pages take back read by somebody who keeps it, if there is one.
func (p *pages) kept(by Setting) *pages {
	if by != nil {
		p.read = by
	}
	return p
}

// of returns the Document an Evidence stands in, nil where it was not given.
func (p *pages) of(e wstk.Evidence) *wstk.Document {
	return p.docs[version{e.URL, e.TextSHA256, e.SnapshotSHA256}]
}

// disowned reports whether the page of an Evidence says that its words are not so: it
// crosses them out, shows them in another order, or says it in a line or a heading
// above ("The following is false:"). Of a page that was not given only the flags tell.
func (p *pages) disowned(e wstk.Evidence) bool {
	if e.TakenBack() {
		return true
	}
	d := p.of(e)
	span, ok := e.Span()
	if d == nil || !ok {
		return p.claimed(e)
	}
	if p.set[d] == nil {
		p.set[d] = p.read(p.ctx, d)
		p.tick() // of a page that was read in part nothing is known
	}
	return p.set[d].TakenBack(span.ByteStart, span.ByteEnd)
}

func (p *pages) language(e wstk.Evidence) string {
	if d := p.of(e); d != nil {
		return d.Meta.Language
	}
	return ""
}

// mainText is what near-copies are compared by: the main content, so that two
// short pages in one frame of menus are not taken for copies; the whole text where
// a page has no main content.
func (p *pages) mainText(d *wstk.Document) string {
	s, ok := p.main[d]
	if !ok {
		if s = d.MainText(); strings.TrimSpace(s) == "" {
			s = d.Text
		}
		p.main[d] = s
	}
	return s
}

// copies reports whether the pages of two quotes are one source: one canonical
// address, one text, or nearly one main text.
func (p *pages) copies(a, b wstk.Evidence) bool {
	x, y := p.of(a), p.of(b)
	if x == nil || y == nil {
		return false
	}
	if x.CanonicalURL != "" && x.CanonicalURL == y.CanonicalURL || x.TextSHA256 != "" && x.TextSHA256 == y.TextSHA256 {
		return true
	}
	s, t := p.mainText(x), p.mainText(y)
	if short, long := min(len(s), len(t)), max(len(s), len(t)); short == 0 || 3*short < 2*long {
		return false // too unlike in length to be worth comparing
	}
	return text.NearCopies(s, t)
}

// weights say which sources an extraction rests on and which of them count.
type weights struct {
	urls    []string          // of all evidence, in order of first appearance
	copyOf  map[string]string // near-copies: the page counted in its place
	primary string
	backing []int           // the quotes that say the leading statement
	first   map[string]bool // pages that gave a statement which the leading one does not say
	again   map[string]bool // pages that say the leading statement again
}

func weigh(x wstk.Extraction, p *pages) weights {
	w := weights{copyOf: map[string]string{}, first: map[string]bool{}, again: map[string]bool{}}
	var first []wstk.Evidence // of each address
	for _, e := range x.Evidence {
		p.tick()
		if slices.Contains(w.urls, e.URL) {
			continue
		}
		for i, u := range w.urls {
			if w.copyOf[u] == "" && p.copies(first[i], e) {
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
	w.primary = x.Evidence[p.lead(x.Statements[lead], x.Evidence)].URL
	w.backing = p.backing(x.Statements[lead], x.Evidence)
	for _, n := range w.backing {
		w.again[x.Evidence[n].URL] = true
	}
	for _, s := range x.Statements {
		if n := p.lead(s, x.Evidence); n >= 0 && !slices.Contains(w.backing, n) {
			w.first[x.Evidence[n].URL] = true
		}
	}
	return w
}

// leading is the statement the grade is about: the first that has evidence and is
// not merely the item's title; -1 for none.
func leading(x wstk.Extraction) int {
	title := -1
	for i, s := range x.Statements {
		if len(s.Evidence) == 0 {
			continue
		}
		if s.Field != titleField {
			return i
		}
		if title < 0 {
			title = i
		}
	}
	return title
}

// sources lists the pages with their roles: primary gave the leading statement,
// corroborating says it again, as a near-copy does what its original said; all others
// are supporting.
func (w weights) sources(x wstk.Extraction, p *pages) []wstk.Source {
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
			if d := p.of(e); d != nil {
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
	for i, s := range out { // the primary source stands first
		if s.Role == wstk.Primary && i > 0 {
			copy(out[1:i+1], out[:i])
			out[0] = s
			break
		}
	}
	return out
}

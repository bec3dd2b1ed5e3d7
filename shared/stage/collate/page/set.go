// Package page reads what a page says about a statement that was quoted from it. In go a
// statement, its quotes and the Documents of these; out come where the words are and what
// names them there, whether their sentence says them whole or takes them back, who speaks,
// and what a reader of the answer alone would miss. It judges nothing: package collate
// computes the grade, the conflicts and the check of an answer from it.
//
// Begin with Set. Support says how well quotes support a statement, PlacesOf where it is.
package page

import (
	"context"

	"wstk/shared/stage/collate/proposition"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Set is the Documents of some evidence, with what is computed from them once. An Evidence
// belongs to the Document whose address, text and snapshot it names: a later reading of the
// page says nothing about it.
type Set struct {
	stop
	docs     map[version]*wstk.Document
	copies   map[[2]*wstk.Document]bool // pairs that are one source
	main     map[*wstk.Document]*mainText
	set      map[*wstk.Document]*text.Setting
	read     Setting
	shingles Shingles
	data     map[*wstk.DataItem]any // as JSON

	holders map[holding][]int             // blocks that hold words whole
	content map[*wstk.Document][][]string // stems of blocks

	folded map[*wstk.Document][]string              // blocks, see foldedBlocks
	taken  map[[2]string][]*proposition.Proposition // by Evidence and statement

	detected map[*wstk.Document]string // languages of pages that name none

	headed map[*wstk.Document]map[string]bool // stems of headings

	asked *proposition.Question
	query string // that asked was read from
	into  string // the language that the answer was asked for

	grounds map[[4]string]Ground // by statement, field, title and ids of its quotes

	Parts bool // parts of sentences may be direct, as earlier rules had it
	Loose bool // a statement may word its quotes anew, as earlier rules had it

	// Proposed is set if a model proposed the claims: it may quote an item without the heading that
	// turns it, which rules look at.
	Proposed bool
}

// Setting returns which of its text a Document takes back, for a caller that keeps this for
// several answers. What it returns after ctx ended is not used.
type Setting func(ctx context.Context, d *wstk.Document) *text.Setting

// Shingles returns those of a Document, as ShinglesOf does, for a caller that keeps them for
// several answers. What it returns after ctx ended is not used.
type Shingles func(ctx context.Context, d *wstk.Document) text.Shingles

type version struct {
	url            string
	text, snapshot wstk.Hash
}

// New returns a Set of the given Documents, the first of each version. When ctx ends, its
// methods panic; the caller defers Caught, which turns that into an error.
func New(ctx context.Context, docs []*wstk.Document) *Set {
	p := &Set{stop: stop{ctx}, docs: map[version]*wstk.Document{},
		holders: map[holding][]int{}, content: map[*wstk.Document][][]string{},
		copies: map[[2]*wstk.Document]bool{}, main: map[*wstk.Document]*mainText{},
		set:  map[*wstk.Document]*text.Setting{},
		data: map[*wstk.DataItem]any{}, folded: map[*wstk.Document][]string{},
		taken:    map[[2]string][]*proposition.Proposition{},
		detected: map[*wstk.Document]string{}, headed: map[*wstk.Document]map[string]bool{},
		grounds: map[[4]string]Ground{}}
	p.read = func(ctx context.Context, d *wstk.Document) *text.Setting {
		return text.NewSetting(ctx, d.Text, d.Meta.Title, d.Meta.Type, d.Meta.Language, d.Outline)
	}
	p.shingles = func(_ context.Context, d *wstk.Document) text.Shingles { return ShinglesOf(d) }
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

// Keep makes the Set ask the given functions what pages take back, and for their shingles; nil
// changes nothing.
func (p *Set) Keep(read Setting, shingles Shingles) *Set {
	if read != nil {
		p.read = read
	}
	if shingles != nil {
		p.shingles = shingles
	}
	return p
}

// Loosely returns a copy of the Set by the rules that let a statement word its quotes anew.
func (p *Set) Loosely() *Set {
	out := *p
	out.Loose, out.grounds = true, map[[4]string]Ground{}
	return &out
}

// Of returns the Document of an Evidence, nil if it was not given.
func (p *Set) Of(e wstk.Evidence) *wstk.Document {
	return p.docs[version{e.URL, e.TextSHA256, e.SnapshotSHA256}]
}

// disowned reports whether the page of an Evidence says that its words are not so: it
// crosses them out, shows them in another order, or says it in a line or a heading
// above ("The following is false:"). If the page was not given, only the flags count.
func (p *Set) disowned(e wstk.Evidence) bool {
	if e.TakenBack() {
		return true
	}
	d := p.Of(e)
	span, ok := e.Span()
	if d == nil || !ok {
		return p.Claimed(e)
	}
	if p.set[d] == nil {
		p.set[d] = p.read(p.ctx, d)
		p.Tick() // nothing is known about a page that was read in part
	}
	return p.set[d].TakenBack(span.ByteStart, span.ByteEnd)
}

// Language returns the language of the page of an Evidence; "" if it is not known.
func (p *Set) Language(e wstk.Evidence) string {
	if d := p.Of(e); d != nil {
		return d.Meta.Language
	}
	return ""
}

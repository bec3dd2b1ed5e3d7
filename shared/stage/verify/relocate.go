package verify

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Relocator says where the quotes of one version of a page stand in a newer one. What it needs of
// the two texts is made once, on first need; it is not for concurrent use.
//
// A quote is found by its unit: the whole sentences that hold it, or the whole row of a table. A
// cell "14 kg" stands in many rows, and half a sentence means what the other half makes of it. So
// a quote is intact or moved only where its unit is, byte for byte.
type Relocator struct {
	was, now *wstk.Document
	hay      Haystack // of now

	// the two texts in blocks, as units are taken from them; nil without a text of was
	old, new *wstk.Document
	edits    *edits
}

// NewRelocator compares was, the version of a page that was quoted, with now. was may be a text
// without blocks, and nil if not even the text is stored: then a quote is compared without what
// stands around it.
func NewRelocator(was, now *wstk.Document) *Relocator {
	r := &Relocator{was: was, now: now, hay: Haystack{Text: now.Text}, old: was, new: now}
	if was != nil && len(was.Blocks) == 0 && was.Text != "" {
		r.old, r.new = lined(was.Text, now.Meta.Language), lined(now.Text, now.Meta.Language)
	}
	return r
}

// lined is a text whose blocks are its lines, as it is known without its structure.
func lined(s, lang string) *wstk.Document {
	d := &wstk.Document{Text: s, Meta: wstk.Metadata{Language: lang}}
	at := 0
	for line := range strings.Lines(s) {
		b := wstk.Block{Kind: wstk.BlockOther, Section: -1, Span: wstk.Span{ByteStart: at,
			ByteEnd: at + len(strings.TrimSuffix(line, "\n"))}}
		if strings.Contains(line, "\t") {
			b.Kind = wstk.BlockTableRow
		}
		if b.ByteEnd > b.ByteStart {
			d.Blocks = append(d.Blocks, b)
		}
		at += len(line)
	}
	return d
}

// Relocate says what became of e, an Evidence of was. It fills in the state, the reason and the
// place; what it says holds for the two Documents alone. An error means that ctx ended.
func (r *Relocator) Relocate(ctx context.Context, e wstk.Evidence) (wstk.Relocation, error) {
	out := wstk.Relocation{EvidenceID: e.ID, URL: e.URL, Was: e.Quote}
	if err := stopped(ctx); err != nil {
		return out, err
	}
	if e.Kind == wstk.EvidenceData {
		r.data(e, &out)
		return out, nil
	}
	q := r.quoted(e)
	if p, state, ok := r.exact(q); ok {
		out.State, out.Now = state, r.placed(p.Range)
		if state == wstk.RelocationAltered {
			out.Reason = wstk.ReasonFlags
		}
		return out, nil
	}
	p, reason, ok, err := r.altered(ctx, q)
	if err != nil {
		return out, err
	}
	if ok {
		out.State, out.Reason, out.Now = wstk.RelocationAltered, reason, r.placed(p)
		return out, nil
	}
	out.State, out.Reason = wstk.RelocationGone, wstk.ReasonNotInText
	if whyNot(ctx, r.now, e.Quote) == "hidden_text" {
		out.Reason = wstk.ReasonHidden
	}
	return out, stopped(ctx)
}

// placed describes a part of the new text.
func (r *Relocator) placed(at text.Range) *wstk.Relocated {
	d, span := r.now, r.hay.Span(at)
	return &wstk.Relocated{URL: d.URL, Words: d.Text[at.Start:at.End],
		CharStart: &span.CharStart, CharEnd: &span.CharEnd,
		ByteStart: &span.ByteStart, ByteEnd: &span.ByteEnd,
		TextSHA256: d.TextSHA256, SnapshotSHA256: d.SnapshotSHA256,
		SectionPath: sectionAt(d, at.Start), Flags: d.FlagsIn(at.Start, at.End),
		Link: r.hay.link(d.URL, span, pageAt(d, at.Start))}
}

// quotation is a quote within its unit.
type quotation struct {
	wstk.Evidence
	span wstk.Span
	has  bool       // it has offsets
	unit string     // the sentences or the row that hold it
	at   text.Range // the quote in unit
	own  text.Range // unit in the old text, if that is known
}

// quoted looks up what held a quote.
func (r *Relocator) quoted(e wstk.Evidence) quotation {
	q := quotation{Evidence: e, unit: e.Quote, at: text.Range{End: len(e.Quote)}}
	q.span, q.has = e.Span()
	switch i := strings.Index(e.Sentence, e.Quote); {
	case r.old != nil && q.has && q.span.ByteStart >= 0 && q.span.ByteEnd <= len(r.old.Text) &&
		q.span.ByteStart < q.span.ByteEnd && r.old.Text[q.span.ByteStart:q.span.ByteEnd] == e.Quote:
		q.own = unitAt(r.old, text.Range{Start: q.span.ByteStart, End: q.span.ByteEnd})
		q.unit = r.old.Text[q.own.Start:q.own.End]
		q.at = text.Range{Start: q.span.ByteStart - q.own.Start, End: q.span.ByteEnd - q.own.Start}
	case i >= 0 && e.Sentence != "":
		q.unit, q.at = e.Sentence, text.Range{Start: i, End: i + len(e.Quote)}
	}
	return q
}

// unitAt is the row that holds a part of a Document's text, or the whole sentences that do.
func unitAt(d *wstk.Document, at text.Range) text.Range {
	if i := d.BlockAt(at.Start); i >= 0 && d.Blocks[i].Kind == wstk.BlockTableRow &&
		at.End <= d.Blocks[i].ByteEnd {
		return text.Range{Start: d.Blocks[i].ByteStart, End: d.Blocks[i].ByteEnd}
	}
	u := sentencesOf(d, wstk.Span{ByteStart: at.Start, ByteEnd: at.End})
	return text.Range{Start: min(u.Start, at.Start), End: max(u.End, at.End)}
}

// spot is a place where a quote stands word for word, in the same unit.
type spot struct {
	text.Range
	path  []string
	flags []wstk.Flag
}

// maxSpots is how many places of a quote are looked at.
const maxSpots = 2000

// spots are the places of a quotation in d, a reading of the text of seg.
func (q quotation) spots(d, seg *wstk.Document) (out []spot) {
	refused := 0
	for at := range text.Places(d.Text, q.unit) {
		unit := text.Range{Start: at, End: at + len(q.unit)}
		p := text.Range{Start: at + q.at.Start, End: at + q.at.End}
		if !stands(d.Text, p.Start, p.End) || seg != nil && unitAt(seg, p) != unit {
			if refused++; refused == maxRefused {
				break
			}
			continue
		}
		out = append(out, spot{p, sectionAt(d, p.Start), d.FlagsIn(p.Start, p.End)})
		if len(out) == maxSpots {
			break
		}
	}
	return out
}

// exact looks for the place where a quote stands word for word, the one with its flags first.
func (r *Relocator) exact(q quotation) (spot, wstk.RelocationState, bool) {
	seg := r.new
	if r.old == nil {
		seg = nil // it is not known what stood around the quote
	}
	found := r.others(q, q.spots(r.now, seg))
	if len(found) == 0 {
		return spot{}, "", false
	}
	best := slices.MinFunc(found, func(a, b spot) int { return r.nearer(q, a, b) })
	switch {
	case !slices.Equal(best.flags, q.Flags):
		return best, wstk.RelocationAltered, true
	case q.has && r.hay.Span(best.Range) == q.span && slices.Equal(best.path, q.SectionPath):
		return best, wstk.RelocationIntact, true
	}
	return best, wstk.RelocationMoved, true
}

// others leaves out the places that are not the quote's: of another section, where the same unit
// stood as often before. A row or a short sentence may stand in several sections, and of one that
// was deleted the others say nothing.
func (r *Relocator) others(q quotation, found []spot) []spot {
	own := func(p spot) bool { return slices.Equal(p.path, q.SectionPath) }
	if r.was == nil || len(r.was.Blocks) == 0 || slices.ContainsFunc(found, own) {
		return found
	}
	key := func(p spot) string { return strings.Join(p.path, "\x00") }
	had, has := map[string]int{}, map[string]int{}
	for _, p := range q.spots(r.was, r.old) {
		had[key(p)]++
	}
	for _, p := range found {
		has[key(p)]++
	}
	return slices.DeleteFunc(found, func(p spot) bool { return had[key(p)] >= has[key(p)] })
}

// nearer compares two places of a quote: by flags, then the place it had, then by section path,
// neighbours and offset.
func (r *Relocator) nearer(q quotation, a, b spot) int {
	same := func(p spot) int {
		return btoi(!slices.Equal(p.flags, q.Flags))
	}
	there := func(p spot) int {
		return btoi(p.Start != q.span.ByteStart || !slices.Equal(p.path, q.SectionPath))
	}
	return cmp.Or(
		cmp.Compare(same(a), same(b)),
		cmp.Compare(there(a), there(b)),
		cmp.Compare(apart(a.path, q.SectionPath), apart(b.path, q.SectionPath)),
		cmp.Compare(r.neighbours(q, b), r.neighbours(q, a)),
		cmp.Compare(abs(a.Start-q.span.ByteStart), abs(b.Start-q.span.ByteStart)))
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// apart is how many sections lie between two section paths.
func apart(a, b []string) int {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	return len(a) + len(b) - 2*i
}

// neighbours is how many of the blocks before and after a place are those of the quote.
func (r *Relocator) neighbours(q quotation, p spot) (n int) {
	if r.old == nil || q.own.End == 0 {
		return 0
	}
	i, j := r.old.BlockAt(q.own.Start), r.new.BlockAt(p.Start)
	if i < 0 || j < 0 {
		return 0
	}
	for _, d := range []int{-1, 1} {
		if i+d >= 0 && j+d >= 0 && i+d < len(r.old.Blocks) && j+d < len(r.new.Blocks) &&
			r.old.BlockText(i+d) == r.new.BlockText(j+d) {
			n++
		}
	}
	return n
}

package extract

import (
	"context"
	"slices"

	"wstk/shared/text"
	"wstk/shared/value"
	"wstk/shared/wstk"
)

// taken reports whether the page takes back any of Text[start:end]: it is crossed out,
// shown in another order, or words around it say that it is not so.
func (p *page) taken(start, end int) bool {
	return slices.ContainsFunc(p.doc.FlagsIn(start, end), wstk.Flag.TakesBack) ||
		p.disowned(start, end)
}

// call is what the questions of one call of Do share.
type call struct {
	ctx      context.Context // loops over what a page holds end with it
	read     func(ctx context.Context, d *wstk.Document) *text.Setting
	settings map[*wstk.Document]*text.Setting // each read once
	explain  func(ctx context.Context, c Chosen)

	meaning   Meaning
	questions map[string][]float32 // their vectors
	err       error                // why the results are not used
}

func (s *Stage) newCall(ctx context.Context) *call {
	c := &call{ctx: ctx, read: s.Setting, explain: s.Explain, meaning: s.Meaning,
		questions: map[string][]float32{},
		settings:  map[*wstk.Document]*text.Setting{}}
	if c.read == nil {
		c.read = func(ctx context.Context, d *wstk.Document) *text.Setting {
			return text.NewSetting(ctx, d.Text, d.Meta.Title, d.Meta.Type,
				d.Meta.Language, d.Outline)
		}
	}
	return c
}

// over reports whether the call must end; its results are not used then.
func (c *call) over() bool { return c != nil && (c.err != nil || c.ctx.Err() != nil) }

// setting reads which of its text a page takes back.
func (q *question) setting(d *wstk.Document) *text.Setting {
	c := q.call
	if c == nil {
		c = (&Stage{}).newCall(context.Background())
	}
	s := c.settings[d]
	if s == nil {
		s = c.read(c.ctx, d)
		c.settings[d] = s
	}
	return s
}

// disowned reports whether words of the page say that Text[start:end] is not so.
func (p *page) disowned(start, end int) bool {
	return p.setting.TakenBack(start, end) || p.setting.Denies(start, end)
}

// keep returns what of a unit may be quoted: itself, or the pieces of it that nothing
// crosses out. What is left of a sentence is a piece only where it says something by
// itself: a value, or most of the sentence.
func (p *page) keep(u unit) []unit {
	if p.disowned(u.start, u.end) {
		return nil
	}
	if !slices.ContainsFunc(p.doc.FlagsIn(u.start, u.end), wstk.Flag.TakesBack) {
		return []unit{u}
	}
	if slices.ContainsFunc(p.doc.Blocks[u.block].Flags, wstk.Flag.TakesBack) {
		return nil
	}
	const least = 3 // content words
	pieces := p.standing(u)
	var out []unit
	for _, r := range pieces {
		w := p.propose(r.Start, r.End)
		if w.Words == "" {
			continue
		}
		k := u
		k.start, k.end = w.ByteStart, w.ByteStart+len(w.Words)
		from := len(p.marks)
		k.own, k.synonym, k.words = p.scan(w.Words, k.start, p.lex, true)
		k.synonym &^= k.own
		k.marks = [2]int{from, len(p.marks)}
		if len(value.Find(w.Words, p.lang)) == 0 && (k.words < least || 2*k.words < u.words) {
			continue
		}
		if u.kind == wstk.BlockTableRow {
			k.kind = wstk.BlockOther // its cells are no longer those of the header
			k.header = -1
		}
		for _, o := range pieces { // the rest of the sentence is about it, too
			if o != r {
				own, _, _ := p.scan(p.doc.Text[o.Start:o.End], 0, p.lex, false)
				k.own |= own
			}
		}
		out = append(out, k)
	}
	return out
}

// standing are the ranges of a unit that nothing crosses out; none if the page shows its
// words in another order, since it is unknown then where the rest is shown.
func (p *page) standing(u unit) (out []text.Range) {
	at := u.start
	for _, f := range p.doc.FlaggedIn(u.start, u.end) {
		if slices.Contains(f.Flags, wstk.FlagReordered) ||
			slices.Contains(f.Flags, wstk.FlagAltered) {
			return nil
		}
		if slices.ContainsFunc(f.Flags, wstk.Flag.TakesBack) {
			if f.ByteStart > at {
				out = append(out, text.Range{Start: at, End: f.ByteStart})
			}
			at = f.ByteEnd
		}
	}
	if at < u.end {
		out = append(out, text.Range{Start: at, End: u.end})
	}
	return out
}

// others reports whether most of a unit is not the site's own: a comment, an
// advertisement.
func (p *page) others(u *unit) bool {
	if slices.ContainsFunc(p.doc.Blocks[u.block].Flags, wstk.Flag.FromOthers) {
		return true
	}
	n := 0
	for _, f := range p.doc.FlaggedIn(u.start, u.end) {
		if slices.ContainsFunc(f.Flags, wstk.Flag.FromOthers) {
			n += min(f.ByteEnd, u.end) - max(f.ByteStart, u.start)
		}
	}
	return 2*n > u.end-u.start
}

// stands leaves out proposals of words that their page takes back, and claims that rest on
// such words, by any rule.
func stands(claims []wstk.Claim, pages []*page) []wstk.Claim {
	byURL := map[string]*page{}
	for _, p := range pages {
		byURL[p.doc.URL] = p
	}
	kept := claims[:0]
	for _, c := range claims {
		var proposed []wstk.Proposal
		for i, w := range c.Proposed {
			p := byURL[w.URL]
			if w.Kind != wstk.EvidenceText || p == nil || w.ByteStart < 0 ||
				!p.taken(w.ByteStart, w.ByteStart+len(w.Words)) {
				proposed = append(proposed, w)
			} else if i == 0 {
				break
			}
		}
		if len(proposed) > 0 {
			c.Proposed = proposed
			kept = append(kept, c)
		}
	}
	return kept
}

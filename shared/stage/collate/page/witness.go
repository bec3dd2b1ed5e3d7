package page

import (
	"slices"
	"strings"

	"wstk/shared/stage/collate/proposition"
	"wstk/shared/stage/collate/wording"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Witnesses are the quotes of an answer, with what is computed of each of them once: an answer
// of many statements compares every quote with every statement.
type Witnesses struct {
	p      *Set
	quotes []wstk.Evidence
	heard  []*witness // by quote; nil until it is needed
}

// Witnesses returns the quotes of an answer, which must not change.
func (p *Set) Witnesses(quotes []wstk.Evidence) *Witnesses {
	return &Witnesses{p, quotes, make([]*witness, len(quotes))}
}

// witness is what a quote shows beside its words.
type witness struct {
	sentences     []string
	sayings       []*saying // of the sentences; nil for one that asserts nothing
	site          string
	speaks        bool
	years         []string
	before, after string          // the sentences around it, folded
	names         map[string]bool // by site: whether the blocks around the quote name it
	takenBack     bool            // all of its words
	whole         *proposition.Proposition
}

func (ws *Witnesses) of(n int) *witness {
	if ws.heard[n] != nil {
		return ws.heard[n]
	}
	p, e := ws.p, ws.quotes[n]
	w := &witness{sentences: p.sentencesOf(e), names: map[string]bool{},
		site: SiteOf(e.URL), takenBack: p.TakenBack(e, e.Quote), whole: p.Proposition(e, e.Quote)}
	for _, s := range w.sentences {
		w.sayings = append(w.sayings, sayingOf(s, p.Language(e)))
	}
	if d := p.Of(e); d != nil {
		w.speaks, w.years = speaks(d, e), yearsAbove(d, e)
		w.before, w.after = neighbours(d, e)
	}
	ws.heard[n] = w
	return w
}

// Backing returns the quotes that say what a statement says, the one it rests on among
// them: by whole sentences, none of which is taken back, each by the voice of its page.
func (ws *Witnesses) Backing(s wstk.Statement) []int {
	lead := ws.p.Lead(s, ws.quotes)
	if lead < 0 {
		return nil
	}
	out := []int{lead}
	said, want := ws.said(lead, s)
	if ws.p.TakenBack(ws.quotes[lead], strings.Join(said, " ")) {
		return out
	}
	for n := range ws.quotes {
		ws.p.Tick()
		if n != lead && ws.twoVoices(lead, n) && ws.backs(n, lead, want, s) {
			out = append(out, n)
		}
	}
	return out
}

// said are the sentences of the quote that a statement rests on, as words and taken apart: the
// one that the statement is, where it is one of them. want is nil if one asserts nothing.
func (ws *Witnesses) said(lead int, s wstk.Statement) (said []string, want []*saying) {
	w := ws.of(lead)
	said, want = w.sentences, w.sayings
	for i, one := range said {
		if text.FoldCompare(one) == text.FoldCompare(s.Statement) {
			said, want = said[i:i+1], want[i:i+1]
			break
		}
	}
	if slices.Contains(want, nil) {
		want = nil
	}
	return said, want
}

// backs reports whether a quote says what a statement says that rests on another one.
func (ws *Witnesses) backs(n, lead int, want []*saying, s wstk.Statement) bool {
	a, b := ws.of(lead), ws.of(n)
	if a.corrected() || b.corrected() {
		return false
	}
	if ws.saysAll(want, n) && !proposition.Differ(a.whole, b.whole, ws.p.asked) &&
		!proposition.SetApart(a.whole, b.whole, ws.p.asked) {
		return true
	}
	return !b.takenBack &&
		ws.p.relation(ws.quotes[lead], ws.quotes[n], s.Statement) == proposition.Agree
}

// saysAll reports whether the sentences of a quote are like some others, one after another;
// false without others.
func (ws *Witnesses) saysAll(want []*saying, n int) bool {
	w := ws.of(n)
	for i := 0; want != nil && i+len(want) <= len(w.sayings); i++ {
		run := w.sayings[i : i+len(want)]
		if slices.EqualFunc(want, run, ws.p.agree) && !ws.p.TakenBack(ws.quotes[n],
			strings.Join(w.sentences[i:i+len(want)], " ")) {
			return true
		}
	}
	return false
}

// twoVoices reports whether two pages say one thing independently: neither repeats the other
// beside the name of its site or between the same sentences, and the words are not under
// headings of other years or after a line that leads to them.
func (ws *Witnesses) twoVoices(m, n int) bool {
	x, y := ws.p.Of(ws.quotes[m]), ws.p.Of(ws.quotes[n])
	if x == nil || y == nil || x == y {
		return true // what is not known, or is one page, is not counted by its words
	}
	a, b := ws.of(m), ws.of(n)
	return a.speaks && b.speaks && slices.Equal(a.years, b.years) &&
		!ws.names(m, n) && !ws.names(n, m) && !a.sameNeighbours(b)
}

// names reports whether the blocks around a quote name the site of another one.
func (ws *Witnesses) names(m, n int) bool {
	site, w := ws.of(n).site, ws.of(m)
	named, known := w.names[site]
	if !known {
		named = names(ws.p.Of(ws.quotes[m]), ws.quotes[m], site)
		w.names[site] = named
	}
	return named
}

// corrected reports whether a sentence in a quote or behind it says that the one before it is
// wrong, "This figure was printed by mistake.", or one beside the quote restricts or corrects it:
// "Prices are per person."
func (w *witness) corrected() bool {
	return proposition.TakesBack(w.after) || corrections.In(wording.Bare(w.before)) ||
		corrections.In(wording.Bare(w.after)) ||
		slices.ContainsFunc(w.sentences, proposition.TakesBack)
}

// sameNeighbours reports whether two quotes are between the same two sentences.
func (w *witness) sameNeighbours(o *witness) bool {
	return w.before != "" && w.after != "" && w.before == o.before && w.after == o.after
}

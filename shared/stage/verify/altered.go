package verify

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"unicode"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// What stands in the place of words that are no longer there is looked for among the units that
// are new: a sentence that stood on the page before is not what another one became. Units are
// compared by their words. A word counts the more the fewer units of the page have it, so that
// the phrases of which a manual is made do not make all its sentences alike.

// Least similarity, 0–1, of a unit that takes the place of another: within its section, and
// elsewhere on the page. Measured on two releases of two manuals, see docs/benchmarks.
const (
	alikeNear = 0.45
	alikeFar  = 0.6
)

// A unit of at least leastHeld words is alike to one that holds at least mostHeld of it, however
// long that is.
const (
	leastHeld = 5
	mostHeld  = 0.8
)

// maxTries is how many of the most similar units are looked at.
const maxTries = 5

// unit is a sentence or a row.
type unit struct {
	text.Range
	block int
	words []word // nil until they are needed
	sum   float64
}

// word is a word of a unit, in lower case.
type word struct {
	text.Range
	s string
}

// edits are the differences of two versions of a page.
type edits struct {
	old, new []unit
	gone     []int // units of old that new does not have
	came     []int // units of new that old does not have
	isCame   map[int]bool
	weight   map[string]float64
	most     float64 // the weight of a word that stands nowhere
}

// altered looks for the unit that took the place of a quotation's, and for the part of it that
// took the place of the quote.
func (r *Relocator) altered(
	ctx context.Context, q quotation,
) (text.Range, wstk.RelocationReason, bool, error) {
	if r.edits == nil {
		var err error
		if r.edits, err = r.compare(ctx); err != nil {
			return text.Range{}, "", false, err
		}
	}
	mine := unit{Range: text.Range{End: len(q.unit)}}
	r.edits.read(&mine, q.unit)
	found, err := r.candidates(ctx, q, &mine)
	if err != nil || found.End == 0 {
		return text.Range{}, "", false, err
	}
	r.edits.read(&found, r.now.Text)
	at := narrowed(q, mine, found, r.now.Text)
	return at, whyAltered(q, r.now.Text[found.Start:found.End], r.now.Text[at.Start:at.End]), true, nil
}

// whyAltered says what of a quotation differs from the unit that took its place.
func whyAltered(q quotation, unit, words string) wstk.RelocationReason {
	plain := func(s string) string { return strings.Join(strings.Fields(text.Fold(s).Text), " ") }
	switch {
	case words == q.Quote:
		return wstk.ReasonSentence
	case plain(words) == plain(q.Quote) && plain(unit) == plain(q.unit):
		return wstk.ReasonMarks
	}
	return wstk.ReasonWords
}

// compare takes the two versions apart. Without a text of the old one all units are new.
func (r *Relocator) compare(ctx context.Context) (*edits, error) {
	x := &edits{isCame: map[int]bool{}, weight: map[string]float64{}}
	var err error
	if r.old != nil {
		if x.old, err = unitsOf(ctx, r.old); err != nil {
			return nil, err
		}
	}
	if x.new, err = unitsOf(ctx, r.new); err != nil {
		return nil, err
	}
	had, has := x.count(r.old, x.old), x.count(r.new, x.new)
	n := float64(len(x.old) + len(x.new))
	for w, k := range x.weight {
		x.weight[w] = math.Log(1 + n/k)
	}
	x.most = math.Log(1 + n)
	for i, u := range x.old {
		if !has[r.old.Text[u.Start:u.End]] {
			x.gone = append(x.gone, i)
		}
	}
	for i, u := range x.new {
		if !had[r.new.Text[u.Start:u.End]] {
			x.came, x.isCame[i] = append(x.came, i), true
		}
	}
	return x, nil
}

// count notes the texts of units, and in weight in how many units each word stands.
func (x *edits) count(d *wstk.Document, units []unit) map[string]bool {
	out := map[string]bool{}
	for _, u := range units {
		s := d.Text[u.Start:u.End]
		out[s] = true
		seen := map[string]bool{}
		for _, w := range wordsOf(s) {
			if !seen[w.s] {
				seen[w.s] = true
				x.weight[w.s]++
			}
		}
	}
	return out
}

// read fills in the words of a unit of s.
func (x *edits) read(u *unit, s string) {
	if u.words != nil {
		return
	}
	u.words, u.sum = wordsOf(s[u.Start:u.End]), 0
	for i := range u.words {
		u.words[i].Start += u.Start
		u.words[i].End += u.Start
		u.sum += x.weightOf(u.words[i].s)
	}
}

func (x *edits) weightOf(w string) float64 {
	if k, ok := x.weight[w]; ok {
		return k
	}
	return x.most
}

// alike is the share of words that two units have in common, by their weights, 0–1.
func (x *edits) alike(a, b *unit) float64 {
	if a.sum+b.sum == 0 {
		return 0
	}
	left := map[string]int{}
	for _, w := range a.words {
		left[w.s]++
	}
	both := 0.0
	for _, w := range b.words {
		if left[w.s] > 0 {
			left[w.s]--
			both += x.weightOf(w.s)
		}
	}
	share := 2 * both / (a.sum + b.sum)
	if len(a.words) >= leastHeld && both >= mostHeld*a.sum { // joined to another sentence
		share = max(share, alikeFar)
	}
	return share
}

// unitsOf takes a text apart into rows and sentences.
func unitsOf(ctx context.Context, d *wstk.Document) (out []unit, err error) {
	for i, b := range d.Blocks {
		if i%256 == 0 {
			if err := stopped(ctx); err != nil {
				return nil, err
			}
		}
		if b.Kind == wstk.BlockTableRow {
			out = append(out, unit{Range: text.Range{Start: b.ByteStart, End: b.ByteEnd}, block: i})
			continue
		}
		for _, s := range text.Sentences(d.BlockText(i), d.Meta.Language) {
			out = append(out, unit{Range: text.Range{Start: b.ByteStart + s.Start,
				End: b.ByteStart + s.End}, block: i})
		}
	}
	return out, nil
}

// wordsOf are the words of s in lower case: runs of letters and digits, numbers with their points,
// and single characters of scripts without spaces.
func wordsOf(s string) (out []word) {
	start := -1
	end := func(at int) {
		if start >= 0 {
			out = append(out, word{text.Range{Start: start, End: at}, strings.ToLower(s[start:at])})
		}
		start = -1
	}
	digit := func(i int) bool { return i >= 0 && i < len(s) && s[i] >= '0' && s[i] <= '9' }
	for i, r := range s {
		switch {
		case text.Unspaced(r) && unicode.IsLetter(r):
			end(i)
			start = i
			end(i + len(string(r)))
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r) && start >= 0,
			(r == '.' || r == ',') && start >= 0 && digit(i-1) && digit(i+1):
			if start < 0 {
				start = i
			}
		default:
			end(i)
		}
	}
	end(len(s))
	return out
}

// candidate is a new unit, or several that follow one another, and how alike it is.
type candidate struct {
	unit
	alike float64
	near  bool // of the quote's section
}

// candidates returns the new unit that took the place of a quotation's; its end is 0 if there is
// none.
func (r *Relocator) candidates(ctx context.Context, q quotation, mine *unit) (unit, error) {
	x := r.edits
	k := r.width(q)
	var all []candidate
	for _, i := range x.came {
		for _, w := range r.windows(i, k, q) {
			if err := stopped(ctx); err != nil {
				return unit{}, err
			}
			c := candidate{unit: w, near: sameSection(sectionAt(r.now, w.Start), q.SectionPath)}
			x.read(&c.unit, r.new.Text)
			if c.alike = x.alike(mine, &c.unit); sameLabel(q.unit, r.new.Text[w.Start:w.End]) && c.near {
				c.alike = max(c.alike, alikeNear)
			}
			if c.alike >= alikeFar || c.near && c.alike >= alikeNear {
				all = append(all, c)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.alike+bonus(b), a.alike+bonus(a)),
			cmp.Compare(abs(a.Start-q.span.ByteStart), abs(b.Start-q.span.ByteStart)))
	})
	for _, c := range all[:min(len(all), maxTries)] {
		theirs, err := r.theirs(ctx, q, &c)
		if err != nil || !theirs {
			return c.unit, err
		}
	}
	return unit{}, nil
}

// sameSection reports whether two places are in sections of the same title. The titles above it,
// that of the page first, often name a version.
func sameSection(a, b []string) bool {
	return len(a) == len(b) && (len(a) == 0 || a[len(a)-1] == b[len(b)-1])
}

// bonus is what a unit of the quote's own section is worth when two are about as alike.
func bonus(c candidate) float64 {
	if c.near {
		return alikeFar - alikeNear
	}
	return 0
}

// sameLabel reports whether two rows have the same first cell, and more cells.
func sameLabel(a, b string) bool {
	x, _, row := strings.Cut(a, "\t")
	y, _, too := strings.Cut(b, "\t")
	return row && too && x == y && strings.TrimSpace(x) != ""
}

// width is of how many sentences a quotation's unit is.
func (r *Relocator) width(q quotation) (n int) {
	if q.own.End == 0 {
		return max(1, len(text.Sentences(q.unit, r.now.Meta.Language)))
	}
	for _, u := range r.edits.old {
		if u.Start < q.own.End && u.End > q.own.Start {
			n++
		}
	}
	return max(1, n)
}

// windows are the runs of k units, and of one more or less, that begin with the unit i, or of
// which it is the first that is new.
func (r *Relocator) windows(i, k int, q quotation) (out []unit) {
	x := r.edits
	for n := max(1, k-1); n <= k+1; n++ {
		for from := i - n + 1; from <= i; from++ {
			to := from + n - 1
			if from < 0 || to >= len(x.new) || x.firstNew(from) != i ||
				x.new[from].block != x.new[to].block && !strings.Contains(q.unit, "\n") {
				continue
			}
			out = append(out, unit{block: x.new[from].block,
				Range: text.Range{Start: x.new[from].Start, End: x.new[to].End}})
		}
	}
	return out
}

// firstNew is the first unit from i on that is new.
func (x *edits) firstNew(i int) int {
	for !x.isCame[i] {
		i++
	}
	return i
}

// theirs reports whether a candidate took the place of another unit of the old text, which is not
// there any more and is more like it.
func (r *Relocator) theirs(ctx context.Context, q quotation, c *candidate) (bool, error) {
	x := r.edits
	for n, i := range x.gone {
		if n%256 == 0 {
			if err := stopped(ctx); err != nil {
				return false, err
			}
		}
		u := &x.old[i]
		if u.Start < q.own.End && u.End > q.own.Start {
			continue
		}
		x.read(u, r.old.Text)
		if x.alike(u, &c.unit) > c.alike {
			return true, nil
		}
	}
	return false, nil
}

// maxAligned bounds the words of two units that are aligned: the work is their product.
const maxAligned = 400

// narrowed is the part of a new unit that stands where the quote stood in its own: all of it if the
// quote was, else what lies between the words around the quote that both have.
func narrowed(q quotation, mine, found unit, now string) text.Range {
	for at := range text.Places(now[found.Start:found.End], q.Quote) {
		p := text.Range{Start: found.Start + at, End: found.Start + at + len(q.Quote)}
		if stands(now, p.Start, p.End) {
			return p
		}
	}
	a, b := mine.words, found.words
	before := slices.IndexFunc(a, func(w word) bool { return w.End > q.at.Start })
	after := len(a)
	for after > 0 && a[after-1].Start >= q.at.End {
		after--
	}
	if len(a) > maxAligned || len(b) > maxAligned {
		return found.Range
	}
	out := found.Range
	for _, m := range aligned(a, b) {
		if m[0] < before && m[1]+1 < len(b) {
			out.Start = b[m[1]+1].Start
		}
		if m[0] >= after && m[1] > 0 {
			out.End = b[m[1]-1].End
			break
		}
	}
	// marks around the quote, such as a full stop, are not of it
	if rest := q.unit[q.at.End:]; after == len(a) && strings.HasSuffix(now[:out.End], rest) {
		out.End -= len(rest)
	}
	if rest := q.unit[:q.at.Start]; before <= 0 && strings.HasPrefix(now[out.Start:], rest) {
		out.Start += len(rest)
	}
	if out.Start >= out.End {
		return found.Range
	}
	return out
}

// aligned pairs as many words as can be of two units, in order.
func aligned(a, b []word) (out [][2]int) {
	kept := make([][]int, len(a)+1)
	for i := range kept {
		kept[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if kept[i][j] = max(kept[i+1][j], kept[i][j+1]); a[i].s == b[j].s {
				kept[i][j] = kept[i+1][j+1] + 1
			}
		}
	}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i].s == b[j].s:
			out = append(out, [2]int{i, j})
			i, j = i+1, j+1
		case kept[i+1][j] >= kept[i][j+1]:
			i++
		default:
			j++
		}
	}
	return out
}

package page

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"wstk/shared/stage/collate/wording"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// A sentence may go on in another block: "The drug is safe" | "only in mice." Neither half is
// a whole sentence. Figures, code, lists, advertisements and the feet of pages may be between
// the halves.

// flowReach is over how many blocks a sentence is followed.
const flowReach = 12

// leadsOn reports whether the last sentence of a block goes on in a later one.
func leadsOn(d *wstk.Document, i int) bool {
	words, after := lastLine(d.BlockText(i)), ""
	if i+1 < len(d.Blocks) && inProse(d.Blocks[i+1].Kind) {
		after = headOf(d.BlockText(i + 1))
	}
	return opensLine(d.Blocks[i].Kind, words, after, d.Meta.Language) || nextOf(d, i) >= 0
}

// opensLine reports whether a line, or the last one of a block, is not whole without what
// follows it.
func opensLine(kind wstk.BlockKind, words, after, lang string) bool {
	return opensMore(kind, words, lang) || kind != wstk.BlockCode && leadsTo(words, after) ||
		runs(kind) && unstopped(words) && unstopped(after[:firstRune(after)])
}

// unstopped reports whether words end without a stop in a script that has stops but no
// capitals: nothing shows whether they go on.
func unstopped(words string) bool {
	last, _ := utf8.DecodeLastRuneInString(words)
	return unicode.In(last, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
		unicode.Arabic, unicode.Hebrew) && unicode.IsLetter(last)
}

// firstRune is the size of the first character of s.
func firstRune(s string) int {
	_, size := utf8.DecodeRuneInString(s)
	return size
}

// leadsTo reports whether words that end with a colon are not whole without those that
// follow: "The drug is safe:" | "In mice". A line that announces a list is whole.
func leadsTo(before, after string) bool {
	w := wording.Bare(text.FoldCompare(firstClause(after)))
	return EndsWith(before, colons) && len(w) > 0 &&
		(startsSmall(after) || narrows(after) || attaching[w[0]])
}

// comesFrom reports whether the first sentence of a block begins in an earlier one. What a
// heading or the line before a list leads to is whole, unless that line governs it.
func comesFrom(d *wstk.Document, j int) bool {
	item := d.Blocks[j].Kind == wstk.BlockListItem
	if item && governed(d, j) {
		return true
	}
	for i := j - 1; i >= max(0, j-flowReach); i-- {
		if nextOf(d, i) == j {
			before := tailOf(d.BlockText(i))
			led := item && runs(d.Blocks[i].Kind) || d.Blocks[i].Kind == wstk.BlockHeading ||
				EndsWith(before, colons)
			return !led || narrows(headOf(d.BlockText(j))) || governs(before)
		}
	}
	return false
}

// nextOf is the block in which the last sentence of a block goes on; -1 where it ends.
func nextOf(d *wstk.Document, i int) int {
	for j := i + 1; j < min(len(d.Blocks), i+1+flowReach); j++ {
		if flows(d, i, j) {
			return j
		}
		if !parts(d, i, j) {
			break
		}
	}
	return -1
}

// flows reports whether the words of two blocks make one sentence.
func flows(d *wstk.Document, i, j int) bool {
	a, b := &d.Blocks[i], &d.Blocks[j]
	s := seam{kinds: [2]wstk.BlockKind{a.Kind, b.Kind}, next: j == i+1,
		before: tailOf(d.BlockText(i)), after: headOf(d.BlockText(j)), lang: d.Meta.Language}
	if s.before == "" || s.after == "" || a.Main && !b.Main ||
		!inProse(a.Kind) || !inProse(b.Kind) {
		return false
	}
	if narrows(s.after) && (hasCase(s.after) || !finished(s.before)) {
		return true
	}
	return s.joins()
}

// seam is where two blocks meet: the end of one and the beginning of a later one.
type seam struct {
	kinds               [2]wstk.BlockKind // of the blocks
	next                bool              // nothing is between them
	before, after, lang string
}

// joins reports whether a sentence goes on over a seam, by the kinds of its blocks.
func (s seam) joins() bool {
	from, to := s.kinds[0], s.kinds[1]
	switch {
	case from == wstk.BlockTerm || !runs(to) && to != wstk.BlockListItem:
		return false
	case from == wstk.BlockHeading:
		return s.next && runs(to) && s.endsHeading()
	case from == wstk.BlockListItem && to == wstk.BlockListItem:
		return s.next && governs(s.before)
	case from == wstk.BlockListItem:
		return s.unfinished() && !adds(s.after)
	}
	return s.unfinished() || hangs(s.before, s.lang) || governs(s.before)
}

// endsHeading reports whether the words after complete the heading before them.
func (s seam) endsHeading() bool {
	return governs(s.before) || s.unfinished() && attaches(s.after)
}

// unfinished reports whether no stop ends the words before, and those after begin small.
func (s seam) unfinished() bool { return !finished(s.before) && startsSmall(s.after) }

// parts reports whether a sentence that begins in block i may go on after block k.
func parts(d *wstk.Document, i, k int) bool {
	const foot = 90 // bytes, of a page
	a, b := &d.Blocks[i], &d.Blocks[k]
	switch {
	case a.Main && !b.Main, len(b.Flags) > 0 && len(a.Flags) == 0, b.Kind == wstk.BlockListItem:
		return true
	case b.Kind == wstk.BlockCode, b.Kind == wstk.BlockCaption, b.Kind == wstk.BlockTableRow,
		b.Kind == wstk.BlockOther && a.Kind != b.Kind:
		return a.Kind != b.Kind
	}
	return b.Page > a.Page && b.ByteEnd-b.ByteStart < foot
}

// runs reports whether blocks of a kind hold running text.
func runs(kind wstk.BlockKind) bool {
	return kind == wstk.BlockParagraph || kind == wstk.BlockQuote || kind == wstk.BlockOther
}

// inProse reports whether a sentence may go over the border of a block of this kind.
func inProse(kind wstk.BlockKind) bool {
	return kind != wstk.BlockCode && kind != wstk.BlockTableRow && kind != wstk.BlockCaption
}

// governed reports whether the line that leads to the list of an item makes clauses of
// its items: "The firm hopes that:", "It is free if".
func governed(d *wstk.Document, item int) bool {
	i := item - 1
	for i >= 0 && d.Blocks[i].Kind == wstk.BlockListItem {
		i--
	}
	if i < 0 || !runs(d.Blocks[i].Kind) {
		return false
	}
	return governs(tailOf(d.BlockText(i)))
}

// colons end what leads to something.
const colons = ":："

// governs reports whether words, perhaps with a colon behind them, end with one that makes
// a clause of what follows: that, if.
func governs(before string) bool {
	before = strings.TrimRight(before, colons+" ")
	if last, _ := utf8.DecodeLastRuneInString(before); !unicode.IsLetter(last) {
		return false
	}
	w := wording.Bare(text.FoldCompare(before))
	return len(w) > 1 && (openers[w[len(w)-1]] || governing[w[len(w)-1]])
}

// attaches reports whether words are a few that say more about a heading, but not its author.
func attaches(after string) bool {
	const most = 6
	w := wording.Bare(text.FoldCompare(firstClause(after)))
	return len(w) <= most && len(w) > 1 && w[0] != "by"
}

// adds reports whether words begin with one that only adds to a list: "and more".
func adds(after string) bool {
	w := wording.Bare(text.FoldCompare(after))
	return len(w) > 0 && adding[w[0]]
}

// opensMore reports whether words of a block of this kind lead to others: they end with a
// comma, a dash, or with a word that no sentence ends with.
func opensMore(kind wstk.BlockKind, words, lang string) bool {
	item := kind == wstk.BlockListItem || runs(kind) && listMark.MatchString(words)
	if !runs(kind) && !item {
		return false
	}
	marks := "–—("
	if !item {
		marks += ",;，、；"
	}
	words = strings.TrimRightFunc(words, unicode.IsSpace)
	return EndsWith(words, marks) && !asks(words[strings.LastIndexByte(words, ' ')+1:]) ||
		strings.HasSuffix(words, " -") || hangs(words, lang)
}

// cellGoesOn reports whether the words of a cell go on: in the cell beside it, where no
// header names their columns, or in the row below.
func cellGoesOn(d *wstk.Document, row, column int) bool {
	const words = 3 // less is a name
	cells := strings.Split(d.BlockText(row), "\t")
	beside := column+1 < len(cells) && trails(cells[column+1]) &&
		(column > 0 || strings.Count(cells[column], " ") >= words-1)
	return beside && !headed(d, row) || cellGoesDown(d, row, column)
}

// headed reports whether a header names the columns of a row.
func headed(d *wstk.Document, row int) bool {
	h := HeaderOf(d, row)
	return h >= 0 && d.Blocks[h].IsHeader
}

// cellGoesDown reports whether the words of a cell go on in the row below, which has no
// name of its own.
func cellGoesDown(d *wstk.Document, row, column int) bool {
	if row < 0 || row+1 >= len(d.Blocks) || d.Blocks[row].Kind != wstk.BlockTableRow ||
		d.Blocks[row+1].Kind != wstk.BlockTableRow ||
		d.Blocks[row].Table != d.Blocks[row+1].Table {
		return false
	}
	cells, below := strings.Split(d.BlockText(row), "\t"), strings.Split(d.BlockText(row+1), "\t")
	if column >= len(cells) || column >= len(below) || cells[column] == "" {
		return false
	}
	if column == 0 {
		return trails(below[0])
	}
	return below[0] == "" && startsSmall(below[column]) &&
		(!finished(cells[column]) || narrows(below[column]))
}

// trails reports whether words in small letters narrow what comes before them.
func trails(s string) bool { return startsSmall(s) && narrows(s) }

// narrows reports whether words begin with what narrows, conditions or takes back what
// comes before them: "only in mice", "unless the owner forbids it".
func narrows(s string) bool {
	if mark := listMark.FindStringSubmatch(s); mark != nil {
		s = s[len(mark[1]+mark[2]):]
	}
	s = strings.TrimLeft(s, "…. (–—-*\"“„'")
	first, _ := utf8.DecodeRuneInString(s)
	if !unicode.IsLetter(first) {
		return false
	}
	folded := text.FoldCompare(text.Prefix(s, lineReach))
	w, wide := wording.Bare(folded), first >= 0x3000
	switch {
	case len(w) == 0:
		return false
	case len(w) == 1 && hasCase(s), strings.HasPrefix(folded, w[0]+":"):
		return false // a label, a value
	case limiters[w[0]] && len(w[0]) > 1 && strings.HasPrefix(s, strings.ToUpper(w[0])):
		return true // IF
	case !unicode.IsUpper(first):
		return limiters[w[0]] || beginsWithAny(folded, w, narrowing, wide)
	case strings.ContainsAny(firstClause(s), ",:"):
		return false // a sentence of its own: "Unless you pay, …"
	}
	return beginsWithAny(folded, w, fragments, wide)
}

// beginsWithAny reports whether folded words begin with a phrase of a table. w are the same
// words as a list; in a wide script no spaces separate them.
func beginsWithAny(folded string, w, table []string, wide bool) bool {
	head := strings.Join(w[:min(len(w), 4)], " ") + " "
	return slices.ContainsFunc(table, func(words string) bool {
		return strings.HasPrefix(head, words+" ") ||
			wide && strings.HasPrefix(folded, words)
	})
}

// firstClause is the text before the first stop of s.
func firstClause(s string) string {
	if rs := text.Sentences(s, ""); len(rs) > 0 {
		return s[rs[0].Start:rs[0].End]
	}
	return s
}

// finished reports whether words end with a stop, perhaps before closing marks or references.
func finished(s string) bool {
	s = strings.TrimRightFunc(tailOf(s), unicode.IsSpace)
	if loc := reference.FindStringIndex(s); loc != nil {
		s = s[:loc[0]]
	}
	return EndsWith(strings.TrimRight(s, "\"'”’»)]* "), SentenceStops+"?？؟")
}

// startsSmall reports whether words begin with a small letter that is not that of a name
// (iPhone) or a label (size: 5).
func startsSmall(s string) bool {
	s = strings.TrimLeft(s, "…. (–—-")
	first, size := utf8.DecodeRuneInString(s)
	second, _ := utf8.DecodeRuneInString(s[size:])
	label := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) })
	return unicode.IsLower(first) && !unicode.IsUpper(second) && (label < 0 || s[label] != ':')
}

// hasCase reports whether the first letter of s is of a script that knows capitals.
func hasCase(s string) bool {
	i := strings.IndexFunc(s, unicode.IsLetter)
	if i < 0 {
		return false
	}
	first, _ := utf8.DecodeRuneInString(s[i:])
	return unicode.IsUpper(first) || unicode.IsLower(first)
}

// headOf and tailOf are the beginning and the end of a block, long enough for its first and
// its last sentence. Marks of comments and of quoted mail at the beginning are left out.
func headOf(s string) string {
	return strings.TrimSpace(
		strings.TrimLeft(strings.TrimSpace(text.Prefix(s, lineReach)), "#>;%|\\/*"))
}

func lastLine(s string) string {
	s = tailOf(s)
	return s[strings.LastIndexByte(s, '\n')+1:]
}

func tailOf(s string) string {
	from := max(0, len(s)-lineReach)
	for from < len(s) && !utf8.RuneStart(s[from]) {
		from++
	}
	return strings.TrimSpace(s[from:])
}

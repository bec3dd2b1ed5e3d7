package page

import (
	"slices"
	"strings"
	"unicode/utf8"

	"wstk/shared/stage/collate/wording"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// label is what a page says some of its words are about; rivals are the labels beside it.
type label struct {
	words  string
	rivals []string
}

// toldBy reports whether an answer, or its question, shows a label. A question that also
// holds a rival does not.
func (l label) toldBy(shown, query string) bool {
	if tells(shown, l.words) {
		return true
	}
	return tells(shown+"\n"+query, l.words) && !slices.ContainsFunc(l.rivals, func(r string) bool {
		return strings.TrimSpace(r) != "" && tells(query, r) && !tells(l.words, r)
	})
}

func notShown(label string) string {
	return "its page says it of “" + text.Shorten(label, 80) + "”, which this answer does not show"
}

// tells reports whether what an answer shows holds the words of a label that say something,
// and those that deny or limit them.
func tells(shown, label string) bool {
	have := map[string]bool{}
	for _, t := range text.Tokenize(shown, "") {
		have[t.Text] = true
	}
	for _, t := range text.Tokenize(label, "") {
		w := text.FoldCompare(label[t.Start:t.End])
		if !have[t.Text] && (!t.Stop || turns(w)) {
			return false
		}
	}
	return signsOf(label, shown) == ""
}

// afterLabel reports whether a sentence is an address behind a word or two that say what
// it is: "Email: a@b.example".
func afterLabel(sentence, address string) bool {
	label, rest, ok := strings.Cut(sentence, ":")
	w := wording.Bare(text.FoldCompare(label))
	return ok && strings.TrimSpace(rest) == address && len(w) <= 2 && !slices.ContainsFunc(w, turns)
}

// labelsAt are the lines and cells by which a page says what words of it are about: the
// name and the unit of their row, their column, their term, the line or the question that
// leads to them.
func labelsAt(d *wstk.Document, block int, at text.Range) (out []label) {
	b := d.Blocks[block]
	words := d.BlockText(block)
	if cells := strings.Split(words, "\t"); len(cells) > 1 && at.End <= b.ByteEnd {
		from, more := strings.Count(d.Text[b.ByteStart:at.Start], "\t"),
			strings.Count(d.Text[at.Start:at.End], "\t")
		out = cellLabels(d, block, cells, from, more)
		if line := leadOf(d, block); line != "" {
			out = append(out, label{words: line})
		}
		return out
	}
	if b.Kind == wstk.BlockDefinition {
		i := block - 1
		for i >= 0 && d.Blocks[i].Kind == wstk.BlockDefinition {
			i--
		}
		if i >= 0 && d.Blocks[i].Kind == wstk.BlockTerm {
			return []label{{words: d.BlockText(i)}}
		}
	}
	line := leadOf(d, block)
	if line == "" {
		line = questionBefore(d.Text[b.ByteStart:at.Start])
	}
	if line == "" {
		return nil
	}
	return []label{{words: line}}
}

// questionBefore is the question at the end of words, except for a mark behind it ("A:"); ""
// where they end otherwise.
func questionBefore(words string) string {
	const mark = 8 // bytes
	end := strings.LastIndexAny(words, "?？؟") + 1
	if end == 0 || strings.TrimSpace(words[end:]) != "" &&
		len(strings.TrimSpace(words[end:])) > mark {
		return ""
	}
	for end < len(words) && !utf8.RuneStart(words[end]) {
		end++
	}
	sentences := text.Sentences(words[:end], "")
	if len(sentences) == 0 {
		return ""
	}
	last := sentences[len(sentences)-1]
	return words[last.Start:last.End]
}

// cellLabels are what a row and its table say about some of its cells, more+1 of them
// beginning with cells[from]: the name of the row, its columns, its unit.
func cellLabels(d *wstk.Document, block int, cells []string, from, more int) (out []label) {
	if name := d.CellText(block, 0); from > 0 && name != "" {
		out = append(out, label{words: name})
	}
	whole := more+1 == len(cells)
	out = append(out, columnLabels(d, block, from, whole)...)
	if whole || !strings.ContainsAny(cells[from], wording.Digits) {
		return out
	}
	for _, c := range cells[from+more+1:] {
		c = strings.TrimSpace(c)
		if !strings.ContainsAny(c, wording.Digits) && isMeasure(c) {
			out = append(out, label{words: c}) // Sales, 12, million EUR
		}
	}
	return out
}

// columnLabels are the rows above a row that name it or one of its columns: of a whole row
// its header, of a cell the names of its column, of both the row that spans the table.
func columnLabels(d *wstk.Document, block, column int, whole bool) (out []label) {
	header := HeaderOf(d, block)
	spanned := false
	for i := block - 1; i >= 0 && d.Blocks[i].Kind == wstk.BlockTableRow &&
		d.Blocks[i].Table == d.Blocks[block].Table; i-- {
		words := d.BlockText(i)
		names := strings.Split(words, "\t")
		switch {
		case len(names) == 1 && !spanned:
			spanned = true
			out = append(out, label{words: words})
		case whole && i == header:
			out = append(out, label{words: words})
		case !whole && (i == header || i < header && d.Blocks[i].IsHeader):
			if name := d.CellText(i, column); name != "" {
				out = append(out, label{words: name, rivals: names[1:]})
			}
		}
	}
	return out
}

// likeLabels are the headings above a row, a labelled line or a section that distinguish it
// from another one of the same name on its page: "Part-time" of graduates, and of
// undergraduates.
func likeLabels(d *wstk.Document, block int) []label {
	own := d.SectionPath(d.Blocks[block].Section)
	if words := apartFromSections(d, block, own); words != "" {
		return []label{{words: words}}
	}
	if words := apartFromLines(d, block, own); words != "" {
		return []label{{words: words}}
	}
	return nil
}

// mostCompared is how many blocks, or sections, are compared with one.
const mostCompared = 2000

// apartFromSections is the heading above a block that another section of the same name lacks.
func apartFromSections(d *wstk.Document, block int, own []string) string {
	alike := 0
	for i, section := range d.Sections {
		if len(own) < 2 || i == d.Blocks[block].Section || section.Title != own[len(own)-1] {
			continue
		}
		if alike++; alike > mostCompared {
			break
		}
		if words := ownHeading(own, d.SectionPath(i)); words != "" {
			return words
		}
	}
	return ""
}

// apartFromLines is the heading above a block that another line of the same name lacks.
func apartFromLines(d *wstk.Document, block int, own []string) string {
	name := nameOfLine(d, block)
	if name == "" {
		return ""
	}
	words, of := d.BlockText(block), d.Blocks[block]
	for i := max(0, block-mostCompared); i < min(len(d.Blocks), block+mostCompared); i++ {
		b := d.Blocks[i]
		if b.Section == of.Section || b.Kind != of.Kind || b.IsHeader ||
			nameOfLine(d, i) != name || d.BlockText(i) == words {
			continue
		}
		if heading := ownHeading(own, d.SectionPath(b.Section)); heading != "" {
			return heading
		}
	}
	return ""
}

// ownHeading is the innermost of headings that others lack; "" without one.
func ownHeading(own, others []string) string {
	for n := len(own) - 1; n >= 0; n-- {
		if !slices.Contains(others, own[n]) {
			return own[n]
		}
	}
	return ""
}

// nameOfLine is the first cell of a row, the label before a colon; "" of other blocks.
func nameOfLine(d *wstk.Document, block int) string {
	const most = 60 // bytes
	words := text.Prefix(d.BlockText(block), most)
	if name, _, ok := strings.Cut(words, "\t"); ok {
		return name
	}
	if name, rest, ok := strings.Cut(words, ":"); ok && strings.HasPrefix(rest, " ") {
		return name
	}
	return ""
}

// leadOf is the line that leads to a block or to its list: one that ends with a colon or a
// question mark, or without a stop right above a list, a table or the like; a caption; a
// heading right above a list; an item that denies above its own list. "" without one.
func leadOf(d *wstk.Document, block int) string {
	const short = 80 // bytes of a line
	kind := d.Blocks[block].Kind
	i := above(d, block, func(i int) bool {
		words := d.BlockText(i)
		return kind != wstk.BlockParagraph && !leads(words) &&
			!(kind == wstk.BlockListItem && forbids(words, short) &&
				!EndsWith(words, SentenceStops))
	})
	if i < 0 || d.Blocks[i].Kind == wstk.BlockTerm || !leadsBy(d, i, kind) {
		return ""
	}
	return d.BlockText(i)
}

// leadsBy reports whether a block leads to the block below it, which is of a kind.
func leadsBy(d *wstk.Document, i int, kind wstk.BlockKind) bool {
	const most, short = 200, 80 // bytes of a line
	words, own := d.BlockText(i), d.Blocks[i].Kind
	last, _ := utf8.DecodeLastRuneInString(strings.TrimSpace(words))
	if leads(words) || strings.ContainsRune("?？؟", last) {
		return true
	}
	isItem := kind == wstk.BlockListItem || kind == wstk.BlockQuote || kind == wstk.BlockCode
	switch own {
	case wstk.BlockHeading:
		return isItem
	case wstk.BlockCaption:
		return isItem || kind == wstk.BlockTableRow
	case wstk.BlockParagraph:
		isLine := len(words) < most && !EndsWith(words, SentenceStops) || denying(words, short)
		return isLine && (isItem || kind == wstk.BlockTableRow)
	}
	return own == kind && kind == wstk.BlockListItem
}

// above is the block above one, and above those of its kind right before it that over
// passes; -1 for none in its section.
func above(d *wstk.Document, block int, over func(i int) bool) int {
	i := block - 1
	for i >= 0 && d.Blocks[i].Kind == d.Blocks[block].Kind && over(i) {
		i--
	}
	if i < 0 || d.Blocks[i].Section != d.Blocks[block].Section {
		return -1
	}
	return i
}

// denying reports whether a line of fewer bytes than most denies, forbids or doubts;
// forbids, whether it does so by a plain word: not, no, never.
func denying(words string, most int) bool {
	return forbids(words, most) || len(words) < most && holdsTaker(text.FoldCompare(words))
}

func forbids(words string, most int) bool {
	return len(words) < most &&
		slices.ContainsFunc(wording.Bare(text.FoldCompare(words)), plainlyDenies)
}

// plainlyDenies reports whether a folded word is a plain denial: not, no, never, isn't.
func plainlyDenies(w string) bool {
	return wording.Negators[w] || deniers[w] || strings.HasSuffix(w, "n't")
}

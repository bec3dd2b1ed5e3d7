package collate

import (
	"slices"
	"strings"
	"unicode/utf8"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// leftOut says of a statement what a reader of its page would know, and a reader of the
// answer does not, a clause each.
func (k *check) leftOut(i int, quotes []wstk.Evidence) []string {
	s := k.Statements[i]
	out := k.unshown(i, quotes)
	for _, e := range ownQuotes(s.Statement, quotes) {
		if other := k.pages.deniedElsewhere(e, s.Statement); other != "" {
			out = append(out, "its page takes these words back at another place: “"+text.Shorten(other, 80)+"”")
			break
		}
	}
	return out
}

// unshown says what stands around a statement on its page, and nowhere in the answer, and
// may tell what it is about, a clause each: the sentence before one that begins with
// "it" or "they", the row, the column or the term it belongs to, the line that leads to its
// list ("The firm hopes for:"), the sentence around an address. Of several quotes that say
// it, one that needs none of that is enough.
func (k *check) unshown(i int, quotes []wstk.Evidence) []string {
	s := k.Statements[i]
	shown, before := []string{s.Field, k.Title, k.Query}, ""
	for j, o := range k.Statements {
		shown = append(shown, o.Statement)
		if j == i-1 {
			before = o.Statement
		}
	}
	own := ownQuotes(s.Statement, quotes)
	for _, e := range quotes {
		if !slices.ContainsFunc(own, func(o wstk.Evidence) bool { return o.ID == e.ID }) {
			shown = append(shown, e.Quote)
		}
	}
	var out []string
	for _, e := range own {
		if e.Element != nil {
			of := k.pages.nameOf(e, s.Field)
			if of == "" || tells(strings.Join(shown, "\n"), of) {
				return nil
			}
			out = append(out, notShown(of))
			continue
		}
		places := text.Occurrences(e.Quote, s.Statement)
		d := k.page(e)
		if d == nil || len(places) == 0 || !standsIn(d, e) {
			return nil
		}
		span, _ := e.Span()
		at := text.Range{Start: span.ByteStart + places[0].Start, End: span.ByteStart + places[0].End}
		missing := k.around(d, e, s, at, before, strings.Join(shown, "\n"))
		if len(missing) == 0 {
			return nil
		}
		out = append(out, missing...)
	}
	return slices.Compact(out)
}

func (k *check) around(d *wstk.Document, e wstk.Evidence, s wstk.Statement, at text.Range, stated, shown string) (out []string) {
	block := d.BlockAt(at.Start)
	if block < 0 {
		return nil
	}
	if w := bareWords(text.FoldCompare(s.Statement)); len(w) > 0 && pronouns[w[0]] {
		if _, before, _ := beside(d, at); !tells(stated, before) {
			out = append(out, "“"+w[0]+"” may be said of what stands before it on its page, and not in this answer: "+text.Shorten(before, 80))
		}
	}
	const claim = 3 // words that claim something, and do not only name it
	if d.Blocks[block].Kind == wstk.BlockHeading && s.Field == "" && len(bareWords(s.Statement)) >= claim {
		out = append(out, "it is a heading: whether what stands under it says so too no code can tell")
	}
	for _, label := range labelsAt(d, block, at) {
		if !tells(shown, label) && !harmless[labelWords(label)] {
			out = append(out, notShown(label))
		}
	}
	if r, ok := around(d, e); ok && isContact(s.Statement) && !k.pages.whole(e, s, k.Title) && !afterLabel(d.Text[r.Start:r.End], s.Statement) {
		out = append(out, "it is cut from a sentence that may say more of it: "+text.Shorten(d.Text[r.Start:r.End], 80))
	}
	return out
}

func notShown(label string) string {
	return "its page says it of “" + text.Shorten(label, 80) + "”, which this answer does not show"
}

// tells reports whether what an answer shows holds the words of a label that say something,
// and those that turn or limit them.
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
	w := bareWords(text.FoldCompare(label))
	return ok && strings.TrimSpace(rest) == address && len(w) <= 2 && !slices.ContainsFunc(w, turns)
}

// labelsAt are the lines and cells by which a page says what words of it are about: the
// name and the unit of their row, their column, their term, the line or the question that
// leads to them.
func labelsAt(d *wstk.Document, block int, at text.Range) []string {
	b := d.Blocks[block]
	words := d.BlockText(block)
	if cells := strings.Split(words, "\t"); len(cells) > 1 && at.End <= b.ByteEnd {
		return cellLabels(d, block, cells, strings.Count(d.Text[b.ByteStart:at.Start], "\t"), strings.Count(d.Text[at.Start:at.End], "\t"))
	}
	if b.Kind == wstk.BlockDefinition {
		i := block - 1
		for i >= 0 && d.Blocks[i].Kind == wstk.BlockDefinition {
			i--
		}
		if i >= 0 && d.Blocks[i].Kind == wstk.BlockTerm {
			return []string{d.BlockText(i)}
		}
	}
	if line := leadOf(d, block); line != "" {
		return []string{line}
	}
	if question := questionBefore(d.Text[b.ByteStart:at.Start]); question != "" {
		return []string{question}
	}
	return nil
}

// questionBefore is the question at the end of words, but for a mark behind it ("A:"); ""
// where they end otherwise.
func questionBefore(words string) string {
	const mark = 8 // bytes
	end := strings.LastIndexAny(words, "?？؟") + 1
	if end == 0 || strings.TrimSpace(words[end:]) != "" && len(strings.TrimSpace(words[end:])) > mark {
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

// cellLabels are what a row and its table say of some cells of it: nothing of the whole row.
func cellLabels(d *wstk.Document, block int, cells []string, from, more int) (out []string) {
	if more+1 == len(cells) {
		return nil
	}
	if from > 0 {
		out = append(out, cells[0])
	}
	if h := headerOf(d, block); h >= 0 {
		if names := strings.Split(d.BlockText(h), "\t"); from < len(names) {
			out = append(out, names[from])
		}
	}
	for i, c := range cells {
		if i > from+more && isMeasure(strings.TrimSpace(c)) && strings.ContainsAny(cells[from], "0123456789") {
			out = append(out, c) // Sales, 12, million EUR
		}
	}
	return out
}

// leadOf is the line that leads to a block or to its list: one that ends with a colon or a
// question mark, or the heading right above a list or a row; "" without one.
func leadOf(d *wstk.Document, block int) string {
	kind := d.Blocks[block].Kind
	i := block - 1
	for i >= 0 && d.Blocks[i].Kind == kind && kind != wstk.BlockParagraph && !leads(d.BlockText(i)) {
		i--
	}
	if i < 0 || d.Blocks[i].Section != d.Blocks[block].Section || d.Blocks[i].Kind == wstk.BlockTerm {
		return ""
	}
	words := d.BlockText(i)
	last, _ := utf8.DecodeLastRuneInString(strings.TrimSpace(words))
	isItem := kind == wstk.BlockListItem || kind == wstk.BlockQuote || kind == wstk.BlockCode
	if leads(words) || strings.ContainsRune("?？؟", last) || isItem && d.Blocks[i].Kind == wstk.BlockHeading {
		return words
	}
	return ""
}

// rowsApart names statements that take the columns of one table for their fields and stand
// in different rows: what one row says of a thing, another says of another.
func (k *check) rowsApart() {
	type table struct {
		d *wstk.Document
		n int
	}
	row, first := map[table]int{}, map[table]string{}
	for _, s := range k.Statements {
		quotes, _ := k.cited(s.Evidence)
		for _, e := range ownQuotes(s.Statement, quotes) {
			d, i := k.page(e), k.block(e)
			h := headerOf(d, i)
			if h < 0 || s.Field == "" || !slices.ContainsFunc(strings.Split(d.BlockText(h), "\t"), func(name string) bool { return foldField(name) == foldField(s.Field) }) {
				continue
			}
			t := table{d, d.Blocks[i].Table}
			switch at, ok := row[t]; {
			case !ok:
				row[t], first[t] = i, s.Field+": "+s.Statement
			case at != i:
				k.open("context", s.Field+": "+s.Statement, "it stands in another row than “"+text.Shorten(first[t], 60)+"”: that both are said of one thing no code can tell")
			}
		}
	}
}

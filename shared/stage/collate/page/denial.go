package page

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"wstk/shared/stage/collate/wording"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// TakenBack reports whether the sentence in which a quote stands, or the one beside it,
// denies or leaves open the given words of it: "it is not true that …", "if …", "… is a
// myth", "…? No.", "… That is false."; or whether its page disowns them. Of a quote whose
// Document was not given it can only look at the quote.
func (p *Set) TakenBack(e wstk.Evidence, statement string) bool {
	if p.takenBackIn(e, statement) {
		return true
	}
	for _, place := range p.narrowed(e, statement) {
		if p.takenBackIn(place, statement) {
			return true
		}
	}
	return false
}

// narrowed are the places of a claim in a quote that holds more than its block, or other
// cells: what stands beside the claim is then not what stands beside the quote.
func (p *Set) narrowed(e wstk.Evidence, statement string) (out []wstk.Evidence) {
	const claim = 3 // words; a shorter cell is a value, and "no" beside it is another one
	d := p.Of(e)
	if d == nil || !StandsIn(d, e) || !strings.ContainsAny(e.Quote, "\t\n") ||
		len(wording.Bare(statement)) < claim {
		return nil
	}
	span, _ := e.Span()
	for _, at := range text.Occurrences(e.Quote, statement) {
		if at.Start == 0 && at.End == len(e.Quote) {
			continue
		}
		place, start, end := e, span.ByteStart+at.Start, span.ByteStart+at.End
		place.Quote, place.ByteStart, place.ByteEnd = e.Quote[at.Start:at.End], &start, &end
		out = append(out, place)
	}
	return out
}

func (p *Set) takenBackIn(e wstk.Evidence, statement string) bool {
	stated := text.FoldCompare(statement)
	if stated == "" || p.disowned(e) {
		return true
	}
	sentence, row, before, after, lang := e.Quote, "", "", "", ""
	if d := p.Of(e); d != nil {
		if r, ok := around(d, e); ok {
			sentence, lang = d.Text[r.Start:r.End], d.Meta.Language
			row, before, after = beside(d, r)
		}
	}
	if deniedCell(row, sentence) {
		return true
	}
	var parts []string // sentences, and cells of a row
	for _, cell := range strings.Split(sentence, "\t") {
		for _, r := range text.Sentences(cell, lang) {
			parts = append(parts, cell[r.Start:r.End])
		}
	}
	tabs := strings.Contains(sentence, "\t")
	found := false
	for i, part := range parts {
		whole := text.FoldCompare(part)
		if !strings.Contains(whole, stated) {
			continue
		}
		found = true
		previous, next := before, after
		switch {
		case tabs:
			previous, next = "", "" // other cells are quoted with it
		default:
			if i > 0 {
				previous = parts[i-1]
			}
			if i+1 < len(parts) {
				next = parts[i+1]
			}
		}
		if deniedBeside(previous, next) || deniedWithin(whole, stated) {
			return true
		}
	}
	if found {
		return false
	}
	whole := text.FoldCompare(sentence)
	return !strings.Contains(whole, stated) || deniedBeside(before, after) ||
		!tabs && deniedWithin(whole, stated)
}

// deniedWithin reports whether a sentence takes back any of the places where the clause
// stands in it. Both are folded.
func deniedWithin(sentence, clause string) bool {
	last, size := utf8.DecodeLastRuneInString(clause)
	if !unicode.IsLetter(last) {
		size = 0
	}
	for at := range text.Places(sentence, clause) {
		end := at + len(clause)
		if asks(sentence[end-size:]) || deniedAround(sentence[:at], sentence[end:]) {
			return true
		}
	}
	return false
}

// asks reports whether words hold a question mark. In Greek it is a semicolon.
func asks(s string) bool {
	if strings.ContainsAny(s, "?？؟՞፧⁇⁈⁉‽﹖⸮\u037e") {
		return true
	}
	for i, r := range s {
		if r != ';' {
			continue
		}
		before, _ := utf8.DecodeLastRuneInString(strings.TrimRight(s[:i], ` "')»”*`))
		if unicode.Is(unicode.Greek, before) {
			return true
		}
	}
	return false
}

// deniedAround reports whether the rest of a sentence takes back its clause between
// before and after. All is folded.
func deniedAround(before, after string) bool {
	if holdsTaker(before) || holdsTaker(after) {
		return true
	}
	// A denial reaches the clause that it stands in.
	lead := strings.TrimRight(before, " ")
	if last, _ := utf8.DecodeLastRuneInString(lead); lead != "" &&
		!strings.ContainsRune(",;:)]，；：、", last) || joinsOn(lead) {
		for _, w := range wording.Bare(before[lastMark(before):]) {
			if deniers[w] || strings.HasSuffix(w, "n't") {
				return true
			}
		}
	}
	const near = 5
	for i, w := range wording.Bare(after[:firstMark(after)]) {
		if i == near {
			break
		}
		if deniers[w] || limiters[w] || strings.HasSuffix(w, "n't") {
			return true
		}
	}
	next, _ := utf8.DecodeRuneInString(after)
	return after != "" && strings.ContainsRune("不没沒無无ないぬず않아", next) && unicode.IsLetter(next)
}

// joinsOn reports whether words end with one that opens a clause: that, dass, que.
func joinsOn(s string) bool {
	w := wording.Bare(s)
	return len(w) > 0 && openers[w[len(w)-1]]
}

// lastMark and firstMark are where the clause at the end, at the beginning of s ends.
func lastMark(s string) int {
	i := strings.LastIndexAny(strings.TrimRight(s, " "), ",;:()，；：")
	return i + 1
}

func firstMark(s string) int {
	if i := strings.IndexAny(s, ",;:()，；：—"); i >= 0 {
		return i
	}
	return len(s)
}

// holdsTaker reports whether folded words deny or doubt.
func holdsTaker(s string) bool {
	if takers.In(wording.Bare(s)) {
		return true
	}
	for _, t := range wideTakers {
		if strings.Contains(s, t) {
			return true
		}
	}
	return false
}

// deniedBeside reports whether the sentence before announces something false, or the one
// after says that it was.
func deniedBeside(before, after string) bool {
	before, after = text.FoldCompare(before), text.FoldCompare(after)
	leads := strings.HasSuffix(before, ":") || strings.HasSuffix(before, "：") || hangs(before, "")
	if w := wording.Bare(before); len(w) > 0 && leads &&
		(holdsTaker(before) || verdicts[strings.Join(w, " ")]) {
		return true
	}
	if announcesFalse(before) || retorts(after) {
		return true
	}
	w := wording.Bare(after)
	if len(w) == 0 {
		return verdicts[strings.TrimRight(after, "\ufe0f .!")]
	}
	if verdicts[strings.Join(w, "_")] || len(w) <= 3 && verdicts[strings.Join(w, " ")] {
		return true
	}
	if !pointers[w[0]] && !strings.HasPrefix(after, "这") && !strings.HasPrefix(after, "這") &&
		!strings.HasPrefix(after, "これは") && !strings.HasPrefix(after, "それは") &&
		!strings.HasPrefix(after, "이는") {
		return false
	}
	const reach = 9 // words: what comes later speaks of something else
	var head []string
	for _, word := range w[1:min(len(w), reach)] {
		if openers[word] || word == "to" && w[0] == "it" {
			return false // "it is false that …", "it is wrong to …" begin another matter
		}
		if !conditions[word] {
			head = append(head, word)
		}
	}
	said := strings.Join(head, " ")
	if strings.Contains(said, "no longer") {
		return strings.Contains(said, "no longer the case") ||
			strings.Contains(said, "no longer true") || strings.Contains(said, "no longer valid") ||
			strings.Contains(said, "no longer so")
	}
	return holdsTaker(said) || !pointers[w[0]] && holdsTaker(after)
}

// deniedCell reports whether a row holds the sentence as a cell and a verdict beside it.
func deniedCell(row, sentence string) bool {
	if !strings.Contains(row, "\t") || strings.Contains(sentence, "\t") {
		return false
	}
	const claim = 3 // words that claim something, and do not only name it
	said := text.FoldCompare(sentence)
	for _, cell := range strings.Split(row, "\t") {
		c := strings.Trim(text.FoldCompare(cell), " .!:*")
		if c != "" && verdicts[strings.ReplaceAll(c, " ", "_")] {
			return true
		}
		if c != said && len(wording.Bare(said)) >= claim &&
			(c == "f" || rulesOut(wording.Bare(c))) {
			return true
		}
	}
	return false
}

// beside returns the row that a range of sentences stands in, where it is one, and the
// sentences before and after it: of its block, else of the blocks next to it.
func beside(d *wstk.Document, r text.Range) (row, before, after string) {
	const reach = 600 // bytes
	lang := d.Meta.Language
	i := d.BlockAt(r.Start)
	if i < 0 {
		return "", "", ""
	}
	b := d.Blocks[i]
	if block := d.BlockText(i); strings.Contains(block, "\t") {
		return block, "", ""
	}
	head := d.Text[max(b.ByteStart, r.Start-reach):r.Start]
	if strings.TrimSpace(head) == "" && i > 0 {
		head = d.BlockText(i - 1)
	}
	if rs := text.Sentences(head, lang); len(rs) > 0 {
		before = head[rs[len(rs)-1].Start:rs[len(rs)-1].End]
	}
	j := d.BlockAt(r.End - 1)
	if j < 0 {
		return "", before, ""
	}
	tail := d.Text[r.End:min(d.Blocks[j].ByteEnd, r.End+reach)]
	if strings.TrimLeft(tail, " .。।\u00a0\n") == "" && j+1 < len(d.Blocks) &&
		d.Blocks[j+1].Kind != wstk.BlockHeading {
		tail = d.BlockText(j + 1)
	}
	if rs := text.Sentences(tail, lang); len(rs) > 0 {
		after = tail[rs[0].Start:rs[0].End]
	}
	return "", before, after
}

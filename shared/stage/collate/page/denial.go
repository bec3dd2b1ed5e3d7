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

// TakenBack reports whether the sentence of a quote, or the one beside it, denies or leaves
// open the given words of it: "it is not true that …", "if …", "… is a myth", "…? No.", "…
// That is false."; or whether its page says that they are not so. If the Document was not
// given, only the quote is looked at.
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

// narrowed are the places of a claim in a quote that goes beyond its block or its cell: the
// words beside the claim are then not those beside the quote.
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
	said, found := sentencesSaying(sentence, stated, lang, before, after)
	if found {
		return slices.ContainsFunc(said, func(s saidBetween) bool {
			return deniedBeside(s.before, s.after) || deniedWithin(s.folded, stated)
		})
	}
	whole := text.FoldCompare(sentence)
	return !strings.Contains(whole, stated) || deniedBeside(before, after) ||
		!strings.Contains(sentence, "\t") && deniedWithin(whole, stated)
}

// saidBetween is a folded sentence with the sentences before and after it.
type saidBetween struct{ folded, before, after string }

// sentencesSaying returns the sentences of some words, or of the cells of a row, that hold
// the folded words stated, each with its neighbours. before and after are those of the
// whole. A cell has no neighbours: they are quoted with it.
func sentencesSaying(
	words, stated, lang, before, after string,
) (out []saidBetween, found bool) {
	all := []string{before}
	for _, cell := range strings.Split(words, "\t") {
		for _, r := range text.Sentences(cell, lang) {
			all = append(all, cell[r.Start:r.End])
		}
	}
	all = append(all, after)
	cells := strings.Contains(words, "\t")
	for i := 1; i < len(all)-1; i++ {
		n := saidBetween{text.FoldCompare(all[i]), all[i-1], all[i+1]}
		if cells {
			n.before, n.after = "", ""
		}
		if strings.Contains(n.folded, stated) {
			out = append(out, n)
		}
	}
	return out, len(out) > 0
}

// deniedWithin reports whether a sentence takes back the clause at any of its places. Both
// are folded.
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
	if holdsTaker(before) || holdsTaker(after) || deniedFromBefore(before) {
		return true
	}
	const near = 5 // words
	w := wording.Bare(after[:firstMark(after)])
	if slices.ContainsFunc(w[:min(len(w), near)], func(w string) bool {
		return denies(w) || limiters[w]
	}) {
		return true
	}
	next, _ := utf8.DecodeRuneInString(after)
	return after != "" && strings.ContainsRune("不没沒無无ないぬず않아", next) && unicode.IsLetter(next)
}

// deniedFromBefore reports whether the words before a clause deny it. A denial reaches only
// the clause that it is in.
func deniedFromBefore(before string) bool {
	lead := strings.TrimRight(before, " ")
	last, _ := utf8.DecodeLastRuneInString(lead)
	if lead == "" || strings.ContainsRune(",;:)]，；：、", last) && !joinsOn(lead) {
		return false
	}
	return slices.ContainsFunc(wording.Bare(before[lastMark(before):]), denies)
}

// denies reports whether a word denies what it is with: not, never, don't.
func denies(word string) bool { return deniers[word] || strings.HasSuffix(word, "n't") }

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
func holdsTaker(s string) bool { return takers.In(wording.Bare(s)) || holdsAny(s, wideTakers) }

// holdsAny reports whether s holds one of some phrases.
func holdsAny(s string, phrases []string) bool {
	return slices.ContainsFunc(phrases, func(p string) bool { return strings.Contains(s, p) })
}

// deniedBeside reports whether the sentence before announces something false, or the one
// after says that it was.
func deniedBeside(before, after string) bool {
	before, after = text.FoldCompare(before), text.FoldCompare(after)
	return leadsToDenied(before) || announcesFalse(before) || retorts(after) || deniesBack(after)
}

// leadsToDenied reports whether words lead to the next sentence and deny it: "Myth:".
func leadsToDenied(before string) bool {
	w := wording.Bare(before)
	leads := strings.HasSuffix(before, ":") || strings.HasSuffix(before, "：") || hangs(before, "")
	return len(w) > 0 && leads && (holdsTaker(before) || verdicts[strings.Join(w, " ")])
}

// deniesBack reports whether a sentence is a verdict on the one before ("False.") or points
// back to it and denies it ("That is a myth.").
func deniesBack(after string) bool {
	w := wording.Bare(after)
	if len(w) == 0 {
		return verdicts[strings.TrimRight(after, "\ufe0f .!")]
	}
	if verdicts[strings.Join(w, "_")] || len(w) <= 3 && verdicts[strings.Join(w, " ")] {
		return true
	}
	spaced := pointers[w[0]]
	if !spaced && !slices.ContainsFunc(widePointers,
		func(p string) bool { return strings.HasPrefix(after, p) }) {
		return false
	}
	said, ok := saidBack(w)
	switch {
	case !ok:
		return false
	case strings.Contains(said, "no longer"):
		return holdsAny(said, noLongerSo)
	}
	return holdsTaker(said) || !spaced && holdsTaker(after)
}

// saidBack returns what a sentence says about the one before, which its first word points
// to. ok is false if it turns to another matter: "it is false that …", "it is wrong to …".
func saidBack(w []string) (said string, ok bool) {
	const reach = 9 // words: what comes later is about something else
	var head []string
	for _, word := range w[1:min(len(w), reach)] {
		if openers[word] || word == "to" && w[0] == "it" {
			return "", false
		}
		if !conditions[word] {
			head = append(head, word)
		}
	}
	return strings.Join(head, " "), true
}

var (
	// widePointers point back in languages without spaces between words.
	widePointers = []string{"这", "這", "これは", "それは", "이는"}

	// noLongerSo are the ways in which "no longer" takes back a whole sentence.
	noLongerSo = []string{
		"no longer the case", "no longer true", "no longer valid", "no longer so",
	}
)

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

// beside returns the row that holds a range of sentences, if it is in one, and the sentences
// before and after it: of its block, else of the blocks next to it.
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

package collate

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// entire reports whether a statement is whole sentences, an item, a cell or a whole row of
// what a quote stands in, and of one block of it. A part of a sentence is none, whatever the rest says: the rest may govern it
// (the firm hopes that …), narrow it (only in mice …) or take it back, in words that no
// table knows. What may be left out is harmless:
//
//   - the stop at the end, and marks of references and of permanent links behind it,
//   - the mark of a list item,
//   - brackets or marks of emphasis around all of it,
//   - a label that the statement shows beside its words (shown: its field, the title), or
//     one of those that only call for attention (Note:),
//   - a word that joins it to the sentence before (However, …).
//
// Addresses, telephone numbers and the like name one thing in whatever sentence they
// stand, so they may stand alone.
func (p *pages) entire(e wstk.Evidence, s wstk.Statement, title string) bool {
	return isContact(s.Statement) || p.whole(e, s, title)
}

// whole is entire for what is no address.
func (p *pages) whole(e wstk.Evidence, s wstk.Statement, title string) bool {
	shown := []string{labelWords(s.Field), labelWords(title)}
	tabs := strings.Count(s.Statement, "\t")
	return slices.ContainsFunc(p.partsAround(e), func(of part) bool {
		return strings.Count(of.words, "\t") == tabs && of.holds(text.FoldCompare(s.Statement), shown)
	})
}

// part is what a statement may be of: sentences of one block, a cell, or a whole row.
type part struct {
	words, lang string
	one         bool // it is taken as one sentence
	last        bool // its block ends with it
}

// partsAround are the parts of its Document in which a quote stands.
func (p *pages) partsAround(e wstk.Evidence) []part {
	d := p.of(e)
	if d == nil {
		words := e.Quote
		if e.Sentence != "" {
			words = e.Sentence
		}
		return partsOf(words, "", false)
	}
	r, ok := around(d, e)
	if !ok {
		return partsOf(e.Quote, "", false)
	}
	r = unbroken(d, r)
	var out []part
	for at := r.Start; at < r.End; {
		i := d.BlockAt(at)
		if i < 0 || d.Blocks[i].ByteEnd <= at { // between blocks, or in a text without them
			next := r.End
			for _, b := range d.Blocks {
				if b.ByteStart > at && b.ByteStart < next {
					next = b.ByteStart
				}
			}
			out = append(out, partsOf(d.Text[at:next], d.Meta.Language, false)...)
			at = next
			continue
		}
		b := d.Blocks[i]
		end := min(r.End, b.ByteEnd)
		if b.Kind != wstk.BlockCode && strings.Contains(d.Text[at:end], "\t") {
			out = append(out, cellsAround(d, b, text.Range{Start: at, End: end})...)
		} else {
			out = append(out, part{words: d.Text[at:end], lang: d.Meta.Language, last: end == b.ByteEnd})
		}
		at = end
	}
	return out
}

// cellsAround are the cells of a block that a range is of, and the row where it is all of it.
func cellsAround(d *wstk.Document, row wstk.Block, r text.Range) []part {
	from := row.ByteStart + strings.LastIndexByte(d.Text[row.ByteStart:r.Start], '\t') + 1
	to := row.ByteEnd
	if i := strings.IndexByte(d.Text[r.End:row.ByteEnd], '\t'); i >= 0 {
		to = r.End + i
	}
	all := partsOf(d.Text[from:to], d.Meta.Language, to == row.ByteEnd)
	if len(all) > 1 && (from > row.ByteStart || to < row.ByteEnd) {
		all = all[1:] // some cells, not all
	}
	return all
}

// partsOf are the cells of a text, and all of it; without cells it is sentences.
func partsOf(words, lang string, last bool) []part {
	cells := strings.Split(words, "\t")
	if len(cells) == 1 {
		return []part{{words: words, lang: lang, last: last}}
	}
	out := []part{{words: words, lang: lang, one: true, last: last}}
	for i, c := range cells {
		out = append(out, part{words: c, lang: lang, last: last && i == len(cells)-1})
	}
	return out
}

// holds reports whether folded words are whole sentences of a part.
func (of part) holds(words string, shown []string) bool {
	sentences := []string{of.words}
	if !of.one {
		sentences = nil
		for _, r := range sentencesIn(of.words, of.lang) {
			sentences = append(sentences, of.words[r.Start:r.End])
		}
	}
	whole := text.FoldCompare(of.words)
	bounds := boundsOf(whole, sentences, shown, of.last)
	for at := range text.Places(whole, words) {
		if bounds.begin[at]&bounds.end[at+len(words)] != 0 {
			return true
		}
	}
	return false
}

// isContact reports whether words are nothing but an address of a person or a page, or a
// telephone number.
func isContact(words string) bool {
	for _, v := range text.Values(words, "") {
		t := wstk.ValueType(v.Type)
		if v.Text == words && (t == wstk.ValueEmail || t == wstk.ValuePhone || t == wstk.ValueURL) {
			return true
		}
	}
	return false
}

// sentencesIn are the sentences of a text; lines that go on in the next one are one.
func sentencesIn(s, lang string) []text.Range {
	var out []text.Range
	for i, r := range text.Sentences(s, lang) {
		if i > 0 && goesOn(s[:r.Start], s[r.Start:]) {
			out[len(out)-1].End = r.End
			continue
		}
		out = append(out, r)
	}
	return out
}

// unbroken widens a range of sentences by the lines of its block that go on into it, and
// that it goes on into. Code is left as it is.
func unbroken(d *wstk.Document, r text.Range) text.Range {
	const most = 8 // lines
	i := d.BlockAt(r.Start)
	if i < 0 || d.Blocks[i].Kind == wstk.BlockCode || r.End > d.Blocks[i].ByteEnd {
		return r
	}
	b, lang := d.Blocks[i], d.Meta.Language
	for n := 0; n < most && goesOn(d.Text[b.ByteStart:r.Start], d.Text[r.Start:r.End]); n++ {
		from := max(b.ByteStart, r.Start-lineReach)
		for !utf8.RuneStart(d.Text[from]) {
			from++
		}
		rs := text.Sentences(d.Text[from:r.Start], lang)
		if len(rs) == 0 {
			break
		}
		r.Start = from + rs[len(rs)-1].Start
	}
	for n := 0; n < most && goesOn(d.Text[r.Start:r.End], strings.TrimLeft(d.Text[r.End:b.ByteEnd], " \n")); n++ {
		rs := text.Sentences(text.Prefix(d.Text[r.End:b.ByteEnd], lineReach), lang)
		if len(rs) == 0 {
			break
		}
		r.End += rs[0].End
	}
	return r
}

// lineReach is how far around a line its next one is looked for, in bytes.
const lineReach = 1000

// goesOn reports whether a line that a break ended goes on in the next one: it ends with a
// word that no sentence ends with (that, the), or with any word, a comma or a dash, and
// the next begins with a small letter or a bracket.
func goesOn(before, after string) bool {
	before = strings.TrimRight(before, " \n")
	last, _ := utf8.DecodeLastRuneInString(before)
	next, _ := utf8.DecodeRuneInString(after)
	switch {
	case next == utf8.RuneError:
		return false
	case unicode.IsLower(next), next == '(':
		return unicode.IsLetter(last) || strings.ContainsRune(",;–—", last)
	}
	return hangs(before)
}

// hangs reports whether words end with one that no sentence ends with.
func hangs(s string) bool {
	s = strings.TrimRight(s, " \n")
	word := text.FoldCompare(s[strings.LastIndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' })+1:])
	return openers[word] || hanging[word]
}

// edges are the places of a folded text where whole sentences may begin and end, each with
// the pairs of marks that it stands within.
type edges struct{ begin, end map[int]pairs }

// pairs are the marks around a sentence that a statement leaves out: both or none.
type pairs uint8

const (
	bare     pairs = 1 << iota
	brackets       // (…)
	strong         // **…**
)

// boundsOf finds the sentences in their folded text; last tells that a block ends with
// them: an item of a list may end with a comma.
func boundsOf(whole string, sentences, shown []string, last bool) edges {
	out := edges{map[int]pairs{}, map[int]pairs{}}
	at := 0
	for k, s := range sentences {
		s = text.FoldCompare(s)
		stops := sentenceStops
		if last && k == len(sentences)-1 {
			stops += itemStops
		}
		i := strings.Index(whole[at:], s)
		if s == "" || i < 0 {
			continue
		}
		at += i
		for _, n := range beginnings(s, shown) {
			out.begin[at+n] |= bare
			for kind, marks := range pairMarks {
				if strings.HasPrefix(s[n:], marks[0]) {
					out.begin[at+n+len(marks[0])] |= kind
				}
			}
		}
		for _, n := range endings(s, stops) {
			out.end[at+n] |= bare
			for kind, marks := range pairMarks {
				if strings.HasSuffix(s[:n], marks[1]) {
					for _, m := range endings(s[:n-len(marks[1])], stops) {
						out.end[at+m] |= kind
					}
				}
			}
		}
		at += len(s)
	}
	return out
}

var pairMarks = map[pairs][2]string{brackets: {"(", ")"}, strong: {"**", "**"}}

// listMark is what may open a list item. A dash before a number may be its sign.
var listMark = regexp.MustCompile(`^(?:([•‣◦▪·●○■□►▶→¶¡] ?|` + // • item
	`\(?(?:\pN{1,3}|\pL|[ivx]{1,4})\) )|` + // 1) item, (a) item; 2. may be an ordinal
	`([-–—*+] )[^\pN])`) // - item

// beginnings are the bytes of a folded sentence at which it may begin: its first, and those
// behind what opens it without saying anything.
func beginnings(s string, shown []string) []int {
	out := []int{0}
	for n, more := 0, 1; more > 0; {
		more = 0
		if mark := listMark.FindStringSubmatch(s); mark != nil && n == 0 {
			more = len(mark[1] + mark[2])
		} else if i := strings.IndexAny(s[n:], ":：,，、"); i > 0 {
			_, size := utf8.DecodeRuneInString(s[n+i:])
			if opens(s[n:n+i], s[n+i:n+i+size], shown) {
				more = i + size
			}
		}
		if more > 0 {
			n += more
			n += len(s[n:]) - len(strings.TrimLeft(s[n:], " "))
			out = append(out, n)
		}
	}
	return out
}

// opens reports whether words before a mark may be left out with it.
func opens(before, mark string, shown []string) bool {
	if mark != ":" && mark != "：" {
		return joiners[before]
	}
	label := labelWords(before)
	if harmless[label] {
		return true
	}
	for _, s := range shown {
		if s != "" && s == label {
			return true
		}
	}
	return false
}

// labelWords are the words of a label, to compare.
func labelWords(s string) string {
	return strings.TrimSpace(strings.Join(bareWords(strings.ReplaceAll(text.FoldCompare(s), "_", " ")), " ") + " " + signsOf(s, ""))
}

// reference is a mark behind a stop that leads elsewhere: [12], ¹.
var reference = regexp.MustCompile(`(?: ?\[[0-9a-z]{1,3}\]|[¹²³⁰⁴-⁹]{1,3}| [¶§#])+$`)

// endings are the bytes of a folded sentence at which it may end: its last, and those
// before stops, which are given, and references. What leads on, asks or breaks off (: ? …) is
// no stop.
func endings(s, stops string) []int {
	const most = 8 // stops and references
	out := []int{len(s)}
	for len(out) <= most {
		n := len(s)
		tail := s[max(0, n-endReach):]
		if loc := reference.FindStringIndex(tail); loc != nil && endsWith(s[:n-len(tail)+loc[0]], stops) {
			n -= len(tail) - loc[0]
		} else if endsWith(s, stops) && !strings.HasSuffix(s, "..") {
			_, size := utf8.DecodeLastRuneInString(s)
			n -= size
		}
		n = len(strings.TrimRight(s[:n], " "))
		if n == len(s) || n == 0 {
			return out
		}
		s = s[:n]
		out = append(out, n)
	}
	return out
}

// endReach is how long the references at an end may be, in bytes.
const endReach = 64

// What ends a sentence, and an item of a list.
const (
	sentenceStops = ".!。！।۔．"
	itemStops     = ";；,，、"
)

func endsWith(s, stops string) bool {
	last, _ := utf8.DecodeLastRuneInString(s)
	return s != "" && strings.ContainsRune(stops, last)
}

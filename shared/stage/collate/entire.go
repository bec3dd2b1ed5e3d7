package collate

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// entire reports whether a statement is whole sentences, cells or items of what a quote
// stands in. A part of a sentence is none, whatever the rest says: the rest may govern it
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
	if isContact(s.Statement) {
		return true
	}
	words := text.FoldCompare(s.Statement)
	sentence, lang, last := e.Quote, "", false
	if d := p.of(e); d != nil {
		if r, ok := around(d, e); ok {
			r = unbroken(d, r)
			sentence, lang = d.Text[r.Start:r.End], d.Meta.Language
			i := d.BlockAt(r.End - 1)
			last = i >= 0 && d.Blocks[i].ByteEnd == r.End
		}
	} else if e.Sentence != "" {
		sentence = e.Sentence
	}
	shown := []string{labelWords(s.Field), labelWords(title)}
	whole := text.FoldCompare(sentence)
	bounds := boundsOf(whole, sentencesIn(sentence, lang), shown, last)
	for at := 0; words != ""; {
		i := strings.Index(whole[at:], words)
		if i < 0 {
			return false
		}
		start, end := at+i, at+i+len(words)
		if bounds.begin[start]&bounds.end[end] != 0 {
			return true
		}
		_, size := utf8.DecodeRuneInString(whole[start:])
		at = start + size
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

// sentencesIn returns the sentences of a text; a tab ends one, too.
func sentencesIn(s, lang string) []string {
	var out []string
	for _, cell := range strings.Split(s, "\t") {
		last := 0
		for i, r := range text.Sentences(cell, lang) {
			if i > 0 && goesOn(cell[:r.Start], cell[r.Start:]) {
				out[len(out)-1] = cell[last:r.End]
				continue
			}
			last = r.Start
			out = append(out, cell[r.Start:r.End])
		}
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
// word, a comma or a dash, and the next begins with a small letter or a bracket.
func goesOn(before, after string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(before, " \n"))
	next, _ := utf8.DecodeRuneInString(after)
	return (unicode.IsLower(next) || next == '(') && (unicode.IsLetter(last) || strings.ContainsRune(",;–—", last))
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
	return strings.Join(bareWords(strings.ReplaceAll(text.FoldCompare(s), "_", " ")), " ")
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

package page

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"wstk/shared/stage/collate/wording"
	"wstk/shared/text"
	"wstk/shared/value"
	"wstk/shared/wstk"
)

// Entire reports whether a statement is whole sentences, an item, a cell or a whole row of
// one block in which a quote is. A part of a sentence is not entire, whatever the rest says:
// the rest may govern it (the firm hopes that …), narrow it (only in mice …) or take it back,
// in words that no table knows. Only what is harmless may be left out:
//
//   - the stop at the end, and marks of references and of permanent links behind it,
//   - the mark of a list item,
//   - brackets or marks of emphasis around all of it,
//   - a label that the statement shows beside its words (shown: its field, the title), or
//     one of those that only call for attention (Note:),
//   - a word that joins it to the sentence before (However, …).
//
// A sentence that its page shows with words that are no text, in a picture or a form field
// (FlagIncomplete), is not entire: what it says there is not known.
//
// Addresses, telephone numbers and the like name one thing in any sentence, so they may be
// alone.
func (p *Set) Entire(e wstk.Evidence, s wstk.Statement, title string) bool {
	return isContact(s.Statement) || p.whole(e, s, title)
}

// whole is Entire for words that are not an address.
func (p *Set) whole(e wstk.Evidence, s wstk.Statement, title string) bool {
	shown := []string{labelWords(s.Field), labelWords(title)}
	tabs := strings.Count(s.Statement, "\t")
	return !p.incomplete(e, s.Statement) &&
		slices.ContainsFunc(p.partsAround(e), func(of part) bool {
			return strings.Count(of.words, "\t") == tabs &&
				of.holds(text.FoldCompare(s.Statement), shown)
		})
}

// incomplete reports whether the page shows more than the words of a statement where a quote
// says it.
func (p *Set) incomplete(e wstk.Evidence, statement string) bool {
	flags := e.Flags
	if d := p.Of(e); d != nil {
		if r, ok := around(d, e); ok {
			flags = nil
			places := text.Occurrences(d.Text[r.Start:r.End], statement)
			for _, at := range places {
				flags = append(flags, d.FlagsIn(r.Start+at.Start, r.Start+at.End)...)
			}
			if len(places) == 0 {
				flags = d.FlagsIn(r.Start, r.End)
			}
		}
	}
	return slices.Contains(flags, wstk.FlagIncomplete)
}

// part is what a statement may be of: sentences of one block, a cell, or a whole row.
type part struct {
	words, lang string
	kind        wstk.BlockKind
	one         bool // it is taken as one sentence
	whole       bool // it is all of its block, or of its cell
	item        bool // it ends an item of a list, or a cell: a comma may end it
	from, on    bool // its first sentence begins before it, its last goes on behind it
}

// partsAround are the parts of its Document that hold a quote.
func (p *Set) partsAround(e wstk.Evidence) []part {
	d := p.Of(e)
	if d == nil {
		words := e.Quote
		if e.Sentence != "" {
			words = e.Sentence
		}
		return partsOf(words)
	}
	r, ok := around(d, e)
	if !ok {
		return partsOf(e.Quote)
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
			out = append(out, partsOf(d.Text[at:next])...)
			at = next
			continue
		}
		b := d.Blocks[i]
		end := min(r.End, b.ByteEnd)
		if b.Kind == wstk.BlockTableRow ||
			b.Kind != wstk.BlockCode && strings.Contains(d.Text[at:end], "\t") {
			out = append(out, cellsAround(d, i, text.Range{Start: at, End: end})...)
		} else {
			out = append(out, partOf(d, i, at, end))
		}
		at = end
	}
	return out
}

// partOf is the part of a block between two bytes of the text.
func partOf(d *wstk.Document, i, from, to int) part {
	b := d.Blocks[i]
	first := strings.TrimSpace(d.Text[b.ByteStart:from]) == ""
	last := strings.TrimSpace(d.Text[to:b.ByteEnd]) == ""
	out := part{words: d.Text[from:to], lang: d.Meta.Language, kind: b.Kind, whole: first && last}
	out.from = first && comesFrom(d, i)
	if last {
		out.item, out.on = !runs(b.Kind) || listMark.MatchString(d.BlockText(i)), leadsOn(d, i)
	} else {
		line := strings.TrimLeft(d.Text[to:b.ByteEnd], " ")
		out.on = strings.HasPrefix(line, "\n") &&
			opensLine(b.Kind, lastLine(out.words), headOf(line), out.lang)
	}
	return out
}

// cellsAround are the cells of a block that a range touches, and the row if it is all of it.
func cellsAround(d *wstk.Document, i int, r text.Range) []part {
	row := d.Blocks[i]
	from := row.ByteStart + strings.LastIndexByte(d.Text[row.ByteStart:r.Start], '\t') + 1
	to := row.ByteEnd
	if n := strings.IndexByte(d.Text[r.End:row.ByteEnd], '\t'); n >= 0 {
		to = r.End + n
	}
	column := strings.Count(d.Text[row.ByteStart:from], "\t")
	var out []part
	all := part{words: d.Text[from:to], lang: d.Meta.Language, kind: row.Kind,
		one: true, item: true}
	for n, words := range strings.Split(all.words, "\t") {
		c := column + n
		down, up := cellGoesDown(d, i, c), cellGoesDown(d, i-1, c)
		all.on, all.from = all.on || down, all.from || up
		out = append(out, part{words: words, lang: all.lang, kind: row.Kind,
			whole: true, item: true,
			from: up || c > 0 && cellGoesOn(d, i, c-1) && trails(words), on: cellGoesOn(d, i, c)})
	}
	if len(out) > 1 && from == row.ByteStart && to == row.ByteEnd {
		out = append(out, all)
	}
	return out
}

// partsOf are the cells of a text whose page is not known, and all of it; without cells it
// is sentences.
func partsOf(words string) []part {
	cells := strings.Split(words, "\t")
	if len(cells) == 1 {
		return []part{{words: words, whole: true}}
	}
	out := []part{{words: words, one: true}}
	for _, c := range cells {
		out = append(out, part{words: c, whole: true})
	}
	return out
}

// holds reports whether folded words are whole sentences of a part: of one line of it
// where its lines end without stops, or all of it.
func (of part) holds(words string, shown []string) bool {
	whole := text.FoldCompare(of.words)
	bounds := of.bounds(whole, shown)
	kinds := ^pairs(0)
	if isAmount(words) {
		kinds &^= brackets // (1,234) is less than nothing
	}
	for at := range text.Places(whole, words) {
		from, to := bounds.begin[at], bounds.end[at+len(words)]
		if from.pairs&to.pairs&kinds != 0 &&
			(from.line == to.line || of.whole && from.first && to.last) {
			return true
		}
	}
	return false
}

// isAmount reports whether words are nothing but a number, with or without a unit.
func isAmount(words string) bool {
	return slices.ContainsFunc(value.Find(words, ""), func(v value.Value) bool {
		return v.Text == words && wording.Scalar(v.Type)
	})
}

// isContact reports whether words are nothing but an address of a person or a page, or a
// telephone number.
func isContact(words string) bool {
	for _, v := range value.Find(words, "") {
		t := wstk.ValueType(v.Type)
		if v.Text == words && (t == wstk.ValueEmail || t == wstk.ValuePhone || t == wstk.ValueURL) {
			return true
		}
	}
	return false
}

// SentencesIn are the sentences of a text; lines that go on in the next one are one.
func SentencesIn(s, lang string) []text.Range {
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

// unbroken widens a range of sentences by the lines of its blocks that go on into it, and
// that it goes on into. Code is left as it is.
func unbroken(d *wstk.Document, r text.Range) text.Range {
	const most = 8 // lines
	lang := d.Meta.Language
	if i := d.BlockAt(r.Start); i >= 0 && d.Blocks[i].Kind != wstk.BlockCode {
		b := d.Blocks[i]
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
	}
	if i := d.BlockAt(r.End - 1); i >= 0 && d.Blocks[i].Kind != wstk.BlockCode {
		b := d.Blocks[i]
		for n := 0; n < most && goesOn(d.Text[max(r.Start, b.ByteStart):r.End],
			strings.TrimLeft(d.Text[r.End:b.ByteEnd], " \n")); n++ {
			rs := text.Sentences(text.Prefix(d.Text[r.End:b.ByteEnd], lineReach), lang)
			if len(rs) == 0 {
				break
			}
			r.End += rs[0].End
		}
	}
	return r
}

// lineReach is how far around a line its next one is looked for, in bytes.
const lineReach = 1000

// goesOn reports whether a line that a break ended goes on in the next one: it ends with a
// word that no sentence ends with (that, the), or without a stop, and the next begins with
// a small letter or a bracket, or narrows it.
func goesOn(before, after string) bool {
	before, after = strings.TrimSpace(tailOf(before)), headOf(after)
	if before == "" || after == "" {
		return false
	}
	if !finished(before) && !EndsWith(before, colons) &&
		(startsSmall(after) || after[0] == '(' || narrows(after)) {
		return true
	}
	return hangs(before, "")
}

// hangs reports whether words end with one that no sentence of a language ends with; ""
// is any language. What is written with a capital (Vitamin A) is a name.
func hangs(s, lang string) bool {
	s = strings.TrimRight(s, " \n")
	at := strings.LastIndexFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && r != '\''
	}) + 1
	word := text.FoldCompare(s[at:])
	if openers[word] {
		return true
	}
	if first, _ := utf8.DecodeRuneInString(s[at:]); unicode.IsUpper(first) && at > 0 {
		return false
	}
	lang, _, _ = strings.Cut(strings.ToLower(lang), "-")
	for of, words := range hanging {
		if words[word] && (lang == "" || lang == of) {
			return true
		}
	}
	return false
}

// edges are the places of a folded text where whole sentences may begin and end.
type edges struct{ begin, end map[int]edge }

// edge is where a sentence may begin or end.
type edge struct {
	pairs pairs
	// sentences of one line follow each other without a break that ends a sentence by itself
	line        int
	first, last bool // its sentence is the first, the last
}

// pairs are the marks around a sentence that a statement leaves out: both or none.
type pairs uint8

const (
	bare     pairs = 1 << iota
	brackets       // (…)
	strong         // **…**
)

// sentences are those of a part; broken tells of each whether a line ends with it that has
// no stop.
func (of part) sentences() (out []string, broken []bool) {
	if of.one {
		return []string{of.words}, []bool{false}
	}
	rs := SentencesIn(of.words, of.lang)
	for i, r := range rs {
		out = append(out, of.words[r.Start:r.End])
		broken = append(broken, i+1 < len(rs) &&
			strings.Contains(of.words[r.End:rs[i+1].Start], "\n") && !finished(out[i]))
	}
	return out, broken
}

// bounds finds the sentences of a part in its folded words.
func (of part) bounds(whole string, shown []string) edges {
	out := edges{map[int]edge{}, map[int]edge{}}
	sentences, broken := of.sentences()
	at, line := 0, 0
	for k, one := range sentences {
		s := text.FoldCompare(one)
		first, last := k == 0, k == len(sentences)-1
		i := strings.Index(whole[at:], s)
		if s == "" || i < 0 {
			continue
		}
		at += i
		mark := func(m map[int]edge, places map[int]pairs) {
			for n, kind := range places {
				m[at+n] = edge{m[at+n].pairs | kind, line, first, last}
			}
		}
		if !first || !of.from {
			mark(out.begin, opened(s, shown))
		}
		if !(last && of.on || broken[k] && opensLine(of.kind, one, sentences[k+1], of.lang)) {
			stops := SentenceStops
			if last && of.item {
				stops += itemStops
			}
			mark(out.end, closed(s, stops))
		}
		at += len(s)
		if broken[k] {
			line++
		}
	}
	return out
}

// opened are the bytes at which a folded sentence may begin, with the marks of a pair that
// open before each.
func opened(s string, shown []string) map[int]pairs {
	out := map[int]pairs{}
	for _, n := range beginnings(s, shown) {
		out[n] |= bare
		for kind, marks := range pairMarks {
			if strings.HasPrefix(s[n:], marks[0]) {
				out[n+len(marks[0])] |= kind
			}
		}
	}
	return out
}

// closed are the bytes at which a folded sentence may end, with the marks of a pair that
// close behind each.
func closed(s, stops string) map[int]pairs {
	out := map[int]pairs{}
	for _, n := range endings(s, stops) {
		out[n] |= bare
		for kind, marks := range pairMarks {
			if strings.HasSuffix(s[:n], marks[1]) {
				for _, m := range endings(s[:n-len(marks[1])], stops) {
					out[m] |= kind
				}
			}
		}
	}
	return out
}

var pairMarks = map[pairs][2]string{brackets: {"(", ")"}, strong: {"**", "**"}}

// listMark is what may open a list item. A dash before a number may be its sign.
var listMark = regexp.MustCompile(`^(?:([•‣◦▪·●■►▶→¶¡] ?|` + // • item
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
	return strings.TrimSpace(
		strings.Join(wording.Bare(strings.ReplaceAll(text.FoldCompare(s), "_", " ")), " ") +
			" " + signsOf(s, ""))
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
		if loc := reference.FindStringIndex(tail); loc != nil &&
			EndsWith(s[:n-len(tail)+loc[0]], stops) {
			n -= len(tail) - loc[0]
		} else if EndsWith(s, stops) && !strings.HasSuffix(s, "..") {
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
	SentenceStops = ".!。！।۔．"
	itemStops     = ";；,，、"
)

// EndsWith reports whether the last letter of s is one of stops.
func EndsWith(s, stops string) bool {
	last, _ := utf8.DecodeLastRuneInString(s)
	return s != "" && strings.ContainsRune(stops, last)
}

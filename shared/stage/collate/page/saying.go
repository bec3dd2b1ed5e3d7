package page

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"wstk/shared/lexicon"
	"wstk/shared/stage/collate/proposition"
	"wstk/shared/stage/collate/wording"
	"wstk/shared/text"
	"wstk/shared/value"
	"wstk/shared/wstk"
)

// saying is a sentence taken apart so that it can be compared with another one: its words
// and signs in their order, and its values.
type saying struct {
	points []point
	values []value.Value
	bounds []string // of the values: what the words before them say
	topics int      // words that carry a topic
}

// point is a word, a sign, or a value (then value is its index, else -1).
type point struct {
	word  string // folded
	exact string // in its letters; "" where they are free
	value int
}

// In agreement all English articles are one word, and "'s" is a word.
var articles = wording.Set("a an the")

const (
	article  = "the"
	genitive = "'s"
)

// plainWords are the words of English that say nothing of what a label names.
var plainWords = wording.Set("a an the of is are there has have")

// speakers and pronouns are words whose meaning only the page can give: who "we" are, and
// what "it" is.
var (
	speakers = wording.Set("we our ours us i my mine wir unser unsere uns ich mein nous notre " +
		"nos je mon ma mes nosotros nuestro nuestra yo noi nostro nostra nós nosso nossa мы наш " +
		"наша наши я мой")
	pronouns = func() map[string]bool {
		words := lexicon.Common().Set("pronouns")
		maps.Copy(words, wording.Set("theirs them he him his she her hers both neither either "+
			"here you your él ella eso ese esa lui lei loro"))
		return words
	}()
)

// sayingOf takes a sentence apart. It is nil if the sentence asserts nothing that can be
// compared with another page: a question, a supposition, words whose subject, place or day
// only their page gives, or fewer than two topics.
func sayingOf(s, lang string) *saying {
	s = strings.TrimSpace(s)
	bare := strings.TrimRight(s, " .!。।۔\u00a0")
	if bare == "" || asks(s) || points(bare) || strings.HasSuffix(bare, ":") {
		return nil
	}
	t := sentenceParser{sentence: bare, covered: make([]bool, len(bare))}
	t.readValues(lang)
	if !t.readWords(lang) {
		return nil
	}
	t.readSigns()
	return t.saying()
}

// sentenceParser takes one sentence apart: first its values, then the words between them,
// then the signs that are in neither.
type sentenceParser struct {
	sentence string
	out      saying
	values   []text.Range // of the values of out, with the words that bound them
	placed   []placedPoint
	covered  []bool // by byte of the sentence: a value or a word holds it
}

// placedPoint is a point and the byte of the sentence at which it begins.
type placedPoint struct {
	point
	at int
}

func (t *sentenceParser) cover(from, to int) {
	for i := from; i < to; i++ {
		t.covered[i] = true
	}
}

func (t *sentenceParser) place(at int, p point) {
	t.placed = append(t.placed, placedPoint{p, at})
}

// readValues takes the measurable values, each with the words that bound it ("at most 5").
func (t *sentenceParser) readValues(lang string) {
	for _, v := range value.Find(t.sentence, lang) {
		if !wording.Measurable(v) || wording.Identifies(t.sentence, v) ||
			wording.IsVersion(t.sentence, v) {
			continue
		}
		sense, from := wording.BoundBefore(t.sentence[:v.Start])
		t.cover(from, v.End)
		t.place(from, point{value: len(t.values)})
		t.values = append(t.values, text.Range{Start: from, End: v.End})
		t.out.values, t.out.bounds = append(t.out.values, v), append(t.out.bounds, sense)
	}
}

// readWords takes the words outside of values. It reports false if one of them means
// something only on its page, or says that the sentence may not be so.
func (t *sentenceParser) readWords(lang string) bool {
	english := strings.HasPrefix(lang, "en") || lang == ""
	first := true
	for _, w := range text.Tokenize(t.sentence, lang) {
		if slices.ContainsFunc(t.values, func(v text.Range) bool {
			return w.Start < v.End && v.Start < w.End
		}) {
			continue
		}
		t.cover(w.Start, w.End)
		surface := t.sentence[w.Start:w.End]
		word, owns := strings.CutSuffix(
			strings.ReplaceAll(text.FoldCompare(surface), "’", "'"), genitive)
		if speakers[word] && (w.Stop || word != "us") || first && pronouns[word] ||
			wording.Hedges[word] {
			return false
		}
		first = false
		if !w.Stop {
			t.out.topics++
		}
		t.placeWord(w.Start, word, strings.TrimSuffix(text.Fold(surface).Text, genitive), english)
		if owns {
			t.place(w.Start, point{genitive, "", -1})
		}
	}
	return true
}

// placeWord places a word: a contracted "not" as two words, all English articles as one.
func (t *sentenceParser) placeWord(at int, word, exact string, english bool) {
	verb, denied := strings.CutSuffix(word, "n't")
	if word == "cannot" || word == "can't" {
		verb, denied = "can", true
	}
	switch {
	case denied:
		t.place(at, point{verb, "", -1})
		t.place(at, point{"not", "", -1})
	case english && articles[word]:
		t.place(at, point{article, "", -1})
	default:
		t.place(at, point{word, exact, -1})
	}
}

// readSigns takes what is in no value and no word. Letters that are left over, as an
// apostrophe of an English plural, are within words.
func (t *sentenceParser) readSigns() {
	for i, r := range t.sentence {
		if t.covered[i] || unicode.IsSpace(r) && r != '\t' || unicode.IsLetter(r) ||
			unicode.Is(unicode.M, r) {
			continue
		}
		sign := text.FoldCompare(string(r))
		if r == '\t' {
			sign = "\t"
		}
		t.place(i, point{sign, "", -1})
	}
}

// saying puts the points in the order of the sentence; nil with fewer than two topics.
func (t *sentenceParser) saying() *saying {
	if t.out.topics+len(t.out.values) < 2 || t.out.topics == 0 {
		return nil
	}
	slices.SortStableFunc(t.placed, func(a, b placedPoint) int { return a.at - b.at })
	for _, p := range t.placed {
		t.out.points = append(t.out.points, p.point)
	}
	return &t.out
}

// points reports whether a sentence points to what only its page can tell: today, here.
func points(sentence string) bool {
	s := text.FoldCompare(sentence)
	return pointing.In(wording.Bare(s)) || holdsAny(s, widePointing)
}

// agree reports whether two sentences say the same: the same words and signs in the same
// order, and the same values bounded alike. Of a sentence with one value it may be turned:
// "the limit of a join is 64 tables", "64 tables is the limit of a join", "a join's limit
// is 64 tables".
func (p *Set) agree(a, b *saying) bool {
	if a == nil || b == nil || len(a.values) != len(b.values) {
		return false
	}
	p.Tick()
	if samePoints(a, b, a.points, b.points, true) {
		return true
	}
	return len(a.values) == 1 && samePoints(a, b, a.plainly(), b.plainly(), false)
}

// samePoints compares points of two sayings, in their letters where exact says so.
func samePoints(a, b *saying, x, y []point, exact bool) bool {
	return slices.EqualFunc(x, y, func(x, y point) bool {
		switch {
		case x.value >= 0 && y.value >= 0:
			return a.bounds[x.value] == b.bounds[y.value] &&
				proposition.Equal(a.values[x.value], b.values[y.value])
		case x.value >= 0 || y.value >= 0 || x.word != y.word:
			return false
		}
		return !exact || x.exact == y.exact || x.exact == "" || y.exact == ""
	})
}

// plainly puts a sentence whose one verb is "is" or "are" in plain order: first what
// something is of, then how much. It names an owner with "of".
func (s *saying) plainly() []point {
	is := -1
	for i, p := range s.points {
		if p.word != "is" && p.word != "are" {
			continue
		}
		if is >= 0 {
			return s.points // which of them is the verb is unknown
		}
		is = i
	}
	if is < 1 || is == len(s.points)-1 {
		return s.points
	}
	what, much := s.points[:is], s.points[is+1:]
	if what[0].value >= 0 {
		what, much = much, what
	}
	if much[0].value < 0 {
		return s.points
	}
	return slices.Concat(owned(what), []point{{word: "is", value: -1}}, much)
}

// owned writes "X's Y" as "the Y of X", where neither holds another owner.
func owned(points []point) []point {
	at := slices.IndexFunc(points, func(p point) bool { return p.word == genitive })
	if at < 1 || at == len(points)-1 ||
		slices.ContainsFunc(points, func(p point) bool { return p.word == "of" }) ||
		slices.ContainsFunc(points[at+1:], func(p point) bool { return p.word == genitive }) {
		return points
	}
	return slices.Concat([]point{{word: article, value: -1}}, points[at+1:],
		[]point{{word: "of", value: -1}}, points[:at])
}

// sentencesOf are the whole sentences of its Document that hold a quote, nil if the Document
// was not given.
func (p *Set) sentencesOf(e wstk.Evidence) []string {
	d := p.Of(e)
	if d == nil {
		return nil
	}
	r, ok := around(d, e)
	if !ok {
		return nil
	}
	var out []string
	s := d.Text[r.Start:r.End]
	for _, at := range text.Sentences(s, d.Meta.Language) {
		out = append(out, s[at.Start:at.End])
	}
	return out
}

// around is the range of the whole sentences that hold a quote.
func around(d *wstk.Document, e wstk.Evidence) (text.Range, bool) {
	span, _ := e.Span()
	if !StandsIn(d, e) {
		return text.Range{}, false
	}
	return text.SentenceOf(d.Text, d.Meta.Language,
		text.Range{Start: span.ByteStart, End: span.ByteEnd}, func(at int) (text.Range, bool) {
			i := d.BlockAt(at)
			if i < 0 {
				return text.Range{}, false
			}
			return text.Range{Start: d.Blocks[i].ByteStart, End: d.Blocks[i].ByteEnd}, true
		}), true
}

// StandsIn reports whether a text holds a quote at the offsets that the quote names.
func StandsIn(d *wstk.Document, e wstk.Evidence) bool {
	span, ok := e.Span()
	return ok && span.ByteStart >= 0 && span.ByteStart < span.ByteEnd &&
		span.ByteEnd <= len(d.Text) &&
		d.Text[span.ByteStart:span.ByteEnd] == e.Quote
}

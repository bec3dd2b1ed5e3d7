package page

import (
	"slices"
	"strings"
	"unicode"

	"wstk/shared/stage/collate/wording"
	"wstk/shared/text"
	"wstk/shared/value"
	"wstk/shared/wstk"
)

// saying is a sentence taken apart to be compared with another one: its words and signs in
// their order, and its values.
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

// speakers are words by which a sentence speaks of whom only its page can tell.
var (
	speakers = wording.Set("we our ours us i my mine wir unser unsere uns ich mein nous notre " +
		"nos je mon ma mes nosotros nuestro nuestra yo noi nostro nostra nós nosso nossa мы наш " +
		"наша наши я мой")
	pronouns = wording.Set(`it its they their theirs them he his him she her hers this that these those such both neither either here you your
		er sie es dieser diese dieses dies il elle ils elles ce cela ceci cette él ella ellos ellas esto este esta eso ese esa lui lei loro questo questa ele ela isto isso это он она они оно`)
)

// sayingOf takes a sentence apart; nil where it asserts nothing that can be compared with
// another page: a question, a supposition, words of which only their page tells the
// subject, the place or the day, or fewer than two topics.
func sayingOf(s, lang string) *saying {
	s = strings.TrimSpace(s)
	bare := strings.TrimRight(s, " .!。।۔\u00a0")
	if bare == "" || asks(s) || points(bare) {
		return nil
	}
	out := &saying{}
	type piece struct {
		text.Range
		value int
	}
	var taken []piece
	for _, v := range value.Find(bare, lang) {
		if !wording.Measurable(v) || wording.Identifies(bare, v) || wording.IsVersion(bare, v) {
			continue
		}
		sense, from := wording.BoundBefore(bare[:v.Start])
		taken = append(taken, piece{text.Range{Start: from, End: v.End}, len(out.values)})
		out.values, out.bounds = append(out.values, v), append(out.bounds, sense)
	}
	type placed struct {
		point
		at int
	}
	var ps []placed
	covered := make([]bool, len(bare)) // bytes that a token or a value holds
	cover := func(from, to int) {
		for i := from; i < to; i++ {
			covered[i] = true
		}
	}
	for _, v := range taken {
		cover(v.Start, v.End)
		ps = append(ps, placed{point{value: v.value}, v.Start})
	}
	first := true
	english := strings.HasPrefix(lang, "en") || lang == ""
	for _, t := range text.Tokenize(bare, lang) {
		if slices.ContainsFunc(taken, func(v piece) bool {
			return t.Start < v.End && v.Start < t.End
		}) {
			continue
		}
		cover(t.Start, t.End)
		w := strings.ReplaceAll(text.FoldCompare(bare[t.Start:t.End]), "’", "'")
		exact := text.Fold(bare[t.Start:t.End]).Text
		w, owns := strings.CutSuffix(w, genitive)
		if speakers[w] && (t.Stop || w != "us") || first && pronouns[w] || wording.Hedges[w] {
			return nil
		}
		switch {
		case w == "cannot", w == "can't":
			ps = append(ps, placed{point{"can", "", -1}, t.Start})
			w, exact = "not", ""
		case strings.HasSuffix(w, "n't"):
			ps = append(ps, placed{point{strings.TrimSuffix(w, "n't"), "", -1}, t.Start})
			w, exact = "not", ""
		case english && articles[w]:
			w, exact = article, ""
		}
		first = false
		if !t.Stop {
			out.topics++
		}
		ps = append(ps, placed{point{w, strings.TrimSuffix(exact, genitive), -1}, t.Start})
		if owns {
			ps = append(ps, placed{point{genitive, "", -1}, t.Start})
		}
	}
	for i, r := range bare {
		if covered[i] || unicode.IsSpace(r) && r != '\t' || unicode.IsLetter(r) ||
			unicode.Is(unicode.M, r) {
			continue // an English plural's apostrophe and the like are within tokens
		}
		sign := text.FoldCompare(string(r))
		if r == '\t' {
			sign = "\t"
		}
		ps = append(ps, placed{point{sign, "", -1}, i})
	}
	slices.SortStableFunc(ps, func(a, b placed) int { return a.at - b.at })
	for _, p := range ps {
		out.points = append(out.points, p.point)
	}
	if out.topics+len(out.values) < 2 || out.topics == 0 {
		return nil
	}
	return out
}

// points reports whether a sentence points to what only its page can tell: today, here.
func points(sentence string) bool {
	s := text.FoldCompare(sentence)
	return pointing.In(wording.Bare(s)) || slices.ContainsFunc(widePointing, func(p string) bool {
		return strings.Contains(s, p)
	})
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
				equalValues(a.values[x.value], b.values[y.value])
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

// equalValues is stricter than value.Same, which grants rounding.
func equalValues(a, b value.Value) bool {
	if a.Type != b.Type || a.Norm != b.Norm ||
		wstk.ValueType(a.Type) == wstk.ValueQuantity && otherLetters(unitOf(a), unitOf(b)) {
		return false
	}
	x, y := text.FoldCompare(a.Text), text.FoldCompare(b.Text)
	if strings.Contains(a.Norm, "|") {
		return false // it has two readings, and each page may mean another
	}
	if wstk.ValueType(a.Type) == wstk.ValueNumber && strings.Contains(x+y, ".") {
		return x == y // 3.10 may be a version
	}
	return true
}

// unitOf is what a value writes behind its number.
func unitOf(v value.Value) string {
	return strings.TrimLeftFunc(text.Fold(v.Text).Text,
		func(r rune) bool { return !unicode.IsLetter(r) })
}

// otherLetters reports whether units differ in capital and small letters alone: mW, MW.
func otherLetters(a, b string) bool { return a != b && strings.EqualFold(a, b) }

// sentencesOf are the whole sentences of its Document in which a quote stands, nil where
// that was not given.
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

// around is the range of the whole sentences in which a quote stands.
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

// StandsIn reports whether a quote stands in a text where it says.
func StandsIn(d *wstk.Document, e wstk.Evidence) bool {
	span, ok := e.Span()
	return ok && span.ByteStart >= 0 && span.ByteStart < span.ByteEnd &&
		span.ByteEnd <= len(d.Text) &&
		d.Text[span.ByteStart:span.ByteEnd] == e.Quote
}

// Backing returns the quotes that say what a statement says, the one it rests on among
// them: by whole sentences, none of which is taken back, each by the voice of its page.
func (p *Set) Backing(s wstk.Statement, evidence []wstk.Evidence) []int {
	lead := p.Lead(s, evidence)
	if lead < 0 {
		return nil
	}
	out := []int{lead}
	said := p.sentencesOf(evidence[lead])
	for _, one := range said { // the one that the statement is, where it is one of them
		if text.FoldCompare(one) == text.FoldCompare(s.Statement) {
			said = []string{one}
			break
		}
	}
	want := sayingsOf(said, p.Language(evidence[lead]))
	if want == nil || p.TakenBack(evidence[lead], strings.Join(said, " ")) {
		return out
	}
	for n, e := range evidence {
		p.Tick()
		if n == lead || !p.twoVoices(evidence[lead], e) {
			continue
		}
		theirs, lang := p.sentencesOf(e), p.Language(e)
		for i := 0; i+len(want) <= len(theirs); i++ {
			run := theirs[i : i+len(want)]
			if got := sayingsOf(run, lang); got != nil && slices.EqualFunc(want, got, p.agree) &&
				!p.TakenBack(e, strings.Join(run, " ")) {
				out = append(out, n)
				break
			}
		}
	}
	return out
}

// sayingsOf takes sentences apart; nil where one of them asserts nothing.
func sayingsOf(sentences []string, lang string) []*saying {
	var out []*saying
	for _, s := range sentences {
		one := sayingOf(s, lang)
		if one == nil {
			return nil
		}
		out = append(out, one)
	}
	return out
}

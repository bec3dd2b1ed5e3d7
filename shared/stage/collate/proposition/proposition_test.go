package proposition

import (
	"os"
	"strings"
	"testing"

	"wstk/shared/lexicon"
	"wstk/shared/lexicon/lexicontest"
)

// unitOfCase reads "title > heading > label: words", where "> " separates what stands over the
// words and a last part "name = words" has a label.
func unitOfCase(s string) Unit {
	parts := strings.Split(s, " > ")
	u := Unit{Words: parts[len(parts)-1], Lang: "en"}
	if tag, rest, ok := strings.Cut(parts[0], "|"); ok && len(tag) == 2 {
		u.Lang, parts[0] = tag, rest
		if len(parts) == 1 {
			u.Words = rest
		}
	}
	if len(parts) > 1 {
		u.Title, u.Above = parts[0], parts[1:len(parts)-1]
	}
	if label, words, ok := strings.Cut(u.Words, " = "); ok {
		u.Labels, u.Words = []string{label}, words
	}
	u.Points = func(s string) bool { return strings.Contains(s, "today") || strings.Contains(s, "here") }
	return u
}

// samples are those of testdata/pairs.txt: how two units stand to each other, the question,
// and the units.
func samples(t *testing.T) (out []string) {
	data, err := os.ReadFile("testdata/pairs.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			out = append(out, line)
		}
	}
	return out
}

func relationOf(sample string) (want, got string) {
	f := strings.Split(sample, " | ")
	if len(f) != 4 {
		return "four fields", sample
	}
	var q *Question
	if f[1] != "-" {
		q = Ask(f[1])
	}
	r, x, y := Compare(Of(unitOfCase(f[2])), Of(unitOfCase(f[3])), q)
	s, _, _ := Compare(Of(unitOfCase(f[3])), Of(unitOfCase(f[2])), q)
	got = map[Relation]string{Apart: "apart", Agree: "agree", Disagree: "disagree"}[r]
	if r != s {
		got += ", and otherwise the other way round"
	}
	if r == Disagree && x.Norm == y.Norm {
		got += ", by " + x.Norm + " on both sides"
	}
	return f[0], got
}

// Law 3: two units agree on the same value of the same attribute of the same thing, disagree
// on another value or the opposite sense, and are apart where one speaks of something else.
func TestCompare(t *testing.T) {
	for _, s := range samples(t) {
		if want, got := relationOf(s); got != want {
			t.Errorf("%s: they %s, want %s", s, got, want)
		}
	}
}

// Each part of a proposition is words of its unit at the place that it names.
func TestPartsAreRead(t *testing.T) {
	p := Of(Unit{Words: "The director of Ostley Library is not Ines Calloway.", Lang: "en"})
	for _, part := range append(p.Subject, p.Attribute...) {
		if part.Start >= part.End {
			t.Errorf("%q has no place", part.Form)
		}
	}
	if !p.Denied || len(p.Attribute) != 1 || p.Attribute[0].Form != "director" {
		t.Errorf("%+v; want a denied proposition of a director", p)
	}
	p = Of(Unit{Words: "The mast is at most 168 m high.", Lang: "en"})
	if len(p.Values) != 1 || p.unit.Words[p.Values[0].Start:p.Values[0].End] != "168 m" ||
		p.Attribute[0].Form != "height" {
		t.Errorf("%+v; want a height of 168 m", p)
	}
}

// Every family of words is needed by a pair.
func TestWordsAreNeeded(t *testing.T) {
	l := wordLists()
	defer read(l)
	lexicontest.Needed(t, l, "testdata/needed.txt", samples(t),
		func(l *lexicon.Lexicon) func(string) string {
			return func(sample string) string {
				read(l)
				_, got := relationOf(sample)
				return got
			}
		})
}

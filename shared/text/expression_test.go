package text

import (
	"context"
	"math/rand/v2"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// matching writes something that a part of an expression matches.
func matching(r *rand.Rand, re *syntax.Regexp) string {
	times := func(least, most int) string {
		var b strings.Builder
		for range least + r.IntN(most-least+1) {
			b.WriteString(matching(r, re.Sub[0]))
		}
		return b.String()
	}
	switch re.Op {
	case syntax.OpLiteral:
		out := []rune(string(re.Rune))
		for i := range out {
			if re.Flags&syntax.FoldCase != 0 && r.IntN(2) == 0 {
				out[i] = unicode.SimpleFold(out[i])
			}
		}
		return string(out)
	case syntax.OpCharClass:
		i := 2 * r.IntN(len(re.Rune)/2)
		return string(re.Rune[i] + r.Int32N(min(re.Rune[i+1]-re.Rune[i], 100)+1))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return string("aZ ,é9"[r.IntN(6)])
	case syntax.OpCapture:
		return matching(r, re.Sub[0])
	case syntax.OpStar:
		return times(0, 2)
	case syntax.OpPlus:
		return times(1, 2)
	case syntax.OpQuest:
		return times(0, 1)
	case syntax.OpRepeat:
		return times(re.Min, max(re.Min, min(re.Max, re.Min+3)))
	case syntax.OpAlternate:
		return matching(r, re.Sub[r.IntN(len(re.Sub))])
	case syntax.OpConcat:
		var b strings.Builder
		for _, part := range re.Sub {
			b.WriteString(matching(r, part))
		}
		return b.String()
	}
	return ""
}

// TestExpressionsAreTriedWhereTheyMatch: what an expression matches holds all that it
// needs, also where it is a part of a longer text.
func TestExpressionsAreTriedWhereTheyMatch(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	tried, matched := 0, 0
	for _, e := range denials().expressions {
		for i := range e.ways {
			w := &e.ways[i]
			tree, err := syntax.Parse(w.source, syntax.Perl)
			if err != nil {
				t.Fatal(err)
			}
			some := false
			for range 100 {
				s := matching(r, tree)
				tried++
				if !w.re().MatchString(s) {
					continue // a word must end where none does
				}
				matched++
				some = true
				if x := newPassage("Überall. " + s + " And so on.").part(s); !x.found.holds(w.needs) || !e.matches(x) {
					t.Fatalf("%q is not searched for %s", s, w.source)
				}
			}
			if !some {
				t.Errorf("nothing was written that this matches: %s", w.source)
			}
		}
	}
	t.Logf("%d of %d texts match", matched, tried)
}

// TestPlainTextIsHeldAgainstLittle: the index is of use.
func TestPlainTextIsHeldAgainstLittle(t *testing.T) {
	for _, s := range []string{"The reading room opens at nine on Sundays.", "It is not true that the harbour has 12 berths.", "Myth: the harbour has 12 berths.", "Der Hafen hat 12 Liegeplätze."} {
		x, ways, left := newPassage(s), 0, 0
		for _, e := range denials().expressions {
			for i := range e.ways {
				ways++
				if x.found.holds(e.ways[i].needs) {
					left++
				}
			}
		}
		if left > ways/20 {
			t.Errorf("%q is searched for %d of %d expressions", s, left, ways)
		}
	}
}

func TestWaysOfAnExpression(t *testing.T) {
	for source, want := range map[string][]string{
		`a|b`:              {`a`, `b`},
		`^a(?:b|c)|d`:      {`^a(?:b|c)`, `d`},
		`[|)]a|\|b`:        {`[|)]a`, `\|b`},
		`[]|]|(?:a|(b|c))`: {`[]|]`, `(?:a|(b|c))`},
	} {
		if got := waysOf(source); !slices.Equal(got, want) {
			t.Errorf("%s: %q", source, got)
		}
	}
}

// TestTakingBackAllBefore: a page of which each line takes back all before it costs as
// many notes as it has lines.
func TestTakingBackAllBefore(t *testing.T) {
	for _, line := range []string{"The above is outdated.", "This section is obsolete."} {
		const lines = 500
		words, outline := written("# Hours\n" + strings.Repeat(line+"\n", lines))
		r := settingReader{page: words}
		outline(r.section, r.block)
		r.read(context.Background())
		if len(r.taken) > 3*lines {
			t.Errorf("%q: %d notes for %d lines", line, len(r.taken), lines)
		}
		if at := strings.Index(words, line); !(&Setting{taken: merged(r.taken)}).
			TakenBack(at, at+len(line)) {
			t.Errorf("%q: the first line stands", line)
		}
	}
}

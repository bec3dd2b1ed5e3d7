package lexicon

import (
	"slices"
	"testing"
)

const sample = `# A comment.
zxx	before any family

[greetings] substring
en	hello	# a comment
de	guten Tag

[farewells]
mul	ciao
a line without a tag
`

func TestParse(t *testing.T) {
	l := Parse(sample)
	if got := l.Phrases("greetings"); !slices.Equal(got, []string{"hello", "guten Tag"}) {
		t.Errorf("the greetings are %q", got)
	}
	if got := l.In("en", "greetings"); !slices.Equal(got, []string{"hello"}) {
		t.Errorf("the English greetings are %q", got)
	}
	if got := l.In("en", "farewells"); !slices.Equal(got, []string{"ciao"}) {
		t.Errorf("the English farewells are %q; what many languages share counts in each", got)
	}
	if got := l.Phrases(""); !slices.Equal(got, []string{"before any family"}) {
		t.Errorf("before the first family stand %q", got)
	}
	if set := l.Set("farewells"); !set["ciao"] || !set["a line without a tag"] {
		t.Errorf("the set of farewells is %v", set)
	}
	if l.Phrases("thanks") != nil {
		t.Error("a family that is not there has phrases")
	}
	for _, f := range l.Families() {
		if f.Substring != (f.Name == "greetings") {
			t.Errorf("%q: substring is %v", f.Name, f.Substring)
		}
	}
}

func TestWithout(t *testing.T) {
	l := Parse(sample)
	if l.Without("greetings").Phrases("greetings") != nil || len(l.Phrases("greetings")) != 2 {
		t.Error("Without leaves out a family of the result, and none of the lexicon itself")
	}
}

// An expression names families, whose phrases stand for the name. One that names a family
// without phrases matches nothing.
func TestExpressions(t *testing.T) {
	l := Parse("[colour]\nen\tred\nen\t<dark> blue\n[dark]\nen\tdark\n" +
		"[thing] caseless\nen\ta <colour> house\nen\t<li> and \"a\"\nen\t\" #1 \"\n")
	want := []string{"a (?:red|(?:dark) blue) house", `<li> and "a"`, " #1 "}
	if got := l.Expressions("thing"); !slices.Equal(got, want) {
		t.Errorf("the things are %q, want %q", got, want)
	}
	if got := l.Without("dark").Expressions("colour"); !slices.Equal(got, []string{"red"}) {
		t.Errorf("without [dark] the colours are %q, want red alone", got)
	}
	if parts := l.Named(); !parts["colour"] || !parts["dark"] || parts["thing"] {
		t.Errorf("the families that others name are %v, want colour and dark", parts)
	}
	if f := l.Families()[2]; !f.Caseless || f.Substring {
		t.Errorf("[%s] caseless: caseless is %v, substring %v", f.Name, f.Caseless, f.Substring)
	}
}

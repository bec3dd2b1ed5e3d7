package extract

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestFirstClause(t *testing.T) {
	for s, want := range map[string]string{
		"Short and whole.": "Short and whole.",
		"Serialized. In this mode it can be used by any number of threads at once.":      "Serialized",
		"The library of the centre has three thousand books, which may be borrowed.":     "The library of the centre has three thousand books",
		"Version 3.46.0 of the program reads files that were written by versions 1 to 3": "Version 3.46.0 of the program reads files that were written by versions 1 to 3",
		"First line\nSecond line": "First line",
	} {
		if got := firstClause(s); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

func TestClipKeepsWholeCharacters(t *testing.T) {
	if s := strings.Repeat("ж", maxQuote); clip(s) != s {
		t.Error("a text of the longest length was cut")
	}
	if got := clip(strings.Repeat("жé", maxQuote)); utf8.RuneCountInString(got) != maxQuote ||
		!utf8.ValidString(got) {
		t.Errorf("clip leaves %d characters, want %d and no broken one", utf8.RuneCountInString(got), maxQuote)
	}
}

// The words of a long cell end with a sentence where one fits, else with a word.
func TestClipEndsWithSentencesOrWords(t *testing.T) {
	const sentence = "The valve opens at 9 bar and closes at 7 bar."
	long := strings.TrimSpace(strings.Repeat(sentence+" ", 20))
	if got := clip(long); got != strings.TrimSpace(strings.Repeat(sentence+" ", 6)) {
		t.Errorf("%q; want six whole sentences", got)
	}
	words := strings.Repeat("überdruckventil ", 50)
	if got := clip(words); !strings.HasSuffix(got, " überdruckventil") || utf8.RuneCountInString(got) > maxQuote {
		t.Errorf("%q; want whole words, at most %d characters", got, maxQuote)
	}
	exact := strings.Repeat("v", maxQuote-5) + " bars more"
	if got := clip(exact); !strings.HasSuffix(got, " bars") {
		t.Errorf("a word that just fits: %q", got[maxQuote-10:])
	}
}

func TestSameTitleKeepsNumbersApart(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"Pottery for beginners", "Pottery for Beginners", true},
		{"2.1 Pottery for beginners", "Pottery for beginners", true},
		{"Level 1 pottery evening course", "Level 2 pottery evening course", false},
		{"Pottery evening course of the centre 2", "Pottery evening course of the centre", false},
		{"Pottery", "Painting", false},
	} {
		if got := sameTitle(c.a, c.b, "en"); got != c.want {
			t.Errorf("sameTitle(%q, %q) is %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

func TestSameButNumbers(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"https://x.example/list", "https://x.example/list?page=2", true},
		{"https://x.example/list/2/", "https://x.example/list/3", true},
		{"https://x.example/list", "https://x.example/other", false},
	} {
		if got := sameButNumbers(c.a, c.b); got != c.want {
			t.Errorf("sameButNumbers(%s, %s) is %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

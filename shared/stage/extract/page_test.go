package extract

import (
	"strings"
	"testing"

	"wstk/shared/wstk"
)

// A line of code is quoted by itself, without its indentation.
func TestLinesOfCode(t *testing.T) {
	d := doc("https://x.example/", "Setup", "# Setup\n"+"` "+`make build\n    make install PREFIX=/opt\n\nmake clean`)
	q := newQuestion("install prefix", whole("install prefix"), "en")
	p := newPage(d, q, nil, func(string, int, int) bool { return false })
	var got []string
	for i := range p.units {
		if p.units[i].kind == wstk.BlockCode {
			got = append(got, p.text(&p.units[i]))
		}
	}
	if want := "make build|make install PREFIX=/opt|make clean"; strings.Join(got, "|") != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A page that does not say its language is read in the one it looks to be in.
func TestLanguageOfAPage(t *testing.T) {
	d := doc("https://x.example/", "", "El museo abrió sus puertas en 1934 y desde entonces tiene un jardín muy grande.\n! Privacy policy and cookies of this site are here for everyone to read")
	d.Meta.Language = ""
	if got := languageOf(d); got != "es" {
		t.Errorf("the language is %q, want es", got)
	}
}

func TestAddressesAreNoSentences(t *testing.T) {
	for s, want := range map[string]bool{
		"https://x.example/a":             true,
		"→ https://x.example/a":           true,
		"See https://x.example/a for it.": false,
		"no address":                      false,
	} {
		if isAddress(s) != want {
			t.Errorf("%q: %v, want %v", s, !want, want)
		}
	}
}

func TestPartsOfANameHaveToAdjoin(t *testing.T) {
	q := newQuestion("max_wal_size", whole("max_wal_size"), "en")
	for s, want := range map[string]bool{
		"The max wal size is 1 GB.":           true,
		"max_slot_wal_keep_size is -1":        false,
		"The size of a wal file, max or not.": false,
	} {
		p := newPage(doc("https://x.example/", "", s), q, nil, func(string, int, int) bool { return false })
		if got := p.units[0].synonym != 0; got != want {
			t.Errorf("%q: %v, want %v", s, got, want)
		}
	}
}

func TestSurelyVersion(t *testing.T) {
	for s, want := range map[string]bool{"it came with 3.46.0": true, "since version 4.0": true, "it weighs 4.0 kg": false, "in v2.1 it was": true} {
		vs := versionKind.find(s, "en")
		if len(vs) != 1 || surelyVersion(s, vs[0]) != want {
			t.Errorf("%q: %v; want len(vs) == 1 && surelyVersion(s, vs[0]) == want", s, vs)
		}
	}
}

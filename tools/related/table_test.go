package main

import (
	"testing"
)

// made is a WordNet of a few words: delete and erase mean the same, delete is a kind of remove,
// and fast is an opposite of slow, whose like is sluggish.
func made() *wordnet {
	return &wordnet{
		synsets: map[string]*synset{
			"v1": {words: []string{"delete", "erase"}, pointers: []pointer{{"@", "v2", 0, 0}}},
			"v2": {words: []string{"remove"}},
			"a1": {words: []string{"slow"}, pointers: []pointer{{"!", "a2", 1, 1}}},
			"a2": {words: []string{"fast"}, pointers: []pointer{{"!", "a1", 1, 1}}},
			"a3": {words: []string{"sluggish"}, pointers: []pointer{{"&", "a1", 0, 0}}},
		},
		senses: map[string][]sense{"delete": {{"v1", 0}}, "erase": {{"v1", 0}},
			"remove": {{"v2", 0}}, "slow": {{"a1", 0}}, "fast": {{"a2", 0}}, "sluggish": {{"a3", 0}}},
		bases: map[string][]string{"swift": {"fast"}},
		known: map[string]map[string]bool{},
	}
}

func TestTies(t *testing.T) {
	got := map[string]float64{}
	made().ties("delete", func(other string, tie float64) { got[other] = tie })
	if len(got) != 2 || got["erase"] != 1 || got["remove"] != .5 {
		t.Errorf("delete is tied to %v, want erase by 1 and remove by .5", got)
	}
}

func TestOpposite(t *testing.T) {
	of := func(s string) word { return word{text: s, stem: tokenOf(s)} }
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"slow", "fast", true}, {"fast", "slow", true}, {"sluggish", "fast", true},
		{"slow", "faster", true}, {"swift", "slow", true}, {"slow", "sluggish", false},
		{"install", "uninstall", true}, {"visible", "invisible", true}, {"form", "inform", true},
		{"allow", "deny", true}, {"tuesday", "friday", true}, {"delete", "remove", false},
	} {
		if got := opposite(made(), of(c.a), of(c.b)); got != c.want {
			t.Errorf("%s is an opposite of %s: %v", c.a, c.b, got)
		}
	}
}

// A word that is near to all keeps those that are nearest, and is kept by them.
func TestTable(t *testing.T) {
	words := []word{{"remove", "remov", 10}, {"delete", "delet", 10}, {"erase", "eras", 10},
		{"slow", "slow", 10}, {"fast", "fast", 10}}
	v := vectors{{1, 0, 0, 0, 0, 0, 0, 0}, {.8, .6, 0, 0, 0, 0, 0, 0}, {.4, .85, .3, 0, 0, 0, 0, 0},
		{0, 0, 0, 1, 0, 0, 0, 0}, {0, 0, 0, .9, .4, 0, 0, 0}}
	whole := map[string]bool{"remove": true, "delete": true, "slow": true, "fast": true}
	for most, want := range map[int]string{
		2: "delete\terase 99\tremove 90\nerase\tdelete 99\nremove\tdelete 90\n",
		1: "delete\terase 99\nerase\tdelete 99\n",
	} {
		l := limits{near: .6, tied: .4, most: most}
		if got := table(words, relate(words, v, made(), whole, l)); got != want {
			t.Errorf("of %d relations each the table is\n%swant\n%s", most, got, want)
		}
	}
}

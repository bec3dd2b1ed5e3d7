package crawl

import (
	"slices"
	"testing"
)

// The words of a link say most about the page behind it, then its path, then the title of the
// page that has it; a word that all links share says little, and none says nothing.
func TestRank(t *testing.T) {
	links := []Unread{
		{URL: "https://h.test/parts/inlet", Anchors: []string{"The inlet of the pump"}},
		{URL: "https://h.test/a1", Titles: []string{"Warranty of the pump"}},
		{URL: "https://h.test/warranty-terms/pump"},
		{URL: "https://h.test/a2", Anchors: []string{"Details", "warranty of the pump"}},
		{URL: "https://h.test/news", Anchors: []string{"News"}},
		{URL: "https://h.test/find?q=warranties&of=pump"},
	}
	var got []string
	for _, u := range Rank("How long is the warranty of the pump?", links) {
		got = append(got, u.URL[len("https://h.test/"):])
	}
	want := []string{"a2", "find?q=warranties&of=pump", "warranty-terms/pump", "parts/inlet", "a1"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if none := Rank("xylophone", links); len(none) > 0 {
		t.Errorf("nothing fits, got %v", none)
	}
}

// Of two words in like places the rare one counts more.
func TestRankPrefersRareWords(t *testing.T) {
	links := []Unread{{URL: "https://h.test/1", Anchors: []string{"pump of steel"}},
		{URL: "https://h.test/2", Anchors: []string{"pump of brass"}},
		{URL: "https://h.test/3", Anchors: []string{"torque"}}}
	if got := Rank("torque of the pump", links); len(got) != 3 || got[0].URL != "https://h.test/3" {
		t.Errorf("got %v", got)
	}
}

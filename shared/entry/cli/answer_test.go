package cli

import (
	"bytes"
	"strings"
	"testing"

	"wstk/shared/wstk"
)

// An answer comes first, in the words of its pages. The pages follow, each once. Offsets and
// long links are shown with proof only.
func TestAnswersAreShownFirst(t *testing.T) {
	places := 0
	quote := func(url, words string) wstk.Evidence {
		places += 100
		at := places
		return wstk.Evidence{Kind: wstk.EvidenceText, Quote: words, URL: url, CharStart: &at,
			CharEnd: &at, ByteStart: &at, ByteEnd: &at, TextSHA256: wstk.HashOf([]byte(words)),
			Status: wstk.StatusDirect, Link: url + "#:~:text=" + words[:4], SectionPath: []string{"Items"}}
	}
	res := wstk.AskResult{Extractions: []wstk.Extraction{{
		Content: "The list \\[a, b\\] has two items. [1][3]\n\n- **size:** 4 \\<KiB> [2]\n\n" +
			"> Sources disagree on size:\n> - 4",
		Statements: []wstk.Statement{
			{Statement: "The list [a, b] has two items.", Evidence: []int{0, 2}},
			{Field: "size", Statement: "4 <KiB>", Evidence: []int{1}}},
		Evidence: []wstk.Evidence{
			quote("http://a.example/x", "The list [a, b] has two items."),
			quote("http://b.example/y", "4 <KiB>"),
			quote("http://a.example/x", "There are two items in [a, b].")},
		Sources: []wstk.Source{{URL: "http://a.example/x", Title: "Lists"},
			{URL: "http://b.example/y"}},
		Grounding: wstk.Conflicted, Counted: "2 sites",
		Conflicts: []wstk.TopicConflict{{Topic: "size",
			Claims: []wstk.ConflictingClaim{{Statement: "4", SourceURL: "http://b.example/y"}}}},
	}}}
	shown := func(proof bool) string {
		var b bytes.Buffer
		humanAnswer(&printer{w: &b, width: 80}, res, proof)
		return b.String()
	}
	const want = `- size: 4 <KiB> [2]
The list [a, b] has two items. [1]
  sources disagree: size
    4  http://b.example/y

  [1] Lists › Items
      http://a.example/x
      “There are two items in [a, b].”
  [2] http://b.example/y
  2 sites disagree
`
	if got := shown(false); got != want {
		t.Errorf("the answer is shown as\n%s\nwant\n%s", got, want)
	}
	if got := shown(true); !strings.Contains(got, "#:~:text=The ") ||
		!strings.Contains(got, "characters 100–100 of text ") {
		t.Errorf("with proof it lacks links or offsets:\n%s", got)
	}
}

// What a sentence leads to stands below it, as it stands on the page; no sentence stands twice;
// items of one line are a list; marks name pages, and quotes with proof only.
func TestAnswersAreShownAsTheyStandOnTheirPages(t *testing.T) {
	text := "Install it by running:\npump --install\n  --now\nThen open the valve. It is red."
	quote := func(words string) wstk.Evidence {
		at := strings.Index(text, words)
		end := at + len(words)
		return wstk.Evidence{Kind: wstk.EvidenceText, Quote: words, URL: "http://a.example/x",
			ByteStart: &at, ByteEnd: &end, CharStart: &at, CharEnd: &end,
			TextSHA256: wstk.HashOf([]byte(text)), Status: wstk.StatusDirect,
			Link:        "http://a.example/x#:~:text=" + words[:4],
			SectionPath: []string{"The site", "Chapter 2 - Pumps", "Valves"}}
	}
	sources := []wstk.Source{{URL: "http://a.example/x", Title: "2. Pumps"}}
	one := wstk.AskResult{Extractions: []wstk.Extraction{{Grounding: wstk.SingleSource,
		Counted: "1 site", Sources: sources,
		Statements: []wstk.Statement{
			{Statement: "Install it by running:", Evidence: []int{0, 1}},
			{Statement: "pump --install\n  --now", Evidence: []int{1}},
			{Statement: "Then open the valve.", Evidence: []int{2}},
			{Statement: "It is red.", Evidence: []int{3}}, {Statement: "It is", Evidence: []int{3}}},
		Evidence: []wstk.Evidence{quote("Install it by running:"),
			quote("pump --install\n  --now"), quote("Then open the valve."),
			quote("It is red.")}}}}
	one.Extractions[0].Evidence[3].Flags = []wstk.Flag{wstk.FlagComment}
	item := func(title, words string) wstk.Extraction {
		return wstk.Extraction{Title: title, Grounding: wstk.SingleSource, Counted: "1 site",
			Sources: sources, Evidence: []wstk.Evidence{quote(words)},
			Statements: []wstk.Statement{{Statement: words, Evidence: []int{0}}}}
	}
	list := wstk.AskResult{Extractions: []wstk.Extraction{
		item("It", "It is red."), item("", "Then open the valve.")}}
	for _, c := range []struct {
		res  wstk.AskResult
		want string
	}{{one, `Install it by running:
    pump --install
      --now [1]

Then open the valve.
It is red. [1] [comment]

  [1] 2. Pumps › Valves
      http://a.example/x
  1 site says so
`}, {list, `- It is red. [1]
- Then open the valve. [1]

  [1] 2. Pumps › Valves
      http://a.example/x
  1 site says so
`}} {
		var b bytes.Buffer
		humanAnswer(&printer{w: &b, width: 80}, c.res, false)
		if got := b.String(); got != c.want {
			t.Errorf("shown as\n%s\nwant\n%s", got, c.want)
		}
	}
}

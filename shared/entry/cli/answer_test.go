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
	at := 7
	quote := func(url, words string) wstk.Evidence {
		return wstk.Evidence{Kind: wstk.EvidenceText, Quote: words, URL: url, CharStart: &at,
			CharEnd: &at, ByteStart: &at, ByteEnd: &at, TextSHA256: wstk.HashOf([]byte(words)),
			Status: wstk.StatusDirect, Link: url + "#:~:text=" + words[:4]}
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
	const want = `The list [a, b] has two items. [1][3]
- size: 4 <KiB> [2]

  [1][3] Lists
      http://a.example/x
      [3] “There are two items in [a, b].”
  [2] http://b.example/y
  2 sites disagree (2 pages quoted)
  sources disagree: size
    4  http://b.example/y
`
	if got := shown(false); got != want {
		t.Errorf("the answer is shown as\n%s\nwant\n%s", got, want)
	}
	if got := shown(true); !strings.Contains(got, "#:~:text=The ") ||
		!strings.Contains(got, "characters 7–7 of text ") {
		t.Errorf("with proof it lacks links or offsets:\n%s", got)
	}
}

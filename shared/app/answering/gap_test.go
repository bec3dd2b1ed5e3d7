package answering

import (
	"testing"

	"wstk/shared/wstk"
)

// The query of a gap is words to search for, with the name of the site that was searched.
func TestGapsNameTheSite(t *testing.T) {
	for want, urls := range map[string][]string{
		"teacher postgresql": {"https://www.postgresql.org/docs/a", "https://www.postgresql.org/docs/b"},
		"teacher python":     {"https://docs.python.org/3/"},
		"teacher":            {"https://a.example/", "https://b.example/"},
	} {
		r := reply{AskResult: wstk.AskResult{Gaps: []wstk.Gap{{Query: "teacher", Searched: urls}}}}
		r.Extractions = []wstk.Extraction{{Gaps: []wstk.Gap{{Query: "teacher", Searched: urls}}}}
		r.nameSites()
		if r.Gaps[0].Query != want || r.Extractions[0].Gaps[0].Query != want {
			t.Errorf("%q and %q, want %q", r.Gaps[0].Query, r.Extractions[0].Gaps[0].Query, want)
		}
	}
	if got := siteName([]string{"http://127.0.0.1:80/"}); got != "" {
		t.Errorf("an address is called %q", got)
	}
}

package shape

import (
	"cmp"
	"slices"

	"wstk/shared/wstk"
)

// SearchResult is a cited section of a page as a block of content that a model may cite from.
type SearchResult struct {
	Type      string    `json:"type"`
	Source    string    `json:"source"` // the URL of the page
	Title     string    `json:"title"`  // the URL where the page has no title
	Content   []Text    `json:"content"`
	Citations Citations `json:"citations"`
}

// Text is a quote, word for word as it stands on the page.
type Text struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// Citations say whether a model is to cite the block.
type Citations struct {
	Enabled bool `json:"enabled"`
}

// SearchResults are the references of an answer, in their order, with the quotes of each. An answer
// that cites nothing has none.
func SearchResults(r wstk.AnswerResult) []SearchResult {
	quotes := map[string]string{}
	for _, x := range r.Extractions {
		for _, e := range x.Evidence {
			quotes[e.ID] = e.Quote
		}
	}
	out := []SearchResult{}
	for _, ref := range r.References {
		s := SearchResult{Type: "search_result", Source: ref.URL, Title: cmp.Or(ref.Title, ref.URL),
			Citations: Citations{Enabled: true}}
		for _, id := range ref.EvidenceIDs {
			t := Text{"text", quotes[id]}
			if t.Text != "" && !slices.Contains(s.Content, t) { // an empty text is refused
				s.Content = append(s.Content, t)
			}
		}
		if len(s.Content) > 0 {
			out = append(out, s)
		}
	}
	return out
}

package extract

import (
	"context"

	"wstk/shared/stage/extract/choice"
	"wstk/shared/wstk"
)

// Candidate is a unit of a page that may answer, as the choice sees it.
type Candidate struct {
	URL  string
	Text string // what would be quoted
	Row  choice.Row
	Kind string // of what the question asks for
}

// Candidates returns for each question of a query what may answer it, without the choice: what
// tools/fit fits that on.
//
// The error is Cancelled when ctx ends, or the Document function's own.
func (s *Stage) Candidates(
	ctx context.Context, query Query, b wstk.Bucket,
) (questions [][]Candidate, err error) {
	docs, err := s.documents(ctx, b.Pages)
	if err != nil {
		return nil, err
	}
	lang := query.Lang
	if lang == "" {
		lang = commonLanguage(docs)
	}
	parts := partsOf(query.Text)
	none := func(string, int, int) bool { return false }
	for i, part := range parts {
		q := newQuestion(query.Text, part, lang)
		q.call = s.newCall(ctx)
		ranked := b
		if len(query.PartHits) == len(parts) {
			ranked.Hits = query.PartHits[i]
		}
		pages := q.pages(docs, ranked, none)
		weigh(q, pages)
		var out []Candidate
		for _, c := range q.candidates(pages) {
			if c.others || !q.may(&c) {
				continue
			}
			shown := c.page.text(c.unit)
			for _, l := range c.page.listed(c.unit, maxListed) {
				shown += "\n" + l.Statement
			}
			out = append(out, Candidate{URL: c.page.doc.URL, Text: shown, Row: c.row,
				Kind: q.want.kind.String()})
		}
		questions = append(questions, out)
	}
	return questions, stopped(ctx)
}

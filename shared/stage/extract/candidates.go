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

// Posed is a question of a query with what may answer it.
type Posed struct {
	Candidates []Candidate
	Spans      []choice.Span // what may be quoted
	Quotes     []Candidate   // of Spans; without a Row
}

// Candidates returns for each question of a query what may answer it, without the choice: what
// tools/fit fits that on.
//
// The error is Cancelled when ctx ends, or the Document function's own.
func (s *Stage) Candidates(
	ctx context.Context, query Query, b wstk.Bucket,
) (questions []Posed, err error) {
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
	shared := s.newCall(ctx)
	for i, part := range parts {
		q := newQuestion(query.Text, part, lang)
		q.call = shared
		ranked := b
		if len(query.PartHits) == len(parts) {
			ranked.Hits = query.PartHits[i]
		}
		pages := q.pages(docs, ranked, none)
		weigh(q, pages)
		questions = append(questions, q.posed(pages))
	}
	return questions, shared.stopped()
}

// posed returns what may answer a question.
func (q *question) posed(pages []*page) (out Posed) {
	cands := q.rank(pages)
	var may []*candidate
	for i := range cands {
		c := &cands[i]
		if c.others || !q.may(c) {
			continue
		}
		may = append(may, c)
		out.Candidates = append(out.Candidates, Candidate{URL: c.page.doc.URL,
			Text: c.page.shown(c.unit), Row: c.row, Kind: q.want.kind.String()})
	}
	spans, passages := q.spans(may)
	out.Spans = spans
	for i, w := range passages {
		one := Candidate{URL: w.page.doc.URL, Text: w.page.doc.Text[w.start:w.end]}
		if holds := spans[i].Holds; len(holds) == 1 {
			one.Text = out.Candidates[holds[0]].Text
		}
		out.Quotes = append(out.Quotes, one)
	}
	return out
}

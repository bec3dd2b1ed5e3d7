// Package extract proposes answers to a query from stored Documents, by rules and
// statistics, without a model. In go a query and the hits of recall; out come claims, whose
// statements are words of a page, and gaps: what was asked but not found. verify then finds
// the words again, and collate joins the claims.
//
// Begin with the three steps: Classify decides how a query is answered (strategy.go),
// Partition gathers its hits into buckets, one for each item that is asked for
// (partition.go), and Do makes claims from one bucket (stage.go).
package extract

import (
	"context"
	"sort"
	"strings"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Stage extracts claims. It keeps no state; its methods may be called
// concurrently.
type Stage struct {
	// Document returns the newest stored Document of a URL, or NotFound. A page that is not
	// found is left out.
	Document func(ctx context.Context, url string) (*wstk.Document, error)

	// Setting returns which of its text a Document takes back, for a caller that keeps this;
	// nil reads it once for each call.
	Setting func(ctx context.Context, d *wstk.Document) *text.Setting

	Meaning Meaning // its zero value compares by words alone

	// Explain is told why the statement that leads an answer was chosen; nil if no one asks.
	Explain func(ctx context.Context, c Chosen)
}

// Chosen says why a statement leads an answer.
type Chosen struct {
	Belief float64 // how likely it answers, 0 to 1
	Why    string  // what spoke for it, strongest first
}

// Query is what is asked of a bucket.
type Query struct {
	Text     string
	Strategy wstk.Strategy // "" lets Classify decide
	Hints    []string      // fields to look for: "price", "contact e-mail"
	Lang     string        // of the query, BCP 47; "" takes it from the pages

	// PartHits are the hits of each of Parts(Text), where each was recalled by
	// itself; nil takes the bucket's hits for all of them.
	PartHits [][]wstk.Hit

	// Avoid reports whether a span of a page's text must not be quoted, because it
	// was screened as an attempt to instruct its reader. nil avoids nothing.
	Avoid func(url string, byteStart, byteEnd int) bool
}

type avoidFunc func(url string, byteStart, byteEnd int) bool

// Do extracts claims from one bucket, the leading one first, and returns as gaps what was
// asked but not found. No claims means that these pages do not say it; that is not an error.
// Every claim has at least one proposal whose words are in a Document, or whose literal is in
// its structured data. If a page has more than 2 MiB of text, only the passages among the
// bucket's hits are read.
//
// The error is Invalid for a query without words, Cancelled when ctx ends, or the Document
// function's own.
func (s *Stage) Do(
	ctx context.Context, query Query, b wstk.Bucket,
) ([]wstk.Claim, []wstk.Gap, error) {
	if strings.TrimSpace(query.Text) == "" {
		return nil, nil, wstk.Errorf(wstk.Invalid, "extracting", "the query is empty")
	}
	if query.Strategy == "" {
		query.Strategy, _ = Classify(query.Text)
	}
	avoid := query.Avoid
	if avoid == nil {
		avoid = func(string, int, int) bool { return false }
	}
	docs, err := s.documents(ctx, b.Pages)
	if err != nil {
		return nil, nil, err
	}
	lang := query.Lang
	if lang == "" {
		lang = commonLanguage(docs)
	}
	shared := s.newCall(ctx)
	var claims []wstk.Claim
	var gaps []wstk.Gap
	if query.Strategy == wstk.Collection && len(b.Places)+len(b.Title) > 0 {
		q := newQuestion(query.Text, whole(query.Text), lang)
		q.call = shared
		pages := q.pages(docs, b, avoid)
		weigh(q, pages)
		claims, gaps = q.item(pages, b, query.Hints, avoid)
		return stands(claims, pages), gaps, shared.stopped()
	}
	parts := partsOf(query.Text)
	answers := make([]partAnswer, len(parts))
	answered := 0
	for i, part := range parts {
		if err := shared.stopped(); err != nil {
			return nil, nil, err
		}
		a := &answers[i]
		a.question = newQuestion(query.Text, part, lang)
		a.question.call = shared
		ranked := b
		if len(query.PartHits) == len(parts) {
			ranked.Hits = query.PartHits[i]
		}
		a.pages = a.question.pages(docs, ranked, avoid)
		weigh(a.question, a.pages)
		if a.answer(query.Strategy, b.Pages) {
			answered++
		}
	}
	// A part that nothing answers is tried again with less asked of it when
	// another part was answered: these pages are about the matter.
	for i := range answers {
		if a := &answers[i]; answered > 0 && len(a.claims) == 0 {
			a.question.slack = partSlack
			a.answer(query.Strategy, b.Pages)
		}
	}
	for i := range answers {
		a := &answers[i]
		claims = appendNew(claims, leadFirst(stands(a.claims, a.pages), a.pages))
		if g := a.gap; g != nil {
			gaps = append(gaps, *g)
		}
	}
	if len(query.Hints) > 0 {
		q := newQuestion(query.Text, whole(query.Text), lang)
		q.call = shared
		pages := q.pages(docs, b, avoid)
		fields, missing := findFields(pages, b, q.subject(), query.Hints, avoid)
		claims = append(claims, stands(fields, pages)...)
		gaps = append(gaps, missing...)
	}
	return claims, gaps, shared.stopped()
}

// stopped is why the call must end, if it must.
func (c *call) stopped() error {
	if c.err != nil {
		return wstk.Wrap(wstk.Internal, "comparing meaning", c.err)
	}
	return stopped(c.ctx)
}

func stopped(ctx context.Context) error {
	return wstk.Wrap(wstk.Cancelled, "extracting", ctx.Err())
}

// partAnswer is what the pages say to one part of a query.
type partAnswer struct {
	question *question
	pages    []*page
	claims   []wstk.Claim
	gap      *wstk.Gap // what of the part is open
}

// answer fills in claims and gap, and reports whether there are claims.
func (a *partAnswer) answer(strategy wstk.Strategy, searched []string) bool {
	var covers termSet
	if strategy == wstk.Narrative {
		a.claims, covers = a.question.narrative(a.pages)
	} else {
		a.claims, covers = a.question.singular(a.pages)
	}
	if len(a.claims) == 0 {
		gap := a.question.gapOf(searched)
		a.gap = &gap
		return false
	}
	a.gap = a.question.openGap(covers, searched)
	return true
}

func whole(query string) part { return part{extent: extent{0, len(query)}} }

// appendNew leaves out claims that say what an earlier one says.
func appendNew(claims, more []wstk.Claim) []wstk.Claim {
	for _, c := range more {
		repeated := false
		for _, o := range claims {
			repeated = repeated || o.Statement == c.Statement && o.Field == c.Field
		}
		if !repeated {
			claims = append(claims, c)
		}
	}
	return claims
}

func (s *Stage) documents(ctx context.Context, urls []string) ([]*wstk.Document, error) {
	var docs []*wstk.Document
	for _, u := range urls {
		d, err := s.Document(ctx, u)
		if wstk.CodeOf(err) == wstk.NotFound {
			continue
		}
		if err != nil {
			return nil, wstk.Wrap(wstk.Internal, "reading the document of "+u, err)
		}
		docs = append(docs, d)
	}
	return docs, nil
}

// commonLanguage is the language most of docs are in, the first to reach the
// count.
func commonLanguage(docs []*wstk.Document) string {
	n := map[string]int{}
	best := ""
	for _, d := range docs {
		l := d.Meta.Language
		if l == "" {
			l = languageOf(d)
		}
		n[l]++
		if l != "" && n[l] > n[best] || best == "" {
			best = l
		}
	}
	return best
}

// found are the spans of the passages recall found on a page, without overlaps;
// its beginning where there are none.
func found(hits []wstk.Hit, d *wstk.Document) []wstk.Span {
	var spans []wstk.Span
	for _, h := range hits {
		if h.URL == d.URL && h.Span != nil && h.TextSHA256 == d.TextSHA256 {
			spans = append(spans, *h.Span)
		}
	}
	if len(spans) == 0 {
		return []wstk.Span{{ByteEnd: maxWhole}}
	}
	sort.Slice(spans, func(i, j int) bool { return spans[i].ByteStart < spans[j].ByteStart })
	out := spans[:1]
	for _, s := range spans[1:] {
		if last := &out[len(out)-1]; s.ByteStart < last.ByteEnd {
			last.ByteEnd = max(last.ByteEnd, s.ByteEnd)
			continue
		}
		out = append(out, s)
	}
	return out
}

// pages cuts the documents of a bucket, the parts that belong to its places, and
// drops what must not be quoted.
func (q *question) pages(docs []*wstk.Document, b wstk.Bucket, avoid avoidFunc) []*page {
	pages := make([]*page, 0, len(docs))
	for i, d := range docs {
		var spans []wstk.Span
		placed := false
		for _, pl := range b.Places {
			if pl.URL == d.URL {
				placed = true
				if pl.Span != nil {
					spans = append(spans, *pl.Span)
				}
			}
		}
		if placed && spans == nil {
			spans = []wstk.Span{} // an item of structured data: none of the text
		}
		if !placed && len(d.Text) > maxWhole {
			spans = found(b.Hits, d)
		}
		sort.Slice(spans, func(i, j int) bool { return spans[i].ByteStart < spans[j].ByteStart })
		p := newPage(d, q, spans, avoid)
		p.order = i
		p.rankBy(b.Hits)
		pages = append(pages, p)
	}
	return pages
}

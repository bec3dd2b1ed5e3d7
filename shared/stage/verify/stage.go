// Package verify finds claimed words again in stored bytes. In go claims, which a model or a
// rule only proposes; out comes Evidence, with offsets and bound to the hash of its text, and
// beside it what was not found. The package also checks evidence again that was handed out
// earlier, offline, and takes saved results apart for that.
//
// Begin with Stage.Do and Haystack.Find, which verify claims. A saved result goes through
// Read, Stage.Recheck and Binder.Bind.
package verify

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Stage turns proposals into evidence. All fields but Evidence are needed.
type Stage struct {
	// Document returns the newest stored Document of a URL, and whether it is a teaser; or
	// NotFound.
	Document func(ctx context.Context, url string) (d *wstk.Document, partial bool, err error)

	// Blobs holds the raw bodies in which literals of structured data are found.
	Blobs wstk.BlobStore

	// Literal returns the value at a pointer of an element of a stored body (see
	// wstk.DataLeaf), or NotFound.
	Literal func(body []byte, element int, pointer string) (string, error)

	// Avoid reports whether a part of a page's text must not be quoted, because it was screened
	// as words that address a model; nil avoids nothing. What is found there is unsupported.
	Avoid func(ctx context.Context, url string, byteStart, byteEnd int) bool

	// Whole asks for whole sentences: a quote that is a part of some is widened to all of them,
	// and one of a claim without a field that is cells of a row to the whole row. A reader of the
	// part alone does not see what the rest makes of it.
	Whole bool

	// Evidence keeps what was found; nil keeps nothing.
	Evidence wstk.EvidenceStore
}

// Result is a claim and what was found of its proposals: each is in Evidence or in
// Unsupported, in the order in which they were proposed.
type Result struct {
	Claim       wstk.Claim
	Evidence    []wstk.Evidence
	Unsupported []wstk.Unsupported
}

// Do verifies claims. An error means that a store failed (Internal) or that ctx ended
// (Cancelled). Words that are not found and pages that are not stored are results.
func (s *Stage) Do(ctx context.Context, claims []wstk.Claim) ([]Result, error) {
	pages := map[string]*page{}
	results := make([]Result, 0, len(claims))
	var found []wstk.Evidence
	for _, c := range claims {
		r := Result{Claim: c}
		if len(c.Proposed) == 0 {
			r.Unsupported = append(r.Unsupported,
				wstk.Unsupported{Statement: c.Statement, Reason: "no_quote"})
		}
		for _, p := range c.Proposed {
			if err := stopped(ctx); err != nil {
				return nil, err
			}
			pg, err := s.page(ctx, pages, p.URL)
			if err != nil {
				return nil, err
			}
			ev, reason, err := s.one(ctx, pg, p, c.Field == "")
			if err != nil {
				return nil, err
			}
			if reason != "" {
				r.Unsupported = append(r.Unsupported, wstk.Unsupported{
					Statement: c.Statement, Quote: p.Words, URL: p.URL, Reason: reason})
				continue
			}
			r.Evidence = append(r.Evidence, ev)
			found = append(found, ev)
		}
		results = append(results, r)
	}
	if s.Evidence != nil && len(found) > 0 {
		if err := s.Evidence.Put(ctx, found...); err != nil {
			return nil, wstk.Wrap(wstk.Internal, "storing evidence", err)
		}
	}
	return results, nil
}

// stopped is the error of a ctx that ended; nil if it has not.
func stopped(ctx context.Context) error { return wstk.Wrap(wstk.Cancelled, "verifying", ctx.Err()) }

// page is a Document held for the length of one call.
type page struct {
	doc     *wstk.Document
	partial bool
	hay     Haystack
	body    []byte
}

func (s *Stage) page(ctx context.Context, held map[string]*page, url string) (*page, error) {
	if p, ok := held[url]; ok {
		return p, nil
	}
	doc, partial, err := s.Document(ctx, url)
	if wstk.CodeOf(err) == wstk.NotFound {
		held[url] = nil
		return nil, nil
	}
	if err != nil {
		return nil, wstk.Wrap(wstk.Internal, "reading the document of "+url, err)
	}
	p := &page{doc: doc, partial: partial, hay: Haystack{Text: doc.Text}}
	held[url] = p
	return p, nil
}

// one verifies one proposal: evidence, or the reason why there is none.
// With rows set, Whole widens cells to their row.
func (s *Stage) one(
	ctx context.Context, pg *page, p wstk.Proposal, rows bool,
) (wstk.Evidence, string, error) {
	if pg == nil {
		return wstk.Evidence{}, "no_such_page", nil
	}
	if p.Kind == wstk.EvidenceData {
		return s.data(ctx, pg, p)
	}
	span, status, ok := pg.hay.Find(p.Words, p.ByteStart)
	if !ok {
		return wstk.Evidence{}, whyNot(ctx, pg.doc, p.Words), stopped(ctx)
	}
	d := pg.doc
	if s.Whole {
		span = pg.hay.widened(d, span, rows)
	}
	if s.Avoid != nil && s.Avoid(ctx, d.URL, span.ByteStart, span.ByteEnd) {
		return wstk.Evidence{}, "addresses_a_model", nil
	}
	quote := d.Text[span.ByteStart:span.ByteEnd]
	return wstk.Evidence{
		ID:   wstk.TextEvidenceID(d.TextSHA256, span, d.URL),
		Kind: wstk.EvidenceText, Quote: quote,
		CharStart: &span.CharStart, CharEnd: &span.CharEnd, ByteStart: &span.ByteStart,
		ByteEnd:    &span.ByteEnd,
		TextSHA256: d.TextSHA256, SnapshotSHA256: d.SnapshotSHA256,
		URL: d.URL, CanonicalURL: d.CanonicalURL, SectionPath: sectionAt(d, span.ByteStart),
		Page: pageAt(d, span.ByteStart), Flags: d.FlagsIn(span.ByteStart, span.ByteEnd),
		Partial: pg.partial, Sentence: SentenceAt(d, span),
		FetchedAt: d.FetchedAt, PublishedAt: d.Meta.PublishedAt,
		Status: status, Link: pg.hay.link(d.URL, span, pageAt(d, span.ByteStart)),
	}, "", nil
}

// pageAt is the page on which a quote begins, nil in a document without pages.
func pageAt(d *wstk.Document, at int) *int {
	if n := d.PageAt(at); n > 0 {
		return &n
	}
	return nil
}

// link returns a link to a quote. In a page it names the words, and those around them if they
// are there more than once; in a paged document, whose viewers cannot look for words, it
// names the page number.
func (h *Haystack) link(url string, span wstk.Span, page *int) string {
	if page != nil {
		return quoteLink(url, "", page)
	}
	if h.fragments == nil {
		h.fragments = text.NewFragments(h.Text)
	}
	return h.fragments.Link(url, span.ByteStart, span.ByteEnd)
}

// quoteLink is link without the words around.
func quoteLink(url, quote string, page *int) string {
	if page == nil {
		return text.FragmentLink(url, quote)
	}
	url, _, _ = strings.Cut(url, "#")
	return url + "#page=" + strconv.Itoa(*page)
}

// data verifies a literal of structured data in the stored body.
func (s *Stage) data(
	ctx context.Context, pg *page, p wstk.Proposal,
) (wstk.Evidence, string, error) {
	d := pg.doc
	if pg.body == nil {
		body, err := s.Blobs.Get(ctx, d.SnapshotSHA256)
		if wstk.CodeOf(err) == wstk.NotFound {
			return wstk.Evidence{}, "no_such_page", nil
		}
		if err != nil {
			return wstk.Evidence{}, "",
				wstk.Wrap(wstk.Internal, "reading the snapshot of "+d.URL, err)
		}
		pg.body = body
	}
	literal, err := s.Literal(pg.body, p.Element, p.Pointer)
	if err != nil || literal != p.Words || literal == "" {
		return wstk.Evidence{}, "pointer_differs", nil
	}
	element := p.Element
	return wstk.Evidence{
		ID:   wstk.DataEvidenceID(d.SnapshotSHA256, p.Element, p.Pointer, d.URL),
		Kind: wstk.EvidenceData, Quote: literal, Literal: literal,
		TextSHA256: d.TextSHA256, SnapshotSHA256: d.SnapshotSHA256,
		Element: &element, Pointer: p.Pointer, Partial: pg.partial,
		URL: d.URL, CanonicalURL: d.CanonicalURL, SectionPath: []string{},
		FetchedAt: d.FetchedAt, PublishedAt: d.Meta.PublishedAt,
		Status: wstk.StatusDirect, Link: d.URL,
	}, "", nil
}

// whyNot says why words were not found: hidden from readers, or not there at all. It returns
// "" when ctx ends.
func whyNot(ctx context.Context, d *wstk.Document, words string) string {
	words = text.FoldCompare(words)
	if words == "" {
		return "no_quote"
	}
	for _, h := range d.Hidden {
		if ctx.Err() != nil {
			return ""
		}
		if strings.Contains(text.FoldCompare(h.Text), words) {
			return "hidden_text"
		}
	}
	return "not_in_text"
}

func sectionAt(d *wstk.Document, at int) []string {
	if i := d.BlockAt(at); i >= 0 {
		if path := d.SectionPath(d.Blocks[i].Section); path != nil {
			return path
		}
	}
	return []string{}
}

// Recheck checks an Evidence that was handed out: it returns "" if the bytes that its hashes
// name hold exactly what it says, else one clause that says what differs. It trusts only the
// blob store, which compares bytes with their hash. OfPage checks what only the page's
// Document can show. An error means that the store failed, or Cancelled that ctx ended; then
// nothing was checked.
func (s *Stage) Recheck(ctx context.Context, e wstk.Evidence) (string, error) {
	if err := stopped(ctx); err != nil {
		return "", err
	}
	switch e.Kind {
	case wstk.EvidenceText:
		return s.recheckText(ctx, e)
	case wstk.EvidenceData:
		return s.recheckData(ctx, e)
	}
	return "its kind is neither text nor data", nil
}

func (s *Stage) recheckText(ctx context.Context, e wstk.Evidence) (string, error) {
	span, ok := e.Span()
	switch {
	case !ok:
		return "it has no offsets", nil
	case e.Element != nil || e.Pointer != "" || e.Literal != "":
		return "it is a quote but names structured data", nil
	case e.Page != nil && *e.Page < 1:
		return "its page number is less than 1", nil
	}
	stored, missing, err := s.blob(ctx, e.TextSHA256, "text")
	if err != nil || missing != "" {
		return missing, err
	}
	t := string(stored)
	if why := misplaced(t, e.Quote, span); why != "" {
		return why, nil
	}
	switch {
	case e.ID != wstk.TextEvidenceID(e.TextSHA256, span, e.URL):
		return "its id does not belong to this text, span and URL", nil
	case e.Status != wstk.StatusDirect && e.Status != wstk.StatusNormalized:
		return "its status is neither direct nor normalized", nil
	// Links of older versions name no words around the quote.
	case e.Link != quoteLink(e.URL, e.Quote, e.Page) &&
		e.Link != (&Haystack{Text: t}).link(e.URL, span, e.Page):
		return "its link does not lead to this quote on this page", nil
	}
	return "", nil
}

// misplaced says why a quote is not at a place of a text; "" when it is there, whole.
func misplaced(t, quote string, at wstk.Span) string {
	switch {
	case at.ByteStart < 0 || at.ByteEnd > len(t) || at.ByteStart >= at.ByteEnd:
		return "its offsets are outside the text"
	case t[at.ByteStart:at.ByteEnd] != quote:
		return "the text has other words at its offsets"
	case !stands(t, at.ByteStart, at.ByteEnd):
		return "its offsets cut a word or a number"
	case (&Haystack{Text: t}).Span(text.Range{Start: at.ByteStart, End: at.ByteEnd}) != at:
		return "its character offsets do not match its byte offsets"
	}
	return ""
}

func (s *Stage) recheckData(ctx context.Context, e wstk.Evidence) (string, error) {
	switch {
	case e.Element == nil:
		return "it names no element", nil
	case namesPlace(e):
		return "it is structured data but names a place in the text", nil
	case e.Sentence != "" || len(e.Flags) > 0:
		return "it is structured data but has fields of a text quote", nil
	case !e.TextSHA256.Valid():
		return "its text hash is malformed", nil
	}
	body, missing, err := s.blob(ctx, e.SnapshotSHA256, "snapshot")
	if err != nil || missing != "" {
		return missing, err
	}
	literal, err := s.Literal(body, *e.Element, e.Pointer)
	switch {
	case err != nil || literal != e.Literal || e.Quote != e.Literal:
		return "its snapshot has another value at its pointer", nil
	case e.ID != wstk.DataEvidenceID(e.SnapshotSHA256, *e.Element, e.Pointer, e.URL):
		return "its id does not belong to this snapshot, element, pointer and URL", nil
	case e.Status != wstk.StatusDirect:
		return "its status is not direct", nil
	case e.Link != e.URL:
		return "its link does not lead to its page", nil
	}
	return "", nil
}

// namesPlace reports whether an Evidence says where it is in the text of its page.
func namesPlace(e wstk.Evidence) bool {
	return e.CharStart != nil || e.CharEnd != nil || e.ByteStart != nil || e.ByteEnd != nil ||
		e.Page != nil || len(e.SectionPath) > 0
}

// OfPage compares what an Evidence says about its page with d, the Document it is from: it
// returns "" if they agree, else one clause that says what differs. Two things are not
// compared: the time of the fetch, since a page may be fetched again and be the same; and a
// missing sentence, since older versions did not write it.
func OfPage(e wstk.Evidence, d *wstk.Document) string {
	at := []string{}
	var page *int
	var sentence string
	var flags []wstk.Flag
	if span, ok := e.Span(); ok {
		at, page = sectionAt(d, span.ByteStart), pageAt(d, span.ByteStart)
		sentence, flags = SentenceAt(d, span), d.FlagsIn(span.ByteStart, span.ByteEnd)
	}
	switch {
	case e.URL != d.URL:
		return "its page is a different one"
	case e.TextSHA256 != d.TextSHA256:
		return "its text is not that of its page"
	case e.SnapshotSHA256 != d.SnapshotSHA256:
		return "its snapshot is not that of its page"
	case e.CanonicalURL != d.CanonicalURL:
		return "its canonical URL is not that of its page"
	case (e.Page == nil) != (page == nil), page != nil && *e.Page != *page:
		return "its page number is not that of its place"
	case !slices.Equal(e.SectionPath, at):
		return "its section path is not that of its place"
	case e.Kind == wstk.EvidenceData && !hasLeaf(d, e):
		return "it is not a value of its page's structured data"
	case e.Sentence != "" && e.Sentence != sentence:
		return "its sentence is not that of its place"
	case !slices.Equal(e.Flags, flags):
		return "its flags are not those of its place"
	case !wstk.SameTime(e.PublishedAt, d.Meta.PublishedAt):
		return "its page names another date of publication"
	}
	return ""
}

func (s *Stage) blob(
	ctx context.Context, h wstk.Hash, what string,
) (data []byte, missing string, err error) {
	if !h.Valid() {
		return nil, "its " + what + " hash is malformed", nil
	}
	data, err = s.Blobs.Get(ctx, h)
	if wstk.CodeOf(err) == wstk.NotFound {
		return nil, "its " + what + " " + string(h[:12]) + "… is not stored here", nil
	}
	return data, "", err
}

package answering

import (
	"context"
	"time"

	"wstk/shared/stage/verify"
	"wstk/shared/wstk"
)

// Relocate says what became of some Evidence in the newest version of its page that is stored, one
// Relocation for each, in order. Nothing is asked of a site, and nothing is stored.
func (a *Room) Relocate(ctx context.Context, some []wstk.Evidence) ([]wstk.Relocation, error) {
	r := a.newRelocating()
	out := make([]wstk.Relocation, 0, len(some))
	for _, e := range some {
		one, err := r.of(ctx, e)
		if err != nil {
			return out, err
		}
		out = append(out, one)
	}
	return out, nil
}

// relocating relocates several quotes: what it learns of a page, it keeps for the next quote.
type relocating struct {
	*Room
	pages  map[string]stand
	pairs  map[[3]wstk.Hash]*pair // of the quoted text and body, and the Document of today
	checks *checker
}

// stand is a page as it is stored now.
type stand struct {
	page  wstk.Page
	known bool
}

// pair is the quoted version of a page beside the newest one.
type pair struct {
	was, now *wstk.Document // was without blocks where only its text is stored, nil without that
	places   *verify.Relocator
	anew     *pair // the quoted version as this reader reads it; see again
}

func (a *Room) newRelocating() *relocating {
	return &relocating{Room: a, pages: map[string]stand{}, pairs: map[[3]wstk.Hash]*pair{}}
}

// maxPairs is how many pages are kept beside one another.
const maxPairs = 8

// maxLeads is how many redirects and duplicates are followed from a page.
const maxLeads = 3

// of relocates one quote.
func (r *relocating) of(ctx context.Context, e wstk.Evidence) (wstk.Relocation, error) {
	out := wstk.Relocation{EvidenceID: e.ID, URL: e.URL, Was: e.Quote,
		State: wstk.RelocationUnchecked}
	h, err := r.page(ctx, e.URL)
	p := h.page
	for n := 0; err == nil && h.known && leads(p, e) && n < maxLeads; n++ {
		if h, err = r.page(ctx, p.DuplicateOf); h.known {
			p = h.page
		}
	}
	if err != nil {
		return out, err
	}
	out.Verdict, out.FetchedAt, out.CheckedAt = p.Verdict, p.FetchedAt, p.CheckedAt
	switch {
	case !h.known:
		out.Reason = wstk.ReasonNoCopy
	case p.Verdict == wstk.VerdictNotFound || p.Verdict == wstk.VerdictGone:
		out.State, out.Reason = wstk.RelocationGone, wstk.ReasonPageGone
	case p.Document == "":
		out.Reason = wstk.ReasonNotFetched
		out.FetchedAt = time.Time{}
	case holds(p, e) && !p.Verdict.Readable() && !p.Partial:
		out.Reason = wstk.ReasonNotFetched
	case holds(p, e):
		out.State, out.Now = wstk.RelocationIntact, asQuoted(e)
		if p.URL != e.URL {
			out.State, out.Now.URL = wstk.RelocationMoved, p.URL
		}
	default:
		return r.in(ctx, e, p, out)
	}
	return out, nil
}

// asQuoted is the place of a quote whose page is held in the quoted version.
func asQuoted(e wstk.Evidence) *wstk.Relocated {
	return &wstk.Relocated{URL: e.URL, Words: e.Quote, CharStart: e.CharStart, CharEnd: e.CharEnd,
		ByteStart: e.ByteStart, ByteEnd: e.ByteEnd, TextSHA256: e.TextSHA256,
		SnapshotSHA256: e.SnapshotSHA256, SectionPath: e.SectionPath, Flags: e.Flags,
		Element: e.Element, Pointer: e.Pointer, Link: e.Link}
}

// leads reports whether the address of a page leads to another page now, and it is not held in
// the quoted version itself.
func leads(p wstk.Page, e wstk.Evidence) bool {
	return p.DuplicateOf != "" && (p.Document == "" || !holds(p, e))
}

// holds reports whether a page is held in the version that an Evidence quotes.
func holds(p wstk.Page, e wstk.Evidence) bool {
	return p.TextSHA256 == e.TextSHA256 && p.SnapshotSHA256 == e.SnapshotSHA256
}

func (r *relocating) page(ctx context.Context, url string) (stand, error) {
	if h, ok := r.pages[url]; ok {
		return h, nil
	}
	p, err := r.Pages.Get(ctx, url)
	h := stand{page: p, known: err == nil}
	if wstk.CodeOf(err) == wstk.NotFound {
		err = nil
	}
	if err == nil {
		r.pages[url] = h
	}
	return h, err
}

// in relocates a quote in the text that is held of p.
func (r *relocating) in(
	ctx context.Context, e wstk.Evidence, p wstk.Page, out wstk.Relocation,
) (wstk.Relocation, error) {
	both, err := r.pair(ctx, e, p)
	if wstk.CodeOf(err) == wstk.NotFound {
		out.Reason = wstk.ReasonNoText
		return out, nil
	}
	if err != nil {
		return out, err
	}
	found, err := both.places.Relocate(ctx, e)
	if err == nil && found.State != wstk.RelocationIntact && found.State != wstk.RelocationMoved &&
		(both.was == nil || both.was.Reader == "" || both.was.Reader != both.now.Reader) {
		found, err = r.again(ctx, e, both)
	}
	if err != nil {
		return out, err
	}
	out.State, out.Reason, out.Now = found.State, found.Reason, found.Now
	switch {
	case p.Partial && out.Touched():
		out.State, out.Reason, out.Now = wstk.RelocationUnchecked, wstk.ReasonTeaser, nil
	case out.State == wstk.RelocationIntact && (p.URL != e.URL || !samePlace(e, out.Now)):
		out.State = wstk.RelocationMoved // to another page, or by another reader
	}
	return out, nil
}

// samePlace reports whether a quote stands at the offsets that it names.
func samePlace(e wstk.Evidence, now *wstk.Relocated) bool {
	was, isText := e.Span()
	is, _ := wstk.Evidence{CharStart: now.CharStart, CharEnd: now.CharEnd,
		ByteStart: now.ByteStart, ByteEnd: now.ByteEnd}.Span()
	return !isText || was == is
}

// pair loads the quoted version and the one that is held; NotFound if the latter cannot be read.
func (r *relocating) pair(ctx context.Context, e wstk.Evidence, p wstk.Page) (*pair, error) {
	key := [3]wstk.Hash{e.TextSHA256, e.SnapshotSHA256, p.Document}
	if both := r.pairs[key]; both != nil {
		return both, nil
	}
	now, err := r.Reading.Document(ctx, p.Document)
	if err != nil {
		return nil, err
	}
	was, err := r.version(ctx, e)
	if err != nil {
		return nil, err
	}
	both := &pair{was: was, now: now, places: verify.NewRelocator(was, now)}
	if len(r.pairs) == maxPairs { // some 10 MB each at worst
		clear(r.pairs)
	}
	r.pairs[key] = both
	return both, nil
}

// version returns the version of a page that an Evidence quotes, the text alone where no more is
// stored, and nil without that.
func (r *relocating) version(ctx context.Context, e wstk.Evidence) (*wstk.Document, error) {
	all, err := r.Pages.Versions(ctx, e.URL)
	if err != nil {
		return nil, err
	}
	for _, p := range all {
		if holds(p, e) {
			d, err := r.Reading.Document(ctx, p.Document)
			if wstk.CodeOf(err) != wstk.NotFound {
				return d, err
			}
		}
	}
	s, err := r.Blobs.Get(ctx, e.TextSHA256)
	if wstk.CodeOf(err) == wstk.NotFound {
		return nil, nil
	}
	return &wstk.Document{TextSHA256: e.TextSHA256, Text: string(s)}, err
}

// again relocates a quote whose version was read by another version of the reader than the page of
// today, or by one that is not known: what differs may be the reader and not the page. The quoted
// body is read once more, by the reader of today. Where that cannot be done, the quote is not
// checked.
func (r *relocating) again(
	ctx context.Context, e wstk.Evidence, both *pair,
) (wstk.Relocation, error) {
	out := wstk.Relocation{State: wstk.RelocationUnchecked, Reason: wstk.ReasonReader}
	if both.anew == nil {
		both.anew = &pair{}
		was, err := r.reread(ctx, e)
		if err != nil {
			return out, err
		}
		if was != nil && was.Reader == both.now.Reader {
			both.anew = &pair{was: was, now: both.now, places: verify.NewRelocator(was, both.now)}
		}
	}
	if both.anew.was == nil {
		return out, nil
	}
	place, ok := verify.Reread(e, both.anew.was)
	if !ok {
		return out, nil
	}
	return both.anew.places.Relocate(ctx, place)
}

// reread reads the body of an Evidence again; nil if it is not stored, or cannot be read.
func (r *relocating) reread(ctx context.Context, e wstk.Evidence) (*wstk.Document, error) {
	if r.checks == nil {
		r.checks = r.storeChecker()
	}
	fetch, why, err := r.checks.binder.Fetch(ctx, e)
	if err != nil || why != "" || fetch == nil {
		return nil, err
	}
	d, err := readerOf(r.Blobs, r.Read)(ctx, *fetch)
	if err != nil && ctx.Err() == nil {
		return nil, nil
	}
	return d, err
}

package reading

import (
	"context"
	"encoding/json"
	"time"

	"wstk/shared/stage/crawl"
	"wstk/shared/stage/fetch"
	"wstk/shared/stage/read"
	"wstk/shared/stage/screen"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// pageRead is a fetched page and what was made of it.
type Read struct {
	crawl.Fetched
	Body       []byte
	Visibility []byte      // the record of what a browser showed of Body; nil without one
	Steps      []wstk.Step // what the user may try after a refusal
	Held       *wstk.Page

	Base    string // what links of a body that was handed in are relative to; "" for its name
	Refused string // by the page itself: why it may not be used
	agent   string // that asked, whose product token a page may address

	// Unreadable is why a body that came has no Document: its type has no reader.
	Unreadable error
}

// FetchAndRead fetches, reads, screens and stores one page: body and text first,
// then the page that names them.
func (r *Room) FetchAndRead(ctx context.Context, task wstk.FetchTask) (out Read, err error) {
	out.Task = task
	started := time.Now()
	res, err := r.Fetch.Do(ctx, task)
	r.Metrics.Time("fetch", started, err)
	if err != nil {
		return out, err
	}
	err = r.Take(ctx, task.Site, res, &out)
	return out, err
}

// Take reads and screens a stored fetch, and stores what it learns.
func (r *Room) Take(ctx context.Context, site wstk.SiteID, res fetch.Result, out *Read) error {
	out.Snapshot, out.Body, out.Visibility, out.Steps, out.Held = res.Snapshot, res.Body,
		res.Visibility, res.Steps, res.Held
	if out.agent = out.Task.UserAgent; out.agent == "" {
		out.agent = r.Fetch.UserAgent
	}
	snap := res.Snapshot
	if res.Redirect != "" {
		return nil // in a crawl the target is a discovered URL of its own
	}
	p := wstk.Page{URL: snap.FinalURL, Site: site, CanonicalURL: snap.FinalURL,
		Verdict: snap.Verdict, Reason: snap.Reason, CheckedAt: snap.FetchedAt}
	if len(res.Body) > 0 && (snap.Verdict.Readable() || snap.Verdict == wstk.VerdictBlocked ||
		snap.Verdict == wstk.VerdictNotFound || snap.Verdict == wstk.VerdictHTTPError) {
		if err := r.readBody(ctx, res, out, &p); err != nil {
			return err
		}
	}
	if err := r.putPage(ctx, p); err != nil {
		return err
	}
	if p.Document != "" {
		if err := r.keepRead(ctx, p, out); err != nil {
			return err
		}
	}
	if snap.FinalURL == snap.URL {
		return nil
	}
	// A followed redirect: the page is the one it led to, the URL asked for leads there.
	return r.Pages.Put(ctx, wstk.Page{URL: snap.URL, Site: site, CanonicalURL: p.CanonicalURL,
		DuplicateOf: snap.FinalURL,
		Verdict:     p.Verdict, Reason: "redirects to " + snap.FinalURL, CheckedAt: snap.FetchedAt})
}

// keepRead makes sure that what a stored page names is there: other pages may have the same
// text or the same findings, and their site may have been removed just before.
func (r *Room) keepRead(ctx context.Context, p wstk.Page, read *Read) error {
	if err := wstk.KeepBlob(ctx, r.Blobs, p.TextSHA256, []byte(read.Document.Text)); err != nil ||
		p.Screening == "" {
		return err
	}
	data, err := json.Marshal(read.Screening)
	if err != nil {
		return wstk.Wrap(wstk.Internal, "storing screening", err)
	}
	return wstk.KeepBlob(ctx, r.Blobs, p.Screening, data)
}

// readBody makes the Document and the Screening of a body. A type without a reader is no
// failure: the body is kept as bytes.
func (r *Room) readBody(ctx context.Context, res fetch.Result, out *Read, p *wstk.Page) error {
	done, err := Slot(ctx, len(res.Body))
	if err != nil {
		return err
	}
	defer done()
	snap := res.Snapshot
	started := time.Now()
	doc, err := r.Read.Do(ctx, out.Input())
	r.Metrics.Time("read", started, err)
	if wstk.CodeOf(err) == wstk.UnsupportedMediaType {
		out.Unreadable = err
		return nil
	}
	if err != nil {
		return err
	}
	started = time.Now()
	out.Screening, err = r.Screen.Do(ctx,
		screen.Input{Snapshot: snap, Document: doc, Body: res.Body})
	r.Metrics.Time("screen", started, err)
	if err != nil {
		return err
	}
	if p.Verdict, p.Reason = out.Screening.Verdict, out.Screening.Reason; out.Task.NoDetect {
		p.Verdict, p.Reason = snap.Verdict, snap.Reason
	}
	if reason, refused := out.Rights(doc).
		Refuses(wstk.PurposeAIInput); refused && out.Task.Usage == wstk.UsageRespect {
		p.Verdict, p.Reason = wstk.VerdictRefusedPolicy, reason
		out.Refused = reason
	}
	if p.Partial, err = r.teaser(ctx, *p, out.Screening); err != nil {
		return err
	}
	if !p.Verdict.Readable() && !p.Partial {
		return nil // a wall is kept as bytes; its words are not the page's
	}
	started = time.Now()
	out.Document = doc
	if out.Stored, err = wstk.SaveDocument(ctx, r.Blobs, doc); err != nil {
		return err
	}
	out.Screening.FetchedBy, out.Screening.FetchedVia = snap.FetchedBy, snap.FetchedVia
	if len(out.Screening.Findings) > 0 || p.Partial || snap.FetchedBy != "" {
		data, err := json.Marshal(out.Screening)
		if err != nil {
			return wstk.Errorf(wstk.Internal, "storing screening", "%w", err)
		}
		if p.Screening, err = r.Blobs.Put(ctx, data); err != nil {
			return err
		}
	}
	r.Metrics.Time("store", started, nil)
	p.CanonicalURL, p.Title, p.Language = doc.CanonicalURL, text.Prefix(doc.Meta.Title, maxField),
		text.Prefix(doc.Meta.Language, maxField)
	p.SnapshotSHA256, p.TextSHA256, p.Document = snap.BodySHA256, doc.TextSHA256, out.Stored
	p.ETag, p.LastModified, p.FetchedAt = snap.ETag, snap.LastModified, snap.FetchedAt
	p.PublishedAt, p.ModifiedAt = doc.Meta.PublishedAt, doc.Meta.ModifiedAt
	return nil
}

// teaser reports whether a page that is blocked is to be kept as a teaser: not where its
// whole text is held, which a paywall of today does not take away.
func (r *Room) teaser(ctx context.Context, p wstk.Page, found wstk.Screening) (bool, error) {
	if !found.Partial || p.Verdict != wstk.VerdictBlocked {
		return false, nil
	}
	old, err := r.Pages.Get(ctx, p.URL)
	if wstk.CodeOf(err) == wstk.NotFound {
		return true, nil
	}
	return old.Document == "" || old.Partial, err
}

// Partial reports whether the Document is a teaser.
func (p Read) Partial() bool { return p.Document != nil && p.Screening.Partial && !p.Task.NoDetect }

// Rights is what the site says the page may be used for; doc may be nil.
func (p Read) Rights(doc *wstk.Document) wstk.Rights {
	return wstk.PageRights(p.Snapshot, doc, wstk.ProductToken(p.agent))
}

func (p Read) Input() read.Input {
	in := ReadInput(p.Snapshot, p.Body, p.Visibility)
	if p.Base != "" {
		in.Base = p.Base
	}
	return in
}

// ReadInput is what the reader is given of a stored fetch. visibility is the record that
// the snapshot names; nil where it names none.
func ReadInput(snap wstk.Snapshot, body, visibility []byte) read.Input {
	in := read.Input{URL: snap.FinalURL, Body: body, Visibility: visibility,
		ContentType: snap.ContentType, Charset: snap.Charset,
		Headers: snap.Headers, SnapshotSHA256: snap.BodySHA256, FetchedAt: snap.FetchedAt}
	if by := snap.Access; by != nil && by.Kind == wstk.AccessAPI {
		in.Base = by.Page // an API gives the links of the page
	}
	return in
}

// maxField bounds what a page says of itself, in its record: the whole stands in its
// Document. A record is at most 400 KB in DynamoDB.
const maxField = 4 << 10

// putPage stores the page's newest state. What is held of it survives a fetch that
// brought no text: a wall today does not take away what was read yesterday.
func (r *Room) putPage(ctx context.Context, p wstk.Page) error {
	old, err := r.Pages.Get(ctx, p.URL)
	switch {
	case wstk.CodeOf(err) == wstk.NotFound:
		return r.Pages.Put(ctx, p)
	case err != nil:
		return err
	}
	if p.Site == "" {
		p.Site = old.Site
	}
	if p.Document == "" {
		kept := old
		kept.Verdict, kept.Reason, kept.CheckedAt, kept.Site = p.Verdict, p.Reason,
			p.CheckedAt, p.Site
		if p.Verdict == wstk.VerdictNotModified { // the text held is that of the page
			if kept.Verdict, kept.Reason = old.Verdict, old.Reason; !old.Verdict.Readable() {
				kept.Verdict, kept.Reason = wstk.VerdictOK, ""
			}
		}
		return r.Pages.Put(ctx, kept)
	}
	if old.TextSHA256 == p.TextSHA256 {
		p.IndexedAt, p.DuplicateOf = old.IndexedAt, old.DuplicateOf
	}
	return r.Pages.Put(ctx, p)
}

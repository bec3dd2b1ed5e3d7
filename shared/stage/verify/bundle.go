package verify

import (
	"context"
	"slices"
	"time"

	"wstk/shared/wstk"
)

// Bundle is an open proof bundle: a result, and the bytes it refers to.
type Bundle interface {
	wstk.BlobStore
	Reply() []byte
	Blobs() []wstk.Hash     // all that it holds beside the result
	Documents() []wstk.Hash // those that are structures of pages, see wstk.SaveDocument
	Fetches() []wstk.Hash   // those that are fetches, each a wstk.Snapshot as JSON
	Close() error
}

// Records reads the structures of pages and the fetches of a bundle. A record of another
// form, or with more than it should have, is Conflict. The error is Cancelled, or Timeout, if
// ctx ends before.
func Records(
	ctx context.Context, b Bundle,
) (docs []*wstk.Document, fetches []wstk.Snapshot, err error) {
	const op = "reading the bundle"
	defer func() { // what was not read to its end has no fault
		if why := stopped(ctx); why != nil {
			docs, fetches, err = nil, nil, why
		}
	}()
	load := func(h wstk.Hash, v any) error {
		data, err := b.Get(ctx, h)
		if err == nil {
			err = Record(ctx, data, v)
		}
		return err
	}
	for _, h := range b.Documents() {
		var d wstk.Document
		if err := load(h, &d); err != nil {
			return nil, nil, wstk.Errorf(wstk.Conflict, op, "the page %s: %w", h, err)
		}
		text, err := b.Get(ctx, d.TextSHA256)
		if err != nil {
			return nil, nil, wstk.Errorf(wstk.Conflict, op, "the text of the page %s: %w", h, err)
		}
		if d.Text != "" {
			return nil, nil, wstk.Errorf(wstk.Conflict, op,
				"the page %s holds a text inside its structure", h)
		}
		d.Text = string(text)
		docs = append(docs, &d)
	}
	for _, h := range b.Fetches() {
		var s wstk.Snapshot
		if err := load(h, &s); err != nil {
			return nil, nil, wstk.Errorf(wstk.Conflict, op, "the fetch %s: %w", h, err)
		}
		for _, o := range fetches {
			if o.FinalURL == s.FinalURL && o.FetchedAt.Equal(s.FetchedAt) {
				return nil, nil, wstk.Errorf(wstk.Conflict, op,
					"it has two different records of one fetch of %s", s.FinalURL)
			}
		}
		fetches = append(fetches, s)
	}
	return docs, fetches, nil
}

// Unneeded finds what a bundle holds although no quote of its result needs it.
func Unneeded(
	b Bundle, saved *Saved, docs []*wstk.Document, fetches []wstk.Snapshot,
) (faults []Fault) {
	needed := map[wstk.Hash]bool{}
	need := func(hashes ...wstk.Hash) {
		for _, h := range hashes {
			needed[h] = true
		}
	}
	quoted := func(url string, body wstk.Hash, at time.Time) bool {
		return slices.ContainsFunc(saved.Evidence, func(e Given) bool {
			return e.URL == url && e.SnapshotSHA256 == body && e.FetchedAt.Equal(at)
		})
	}
	for _, e := range saved.Evidence {
		need(e.TextSHA256, e.SnapshotSHA256)
	}
	for i, d := range docs {
		if quoted(d.URL, d.SnapshotSHA256, d.FetchedAt) {
			need(b.Documents()[i], d.TextSHA256)
		}
	}
	for i, s := range fetches {
		if quoted(s.FinalURL, s.BodySHA256, s.FetchedAt) {
			need(b.Fetches()[i], s.VisibilitySHA256)
		}
	}
	for _, h := range b.Blobs() {
		if !needed[h] {
			faults = append(faults, Fault{Path: string(h),
				Why: "the bundle holds it, but no quote needs it"})
		}
	}
	return faults
}

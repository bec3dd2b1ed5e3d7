package app

import (
	"context"
	"slices"

	"wstk/shared/wstk"
)

// Text returns a text that evidence refers to, of whichever version of its page. The store
// of blobs holds much else (requests, replies, bodies of pages): only a hash that stored
// evidence names as its text is answered, all others are NotFound.
func (a *App) Text(ctx context.Context, h wstk.Hash) ([]byte, error) {
	missing := func() error {
		return wstk.Errorf(wstk.NotFound, "", "no stored evidence refers to a text %q", string(h)).
			WithNext("take text_sha256 of an evidence; the text of a page as it is held now is what read gives")
	}
	if !h.Valid() {
		return nil, missing()
	}
	named, err := a.Verify.Evidence.Naming(ctx, h, 0)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(named, func(e wstk.Evidence) bool { return e.TextSHA256 == h }) {
		return nil, missing()
	}
	return a.Blobs.Get(ctx, h)
}

package looking

import (
	"context"
	"slices"

	"wstk/shared/app/reading"
	"wstk/shared/stage/screen"
	"wstk/shared/wstk"
)

// Text returns a text that evidence refers to, of whichever version of its page. The store
// of blobs holds much else (requests, replies, bodies of pages): only a hash that stored
// evidence names as its text is answered, all others are NotFound.
func (l *Room) Text(ctx context.Context, h wstk.Hash) ([]byte, error) {
	missing := func() error {
		return wstk.Errorf(wstk.NotFound, "", "no stored evidence refers to a text %q", string(h)).
			Try(wstk.Advice("use the text_sha256 of an evidence; read gives the text of a page as " +
				"it is stored now"))
	}
	if !h.Valid() {
		return nil, missing()
	}
	named, err := l.Verify.Evidence.Naming(ctx, h, 0)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(named, func(e wstk.Evidence) bool { return e.TextSHA256 == h }) {
		return nil, missing()
	}
	return l.Blobs.Get(ctx, h)
}

// ReadVersion returns a page in the version whose text has the hash h, the newest where
// several are, and what a reader is warned of. Where only evidence names the text, as
// after the removal of a site, it is the text alone, with the page that it was quoted from.
// NotFound when nothing stored has this text; a hash that is none is Invalid.
func (l *Room) ReadVersion(
	ctx context.Context, h wstk.Hash,
) (reading.StoredPage, []wstk.Warning, error) {
	if !h.Valid() {
		return reading.StoredPage{}, nil,
			wstk.Errorf(wstk.Invalid, "", "%q is not a SHA-256 (64 digits 0-9 and a-f)", string(h)).
				Try(wstk.Step{Do: wstk.DoRead, For: "use the text_sha256 of an evidence, or of a page",
					Options: []wstk.Option{wstk.OptJSON.On()}})
	}
	named, err := l.Pages.Naming(ctx, h, reading.MostNaming)
	if err != nil {
		return reading.StoredPage{}, nil, err
	}
	versions := slices.DeleteFunc(named, func(p wstk.Page) bool {
		return p.TextSHA256 != h || p.Document == ""
	})
	if len(versions) == 0 {
		return l.quotedText(ctx, h)
	}
	d, screening, err := l.Reading.ReadState(ctx,
		slices.MaxFunc(versions, func(p, q wstk.Page) int {
			return p.CheckedAt.Compare(q.CheckedAt)
		}))
	if err != nil {
		return reading.StoredPage{}, nil, err
	}
	return reading.NewStoredPage(d, screening),
		append(screen.Warnings(screening, d), d.Warnings...), nil
}

// quotedText is ReadVersion of a text that no page names any more.
func (l *Room) quotedText(
	ctx context.Context, h wstk.Hash,
) (reading.StoredPage, []wstk.Warning, error) {
	body, err := l.Text(ctx, h)
	if wstk.CodeOf(err) == wstk.NotFound {
		return reading.StoredPage{}, nil, wstk.Errorf(wstk.NotFound, "",
			"no stored page and no stored evidence has a text with the SHA-256 %s", h).
			Try(wstk.Step{Do: wstk.DoRead,
				For: "use the text_sha256 of an evidence; to see what is stored of a page now"})
	}
	if err != nil {
		return reading.StoredPage{}, nil, err
	}
	named, err := l.Verify.Evidence.Naming(ctx, h, 1)
	if err != nil {
		return reading.StoredPage{}, nil, err
	}
	d := &wstk.Document{TextSHA256: h, Text: string(body), Blocks: []wstk.Block{},
		Sections: []wstk.Section{}, Links: []wstk.Link{}, Data: []wstk.DataItem{}}
	for _, e := range named {
		d.URL, d.CanonicalURL, d.SnapshotSHA256, d.FetchedAt = e.URL, e.CanonicalURL,
			e.SnapshotSHA256, e.FetchedAt
	}
	return reading.StoredPage{Document: d}, []wstk.Warning{{Code: "text_only",
		Message: "Of this version only the text is stored: its page was removed, but evidence " +
			"refers to the text."}}, nil
}

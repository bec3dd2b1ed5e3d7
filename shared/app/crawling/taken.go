package crawling

import (
	"context"
	"slices"
	"sync"
	"time"

	"wstk/shared/app/reading"
	"wstk/shared/wstk"
)

// taken is what one batch of a removal removes. All of its URLs are removed, so that bytes which
// only they share are not needed any more.
type taken struct {
	w     *removal
	cited citations
	urls  map[string]bool // of the batch

	mu    sync.Mutex
	by    map[string]*takenPage
	blobs map[wstk.Hash]string // that are removed, by the first URL that named them
}

// takenPage is what is removed of one URL.
type takenPage struct {
	page     bool        // it is a page, and not just an address
	left     bool        // an earlier removal left something of it, and no page is there any more
	kept     bool        // a kept answer cites it
	rows     []time.Time // snapshots, by the time of the fetch
	evidence int
}

func newTaken(w *removal, cited citations) *taken {
	return &taken{w: w, cited: cited, urls: map[string]bool{}, by: map[string]*takenPage{},
		blobs: map[wstk.Hash]string{}}
}

// takePage removes the bytes of a page: what was read of it in any version, and what its
// fetches brought.
func (b *taken) takePage(ctx context.Context, p wstk.Page) error {
	versions, err := b.w.room.Pages.Versions(ctx, p.URL)
	if err != nil {
		return err
	}
	t := b.of(p.URL)
	t.page = true
	for _, v := range versions {
		cited, err := b.isCited(ctx, v.TextSHA256, t, p.URL)
		if err != nil {
			return err
		}
		t.kept = t.kept || cited
		for _, h := range []wstk.Hash{v.Document, v.Screening, v.TextSHA256} {
			if err := b.drop(ctx, p.URL, h, nil); err != nil {
				return err
			}
		}
	}
	return b.takeFetches(ctx, p.URL, t)
}

// takeLeft removes the texts that an earlier removal left of a page, and the fetches of the page
// if it is not stored any more.
func (b *taken) takeLeft(ctx context.Context, url string, texts []wstk.Hash) error {
	t := b.of(url)
	t.left = b.urls[url]
	for _, h := range texts {
		cited, err := b.isCited(ctx, h, t, url)
		if err != nil {
			return err
		}
		t.kept = t.kept || cited
		if err := b.drop(ctx, url, h, nil); err != nil {
			return err
		}
	}
	if !t.left {
		return nil
	}
	return b.takeFetches(ctx, url, t)
}

// takeFetches removes the bytes that the fetches of a URL brought, except for what a kept
// answer cites. t may be nil.
func (b *taken) takeFetches(ctx context.Context, url string, t *takenPage) error {
	if t == nil {
		t = b.of(url)
	}
	fetches, err := b.w.room.Snapshots.List(ctx, url, maxSnapshots)
	if err != nil {
		return err
	}
	for _, s := range fetches {
		if s.FetchedAt.After(b.w.Settled) { // it came since, and not for the site
			continue
		}
		if s.BodySHA256 != "" {
			cited, err := b.isCited(ctx, s.BodySHA256, t, url, s.FinalURL)
			if err != nil {
				return err
			}
			if cited {
				t.kept = true
				continue
			}
			if err := b.drop(ctx, url, s.BodySHA256, nil); err != nil {
				return err
			}
			if err := b.drop(ctx, url, s.VisibilitySHA256, &s); err != nil {
				return err
			}
		}
		t.rows = append(t.rows, s.FetchedAt)
	}
	return nil
}

// takeRows removes the rows of the fetches whose bytes are gone.
func (b *taken) takeRows(ctx context.Context, url string) error {
	t := b.of(url)
	return b.w.room.Snapshots.Remove(ctx, url, t.rows...)
}

// letGo keeps a page that was fetched again since the removal began. It belongs to no site any
// more.
func (b *taken) letGo(ctx context.Context, p wstk.Page) error {
	t := b.of(p.URL)
	t.page, t.kept = true, true
	p.Site = ""
	return b.w.room.Pages.Put(ctx, p)
}

func (b *taken) of(url string) *takenPage {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.by[url] == nil {
		b.by[url] = &takenPage{}
	}
	return b.by[url]
}

// isCited reports whether evidence of one of these URLs names a text or a body. It first removes
// the evidence of the first URL that no kept answer cites.
func (b *taken) isCited(
	ctx context.Context, h wstk.Hash, t *takenPage, urls ...string,
) (bool, error) {
	for h != "" {
		naming, err := b.w.room.Verify.Evidence.Naming(ctx, h, reading.MostNaming)
		if err != nil {
			return false, err
		}
		var gone []string
		cited := false
		for _, e := range naming {
			switch {
			case b.cited != nil && e.URL == urls[0] && !b.cited.has(e.URL, e.ID):
				gone = append(gone, e.ID)
			case slices.Contains(urls, e.URL):
				cited = true
			}
		}
		if len(gone) > 0 {
			if err := b.w.room.Verify.Evidence.Remove(ctx, gone...); err != nil {
				return false, err
			}
			t.evidence += len(gone)
		}
		if cited || len(gone) == 0 || len(naming) < reading.MostNaming {
			return cited || len(naming) == reading.MostNaming, nil
		}
	}
	return false, nil
}

func (c citations) has(url, evidence string) bool {
	at := c[url]
	return at != nil && slices.Contains(at.Evidence, evidence)
}

// drop deletes a blob unless something that stays names it. A worker that names the blob at the
// same moment stores it once more after naming it, and drop stores it again if it is named
// afterwards: one of the two sees the other. of is the fetch that h shows the visibility of; nil
// for other blobs.
func (b *taken) drop(ctx context.Context, url string, h wstk.Hash, of *wstk.Snapshot) error {
	if h == "" {
		return nil
	}
	named, err := b.named(ctx, h, of)
	if err != nil || named {
		return err
	}
	b.mu.Lock()
	if first, known := b.blobs[h]; !known || url < first {
		b.blobs[h] = url
	}
	b.mu.Unlock()
	blobs := b.w.room.Blobs
	data, err := blobs.Get(ctx, h)
	if code := wstk.CodeOf(err); code == wstk.NotFound {
		return nil
	} else if code != "" && code != wstk.Internal { // damaged bytes are deleted, too
		return err
	}
	if err := blobs.Delete(ctx, h); err != nil {
		return err
	}
	if named, err = b.named(ctx, h, of); err != nil || !named || data == nil {
		return err
	}
	_, err = blobs.Put(ctx, data)
	return err
}

// named reports whether something that stays names a blob.
func (b *taken) named(ctx context.Context, h wstk.Hash, of *wstk.Snapshot) (bool, error) {
	body := h
	if of != nil {
		body = of.BodySHA256
	}
	fetches, err := b.w.room.Snapshots.WithBody(ctx, body, maxSnapshots)
	if err != nil {
		return false, err
	}
	for _, s := range fetches {
		if b.stays(s) && (of == nil || s.VisibilitySHA256 == h) {
			return true, nil
		}
	}
	if of != nil {
		return false, nil
	}
	pages, err := b.w.room.Pages.Naming(ctx, h, reading.MostNaming)
	if err != nil || len(pages) == reading.MostNaming {
		return true, err
	}
	if slices.ContainsFunc(pages, func(p wstk.Page) bool { return !b.urls[p.URL] }) {
		return true, nil
	}
	evidence, err := b.w.room.Verify.Evidence.Naming(ctx, h, 1)
	return len(evidence) > 0, err
}

// stays reports whether a fetch is kept.
func (b *taken) stays(s wstk.Snapshot) bool {
	return !b.urls[s.URL] || s.FetchedAt.After(b.w.Settled)
}

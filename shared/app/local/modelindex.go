package local

import (
	"context"
	"fmt"

	"wstk/shared/adapter/vector"
	"wstk/shared/app"
	"wstk/shared/stage/index"
	"wstk/shared/wstk"
)

// pagesAtOnce is how many pages are looked up at once.
const pagesAtOnce = 200

// Lacking asks the store of the data directory, if there is one.
func (m *modelShelf) Lacking(ctx context.Context) (int, error) {
	if m.stored != nil {
		a, err := m.stored(ctx)
		if a == nil || err != nil {
			return 0, err
		}
		return a.ModelFiles.Lacking(ctx)
	}
	pages, err := m.lacking(ctx)
	return len(pages), err
}

// lacking returns the addresses of the pages that Lacking counts, in order.
func (m *modelShelf) lacking(ctx context.Context) (out []string, err error) {
	if m.pages == nil {
		return nil, nil
	}
	for cursor := ""; ; {
		pages, next, err := m.app.Pages.List(ctx, "", cursor, pagesAtOnce)
		if err != nil {
			return nil, err
		}
		var urls []string
		for _, p := range pages {
			urls = append(urls, p.URL)
		}
		held, err := m.pages.Vectors.Held(ctx, m.pages.Embedder.Info().ID(), urls...)
		if err != nil {
			return nil, err
		}
		for _, p := range pages {
			at, ok := held[p.URL]
			if p.Document != "" && !p.IndexedAt.IsZero() && (!ok || at.Before(p.FetchedAt)) {
				out = append(out, p.URL)
			}
		}
		if cursor = next; next == "" {
			return out, nil
		}
	}
}

// Index works on the store that was opened with the embedder.
func (m *modelShelf) Index(
	ctx context.Context, progress func(done, of int),
) (app.ModelIndexing, error) {
	var out app.ModelIndexing
	if m.pages == nil {
		return out, wstk.Errorf(wstk.Unprocessable, "", "no embedder was added or configured, so "+
			"there are no vectors to make").Try(wstk.Step{Do: wstk.DoListModels,
			For: "see which models can be used"})
	}
	out.Model = m.pages.Embedder.Info().Name
	pages, err := m.lacking(ctx)
	if err != nil {
		return out, err
	}
	out.Lacking = len(pages)
	by := *m.pages
	by.Embedder = billed{by.Embedder, &out.Usage}
	for i, url := range pages {
		if progress != nil {
			progress(i, len(pages))
		}
		err := m.embedPage(ctx, by, url)
		if ctx.Err() != nil {
			return out, wstk.Wrap(wstk.Cancelled, "indexing by "+out.Model, ctx.Err())
		}
		if failsForAll(err) {
			return out, err
		}
		if err != nil {
			out.Warnings = append(out.Warnings, wstk.Warning{Code: "no_vectors", URL: url,
				Message: fmt.Sprintf("the page has no vectors, since %v", err)})
			continue
		}
		out.Pages++
		out.Lacking--
	}
	return out, nil
}

// billed is an embedder that adds up what it costs. It is not safe for concurrent use.
type billed struct {
	wstk.Embedder
	usage *wstk.Usage
}

func (c billed) Embed(
	ctx context.Context, purpose wstk.EmbedPurpose, texts ...string,
) (wstk.EmbedReply, error) {
	reply, err := c.Embedder.Embed(ctx, purpose, texts...)
	c.usage.Add(reply.Usage)
	return reply, err
}

// failsForAll reports whether the vectors of the next page will fail for the same reason.
func failsForAll(err error) bool {
	switch wstk.CodeOf(err) {
	case wstk.Unauthorized, wstk.RateLimited, wstk.ModelFailed, wstk.Unprocessable,
		wstk.RefusedAddress:
		return true
	}
	return false
}

// embedPage makes the vectors of a page as it stands now. Its words are not indexed again.
func (m *modelShelf) embedPage(ctx context.Context, by vector.Index, url string) error {
	p, err := m.app.Pages.Get(ctx, url)
	if gone(p, err) {
		return nil // removed meanwhile
	}
	if err != nil {
		return err
	}
	doc, err := wstk.LoadDocument(ctx, m.app.Blobs, p.Document)
	if err != nil {
		return err
	}
	built, err := m.app.Indexing.Build(ctx, index.Input{Page: p, Document: doc})
	if err != nil {
		return err
	}
	if err := by.Embed(ctx, built); err != nil {
		return err
	}
	if p, err = m.app.Pages.Get(ctx, url); gone(p, err) {
		return m.pages.Vectors.Remove(ctx, url) // the removal of its site came between
	}
	return err
}

// gone reports whether the text of a page is no longer stored.
func gone(p wstk.Page, err error) bool {
	return wstk.CodeOf(err) == wstk.NotFound || err == nil && p.Document == ""
}

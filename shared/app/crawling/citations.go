package crawling

import (
	"context"
	"maps"
	"slices"
	"strings"

	"wstk/shared/wstk"
)

// citations are what kept answers cite of a site, by URL.
type citations map[string]*citation

type citation struct {
	Runs     []wstk.RunID `json:"runs"`
	Evidence []string     `json:"evidence"`
	Texts    []wstk.Hash  `json:"texts"`
}

// cite reads a batch of the answers that are kept, and notes which evidence of the site
// they cite.
func (w *removal) cite(ctx context.Context) (over bool, err error) {
	all, err := w.citations(ctx)
	if err != nil {
		return false, err
	}
	kind, cursor := w.citing()
	runs, next, err := w.room.Runs.List(ctx, wstk.RunFilter{Kind: kind}, cursor, removalBatch)
	if err != nil {
		return false, err
	}
	left, err := w.left(ctx)
	if err != nil {
		return false, err
	}
	ofSite := map[string]bool{}
	found := false
	for _, r := range runs {
		theirs, _, err := w.room.Answers.CitedBy(ctx, r)
		if err != nil {
			return false, err
		}
		for _, id := range slices.Sorted(maps.Keys(theirs)) {
			url := theirs[id].URL
			if _, known := ofSite[url]; !known {
				p, err := w.room.Pages.Get(ctx, url)
				if err != nil && wstk.CodeOf(err) != wstk.NotFound {
					return false, err
				}
				_, was := left[url]
				ofSite[url] = was || err == nil && p.Site == w.Site
			}
			if ofSite[url] {
				all.add(theirs[id], r.ID)
				found = true
			}
		}
	}
	over = w.afterCiting(kind, next)
	if found {
		if w.Cited, err = w.keepCitations(ctx, all); err != nil {
			return false, err
		}
	}
	return over, nil
}

// citing is the kind of runs that the cursor is in, and the cursor within it.
func (w *removal) citing() (wstk.RunKind, string) {
	kind, cursor, ok := strings.Cut(w.Cursor, "/")
	if !ok { // of the first kind, which has no name before it
		return wstk.CitingKinds()[0], w.Cursor
	}
	return wstk.RunKind(kind), cursor
}

// afterCiting moves the cursor behind a batch, and reports whether it was the last.
func (w *removal) afterCiting(kind wstk.RunKind, next string) (over bool) {
	kinds := wstk.CitingKinds()
	if next == "" {
		at := slices.Index(kinds, kind) + 1
		if at == len(kinds) {
			return true
		}
		kind = kinds[at]
	}
	if w.Cursor = next; kind != kinds[0] {
		w.Cursor = string(kind) + "/" + next
	}
	return false
}

func (c citations) add(e wstk.Evidence, run wstk.RunID) {
	at := c[e.URL]
	if at == nil {
		at = &citation{}
		c[e.URL] = at
	}
	if !slices.Contains(at.Evidence, e.ID) {
		at.Evidence = append(at.Evidence, e.ID)
	}
	if !slices.Contains(at.Texts, e.TextSHA256) {
		at.Texts = append(at.Texts, e.TextSHA256)
	}
	if !slices.Contains(at.Runs, run) {
		at.Runs = append(at.Runs, run)
	}
}

// left returns what an earlier removal left: texts, by the URL of their page.
func (w *removal) left(ctx context.Context) (map[string][]wstk.Hash, error) {
	if w.Before == "" {
		return nil, nil
	}
	before, err := wstk.GetJSON[removalResult](ctx, w.room.Blobs, w.Before)
	return before.Left, err
}

func (w *removal) citations(ctx context.Context) (citations, error) {
	if w.Cited == "" {
		return citations{}, nil
	}
	return wstk.GetJSON[citations](ctx, w.room.Blobs, w.Cited)
}

// keepCitations stores citations as a part of the run. Earlier ones are parts of it as well, so
// that the end of the run finds all of them.
func (w *removal) keepCitations(ctx context.Context, c citations) (wstk.Hash, error) {
	h, err := wstk.PutJSON(ctx, w.room.Blobs, c)
	if err != nil {
		return h, err
	}
	parts, err := w.room.Runs.Parts(ctx, w.run.ID)
	if err != nil {
		return h, err
	}
	return h, w.room.Runs.AddPart(ctx, w.run.ID, wstk.Part{N: len(parts), Data: h})
}

// runs returns the answers that cite something, each once, in order.
func (c citations) runs() (out []wstk.RunID) {
	for _, at := range c {
		out = append(out, at.Runs...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

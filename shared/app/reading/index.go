package reading

import (
	"context"

	"wstk/shared/stage/index"
	"wstk/shared/wstk"
)

// PageTask carries a page between fetch, summarize and index.
type PageTask struct {
	Run      wstk.RunID       `json:"run_id"`
	Site     wstk.SiteID      `json:"site_id"`
	URL      string           `json:"url"`
	Document wstk.Hash        `json:"document"`
	Summary  *wstk.SummaryKey `json:"summary,omitempty"`
}

// IndexPage makes a page findable, as it stands now: a second delivery of its fetch may
// have stored it again since the message was sent.
func (r *Room) IndexPage(ctx context.Context, t PageTask) error {
	p, err := r.Pages.Get(ctx, t.URL)
	if wstk.CodeOf(err) == wstk.NotFound || err == nil && p.Document == "" {
		return nil
	}
	if err != nil {
		return err
	}
	doc, err := wstk.LoadDocument(ctx, r.Blobs, p.Document)
	if err != nil {
		return err
	}
	in := index.Input{Page: p, Document: doc}
	if t.Summary != nil && t.Summary.TextSHA256 == doc.TextSHA256 {
		s, err := r.Summaries.Get(ctx, *t.Summary)
		if err != nil {
			return err
		}
		in.Summary = &s
	}
	if _, err = r.Indexing.Do(ctx, in); err != nil {
		return err
	}
	if held, err := r.Held(ctx, t.URL); err != nil || held {
		return err
	}
	return r.Index.Remove(ctx, t.URL) // the removal of its site came between
}

// Held reports whether a text of a page is held. The code that stored something of a page asks
// after that, and the removal of a site takes the page's text before all else, so that of
// two at once one sees the other.
func (r *Room) Held(ctx context.Context, url string) (bool, error) {
	p, err := r.Pages.Get(ctx, url)
	if wstk.CodeOf(err) == wstk.NotFound {
		return false, nil
	}
	return p.Document != "", err
}

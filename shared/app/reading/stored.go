package reading

import (
	"context"
	"encoding/json"

	"wstk/shared/wstk"
)

// StoredPage is a page as it is stored.
type StoredPage struct {
	*wstk.Document
	Verdict wstk.Verdict `json:"verdict,omitempty"` // blocked where Partial is set
	// the text is a teaser: the page breaks off behind a paywall
	Partial bool `json:"partial,omitempty"`
}

func NewStoredPage(d *wstk.Document, s wstk.Screening) StoredPage {
	if !s.Partial {
		return StoredPage{Document: d}
	}
	return StoredPage{Document: d, Verdict: s.Verdict, Partial: true}
}

// Stored reads what is held of a page. A page without a Document is NotFound.
func (r *Room) Stored(ctx context.Context, url string) (*wstk.Document, wstk.Screening, error) {
	p, err := r.StateOf(ctx, url)
	if err != nil {
		return nil, wstk.Screening{}, err
	}
	return r.ReadState(ctx, p)
}

// StateOf returns the state of a page that names the Document it stands for.
func (r *Room) StateOf(ctx context.Context, url string) (wstk.Page, error) {
	p, err := r.Pages.Get(ctx, url)
	if err == nil && p.Document == "" && p.DuplicateOf != "" {
		p, err = r.Pages.Get(ctx, p.DuplicateOf)
	}
	if err == nil && p.Document == "" {
		err = wstk.Errorf(wstk.NotFound, "", "%s has no stored text: %s %s", url,
			p.Verdict, p.Reason)
	}
	return p, err
}

// ReadState reads what a state of a page names.
func (r *Room) ReadState(ctx context.Context, p wstk.Page) (*wstk.Document, wstk.Screening, error) {
	var screening wstk.Screening
	d, err := r.Document(ctx, p.Document)
	if wstk.CodeOf(err) == wstk.NotFound {
		err = wstk.Errorf(wstk.Internal, "reading what is stored of "+p.URL,
			"its text is missing: %w", err)
	}
	if err != nil {
		return nil, screening, err
	}
	if p.Screening != "" {
		data, err := r.Blobs.Get(ctx, p.Screening)
		if err != nil {
			return nil, screening, err
		}
		if err := json.Unmarshal(data, &screening); err != nil {
			return nil, screening, wstk.Errorf(wstk.Internal, "reading screening", "%w", err)
		}
	}
	return d, screening, nil
}

package web

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"wstk/shared/app/answering"
	"wstk/shared/stage/read"
	"wstk/shared/wstk"
)

// inertPolicy is the Content-Security-Policy of a stored page: of its own it may do
// nothing, and it may stand in a frame of ours alone.
const inertPolicy = "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri " +
	"'none'; frame-ancestors 'self'; sandbox"

// place says how a quote can be shown where it stands.
type place string

const (
	onPage place = "page" // marked among the elements of the page
	inText place = "text" // marked in the text that was read from the body
	noMark place = "data" // it is no visible text: the page is shown without a mark
	noPage place = "none" // neither page nor text is stored any more
)

// proof is a quote with what proves it.
type proof struct {
	wstk.Evidence
	Place    place
	Frame    string // the address of what the frame shows
	Snapshot *wstk.Snapshot
	Since    answering.Since // what became of it on its page
}

func (h *handler) evidence(r *http.Request) (view, error) {
	e, err := h.app.Verify.Evidence.Get(r.Context(), r.PathValue("id"))
	if err != nil {
		return view{}, err
	}
	p := proof{Evidence: e, Place: noPage}
	_, snap, place, err := h.inertFor(r.Context(), e)
	switch wstk.CodeOf(err) {
	case "":
		p.Place = place
		p.Frame = "/web/pages/" + string(e.SnapshotSHA256) + "?" +
			url.Values{"evidence": {e.ID}}.Encode() + "#quote"
	case wstk.NotFound:
	default:
		return view{}, err
	}
	if snap.BodySHA256 != "" {
		p.Snapshot = &snap
	}
	if p.Since, err = h.app.Answering.Since(r.Context(), e); err != nil {
		return view{}, err
	}
	return view{page: "evidence", section: "answers", title: "A quote on its page", data: p}, nil
}

// inert serves a stored page that does nothing, with the quote of ?evidence marked.
func (h *handler) inert(r *http.Request) (view, error) {
	hash := wstk.Hash(r.PathValue("sha256"))
	if !hash.Valid() {
		return view{}, wstk.Errorf(wstk.NotFound, "", "there is no such page")
	}
	e := wstk.Evidence{SnapshotSHA256: hash, Kind: wstk.EvidenceData}
	if id := r.URL.Query().Get("evidence"); id != "" {
		var err error
		if e, err = h.app.Verify.Evidence.Get(r.Context(), id); err != nil {
			return view{}, err
		}
		if e.SnapshotSHA256 != hash {
			return view{}, wstk.Errorf(wstk.NotFound, "", "this quote is of another page")
		}
	}
	page, _, _, err := h.inertFor(r.Context(), e)
	return view{serve: func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Security-Policy", inertPolicy)
		w.Header().Set("X-Frame-Options", "SAMEORIGIN")
		w.Header().Set("Referrer-Policy", "no-referrer")
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Length", strconv.Itoa(len(page)))
		w.Write(page)
	}}, err
}

// inertFor makes the inert page of an Evidence, and says where its quote is marked. The
// page is parsed once more before it is sent: only when the marked words are the quote
// is it the page, and else the text that the quote's offsets refer to. NotFound when
// neither is stored.
func (h *handler) inertFor(
	ctx context.Context, e wstk.Evidence,
) ([]byte, wstk.Snapshot, place, error) {
	var (
		page  []byte
		where place
		exact bool
	)
	snap, err := h.app.Reading.ShowPage(ctx, e.SnapshotSHA256, func(s *read.Shown) {
		page, where, exact = onItsPage(s, e)
	})
	switch wstk.CodeOf(err) {
	case "":
		if exact {
			return page, snap, where, nil
		}
	case wstk.UnsupportedMediaType, wstk.NotFound:
	default:
		return nil, snap, noPage, err
	}
	hash := e.TextSHA256
	if hash == "" { // a page without a quote that is no page of HTML
		d, err := h.textOf(ctx, snap)
		if err != nil {
			return nil, snap, noPage, err
		}
		return inertText(d.Text, wstk.Span{}), snap, noMark, nil
	}
	text, err := h.app.Blobs.Get(ctx, hash)
	if err != nil {
		return nil, snap, noPage, err
	}
	span, ok := e.Span()
	if !ok {
		return inertText(string(text), wstk.Span{}), snap, noMark, nil
	}
	return inertText(string(text), span), snap, inText, nil
}

// textOf is what was read of a snapshot that is held now.
func (h *handler) textOf(ctx context.Context, snap wstk.Snapshot) (*wstk.Document, error) {
	p, err := h.app.Pages.Get(ctx, snap.FinalURL)
	if err != nil {
		return nil, err
	}
	if p.Document == "" || p.SnapshotSHA256 != snap.BodySHA256 {
		return nil, wstk.Errorf(wstk.NotFound, "", "no text of this page is stored")
	}
	return wstk.LoadDocument(ctx, h.app.Blobs, p.Document)
}

// onItsPage marks a quote among the elements of its page; not ok where other words stand
// there.
func onItsPage(shown *read.Shown, e wstk.Evidence) (page []byte, where place, ok bool) {
	span, isText := e.Span()
	if !isText {
		return inertPage(shown, nil), noMark, true
	}
	pieces, ok := shown.Find(span) // another version of the reader may have made the text
	if !ok {
		return nil, "", false
	}
	page = inertPage(shown, pieces)
	return page, onPage, marked(page) == bare(e.Quote)
}

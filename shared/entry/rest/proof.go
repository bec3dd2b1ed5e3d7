package rest

import (
	"bytes"
	"mime"
	"net/http"
	"strings"
	"time"

	"wstk/shared/wstk"
)

func (h *handler) evidence(r *http.Request) (reply, error) {
	if err := noQuery(r); err != nil {
		return reply{}, err
	}
	e, err := h.app.Verify.Evidence.Get(r.Context(), r.PathValue("id"))
	if err != nil {
		return reply{}, err
	}
	var links []string
	if e.TextSHA256 != "" {
		links = append(links, "</texts/"+string(e.TextSHA256)+
			`>; rel="describedby"; type="text/plain"`)
	}
	if e.SnapshotSHA256 != "" {
		links = append(links, "</snapshots/"+string(e.SnapshotSHA256)+`>; rel="original"`)
	}
	return reply{body: e, links: links}, nil
}

// snapshot sends the body of a snapshot as it was received. Pages are sent as text and
// everything as an attachment: what a site wrote must not run under our address.
func (h *handler) snapshot(r *http.Request) (reply, error) {
	if err := noQuery(r); err != nil {
		return reply{}, err
	}
	hash := wstk.Hash(r.PathValue("sha256"))
	if !hash.Valid() {
		return reply{}, wstk.Errorf(wstk.NotFound, "", "there is no snapshot %q", string(hash))
	}
	snap, err := h.app.Snapshots.Get(r.Context(), hash)
	if err != nil {
		return reply{}, err
	}
	body, err := h.app.Blobs.Get(r.Context(), hash)
	if err != nil {
		return reply{}, err
	}
	kind, ending := harmless(snap.ContentType, snap.Charset)
	return h.stored(r, hash, body, kind, ending), nil
}

// text sends the text of a page, in whichever version evidence refers to.
func (h *handler) text(r *http.Request) (reply, error) {
	if err := noQuery(r); err != nil {
		return reply{}, err
	}
	hash := wstk.Hash(r.PathValue("sha256"))
	body, err := h.app.Looking.Text(r.Context(), hash)
	if err != nil {
		return reply{}, err
	}
	return h.stored(r, hash, body, "text/plain; charset=utf-8", ".txt"), nil
}

// stored sends bytes that never change as an attachment that does nothing, a range of
// them, or, where they are too long, the address to have them from.
func (h *handler) stored(r *http.Request, hash wstk.Hash, body []byte, kind, ending string) reply {
	if h.opts.Large != nil && tooLong(body) {
		if address, ok := h.opts.Large(r.Context(), hash); ok {
			return reply{serve: func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Location", address)
				w.Header().Set("Referrer-Policy", "no-referrer")
				w.WriteHeader(http.StatusTemporaryRedirect)
			}}
		}
	}
	return reply{serve: func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", kind)
		w.Header().Set("Content-Disposition", `attachment; filename="`+string(hash)+ending+`"`)
		w.Header().Set("Content-Security-Policy", "default-src 'none'; sandbox")
		w.Header().Set("Cache-Control", "private, max-age=31536000, immutable")
		w.Header().Set("ETag", `"`+string(hash)+`"`)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
	}}
}

// harmless is the content type, and the ending of a file name, under which a stored
// body may be sent. What a browser would run is text, what is unknown is bytes.
func harmless(contentType, charset string) (kind, ending string) {
	switch contentType {
	case "application/json", "application/ld+json":
		return "application/json", ".json"
	case "application/pdf":
		return contentType, ".pdf"
	case "image/png", "image/jpeg", "image/gif", "image/webp":
		return contentType, "." + strings.TrimPrefix(contentType, "image/")
	}
	if strings.HasPrefix(contentType, "text/") || strings.HasSuffix(contentType, "xml") ||
		strings.HasSuffix(contentType, "javascript") {
		if charset == "" {
			return "text/plain", ".txt"
		}
		if kind = mime.FormatMediaType("text/plain",
			map[string]string{"charset": charset}); kind == "" {
			kind = "text/plain"
		}
		return kind, ".txt"
	}
	return "application/octet-stream", ".bin"
}

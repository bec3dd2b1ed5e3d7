package rest

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"wstk/shared/wstk"
)

// changing serves one page that says what it is told to.
func changing(t *testing.T, first string) (address string, say func(string)) {
	var page atomic.Value
	page.Store(first)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		io.WriteString(w, page.Load().(string))
	}))
	t.Cleanup(web.Close)
	return web.URL, func(s string) { page.Store(s) }
}

// After a page has changed and was read again, the proof of an earlier answer stands as
// before: the evidence, its text by hash with the quote at its offsets, and the body.
func TestTheProofStandsAfterARefresh(t *testing.T) {
	h := newHome(t, Options{})
	old := "<title>Mark 3</title><h1>Größe</h1><p>The Mark 3 pump reaches a working pressure of 9 bar. It weighs 14 kg.</p>"
	address, say := changing(t, old)
	begun := h.json(202, "POST", "/sites", map[string]any{"url": address})
	h.wait("/sites/" + get(begun, "site.id").(string))
	x := h.wait("/extractions/" + get(h.json(202, "POST", "/extractions", `{"query": "What working pressure does the Mark 3 reach?"}`), "run.id").(string))
	e := get(x, "extractions.0.evidence.0").(map[string]any)
	say(strings.Replace(old, "9 bar", "12 bar", 1))
	h.json(202, "POST", "/sites/"+get(begun, "site.id").(string)+"/refresh", nil)
	h.wait("/sites/" + get(begun, "site.id").(string))
	if now := h.json(200, "POST", "/read", map[string]any{"url": address}); now["text_sha256"] == e["text_sha256"] {
		t.Fatal("the page has not changed")
	}

	found := h.call("GET", "/evidence/"+e["id"].(string), nil)
	links := strings.Join(found.Header().Values("Link"), ", ")
	target, body := "/texts/"+e["text_sha256"].(string), "/snapshots/"+e["snapshot_sha256"].(string)
	if found.Code != 200 || !strings.Contains(links, "<"+target+">") || !strings.Contains(links, "<"+body+">") {
		t.Errorf("%d, links %s", found.Code, links)
	}
	w := h.call("GET", target, nil)
	text := w.Body.String()
	if w.Code != 200 || wstk.HashOf([]byte(text)) != wstk.Hash(e["text_sha256"].(string)) {
		t.Fatalf("%d %q; want w.Code == 200 && wstk.HashOf([]byte(text)) == wstk.Hash(e[\"text_sha256\"].(string))", w.Code, text)
	}
	if got := text[int(e["byte_start"].(float64)):int(e["byte_end"].(float64))]; got != e["quote"] || !strings.Contains(got, "9 bar") {
		t.Errorf("at the offsets stands %q", got)
	}
	head := w.Header()
	if head.Get("Content-Type") != "text/plain; charset=utf-8" || !strings.Contains(head.Get("Cache-Control"), "immutable") ||
		!strings.HasPrefix(head.Get("Content-Disposition"), "attachment") || head.Get("X-Content-Trust") != "untrusted" {
		t.Errorf("%v", head)
	}
	if w := h.call("GET", target, nil, "Range", "bytes=0-3"); w.Code != 206 || w.Body.String() != text[:4] {
		t.Errorf("range: %d %q", w.Code, w.Body)
	}
	if w := h.call("GET", target, nil, "If-None-Match", head.Get("ETag")); w.Code != 304 || head.Get("ETag") == "" {
		t.Errorf("conditional: %d", w.Code)
	}
	if w := h.call("HEAD", target, nil); w.Code != 200 || w.Body.Len() != 0 {
		t.Errorf("HEAD: %d", w.Code)
	}
	if w := h.call("GET", body, nil); w.Code != 200 || w.Body.String() != old {
		t.Errorf("the body: %d %s", w.Code, w.Body)
	}
}

// Of what else lies in the store of blobs nothing is a text.
func TestOnlyTextsAreTexts(t *testing.T) {
	big := bytes.Repeat([]byte("0123456789abcdef"), MaxBody/16+1)
	h := open(t, Options{Large: func(_ context.Context, h wstk.Hash) (string, bool) {
		return "https://bucket.example/" + string(h), true
	}})
	ctx := context.Background()
	var hashes []wstk.Hash
	for _, data := range [][]byte{[]byte(`{"query": "somebody's question"}`), []byte("<p>A body</p>"), big} {
		hash, err := h.app.Blobs.Put(ctx, data)
		if err != nil {
			t.Fatal(err)
		}
		hashes = append(hashes, hash)
	}
	request, body, long := hashes[0], hashes[1], hashes[2]
	e := wstk.Evidence{ID: "ev_0123456789abcdef01234567", Kind: wstk.EvidenceText, Quote: "0",
		TextSHA256: long, SnapshotSHA256: body, FetchedAt: time.Now()}
	if err := h.app.Verify.Evidence.Put(ctx, e); err != nil {
		t.Fatal(err)
	}
	for about, hash := range map[string]string{"a request": string(request), "a body": string(body),
		"nothing": strings.Repeat("0", 64), "no hash": "none", "a long name": strings.Repeat("f", 65)} {
		v := h.json(404, "GET", "/texts/"+hash, nil)
		if v["code"] != "not_found" || len(v["next"].([]any)) == 0 {
			t.Errorf("%s: %v; want v[\"code\"] == \"not_found\" && len(v[\"next\"].([]any)) != 0", about, v)
		}
	}
	if w := h.call("GET", "/texts/"+string(long), nil); w.Code != 307 || w.Header().
		Get("Location") != "https://bucket.example/"+string(long) || w.Header().Get("Referrer-Policy") != "no-referrer" {
		t.Errorf("a large text: %d %v", w.Code, w.Header())
	}
}

// A page behind a paywall is read: what it shows, and that it is a part.
func TestATeaserIsReadWithItsVerdict(t *testing.T) {
	h := newHome(t, Options{})
	address, _ := changing(t, `<!doctype html><title>The new dam</title><meta property="og:type" content="article">
<script type="application/ld+json">{"@type":"NewsArticle","headline":"The new dam","isAccessibleForFree":false}</script>
<article><h1>The new dam</h1><p>The new dam above the village is eleven metres high, two metres higher than the one that the flood took.</p>
<p>To read the rest, subscribe to continue reading.</p></article>`)
	begun := h.json(202, "POST", "/sites", map[string]any{"url": address})
	site := h.wait("/sites/" + get(begun, "site.id").(string))
	if get(site, "accounting.blocked") != 1.0 {
		t.Errorf("the accounting is %v", site["accounting"])
	}
	page := h.json(200, "POST", "/read", map[string]any{"url": address})
	if page["verdict"] != "blocked" || page["partial"] != true || !strings.Contains(page["text"].(string), "eleven metres") {
		t.Errorf("%v, partial %v: %v", page["verdict"], page["partial"], page["text"])
	}
}

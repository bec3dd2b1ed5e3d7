package wstktest

import (
	"testing"
	"time"

	"wstk/shared/wstk"
)

// CaptureStore checks the promises of wstk.CaptureStore. damage overwrites one file of a
// stored capture.
func CaptureStore(
	t *testing.T, open func(t *testing.T) wstk.CaptureStore,
	damage func(t *testing.T, c wstk.Capture, name string, data []byte),
) {
	at := time.Date(2026, 1, 31, 12, 1, 2, 0, time.UTC)
	capture := func(url string, at time.Time) wstk.Capture {
		return wstk.Capture{Manifest: wstk.CaptureManifest{CapturedAt: at, Tool: "wstk 1",
			Snapshot: wstk.Snapshot{URL: url, FinalURL: url},
			Files: []wstk.CaptureFile{
				{Role: wstk.RoleBody, ContentType: "text/html", Data: []byte("<p>" + url)},
				{Role: wstk.RoleMarkdown, ContentType: "text/markdown", Data: []byte("x\n")},
				{Role: wstk.RoleScreenshot, ContentType: "image/png", Data: []byte("png")}}}}
	}

	t.Run("LoadReturnsWhatWasPut", func(t *testing.T) {
		s := open(t)
		for _, url := range []string{"https://Example.org:8080/a", "file:///tmp/ä b.html", "stdin:", "http://../../x/", "https://[2001:db8::1]/"} {
			put, err := s.Put(bg, capture(url, at))
			must(t, err)
			got, err := s.Load(bg, put)
			must(t, err)
			body, ok := got.File(wstk.RoleBody)
			if !ok || string(body.Data) != "<p>"+url || body.SHA256 != wstk.HashOf(body.Data) ||
				body.Bytes != int64(len(body.Data)) || body.Name != "body.html" {
				t.Errorf("%s: body %+v", url, body)
			}
			if md, ok := got.File(wstk.RoleMarkdown); !ok || md.Name != "page.md" ||
				string(md.Data) != "x\n" {
				t.Errorf("%s: Markdown %+v", url, md)
			}
			if got.Manifest.Format != wstk.CaptureFormat {
				t.Errorf("format %q", got.Manifest.Format)
			}
		}
	})

	t.Run("PutTwiceIsPutOnce", func(t *testing.T) {
		s := open(t)
		first, err := s.Put(bg, capture("https://a.example/", at))
		must(t, err)
		second, err := s.Put(bg, capture("https://a.example/", at))
		must(t, err)
		list, err := s.List(bg)
		must(t, err)
		if first.Dir != second.Dir || len(list) != 1 {
			t.Errorf("%s and %s, %d listed", first.Dir, second.Dir, len(list))
		}
	})

	t.Run("ListIsNewestFirst", func(t *testing.T) {
		s := open(t)
		if list, err := s.List(bg); err != nil || len(list) != 0 {
			t.Errorf("an empty store: %d, %v", len(list), err)
		}
		for i, after := range []time.Duration{time.Hour, 0, 48 * time.Hour} {
			_, err := s.Put(bg, capture("https://a.example/"+string(rune('0'+i)), at.Add(after)))
			must(t, err)
		}
		list, err := s.List(bg)
		must(t, err)
		order := ""
		for _, c := range list {
			order += c.Manifest.Snapshot.URL[len("https://a.example/"):]
		}
		if order != "201" {
			t.Errorf("order %s", order)
		}
	})

	t.Run("LoadTellsChangedFiles", func(t *testing.T) {
		s := open(t)
		put, err := s.Put(bg, capture("https://a.example/", at))
		must(t, err)
		damage(t, put, "page.md", []byte("y\n"))
		_, err = s.Load(bg, put)
		wantCode(t, "Load", err, wstk.Conflict)
	})

	t.Run("LoadTellsChangedManifests", func(t *testing.T) {
		s := open(t)
		put, err := s.Put(bg, capture("https://a.example/", at))
		must(t, err)
		for _, text := range []string{`{"format":"wstk-evidence/1","snapshot":{"url":"https://forged.example/"},"files":[]}`, "{}", "rubbish"} {
			damage(t, put, "manifest.json", []byte(text))
			list, err := s.List(bg)
			must(t, err)
			if len(list) != 1 {
				t.Fatalf("%s: %d listed", text, len(list))
			}
			_, err = s.Load(bg, list[0])
			wantCode(t, "Load", err, wstk.Conflict)
		}
	})
}

//go:build unix

package chrome

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"wstk/shared/adapter/safehttp"
	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
)

// BenchmarkRender measures a page that a script makes: with the browser's start and end
// (cold), and in a browser that runs (warm).
func BenchmarkRender(b *testing.B) {
	if _, err := Find(""); err != nil {
		wstktest.Skip(b, err)
	}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Write([]byte(`<!doctype html><p id=a></p><script>a.textContent = "words ".repeat(500)</script>`))
	}))
	defer site.Close()
	client, err := safehttp.New(safehttp.Config{AllowPrivate: true})
	if err != nil {
		b.Fatal(err)
	}
	defer client.Close()
	open := func() *Renderer {
		r, err := New(Config{Gate: func() (Gate, error) {
			return client.OpenGate(safehttp.GateOptions{})
		}})
		if err != nil {
			b.Fatal(err)
		}
		return r
	}
	render := func(r *Renderer) {
		if _, err := r.Render(context.Background(), wstk.RenderRequest{URL: site.URL}); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("cold", func(b *testing.B) {
		for b.Loop() {
			r := open()
			render(r)
			r.Close()
		}
	})
	b.Run("warm", func(b *testing.B) {
		r := open()
		defer r.Close()
		render(r)
		for b.Loop() {
			render(r)
		}
	})
}

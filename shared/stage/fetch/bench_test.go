package fetch_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"wstk/shared/adapter/memory"
	"wstk/shared/adapter/safehttp"
	"wstk/shared/stage/fetch"
	"wstk/shared/wstk"
)

// BenchmarkDo fetches 14 KB pages, the mean of a documentation site, from loopback
// into memory stores, one after the other.
func BenchmarkDo(b *testing.B) {
	page := bytes.Repeat([]byte("<p>A paragraph of documentation, of the usual length.</p>\n"), 240)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Write(page)
	}))
	defer server.Close()
	client, err := safehttp.New(safehttp.Config{AllowPrivate: true})
	if err != nil {
		b.Fatal(err)
	}
	defer client.Close()
	m := memory.New()
	s := &fetch.Stage{Client: client, Blobs: m.Blobs, Snapshots: m.Snapshots, Hosts: m.Hosts,
		Known: m.Pages.Get,
		Robots: func(
			context.Context, string, string, wstk.RobotsPolicy,
		) (fetch.RobotsDecision, error) {
			return fetch.RobotsDecision{Allowed: true}, nil
		}}
	for i := 0; b.Loop(); i++ {
		if _, err := s.Do(b.Context(),
			wstk.FetchTask{URL: fmt.Sprintf("%s/%d", server.URL, i)}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "pages/s")
}

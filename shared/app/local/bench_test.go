package local_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"syscall"
	"testing"

	"wstk/shared/app/crawling"
)

// BenchmarkIngest crawls a folder served on loopback, from fetch to index:
// WSTK_BENCH_SITE, or the bundled site. With -cpuprofile it shows where an ingest
// spends its time; tools/bench measures the program as a whole.
func BenchmarkIngest(b *testing.B) {
	dir := os.Getenv("WSTK_BENCH_SITE")
	if dir == "" {
		dir = "../../../testdata/sites/sqlite"
	}
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer server.Close()
	pages, cpu := 0, 0.0
	for b.Loop() {
		b.StopTimer()
		c := testConfig(b)
		c.Crawl.MaxPages, c.Origin["crawl.max_pages"] = 20_000, "test"
		a := open(b, c)
		before := cpuSeconds()
		b.StartTimer()
		res, err := a.Crawling.Ingest(context.Background(),
			crawling.IngestRequest{URL: server.URL + "/index.html"})
		if err != nil {
			b.Fatal(err)
		}
		pages += res.Accounting.Stored()
		cpu += cpuSeconds() - before
	}
	b.ReportMetric(float64(pages)/b.Elapsed().Seconds(), "pages/s")
	b.ReportMetric(1000*cpu/float64(max(1, pages)), "cpu-ms/page")
}

// cpuSeconds is the processor time this process has used.
func cpuSeconds() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// Command library shows the system used from another Go module: open it on a folder,
// ingest a site, ask, and check the proof.
package main

import (
	"context"
	"fmt"
	"log"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"

	"wstk/shared/app/crawling"
	"wstk/shared/app/local"
	"wstk/shared/wstk"
)

const page = `<html lang="en"><title>The P-9 pump</title><main><h1>The P-9 pump</h1>
<p>The P-9 is our smallest pump and the one most people buy for a garden of ordinary size.</p>
<p>The maximum pressure of the P-9 pump is 9 bar. It weighs 7.5 kg without the hose.</p></main></html>`

func main() {
	if err := run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
	site := httptest.NewServer(
		http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, page) }))
	defer site.Close()
	dir, err := os.MkdirTemp("", "research-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)

	settings, err := local.Settings().Load(func(string) string { return "" }, dir)
	if err != nil {
		return err
	}
	settings.DataDir, settings.CacheDir = filepath.Join(dir, "data"), filepath.Join(dir, "cache")
	settings.AllowPrivate = true // the site of this example is on loopback

	research, err := local.Open(ctx, settings, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	defer research.Close()

	crawl, err := research.Crawling.Ingest(ctx, crawling.IngestRequest{URL: site.URL + "/"})
	if err != nil {
		return err
	}
	fmt.Println("pages:", crawl.Pages, "adds up:", crawl.Accounting.Balanced())

	answer, err := research.Answering.Ask(ctx,
		wstk.AskQuery{Query: "What is the maximum pressure of the pump?", Strict: true})
	if err != nil {
		return err
	}
	for _, x := range answer.Extractions {
		for _, e := range x.Evidence {
			why, err := research.Verify.Recheck(ctx, e)
			if err != nil {
				return err
			}
			fmt.Printf("%q stands: %v\n", e.Quote, why == "")
		}
	}
	return nil
}

package local_test

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

// Open gives all of the system on this machine, in one folder, with every setting and port.
// A program that only reads sites and asks uses package research.
func ExampleOpen() {
	ctx := context.Background()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `<html lang="en"><title>The P-9 pump</title><main><h1>The P-9 pump</h1>
<p>The P-9 is our smallest pump and the one most people buy for a garden of ordinary size.</p>
<p>The maximum pressure of the P-9 pump is 9 bar.</p></main></html>`)
	}))
	defer site.Close()
	dir, err := os.MkdirTemp("", "research-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	// no environment variable
	settings, err := local.Settings().Load(func(string) string { return "" }, dir)
	if err != nil {
		log.Fatal(err)
	}
	settings.DataDir, settings.CacheDir = filepath.Join(dir, "data"), filepath.Join(dir, "cache")
	settings.AllowPrivate = true // the site of this example is on loopback
	research, err := local.Open(ctx, settings, slog.New(slog.DiscardHandler))
	if err != nil {
		log.Fatal(err)
	}
	defer research.Close()

	crawl, err := research.Crawling.Ingest(ctx, crawling.IngestRequest{URL: site.URL + "/"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("pages:", crawl.Pages)

	answer, err := research.Answering.Ask(ctx, wstk.AskQuery{Query: "What is the maximum pressure of the pump?", Strict: true})
	if err != nil {
		log.Fatal(err)
	}
	x := answer.Extractions[0]
	fmt.Println(x.Grounding, x.Statements[0].Statement)

	why, err := research.Verify.Recheck(ctx, x.Evidence[0])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%q stands: %v\n", x.Evidence[0].Quote, why == "")
	// Output:
	// pages: 1
	// single_source The maximum pressure of the P-9 pump is 9 bar.
	// "The maximum pressure of the P-9 pump is 9 bar." stands: true
}

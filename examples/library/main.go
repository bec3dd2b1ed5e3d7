// Command library shows the system used from another Go module: open it on a folder,
// ingest a site, ask, and check the proof.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"os"

	"wstk/shared/research"
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

	r, err := research.Open(ctx, research.Options{Dir: dir,
		// the site of this example is on loopback
		Settings: map[string]string{"fetch.allow_private": "true"}})
	if err != nil {
		return err
	}
	defer r.Close()

	crawl, err := r.Ingest(ctx, site.URL+"/", research.Crawl{})
	if err != nil {
		return err
	}
	fmt.Println("pages:", crawl.Pages, "adds up:", crawl.Accounting.Balanced())

	answer, err := r.Ask(ctx, "What is the maximum pressure of the pump?")
	if err != nil {
		return err
	}
	for _, x := range answer.Extractions {
		fmt.Printf("%q is quoted from %s\n", x.Evidence[0].Quote, x.Sources[0].Title)
	}
	report, err := r.Verify(ctx, answer)
	if err != nil {
		return err
	}
	fmt.Println("verified:", report.Verified, "failed:", report.Failed)
	return nil
}

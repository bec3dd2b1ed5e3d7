// Command client works with a running server through a generated client, as an integrator
// would: client SERVER TOKEN SITE. It is built in a module of its own, beside the package
// that is generated into it.
package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
	"time"

	"client/wstk"
)

func main() {
	log.SetFlags(0)
	address, token, root := os.Args[1], os.Args[2], os.Args[3]
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	c := open(address, token)

	ready, err := c.ReadyWithResponse(ctx)
	must(err)
	check(ready.JSON200 != nil, "the server is not ready: %s", ready.Body)

	sites, err := c.ListSitesWithResponse(ctx, nil)
	must(err)
	check(sites.JSON200 != nil && len(sites.JSON200.Sites) == 1 && sites.JSON200.Sites[0].Site.Root == root+"/",
		"the list of sites is %s", sites.Body)
	id := sites.JSON200.Sites[0].Site.Id
	status := siteStatus(ctx, c, id)
	a := status.Accounting
	check(a.Discovered == a.Fetched+a.NotModified+a.Redirected+a.DuplicateOf+a.NotFound+a.RefusedRobots+a.RefusedPolicy+
		a.OutOfScope+a.OverDepth+a.OverBudget+a.Trap+a.Blocked+a.NeedsRender+a.TooLarge+a.Failed+a.Open,
		"the accounting does not add up: %+v", a)

	limit := 3
	hits, err := c.RecallWithResponse(ctx, &wstk.RecallParams{Q: "wal network filesystem", Limit: &limit})
	must(err)
	check(hits.JSON200 != nil && len(hits.JSON200.Hits) > 0, "recall: %s", hits.Body)
	page := read(ctx, c, hits.JSON200.Hits[0].Url)
	check(page.Blocks != nil && len(*page.Blocks) > 0, "the page has no blocks")

	began, err := c.BeginExtractionWithResponse(ctx, nil,
		wstk.BeginExtractionJSONRequestBody{Query: "Can WAL mode be used over a network filesystem?"})
	must(err)
	check(began.JSON202 != nil, "the extraction did not begin: %s", began.Body)
	quotes := 0
	for _, x := range answer(ctx, c, began.JSON202.Run.Id) {
		for _, e := range x.Evidence {
			quotes++
			found(ctx, c, e)
		}
	}
	check(quotes > 0, "there are no quotes")

	events, err := c.ExtractionEventsWithResponse(ctx, began.JSON202.Run.Id, nil)
	must(err)
	check(strings.Contains(string(events.Body), "event: done"), "events: %s", events.Body)

	run, err := c.CreateSearchRunWithResponse(ctx, nil, wstk.CreateSearchRunJSONRequestBody{Query: "sqlite wal mode"})
	must(err)
	check(run.JSON201 != nil && len(run.JSON201.Urls) > 0, "search run: %s", run.Body)
	again, err := c.SearchRunWithResponse(ctx, run.JSON201.RunId, nil)
	must(err)
	check(again.JSON200 != nil && len(again.JSON200.Urls) == len(run.JSON201.Urls), "search run again: %s", again.Body)

	missing, err := c.EvidenceWithResponse(ctx, "ev_"+strings.Repeat("0", 24))
	must(err)
	check(missing.JSONDefault != nil && missing.JSONDefault.Code == wstk.ErrorCodeNotFound, "missing evidence: %s", missing.Body)
	closed, err := open(address, "another").ListSitesWithResponse(ctx, nil)
	must(err)
	check(closed.JSONDefault != nil && closed.JSONDefault.Code == wstk.ErrorCodeUnauthorized, "a wrong token: %s", closed.Body)
	fmt.Println("the Go client:", quotes, "quotes found again")
}

func open(address, token string) *wstk.ClientWithResponses {
	c, err := wstk.NewClientWithResponses(address, wstk.WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
		r.Header.Set("Authorization", "Bearer "+token)
		return nil
	}))
	must(err)
	return c
}

func siteStatus(ctx context.Context, c *wstk.ClientWithResponses, id string) wstk.SiteStatus {
	got, err := c.SiteWithResponse(ctx, id, nil)
	must(err)
	check(got.JSON200 != nil, "site: %s", got.Body)
	status, err := got.JSON200.AsSiteStatus()
	must(err)
	return status
}

// read returns a stored page, whose text has the hash that it says.
func read(ctx context.Context, c *wstk.ClientWithResponses, url string) wstk.Document {
	got, err := c.ReadWithResponse(ctx, wstk.ReadJSONRequestBody{Url: url})
	must(err)
	check(got.JSON200 != nil, "read %s: %s", url, got.Body)
	check(hash([]byte(got.JSON200.Text)) == string(got.JSON200.TextSha256), "the text of %s has another hash", url)
	return *got.JSON200
}

// answer waits until an extraction has ended.
func answer(ctx context.Context, c *wstk.ClientWithResponses, id string) []wstk.Extraction {
	for {
		got, err := c.ExtractionWithResponse(ctx, id)
		must(err)
		check(got.JSON200 != nil, "extraction: %s", got.Body)
		if got.JSON200.Run.State != wstk.RunStateRunning {
			return got.JSON200.Extractions
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// found finds a quote again in the text and the snapshot that it names.
func found(ctx context.Context, c *wstk.ClientWithResponses, e wstk.Evidence) {
	again, err := c.EvidenceWithResponse(ctx, e.Id)
	must(err)
	check(again.JSON200 != nil && again.JSON200.Quote == e.Quote, "evidence %s: %s", e.Id, again.Body)
	page := read(ctx, c, e.Url)
	check(page.Text[*e.ByteStart:*e.ByteEnd] == e.Quote, "the quote %q does not stand in its text", e.Quote)
	body, err := c.SnapshotWithResponse(ctx, e.SnapshotSha256)
	must(err)
	check(hash(body.Body) == string(e.SnapshotSha256), "the snapshot %s has another hash", e.SnapshotSha256)
}

func hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func check(ok bool, format string, args ...any) {
	if !ok {
		log.Fatalf(format, args...)
	}
}

package local_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"wstk/shared/app"
	"wstk/shared/app/apptest"

	"wstk/shared/app/crawling"
	"wstk/shared/app/local"
	"wstk/shared/app/reading"
	"wstk/shared/wstk"
)

// Law 9: a password typed into an address, however malformed the address is, and
// whatever was asked with it, is neither shown nor stored.
func TestPasswordsInAddressesNeverSurface(t *testing.T) {
	const secret = "hunter2-very-secret"
	ctx := context.Background()
	c := testConfig(t)
	a := open(t, c)
	var logs bytes.Buffer
	apptest.Change(a, func(h *app.Home) {
		h.Log = slog.New(slog.NewTextHandler(&logs, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	root := serve(t, pumps())
	check := func(what string, v any, err error) {
		t.Helper()
		data, _ := json.Marshal(v)
		for _, s := range []string{string(data), fmt.Sprintf("%+v", v), fmt.Sprint(err),
			fmt.Sprint(wstk.StepsOf(err))} {
			if strings.Contains(s, secret) {
				t.Errorf("%s shows the secret: %.300s", what, s)
			}
		}
	}
	for _, u := range []string{
		strings.Replace(root, "http://", "http://user:"+secret+"@", 1) + "/p9",
		strings.Replace(root, "http://", "http://"+secret+"@", 1) + "/p9",
		"http://user:" + secret + "@ho st/", "http://user:" + secret + "@[bad/", "ftp://user:" + secret + "@host/", "user:" + secret + "@host/",
	} {
		ingested, err := a.Crawling.Ingest(ctx, crawling.IngestRequest{URL: u})
		check("ingest", ingested, err)
		if err == nil {
			t.Errorf("%s was crawled", u)
		}
		ingested, err = a.Crawling.Ingest(ctx, crawling.IngestRequest{URL: u, Refresh: true})
		check("refresh", ingested, err)
		extracted, err := a.Looking.ExtractPage(ctx, reading.ExtractRequest{Target: u})
		check("extract", extracted, err)
		fetched, err := a.Looking.FetchPage(ctx, reading.PageRequest{URL: u}, false)
		check("fetch", fetched, err)
		_, _, err = a.Looking.ReadPage(ctx, u)
		check("read", nil, err)
		_, err = a.Crawling.Why(ctx, u, u)
		check("why", nil, err)
		answered, err := a.Answering.Ask(ctx, wstk.AskQuery{Query: "What is the pressure of the P-9?", From: []string{u, root + "/p12"}})
		check("ask", []any{answered, answered.Warnings}, err)
	}
	c.Proxy = "http://user:" + secret + "@ho st:1/"
	_, err := local.Open(ctx, c, a.Log)
	check("proxy", nil, err)
	if err == nil {
		t.Error("a proxy that is no URL was taken")
	}
	check("the log", logs.String(), nil)
	for name, data := range files(t, c.DataDir) {
		if bytes.Contains(data, []byte(secret)) {
			t.Errorf("the secret stands in %s", name)
		}
	}
}

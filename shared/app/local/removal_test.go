package local_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"wstk/shared/app/crawling"
	"wstk/shared/wstk"
)

// With a run goes what is its own; the evidence that another run cites, and the text and
// body that it refers to, stay and are named.
func TestARemovedRunTakesOnlyWhatIsItsOwn(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		io.WriteString(w, "<title>Mark 3</title><h1>Mark 3</h1><p>The Mark 3 pump reaches a working pressure of 9 bar.</p><p>The Mark 3 pump weighs 14 kilograms without water.</p>")
	}))
	defer site.Close()
	ctx := t.Context()
	a := open(t, testConfig(t))
	if _, err := a.Crawling.Ingest(ctx, crawling.IngestRequest{URL: site.URL}); err != nil {
		t.Fatal(err)
	}
	ask := func(query string) (wstk.Run, []wstk.Evidence) {
		t.Helper()
		run, err := a.Answering.StartExtraction(ctx, wstk.AskQuery{Query: query})
		if err != nil {
			t.Fatal(err)
		}
		for range 1000 {
			x, err := a.Answering.Extraction(ctx, run.ID)
			if err != nil {
				t.Fatal(err)
			}
			if x.Run.State.Terminal() {
				var all []wstk.Evidence
				for _, e := range x.Extractions {
					all = append(all, e.Evidence...)
				}
				for _, p := range x.Passages {
					all = append(all, p.Evidence)
				}
				if len(all) == 0 {
					t.Fatalf("%q has no evidence: %+v", query, x)
				}
				return x.Run, all
			}
			time.Sleep(10 * time.Millisecond)
		}
		t.Fatal("it never ends")
		return run, nil
	}
	there := func(h wstk.Hash, want bool) {
		t.Helper()
		if got, err := a.Blobs.Has(ctx, h); err != nil || got != want {
			t.Errorf("%s is there: %v, want %v: %v", h, got, want, err)
		}
	}
	first, cited := ask("What working pressure does the Mark 3 pump reach?")
	second, same := ask("Which working pressure does the pump Mark 3 reach?")
	shared := cited[0].ID
	if !slices.ContainsFunc(same, func(e wstk.Evidence) bool { return e.ID == shared }) {
		t.Fatalf("the two answers share no evidence: %v, %v", cited, same)
	}

	out, err := a.Answering.RemoveRun(ctx, first.ID)
	if err != nil || !slices.Contains(out.EvidenceKept, shared) || len(out.KeptBy) == 0 ||
		out.Evidence != len(cited)-len(out.EvidenceKept) || out.Blobs < 2 {
		t.Errorf("%+v, %v", out, err)
	}
	if _, err := a.Runs.Get(ctx, first.ID); wstk.CodeOf(err) != wstk.NotFound {
		t.Errorf("the run is there: %v", err)
	}
	there(first.Request, false)
	there(first.Result, false)
	there(second.Result, true)
	there(cited[0].TextSHA256, true)
	there(cited[0].SnapshotSHA256, true)
	if x, err := a.Answering.Extraction(ctx, second.ID); err != nil || len(x.Extractions) == 0 {
		t.Errorf("the kept run: %+v, %v", x, err)
	}
	for _, e := range same {
		if _, err := a.Verify.Evidence.Get(ctx, e.ID); err != nil {
			t.Errorf("evidence of the kept run: %v", err)
		}
		if text, err := a.Looking.Text(ctx, e.TextSHA256); err != nil ||
			!strings.Contains(string(text), e.Quote) {
			t.Errorf("its text: %v", err)
		}
	}

	third, _ := ask("Which working pressure does the pump Mark 3 reach?") // the same words
	if out, err = a.Answering.RemoveRun(ctx, second.ID); err != nil || out.Blobs != 0 ||
		!slices.Contains(out.BlobsKept, string(third.Request)) {
		t.Errorf("of the same words: %+v, %v", out, err)
	}
	there(third.Request, true)
	if out, err = a.Answering.RemoveRun(ctx, third.ID); err != nil || len(out.EvidenceKept) != 0 ||
		out.Evidence == 0 {
		t.Errorf("the last one: %+v, %v", out, err)
	}
	if _, err := a.Verify.Evidence.Get(ctx, shared); wstk.CodeOf(err) != wstk.NotFound {
		t.Errorf("evidence that no run cites: %v", err)
	}
	fourth, near := ask("Which museum shows the red lamp of a Mark 3 pump?") // has no answer
	if out, err = a.Answering.RemoveRun(ctx, fourth.ID); err != nil || out.Evidence != len(near) {
		t.Errorf("of %d passages: %+v, %v", len(near), out, err)
	}
	there(third.Request, false)
	there(cited[0].SnapshotSHA256, true) // of the page, which is held
	if _, err := a.Answering.RemoveRun(ctx, third.ID); wstk.CodeOf(err) != wstk.NotFound {
		t.Errorf("once more: %v", err)
	}
}

func TestWhatCannotBeRemoved(t *testing.T) {
	a := open(t, testConfig(t))
	now := time.Now()
	for kind, want := range map[wstk.RunKind]wstk.Code{wstk.RunExtraction: wstk.Conflict,
		wstk.RunIngest: wstk.NotFound, wstk.RunRequest: wstk.NotFound} {
		r := wstk.Run{ID: wstk.NewRunID(now, nil), Kind: kind, State: wstk.RunRunning,
			StartedAt: now, UpdatedAt: now}
		if err := a.Runs.Create(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		if _, err := a.Answering.RemoveRun(t.Context(), r.ID); wstk.CodeOf(err) != want {
			t.Errorf("a running %s: %v", kind, err)
		}
		if _, err := a.Runs.Get(t.Context(), r.ID); err != nil {
			t.Errorf("the %s is gone: %v", kind, err)
		}
	}
}

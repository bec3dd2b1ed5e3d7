package local_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"wstk/shared/app/apptest"

	"wstk/shared/app"
	"wstk/shared/app/answering"
	"wstk/shared/wstk"
)

// neverEnding serves a page that says what the P-9 does, and others that never end.
func neverEnding(t *testing.T) string {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch {
		case r.URL.Path == "/p9":
			w.Write([]byte(page("The P-9 pump", "<p>The maximum pressure of the P-9 is 16 bar, and no more than that may be set.</p>")))
		case strings.HasPrefix(r.URL.Path, "/slow"):
			w.Write([]byte("<title>Slow</title><p>A page that"))
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		case r.URL.Path == "/stuck":
			w.Write([]byte(page("Stuck", "<p>The words of this page are of a kind that takes for ever to be read.</p>")))
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(site.Close)
	return site.URL
}

// extraction waits until a run has ended, and returns it with what it has.
func extraction(t *testing.T, a *app.App, id wstk.RunID) answering.ExtractionRun {
	t.Helper()
	ended(t, a, id)
	x, err := a.Answering.Extraction(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

const ofP9 = "What is the maximum pressure of the P-9?"

// A page that takes longer than its share of the time is told of, and the others answer.
func TestASlowPageTakesNothingFromTheOthers(t *testing.T) {
	root, c := neverEnding(t), testConfig(t)
	c.ExtractionTimeout = 12 * time.Second
	a := open(t, c)
	apptest.Change(a, func(h *app.Home) {
		h.Blobs = stuck{BlobStore: h.Blobs, put: "takes for ever"}
	})
	run, err := a.Answering.StartExtraction(t.Context(),
		wstk.AskQuery{Query: ofP9, From: []string{root + "/slow", root + "/stuck", root + "/p9"}})
	if err != nil {
		t.Fatal(err)
	}
	x := extraction(t, a, run.ID)
	if x.Run.State != wstk.RunComplete || len(x.Extractions) != 1 ||
		!coded(x.Warnings, "timeout", "/slow") || !coded(x.Warnings, "timeout", "/stuck") {
		t.Errorf("%s %v: %+v, %+v", x.Run.State, x.Run.Reasons, x.Extractions, x.Warnings)
	}
}

// An extraction ends with its time, as failed, and says why and what to do.
func TestAnExtractionEndsWithItsTime(t *testing.T) {
	root, c := neverEnding(t), testConfig(t)
	c.ExtractionTimeout = time.Second
	a := open(t, c)
	run, err := a.Answering.StartExtraction(t.Context(),
		wstk.AskQuery{Query: ofP9, From: []string{root + "/slow"}})
	if err != nil {
		t.Fatal(err)
	}
	isLate(t, extraction(t, a, run.ID).Run)
}

func isLate(t *testing.T, run wstk.Run) {
	t.Helper()
	if why := strings.Join(run.Reasons, " "); run.State != wstk.RunFailed ||
		!strings.HasPrefix(why, "timeout: ") || !strings.Contains(why, "api.extraction_timeout") {
		t.Errorf("%s: %s", run.State, why)
	}
}

// parts are the runs of an App, that report when the first bucket is done.
type parts struct {
	wstk.RunStore
	added func()
}

func (p parts) AddPart(ctx context.Context, id wstk.RunID, part wstk.Part) error {
	err := p.RunStore.AddPart(ctx, id, part)
	if part.N == 0 {
		p.added()
	}
	return err
}

// What was done when the time of an extraction was over stays shown.
func TestWhatAnExtractionHadInItsTimeIsShown(t *testing.T) {
	a := open(t, testConfig(t))
	site := pumps()
	site.pages["/courses"] = page("Courses", "<p>These are the courses we give for those who mend pumps.</p><h2>All courses</h2><ul>"+
		"<li>Course 1: how to mend a pump</li><li>Course 2: how to mend a valve</li><li>Course 3: how to mend a hose</li></ul>")
	var late atomic.Bool
	apptest.Change(a, func(h *app.Home) {
		h.Now = func() time.Time {
			if late.Load() {
				return time.Now().Add(time.Hour)
			}
			return time.Now()
		}
		h.Runs = parts{h.Runs, func() { late.Store(true) }}
	})
	run, err := a.Answering.StartExtraction(t.Context(),
		wstk.AskQuery{Query: "list all courses", From: []string{serve(t, site) + "/courses"}})
	if err != nil {
		t.Fatal(err)
	}
	x := extraction(t, a, run.ID)
	if isLate(t, x.Run); len(x.Extractions) == 0 {
		t.Error("nothing is shown")
	}
}

// stuck are blobs of which some are not available until no caller wants them any more.
type stuck struct {
	wstk.BlobStore
	at    []wstk.Hash
	put   string // what they must hold to be stuck when they are stored; "" for none
	asked chan wstk.Hash
}

func (s stuck) Put(ctx context.Context, data []byte) (wstk.Hash, error) {
	if s.put == "" || !strings.Contains(string(data), s.put) {
		return s.BlobStore.Put(ctx, data)
	}
	<-ctx.Done()
	return "", ctx.Err()
}

func (s stuck) Get(ctx context.Context, h wstk.Hash) ([]byte, error) {
	if !slices.Contains(s.at, h) {
		return s.BlobStore.Get(ctx, h)
	}
	s.asked <- h
	<-ctx.Done()
	return nil, ctx.Err()
}

// A cancel, and the end of the time, stop an extraction wherever it is: also when all pages
// are there.
func TestWhatExtractsIsStopped(t *testing.T) {
	for name, limit := range map[string]time.Duration{"cancelled": time.Hour, "late": time.Second} {
		t.Run(name, func(t *testing.T) {
			c := testConfig(t)
			c.ExtractionTimeout = limit
			a := open(t, c)
			root := serve(t, quick())
			ingest(t, a, root+"/")
			p, err := a.Pages.Get(t.Context(), root+"/p9")
			if err != nil {
				t.Fatal(err)
			}
			held := stuck{BlobStore: a.Blobs, at: []wstk.Hash{p.Document},
				asked: make(chan wstk.Hash, 100)}
			apptest.Change(a, func(h *app.Home) { h.Blobs = held })
			run, err := a.Answering.StartExtraction(t.Context(),
				wstk.AskQuery{Query: ofP9, From: []string{root + "/p9"}})
			if err != nil {
				t.Fatal(err)
			}
			<-held.asked
			if name == "late" {
				isLate(t, extraction(t, a, run.ID).Run)
				return
			}
			if _, err := a.Answering.Cancel(t.Context(), run.ID); err != nil {
				t.Fatal(err)
			}
			if run := ended(t, a, run.ID); run.State != wstk.RunCancelled {
				t.Errorf("%s: %v", run.State, run.Reasons)
			}
		})
	}
}

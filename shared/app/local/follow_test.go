package local_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"wstk/shared/app"
	"wstk/shared/app/answering"
	"wstk/shared/app/apptest"
	"wstk/shared/wstk"
)

// A caller that listens is told at once that the run has begun, then each page, each bucket,
// and the end; the result is that of a caller that waits.
func TestACallerHearsAnAnswerBeingMade(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Write([]byte(`<html lang="en"><title>The P-9 pump</title><main><h1>The P-9 pump</h1>
<p>The maximum pressure of the P-9 pump is 9 bar.</p></main></html>`))
	}))
	defer site.Close()
	a := open(t, testConfig(t))
	q := wstk.AskQuery{Query: "What is the maximum pressure of the P-9 pump?",
		From: []string{site.URL + "/p9"}, Strict: true}
	var kinds []string
	var stages []answering.Stage
	x, err := a.Answering.Follow(t.Context(), q, answering.Following{Tell: func(e answering.Event) {
		kinds = append(kinds, e.Kind)
		if p, ok := e.Data.(answering.Progress); ok {
			stages = append(stages, p.Stage)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	wantKinds := []string{"progress", "progress", "progress", "progress", "bucket", "progress", "done"}
	wantStages := []answering.Stage{answering.StageFetch, answering.StageFetch,
		answering.StagePartition, answering.StageExtract, answering.StageExtract}
	if !slices.Equal(kinds, wantKinds) || !slices.Equal(stages, wantStages) {
		t.Errorf("%v with the stages %v, want %v and %v", kinds, stages, wantKinds, wantStages)
	}
	again, err := a.Answering.Ask(t.Context(), q)
	if err != nil || len(again.Extractions) != 1 || x.Extractions[0].Content != again.Extractions[0].Content {
		t.Errorf("%+v, %v; want what a caller gets that waits: %+v", x.Extractions, err, again.Extractions)
	}
}

// When the context of a caller ends, sites are asked no more, and the run has ended with it.
func TestACallerThatLeavesEndsItsRun(t *testing.T) {
	asked, over := make(chan string, 1), make(chan bool, 1)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, "/page") {
			http.NotFound(w, r)
			return
		}
		asked <- r.URL.Path
		<-r.Context().Done()
		over <- true
	}))
	defer site.Close()
	a := open(t, testConfig(t))
	for _, c := range []struct {
		name  string
		limit time.Duration
		code  wstk.Code
		state wstk.RunState
	}{
		{"it leaves", 0, wstk.Cancelled, wstk.RunCancelled},
		{"its limit passes", 100 * time.Millisecond, wstk.Timeout, wstk.RunFailed},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx, leave := context.WithCancel(t.Context())
			defer leave()
			go func() {
				<-asked
				if c.limit == 0 {
					leave()
				}
			}()
			x, err := a.Answering.Follow(ctx, wstk.AskQuery{Query: "What is a pump?",
				From: []string{site.URL + "/page"}}, answering.Following{Limit: c.limit})
			if wstk.CodeOf(err) != c.code || x.Run.State != c.state || !x.Run.State.Terminal() {
				t.Errorf("%v, and the run is %s; want %s and %s", err, x.Run.State, c.code, c.state)
			}
			<-over // the request was given up
		})
	}
}

// halfDone are state machines that do one bucket of two and then wait for ever.
type halfDone struct {
	answering.Machines
	a *app.App
}

func (m halfDone) Run(ctx context.Context, _ string, run wstk.RunID, _ json.RawMessage) error {
	h, err := m.a.Blobs.Put(ctx, []byte(`{"extraction": {"title": "Pumps", "statements": [], "evidence": []}, "of": 2}`))
	if err == nil {
		err = m.a.Runs.AddPart(ctx, run, wstk.Part{N: 0, Data: h})
	}
	if err == nil {
		<-ctx.Done()
		err = ctx.Err()
	}
	return err
}

// What was done when a caller left stays: it is in the result beside the error, and can be seen
// again by the run's id.
func TestWhatWasDoneStays(t *testing.T) {
	a := open(t, testConfig(t))
	apptest.Change(a, func(h *app.Home) { h.Machines = halfDone{h.Machines, a} })
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	x, err := a.Answering.Follow(ctx, wstk.AskQuery{Query: "list all courses"},
		answering.Following{Tell: func(e answering.Event) {
			if e.Kind == "bucket" {
				leave()
			}
		}})
	again, other := a.Answering.Extraction(t.Context(), x.Run.ID)
	steps := wstk.StepsOf(err)
	if wstk.CodeOf(err) != wstk.Cancelled || other != nil || len(x.Extractions) != 1 ||
		len(again.Extractions) != 1 || again.Run.State != wstk.RunCancelled ||
		len(steps) != 1 || steps[0].Run != x.Run.ID {
		t.Errorf("%v with the steps %v, %+v; and again %+v, %v", err, steps, x, again, other)
	}
}

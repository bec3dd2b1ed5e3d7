package local

import (
	"context"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"wstk/shared/app/apptest"

	"wstk/shared/app"
	"wstk/shared/app/crawling"
	"wstk/shared/wstk"
)

// left is a system over what a killed process left open, by what it was.
func left(t *testing.T) (a *app.App, runs map[string]wstk.RunID) {
	t.Helper()
	dir := t.TempDir()
	c, err := Settings().Load(func(string) string { return "" }, dir)
	if err != nil {
		t.Fatal(err)
	}
	c.DataDir, c.CacheDir = filepath.Join(dir, "data"), filepath.Join(dir, "cache")
	a, err = Open(t.Context(), c, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	runs = map[string]wstk.RunID{}
	now := time.Now()
	for name, r := range map[string]wstk.Run{
		"crawl":         {Kind: wstk.RunIngest, StartedAt: now.Add(-24 * time.Hour)},
		"extraction":    {Kind: wstk.RunExtraction, StartedAt: now.Add(-3 * time.Minute)},
		"answer":        {Kind: wstk.RunAnswer, StartedAt: now.Add(-3 * time.Minute)},
		"old request":   {Kind: wstk.RunRequest, StartedAt: now.Add(-crawling.RequestAge)},
		"young request": {Kind: wstk.RunRequest, StartedAt: now.Add(-crawling.RequestAge + time.Minute)},
	} {
		r.ID, r.State, r.UpdatedAt = wstk.NewRunID(r.StartedAt, nil), wstk.RunRunning, r.StartedAt
		runs[name] = r.ID
		if err := a.Runs.Create(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	return a, runs
}

// wantStates wants the runs with these names to have failed, and the others to be open.
func wantStates(t *testing.T, a *app.App, runs map[string]wstk.RunID, failed ...string) {
	t.Helper()
	for name, id := range runs {
		want := wstk.RunRunning
		if strings.Contains(strings.Join(failed, ","), name) {
			want = wstk.RunFailed
		}
		if r, err := a.Runs.Get(t.Context(), id); err != nil || r.State != want ||
			want == wstk.RunFailed && (r.EndedAt.IsZero() || len(r.Reasons) == 0) {
			t.Errorf("%s is %s, want %s: %v %v", name, r.State, want, r.Reasons, err)
		}
	}
}

// What a killed server left is ended by the next one: at once what is certainly dead (of
// crawls only those whose site is not stored, so that they cannot be continued), and
// a request that might run in another process when it cannot any more.
func TestWhatAKilledServerLeftIsEnded(t *testing.T) {
	a, runs := left(t)
	waited := make(chan time.Duration, 1)
	pass := make(chan time.Time)
	a.Machines.(*workflows).after = func(d time.Duration) <-chan time.Time {
		waited <- d
		return pass
	}
	if err := a.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantStates(t, a, runs, "crawl", "extraction", "answer", "old request")
	if d := <-waited; d != crawling.RequestAge {
		t.Errorf("it looks again after %s", d)
	}
	now := a.Now
	apptest.Change(a, func(h *app.Home) {
		h.Now = func() time.Time { return now().Add(crawling.RequestAge) }
	})
	close(pass)
	for range 1000 {
		if r, err := a.Runs.Get(t.Context(), runs["young request"]); err != nil || r.State.Terminal() {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	wantStates(t, a, runs, "crawl", "extraction", "answer", "old request", "young request")
}

func TestTheSweepEndsRequestsThatDied(t *testing.T) {
	a, runs := left(t)
	out, err := a.Crawling.SweepAll(t.Context())
	if err != nil || out != (crawling.Swept{Crawls: 1, Requests: 1}) {
		t.Errorf("%+v, %v", out, err)
	}
	wantStates(t, a, runs, "old request") // an extraction may take longer
}

// Doctor tells of crawls, which an ingest goes on with, and of no other run.
func TestDoctorTellsOfOpenCrawls(t *testing.T) {
	a, runs := left(t)
	check := func() string {
		t.Helper()
		open := func(ctx context.Context) (*app.App, error) { return Open(ctx, a.Config, a.Log) }
		for _, c := range app.Doctor(t.Context(), a.Config, open, open) {
			if c.Name == "runs" {
				return c.Detail
			}
		}
		t.Fatal("it does not look at runs")
		return ""
	}
	detail := check()
	for name, id := range runs {
		if strings.Contains(detail, string(id)) != (name == "crawl") {
			t.Errorf("%s: %s", name, detail)
		}
	}
	if _, err := a.Runs.End(t.Context(), runs["crawl"],
		wstk.Run{State: wstk.RunFailed, EndedAt: time.Now()}); err != nil {
		t.Fatal(err)
	}
	if detail := check(); detail != "no crawl is open" {
		t.Error(detail)
	}
}

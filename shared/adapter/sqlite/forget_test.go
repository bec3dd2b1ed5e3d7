package sqlite_test

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"wstk/shared/adapter/sqlite"
	"wstk/shared/wstk"
)

// aRun stores an ended run of n closed URLs, with a text, a pace and a warning.
func aRun(t *testing.T, db *sqlite.DB, site wstk.SiteID, id wstk.RunID, n int, ended time.Time) {
	t.Helper()
	ctx, f := t.Context(), db.Frontier()
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	check(db.Runs().Create(ctx,
		wstk.Run{ID: id, State: wstk.RunRunning, Site: site, StartedAt: ended}))
	var urls []wstk.FrontierURL
	for i := range n {
		urls = append(urls, wstk.FrontierURL{Run: id, URL: fmt.Sprintf("https://a.example/%d", i),
			Outcome: wstk.OutcomeNotFound})
	}
	_, err := f.Add(ctx, urls...)
	check(err)
	_, err = f.ClaimText(ctx, id, wstk.HashOf([]byte("text")), urls[0].URL)
	check(err)
	for _, key := range []string{"pace/a", "warnings"} {
		_, err = f.SetNote(ctx, id, key, "", "x")
		check(err)
	}
	if !ended.IsZero() {
		_, err = db.Runs().End(ctx, id, wstk.Run{State: wstk.RunComplete, EndedAt: ended})
		check(err)
	}
}

func TestForgetURLs(t *testing.T) {
	db, ctx := open(t, t.TempDir()), t.Context()
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	db.Now = func() time.Time { return now }
	long := now.Add(-48*time.Hour - time.Nanosecond)
	aRun(t, db, "other", "run_0", 3, long)
	aRun(t, db, "site", "run_1", 2500, long) // more than one transaction removes
	aRun(t, db, "site", "run_2", 3, long)
	aRun(t, db, "site", "run_3", 3, now.Add(-time.Minute)) // a message may be under way
	aRun(t, db, "site", "run_4", 3, time.Time{})           // still running
	aRun(t, db, "site", "run_5", 3, long)
	f := db.Frontier()
	before := map[wstk.RunID][2]any{}
	counters := func(run wstk.RunID) [2]any {
		a, err := f.Accounting(ctx, run)
		if err != nil {
			t.Fatal(err)
		}
		s, err := f.States(ctx, run)
		if err != nil {
			t.Fatal(err)
		}
		return [2]any{a, s}
	}
	for i := range 6 {
		id := wstk.RunID(fmt.Sprint("run_", i))
		before[id] = counters(id)
	}
	for range 2 { // twice is once
		if err := db.ForgetURLs(ctx, "site", 1); err != nil {
			t.Fatal(err)
		}
		for id, want := range before {
			gone := id == "run_1" || id == "run_2"
			if got := counters(id); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: counters %v, want %v", id, got, want)
			}
			_, err := f.Get(ctx, id, "https://a.example/1")
			if gone != (wstk.CodeOf(err) == wstk.NotFound) || !gone && err != nil {
				t.Errorf("%s: %v; want gone == (wstk.CodeOf(err) == wstk.NotFound) && (gone || err == nil)", id, err)
			}
			if pace, err := f.Note(ctx, id, "pace/a"); gone != (pace == "") || err != nil {
				t.Errorf("%s: pace %q, %v", id, pace, err)
			}
			if w, err := f.Note(ctx, id, "warnings"); w != "x" || err != nil {
				t.Errorf("%s: warnings %q, %v", id, w, err)
			}
		}
		if wrong, err := db.Check(ctx); len(wrong) > 0 || err != nil {
			t.Errorf("check: %v, %v", wrong, err)
		}
	}
}

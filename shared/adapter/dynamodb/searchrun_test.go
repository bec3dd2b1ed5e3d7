package dynamodb

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest/faults"
)

// rowsOf are raw rows of about so many bytes that hardly compress, and what they come to.
func rowsOf(r *rand.Rand, n, size int) (raw []wstk.SearchRow, found []wstk.FoundURL) {
	for i := range n {
		meta := make([]byte, size)
		for j := range meta {
			meta[j] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_"[r.IntN(64)]
		}
		url := fmt.Sprintf("https://a.example/%d", i)
		raw = append(raw, wstk.SearchRow{Provider: "serper", URL: url, Rank: i + 1,
			Meta: json.RawMessage(`"` + string(meta) + `"`)})
		found = append(found, wstk.FoundURL{URL: url, Providers: []string{"serper"},
			Confidence: 1, BestRank: i + 1})
	}
	return raw, found
}

// whole checks that a run has exactly these rows, each once.
func whole(t *testing.T, db *DB, run wstk.RunID, raw []wstk.SearchRow, found []wstk.FoundURL) {
	t.Helper()
	gotRaw, err := SearchRows{db}.Raw(t.Context(), run)
	gotFound, err2 := SearchRows{db}.Found(t.Context(), run)
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	same := func(a, b wstk.SearchRow) bool {
		return a.URL == b.URL && a.Rank == b.Rank && string(a.Meta) == string(b.Meta)
	}
	if !slices.EqualFunc(gotRaw, raw, same) {
		t.Errorf("%d raw rows are there, not the %d that were put", len(gotRaw), len(raw))
	}
	if !slices.EqualFunc(gotFound, found, func(a, b wstk.FoundURL) bool { return a.URL == b.URL }) {
		t.Errorf("%d merged rows are there, not the %d that were put", len(gotFound), len(found))
	}
}

// Whatever goes wrong while rows are put, and however often they are put again: what is
// there is the beginning of them, and once a put succeeds they are all there, each once.
func TestSearchRowsUnderFaults(t *testing.T) {
	db := open(t)
	play(t, db, 8, func(seed string, bad *DB) (func(context.Context, *rand.Rand), func(*testing.T)) {
		run := wstk.RunID("run " + seed)
		raw, found := rowsOf(rand.New(rand.NewPCG(7, 7)), 24, 30_000) // in several items
		done, mu := false, sync.Mutex{}
		work := func(ctx context.Context, r *rand.Rand) {
			// so that items end anywhere
			(SearchRows{bad}).PutRows(ctx, run, raw[:r.IntN(len(raw))], nil)
			if (SearchRows{bad}).PutRows(ctx, run, raw, found) == nil {
				mu.Lock()
				done = true
				mu.Unlock()
			}
		}
		return work, func(t *testing.T) {
			there, err := SearchRows{db}.Raw(t.Context(), run)
			if err != nil {
				t.Fatal(err)
			}
			if done {
				whole(t, db, run, raw, found)
			} else if !slices.EqualFunc(there, raw[:len(there)],
				func(a, b wstk.SearchRow) bool { return a.Rank == b.Rank }) {
				t.Errorf("the %d rows that are there are not the first ones", len(there))
			}
			if err := (SearchRows{db}).PutRows(t.Context(), run, raw, found); err != nil {
				t.Fatal(err)
			}
			whole(t, db, run, raw, found)
			for _, it := range db.all(t, db.Tables.Records, searchRowsOf(run)) {
				if n := len(binOf(it, "rows")); n > maxPacked {
					t.Errorf("an item has %d bytes of rows", n)
				}
			}
		}
	})
}

// A process that dies after any of its requests leaves rows that the next one makes whole.
func TestSearchRowsAfterEveryDeath(t *testing.T) {
	db := open(t)
	raw, found := rowsOf(rand.New(rand.NewPCG(7, 7)), 60, 25_000)
	for kill := 1; ; kill++ {
		run := wstk.RunID(fmt.Sprint("run ", kill))
		tr := faults.New(uint64(kill), 0)
		tr.Kill = kill
		err := SearchRows{faulty(db, tr, 1)}.PutRows(t.Context(), run, raw, found)
		if err := (SearchRows{db}).PutRows(t.Context(), run, raw, found); err != nil {
			t.Fatal(err)
		}
		whole(t, db, run, raw, found)
		if err == nil {
			if kill < 5 {
				t.Errorf("%d requests put everything: there is nothing to cut off", kill)
			}
			return
		}
	}
}

// An ordinary search run is stored with two requests, and a very large one with few.
func TestSearchRowsTakeFewWrites(t *testing.T) {
	db := open(t)
	for _, c := range []struct{ rows, size, most int }{{40, 300, 2},
		{1000, 300, 4}, {60, 25_000, 7}} {
		tr := faults.New(1, 0)
		raw, found := rowsOf(rand.New(rand.NewPCG(1, 1)), c.rows, c.size)
		if err := (SearchRows{faulty(db, tr, 1)}).
			PutRows(t.Context(), wstk.RunID(fmt.Sprint(c)), raw, found); err != nil {
			t.Fatal(err)
		}
		if n := tr.Requests(); n > c.most {
			t.Errorf("%d rows of %d bytes take %d requests, not %d", c.rows, c.size, n, c.most)
		}
	}
}

// A row that no item can hold is TooLarge.
func TestLargestSearchRow(t *testing.T) {
	db := open(t)
	for size, want := range map[int]wstk.Code{380_000: "", 900_000: wstk.TooLarge} {
		run := wstk.RunID(fmt.Sprint(size))
		raw, found := rowsOf(rand.New(rand.NewPCG(1, 1)), 2, size)
		if err := (SearchRows{db}).PutRows(t.Context(), run, raw, found); wstk.CodeOf(err) != want {
			t.Errorf("a row of %d bytes: %v", size, err)
		}
		if want == "" {
			whole(t, db, run, raw, found)
		}
	}
}

// A list between two times reads the runs between them, however many there are.
func TestListBetweenTwoTimesReadsLittle(t *testing.T) {
	db := open(t)
	day := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	const runs = 150
	for i := range runs {
		at := day.Add(time.Duration(i) * time.Hour)
		r := wstk.Run{ID: wstk.NewRunID(at, nil), Kind: wstk.RunSearch, State: wstk.RunComplete,
			Query: "pumps", StartedAt: at, UpdatedAt: at}
		if err := (Runs{db}).Create(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	hour := func(i int) time.Time { return day.Add(time.Duration(i) * time.Hour) }
	for _, c := range []struct {
		f    wstk.RunFilter
		want int
	}{
		{wstk.RunFilter{Kind: wstk.RunSearch, From: hour(2), To: hour(5)}, 3},
		{wstk.RunFilter{Kind: wstk.RunSearch, To: hour(4)}, 4},
		{wstk.RunFilter{Kind: wstk.RunSearch, From: hour(runs - 2)}, 2},
		{wstk.RunFilter{Kind: wstk.RunSearch, Query: "pumps", From: hour(70), To: hour(75)}, 5},
		{wstk.RunFilter{Kind: wstk.RunSearch, From: hour(runs + 1)}, 0},
	} {
		tr := faults.New(1, 0)
		list, next, err := Runs{faulty(db, tr, 1)}.List(t.Context(), c.f, "", 10)
		if err != nil || next != "" || len(list) != c.want {
			t.Errorf("%+v: %d runs, next %v, %v", c.f, len(list), next, err)
		}
		if n := tr.Requests(); n > 2 { // the list, and the runs it names
			t.Errorf("%+v: %d requests", c.f, n)
		}
	}
}

// What does not fit into an item is not kept, and what was kept before stays.
func TestLargestCacheEntry(t *testing.T) {
	c := Cache{open(t)}
	plain := []byte(strings.Repeat("a page of text ", 200_000)) // 3 MB that compress well
	if err := c.Put(t.Context(), "k", plain, time.Hour); err != nil {
		t.Fatal(err)
	}
	noise := make([]byte, maxItem)
	for i := range noise {
		noise[i] = byte(rand.Uint32())
	}
	if err := c.Put(t.Context(), "k", noise, time.Hour); wstk.CodeOf(err) != wstk.TooLarge {
		t.Errorf("an entry over the size of an item: %v", err)
	}
	if e, err := c.Get(t.Context(), "k"); err != nil || len(e.Value) != len(plain) {
		t.Errorf("%d bytes are kept, %v", len(e.Value), err)
	}
}

// DynamoDB removes an entry by its attribute expires, and not before its time is over.
func TestCacheEntriesExpireInTheTableToo(t *testing.T) {
	db := open(t)
	now := time.Date(2026, 3, 1, 12, 0, 0, 999, time.UTC)
	db.Now = func() time.Time { return now }
	if err := (Cache{db}).Put(t.Context(), "what a user asked", []byte("v"), time.Minute); err != nil {
		t.Fatal(err)
	}
	items := db.all(t, db.Tables.Records, cacheKey("what a user asked").pk)
	if len(items) != 1 || time.Unix(numOf(items[0], "expires"), 0).
		Before(now.Add(time.Minute)) || time.Unix(numOf(items[0], "expires"), 0).
		After(now.Add(2*time.Minute)) {
		t.Errorf("the items are %v", items)
	}
	if data, _ := json.Marshal(items); strings.Contains(string(data), "asked") {
		t.Error("the table shows what users ask")
	}
}

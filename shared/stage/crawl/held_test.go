package crawl

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"wstk/shared/wstk"
)

// countedNotes counts how often notes are read.
type countedNotes struct {
	wstk.Frontier
	mu            sync.Mutex
	single, whole int
}

func (c *countedNotes) Note(ctx context.Context, run wstk.RunID, key string) (string, error) {
	c.mu.Lock()
	c.single++
	c.mu.Unlock()
	return c.Frontier.Note(ctx, run, key)
}

func (c *countedNotes) Notes(
	ctx context.Context, run wstk.RunID, prefix string,
) (map[string]string, error) {
	c.mu.Lock()
	c.whole++
	c.mu.Unlock()
	return c.Frontier.Notes(ctx, run, prefix)
}

// A release finds the pages that are held with one query, however many pages are stored; and
// when none is held, the stored ones are not even listed.
func TestHeldPagesCostOneQuery(t *testing.T) {
	for _, held := range []bool{false, true} {
		r := newRig(t, "http://h.test/", nil)
		var links []string
		for i := range 40 {
			links = append(links, fmt.Sprintf("http://h.test/p%d", i))
		}
		tasks := r.open(links...)
		for i, task := range tasks {
			out := r.settle(task, func(in *Fetched) {
				canonical := ""
				if held && i == 7 { // it names a page that waits
					canonical = task.URL + "?full"
				}
				in.Document = page(task.URL, prose(100+i, 30), canonical)
			})
			if (out.Held != "") != (held && i == 7) {
				t.Fatalf("%s is held for %q", task.URL, out.Held)
			}
		}
		count := &countedNotes{Frontier: r.stage.Frontier}
		r.stage.Frontier = count
		var next Next
		if err := r.stage.settleHeld(t.Context(), r.run, r.site, false, &next); err != nil {
			t.Fatal(err)
		}
		if count.whole != 1 || count.single > 4 {
			t.Errorf("held %v: %d queries and %d notes were read for 40 stored pages", held, count.whole, count.single)
		}
	}
}

package dynamodb

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"wstk/shared/wstk"
)

// maxItem is the largest item DynamoDB takes, in bytes.
const maxItem = 400 << 10

// sized calls put with values that grow until one is too large, a byte at a time at the
// end, and checks that what was taken is there and that what was not says why.
func sized(t *testing.T, put func(n int) error, there func(n int) bool) {
	t.Helper()
	low, high := maxItem-2000, maxItem+2000
	if err := put(low); err != nil {
		t.Fatalf("%d bytes: %v", low, err)
	}
	for high-low > 1 {
		n := (low + high) / 2
		switch err := put(n); wstk.CodeOf(err) {
		case "":
			low = n
		case wstk.TooLarge:
			high = n
		default:
			t.Fatalf("%d bytes: %v", n, err)
		}
	}
	for _, n := range []int{low - 1, low, high} {
		err := put(n)
		if n < high && (err != nil || !there(n)) {
			t.Errorf("%d bytes: %v", n, err)
		}
		if n == high && (wstk.CodeOf(err) != wstk.TooLarge || there(n)) {
			t.Errorf("%d bytes are too many: %v", n, err)
		}
	}
}

// An item of the largest size is stored; one byte more is TooLarge, and nothing of it is
// left.
func TestLargestItems(t *testing.T) {
	db := open(t)
	url := func(n int) string { return fmt.Sprintf("http://a/%06d", n) }
	t.Run("Page", func(t *testing.T) {
		sized(t, func(n int) error {
			return Pages{db}.Put(t.Context(),
				wstk.Page{URL: url(n), Site: "s", Title: strings.Repeat("t", n)})
		}, func(n int) bool {
			p, err := Pages{db}.Get(t.Context(), url(n))
			return err == nil && len(p.Title) == n
		})
		list, _, err := Pages{db}.List(t.Context(), "s", "", 0)
		if err != nil {
			t.Fatal(err)
		}
		if pointers := db.all(t, db.Tables.Records, ofSite("s", "").pk); len(pointers) != len(list) {
			t.Errorf("%d pointers to %d pages", len(pointers), len(list))
		}
	})
	t.Run("Snapshot", func(t *testing.T) {
		at := time.Now().UTC()
		sized(t, func(n int) error {
			return Snapshots{db}.Put(t.Context(),
				wstk.Snapshot{URL: url(n), FetchedAt: at, BodySHA256: wstk.HashOf([]byte(url(n))),
					Headers: map[string]string{"X-Large": strings.Repeat("h", n)}})
		}, func(n int) bool {
			_, err := Snapshots{db}.Get(t.Context(), wstk.HashOf([]byte(url(n))))
			return err == nil
		})
	})
	t.Run("Evidence", func(t *testing.T) {
		sized(t, func(n int) error {
			return Evidence{db}.Put(t.Context(),
				wstk.Evidence{ID: url(n), Quote: strings.Repeat("q", n)})
		}, func(n int) bool {
			_, err := Evidence{db}.Get(t.Context(), url(n))
			return err == nil
		})
	})
}

// However many pieces of evidence come at once, and however large they are together, all
// are stored.
func TestManyEvidence(t *testing.T) {
	db := open(t)
	for _, c := range []struct{ n, size int }{{99, 10}, {100, 10}, {101, 10},
		{250, 10}, {44, 100 << 10}} {
		var items []wstk.Evidence
		for i := range c.n {
			items = append(items, wstk.Evidence{ID: fmt.Sprintf("%d %d %d", c.n, c.size, i),
				Quote: strings.Repeat("q", c.size)})
		}
		for range 2 {
			if err := (Evidence{db}).Put(t.Context(), items...); err != nil {
				t.Fatalf("%d of %d bytes: %v", c.n, c.size, err)
			}
		}
		for _, e := range items {
			if _, err := (Evidence{db}).Get(t.Context(), e.ID); err != nil {
				t.Errorf("%d of %d bytes: %v", c.n, c.size, err)
				break
			}
		}
	}
}

// URLs of any length are kept apart, listed in order, and walked through all states.
func TestLongURLs(t *testing.T) {
	db := open(t)
	f, p := Frontier{db}, Pages{db}
	var urls []wstk.FrontierURL
	hosts := []string{"http://a", "http://" + strings.Repeat("a-long-label.", 200) + "example"}
	for _, n := range []int{899, 900, 901, 1023, 1024, 1025, 2048, 2049, 65536} {
		for i, letter := range []string{"x", "é", "語", "😀"} {
			host := hosts[i%2]
			u := host + "/" + fmt.Sprint(i)
			for len(u)+len(letter) <= n {
				u += letter
			}
			for _, end := range []string{"", "y", "z"} { // differ behind what the key keeps
				urls = append(urls, wstk.FrontierURL{Run: "run", URL: u + end, Host: host})
			}
		}
	}
	seen := map[string]bool{}
	urls = slices.DeleteFunc(urls, func(u wstk.FrontierURL) bool {
		was := seen[u.URL]
		seen[u.URL] = true
		return was
	})
	for range 2 {
		if _, err := f.Add(t.Context(), urls...); err != nil {
			t.Fatal(err)
		}
	}
	waiting, err := f.Waiting(t.Context(), "run", len(urls), len(urls))
	if err != nil || len(waiting) != len(urls) {
		t.Fatalf("%d of %d wait, %v", len(waiting), len(urls), err)
	}
	for _, u := range urls {
		if did, err := f.Queue(t.Context(), "run", u.URL, wstk.Slot{Token: "t"}); err != nil || !did {
			t.Fatalf("%d bytes: %v %v", len(u.URL), did, err)
		}
		if err := p.Put(t.Context(), wstk.Page{URL: u.URL, Site: "site"}); err != nil {
			t.Fatalf("%d bytes: %v", len(u.URL), err)
		}
	}
	found := map[string]bool{}
	for cursor := ""; ; {
		list, next, err := f.List(t.Context(), "run", wstk.URLQueued, cursor, 10)
		if err != nil {
			t.Fatal(err)
		}
		for _, u := range list {
			found[u.URL] = true
		}
		if cursor = next; next == "" {
			break
		}
	}
	if len(found) != len(urls) {
		t.Errorf("%d of %d are queued", len(found), len(urls))
	}
	for _, h := range hosts {
		if _, err := (Hosts{db}).Reserve(t.Context(), h, time.Now(), time.Second); err != nil {
			t.Error(err)
		}
	}
	found = map[string]bool{}
	for cursor := ""; ; {
		list, next, err := p.List(t.Context(), "site", cursor, 10)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range list {
			found[x.URL] = true
		}
		if cursor = next; next == "" {
			break
		}
	}
	if len(found) != len(urls) {
		t.Errorf("%d of %d pages are listed", len(found), len(urls))
	}
}

// As many URLs as one call may bring are added, each once.
func TestManyURLsAtOnce(t *testing.T) {
	f := Frontier{open(t)}
	total := 0
	for _, n := range []int{48, 49, 50, 99, 100, 101, 500} {
		var urls []wstk.FrontierURL
		for i := range n {
			urls = append(urls, wstk.FrontierURL{Run: "run", URL: fmt.Sprintf("http://a/%d/%d", n, i), Host: "http://a"})
		}
		total += n
		if added, err := f.Add(t.Context(), urls...); err != nil || added != n {
			t.Errorf("%d of %d added, %v", added, n, err)
		}
	}
	if acc, err := f.Accounting(t.Context(), "run"); err != nil || acc.Discovered != total {
		t.Errorf("%d of %d are counted, %v", acc.Discovered, total, err)
	}
	note := strings.Repeat("n", wstk.MaxNote)
	if ok, err := f.SetNote(t.Context(), "run", "large", "", note); err != nil || !ok {
		t.Errorf("the largest note: %v", err)
	}
	if _, err := f.SetNote(t.Context(), "run", "large", note, note+"n"); wstk.CodeOf(err) != wstk.TooLarge {
		t.Errorf("a larger one: %v", err)
	}
}

package sqlite_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"wstk/shared/adapter/sqlite"
	"wstk/shared/wstk"
)

// The test binary plays other processes: with WSTK_SQLITE_CHILD set it does that
// and nothing else.
func TestMain(m *testing.M) {
	if what := os.Getenv("WSTK_SQLITE_CHILD"); what != "" {
		if err := work(os.Getenv("WSTK_SQLITE_DIR"), what); err != nil {
			fmt.Println("failed:", err)
			os.Exit(1)
		}
		return
	}
	code := m.Run()
	if benchDB != nil {
		benchDB.Close()
	}
	if benchDir != "" {
		os.RemoveAll(benchDir)
	}
	os.Exit(code)
}

const faultRun = wstk.RunID("run_00000000000000000000000000")

func faultURL(who string, i int) string { return fmt.Sprintf("https://a.example/%s/%04d", who, i) }

// work takes URLs through the frontier and the index, as a crawl does, and says
// which have been closed. It never ends by itself when who begins with "endless".
func work(dir, who string) error {
	ctx := context.Background()
	db, err := sqlite.Open(ctx, dir)
	if err != nil {
		return err
	}
	defer db.Close()
	f, pages, x := db.Frontier(), db.Pages(), db.EagerIndex()
	fmt.Println("started")
	for i := 0; i < 60 || strings.HasPrefix(who, "endless"); i++ {
		url := faultURL(who, i)
		var found []wstk.FrontierURL
		for j := range 20 {
			found = append(found, wstk.FrontierURL{Run: faultRun, URL: faultURL(who, i+j), Host: "https://a.example:443"})
		}
		if _, err := f.Add(ctx, found...); err != nil {
			return err
		}
		if _, err := f.Queue(ctx, faultRun, url, wstk.Slot{Token: who}); err != nil {
			return err
		}
		if err := pages.Put(ctx, wstk.Page{URL: url, Site: "site_1",
			Document: wstk.HashOf([]byte(url)), CheckedAt: time.Now()}); err != nil {
			return err
		}
		if _, err := f.Store(ctx, faultRun, url, who, wstk.HashOf([]byte(url))); err != nil {
			return err
		}
		// pages are replaced too
		if err := x.Replace(ctx, faultPage(faultURL(who, i%25))); err != nil {
			return err
		}
		if _, err := f.Close(ctx, faultRun, url,
			wstk.Closing{Outcome: wstk.OutcomeFetched, Reason: "200 OK"}); err != nil {
			return err
		}
		fmt.Println(url)
	}
	return nil
}

func faultPage(url string) wstk.PageIndex {
	p := wstk.PageIndex{URL: url, Site: "site_1", FetchedAt: time.Now(),
		TextSHA256: wstk.HashOf([]byte(url))}
	r := rand.New(rand.NewPCG(uint64(p.FetchedAt.UnixNano()), 0))
	for i := range 4 {
		span := wstk.Span{ByteStart: 100 * i, ByteEnd: 100 * (i + 1)}
		c := wstk.Chunk{ID: wstk.ChunkID(url, p.TextSHA256, span), URL: url,
			TextSHA256: p.TextSHA256, Seq: i, Main: true, Span: span}
		e := wstk.Entry{ID: c.ID, Kind: wstk.KindChunk, Chunk: &c, Title: []string{"title"}}
		for range 30 {
			e.Body = append(e.Body, fmt.Sprint("w", r.IntN(500)))
		}
		p.Entries = append(p.Entries, e)
		p.Links = append(p.Links, wstk.Link{URL: faultURL("link", r.IntN(30))})
	}
	return p
}

// process is another process at work on the same database.
type process struct {
	*exec.Cmd
	lines *bufio.Scanner
}

func start(t *testing.T, dir, who string) process {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "WSTK_SQLITE_CHILD="+who, "WSTK_SQLITE_DIR="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	p := process{cmd, bufio.NewScanner(out)}
	if !p.lines.Scan() || p.lines.Text() != "started" {
		t.Fatalf("the other process says %q", p.lines.Text())
	}
	return p
}

// rest reads what the process says until it ends.
func (p process) rest() []string {
	var out []string
	for p.lines.Scan() {
		out = append(out, p.lines.Text())
	}
	return out
}

func intact(t *testing.T, db *sqlite.DB) {
	t.Helper()
	wrong, err := db.Check(t.Context())
	if err != nil || len(wrong) > 0 {
		t.Errorf("Check: %q, %v", wrong, err)
	}
	a, err := db.Frontier().Accounting(t.Context(), faultRun)
	if err != nil || !a.Balanced() {
		t.Errorf("accounting %+v, %v", a, err)
	}
}

func TestKilledInTheMiddleOfWriting(t *testing.T) {
	dir := t.TempDir()
	var closed []string
	for i := range 5 {
		p := start(t, dir, fmt.Sprint("endless", i))
		time.Sleep(time.Duration(40+30*i) * time.Millisecond)
		if err := p.Process.Signal(syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		said := p.rest()
		_ = p.Wait()
		closed = append(closed, said...)

		db, err := sqlite.Open(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		intact(t, db)
		for _, url := range said { // it was told, so it is there
			if u, err := db.Frontier().
				Get(t.Context(), faultRun, url); err != nil || u.State != wstk.URLClosed {
				t.Errorf("%s: %s, %v; want err == nil && u.State == wstk.URLClosed", url, u.State, err)
			}
			if _, err := db.Pages().Get(t.Context(), url); err != nil {
				t.Error(err)
			}
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
	if len(closed) == 0 {
		t.Error("nothing was written before the processes were killed")
	}
}

func TestTwoProcessesWriteAtOnce(t *testing.T) {
	dir := t.TempDir()
	a, b := start(t, dir, "a"), start(t, dir, "b")
	db := open(t, dir)
	for range 20 { // a third one reads meanwhile
		if _, err := db.EagerIndex().Search(t.Context(),
			wstk.IndexQuery{Terms: []wstk.QueryTerm{{Token: "w1", Weight: 1},
				{Token: "w2", Weight: 0.5}}}); err != nil {
			t.Error(err)
		}
		if acc, err := db.Frontier().
			Accounting(t.Context(), faultRun); err != nil || !acc.Balanced() {
			t.Errorf("%+v, %v; want err == nil && acc.Balanced()", acc, err)
		}
	}
	for _, p := range []process{a, b} {
		if said := p.rest(); len(said) != 60 {
			t.Errorf("the other process closed %d URLs, want 60: %q", len(said), said[max(0, len(said)-1):])
		}
		if err := p.Wait(); err != nil {
			t.Error(err)
		}
	}
	intact(t, db)
	acc, err := db.Frontier().Accounting(t.Context(), faultRun)
	if err != nil || acc.Discovered != 2*79 || acc.Of(wstk.OutcomeFetched) != 120 {
		t.Errorf("%+v, %v; want err == nil && acc.Discovered == 2*79 && acc.Of(wstk.OutcomeFetched) == 120", acc, err)
	}
}

func TestFullDiskKeepsWhatWasStored(t *testing.T) {
	db := open(t, t.TempDir())
	f, x := db.Frontier(), db.EagerIndex()
	for i := range 10 {
		if err := x.Replace(t.Context(), faultPage(faultURL("before", i))); err != nil {
			t.Fatal(err)
		}
	}
	size, err := db.Pragma("page_count")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Pragma(fmt.Sprintf("max_page_count = %d", size+20)); err != nil {
		t.Fatal(err)
	}
	fill := func(write func(i int) error) int {
		for i := range 10_000 {
			before, err := x.Stats(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			err = write(i)
			if err == nil {
				continue
			}
			if wstk.CodeOf(err) != wstk.Unavailable || !wstk.IsTransient(err) ||
				!strings.Contains(err.Error(), "disk is full") || !errors.Is(err, syscall.ENOSPC) ||
				len(wstk.StepsOf(err)) == 0 {
				t.Fatalf("write %d: %v, next %v", i, err, wstk.StepsOf(err))
			}
			intact(t, db)
			if after, err := x.Stats(t.Context()); err != nil || after != before {
				t.Errorf("half of a page is in the index: %+v, then %+v, %v", before, after, err)
			}
			return i
		}
		t.Fatal("the disk never gets full")
		return 0
	}
	page := func(i int) error { return x.Replace(t.Context(), faultPage(faultURL("new", i))) }
	urls := func(i int) error {
		var us []wstk.FrontierURL
		for j := range 50 {
			us = append(us, wstk.FrontierURL{Run: faultRun, URL: faultURL("new", 50*i+j)})
		}
		n, err := f.Add(t.Context(), us...)
		if err != nil && n != 0 {
			t.Errorf("%d URLs of a transaction that failed", n)
		}
		return err
	}
	i := fill(page)
	fill(urls)
	if _, err := db.Pragma("max_page_count = 1000000"); err != nil {
		t.Fatal(err)
	}
	if err := page(i); err != nil {
		t.Errorf("when there is room again: %v", err)
	}
	if err := urls(0); err != nil {
		t.Errorf("when there is room again: %v", err)
	}
	intact(t, db)
}

func TestGarbageInsteadOfADatabase(t *testing.T) {
	for name, content := range map[string]string{
		"text":   strings.Repeat("this is not a database\n", 1000),
		"zeros":  strings.Repeat("\x00", 8192),
		"header": "SQLite format 3\x00" + strings.Repeat("\xff", 8192),
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, sqlite.File)
			if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			db, err := sqlite.Open(t.Context(), dir)
			if err == nil {
				db.Close()
			}
			if wstk.CodeOf(err) != wstk.Internal || !strings.Contains(err.Error(), file) ||
				!strings.Contains(fmt.Sprint(wstk.StepsOf(err)), string(wstk.DoDoctor)) {
				t.Errorf("%v, next %v", err, wstk.StepsOf(err))
			}
			if left, err := os.ReadFile(file); err != nil || string(left) != content {
				t.Errorf("the file was changed: %v", err)
			}
		})
	}
}

func TestDamagedDatabase(t *testing.T) {
	dir := t.TempDir()
	db, err := sqlite.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 50 {
		if err := db.EagerIndex().Replace(t.Context(), faultPage(faultURL("x", i))); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, sqlite.File)
	if left, err := filepath.Glob(file + "-*"); err != nil || len(left) != 0 {
		t.Errorf("Close leaves %q beside the database", left)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i := len(data) / 8; i < len(data); i++ { // most of the disk is gone
		data[i] = 0xa5
	}
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	db, err = sqlite.Open(t.Context(), dir)
	if err == nil {
		defer db.Close()
		wrong, checkErr := db.Check(t.Context())
		if checkErr != nil || len(wrong) == 0 || !strings.Contains(wrong[0], file) {
			t.Errorf("Check of a damaged database: %q, %v", wrong, checkErr)
		}
		for i := range 50 {
			if err == nil {
				err = db.EagerIndex().Replace(t.Context(), faultPage(faultURL("y", i)))
			}
		}
	}
	if wstk.CodeOf(err) != wstk.Internal || !strings.Contains(err.Error(), file) ||
		len(wstk.StepsOf(err)) == 0 {
		t.Errorf("%v, next %v", err, wstk.StepsOf(err))
	}
}

func TestCheckFindsWhatDoesNotAddUp(t *testing.T) {
	for name, damage := range map[string]string{
		"counter":         `UPDATE frontier_counts SET n = n + 1 WHERE name = 'outcome/open'`,
		"lost counter":    `DELETE FROM frontier_counts WHERE name = 'state/waiting'`,
		"lost URL":        `DELETE FROM frontier WHERE seq = 1`,
		"lost entry":      `DELETE FROM index_entries WHERE number = 9`,
		"lost page":       `DELETE FROM index_pages WHERE id = (SELECT max(id) FROM index_pages)`,
		"lost links":      `DELETE FROM index_links WHERE page = 1`,
		"lost postings":   `DELETE FROM index_postings WHERE token = CAST('title' AS BLOB)`,
		"broken postings": `UPDATE index_postings SET data = x'ff' WHERE token = CAST('title' AS BLOB)`,
		"moved postings":  `UPDATE index_postings SET data = x'0102ff01' WHERE token = CAST('title' AS BLOB)`,
		"wrong total":     `UPDATE index_totals SET tokens = tokens - 1`,
		"lost dead":       `DELETE FROM index_dead`,
		"lost fresh":      `DELETE FROM index_fresh`,
	} {
		t.Run(name, func(t *testing.T) {
			db := open(t, t.TempDir())
			if _, err := db.Frontier().Add(t.Context(),
				wstk.FrontierURL{Run: faultRun, URL: "https://a.example/"}); err != nil {
				t.Fatal(err)
			}
			for i := range 9 {
				if err := db.EagerIndex().
					Replace(t.Context(), faultPage(faultURL("x", i%7))); err != nil {
					t.Fatal(err)
				}
			}
			intact(t, db)
			if err := db.Exec(damage); err != nil {
				t.Fatal(err)
			}
			if wrong, err := db.Check(t.Context()); err != nil || len(wrong) == 0 {
				t.Errorf("%q, %v; want err == nil && len(wrong) != 0", wrong, err)
			}
		})
	}
}

func TestDamagedPostingsAreAnErrorOfSearch(t *testing.T) {
	db := open(t, t.TempDir())
	for i := range 8 {
		if err := db.EagerIndex().Replace(t.Context(), faultPage(faultURL("x", i))); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Exec(`UPDATE index_postings SET data = x'ff'`); err != nil {
		t.Fatal(err)
	}
	_, err := db.Index().Search(t.Context(),
		wstk.IndexQuery{Terms: []wstk.QueryTerm{{Token: "title", Weight: 1}}})
	if wstk.CodeOf(err) != wstk.Internal || len(wstk.StepsOf(err)) == 0 {
		t.Errorf("%v; want wstk.CodeOf(err) == wstk.Internal && len(wstk.StepsOf(err)) != 0", err)
	}
}

func TestLockedDatabaseIsUnavailable(t *testing.T) {
	dir := t.TempDir()
	db, other := open(t, dir), open(t, dir)
	if err := other.Exec(`BEGIN IMMEDIATE`); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Pragma("busy_timeout = 50"); err != nil {
		t.Fatal(err)
	}
	site := wstk.Site{ID: "site_1"}
	err := db.Sites().Put(t.Context(), site)
	if wstk.CodeOf(err) != wstk.Unavailable || !strings.Contains(err.Error(), "locked") ||
		len(wstk.StepsOf(err)) == 0 {
		t.Errorf("%v; want wstk.CodeOf(err) == wstk.Unavailable && strings.Contains(err.Error(), \"locked\") && len(wstk.StepsOf(err)) != 0", err)
	}
	if _, err := db.Sites().Get(t.Context(), "site_1"); wstk.CodeOf(err) != wstk.NotFound {
		t.Errorf("a reader while another process writes: %v", err)
	}
	if _, err := db.Pragma("busy_timeout = 60000"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := db.Sites().Put(ctx, site); !errors.Is(err, context.DeadlineExceeded) ||
		wstk.CodeOf(err) != wstk.Timeout {
		t.Errorf("waiting beyond the context: %v", err)
	}
	if err := other.Exec(`COMMIT`); err != nil {
		t.Fatal(err)
	}
	if err := db.Sites().Put(t.Context(), site); err != nil {
		t.Errorf("when it is free again: %v", err)
	}
}

func TestOpenOfDatabasesThatAreNotOurs(t *testing.T) {
	for name, change := range map[string]string{
		"newer":           `INSERT INTO schema_version VALUES (9999, 'from the future', '')`,
		"another program": `PRAGMA application_id = 7`,
	} {
		dir := t.TempDir()
		db, err := sqlite.Open(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := db.Exec(change); err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		_, err = sqlite.Open(t.Context(), dir)
		if wstk.CodeOf(err) != wstk.Conflict || len(wstk.StepsOf(err)) == 0 {
			t.Errorf("%s: %v; want wstk.CodeOf(err) == wstk.Conflict && len(wstk.StepsOf(err)) != 0", name, err)
		}
	}
}

func TestOpenAtOnce(t *testing.T) {
	dir := t.TempDir()
	errs := make(chan error, 8)
	for range cap(errs) { // all want to make the schema
		go func() {
			db, err := sqlite.Open(context.Background(), dir)
			if err == nil {
				err = db.Sites().Put(context.Background(), wstk.Site{ID: "site_1"})
				err = errors.Join(err, db.Close())
			}
			errs <- err
		}()
	}
	for range cap(errs) {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}

func TestOpenInAPlaceThatCannotBe(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{file, filepath.Join(file, "x")} {
		if _, err := sqlite.Open(t.Context(), dir); wstk.CodeOf(err) != wstk.Invalid ||
			len(wstk.StepsOf(err)) == 0 {
			t.Errorf("%s: %v; want wstk.CodeOf(err) == wstk.Invalid && len(wstk.StepsOf(err)) != 0", dir, err)
		}
	}
}

func TestDirectoryNamesAreNotTakenForOptions(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a?mode=memory&x=#%20 ü")
	db := open(t, dir)
	if err := db.Sites().Put(t.Context(), wstk.Site{ID: "site_1"}); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(filepath.Join(dir, sqlite.File)); err != nil || info.Size() == 0 {
		t.Errorf("%v; want err == nil && info.Size() != 0", err)
	}
}

func TestCallsAfterCloseAreUnavailable(t *testing.T) {
	db, err := sqlite.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := db.Sites().Put(t.Context(), wstk.Site{ID: "site_1"}); wstk.CodeOf(err) != wstk.Unavailable {
		t.Errorf("Put: %v", err)
	}
	if _, err := db.Sites().Get(t.Context(), "site_1"); wstk.CodeOf(err) != wstk.Unavailable {
		t.Errorf("Get: %v", err)
	}
}

// A put of search rows for which the disk has no room leaves none of them, and the same
// put makes the run whole once there is room.
func TestSearchRowsAreStoredAllOrNone(t *testing.T) {
	db := open(t, t.TempDir())
	var raw []wstk.SearchRow
	var found []wstk.FoundURL
	for i := range 1000 {
		raw = append(raw, wstk.SearchRow{Provider: "serper", URL: faultURL("row", i), Rank: i + 1,
			Snippet: new(strings.Repeat("words ", 50))})
		found = append(found, wstk.FoundURL{URL: faultURL("row", i), Providers: []string{"serper"}})
	}
	size, err := db.Pragma("page_count")
	if err != nil {
		t.Fatal(err)
	}
	full := 0
	for _, room := range []int{1, 20, 60, 90, 120, 150, 1_000_000} {
		if _, err := db.Pragma(fmt.Sprintf("max_page_count = %d", size+room)); err != nil {
			t.Fatal(err)
		}
		err := db.SearchRows().PutRows(t.Context(), faultRun, raw, found)
		gotRaw, err1 := db.SearchRows().Raw(t.Context(), faultRun)
		gotFound, err2 := db.SearchRows().Found(t.Context(), faultRun)
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		switch {
		case err == nil:
			if len(gotRaw) != len(raw) || len(gotFound) != len(found) {
				t.Errorf("%d and %d rows of %d and %d", len(gotRaw), len(gotFound), len(raw), len(found))
			}
		case wstk.CodeOf(err) != wstk.Unavailable || len(gotRaw)+len(gotFound) > 0:
			t.Errorf("with room for %d pages: %v, and %d and %d rows are there", room, err, len(gotRaw), len(gotFound))
		default:
			full++
		}
	}
	if full < 3 || full > 6 {
		t.Errorf("the disk was full %d times", full)
	}
}

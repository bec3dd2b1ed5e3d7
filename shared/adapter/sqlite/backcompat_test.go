package sqlite_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"wstk/shared/adapter/files"
	"wstk/shared/adapter/sqlite"
	"wstk/shared/wstk"
)

// samples holds, in v1/store, v2/store …, a small store of every format that was ever
// released. Each must stay readable. When the format changes, `make sample SAMPLE=v2`
// writes the sample of the new one, which is committed and never written again.
const samples = "../../../testdata/backcompat"

func TestBackcompat(t *testing.T) {
	if version := os.Getenv("WSTK_BACKCOMPAT"); version != "" {
		dir := filepath.Join(samples, version, "store")
		if _, err := os.Stat(dir); err == nil {
			t.Fatalf("%s exists, and a sample is never written again", dir)
		}
		writeSample(t, dir)
	}
	versions, err := filepath.Glob(filepath.Join(samples, "v*", "store"))
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range versions {
		t.Run(filepath.Base(filepath.Dir(dir)), func(t *testing.T) {
			copied := t.TempDir() // opening brings the database up to date
			if err := os.CopyFS(copied, os.DirFS(dir)); err != nil {
				t.Fatal(err)
			}
			readSample(t, copied)
		})
	}
	if len(versions) > 0 {
		return
	}
	t.Run("unreleased", func(t *testing.T) { // until there is a sample, what would be written
		dir := filepath.Join(t.TempDir(), "sample")
		writeSample(t, dir)
		readSample(t, dir)
	})
}

type sample struct {
	site     wstk.Site
	run      wstk.Run
	page     wstk.Page
	snapshot wstk.Snapshot
	summary  wstk.Summary
	evidence wstk.Evidence
	text     string
	document wstk.Document
}

// theSample is what a sample holds; a later version adds to it and changes nothing.
func theSample() sample {
	at := time.Date(2026, 11, 21, 12, 0, 0, 123456789, time.UTC)
	url, text := "https://www.example.org/öffnung.html", "Öffnungszeiten\nMontag bis Freitag, 9 bis 17 Uhr."
	hash := wstk.HashOf([]byte(text))
	start, end, byteStart := 15, 48, 16
	byteEnd := len(text)
	s := sample{text: text}
	s.site = wstk.Site{ID: wstk.SiteIDOf("https://www.example.org/"), Root: "https://www.example.org/", Options: wstk.DefaultCrawlOptions(),
		LastRun: "run_01kakm4b4v0000000000000000", CreatedAt: at, UpdatedAt: at}
	s.run = wstk.Run{ID: s.site.LastRun, Kind: wstk.RunIngest, State: wstk.RunRunning,
		Site: s.site.ID, Options: &s.site.Options, StartedAt: at, UpdatedAt: at}
	s.page = wstk.Page{URL: url, Site: s.site.ID, CanonicalURL: url, Title: "Öffnungszeiten",
		Language: "de", SnapshotSHA256: wstk.HashOf([]byte("<p>")),
		TextSHA256: hash, Document: hash, Verdict: wstk.VerdictOK, FetchedAt: at,
		CheckedAt: at, PublishedAt: &at}
	s.snapshot = wstk.Snapshot{URL: url, FinalURL: url, Status: 200,
		Headers: map[string]string{"Etag": `"1"`}, BodySHA256: s.page.SnapshotSHA256,
		BodyBytes: 3, Method: wstk.MethodHTTP, FetchedAt: at, Verdict: wstk.VerdictOK}
	s.summary = wstk.Summary{URL: url, TextSHA256: hash,
		Text: "Öffnungszeiten von Montag bis Freitag", Engine: "heuristic", PromptHash: "rules/1", CreatedAt: at}
	s.evidence = wstk.Evidence{ID: wstk.TextEvidenceID(hash,
		wstk.Span{ByteStart: byteStart, ByteEnd: byteEnd}, url), Kind: wstk.EvidenceText,
		Quote: text[byteStart:], CharStart: &start, CharEnd: &end, ByteStart: &byteStart,
		ByteEnd: &byteEnd, TextSHA256: hash,
		SnapshotSHA256: s.page.SnapshotSHA256, URL: url, CanonicalURL: url,
		SectionPath: []string{"Öffnungszeiten"}, FetchedAt: at, Status: wstk.StatusDirect}
	s.document = wstk.Document{URL: url, CanonicalURL: url, SnapshotSHA256: s.page.SnapshotSHA256,
		TextSHA256: hash, Text: text, FetchedAt: at, Reader: "html/1",
		Blocks: []wstk.Block{{Kind: wstk.BlockParagraph, Section: -1,
			Span: wstk.Span{CharEnd: 48, ByteEnd: byteEnd}, Main: true}}}
	return s
}

// samplePages are enough for a segment and some pages that wait.
func samplePages(s sample) []wstk.PageIndex {
	var out []wstk.PageIndex
	for i := range 70 {
		url := fmt.Sprintf("https://www.example.org/%02d.html", i)
		span := wstk.Span{CharEnd: 10, ByteEnd: 10}
		c := wstk.Chunk{ID: wstk.ChunkID(url, s.page.TextSHA256, span), URL: url,
			TextSHA256: s.page.TextSHA256, Main: true, Span: span, Kind: "prose"}
		out = append(out, wstk.PageIndex{URL: url, Site: s.site.ID, Title: fmt.Sprint("Seite ", i),
			FetchedAt: s.page.FetchedAt, Tokenizer: "1",
			TextSHA256: s.page.TextSHA256,
			Entries: []wstk.Entry{{ID: c.ID, Kind: wstk.KindChunk, Chunk: &c, Title: []string{"seit"},
				Body: []string{"öffnung", fmt.Sprint("nummer", i), "中文"}}},
			Links: []wstk.Link{{URL: "https://www.example.org/00.html", Text: "Start", Main: true}}})
	}
	return out
}

func writeSample(t *testing.T, dir string) {
	t.Helper()
	ctx, s := t.Context(), theSample()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	store, err := files.Open(dir)
	must(err)
	db, err := sqlite.Open(ctx, dir)
	must(err)
	db.Now = func() time.Time { return s.page.FetchedAt }
	_, err = wstk.SaveDocument(ctx, store.Blobs, &s.document)
	must(err)
	must(db.Sites().Put(ctx, s.site))
	must(db.Runs().Create(ctx, s.run))
	must(db.Pages().Put(ctx, s.page))
	must(db.Snapshots().Put(ctx, s.snapshot))
	must(db.Summaries().Put(ctx, s.summary))
	must(db.Evidence().Put(ctx, s.evidence))
	must(db.Hosts().Defer(ctx, "https://www.example.org:443", s.page.FetchedAt.Add(time.Hour)))
	f := db.Frontier()
	_, err = f.Add(ctx, wstk.FrontierURL{Run: s.run.ID, URL: s.page.URL,
		Host: "https://www.example.org:443", Via: wstk.ViaSeed, FoundAt: s.page.FetchedAt},
		wstk.FrontierURL{Run: s.run.ID, URL: s.page.URL + "?x", Outcome: wstk.OutcomeTrap, Reason: "too many variants"})
	must(err)
	_, err = f.Queue(ctx, s.run.ID, s.page.URL, wstk.Slot{Token: "slot", At: s.page.FetchedAt})
	must(err)
	_, err = f.Store(ctx, s.run.ID, s.page.URL, "slot", s.page.Document)
	must(err)
	_, err = f.SetNote(ctx, s.run.ID, "note", "", "kept")
	must(err)
	_, err = f.ClaimText(ctx, s.run.ID, s.page.TextSHA256, s.page.URL)
	must(err)
	for _, p := range samplePages(s) {
		must(db.Index().Replace(ctx, p))
	}
	must(db.Index().Remove(ctx, "https://www.example.org/07.html"))
	must(db.Close())
}

func readSample(t *testing.T, dir string) {
	t.Helper()
	ctx, s := t.Context(), theSample()
	store, err := files.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	db := open(t, dir)
	same := func(what string, got any, err error, want any) {
		t.Helper()
		g, _ := json.Marshal(got)
		w, _ := json.Marshal(want)
		if err != nil || string(g) != string(w) {
			t.Errorf("%s: %v\n got %s\nwant %s", what, err, g, w)
		}
	}
	text, err := store.Blobs.Get(ctx, s.page.TextSHA256)
	same("text", string(text), err, s.text)
	site, err := db.Sites().Get(ctx, s.site.ID)
	same("site", site, err, s.site)
	run, err := db.Runs().Get(ctx, s.run.ID)
	same("run", run, err, s.run)
	page, err := db.Pages().Get(ctx, s.page.URL)
	same("page", page, err, s.page)
	snapshot, err := db.Snapshots().Get(ctx, s.snapshot.BodySHA256)
	same("snapshot", snapshot, err, s.snapshot)
	summary, err := db.Summaries().Get(ctx, s.summary.Key())
	same("summary", summary, err, s.summary)
	evidence, err := db.Evidence().Get(ctx, s.evidence.ID)
	same("evidence", evidence, err, s.evidence)
	slot, err := db.Hosts().Reserve(ctx, "https://www.example.org:443", s.page.FetchedAt, 0)
	same("slot", slot.At, err, s.page.FetchedAt.Add(time.Hour))

	u, err := db.Frontier().Get(ctx, s.run.ID, s.page.URL)
	same("URL", []any{u.State, u.Slot, u.Document, u.Via, u.FoundAt}, err,
		[]any{wstk.URLStored, "slot", s.page.Document, wstk.ViaSeed, s.page.FetchedAt})
	accounting, err := db.Frontier().Accounting(ctx, s.run.ID)
	same("accounting", accounting, err, wstk.Accounting{Discovered: 2,
		By: map[wstk.Outcome]int{wstk.OutcomeOpen: 1, wstk.OutcomeTrap: 1}})
	note, err := db.Frontier().Note(ctx, s.run.ID, "note")
	same("note", note, err, "kept")
	owner, err := db.Frontier().ClaimText(ctx, s.run.ID, s.page.TextSHA256, s.page.URL+"?x")
	same("owner", owner, err, s.page.URL)

	stats, err := db.Index().Stats(ctx)
	same("stats", stats, err, wstk.IndexStats{Pages: 69, Chunks: 69, Links: 69})
	for token, want := range map[string]int{"nummer3": 1, "nummer68": 1, "nummer7": 0, "中文": 69} {
		hits, err := db.Index().Search(ctx,
			wstk.IndexQuery{Terms: []wstk.QueryTerm{{Token: token, Weight: 1}}, Limit: 100})
		same(token, len(hits), err, want)
	}
	links, err := db.Index().Links(ctx, "https://www.example.org/05.html", 10)
	same("links", links, err, []wstk.LinkTo{{URL: "https://www.example.org/00.html", Text: "Start", Main: true, InShare: 1,
		TargetID: samplePages(s)[0].Entries[0].ID}})
	rows := []wstk.SearchRow{{Provider: "serper", URL: s.page.URL, Rank: 1, Meta: json.RawMessage(`{"a":1}`)}}
	if err := db.SearchRows().PutRows(ctx, s.run.ID, rows, nil); err != nil {
		t.Errorf("search rows: %v", err)
	}
	raw, err := db.SearchRows().Raw(ctx, s.run.ID)
	same("search rows", raw, err, rows)
	intact(t, db)
}

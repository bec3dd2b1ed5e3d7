package sqlite_test

import (
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"wstk/shared/adapter/sqlite"
	"wstk/shared/wstk"
)

// The benchmarks index 100,000 chunks of 250 words on 10,000 pages with 60 links
// each. WSTK_BENCH_TEXT names a directory of HTML whose words are taken (copies get
// some words replaced, so that no two chunks are equal); without it words are drawn
// from a made vocabulary of the same shape. WSTK_BENCH_STORE keeps the database.
const (
	benchPages      = 10_000
	benchChunks     = 10
	benchChunkWords = 250
	benchLinks      = 60
)

var stopWords = strings.Fields("a an and are as at be by for from has he in is it its of on or that the this to was were will with you can if not no which when also any all each other than such may must one two more these they their there then into see but so only same do does used use using")

var (
	tag  = regexp.MustCompile(`(?s)<(script|style).*?</(script|style)>|<[^>]*>|&[a-z#0-9]+;`)
	word = regexp.MustCompile(`[a-z0-9_]+`)
)

// benchWords are the words of all pages in order.
var benchWords = sync.OnceValue(func() []string {
	var words []string
	if dir := os.Getenv("WSTK_BENCH_TEXT"); dir != "" {
		_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(path, ".html") {
				data, _ := os.ReadFile(path)
				words = append(words, word.FindAllString(
					strings.ToLower(tag.ReplaceAllString(string(data), " ")), -1)...)
			}
			return nil
		})
	}
	if len(words) == 0 {
		r := rand.New(rand.NewPCG(1, 1))
		zipf := rand.NewZipf(r, 1.1, 4, 40_000)
		for range 1_000_000 {
			if n := int(zipf.Uint64()); n < len(stopWords) {
				words = append(words, stopWords[n])
			} else {
				words = append(words, fmt.Sprintf("word%d", n))
			}
		}
	}
	return words
})

// benchChunk is chunk n: a stretch of the words, with some replaced in copies.
func benchChunk(n int) []string {
	words := benchWords()
	stretches := len(words) / benchChunkWords
	from := n % stretches * benchChunkWords
	out := slices.Clone(words[from : from+benchChunkWords])
	if n >= stretches {
		r := rand.New(rand.NewPCG(uint64(n), 2))
		for range benchChunkWords / 5 {
			out[r.IntN(len(out))] = words[r.IntN(len(words))]
		}
	}
	return out
}

func benchURL(n int) string { return fmt.Sprintf("https://docs.example/manual/section-%05d.html", n) }

func benchPage(n int, at time.Time) wstk.PageIndex {
	url := benchURL(n)
	p := wstk.PageIndex{URL: url, Site: "site_bench", CanonicalURL: url, Title: fmt.Sprint("Section ", n),
		TextSHA256: wstk.HashOf([]byte(url)), SnapshotSHA256: wstk.HashOf([]byte(url)),
		FetchedAt: at, Tokenizer: "1"}
	for i := range benchChunks {
		body := benchChunk(n*benchChunks + i)
		span := wstk.Span{CharStart: 1700 * i, CharEnd: 1700 * (i + 1), ByteStart: 1700 * i,
			ByteEnd: 1700 * (i + 1)}
		c := wstk.Chunk{ID: wstk.ChunkID(url, p.TextSHA256, span), URL: url,
			TextSHA256: p.TextSHA256, SnapshotSHA256: p.SnapshotSHA256,
			Seq: i, Parent: i, SectionPath: []string{"Part II. The Language", "Chapter 7. Queries", "7.2. Table Expressions"}, Anchor: "QUERIES",
			Kind: "prose", Main: true, Span: span, Blocks: [2]int{10 * i, 10*i + 10}, Tokens: 330,
			Repeat: wstk.HashOf(fmt.Append(nil, n, i)),
			Prev:   "ch_0123456789abcdef01234567", Next: "ch_0123456789abcdef01234567"}
		p.Entries = append(p.Entries, wstk.Entry{ID: c.ID, Kind: wstk.KindChunk, Chunk: &c,
			Title: body[:6], Heading: body[6:14], Body: body})
	}
	r := rand.New(rand.NewPCG(uint64(n), 3))
	for i := range benchLinks {
		to := i // navigation: the same on every page
		if i >= 10 {
			to = r.IntN(benchPages)
		}
		p.Links = append(p.Links,
			wstk.Link{URL: benchURL(to), Text: "Section " + fmt.Sprint(to), Main: i >= 10})
	}
	return p
}

var benchDB *sqlite.DB

// benchIndex opens the index of 100,000 chunks, which is built once.
func benchIndex(b *testing.B) *sqlite.Index {
	b.Helper()
	if benchDB == nil {
		dir := os.Getenv("WSTK_BENCH_STORE")
		if dir == "" {
			var err error
			if dir, err = os.MkdirTemp("", "wstk-bench-*"); err != nil {
				b.Fatal(err)
			}
			benchDir = dir
		}
		db, err := sqlite.Open(context.Background(), dir)
		if err != nil {
			b.Fatal(err)
		}
		x := db.Index()
		stats, err := x.Stats(context.Background())
		if err != nil {
			b.Fatal(err)
		}
		began := time.Now()
		for n := stats.Pages; n < benchPages; n++ {
			if err := x.Replace(context.Background(),
				benchPage(n, time.Unix(1_700_000_000, 0))); err != nil {
				b.Fatal(err)
			}
		}
		if stats.Pages < benchPages {
			info, _ := os.Stat(db.Path())
			b.Logf("indexed %d pages in %s, database %d MB", benchPages-stats.Pages, time.Since(began).Round(time.Second), info.Size()>>20)
		}
		benchDB = db
	}
	return benchDB.Index()
}

var benchDir string

// benchQuery is n words that stand close to each other in some chunk and are no
// stop words, as a question about it would name them.
func benchQuery(seed, n int) []wstk.QueryTerm {
	r := rand.New(rand.NewPCG(uint64(seed), 4))
	var terms []wstk.QueryTerm
	for _, w := range benchChunk(r.IntN(benchPages * benchChunks))[r.IntN(100):] {
		known := slices.ContainsFunc(terms, func(t wstk.QueryTerm) bool { return t.Token == w })
		if len(terms) < n && len(w) > 2 && !known && !slices.Contains(stopWords, w) {
			terms = append(terms, wstk.QueryTerm{Token: w, Weight: 1})
		}
	}
	return terms
}

// cpu is the processor time this process has used.
func cpu() time.Duration {
	var r syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// timed runs f b.N times and reports its median and 95th percentile.
func timed(b *testing.B, f func(i int) error) {
	b.Helper()
	var took []time.Duration
	before := cpu()
	for i := 0; b.Loop(); i++ {
		began := time.Now()
		if err := f(i); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(began))
	}
	// on a machine that does other things too, processor time tells more than the clock
	b.ReportMetric(float64((cpu()-before).Microseconds())/1000/float64(len(took)), "cpu-ms/op")
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
}

func BenchmarkSearch(b *testing.B) {
	search := func(change func(q *wstk.IndexQuery, i int)) func(b *testing.B) {
		return func(b *testing.B) {
			x := benchIndex(b)
			timed(b, func(i int) error {
				q := wstk.IndexQuery{Terms: benchQuery(i, 4), Limit: 50}
				change(&q, i)
				hits, err := x.Search(b.Context(), q)
				if err == nil && len(hits) == 0 {
					err = fmt.Errorf("nothing found for %v", q.Terms)
				}
				return err
			})
		}
	}
	b.Run("4terms", search(func(*wstk.IndexQuery, int) {}))
	b.Run("8terms", search(func(q *wstk.IndexQuery, i int) { q.Terms = benchQuery(i, 8) }))
	b.Run("4terms+4halves", search(func(q *wstk.IndexQuery, i int) {
		q.Terms = benchQuery(i, 8)
		for j := 4; j < len(q.Terms); j++ {
			q.Terms[j].Weight = 0.5
		}
	}))
	b.Run("site", search(func(q *wstk.IndexQuery, i int) { q.Filter.IncludeSites = []string{"docs.example"} }))
	b.Run("10pages", search(func(q *wstk.IndexQuery, i int) {
		q.Terms = append(q.Terms, wstk.QueryTerm{Token: stopWords[0], Weight: 1})
		for j := range 10 {
			q.Pages = append(q.Pages, benchURL(j*100))
		}
	}))
}

func BenchmarkLinks(b *testing.B) {
	x := benchIndex(b)
	timed(b, func(i int) error {
		_, err := x.Links(b.Context(), benchURL(i*7%benchPages), 100)
		return err
	})
}

func BenchmarkReplace(b *testing.B) {
	x := benchIndex(b)
	at := time.Now()
	timed(b, func(i int) error {
		return x.Replace(b.Context(), benchPage(i*7%benchPages, at.Add(time.Duration(i))))
	})
}

// benchFrontier is a frontier of one run with 100,000 URLs.
func benchFrontier(b *testing.B) (*sqlite.Frontier, func(n int) wstk.FrontierURL) {
	b.Helper()
	db, err := sqlite.Open(b.Context(), b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { db.Close() })
	run := wstk.NewRunID(time.Now(), nil)
	found := func(n int) wstk.FrontierURL {
		return wstk.FrontierURL{Run: run, URL: benchURL(n), Host: "https://docs.example:443",
			Depth: 1 + n%5, Via: wstk.ViaLink, FoundOn: benchURL(n / 60)}
	}
	var urls []wstk.FrontierURL
	for n := range 100_000 {
		urls = append(urls, found(n))
	}
	if _, err := db.Frontier().Add(b.Context(), urls...); err != nil {
		b.Fatal(err)
	}
	return db.Frontier(), found
}

func BenchmarkFrontier(b *testing.B) {
	b.Run("Add200", func(b *testing.B) {
		f, found := benchFrontier(b)
		timed(b, func(i int) error {
			var urls []wstk.FrontierURL
			for j := range 200 {
				urls = append(urls, found(100_000+200*i+j))
			}
			_, err := f.Add(b.Context(), urls...)
			return err
		})
	})
	b.Run("Add200known", func(b *testing.B) {
		f, found := benchFrontier(b)
		timed(b, func(i int) error {
			var urls []wstk.FrontierURL
			for j := range 200 {
				urls = append(urls, found((200*i+j)%100_000))
			}
			_, err := f.Add(b.Context(), urls...)
			return err
		})
	})
	b.Run("Waiting", func(b *testing.B) {
		f, found := benchFrontier(b)
		timed(b, func(i int) error {
			us, err := f.Waiting(b.Context(), found(0).Run, 100, 50)
			if err == nil && len(us) != 50 {
				err = fmt.Errorf("%d URLs", len(us))
			}
			return err
		})
	})
	b.Run("Waiting1000hosts", func(b *testing.B) {
		f, found := benchFrontier(b)
		run := wstk.NewRunID(time.Now(), nil)
		var urls []wstk.FrontierURL
		for n := range 50_000 {
			u := found(n)
			u.Run, u.Host = run, fmt.Sprintf("https://%d.example:443", n%1000)
			urls = append(urls, u)
		}
		if _, err := f.Add(b.Context(), urls...); err != nil {
			b.Fatal(err)
		}
		timed(b, func(i int) error {
			us, err := f.Waiting(b.Context(), run, 100, 50)
			if err == nil && len(us) != 100 {
				err = fmt.Errorf("%d URLs", len(us))
			}
			return err
		})
	})
	b.Run("Queue", func(b *testing.B) {
		f, found := benchFrontier(b)
		timed(b, func(i int) error {
			u := found(i % 100_000)
			_, err := f.Queue(b.Context(), u.Run, u.URL, wstk.Slot{Token: "slot", At: time.Now()})
			return err
		})
	})
	b.Run("Close", func(b *testing.B) {
		f, found := benchFrontier(b)
		timed(b, func(i int) error {
			u := found(i % 100_000)
			_, err := f.Close(b.Context(), u.Run, u.URL,
				wstk.Closing{Outcome: wstk.OutcomeFetched, Reason: "200 OK"})
			return err
		})
	})
	b.Run("States", func(b *testing.B) {
		f, found := benchFrontier(b)
		timed(b, func(i int) error {
			_, err := f.States(b.Context(), found(0).Run)
			return err
		})
	})
}

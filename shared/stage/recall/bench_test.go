package recall_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"

	"wstk/shared/adapter/files"
	"wstk/shared/adapter/sqlite"
	"wstk/shared/stage/chunk"
	"wstk/shared/stage/index"
	"wstk/shared/stage/recall"
	"wstk/shared/stage/summarize"
	"wstk/shared/wstk"
)

// BenchmarkRecall asks an index of 100,000 chunks (WSTK_BENCH_CHUNKS) in SQLite,
// with the texts in files: the bundled pages, copied under other hosts with every
// fifth word replaced by another of the site's, so that no two copies are equal.
// One operation is one query; p50-ms and p95-ms are of Stage.Do as a whole.
// WSTK_BENCH_RECALL keeps the stores for the next time.
func BenchmarkRecall(b *testing.B) {
	chunks := 100_000
	if s := os.Getenv("WSTK_BENCH_CHUNKS"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil {
			b.Fatal(err)
		}
		chunks = n
	}
	dir := os.Getenv("WSTK_BENCH_RECALL")
	if dir == "" {
		dir = b.TempDir()
	}
	ctx := context.Background()
	db, err := sqlite.Open(ctx, dir)
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	blobs := files.Blobs{Dir: filepath.Join(dir, "blobs")}
	set := bundled(b)
	began := time.Now()
	grow(b, set, db.Index(), blobs, chunks)
	b.Logf("stores ready after %s", time.Since(began).Round(time.Second))

	for _, v := range []variant{variants()[0], {"all", recall.DefaultConfig()}} {
		b.Run(v.name, func(b *testing.B) {
			s := recall.New(db.Index(), blobs)
			s.Config = v.config
			queries := asked(set)
			var took []time.Duration
			for i := 0; b.Loop(); i++ {
				at := time.Now()
				r, err := s.Do(ctx, recall.Query{Text: queries[i%len(queries)]})
				if err != nil {
					b.Fatal(err)
				}
				if len(r.Hits) == 0 || len(r.Warnings) > 0 {
					b.Fatalf("%q: %d hits, warnings %v", queries[i%len(queries)], len(r.Hits), r.Warnings)
				}
				took = append(took, time.Since(at))
			}
			slices.Sort(took)
			ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
			b.ReportMetric(ms(took[len(took)/2]), "p50-ms")
			b.ReportMetric(ms(took[len(took)*95/100]), "p95-ms")
		})
	}
}

// asked are the questions of the set and, between them, as many queries of two to
// four words that stand together on a page.
func asked(set labelled) []string {
	r := rand.New(rand.NewPCG(7, 7))
	var out []string
	for _, q := range set.queries {
		out = append(out, q.text)
		for {
			d := set.docs[r.IntN(len(set.docs))]
			words := strings.FieldsFunc(d.MainText(), func(r rune) bool {
				return !unicode.IsLetter(r) && r != '_'
			})
			n := 2 + r.IntN(3)
			if len(words) <= n {
				continue
			}
			at := r.IntN(len(words) - n)
			if s := strings.Join(words[at:at+n], " "); len(s) > 6*n {
				out = append(out, s)
				break
			}
		}
	}
	return out
}

// grow indexes copies of the set until there are enough chunks.
func grow(b *testing.B, set labelled, x wstk.Index, blobs wstk.BlobStore, chunks int) {
	b.Helper()
	ctx := context.Background()
	stats, err := x.Stats(ctx)
	if err != nil {
		b.Fatal(err)
	}
	var words []string
	for _, d := range set.docs {
		words = append(words, strings.Fields(d.MainText())...)
	}
	in := index.Stage{Index: x, Split: chunk.Split}
	sum := summarize.Stage{}
	for n, host := stats.Chunks, stats.Pages/len(set.docs); n < chunks; host++ {
		r := rand.New(rand.NewPCG(uint64(host), 1))
		root := fmt.Sprintf("https://host%d.example/", host)
		for _, d := range set.docs {
			c := alter(d, words, r)
			c.URL = strings.Replace(d.URL, bundledRoot, root, 1)
			c.CanonicalURL = c.URL
			for i := range c.Links {
				c.Links[i].URL = strings.Replace(c.Links[i].URL, bundledRoot, root, 1)
			}
			if _, err := blobs.Put(ctx, []byte(c.Text)); err != nil {
				b.Fatal(err)
			}
			s, err := sum.Do(ctx, c)
			if err != nil {
				b.Fatal(err)
			}
			p, err := in.Do(ctx, index.Input{Page: wstk.Page{URL: c.URL, Site: wstk.SiteIDOf(root)},
				Document: c, Summary: &s[0]})
			if err != nil {
				b.Fatal(err)
			}
			n += len(p.Entries) - 1
		}
	}
}

// alter copies d with every fifth word replaced.
func alter(d *wstk.Document, words []string, r *rand.Rand) *wstk.Document {
	c := *d
	c.Links = slices.Clone(d.Links)
	c.Blocks = slices.Clone(d.Blocks)
	var text strings.Builder
	for i := range c.Blocks {
		if text.Len() > 0 {
			text.WriteByte('\n')
		}
		start := text.Len()
		for k, w := range strings.Split(d.BlockText(i), " ") {
			if k > 0 {
				text.WriteByte(' ')
			}
			if r.IntN(5) == 0 {
				w = words[r.IntN(len(words))]
			}
			text.WriteString(w)
		}
		c.Blocks[i].Span = wstk.Span{ByteStart: start, ByteEnd: text.Len()}
	}
	c.Text = text.String()
	c.TextSHA256 = wstk.HashOf([]byte(c.Text))
	return &c
}

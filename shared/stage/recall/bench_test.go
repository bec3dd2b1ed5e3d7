package recall_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode"

	"wstk/shared/adapter/files"
	"wstk/shared/adapter/model/minilm"
	"wstk/shared/adapter/sqlite"
	"wstk/shared/stage/chunk"
	"wstk/shared/stage/index"
	"wstk/shared/stage/recall"
	"wstk/shared/stage/summarize"
	"wstk/shared/wstk"
)

// BenchmarkRecall asks indexes of 1,000 and 100,000 chunks (WSTK_BENCH_CHUNKS is another
// largest number) in SQLite, with the texts in files: the bundled pages, copied under other hosts
// with every fifth word replaced by another of the site's, so that no two copies are equal. The
// chunks have vectors of random directions: how long a search takes does not depend on them.
// One operation is one query; p50-ms and p95-ms are of Stage.Do as a whole, cpu-ms is what the
// processors worked for each. WSTK_BENCH_RECALL keeps the stores for the next time.
func BenchmarkRecall(b *testing.B) {
	sizes := []int{1_000, 100_000}
	if s := os.Getenv("WSTK_BENCH_CHUNKS"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil {
			b.Fatal(err)
		}
		sizes[1] = n
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
	embedder := queryEmbedder(b)
	for _, chunks := range sizes {
		began := time.Now()
		grow(b, set, db.Index(), db.Vectors(), blobs, chunks)
		b.Logf("stores of %d chunks ready after %s", chunks, time.Since(began).Round(time.Second))
		for _, v := range []variant{variants()[0], {"all", recall.DefaultConfig()},
			{"vectors", recall.DefaultConfig()}} {
			s := recall.New(db.Index(), blobs)
			s.Config = v.config
			if v.name == "vectors" {
				s.Legs = append(s.Legs, recall.Vectors{Embedder: embedder, Index: db.Vectors()})
			}
			b.Run(fmt.Sprintf("%d/%s", chunks, v.name), func(b *testing.B) {
				timeRecall(b, s, asked(set))
			})
		}
	}
}

// timeRecall asks the queries in turn.
func timeRecall(b *testing.B, s *recall.Stage, queries []string) {
	b.Helper()
	var took []time.Duration
	ask := func(i int) {
		at := time.Now()
		r, err := s.Do(b.Context(), recall.Query{Text: queries[i%len(queries)]})
		if err != nil {
			b.Fatal(err)
		}
		if len(r.Hits) == 0 || len(r.Warnings) > 0 {
			b.Fatalf("%q: %d hits, warnings %v", queries[i%len(queries)], len(r.Hits), r.Warnings)
		}
		took = append(took, time.Since(at))
	}
	ask(0) // reads the vectors
	took = nil
	before := processorTime(b)
	for i := 0; b.Loop(); i++ {
		ask(i)
	}
	b.ReportMetric(1000*(processorTime(b)-before)/float64(b.N), "cpu-ms")
	slices.Sort(took)
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	b.ReportMetric(ms(took[len(took)/2]), "p50-ms")
	b.ReportMetric(ms(took[len(took)*95/100]), "p95-ms")
}

// processorTime is what this process has used, in seconds: other programs disturb it less.
func processorTime(b *testing.B) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// queryEmbedder is the real model, if its weights are here.
func queryEmbedder(b *testing.B) wstk.Embedder {
	known := minilm.Known[0]
	path := os.Getenv("WSTK_MODEL")
	if path == "" {
		path = "../../../.cache/model/" + string(known.SHA256) + ".safetensors"
	}
	m, err := minilm.Open(known, path)
	if err != nil {
		b.Logf("queries get random vectors: %v", err)
		return randomEmbedder{}
	}
	b.Cleanup(func() { m.Close() })
	return minilm.Embedder{Model: m}
}

// randomEmbedder has the name of the real one.
type randomEmbedder struct{}

func (randomEmbedder) Info() wstk.EmbedderInfo { return minilm.Known[0].Embedder() }

func (randomEmbedder) Embed(
	_ context.Context, _ wstk.EmbedPurpose, texts ...string,
) (wstk.EmbedReply, error) {
	out := make([]wstk.Embedding, len(texts))
	for i := range out {
		out[i].Vector = direction(rand.New(rand.NewPCG(uint64(i), 3)))
	}
	return wstk.EmbedReply{Embeddings: out}, nil
}

// direction returns a random vector of the length 1.
func direction(r *rand.Rand) []float32 {
	v, squares := make([]float32, minilm.Known[0].Hidden), 0.0
	for i := range v {
		v[i] = float32(r.NormFloat64())
		squares += float64(v[i]) * float64(v[i])
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(squares))
	}
	return v
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
func grow(
	b *testing.B, set labelled, x wstk.Index, vectors wstk.VectorIndex, blobs wstk.BlobStore,
	chunks int,
) {
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
			v := wstk.PageVectors{URL: p.URL, Site: p.Site, FetchedAt: p.FetchedAt,
				Model: minilm.Known[0].Embedder().ID()}
			for _, e := range p.Entries {
				if e.Chunk != nil && e.Chunk.Main && !slices.Contains(v.Chunks, e.ID) {
					v.Chunks, v.Vectors = append(v.Chunks, e.ID), append(v.Vectors, direction(r))
				}
			}
			if err := vectors.Replace(ctx, v); err != nil {
				b.Fatal(err)
			}
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

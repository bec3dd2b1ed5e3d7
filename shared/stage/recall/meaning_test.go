package recall_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"wstk/shared/adapter/memory"
	"wstk/shared/adapter/model/minilm"
	"wstk/shared/adapter/vector"
	"wstk/shared/stage/recall"
	"wstk/shared/wstk/wstktest"
)

// byMeaning are the ways to combine words with meaning.
func byMeaning() []variant {
	full := recall.DefaultConfig()
	with := func(name string, change func(*recall.Config)) variant {
		c := full
		change(&c)
		return variant{name, c}
	}
	out := []variant{{"zscore", full}}
	for _, w := range []float64{0, .1, .3, .4} {
		out = append(out, with(fmt.Sprintf("zscore, summaries %.1f", w),
			func(c *recall.Config) { c.MeaningOfSummaries = w }))
	}
	return append(out, with("rrf", func(c *recall.Config) { c.Fusion = recall.RRF }),
		with("rrf, no summaries", func(c *recall.Config) {
			c.Fusion, c.MeaningOfSummaries = recall.RRF, 0
		}))
}

// TestBundledByMeaning scores recall on the bundled site with MiniLM. It takes minutes, since
// it embeds 1,900 passages, so it runs where WSTK_MEASURE is set:
//
//	WSTK_MEASURE=1 WSTK_MODEL=… go test ./shared/stage/recall -run TestBundledByMeaning -v -timeout 30m
func TestBundledByMeaning(t *testing.T) {
	if os.Getenv("WSTK_MEASURE") == "" {
		t.Skip("WSTK_MEASURE is not set")
	}
	known := minilm.Known[0]
	m, err := minilm.Open(known, os.Getenv("WSTK_MODEL"))
	if err != nil {
		wstktest.Skip(t, "no weights of "+known.Name)
	}
	defer m.Close()
	embedder := minilm.Embedder{Model: m}
	set := bundled(t)
	x := vector.Index{Index: memory.NewIndex(), Vectors: memory.NewVectors(), Embedder: embedder,
		Texts: memory.NewBlobs()}
	w := newWorld(t, nil, x)
	w.texts = x.Texts
	addTo(t, w, set.docs)
	var b strings.Builder
	table := func(legs []recall.Leg, list []variant) {
		w.legs = legs
		for _, v := range list {
			m := w.measure(t, set, v)
			fmt.Fprintf(&b, "| %s | %.3f | %.3f | %.3f | %.3f | %.3f | %.3f | %.3f | %.3f |\n", v.name,
				m.ndcg, m.page10, m.mrr, m.allPages, m.pass5, m.pass10, m.pass50, m.passMRR)
		}
	}
	table(nil, []variant{{"words alone", recall.DefaultConfig()}})
	table([]recall.Leg{recall.Vectors{Embedder: embedder, Index: x.Vectors}}, byMeaning())
	t.Logf("%d questions; nDCG@10, @10, MRR, all in 8; passage @5, @10, @50, MRR\n%s",
		len(set.queries), b.String())
}

package vector_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"wstk/shared/adapter/memory"
	"wstk/shared/adapter/vector"
	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
)

// named is an embedder under another name.
type named struct {
	pointing
	name string
}

func (n named) Info() wstk.EmbedderInfo {
	return wstk.EmbedderInfo{Provider: "made", Name: n.name, Dimension: 2, MaxTokens: 100}
}

// sums embeds a text by its letters, and reads 50 words of it.
type sums struct{}

func (sums) Info() wstk.EmbedderInfo {
	return wstk.EmbedderInfo{Provider: "made", Name: "sums", Dimension: 8, MaxTokens: 50}
}

func (sums) Embed(
	ctx context.Context, _ wstk.EmbedPurpose, texts ...string,
) (wstk.EmbedReply, error) {
	var out wstk.EmbedReply
	if err := ctx.Err(); err != nil {
		return out, wstk.Wrap(wstk.Cancelled, "embedding", err)
	}
	for _, s := range texts {
		words := strings.Fields(s)
		m := wstk.Embedding{Vector: make([]float32, 8), Cut: len(words) > 50}
		if m.Cut {
			s = strings.Join(words[:50], " ")
		}
		for i := range len(s) {
			m.Vector[s[i]%8]++
		}
		m.Vector[0]++
		l := float32(math.Sqrt(square(m.Vector)))
		for i := range m.Vector {
			m.Vector[i] /= l
		}
		out.Embeddings = append(out.Embeddings, m)
	}
	return out, nil
}

func square(v []float32) (sum float64) {
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	return sum
}

func TestOnceIsAnEmbedder(t *testing.T) {
	wstktest.Embedder(t, func(*testing.T) wstk.Embedder {
		return vector.Once{Embedder: sums{}, Kept: memory.NewEmbeddings()}
	})
}

func TestEachPassageIsEmbeddedOnce(t *testing.T) {
	var given []string
	kept := memory.NewEmbeddings()
	ask := func(model string, purpose wstk.EmbedPurpose, texts ...string) []string {
		t.Helper()
		given = nil
		e := vector.Once{Embedder: named{pointing{&given}, model}, Kept: kept}
		r, err := e.Embed(t.Context(), purpose, texts...)
		if err != nil || len(r.Embeddings) != len(texts) {
			t.Fatalf("%d vectors, %v", len(r.Embeddings), err)
		}
		for i, s := range texts {
			want := []float32{1, 0}
			if s == "tree" {
				want = []float32{0, 1}
			}
			if !slices.Equal(r.Embeddings[i].Vector, want) {
				t.Errorf("%s: the vector is %v", s, r.Embeddings[i].Vector)
			}
			r.Embeddings[i].Vector[0] = 9 // it belongs to the caller
		}
		return given
	}
	for _, c := range []struct {
		model       string
		purpose     wstk.EmbedPurpose
		texts, want []string
	}{
		{"one", wstk.EmbedPassage, []string{"tree", "boat", "tree"}, []string{"tree", "boat"}},
		{"one", wstk.EmbedPassage, []string{"boat", "car", "tree"}, []string{"car"}},
		{"one", wstk.EmbedPassage, []string{"tree"}, nil},
		{"one", wstk.EmbedQuery, []string{"tree"}, []string{"tree"}},
		{"one", wstk.EmbedQuery, []string{"tree"}, []string{"tree"}},
		{"two", wstk.EmbedPassage, []string{"tree", "boat"}, []string{"tree", "boat"}},
		{"one", wstk.EmbedPassage, []string{"tree", "boat"}, nil}, // what it made is still there
	} {
		if got := ask(c.model, c.purpose, c.texts...); !slices.Equal(got, c.want) {
			t.Errorf("%+v: %v was embedded", c, got)
		}
	}
}

package minilm

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
)

// weightsOf returns the file of a known model; a test that needs it skips without it.
func weightsOf(t testing.TB, s Spec) string {
	t.Helper()
	path := os.Getenv("WSTK_MODEL")
	if path == "" {
		path = "../../../../.cache/model/" + string(s.SHA256) + ".safetensors"
	}
	if _, err := os.Stat(path); err != nil {
		wstktest.Skip(t, "no weights of "+s.Name+": run make model")
	}
	return path
}

func miniLM(t testing.TB) Embedder {
	t.Helper()
	m, err := Open(Known[0], weightsOf(t, Known[0]))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return Embedder{m}
}

type golden struct {
	Text   string
	IDs    []int32
	Vector []float32
}

// golden.json is what reference.py writes.
func readGolden(t *testing.T) []golden {
	t.Helper()
	data, err := os.ReadFile("testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var g []golden
	if err := json.Unmarshal(data, &g); err != nil {
		t.Fatal(err)
	}
	if len(g) < 15 {
		t.Fatalf("only %d texts", len(g))
	}
	return g
}

func TestTokensAreThoseOfTheReference(t *testing.T) {
	for _, g := range readGolden(t) {
		words, _ := tokens(g.Text, Known[0].MaxTokens-2)
		got := append(append([]int32{idBegin}, words...), idEnd)
		if !slices.Equal(got, g.IDs) {
			t.Errorf("%.60q:\n got %d\nwant %d", g.Text, got, g.IDs)
		}
	}
}

func TestVectorsAreThoseOfTheReference(t *testing.T) {
	e := miniLM(t)
	for _, k := range kernelsHere() {
		e.kernels = k.kernels
		worst := 1.0
		for _, g := range readGolden(t) {
			if k.name == "Go" && len(g.IDs) > 64 {
				continue // it takes seconds
			}
			made, err := e.Embed(t.Context(), wstk.EmbedPassage, g.Text)
			if err != nil {
				t.Fatal(err)
			}
			worst = min(worst, wstk.Cosine(made.Embeddings[0].Vector, g.Vector))
		}
		t.Logf("%s: the lowest cosine is %.9f", k.name, worst)
		if worst < .99999 {
			t.Errorf("%s: the lowest cosine is %g, want .99999", k.name, worst)
		}
	}
}

func TestMiniLM(t *testing.T) {
	wstktest.Embedder(t, func(t *testing.T) wstk.Embedder { return miniLM(t) })
}

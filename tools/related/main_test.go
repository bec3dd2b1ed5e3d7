package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// sample writes a WordNet and lists of SCOWL of a few words, and a vocabulary that has all.
func sample(t *testing.T) sources {
	t.Helper()
	words := strings.Fields("doors door gates gate words word terms term notes note holes hole " +
		"lamps lamp ropes rope shelves shelf spoons spoon candles candle delete erase remove")
	files := map[string]string{
		"wordnet/data.verb": "00000001 30 v 02 delete 0 erase 0 001 @ 00000002 v 0000 | take out\n" +
			"00000002 30 v 01 remove 0 000 | take away\n",
		"wordnet/index.verb": "delete v 1 1 @ 1 0 00000001\nerase v 1 1 @ 1 0 00000001\n" +
			"remove v 1 0 1 0 00000002\n",
		"scowl/english-words.10": strings.Join(words, "\n"),
		"vocabulary":             strings.Join(words, "\n"),
	}
	for _, speech := range []string{"noun", "verb", "adj", "adv"} {
		files["wordnet/data."+speech] += ""
		files["wordnet/index."+speech] += ""
		files["wordnet/"+speech+".exc"] = ""
	}
	for _, list := range []string{"english-words.", "american-words."} {
		for _, size := range []string{"10", "20", "35", "40", "50"} {
			files["scowl/"+list+size] += ""
		}
	}
	dir := t.TempDir()
	for name, data := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return sources{wordnet: filepath.Join(dir, "wordnet"), scowl: filepath.Join(dir, "scowl"),
		vocabulary: filepath.Join(dir, "vocabulary")}
}

// All words are equally near, and each has more of them than the table takes.
func alike(_ context.Context, words []word) (vectors, error) {
	v := make(vectors, len(words))
	for i := range v {
		v[i] = []float32{.8, 0, 0, 0, 0, 0, 0, 0}
	}
	return v, nil
}

// The same sources give the same table, in which the shortest form stands for a token.
func TestSameTable(t *testing.T) {
	s := sample(t)
	first, err := s.table(t.Context(), alike)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(first, "delete\terase 84") {
		t.Errorf("the table does not relate delete to erase first:\n%s", first)
	}
	for _, form := range []string{"doors", "words", "spoons"} {
		if strings.Contains(first, form) {
			t.Errorf("the table has %s for all its forms:\n%s", form, first)
		}
	}
	for range 5 {
		if again, err := s.table(t.Context(), alike); again != first {
			t.Fatalf("a rerun gives (%v)\n%swant\n%s", err, again, first)
		}
	}
}

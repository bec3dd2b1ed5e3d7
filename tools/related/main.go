// Command related makes the table of related English words of shared/text/related:
//
//	related -wordnet DIR -scowl DIR -model FILE -out shared/text/related/words.txt
//
// The words are those of SCOWL's lists up to size 50. Two words are related if WordNet 3.0 says
// so, or if the model MiniLM gives them vectors that are near; how closely is the cosine of
// their vectors, and more if WordNet says so. Words that mean the opposite are not related.
// The same sources give the same table.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
)

func main() {
	var s sources
	flag.StringVar(&s.wordnet, "wordnet", "", "folder of the database of WordNet 3.0")
	flag.StringVar(&s.scowl, "scowl", "", "folder of the word lists of SCOWL")
	flag.StringVar(&s.model, "model", "", "file of MiniLM's weights, as make model gets it")
	flag.StringVar(&s.vocabulary, "vocabulary", "shared/adapter/model/minilm/vocab.txt",
		"the model's vocabulary")
	out := flag.String("out", "", "file to write the table to")
	flag.Parse()
	made, err := s.table(context.Background(), s.embed)
	if err == nil {
		err = os.WriteFile(*out, []byte(made), 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "related:", err)
		os.Exit(1)
	}
}

// sources are what the table is made of.
type sources struct{ wordnet, scowl, model, vocabulary string }

// table returns the table of the words, whose vectors embed returns.
func (s sources) table(
	ctx context.Context, embed func(context.Context, []word) (vectors, error),
) (string, error) {
	w, err := readWordnet(s.wordnet)
	if err != nil {
		return "", err
	}
	words, err := readWords(s.scowl, w)
	if err != nil {
		return "", err
	}
	v, err := embed(ctx, words)
	if err != nil {
		return "", err
	}
	vocabulary, err := os.ReadFile(s.vocabulary)
	if err != nil {
		return "", err
	}
	whole := map[string]bool{}
	for _, word := range strings.Fields(string(vocabulary)) {
		whole[word] = true
	}
	return table(words, relate(words, v, w, whole, inUse)), nil
}

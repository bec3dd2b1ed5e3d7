package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"wstk/shared/text"
)

// word is a word of the table with what it was made of.
type word struct {
	text string // the form that stands for all with its token
	stem string // its token
	size int    // of the smallest list of SCOWL that has it: 10 are the most frequent words
}

// sizes are the lists of SCOWL that words are taken from, the most frequent words first.
var sizes = []int{10, 20, 35, 40, 50}

var plain = regexp.MustCompile(`^[a-z]{3,20}$`)

// readWords returns the words of SCOWL that are no English stop words, one for each token: one
// that WordNet has, of these the one of the smallest list, of these the shortest. A stop word of
// another language is a word like others: "door" is one in Dutch.
func readWords(dir string, w *wordnet) ([]word, error) {
	var out []word
	at := map[string]int{} // by token
	for _, size := range sizes {
		listed, err := readSize(dir, size, w)
		if err != nil {
			return nil, err
		}
		for _, one := range listed {
			if i, ok := at[one.stem]; !ok {
				at[one.stem] = len(out)
				out = append(out, one)
			} else if better(one, out[i], w) {
				out[i] = one
			}
		}
	}
	return out, nil
}

// readSize returns the words of the lists of one size. Of rare words it takes those that
// WordNet has, and those of programmers.
func readSize(dir string, size int, w *wordnet) (out []word, err error) {
	for _, name := range []string{"english-words", "american-words", "special-hacker"} {
		data, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("%s.%d", name, size)))
		if err != nil && (name != "special-hacker" || !os.IsNotExist(err)) {
			return nil, err
		}
		for _, s := range strings.Fields(string(data)) {
			known := size <= 20 || name == "special-hacker" || len(w.senses[s]) > 0
			if known && plain.MatchString(s) && tokenOf(s) != "" {
				out = append(out, word{s, tokenOf(s), size})
			}
		}
	}
	return out, nil
}

// better reports whether a stands for a token rather than b.
func better(a, b word, w *wordnet) bool {
	inA, inB := len(w.senses[a.text]) > 0, len(w.senses[b.text]) > 0
	if inA != inB {
		return inA
	}
	if a.size != b.size {
		return false
	}
	return len(a.text) < len(b.text)
}

// tokenOf returns the token of a word; "" if it has none, or several, or is a stop word.
func tokenOf(s string) string {
	if tokens := text.Tokenize(s, "en"); len(tokens) == 1 && !tokens[0].Stop {
		return tokens[0].Text
	}
	return ""
}

package related

import (
	_ "embed"
	"strings"
	"sync"

	"wstk/shared/lexicon"
	"wstk/shared/text"
)

// Phrase is words of a text that are said for one word.
type Phrase struct {
	Start, End int // in tokens of the text
	Words      []string
}

//go:embed phrases.txt
var phrasesFile string

// phrases are the lines of the file by the first token of their phrase.
var phrases = sync.OnceValue(func() map[string][]phrase {
	out := map[string][]phrase{}
	for e := range lexicon.Parse(phrasesFile).Entries("phrases") {
		p := phrase{words: strings.Fields(e[1])}
		for _, t := range text.Tokenize(e.Phrase(), "en") {
			p.tokens = append(p.tokens, t.Text)
		}
		out[p.tokens[0]] = append(out[p.tokens[0]], p)
	}
	return out
})

type phrase struct{ tokens, words []string }

// Phrases returns the phrases that English tokens hold, stop words among them.
func Phrases(tokens []text.Token) (out []Phrase) {
	for i, t := range tokens {
		for _, p := range phrases()[t.Text] {
			if begins(tokens[i:], p.tokens) {
				out = append(out, Phrase{i, i + len(p.tokens), p.words})
			}
		}
	}
	return out
}

func begins(tokens []text.Token, with []string) bool {
	if len(tokens) < len(with) {
		return false
	}
	for i, w := range with {
		if tokens[i].Text != w {
			return false
		}
	}
	return true
}

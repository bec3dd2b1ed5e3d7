package text

import (
	_ "embed"
	"sync"

	"wstk/shared/lexicon"
)

//go:embed stopwords.txt
var stopFile string

var stopLexicon = sync.OnceValue(func() *lexicon.Lexicon { return lexicon.Parse(stopFile) })

// stopCJK are the bigrams of Chinese, Japanese and Korean that only ask or link.
var stopCJK = sync.OnceValue(func() map[string]bool { return stopLexicon().Set("stop bigrams") })

// IsStopWord reports whether w, in lower case, carries no topic in one of the languages
// known here.
func IsStopWord(w string) bool { return stopOf()[w] != nil }

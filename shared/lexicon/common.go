package lexicon

import (
	_ "embed"
	"sync"
)

//go:embed common.txt
var commonFile string

// Common returns the words that more than one stage reads: the families "pronouns" and "denies".
var Common = sync.OnceValue(func() *Lexicon { return Parse(commonFile) })

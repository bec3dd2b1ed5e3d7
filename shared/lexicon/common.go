package lexicon

import (
	_ "embed"
	"sync"
)

//go:embed common.txt
var commonFile string

// Common returns the words that more than one stage reads: the families "pronouns" and "denies".
var Common = sync.OnceValue(func() *Lexicon { return Parse(commonFile) })

//go:embed attributes.txt
var attributesFile string

// Attributes returns the words in which pages and questions speak of attributes: the families
// "attributes" and "units".
var Attributes = sync.OnceValue(func() *Lexicon { return Parse(attributesFile) })

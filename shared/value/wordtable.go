package value

import (
	"iter"
	"maps"
)

// wordTable is a map of words with a quick look before it: most words of a text have a
// length that no word of the table with the same first byte has.
type wordTable[T any] struct {
	words   map[string]T
	lengths [256]uint64 // by first byte: bit n is set where a word of n bytes begins with it
}

// tableOf makes a table of words, which it keeps.
func tableOf[T any](words map[string]T) *wordTable[T] {
	t := &wordTable[T]{words: words}
	for w := range words {
		if w != "" {
			t.lengths[w[0]] |= lengthBit(w)
		}
	}
	return t
}

// lengthBit is the bit of the length of a word; all long words share one.
func lengthBit(w string) uint64 { return 1 << min(len(w), 63) }

// get returns what the table holds of a word, the zero value for nothing. A nil table is empty.
func (t *wordTable[T]) get(w string) (found T) {
	if t == nil || w == "" || t.lengths[w[0]]&lengthBit(w) == 0 {
		return found
	}
	return t.words[w]
}

// all returns the words of the table, in no order.
func (t *wordTable[T]) all() iter.Seq[string] {
	if t == nil {
		return func(func(string) bool) {}
	}
	return maps.Keys(t.words)
}

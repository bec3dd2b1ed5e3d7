package proposition

import "wstk/shared/stage/collate/wording"

// Alike reports whether two words of a language, in small letters, name one attribute (high,
// height) or are said for one another (began, start).
func Alike(a, b, lang string) bool {
	for _, x := range attributes[a] {
		for _, y := range attributes[b] {
			if x.name == y.name {
				return true
			}
		}
	}
	x, y := mark(a, lang), mark(b, lang)
	return x != "" && x == y
}

// mark is that of the group of a word; "" without one.
func mark(word, lang string) string { return related[wording.Stem(word, lang)] }

// Silent reports whether a word in small letters says nothing of which thing, or what of it, is
// meant: has, contains, located.
func Silent(word string) bool {
	return neutral[word] || light[word] || being[word] || fillers[word]
}

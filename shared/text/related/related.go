// Package related says which English words are related closely enough that a text may use one
// where a question uses the other: remove and delete, silence and mute, hear and heard.
//
// The table in words.txt is made by tools/related; README.md says of what. Each line is a word
// and the words that it is related to, with how closely, in hundredths. Lines are in the order of
// the words' tokens, so that a word is found in the text of the file itself: nothing is read
// when the program starts, and no memory is used. Phrases are in phrases.txt, by hand.
package related

import (
	_ "embed"
	"sort"
	"strconv"
	"strings"

	"wstk/shared/text"
)

// Word is a related word.
type Word struct {
	Text   string
	Weight float64 // how closely it is related, 0–1
}

//go:embed words.txt
var words string

// Of returns the words that an English word is related to, the most closely related first;
// none if the table does not have the word. All forms of a word have the same relations.
func Of(word string) []Word {
	key := tokenOf(word)
	if key == "" {
		return nil
	}
	at := sort.Search(len(words), func(i int) bool { return tokenOf(firstOf(lineAt(i))) >= key })
	line := lineAt(at)
	if tokenOf(firstOf(line)) != key {
		return nil
	}
	fields := strings.Split(line, "\t")[1:]
	out := make([]Word, 0, len(fields))
	for _, f := range fields {
		name, hundredths, _ := strings.Cut(f, " ")
		n, _ := strconv.Atoi(hundredths)
		out = append(out, Word{name, float64(n) / 100})
	}
	return out
}

// lineAt returns the line of the table that begins at byte i, or else the next one; "" behind
// the last.
func lineAt(i int) string {
	if i > 0 {
		next := strings.IndexByte(words[i-1:], '\n')
		if next < 0 {
			return ""
		}
		i += next
	}
	line, _, _ := strings.Cut(words[min(i, len(words)):], "\n")
	return line
}

func firstOf(line string) string {
	word, _, _ := strings.Cut(line, "\t")
	return word
}

// tokenOf returns the token of a word, and of nothing one that is after all others.
func tokenOf(word string) string {
	if word == "" {
		return "\xff"
	}
	if ts := text.Tokenize(word, "en"); len(ts) > 0 {
		return ts[0].Text
	}
	return ""
}

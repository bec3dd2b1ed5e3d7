package minilm

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// vocabulary is that of BERT, uncased: one piece a line, whose number is its id. Pieces
// that continue a word begin with "##".
//
//go:embed vocab.txt
var vocabulary string

// The ids of marks.
const (
	idUnknown = 100 // [UNK]: a word without pieces
	idBegin   = 101 // [CLS]
	idEnd     = 102 // [SEP]
)

// maxWord is how many code points a word may have; a longer one is unknown.
const maxWord = 100

// pieces maps the vocabulary to ids.
var pieces = sync.OnceValue(func() map[string]int32 {
	m := make(map[string]int32, 31_000)
	for line := range strings.Lines(vocabulary) {
		m[strings.TrimSuffix(line, "\n")] = int32(len(m))
	}
	return m
})

// tokens returns the ids of a text's pieces without marks, at most limit of them, and
// reports whether there are more.
func tokens(text string, limit int) (ids []int32, cut bool) {
	eachWord(text, func(word string) bool {
		ids = appendPieces(ids, word)
		return len(ids) <= limit
	})
	if len(ids) > limit {
		return ids[:limit], true
	}
	return ids, false
}

// appendPieces splits a word into the longest pieces from its beginning, or [UNK].
func appendPieces(ids []int32, word string) []int32 {
	known := pieces()
	if len(word) > maxWord && len([]rune(word)) > maxWord {
		return append(ids, idUnknown)
	}
	begin, mark := len(ids), ""
	for rest := word; rest != ""; mark = "##" {
		end := len(rest)
		for ; end > 0; end-- {
			if id, ok := known[mark+rest[:end]]; ok {
				ids = append(ids, id)
				break
			}
		}
		if end == 0 {
			return append(ids[:begin], idUnknown)
		}
		rest = rest[end:]
	}
	return ids
}

// eachWord calls f with the words of a text, in lower case and without accents, until f
// says false. A punctuation mark is a word, and so is a Chinese character.
func eachWord(text string, f func(string) bool) {
	var word strings.Builder
	flush := func() bool {
		if word.Len() == 0 {
			return true
		}
		w := word.String()
		word.Reset()
		return f(w)
	}
	// in parts, so that of a long text no more is read than is wanted
	for part := range parts(text) {
		for _, r := range norm.NFD.String(part) {
			ok := true
			switch {
			case isSpace(r):
				ok = flush()
			case isDropped(r):
			case isPunctuation(r) || isChinese(r):
				ok = flush() && f(string(unicode.ToLower(r)))
			default:
				for _, r := range strings.ToLower(string(r)) {
					word.WriteRune(r)
				}
			}
			if !ok {
				return
			}
		}
	}
	flush()
}

// parts cuts a text before spaces into parts of some kilobytes.
func parts(text string) func(yield func(string) bool) {
	const size = 4 << 10
	return func(yield func(string) bool) {
		for len(text) > size {
			cut := strings.IndexByte(text[size:], ' ')
			if cut < 0 {
				break
			}
			if !yield(text[:size+cut]) {
				return
			}
			text = text[size+cut:]
		}
		yield(text)
	}
}

func isSpace(r rune) bool { return unicode.IsSpace(r) }

// isDropped reports whether the character is none: an accent, a control or formatting
// character, an unassigned one, or what stands for bytes that are no text.
func isDropped(r rune) bool {
	return r == 0 || r == unicode.ReplacementChar || unicode.In(r, unicode.Mn, unicode.C)
}

func isPunctuation(r rune) bool {
	if r < 128 {
		return r > 32 && r < 127 && !('0' <= r && r <= '9') && !('a' <= r && r <= 'z') &&
			!('A' <= r && r <= 'Z')
	}
	return unicode.Is(unicode.P, r)
}

// chinese are the blocks of CJK ideographs that the model's training set apart.
var chinese = &unicode.RangeTable{
	R16: []unicode.Range16{{Lo: 0x3400, Hi: 0x4DBF, Stride: 1}, {Lo: 0x4E00, Hi: 0x9FFF, Stride: 1},
		{Lo: 0xF900, Hi: 0xFAFF, Stride: 1}},
	R32: []unicode.Range32{{Lo: 0x20000, Hi: 0x2A6DF, Stride: 1},
		{Lo: 0x2A700, Hi: 0x2B73F, Stride: 1}, {Lo: 0x2B740, Hi: 0x2B81F, Stride: 1},
		{Lo: 0x2B820, Hi: 0x2CEAF, Stride: 1}, {Lo: 0x2F800, Hi: 0x2FA1F, Stride: 1}},
}

func isChinese(r rune) bool { return unicode.Is(chinese, r) }

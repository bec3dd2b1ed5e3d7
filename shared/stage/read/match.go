package read

import (
	"sort"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// Extractors return altered copies of parts of the page. matchBlocks finds out
// which visible blocks such a copy is made of: the words of the whole page and
// those of the copy are compared as runs of three, across block borders, so that a
// short heading is found by the words that follow it. A block counts when at
// least half of its words lie in common runs. Of blocks with the same words
// only as many count as the copy has, those nearest to other found blocks.
func matchBlocks(p *page, words []pageWords, found *html.Node) []bool {
	have := map[uint64]int{}
	var prev [2]uint64
	n := 0
	add := func(h uint64) {
		if n >= 2 {
			have[shingle(prev[0], prev[1], h)]++
		}
		prev[0], prev[1] = prev[1], h
		n++
	}
	for c := range found.Descendants() {
		if c.Type == html.TextNode {
			eachWord(c.Data, add)
		}
	}
	main := make([]bool, len(p.blocks))
	if n < 3 {
		return main
	}
	// The words of all blocks in a row.
	total := 0
	for i := range words {
		total += len(words[i].hashes)
	}
	seq := make([]uint64, 0, total)
	for i := range words {
		seq = append(seq, words[i].hashes...)
	}
	hit := make([]bool, total)
	for k := 0; k+2 < total; k++ {
		if have[shingle(seq[k], seq[k+1], seq[k+2])] > 0 {
			hit[k], hit[k+1], hit[k+2] = true, true, true
		}
	}
	at := 0
	for i := range words {
		in := 0
		for k := range words[i].hashes {
			if hit[at+k] {
				in++
			}
		}
		at += len(words[i].hashes)
		main[i] = in > 0 && 2*in >= len(words[i].hashes)
	}
	dropCopies(words, have, main)
	return main
}

// pageWords are the words of a block, hashed.
type pageWords struct {
	hashes []uint64
	whole  uint64
}

func blockWords(p *page) []pageWords {
	out := make([]pageWords, len(p.blocks))
	for i := range p.blocks {
		w := &out[i]
		eachWord(p.blockText(i), func(h uint64) {
			w.hashes = append(w.hashes, h)
			w.whole = w.whole*0x9e3779b97f4a7c15 + h
		})
	}
	return out
}

// dropCopies keeps of equal blocks only as many as the extractor kept.
func dropCopies(words []pageWords, have map[uint64]int, main []bool) {
	groups := map[uint64][]int{}
	for i := range words {
		if main[i] && len(words[i].hashes) >= 3 {
			groups[words[i].whole] = append(groups[words[i].whole], i)
		}
	}
	// Distance to the nearest found block that has no copy.
	dist := make([]int, len(main))
	far := len(main) + 1
	sweep := func(i, last int) int {
		if main[i] && len(words[i].hashes) >= 3 && len(groups[words[i].whole]) == 1 {
			return 0
		}
		return min(last+1, far)
	}
	last := far
	for i := range main {
		last = sweep(i, last)
		dist[i] = last
	}
	last = far
	for i := len(main) - 1; i >= 0; i-- {
		last = sweep(i, last)
		dist[i] = min(dist[i], last)
	}
	for i := range words {
		g := groups[words[i].whole]
		if len(g) < 2 || g[0] != i { // each group once, before it is sorted
			continue
		}
		groups[words[i].whole] = nil
		h := words[i].hashes
		keep := len(g)
		for k := 0; k+2 < len(h); k++ {
			keep = min(keep, have[shingle(h[k], h[k+1], h[k+2])])
		}
		sort.SliceStable(g, func(a, b int) bool { return dist[g[a]] < dist[g[b]] })
		for _, k := range g[min(len(g), max(keep, 1)):] {
			main[k] = false
		}
	}
}

func shingle(a, b, c uint64) uint64 {
	return (a*0x9e3779b97f4a7c15+b)*0xc2b2ae3d27d4eb4f + c
}

// eachWord calls f with a hash of each word of s, letters folded to lower case.
// Characters of scripts without spaces are words of their own.
func eachWord(s string, f func(uint64)) {
	const offset, prime = 14695981039346656037, 1099511628211
	h := uint64(offset)
	in := false
	end := func() {
		if in {
			f(h)
			h, in = offset, false
		}
	}
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			i++
			switch {
			case c >= 'A' && c <= 'Z':
				c += 'a' - 'A'
			case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '_':
			default:
				end()
				continue
			}
			h = (h ^ uint64(c)) * prime
			in = true
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		i += n
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
			end()
			h, in = (h^uint64(r))*prime, true
			end()
		case unicode.IsLetter(r), unicode.IsNumber(r):
			h = (h ^ uint64(unicode.ToLower(r))) * prime
			in = true
		case unicode.IsMark(r), r == 0x00AD, r == 0x200C, r == 0x200D:
		default:
			end()
		}
	}
	end()
}

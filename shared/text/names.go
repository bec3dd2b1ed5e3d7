package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Names returns the phrases of s that look like names of persons, places,
// organisations and works, in order: runs of capitalised words, joined by the
// small words that stand inside names (Ludwig van Beethoven, Bank of England) and
// with initials (J. K. Rowling). It is a heuristic on letter case:
//
//   - a single word that begins a sentence counts only when it has capitals
//     inside or stands capitalised elsewhere in s, and never when it is a stop word;
//   - a line without a full stop where nearly every word has a capital (a heading)
//     gives only words that also stand capitalised in other lines;
//   - German writes all nouns with a capital, so there only runs of two words or
//     more count, and single words with several capitals (SAP, eBay).
//
// Of scripts without letter case it finds only what quotation marks of titles
// (《…》) enclose, and Katakana words joined by a middle dot.
func Names(s, lang string) []Range {
	n := namer{s: s, lang: languageOf(lang),
		german: Language(lang) == "de" || Language(lang) == "lb", elsewhere: map[string]bool{}}
	n.read()
	return n.names()
}

type namer struct {
	s         string
	lang      *language
	german    bool
	words     []nameWord
	elsewhere map[string]bool // capitalised words that do not begin a sentence
}

type nameWord struct {
	start, end int
	first      bool // begins a sentence
	title      bool // in a line where nearly all words have capitals
	capital    bool // begins with a capital
	inner      bool // has a capital or digit behind the first letter
	joined     bool // only a space stands before it, or a point of an initial
	initial    bool // one capital and a point
}

// maxNameWords bounds a name.
const maxNameWords = 10

func (n *namer) read() {
	for _, line := range n.lines() {
		from := len(n.words)
		for _, r := range Sentences(n.s[line.Start:line.End], n.lang.code) {
			n.sentence(line.Start+r.Start, line.Start+r.End)
		}
		capitals, longer := 0, 0
		for _, w := range n.words[from:] {
			if utf8.RuneCountInString(n.s[w.start:w.end]) > 3 {
				longer++
				if w.capital {
					capitals++
				}
			}
		}
		title := longer > 3 && capitals*5 >= longer*4 && !n.german &&
			!strings.HasSuffix(strings.TrimRight(n.s[line.Start:line.End], " \r"), ".")
		for k := from; k < len(n.words); k++ {
			w := &n.words[k]
			w.title = title
			if w.capital && !w.first && !title {
				n.elsewhere[n.s[w.start:w.end]] = true
			}
		}
	}
}

func (n *namer) lines() []Range {
	var out []Range
	start := 0
	for start < len(n.s) {
		end := start + strings.IndexByte(n.s[start:], '\n')
		if end < start {
			end = len(n.s)
		}
		if end > start {
			out = append(out, Range{start, end})
		}
		start = end + 1
	}
	return out
}

func (n *namer) sentence(start, end int) {
	s := n.s
	first := true
	last := start // end of the word before
	for i := start; i < end; {
		r, size := utf8.DecodeRuneInString(s[i:])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) || scriptOf(r).unspaced() {
			i += size
			continue
		}
		if strings.ContainsAny(s[last:i], ":•–—|\t#") {
			first = true // what a label or a dash introduces begins anew
		}
		j := n.wordEnd(i, end)
		w := nameWord{start: i, end: j, first: first, joined: !first && isNameGap(s[last:i])}
		j = n.capitals(&w, end)
		n.words = append(n.words, w)
		last = j
		first = first && !unicode.IsLetter(r) // "4. Choose a file" begins with Choose
		i = j
	}
}

// wordEnd returns where the word that begins at i ends, over hyphens and points within.
func (n *namer) wordEnd(i, end int) int {
	j := i
	for j < end {
		r, size := utf8.DecodeRuneInString(n.s[j:])
		inside := j > i && inName(r) && j+size < end && isWordRune(firstRune(n.s[j+size:]))
		if !inWord(r) && !inside {
			break
		}
		j += size
	}
	return j
}

// capitals looks at the capital letters of w, and returns its end with the point of an
// initial or of an abbreviation.
func (n *namer) capitals(w *nameWord, end int) int {
	s, j := n.s, w.end
	r, size := utf8.DecodeRuneInString(s[w.start:])
	w.capital = unicode.IsUpper(r) || unicode.IsTitle(r)
	for _, c := range s[w.start+size : j] {
		w.inner = w.inner || unicode.IsUpper(c) || unicode.IsDigit(c)
	}
	if w.capital && j < end && s[j] == '.' {
		w.initial = j == w.start+size
		if w.initial || isDotted(strings.ToLower(s[w.start:j])) { // U.S.
			j++
		}
	}
	// iPhone, eBay
	w.capital = w.capital ||
		w.inner && unicode.IsLower(r) && strings.IndexFunc(s[w.start:w.end], unicode.IsUpper) > 0
	if !unicode.IsLetter(r) { // 494M, 4K: amounts
		w.capital = false
	}
	return j
}

// inName is true of what may stand inside a word of a name.
func inName(r rune) bool {
	switch r {
	case '-', '\'', '’', '.', '&', '+', '‑':
		return true
	}
	return false
}

// isNameGap reports whether words belong together over what stands between them.
func isNameGap(gap string) bool {
	switch gap {
	case " ", "\u00a0", ". ", " & ", " “", " \"", "\" ", "” ":
		return true
	}
	return false
}

// nameJoints are the words inside names.
var nameJoints = WordSet(
	`of the and for de del de la las los el y e da do dos das di du des le van von der den zu
	zum am an auf im bin ibn al ben ter ten te af av og och und et à d der dem na nad pod à`)

func (n *namer) names() []Range {
	var out []Range
	for k := 0; k < len(n.words); {
		if w := n.words[k]; !w.capital || n.isStop(w) { // of The Beatles the article stays outside
			k++
			continue
		}
		end, count := n.phrase(k)
		if n.counts(k, end, count) {
			stop := n.words[end].end
			if n.words[end].initial || stop < len(n.s) && n.s[stop] == '.' &&
				isDotted(strings.ToLower(n.s[n.words[end].start:stop])) {
				stop++
			}
			out = append(out, Range{n.words[k].start, stop})
		}
		k = end + 1
	}
	return n.caseless(out)
}

// phrase returns the last word of the run of capitalised words that begins at word k, over
// the small words inside names, and how many capitalised words there are.
func (n *namer) phrase(k int) (end, count int) {
	end, count = k, 1
	for m := k + 1; m < len(n.words) && m < k+maxNameWords && n.words[m].joined; {
		next := n.words[m]
		if next.capital && (next.initial || !n.isStop(next)) {
			end = m
			count++
			m++
			continue
		}
		j := n.overJoints(m)
		if j < 0 {
			break
		}
		m = j
	}
	return end, count
}

// overJoints returns the capitalised word that one or two small words from word m on join
// to a name, -1 for none.
func (n *namer) overJoints(m int) int {
	j := m
	for j < m+2 && j < len(n.words) && n.words[j].joined && n.isJoint(n.words[j]) {
		j++
	}
	if j == m || j >= len(n.words) {
		return -1
	}
	w := n.words[j]
	if !w.joined || !w.capital || n.isStop(w) || n.isAnd(m, j) || isNumber(n.s[w.start:w.end]) {
		return -1
	}
	return j
}

// isJoint reports whether a word may stand inside a name. German articles part
// nouns more often than they join a name.
func (n *namer) isJoint(w nameWord) bool {
	word := strings.ToLower(n.s[w.start:w.end])
	return nameJoints[word] &&
		(!n.german || word == "von" || word == "van" || word == "zu" || word == "de")
}

// isAnd reports whether a list word stands between m and j: "Paris and London" are
// two names, "Johnson and Johnson" too.
func (n *namer) isAnd(m, j int) bool {
	for ; m < j; m++ {
		switch strings.ToLower(n.s[n.words[m].start:n.words[m].end]) {
		case "and", "y", "e", "und", "et", "och", "og", "en":
			return true
		}
	}
	return false
}

// isStop reports whether a word is a stop word, a month, or another word that has a
// capital without being a name.
func (n *namer) isStop(w nameWord) bool {
	raw := n.s[w.start:w.end]
	if w.inner || w.initial {
		return false
	}
	low := strings.ToLower(raw)
	if w.first && starters[low] {
		return true
	}
	if i := strings.IndexAny(low, "'’"); i > 0 {
		low = low[:i]
	}
	return len(low) > 0 && (n.lang.stop[foldWord(low)] ||
		n.lang.stopCyrillic[foldWord(low)] || notNames[low])
}

var notNames = WordSet(`monday tuesday wednesday thursday friday saturday sunday january
	february april june july august september october november december yes
	no ok please note warning figure table chapter section example`)

// counts decides whether words k to end are a name.
func (n *namer) counts(k, end, count int) bool {
	w := n.words[k]
	if count > 1 && !w.title {
		return true
	}
	if w.title {
		// A heading: what other lines also write with a capital.
		for m := k; m <= end; m++ {
			if v := n.words[m]; v.capital && !n.elsewhere[n.s[v.start:v.end]] {
				return false
			}
		}
		return true
	}
	if w.initial {
		return false
	}
	if w.inner {
		return true
	}
	if n.german || utf8.RuneCountInString(n.s[w.start:w.end]) < 2 {
		return false
	}
	return !w.first || n.elsewhere[n.s[w.start:w.end]]
}

// titleLength returns how many bytes of s a title has that 》 ends; 0 for none.
func titleLength(s string) int {
	const longest = 200 // bytes
	s = s[:min(len(s), longest)]
	if e := strings.IndexAny(s, "》《\n"); e > 0 && strings.HasPrefix(s[e:], "》") {
		return e
	}
	return 0
}

// katakanaAround widens s[start:end] by the katakana before and behind it.
func katakanaAround(s string, start, end int) (int, int) {
	other := func(r rune) bool { return !isKatakana(r) }
	before := strings.LastIndexFunc(s[:start], other)
	if before >= 0 {
		_, size := utf8.DecodeRuneInString(s[before:])
		before += size
	}
	behind := strings.IndexFunc(s[end:], other)
	if behind < 0 {
		behind = len(s) - end
	}
	return max(before, 0), end + behind
}

// caseless adds names in scripts without letter case, in order.
func (n *namer) caseless(out []Range) []Range {
	var found []Range
	for i := 0; i < len(n.s); {
		k := strings.IndexAny(n.s[i:], "《・")
		if k < 0 {
			break
		}
		k += i
		r, size := utf8.DecodeRuneInString(n.s[k:])
		i = k + size
		if r == '《' {
			if e := titleLength(n.s[i:]); e > 0 {
				found = append(found, Range{i, i + e})
				i += e
			}
			continue
		}
		start, end := katakanaAround(n.s, k, i)
		if start < k && end > i {
			found = append(found, Range{start, end})
		}
		i = max(i, end)
	}
	if len(found) == 0 {
		return out
	}
	// Merge two ordered lists; what overlaps counts once.
	var all []Range
	for len(out) > 0 || len(found) > 0 {
		var r Range
		if len(found) == 0 || len(out) > 0 && out[0].Start < found[0].Start {
			r, out = out[0], out[1:]
		} else {
			r, found = found[0], found[1:]
		}
		if len(all) == 0 || r.Start >= all[len(all)-1].End {
			all = append(all, r)
		}
	}
	return all
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

func isKatakana(r rune) bool { return r >= 0x30A1 && r <= 0x30FF }

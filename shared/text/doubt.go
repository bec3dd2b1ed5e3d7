package text

import (
	"slices"
	"strings"
	"unicode"
)

// noteMark opens a note at the foot of a page: "1 ", "[2] ", "* ".
var noteMark = Pattern(`^\s*(\[\d{1,2}\]|\(\d{1,2}\)|\d{1,2}|[*†‡§¹²³]{1,3})[.):]?\s+[\[("“]*`)

// refutes reports whether a sentence says of a statement that it points to that this is
// not so: "This claim has since been withdrawn.", "Diese Angabe wurde dementiert.", "The
// maker denied this claim."
func refutes(s string) bool {
	const (
		longest = 200 // bytes
		reach   = 9   // words between the statement and what is said of it
	)
	if len(s) > longest {
		return false
	}
	if i := strings.IndexAny(s, ":;(—–"); i > 0 {
		s = s[:i]
	}
	w := wordsOf(s)
	for i := range w {
		behind := pointed(w[i:], i == 0 || i <= 2 && amongWords("joining words", w[0]))
		if behind == 0 {
			continue
		}
		if i <= 2 && !denied(w[:i]) && says(w[i+behind:min(len(w), i+behind+reach)], false) {
			return true
		}
		if i > 0 && amongWords("pointing words", w[i]) && says(w[max(0, i-4):i], true) &&
			!denied(w[:max(0, i-4)]) {
			return true
		}
	}
	return false
}

// pointed is how many words at the beginning of w point to a statement; 0 where they do not.
func pointed(w []string, opens bool) int {
	const between = 2 // words: "this much quoted figure"
	if len(w) < 2 || !amongWords("pointing words", w[0]) &&
		(!opens || !amongWords("article words", w[0])) {
		return 0
	}
	bare, place := !amongWords("pointing words", w[0]), false
	for i := 1; i < len(w) && i <= 1+between; i++ {
		place = place || amongWords("place words", w[i])
		if !amongWords("stated nouns", w[i]) {
			continue
		}
		if i+1 < len(w) && amongWords("place words", w[i+1]) {
			return i + 2
		}
		if bare && !place && (i+1 >= len(w) || !amongWords("state words", w[i+1])) {
			return 0
		}
		return i + 1
	}
	return 0
}

// says reports whether words say that something is not so. told is whether they stand
// before what they speak of: then what affirms is no word of theirs.
func says(w []string, told bool) bool {
	turned := false
	for _, one := range w {
		switch {
		case amongWords("opening words", one) && one != "to":
			return false
		case negates(one):
			turned = true
		case amongWords("refuting words", one):
			return !turned
		case amongWords("affirming words", one) && turned:
			return !told
		}
	}
	return false
}

// negates reports whether a word turns what stands behind it: not, isn't.
func negates(w string) bool { return amongWords("denying words", w) || strings.HasSuffix(w, "n't") }

func denied(w []string) bool {
	for _, one := range w {
		if negates(one) || amongWords("opening words", one) {
			return true
		}
	}
	return false
}

// announcesDoubt reports whether a sentence takes back what it announces, and whether it
// only supposes it: "Let us suppose the following."
func announcesDoubt(x passage) (doubts, supposes bool) {
	const longest = 200 // bytes
	if len(x.words) > longest || !x.is("announces") {
		return false, false
	}
	return x.is("doubts"), x.is("supposes")
}

// footnote parts the mark of a note from its words: "[2] This is wrong."
func footnote(s string) (mark, rest string) {
	m := noteMark().FindStringSubmatchIndex(s)
	if m == nil || m[1] >= len(s) {
		return "", s
	}
	return s[m[2]:m[3]], s[m[1]:]
}

// noted returns the sentence of a block before block i that bears the mark of a note.
func (r *settingReader) noted(i int, mark string) (Range, bool) {
	const most = 200 // blocks
	for k := i - 1; k >= 0 && k >= i-most; k-- {
		b := &r.blocks[k]
		s := r.page[b.start:b.end]
		for at := 0; at < len(s); {
			n := strings.Index(s[at:], mark)
			if n < 0 {
				break
			}
			at += n + len(mark)
			before := strings.TrimRight(s[:at-len(mark)], " \u00a0")
			if (at == len(s) || s[at] == ' ') &&
				strings.HasSuffix(strings.TrimRight(before, `"')”’»`), ".") ||
				at == len(s) && strings.HasPrefix(mark, "[") {
				for _, sr := range Sentences(s[:len(before)], r.lang) {
					if sr.End >= len(before) {
						return Range{Start: b.start + sr.Start, End: b.start + at}, true
					}
				}
			}
		}
	}
	return Range{}, false
}

// columns returns which columns a row names as not so, where it is a header: the first
// row of a table, or one that names what is so, too. It returns nil for other rows.
func (r *settingReader) columns(s string, first bool) []bool {
	const longest = 200 // bytes
	cells := strings.Split(s, "\t")
	if len(cells) < 2 || len(s) > longest || !first && !known(s) ||
		slices.ContainsFunc(cells, sentenceLike) {
		return nil
	}
	row := newPassage(s)
	heads := make([]passage, len(cells))
	for k, c := range cells {
		heads[k] = row.part(c).trimmed()
	}
	is := func(family string) func(passage) bool {
		return func(x passage) bool { return x.is(family) }
	}
	so := slices.ContainsFunc(heads, is("fact label"))
	in := slices.ContainsFunc(heads, is("column of what to do"))
	out := make([]bool, len(cells))
	for k, x := range heads {
		out[k] = first && x.is("column of myths") || so && x.is("claim label") ||
			first && in && x.is("column of what not to do")
	}
	if !slices.Contains(out, true) {
		return nil
	}
	return out
}

// sentenceLike reports whether a cell has too many words for a header.
func sentenceLike(cell string) bool { return strings.Count(strings.TrimSpace(cell), " ") > 4 }

// takeCells takes back the cells of a row that stand in columns of which none is so, and
// say something.
func (r *settingReader) takeCells(b *settingBlock, s string, columns []bool) {
	at := b.start
	for k, c := range strings.Split(s, "\t") {
		if k < len(columns) && columns[k] && strings.Count(strings.TrimSpace(c), " ") > 0 {
			r.take(at, at+len(c))
		}
		at += len(c) + 1
	}
}

// overFacts reports whether block i is a label of claims, and one of facts stands by
// itself behind it.
func (r *settingReader) overFacts(i int, x passage) bool {
	const reach = 4 // blocks
	if len(x.words) > 60 || !x.trimmed().is("claim label") {
		return false
	}
	for k := i + 1; k < len(r.blocks) && k <= i+reach; k++ {
		s := r.page[r.blocks[k].start:r.blocks[k].end]
		if len(s) > 60 {
			continue
		}
		if y := newPassage(s).trimmed(); k > i+1 && y.is("fact label") {
			return true
		}
	}
	return false
}

// wordsOf are the words of s in small letters, with their apostrophes and hyphens.
func wordsOf(s string) []string {
	return strings.FieldsFunc(strings.ToLower(strings.ReplaceAll(s, "’", "'")), func(r rune) bool {
		return r != '\'' && r != '-' && !unicode.IsLetter(r) && !unicode.IsNumber(r) &&
			!unicode.Is(unicode.M, r)
	})
}

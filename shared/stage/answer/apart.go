package answer

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"

	"wstk/shared/lexicon"
	"wstk/shared/text"
)

//go:embed phrases.txt
var phraseFile string

var phrases = sync.OnceValue(func() *lexicon.Lexicon { return lexicon.Parse(phraseFile) })

// asking are the words that only ask, beside stop words.
var asking = sync.OnceValue(func() map[string]bool {
	set := map[string]bool{}
	for e := range phrases().Entries("asks") {
		for _, t := range text.Tokenize(e.Phrase(), e.Lang()) {
			set[t.Text] = true
		}
	}
	return set
})

// comparisons are the ways of comparing things: what is compared is in the groups A and B, and what
// is asked of both in F.
var comparisons = sync.OnceValue(func() (out []*regexp.Regexp) {
	for _, e := range phrases().Expressions("compares") {
		out = append(out, regexp.MustCompile(`(?i)`+e))
	}
	return out
})

// The bounds of what is listed or compared.
const (
	longThing = 12 // words of a thing that is compared
	longItem  = 4  // words of an item of a list
)

// apart takes a question apart that joins no others: into the things that it compares, else the
// items that it lists.
func apart(question string) []string {
	for _, re := range comparisons() {
		if out := comparedBy(re, question); len(out) > 1 {
			return out
		}
	}
	l := newList(question)
	for j := range l.words {
		if out := l.at(j); len(out) > 1 {
			return out
		}
	}
	return []string{question}
}

// comparedBy are the things that an expression finds compared, each with what is asked of them.
func comparedBy(re *regexp.Regexp, question string) (out []string) {
	m := re.FindStringSubmatch(strings.TrimRight(question, "?？!. "))
	if m == nil {
		return nil
	}
	group := func(name string) string {
		if i := re.SubexpIndex(name); i >= 0 {
			return strings.Trim(m[i], " ,:;")
		}
		return ""
	}
	lang := text.DetectLanguage(question)
	for _, thing := range append(strings.Split(group("A"), ","), group("B")) {
		thing = strings.Trim(thing, " ,:;")
		if n := len(strings.Fields(thing)); n == 0 || n > longThing || len(content(thing, lang)) == 0 {
			return nil
		}
		out = append(out, strings.TrimSpace(group("F")+" "+thing))
	}
	return out
}

// listWord is a word of a question, as lists are looked for.
type listWord struct {
	text       string // in small letters
	start, end int
	comma      bool // one follows
	stop       bool
}

// list looks for items that a question lists.
type list struct {
	question string
	lang     string
	words    []listWord
}

// wordRun is a word with its inner signs, without commas and final signs.
var wordRun = regexp.MustCompile(`[^\s,;:?!？]+`)

func newList(question string) list {
	l := list{question: question, lang: text.DetectLanguage(question)}
	if l.lang == "" {
		l.lang = "en"
	}
	for _, at := range wordRun.FindAllStringIndex(question, -1) {
		w := listWord{text: strings.ToLower(question[at[0]:at[1]]), start: at[0], end: at[1]}
		w.comma = strings.HasPrefix(question[at[1]:], ",")
		w.stop = !slices.ContainsFunc(text.Tokenize(question[at[0]:at[1]], l.lang),
			func(t text.Token) bool { return !t.Stop }) || asking()[w.text]
		w.text = strings.TrimLeft(w.text, "¿")
		l.words = append(l.words, w)
	}
	return l
}

// is reports whether a word is of a family, in the language of the question.
func (l list) is(i int, family string) bool {
	return i >= 0 && i < len(l.words) && slices.Contains(phrases().In(l.lang, family), l.words[i].text)
}

// at are the sub-questions of a list whose last two items word j joins; nil where it joins none.
func (l list) at(j int) (out []string) {
	if !l.is(j, "joins") || j == 0 || j+1 == len(l.words) {
		return nil
	}
	last, ok := l.lastItem(j + 1)
	if !ok {
		return nil
	}
	first, items := l.itemsBefore(j)
	if len(items) == 0 || l.isBound(first) || len(items) == 1 && (l.isName(items[0], last) || !l.asks()) {
		return nil // two words that a clause joins are a list only in what is plainly a question
	}
	head := l.question[:l.words[first].start]
	tail := l.question[l.words[last[1]-1].end:]
	for _, it := range append(items, last) {
		item := l.question[l.words[it[0]].start:l.words[it[1]-1].end]
		out = append(out, strings.TrimSpace(head+item+tail))
	}
	return out
}

// lastItem is the item that begins at word i: it ends at a preposition or with the question.
func (l list) lastItem(i int) (item [2]int, ok bool) {
	for i < len(l.words) && l.words[i].stop && !l.words[i].comma && l.is(i, "articles") {
		i++
	}
	end := i
	for end < len(l.words) && !l.words[end].stop {
		end++
		if l.words[end-1].comma {
			break
		}
	}
	if end == i || end-i > longItem || end < len(l.words) && !l.words[end-1].comma &&
		!l.is(end, "places") && !l.is(end, "belongs") {
		return item, false
	}
	return [2]int{i, end}, true
}

// itemsBefore are the items before word j, and the word at which the first begins.
func (l list) itemsBefore(j int) (first int, items [][2]int) {
	end := j
	for {
		start := end
		for start > 0 && end-start < longItem && (start == end || !l.words[start-1].comma) {
			w := l.words[start-1]
			of := l.is(start-1, "belongs") || l.is(start-1, "articles") && l.is(start-2, "belongs")
			if w.stop && !(of && start < end && end-start < longItem-1) {
				break
			}
			start--
		}
		for l.lang == "de" && start+1 < end && !l.isCapital(start) {
			start++ // a verb before the first noun
		}
		if start == end || l.words[start].stop {
			return first, nil // what stands before is no item
		}
		items = append(items, [2]int{start, end})
		first = start
		before := start
		for before > 0 && l.is(before-1, "articles") && !l.words[before-1].comma {
			before--
		}
		if before == 0 || !l.words[before-1].comma || len(items) == maxSubQuestions {
			break
		}
		end = before
	}
	slices.Reverse(items)
	return first, items
}

// asks reports whether the question begins as one, behind a preposition or two.
func (l list) asks() bool { return l.is(0, "opens") || l.is(1, "opens") || l.is(2, "opens") }

// isBound reports whether the word before a list, but for an article, makes a range or a pair of it.
func (l list) isBound(first int) bool {
	for first > 0 && l.is(first-1, "articles") {
		first--
	}
	return l.is(first-1, "bounds")
}

// isName reports whether two items without others are one name or a fixed pair: "Marks and
// Spencer", "terms and conditions". German writes every noun with a capital.
func (l list) isName(item, last [2]int) bool {
	a, b := l.words[item[0]], l.words[last[1]-1]
	pair := strings.ToLower(l.question[a.start:b.end])
	if slices.Contains(phrases().In(l.lang, "pairs"), pair) {
		return true
	}
	return l.lang != "de" && l.isCapital(item[1]-1) && l.isCapital(last[0])
}

// isCapital reports whether a word has a capital letter.
func (l list) isCapital(i int) bool {
	return l.question[l.words[i].start:l.words[i].end] != l.words[i].text
}

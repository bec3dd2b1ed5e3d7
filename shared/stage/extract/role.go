package extract

import (
	_ "embed"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"wstk/shared/lexicon"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// role is what a unit is for on its page, beyond its kind: a set.
type role uint8

const (
	roleExample role = 1 << iota // an example, or under a line or a heading that says so
	roleHistory                  // tells of a change, or stands under a heading of changes
	roleCaption                  // of a figure or a table
	// says where something is: Next, Previous, breadcrumbs, contents
	roleNavigation
	roleFragment // a line that its page's width cut out of a sentence
	roleTurned   // under a line that denies what is asked, see denied.go
	roleEmpty    // says only that the page has no text there yet
)

// has reports whether a set of roles holds one of others.
func (r role) has(others role) bool { return r&others != 0 }

// never are the roles of what is no answer to any question.
const never = roleNavigation | roleFragment | roleTurned | roleEmpty

//go:embed units.txt
var unitFile string

// unitWords are the phrases of units.txt, and the words of lexicon.Common, in one language by
// family, as text.FoldCompare gives them.
type unitWords map[string]map[string]bool

var unitPhrases sync.Map // of unitWords, by language

// unitWordsIn returns the phrases of a language, with the English ones.
func unitWordsIn(lang string) unitWords {
	lang = text.Language(lang)
	if ps, ok := unitPhrases.Load(lang); ok {
		return ps.(unitWords)
	}
	ps := unitWords{}
	l := lexicon.Parse(unitFile).And(lexicon.Common())
	for _, f := range l.Families() {
		ps[f.Name] = map[string]bool{}
		for _, one := range append(l.In(lang, f.Name), l.In("en", f.Name)...) {
			ps[f.Name][text.FoldCompare(one)] = true
		}
	}
	maps.Copy(ps["goes on"], ps["pronouns"])
	unitPhrases.Store(lang, ps)
	return ps
}

// longestPhrase is how many words a phrase of units.txt has at most.
const longestPhrase = 4

// roleOf returns what a unit is for.
func (p *page) roleOf(u *unit) (r role) {
	s := p.text(u)
	if p.navigates(u, s) {
		r |= roleNavigation
	}
	if u.kind == wstk.BlockCaption {
		r |= roleCaption
	}
	if p.fragment(u, s) {
		r |= roleFragment
	}
	if p.underTurned(u) {
		r |= roleTurned
	}
	if p.words.unwritten(s) {
		r |= roleEmpty
	}
	r |= p.words.begins(s)
	if u.header >= 0 && p.doc.Blocks[u.header].Kind != wstk.BlockTerm {
		r |= p.words.ends(p.doc.BlockText(u.header))
	}
	for i, n := u.section, 0; i >= 0 && i < len(p.doc.Sections) && n < maxDepth; n++ {
		r |= p.words.begins(sectionNumber().
			ReplaceAllString(p.doc.Sections[i].Title, "")) & roleExample
		r |= p.words.heads(p.doc.Sections[i].Title)
		i = p.doc.Sections[i].Parent
	}
	return r | p.words.heads(p.doc.Meta.Title)
}

// unwritten reports whether a text says of a part of its page that it is not written yet: "This
// section has not been written.", "Coming soon".
func (ps unitWords) unwritten(s string) bool {
	const longest, early = 80, 5 // bytes, words
	if len(s) > longest {
		return false
	}
	s = strings.Trim(text.FoldCompare(s), " \n.…!()[]")
	if ps["unwritten"][s] {
		return true
	}
	w := strings.Fields(s)
	return endsWithAny(s, ps["unwritten"]) && slices.ContainsFunc(w[:min(early, len(w))],
		func(w string) bool { return ps["parts of a text"][w] })
}

// maxDepth is how many headings above a unit are looked at.
const maxDepth = 8

// begins reads the words with which a text begins.
func (ps unitWords) begins(s string) (r role) {
	if beginsWith(s, ps["examples"]) {
		r |= roleExample
	}
	if beginsWith(s, ps["history"]) {
		r |= roleHistory
	}
	return r
}

// ends reads the words with which a lead-in ends: "… for example:".
func (ps unitWords) ends(s string) role {
	s = lastSentence(s)
	w := strings.Fields(text.FoldCompare(strings.TrimRight(s, " \n:：.…")))
	for n := 1; n <= longestPhrase && n <= len(w); n++ {
		if ps["examples"][strings.Join(w[len(w)-n:], " ")] {
			return roleExample
		}
	}
	return ps.begins(s) & roleExample
}

// heads reads a title: that of a list of changes begins with such words.
func (ps unitWords) heads(title string) role {
	if beginsWith(sectionNumber().ReplaceAllString(title, ""), ps["changes"]) {
		return roleHistory
	}
	return 0
}

// beginsWith reports whether a text begins with one of some phrases.
func beginsWith(s string, phrases map[string]bool) bool {
	const enough = 48 // bytes
	s = text.FoldCompare(text.Prefix(strings.TrimLeft(s, " \n\t\"“(*•-–"), enough))
	end := 0
	for n := 0; n < longestPhrase && end < len(s); n++ {
		k := strings.IndexFunc(s[end:], func(r rune) bool {
			return unicode.IsSpace(r) || strings.ContainsRune(",:;!?)–—，：", r)
		})
		if k < 0 {
			k = len(s) - end
		}
		if phrases[s[:end+k]] || phrases[strings.TrimRight(s[:end+k], ".")] {
			return true
		}
		_, size := utf8.DecodeRuneInString(s[end+k:])
		end += k + size
	}
	if r, _ := utf8.DecodeRuneInString(s); unspaced(string(r)) {
		for phrase := range phrases {
			if strings.HasPrefix(s, phrase) {
				return true
			}
		}
	}
	return false
}

// navigates reports whether a unit only says where something is.
func (p *page) navigates(u *unit, s string) bool {
	const longest = 160 // bytes
	if len(s) > longest || u.kind == wstk.BlockCode {
		return false
	}
	aside := !p.doc.Blocks[u.block].Main || p.anchors[strings.TrimSpace(s)]
	parts, named, linked := p.pointers(s)
	switch {
	case named > 0 && (parts == 1 || named+linked == parts || named >= 2 && parts <= 2*named+1):
		return parts > 1 || aside
	case parts > 2 && linked == parts:
		return true
	case (u.kind == wstk.BlockParagraph || u.kind == wstk.BlockOther) && p.linksAlone(s):
		return true
	}
	return aside && p.underNavigation(u)
}

// linksAlone reports whether a line is the words of several links and nothing else: "Opening hours
// and tickets Shop".
func (p *page) linksAlone(s string) bool {
	w := strings.Fields(s)
	// links[i] is how many links the first i words are, at most; 0 where they are not
	links := make([]int, len(w)+1)
	for i := range w {
		if i > 0 && links[i] == 0 {
			continue
		}
		for j := i + 1; j <= len(w); j++ {
			if p.anchors[strings.Join(w[i:j], " ")] {
				links[j] = max(links[j], links[i]+1)
			}
		}
	}
	return links[len(w)] > 1
}

// pointers counts the parts of a line between arrows and bars: all, those that are words of
// navigation, and those that are links or empty.
func (p *page) pointers(s string) (parts, named, linked int) {
	for _, part := range strings.FieldsFunc(s, func(r rune) bool {
		return strings.ContainsRune("|»«<>›‹→←↑\t\n", r)
	}) {
		parts++
		part = strings.TrimSpace(part)
		switch {
		case p.words["navigation"][text.FoldCompare(part)]:
			named++
		case part == "" || p.anchors[part]:
			linked++
		}
	}
	return parts, named, linked
}

// underNavigation reports whether a unit stands under a heading of navigation: "Table of
// Contents", "Next topic".
func (p *page) underNavigation(u *unit) bool {
	i := u.section
	return i >= 0 && i < len(p.doc.Sections) &&
		p.words["navigation"][text.FoldCompare(p.doc.Sections[i].Title)]
}

// fragment reports whether a unit is a part of a sentence that a line break cut off: it ends
// without a stop and the next one of its block begins small, or the other way round.
func (p *page) fragment(u *unit, s string) bool {
	if u.kind != wstk.BlockParagraph && u.kind != wstk.BlockOther {
		return false
	}
	b := p.doc.Blocks[u.block]
	before := strings.TrimRight(p.doc.Text[b.ByteStart:u.start], " ")
	after := p.doc.Text[u.end:b.ByteEnd]
	cut := func(before, after string) bool {
		r, _ := utf8.DecodeRuneInString(strings.TrimLeft(after, " \n"))
		return unicode.IsLower(r) && !finished(before)
	}
	return strings.HasSuffix(before, "\n") && cut(before, s) ||
		strings.HasPrefix(after, "\n") && cut(s, after)
}

// sentenceEnds are the marks with which a sentence or a lead-in ends.
const sentenceEnds = ".!?…:;。！？：；।؟۔"

// finished reports whether a text ends as a sentence does.
func finished(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(strings.TrimRight(s, " \n\t\"”’»)]"))
	return strings.ContainsRune(sentenceEnds, r)
}

// lastSentence is the last sentence of a paragraph, by its stops alone.
func lastSentence(s string) string {
	s = strings.TrimRight(lastLine(s), " \n")
	body := strings.TrimRight(s, sentenceEnds)
	marks := []string{". ", "! ", "? ", "。", "！", "？", "। ", "؟ "}
	at := 0
	for _, m := range marks {
		if i := strings.LastIndex(body, m); i >= 0 {
			at = max(at, i+len(m))
		}
	}
	return strings.TrimSpace(s[at:])
}

package extract

import (
	"slices"
	"strings"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// A list under "Protocols that it does not support:" answers what is not supported, and not what
// is. So an item, a row or a command is no answer by itself if the line or the heading over it
// denies words of the question that the question does not deny, or the other way round. Under
// "Not supported" or "Removed in version 3" nothing says what is so, whatever is asked.

// deniedReach is within how many words behind "not" a word is denied.
const deniedReach = 3

// deniedIn returns the query's terms that a line denies outside of its conditions.
func (p *page) deniedIn(s string) (out termSet) {
	words := strings.Fields(p.words.unconditional(s))
	for i, w := range words {
		if p.words["denies"][bareWord(w)] {
			behind := words[i+1 : min(len(words), i+1+deniedReach)]
			own, synonym, _ := p.scan(strings.Join(behind, " "), 0, p.lex, false)
			out |= own | synonym
		}
	}
	return out
}

func bareWord(w string) string { return strings.Trim(text.FoldCompare(w), `.,;:!?()"`) }

// unconditional is a sentence without its conditions: "If it does not start, run:" denies
// nothing. A condition ends at a comma.
func (ps unitWords) unconditional(s string) string {
	var out []string
	within := false
	for _, w := range strings.Fields(s) {
		if within = within || ps["conditions"][bareWord(w)]; !within {
			out = append(out, w)
		}
		if strings.HasSuffix(w, ",") {
			within = false
		}
	}
	return strings.Join(out, " ")
}

// turned reports whether a line denies a word of the question that the question does not deny,
// or holds one undenied that the question denies.
func (p *page) turned(line string) bool {
	own, synonym, _ := p.scan(line, 0, p.lex, false)
	return (p.deniedIn(line)^p.denied)&(own|synonym) != 0
}

// denying reports whether a line or a heading, by the words with which it begins or ends, says
// that what it leads to is not so: "Not supported", "Removed in version 3", and whether the
// question is about what is so.
func (p *page) denying(line string) bool {
	if p.asksWhatIsNot {
		return false
	}
	phrases := p.words["denying headings"]
	line = sectionNumber().ReplaceAllString(line, "")
	return beginsWith(line, phrases) ||
		endsWithAny(text.FoldCompare(strings.TrimRight(line, " \n:：.…!")), phrases)
}

// speaksOfWhatIsNot reports whether a text says or asks what is not so.
func (ps unitWords) speaksOfWhatIsNot(s string) bool {
	return slices.ContainsFunc(strings.Fields(s), func(w string) bool {
		return ps["denies"][bareWord(w)] || ps["asks what is not"][bareWord(w)]
	})
}

// underDenying reports whether a heading over a unit says that what stands there is not so, and
// the unit does not say so itself: "Removed. Use TIDE_DIR instead."
func (p *page) underDenying(u *unit) bool {
	s := u.section
	return s >= 0 && s < len(p.sections) && p.sections[s].denies &&
		u.kind != wstk.BlockHeading && !p.words.speaksOfWhatIsNot(p.text(u))
}

// underTurned reports whether a unit is a part of what such a line or heading leads to.
func (p *page) underTurned(u *unit) bool {
	if p.underDenying(u) {
		return true
	}
	switch u.kind {
	case wstk.BlockListItem, wstk.BlockTableRow, wstk.BlockCode, wstk.BlockTerm,
		wstk.BlockDefinition, wstk.BlockQuote:
	default:
		return false
	}
	if h := u.header; h >= 0 && p.leadsTo(h).holds(u.block) {
		return p.turnedUnder(lastSentence(p.doc.BlockText(h)), u.section)
	}
	return p.deniedBy(u.section) != 0
}

// turnedUnder reports whether a line in a section leads to what does not answer. Of what the line
// says itself the heading says nothing.
func (p *page) turnedUnder(line string, section int) bool {
	own, synonym, _ := p.scan(line, 0, p.lex, false)
	return p.turned(line) || p.denying(line) || p.deniedBy(section)&^(own|synonym) != 0 ||
		section >= 0 && section < len(p.sections) && p.sections[section].denies
}

// deniedBy are the words of the question that the heading of a section denies, and the question
// does not.
func (p *page) deniedBy(section int) termSet {
	if section < 0 || section >= len(p.doc.Sections) || isQuestion(p.doc.Sections[section].Title) {
		return 0
	}
	return p.deniedIn(p.doc.Sections[section].Title) &^ p.denied
}

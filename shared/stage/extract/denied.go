package extract

import (
	"strings"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// A list under "Protocols that it does not support:" answers what is not supported, and not what
// is. So an item, a row or a command is no answer by itself if the line or the heading over it
// denies words of the question that the question does not deny, or the other way round.

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

// underTurned reports whether a unit is a part of what such a line or heading leads to.
func (p *page) underTurned(u *unit) bool {
	switch u.kind {
	case wstk.BlockListItem, wstk.BlockTableRow, wstk.BlockCode, wstk.BlockTerm,
		wstk.BlockDefinition, wstk.BlockQuote:
	default:
		return false
	}
	if h := u.header; h >= 0 && p.leadsTo(h).holds(u.block) {
		return p.turned(lastSentence(p.doc.BlockText(h)))
	}
	s := u.section
	return s >= 0 && s < len(p.doc.Sections) && !isQuestion(p.doc.Sections[s].Title) &&
		p.deniedIn(p.doc.Sections[s].Title)&^p.denied != 0
}

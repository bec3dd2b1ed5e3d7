package extract

import (
	"strings"
	"unicode"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// opens returns how well a unit represents its section: the first sentence under a
// heading, or the first of a definition, counts by how much of the query the
// heading or the term holds.
func (q *question) opens(p *page, u *unit) float64 {
	if u.kind == wstk.BlockDefinition && u.first && u.headerOwn != 0 {
		return q.weightOf(u.headerOwn) / q.total
	}
	if u.section < 0 || u.section >= len(p.sections) || p.sections[u.section].near == 0 ||
		u.kind == wstk.BlockHeading {
		return 0
	}
	share := q.weightOf(p.sections[u.section].near) / q.total
	switch n := u.block - p.sections[u.section].head; {
	case n == 1 && u.first:
		return share
	case n == 1:
		return 0.6 * share
	case n == 2:
		return 0.4 * share
	}
	return 0
}

// leads reports whether u is among the first sentences of a page that is about what
// is asked, where the question is what that is or wants an account of it.
func (q *question) leads(p *page, u *unit) float64 {
	if q.want.kind != definitionKind && !q.account || !p.fits || p.opening < 0 ||
		u.kind == wstk.BlockHeading || u.kind == wstk.BlockCode {
		return 0
	}
	if q.weightOf(p.title) < 0.7*q.total {
		return 0
	}
	switch n := u.block - p.opening; {
	case n == 0 && u.first:
		return 1
	case n == 0, n == 1:
		return 0.6
	}
	return 0
}

// definesIt reports how surely u says what the query's words are, 0–1: they open it, and a
// verb of defining follows, or they are the defined term.
func (q *question) definesIt(p *page, u *unit) float64 {
	if u.kind == wstk.BlockDefinition && u.first && q.weightOf(u.headerOwn) >= 0.9*q.total {
		return 1
	}
	ms := p.marks[u.marks[0]:u.marks[1]]
	for _, m := range ms {
		if q.terms[m.term].weight >= 0.6*q.total && p.expands(u, m) {
			return 1
		}
	}
	if q.weightOf(u.own) >= 0.9*q.total && p.namedAfter(u, ms) {
		return 1
	}
	var seen termSet
	end := 0
	for _, m := range ms {
		if m.start-u.start > early {
			break
		}
		seen |= 1 << uint(m.term)
		end = m.end - u.start
	}
	if q.weightOf(seen) < 0.8*q.total || end == 0 {
		return 0
	}
	const opening = 20 // bytes
	weight, follows := defined(p.text(u)[end:])
	if follows && ms[0].start-u.start < opening {
		return weight
	}
	return 0.5 * weight
}

// early is how far from the beginning of a unit, in bytes, its words may define it.
const early = 90

// namedAfter reports whether words of a query follow words that give a name: "a journal is
// said to be hot if".
func (p *page) namedAfter(u *unit, ms []mark) bool {
	for _, words := range namers {
		i := strings.Index(p.text(u), words)
		if i < 0 || i >= early {
			continue
		}
		at := u.start + i + len(words)
		for _, m := range ms {
			if m.start >= at && m.start-at < early/3 {
				return true
			}
		}
	}
	return false
}

// defined returns the weight of the verb of defining at the beginning of some words, 0
// without one, and whether it follows at once.
func defined(tail string) (weight float64, follows bool) {
	const soon = 30 // bytes
	if len(tail) > soon {
		tail = tail[:soon]
	}
	tail = " " + strings.TrimLeft(tail, " \t\n\"”'’)(,")
	for _, d := range definers {
		if i := strings.Index(tail, d.words); i >= 0 {
			return d.weight, i < 3
		}
	}
	return 0, false
}

// nearby is how far from an abbreviation its words are looked for.
const nearby = 200

// expands reports whether an abbreviation is spelled out beside its mark: "UEFI
// (Unified Extensible Firmware Interface)", or the other way round.
func (p *page) expands(u *unit, m mark) bool {
	abbr := p.doc.Text[m.start:m.end]
	if n := len(abbr); n < 2 || n > 10 || strings.ToUpper(abbr) != abbr {
		return false
	}
	after := strings.TrimLeft(p.doc.Text[m.end:min(u.end, m.end+nearby)], " ")
	if inside, ok := strings.CutPrefix(after, "("); ok {
		inside, _, _ = strings.Cut(inside[:min(len(inside), nearby)], ")")
		return spells(inside, abbr)
	}
	before := strings.TrimRight(p.doc.Text[max(u.start, m.start-nearby):m.start], " ")
	if words, ok := strings.CutSuffix(before, "("); ok && strings.HasPrefix(after, ")") {
		fields := strings.Fields(words)
		return spells(strings.Join(fields[max(0, len(fields)-len(abbr)-2):], " "), abbr)
	}
	return false
}

// spells reports whether the letters of abbr begin words of s, in order.
func spells(s, abbr string) bool {
	rest := strings.ToLower(abbr)
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		if rest != "" && w[0] == rest[0] {
			rest = rest[1:]
		}
	}
	return rest == ""
}

// definers are verbs of defining, the surer first.
var definers = []struct {
	words  string
	weight float64
}{
	{" is a ", 1}, {" is an ", 1}, {" are a ", 1}, {" means ", 1}, {" refers to ", 1},
	{" stands for ", 1}, {" is the ", 0.9}, {" is one ", 0.9}, {" are the ", 0.8},
	{" es un", 1}, {" est un", 1}, {" ist ein", 1}, {" ist die ", 0.9}, {" ist der ", 0.9},
	{" — это", 1}, {" - это", 1}, {"是", 0.9}, {"とは", 1},
	{" are ", 0.6}, {" is ", 0.5}, {" allows ", 0.5}, {" provides ", 0.5},
}

// namers come before the name of what was just described.
var namers = []string{" is called ", " are called ", " known as ", " is said to be ",
	" referred to as ", " is termed ", " is considered "}

// defines reports whether s has the form of a definition of something.
func defines(s string) bool {
	const head = 160
	if len(s) > head {
		s = s[:head]
	}
	for _, d := range definers {
		if strings.Contains(s, d.words) {
			return true
		}
	}
	return false
}

var reasons = []string{"because", "since ", "due to", "in order to", "so that", "reason",
	"therefore", "thus ", "as a result", "porque", "debido a", "parce que", "weil ", "потому что",
	"так как", "из-за", "因为", "由于", "ため"}

func givesReason(s string) bool {
	s = strings.ToLower(s)
	for _, r := range reasons {
		if strings.Contains(s, r) {
			return true
		}
	}
	return false
}

var polar = text.Pattern(
	`(?i)\b(?:not|never|no|none|cannot|only|always|must|unless|` +
		`disabled|enabled|impossible|prohibited|\w+n't)\b`)

// decides reports whether s says that something is so or is not, in so many words.
func decides(s string) bool { return polar().MatchString(s) }

// instructions are words that say what to do.
var instructions = set("use using run call set add specify enable disable type enter click " +
	"choose select open invoke create pass can must should by instead")

// instructs reports whether s says what to do: it has a word of instruction, and is not only
// about its writer.
func instructs(s string) bool {
	w := wordsOf(s)
	for i, x := range w {
		if i < 12 && x.text == "i" {
			return false
		}
		if instructions[x.text] {
			return true
		}
	}
	return false
}

// negates are words that say that something is not so.
var negates = text.Pattern(`(?i)\b(?:not|never|no|none|cannot|neither|nor|without|\w+n['’]t)\b`)

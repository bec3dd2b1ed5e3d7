package extract

import (
	"strings"
	"unicode"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// aboutWeight is what the words of the query count: of two rows with a telephone number, the one
// that names the clinic that is asked about is taken, not the first.
const aboutWeight = 0.3

// askedWord is a word of what a field is asked of.
type askedWord struct {
	token, word string
	name        bool   // it is a name or has a digit
	before      string // the word before it
}

// askedOf returns the words of the query that say of what a field is asked: not those of the
// field's own name, and not those that name fields. They are read once for each language.
func (f *field) askedOf(lang string) []askedWord {
	out, ok := f.asked[lang]
	if !ok {
		if f.asked == nil {
			f.asked = map[string][]askedWord{}
		}
		out = f.readAsked(lang)
		f.asked[lang] = out
	}
	return out
}

func (f *field) readAsked(lang string) (out []askedWord) {
	names := text.Names(f.subject, lang)
	lists := fieldWords()
	before := ""
	for _, t := range text.Tokenize(f.subject, lang) {
		last := before
		before = t.Text
		word := strings.ToLower(f.subject[t.Start:t.End])
		n := naming{fields: lists.phrases[word], stem: t.Text, word: word}
		if t.Stop || n.fields != nil || lists.neutral[word] || n.among(f.words) {
			continue
		}
		a := askedWord{token: t.Text, word: word, before: last,
			name: strings.ContainsAny(word, "0123456789")}
		if t.Start > 0 && text.Language(lang) != "de" {
			a.name = a.name || unicode.IsUpper([]rune(f.subject[t.Start:])[0])
		}
		for _, r := range names {
			a.name = a.name || r.Start <= t.Start && t.End <= r.End
		}
		out = append(out, a)
	}
	return out
}

// outline has the words of a page by where they stand.
type outline struct {
	title    map[string]bool // of the page, and its main heading
	main     string          // its main heading
	headings map[string]bool // other headings: what things a page names
	anywhere map[string]bool
	address  string
	foreign  bool                    // its main heading names something
	tables   map[int]map[string]bool // words of the first cells of a table
}

// outlined is the outline of the page, made on first need.
func (p *page) outlined() *outline {
	if p.outline == nil {
		p.outline = outlineOf(p)
	}
	return p.outline
}

// outlineOf reads the words of a page.
func outlineOf(p *page) *outline {
	o := &outline{title: map[string]bool{}, headings: map[string]bool{},
		anywhere: map[string]bool{},
		address:  strings.ToLower(p.doc.URL), tables: map[int]map[string]bool{}}
	p.tokens(p.doc.Meta.Title+"\n"+p.doc.Meta.SiteName, o.title)
	for i, b := range p.doc.Blocks {
		p.tokens(p.doc.BlockText(i), o.anywhere)
		switch {
		case b.Kind == wstk.BlockHeading && b.Level <= 1 && o.main == "":
			o.main = p.doc.BlockText(i)
			p.tokens(o.main, o.title)
		case b.Kind == wstk.BlockHeading:
			p.tokens(p.doc.BlockText(i), o.headings)
		}
	}
	o.foreign = namesThing(o.main, p.lang)
	return o
}

// namesThing reports whether a heading names something: it has a capital behind its first word,
// in a word that is none of those by which fields are called.
func namesThing(heading, lang string) bool {
	w := wordsOf(heading)
	for i, n := range w {
		first := heading[n.start:]
		if i > 0 && unicode.IsUpper([]rune(first)[0]) {
			for _, x := range namingsOf(n.text, lang) {
				if x.fields == nil && !x.soft {
					return true
				}
			}
		}
	}
	return false
}

// tokens adds the tokens of a text.
func (p *page) tokens(s string, to map[string]bool) {
	for _, t := range text.Tokenize(s, p.lang) {
		to[t.Text] = true
	}
}

// concerns says how much of what is asked about stands around a value, 0 to 1, and whether the
// value is of that thing. It is not where a word of that thing stands in another heading, or in
// rivals, and not around the value; nor where the page has none of its names, and names something
// else.
func (f *field) concerns(
	p *page, u *unit, around []string, rivals map[string]bool,
) (about float64, ok bool) {
	words := f.askedOf(p.lang)
	if f.placed || len(words) == 0 {
		return 1, true
	}
	o := p.outlined()
	have := map[string]bool{}
	if u != nil {
		around = append(around, p.above(u)...)
	}
	for _, s := range around {
		p.tokens(s, have)
	}
	said, names, absent := 0, 0, 0
	for _, a := range words {
		if a.name {
			names++
		}
		switch {
		case have[a.token]:
			said++
		case o.headings[a.token] && !o.title[a.token], rivals[a.token],
			digit(a.word) && (!o.title[a.token] || p.otherNumber(around, a)):
			return 0, false
		case o.names(a):
			said++
		case a.name && !o.anywhere[a.token]:
			absent++
		}
	}
	if names > 0 && absent == names && (o.foreign || u != nil && p.underThing(u)) {
		return 0, false
	}
	return float64(said) / float64(len(words)), true
}

// names reports whether the title or the address of a page has a word.
func (o *outline) names(a askedWord) bool {
	return o.title[a.token] || len(a.word) > 2 && strings.Contains(o.address, a.word)
}

// otherNumber reports whether a text has another number behind the word that is before the one
// asked about: Fennel 3 for Fennel 4.
func (p *page) otherNumber(around []string, a askedWord) bool {
	for _, s := range around {
		ts := text.Tokenize(s, p.lang)
		for i := 1; i < len(ts); i++ {
			if ts[i-1].Text == a.before && digit(ts[i].Text) && ts[i].Text != a.token {
				return true
			}
		}
	}
	return false
}

// underThing reports whether a heading above a unit, other than the main one, names something.
func (p *page) underThing(u *unit) bool {
	for _, h := range p.above(u) {
		if h == p.outline.main {
			continue
		}
		for _, n := range namingsOf(h, p.lang) {
			if n.fields == nil && !n.soft {
				return true
			}
		}
	}
	return false
}

func digit(s string) bool { return strings.IndexFunc(s, unicode.IsDigit) >= 0 }

// above are the headings over a unit, the nearest last.
func (p *page) above(u *unit) []string { return p.doc.SectionPath(u.section) }

package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"wstk/shared/text"
	"wstk/shared/value"
	"wstk/shared/wstk"
)

// exactly reports whether the versions and models that the query names are in c, in what
// introduces it, in its headings or in the title of its page: the release date of 1.5.4 is
// not that of 1.5.0.
func (q *question) exactly(c *candidate) bool {
	p, u := c.page, c.unit
	held := u.own | u.synonym | u.headerOwn | u.led | p.title
	around := []string{p.text(u), p.doc.Meta.Title}
	if u.header >= 0 {
		around = append(around, p.doc.BlockText(u.header))
	}
	if s := u.section; s >= 0 && s < len(p.sections) {
		held |= p.sections[s].near | p.sections[s].far
	}
	for s, last := u.section,
		len(p.doc.Sections); s >= 0 && s < last; s, last = p.doc.Sections[s].Parent, s {
		around = append(around, p.doc.Sections[s].Title)
	}
	for i, t := range q.terms {
		switch {
		case !t.exact:
		case dotted(t.surface):
			if !holdsVersion(around, t.surface) {
				return false
			}
		case !held.has(i):
			return false
		}
	}
	return true
}

// modelled reports whether a term is a name with digits in it: X100, GPT-4. In lower
// case such names are spelled too freely to be held to: sqlite3, SQLite 3.
func (q *question) modelled(i int) bool {
	s := q.terms[i].surface
	r, _ := utf8.DecodeRuneInString(s)
	return q.terms[i].name && unicode.IsUpper(r) && strings.ContainsFunc(s, unicode.IsDigit)
}

// versioned reports whether a term is a version: 1.5.0, v1.5, or 1.5 behind a word that
// it may be a version of, where it measures nothing.
func (q *question) versioned(i int) bool {
	t := q.terms[i]
	if !dotted(t.surface) {
		return false
	}
	if strings.Count(t.surface, ".") > 1 || strings.HasPrefix(strings.ToLower(t.surface), "v") {
		return true
	}
	for _, v := range value.Find(q.text, q.lang) {
		if v.Start < t.end && t.start < v.End && wstk.ValueType(v.Type) != wstk.ValueNumber {
			return false
		}
	}
	before := text.Tokenize(q.text[:t.start], q.lang)
	if len(before) == 0 {
		return false
	}
	last := before[len(before)-1]
	return !last.Stop && strings.TrimSpace(q.text[last.End:t.start]) == ""
}

// dotted reports whether s is numbers with dots between them, perhaps behind a v.
func dotted(s string) bool {
	at := versionForm().FindStringIndex(s)
	return at != nil && at[0] == 0
}

// holdsVersion reports whether one of the texts names a version. With a v before it or .0
// after it, it is the same version.
func holdsVersion(texts []string, version string) bool {
	for _, s := range texts {
		for _, v := range versionForm().FindAllString(s, -1) {
			if plainVersion(v) == plainVersion(version) {
				return true
			}
		}
	}
	return false
}

func plainVersion(v string) string {
	v = strings.TrimLeft(strings.ToLower(v), "v")
	for strings.HasSuffix(v, ".0") {
		v = strings.TrimSuffix(v, ".0")
	}
	return v
}

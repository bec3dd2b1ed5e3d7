// Package lexicon reads words and phrases that are data: embedded text files, one entry a
// line, in families.
//
//	# What pages say that ask for cookies to be accepted.
//	[consent sentences] substring
//	en	before you continue
//	de	bevor sie fortfahren	# google.de
//
// A line that begins with # is a comment, and so is a last field that does. A name in
// brackets begins a family; what stands before the first is the family "". The fields of an
// entry are separated by tabs. An entry of two fields is a language tag and a phrase; "mul"
// is the tag of what many languages share, "zxx" of what is no language. A phrase that
// begins or ends with a blank, or begins with #, stands in quotation marks.
//
// A phrase may be a regular expression; then <name> in it stands for any phrase of the
// family of that name.
//
// A word behind the name of a family says how its phrases are used. "substring": a text is
// searched for them, so that one that holds another is of no use. "caseless": they are
// expressions that match in upper and lower case.
//
// Begin reading at Parse. The test of every lexicon in the repository is in shared/archtest.
package lexicon

import (
	"iter"
	"regexp"
	"slices"
	"strings"
)

// Entry is a line of a family: its fields without the comment.
type Entry []string

// Lang returns the language tag of an entry of two fields or more, and "" for others.
func (e Entry) Lang() string {
	if len(e) < 2 {
		return ""
	}
	return e[0]
}

// Phrase returns the last field of an entry.
func (e Entry) Phrase() string { return e[len(e)-1] }

// Family is a list of entries that are used together, in the order of the file.
type Family struct {
	Name      string
	Substring bool // a text is searched for the phrases
	Caseless  bool // the phrases are expressions that match in upper and lower case
	Entries   []Entry
}

// Lexicon is a file that was read. It is not changed after that, so it may be used
// concurrently.
type Lexicon struct{ families []*Family }

// Parse reads a file. It refuses nothing: a malformed line is an entry like others, and
// the test of all lexicons reports it.
func Parse(file string) *Lexicon {
	l := &Lexicon{}
	var in *Family
	for line := range strings.Lines(file) {
		line = strings.TrimRight(line, " \r\n")
		switch {
		case strings.TrimSpace(line) == "" || line[0] == '#':
			continue
		case line[0] == '[':
			name, use, _ := strings.Cut(line[1:], "]")
			use = strings.TrimSpace(use)
			in = &Family{Name: name, Substring: use == "substring", Caseless: use == "caseless"}
			l.families = append(l.families, in)
			continue
		case in == nil:
			in = &Family{}
			l.families = append(l.families, in)
		}
		e := Entry(strings.Split(line, "\t"))
		if n := len(e) - 1; n > 0 && strings.HasPrefix(e[n], "#") {
			e = e[:n]
		}
		last := &e[len(e)-1]
		if n := len(*last); n > 1 && (*last)[0] == '"' && (*last)[n-1] == '"' {
			*last = (*last)[1 : n-1]
		}
		in.Entries = append(in.Entries, e)
	}
	return l
}

// Families lists the families in the order of the file.
func (l *Lexicon) Families() []*Family { return l.families }

// Entries yields the entries of a family; none if the lexicon has no such family.
func (l *Lexicon) Entries(family string) iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		for _, f := range l.families {
			if f.Name != family {
				continue
			}
			for _, e := range f.Entries {
				if !yield(e) {
					return
				}
			}
		}
	}
}

// Phrases returns the phrases of a family in all languages.
func (l *Lexicon) Phrases(family string) (out []string) {
	for e := range l.Entries(family) {
		out = append(out, e.Phrase())
	}
	return out
}

// In returns the phrases of a family in one language, and those of "mul" and "zxx".
func (l *Lexicon) In(lang, family string) (out []string) {
	for e := range l.Entries(family) {
		if tag := e.Lang(); tag == lang || tag == "mul" || tag == "zxx" {
			out = append(out, e.Phrase())
		}
	}
	return out
}

// familyName is a name in an expression.
var familyName = regexp.MustCompile(`<([a-z, ]+)>`)

// Named returns the families that expressions of the lexicon name.
func (l *Lexicon) Named() map[string]bool {
	named := map[string]bool{}
	for _, f := range l.families {
		for _, e := range f.Entries {
			for _, m := range familyName.FindAllStringSubmatch(e.Phrase(), -1) {
				named[m[1]] = true
			}
		}
	}
	return named
}

// Expressions returns the phrases of a family in all languages, with the families that they
// name filled in. A phrase that names a family without phrases matches nothing and is left
// out; what is no family's name stays as it is.
func (l *Lexicon) Expressions(family string) (out []string) {
	for _, phrase := range l.Phrases(family) {
		empty := false
		phrase = familyName.ReplaceAllStringFunc(phrase, func(name string) string {
			family := name[1 : len(name)-1]
			if !l.has(family) {
				return name
			}
			inner := l.Expressions(family)
			empty = empty || len(inner) == 0
			return "(?:" + strings.Join(inner, "|") + ")"
		})
		if !empty {
			out = append(out, phrase)
		}
	}
	return out
}

func (l *Lexicon) has(family string) bool {
	return slices.ContainsFunc(l.families, func(f *Family) bool { return f.Name == family })
}

// Set returns the phrases of a family as a set.
func (l *Lexicon) Set(family string) map[string]bool {
	set := map[string]bool{}
	for e := range l.Entries(family) {
		set[e.Phrase()] = true
	}
	return set
}

// And returns the families of both lexicons.
func (l *Lexicon) And(other *Lexicon) *Lexicon {
	return &Lexicon{slices.Concat(l.families, other.families)}
}

// Without returns the lexicon with a family that has no entries. Tests ask with it what a
// family is for.
func (l *Lexicon) Without(family string) *Lexicon {
	rest := slices.Clone(l.families)
	for i, f := range rest {
		if f.Name == family {
			rest[i] = &Family{Name: f.Name, Substring: f.Substring, Caseless: f.Caseless}
		}
	}
	return &Lexicon{rest}
}

package extract

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"wstk/shared/text"
	"wstk/shared/value"
	"wstk/shared/wstk"
)

// field is a property that was asked for: what its name says, and the form of its value.
type field struct {
	name  string
	label string // folded
	kinds []kind // that a value may have; none for a field whose values have no known form
	units []string
	data  []string // names in structured data, in small letters; a dotted name matches a leaf's end
	words []naming // of the name

	exclusive map[string]string      // what the name says of groups of fields, see fields.txt
	subject   string                 // the query: of what the field is asked for
	about     []naming               // its words
	asked     map[string][]askedWord // see askedOf, by language
	placed    bool                   // the pages hold nothing but the item that is asked about
}

// titleLabels name the item itself.
var titleLabels = set("title name headline")

// newField reads a hint. A hint that names the kind of its value ("contact
// email") finds values of that kind.
func newField(hint string) field {
	lists := fieldWords()
	name := strings.TrimSpace(hint)
	label := foldLabel(splitCamel(name))
	f := field{name: name, label: label, exclusive: fieldsIn(label),
		data: []string{strings.ReplaceAll(label, " ", "")}, words: hintNamings(label)}
	if f.words == nil {
		for _, w := range wordsOf(label) { // "about": a word that says little is all there is
			f.words = append(f.words, naming{stem: stemOf(w.text, "en"), word: w.text})
		}
	}
	for _, n := range f.words {
		for _, field := range n.fields {
			if len(f.words) == 1 || n.shownBy(lists.kinds[field], "") {
				f.data = append(f.data, lists.data[field]...)
			}
		}
	}
	f.narrow()
	if f.kinds == nil {
		if w := wantOf(name); w.kind.typed() {
			f.kinds = []kind{w.kind}
		}
	}
	return f
}

// narrow keeps, of the kinds that the words of a hint name, those of what it is a name of: "e-mail
// of the manager" is none of a person, "contact email" neither, and "energy class" no energy.
func (f *field) narrow() {
	for _, n := range f.words {
		for _, k := range []kind{emailKind, phoneKind, urlKind} {
			if n.shownBy(k, "") {
				f.kinds = []kind{k}
				return
			}
		}
	}
	head, _, _ := strings.Cut(f.label, " of ")
	ns := hintNamings(head)
	f.kinds, f.units = nil, nil
	for len(ns) > 1 && modifies(ns[len(ns)-1]) {
		ns = ns[:len(ns)-1]
	}
	if len(ns) == 0 {
		return
	}
	for _, field := range ns[len(ns)-1].fields {
		if k, ok := fieldWords().kinds[field]; ok && !slices.Contains(f.kinds, k) {
			f.kinds = append(f.kinds, k)
		}
		f.units = append(f.units, fieldWords().units[field]...)
	}
}

// modifies reports whether a naming only says which of several fields is meant.
func modifies(n naming) bool {
	return n.fields != nil && !slices.ContainsFunc(n.fields,
		func(f string) bool { return fieldWords().named[f] })
}

// foldLabel makes labels comparable: without case, underscores, outer punctuation and
// differences of space.
func foldLabel(s string) string {
	s = strings.NewReplacer("_", " ").Replace(s)
	s = text.FoldCompare(s)
	return strings.TrimFunc(s, func(r rune) bool {
		return unicode.IsPunct(r) || unicode.IsSpace(r) || unicode.IsSymbol(r)
	})
}

// fieldFind is a place that states a field.
type fieldFind struct {
	score float64
	about float64 // share of the words of the query that stand in its block or above, 0 to 1
	claim wstk.Claim
	page  *page
	unit  *unit
	data  string // the item of structured data
}

func (x *fieldFind) weight() float64 { return x.score + aboutWeight*x.about }

// find looks for the field on pages and returns the best claim. Visible text comes
// first: a labelled value, a table cell, a definition, a line under a heading of
// that name; then a sentence that names the field and holds a value of its kind; then
// structured data. Where a page gives the field of several things, and the query does not say of
// which, there is none.
func (f *field) find(pages []*page, places []wstk.Place) (wstk.Claim, bool) {
	f.placed = len(places) > 0
	var finds []fieldFind
	offer := func(x fieldFind) { finds = append(finds, x) }
	for _, read := range []func(*page){
		func(p *page) { f.labelled(p, offer) },
		func(p *page) { f.inProse(p, offer) },
		func(p *page) { f.inData(p, places, offer) },
	} {
		for _, p := range pages {
			read(p)
		}
		if best, ok := f.best(finds); ok {
			return best.claim, true
		}
		if len(finds) > 0 {
			return wstk.Claim{}, false
		}
	}
	return wstk.Claim{}, false
}

// best returns the find that binds best, none where others of other things bind as well.
func (f *field) best(finds []fieldFind) (best fieldFind, ok bool) {
	const near = 0.04
	for _, x := range finds {
		if !ok || x.weight() > best.weight() {
			best, ok = x, true
		}
	}
	for i := range finds {
		x := &finds[i]
		if x.page == best.page && x.weight() >= best.weight()-near && rivals(x, &best) {
			return fieldFind{}, false
		}
	}
	return best, ok
}

// rivals reports whether two finds of a page give other values of other things.
func rivals(a, b *fieldFind) bool {
	if sameText(a.claim, b.claim) || a.data != b.data && (a.data == "" || b.data == "") {
		return false
	}
	if a.data != "" {
		return a.data != b.data
	}
	u, v := a.unit, b.unit
	if u.block == v.block {
		return false
	}
	if u.section != v.section {
		d := a.page.doc
		return !isAbove(d, u.section, v.section) && !isAbove(d, v.section, u.section)
	}
	return (u.kind == wstk.BlockTableRow || u.kind == wstk.BlockListItem) && v.kind == u.kind
}

// isAbove reports whether a section is above another one.
func isAbove(d *wstk.Document, above, of int) bool {
	for n := 0; of >= 0 && of < len(d.Sections) && n < maxDepth; n++ {
		if of = d.Sections[of].Parent; of == above {
			return true
		}
	}
	return false
}

func sameText(a, b wstk.Claim) bool {
	if a.Value != nil && b.Value != nil {
		return a.Value.Norm == b.Value.Norm
	}
	return text.FoldCompare(a.Statement) == text.FoldCompare(b.Statement)
}

// read reads a value of the field out of a text: its form, and whether the field may have such
// a value.
func (f *field) read(s, lang string) (v *value.Value, k kind) {
	for _, k := range f.kinds {
		for _, v := range k.find(s, lang) {
			if f.measures(k, v) {
				return &v, k
			}
		}
	}
	return nil, anyKind
}

// readLabelled reads a value behind its label, which may be written more shortly: a host is a web
// address, and a number a version.
func (f *field) readLabelled(s, lang string) (v *value.Value, k kind) {
	if v, k = f.read(s, lang); v != nil {
		return v, k
	}
	for k, form := range map[kind]func() *regexp.Regexp{urlKind: hostForm,
		versionKind: numberForm} {
		if m := form().FindStringIndex(s); m != nil && slices.Contains(f.kinds, k) {
			return &value.Value{Type: string(wstk.ValueText), Text: s[m[0]:m[1]],
				Norm: strings.ToLower(s[m[0]:m[1]]), Range: text.Range{Start: m[0], End: m[1]}}, k
		}
	}
	return nil, anyKind
}

var (
	hostForm   = text.Pattern(`\b[a-z0-9-]+(?:\.[a-z0-9-]+)+\b`)
	numberForm = text.Pattern(`^\d+\b`)
)

// measures reports whether a quantity is in a unit of the field.
func (f *field) measures(k kind, v value.Value) bool {
	if k != amountKind || f.units == nil {
		return true
	}
	return v.Type == string(wstk.ValueQuantity) && slices.Contains(f.units, v.Unit)
}

// value reads the field's value in s. A field without a form takes the first
// value there is, if the text is little more than it.
func (f *field) value(s, lang string) *wstk.Value {
	if v, _ := f.read(s, lang); v != nil {
		return valueOf(*v)
	}
	for _, v := range value.Find(s, lang) {
		if 2*(v.End-v.Start) >= len(s) {
			return valueOf(v)
		}
	}
	return nil
}

// strict reports whether a field has values of a form only: what has none is no e-mail address.
func (f *field) strict() bool {
	return slices.ContainsFunc(f.kinds, func(k kind) bool {
		return k == emailKind || k == phoneKind || k == urlKind || k == amountKind ||
			k == countKind || k == versionKind || k == durationKind || k == percentKind
	})
}

// dateForm is a call of a function with arguments, or the form of a date.
var dateForm = text.Pattern(`^[A-Za-z_][\w.]*\((?:.*['"%,.=(].*)?\);?$|%[YymdeHMSjBbAa]\b`)

// isForm reports whether a text without a date says how one is written or made, for a field of
// dates: strftime('%Y-%m-%d', ...).
func (f *field) isForm(s string) bool {
	return slices.Contains(f.kinds, dateKind) && dateForm().MatchString(s)
}

// clip shortens the words of a long cell or field to at most maxQuote code points: to the
// sentences that fit whole, else to the words that do, else to the letters.
func clip(s string) string {
	if utf8.RuneCountInString(s) <= maxQuote {
		return s
	}
	most, n := len(s), 0
	for i := range s {
		if n == maxQuote {
			most = i
			break
		}
		n++
	}
	whole := 0
	for _, r := range text.Sentences(s, "") {
		if r.End > most {
			break
		}
		whole = r.End
	}
	if whole > 0 {
		return s[:whole]
	}
	if i := strings.LastIndexFunc(s[:most+1], unicode.IsSpace); i > 0 {
		most = i
	}
	return strings.TrimSpace(s[:most])
}

package collate

import (
	_ "embed"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"wstk/shared/stage/collate/wording"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

//go:embed schema.txt
var schemaFile string

var (
	schema       = tablesOf(strings.ToLower(schemaFile))
	claimedUnder = termSet("claimed")
	claimedTypes = termSet("claimed types")
	overStates   = termSet("over")
	lasting      = termSet("lasting")
	prose        = termSet("prose")
	itself       = termSet("itself")
	thingParts   = termSet("parts")
	qualifying   = termSet("qualifiers")
)

func termSet(table string) map[string]bool {
	m := map[string]bool{}
	for _, term := range schema[table] {
		m[term] = true
	}
	return m
}

// thing is an object of structured data.
type thing struct {
	item    *wstk.DataItem
	pointer string // in the value of the item; "" for the item itself
	within  string // the pointer of the thing it is of, and the property that leads to it
	prop    string // that property; "" for the item itself
	is      map[string]any
}

// name is what a thing calls itself, "" where it does not.
func (t thing) name() string {
	for _, key := range []string{"name", "headline", "title"} {
		if s, ok := t.is[key].(string); ok && strings.TrimSpace(s) != "" {
			return s
		}
	}
	return ""
}

// types are those of a thing, folded.
func (t thing) types() (out []string) {
	switch v := t.is["@type"].(type) {
	case string:
		out = append(out, termOf(v))
	case []any:
		for _, one := range v {
			if s, ok := one.(string); ok {
				out = append(out, termOf(s))
			}
		}
	}
	return out
}

// termOf is the folded name of a type, a property or a value of a vocabulary, without its address.
func termOf(s string) string {
	s = strings.TrimSpace(s)
	return strings.ToLower(s[strings.LastIndexAny(s, "/#:")+1:])
}

// leafPath is the way to a literal of structured data: the things it is in, the outermost
// first, and the property of the innermost one that it is.
type leafPath struct {
	things []thing
	prop   string
}

// out is the property by which a path leaves its thing i, folded.
func (x leafPath) out(i int) string {
	if i+1 < len(x.things) {
		return termOf(x.things[i+1].prop)
	}
	return termOf(x.prop)
}

// leafPaths are the ways to the literal of an Evidence: one in JSON-LD, in other formats
// each that ends at these words. None where its page is not known.
func (p *pages) leafPaths(e wstk.Evidence) (out []leafPath) {
	d := p.of(e)
	if d == nil || e.Element == nil {
		return nil
	}
	for i := range d.Data {
		item := &d.Data[i]
		for _, l := range item.LeavesOf(e) {
			v, ok := p.data[item]
			if !ok {
				if json.Unmarshal(item.Value, &v) != nil {
					v = nil
				}
				p.data[item] = v
			}
			w := leafWalk{item: item, leaf: l}
			w.down(v, l.Name, thing{item: item}, nil)
			if w.same != nil {
				w.all = w.same
			}
			out = append(out, w.all...)
		}
	}
	return out
}

// leafWalk finds the ways to a leaf in the value of its item.
type leafWalk struct {
	item      *wstk.DataItem
	leaf      wstk.DataLeaf
	all, same []leafPath // those of its name; and those that end at its words
}

// down looks for what name leads to, in v; at says where v stands.
func (w *leafWalk) down(v any, name string, at thing, above []thing) {
	switch v := v.(type) {
	case []any:
		for i := range v {
			next := at
			next.pointer += "/" + strconv.Itoa(i)
			w.down(v[i], name, next, above)
		}
	case map[string]any:
		at.is = v
		things := append(slices.Clone(above), at)
		for key, inner := range v {
			rest, ok := strings.CutPrefix(name, key)
			if !ok || key == "@context" || rest != "" && rest[0] != '.' {
				continue
			}
			pointer := at.pointer + "/" + strings.ReplaceAll(strings.ReplaceAll(key, "~", "~0"), "/", "~1")
			w.down(inner, strings.TrimPrefix(rest, "."), thing{item: w.item, pointer: pointer, within: pointer, prop: key}, things)
		}
	default:
		path := leafPath{things: above, prop: at.prop}
		switch s, _ := v.(string); {
		case name != "" || len(above) == 0:
		case w.item.Format == "json-ld":
			if strings.HasSuffix(w.leaf.Pointer, at.pointer) {
				w.all = append(w.all, path)
			}
		default:
			w.all = append(w.all, path)
			if s == strings.Join(strings.Fields(w.leaf.Literal), " ") {
				w.same = append(w.same, path)
			}
		}
	}
}

// claimed reports whether structured data holds the literal of an Evidence as what
// somebody else says, or as what is no longer so: what a review of claims looks at, the
// words of a visitor, an answer that may be wrong, the day of an event that was cancelled.
func (p *pages) claimed(e wstk.Evidence) bool {
	return !p.parts && slices.ContainsFunc(p.leafPaths(e), leafPath.claimed)
}

func (x leafPath) claimed() bool {
	for i, t := range x.things {
		prop := x.out(i)
		if claimedUnder[prop] || t.over() && !lasting[prop] {
			return true
		}
		for _, typ := range t.types() {
			if claimedTypes[typ] || claimedUnder[typ+"."+prop] {
				return true
			}
		}
	}
	return false
}

// over reports whether a thing says of itself that it is cancelled, withdrawn or the like.
func (t thing) over() bool {
	for key, v := range t.is {
		if s, ok := v.(string); ok && overStates[termOf(key)+" "+termOf(s)] {
			return true
		}
	}
	return false
}

// qualifiersOf are the values beside a literal of structured data, in its own object, that
// say what it is of: the unit, the currency, the kind of a telephone number, the day.
func (p *pages) qualifiersOf(e wstk.Evidence) (out []string) {
	for _, x := range p.leafPaths(e) {
		t := x.things[len(x.things)-1]
		for _, key := range slices.Sorted(maps.Keys(t.is)) {
			if !qualifying[termOf(key)] || key == x.prop {
				continue
			}
			switch v := t.is[key].(type) {
			case string:
				out = wording.AppendNew(out, propWords(v))
			case float64:
				out = wording.AppendNew(out, strconv.FormatFloat(v, 'f', -1, 64))
			}
		}
	}
	return out
}

// saysAlone reports whether a quote says a statement with no more than the answer shows
// beside it. A literal of structured data says nothing without its name, but for whole
// sentences of prose; the title of an item is its name.
func (p *pages) saysAlone(e wstk.Evidence, s wstk.Statement, title string) bool {
	if e.Element == nil || s.Field != "" || s.Statement == title {
		return true
	}
	paths := p.leafPaths(e)
	return len(paths) == 0 && p.of(e) == nil || slices.ContainsFunc(paths, func(x leafPath) bool { return prose[termOf(x.prop)] })
}

// leafPlace is the place of a literal of structured data: its name and its pointer, in
// words, name it; and the things on the way that are not the thing itself must be named.
func leafPlace(d *wstk.Document, e wstk.Evidence) place {
	way := slices.DeleteFunc(strings.FieldsFunc(e.Pointer, func(r rune) bool { return strings.ContainsRune("/_@", r) }), wording.Numeric)
	x := place{labels: []string{strings.Join(way, " ")}, beside: e.Quote, column: -1}
	if d == nil {
		return x
	}
	for i := range d.Data {
		for _, l := range d.Data[i].LeavesOf(e) {
			x.labels = append(x.labels, l.Name, strings.ReplaceAll(l.Name, ".", " "))
			way = strings.Split(l.Name, ".")
			last := len(way) - 1
			for j, prop := range way[:last] {
				term := termOf(prop)
				own := j == last-1 && naming[termOf(way[last])] // it names that very thing
				if !itself[term] && (own || !thingParts[term]) {
					x.things = append(x.things, prop)
				}
			}
		}
	}
	return x
}

// shows reports whether a field holds each word of a property.
func shows(field, prop string) bool {
	have := map[string]bool{}
	for _, t := range text.Tokenize(field, "") {
		have[t.Text] = true
	}
	says := false
	for _, t := range text.Tokenize(propWords(prop), "") {
		if !t.Stop && !have[t.Text] {
			return false
		}
		says = says || !t.Stop
	}
	return says
}

// propWords are the words of the name of a property: isRelatedTo is "is Related To".
func propWords(prop string) string {
	var b strings.Builder
	small := false
	for _, r := range prop[strings.LastIndexAny(prop, "/#:")+1:] {
		if small && unicode.IsUpper(r) {
			b.WriteByte(' ')
		}
		small = unicode.IsLower(r)
		b.WriteRune(r)
	}
	return b.String()
}

// owner is the thing that a literal under a field is of: the innermost with a name that
// the field does not lead to ("brand" is of the thing that has the brand), else the item.
func (x leafPath) owner(field string) thing {
	for i := len(x.things) - 1; i > 0; i-- {
		if t := x.things[i]; t.name() != "" && (itself[termOf(t.prop)] || !shows(field, t.prop)) {
			return t
		}
	}
	return x.things[0]
}

// nameOf is the name of the thing that the literal of an Evidence is of.
func (p *pages) nameOf(e wstk.Evidence, field string) string {
	for _, x := range p.leafPaths(e) {
		if name := x.owner(field).name(); name != "" {
			return name
		}
	}
	return ""
}

// ofPage reports whether a quote may be of the thing that its whole page has for its
// title: structured data of a thing of another name is not.
func (p *pages) ofPage(e wstk.Evidence, field, title string) bool {
	name := text.FoldCompare(p.nameOf(e, field))
	return name == "" || name == title
}

// oneThing reports whether the name of a thing and a fact are of one thing of structured
// data, and no other that has a name stands between them, but for one that the field names.
func (p *pages) oneThing(title, fact wstk.Evidence, field string) bool {
	titles := p.leafPaths(title)
	return slices.ContainsFunc(p.leafPaths(fact), func(f leafPath) bool {
		return slices.ContainsFunc(titles, func(t leafPath) bool {
			of := t.things[len(t.things)-1]
			i := slices.IndexFunc(f.things, of.same)
			return i >= 0 && !slices.ContainsFunc(f.things[i+1:], func(o thing) bool { return o.name() != "" && !shows(field, o.prop) })
		})
	})
}

func (t thing) same(o thing) bool { return t.item == o.item && t.pointer == o.pointer }

// leavesApart names statements of structured data that are of several things: a name and a
// price of two products, where the answer has no title; a price and a currency of two
// offers.
func (k *check) leavesApart() {
	type list struct {
		item   *wstk.DataItem
		within string
	}
	type said struct {
		of thing
		s  wstk.Statement
	}
	entries, owners := map[list]said{}, map[*wstk.Document]said{}
	for _, s := range k.Statements {
		quotes, _ := k.cited(s.Evidence)
		for _, e := range ownQuotes(s.Statement, quotes) {
			paths := k.pages.leafPaths(e)
			if len(paths) == 0 {
				continue
			}
			other := ""
			d, now := k.pages.of(e), said{paths[0].owner(s.Field), s}
			if first, ok := owners[d]; !ok {
				owners[d] = now
			} else if k.Title == "" && !first.of.same(now.of) {
				other = first.s.Statement
			}
			for _, t := range paths[0].things {
				first, ok := entries[list{t.item, t.within}]
				if !ok {
					entries[list{t.item, t.within}] = said{t, s}
				} else if !first.of.same(t) && text.FoldCompare(first.s.Field) != text.FoldCompare(s.Field) {
					other = first.s.Statement
				}
			}
			if other != "" {
				k.open("context", strings.TrimPrefix(s.Field+": ", ": ")+s.Statement, "it is of another thing of the page's data than “"+text.Shorten(other, 60)+"”: that both are said of one no code can tell")
			}
		}
	}
}

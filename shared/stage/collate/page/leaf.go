package page

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

// TitleField is the field of a statement that names its item.
const TitleField = "title"

// Naming are the fields that hold the name of a thing.
var Naming = wording.Set("name headline title")

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

// Thing is an object of structured data.
type Thing struct {
	Item    *wstk.DataItem
	pointer string // in the value of the item; "" for the item itself
	Within  string // the pointer of the thing it is of, and the property that leads to it
	prop    string // that property; "" for the item itself
	is      map[string]any
}

// name is what a thing calls itself, "" where it does not.
func (t Thing) name() string {
	for _, key := range []string{"name", "headline", "title"} {
		if s, ok := t.is[key].(string); ok && strings.TrimSpace(s) != "" {
			return s
		}
	}
	return ""
}

// types are those of a thing, folded.
func (t Thing) types() (out []string) {
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
	Things []Thing
	prop   string
}

// out is the property by which a path leaves its thing i, folded.
func (x leafPath) out(i int) string {
	if i+1 < len(x.Things) {
		return termOf(x.Things[i+1].prop)
	}
	return termOf(x.prop)
}

// LeafPaths are the ways to the literal of an Evidence: one in JSON-LD, in other formats each
// that ends at these words. There are none if its page is not known.
func (p *Set) LeafPaths(e wstk.Evidence) (out []leafPath) {
	d := p.Of(e)
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
			w.down(v, l.Name, Thing{Item: item}, nil)
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

// down looks in v for what name leads to; at is the thing that v belongs to.
func (w *leafWalk) down(v any, name string, at Thing, above []Thing) {
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
			pointer := at.pointer + "/" +
				strings.ReplaceAll(strings.ReplaceAll(key, "~", "~0"), "/", "~1")
			w.down(inner, strings.TrimPrefix(rest, "."),
				Thing{Item: w.item, pointer: pointer, Within: pointer, prop: key}, things)
		}
	default:
		path := leafPath{Things: above, prop: at.prop}
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

// Claimed reports whether structured data holds the literal of an Evidence as what another
// person says, or as what is no longer so: the claim that a fact check reviews, the words of
// a visitor, an answer that may be wrong, the day of an event that was cancelled.
func (p *Set) Claimed(e wstk.Evidence) bool {
	return !p.Parts && slices.ContainsFunc(p.LeafPaths(e), leafPath.claimed)
}

func (x leafPath) claimed() bool {
	for i, t := range x.Things {
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
func (t Thing) over() bool {
	for key, v := range t.is {
		if s, ok := v.(string); ok && overStates[termOf(key)+" "+termOf(s)] {
			return true
		}
	}
	return false
}

// qualifiersOf are the values beside a literal of structured data, in its own object, that
// say what it is of: the unit, the currency, the kind of a telephone number, the day.
func (p *Set) qualifiersOf(e wstk.Evidence) (out []string) {
	for _, x := range p.LeafPaths(e) {
		t := x.Things[len(x.Things)-1]
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
// beside it. A literal of structured data says nothing without its name, except for whole
// sentences of prose; the title of an item is its name.
func (p *Set) saysAlone(e wstk.Evidence, s wstk.Statement, title string) bool {
	if e.Element == nil || s.Field != "" || s.Statement == title {
		return true
	}
	paths := p.LeafPaths(e)
	return len(paths) == 0 && p.Of(e) == nil || slices.ContainsFunc(paths, func(x leafPath) bool {
		return prose[termOf(x.prop)]
	})
}

// leafPlace is the place of a literal of structured data: its name and its pointer, in
// words, name it; and the things on the way that are not the thing itself must be named.
func leafPlace(d *wstk.Document, e wstk.Evidence) Place {
	way := slices.DeleteFunc(strings.FieldsFunc(e.Pointer, func(r rune) bool {
		return strings.ContainsRune("/_@", r)
	}), wording.Numeric)
	x := Place{Labels: []string{strings.Join(way, " ")}, Beside: e.Quote, Column: -1}
	if d == nil {
		return x
	}
	for i := range d.Data {
		for _, l := range d.Data[i].LeavesOf(e) {
			x.Labels = append(x.Labels, l.Name, strings.ReplaceAll(l.Name, ".", " "))
			way = strings.Split(l.Name, ".")
			last := len(way) - 1
			for j, prop := range way[:last] {
				term := termOf(prop)
				own := j == last-1 && Naming[termOf(way[last])] // it names that very thing
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

// Owner is the thing that a literal under a field is of: the innermost with a name that
// the field does not lead to ("brand" is of the thing that has the brand), else the item.
func (x leafPath) Owner(field string) Thing {
	for i := len(x.Things) - 1; i > 0; i-- {
		if t := x.Things[i]; t.name() != "" && (itself[termOf(t.prop)] || !shows(field, t.prop)) {
			return t
		}
	}
	return x.Things[0]
}

// NameOf is the name of the thing that the literal of an Evidence is of.
func (p *Set) NameOf(e wstk.Evidence, field string) string {
	for _, x := range p.LeafPaths(e) {
		if name := x.Owner(field).name(); name != "" {
			return name
		}
	}
	return ""
}

// OfPage reports whether a quote may be of the thing that its whole page has for its
// title: structured data of a thing of another name is not.
func (p *Set) OfPage(e wstk.Evidence, field, title string) bool {
	name := text.FoldCompare(p.NameOf(e, field))
	return name == "" || name == title
}

// OneThing reports whether the name of a thing and a fact are of one thing of structured
// data, and no other thing with a name is between them, except for one that the field names.
func (p *Set) OneThing(title, fact wstk.Evidence, field string) bool {
	titles := p.LeafPaths(title)
	return slices.ContainsFunc(p.LeafPaths(fact), func(f leafPath) bool {
		return slices.ContainsFunc(titles, func(t leafPath) bool {
			of := t.Things[len(t.Things)-1]
			i := slices.IndexFunc(f.Things, of.Same)
			return i >= 0 && !slices.ContainsFunc(f.Things[i+1:], func(o Thing) bool {
				return o.name() != "" && !shows(field, o.prop)
			})
		})
	})
}

// Same reports whether two are one thing of the page's data.
func (t Thing) Same(o Thing) bool { return t.Item == o.Item && t.pointer == o.pointer }

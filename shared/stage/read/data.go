package read

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"wstk/shared/stage/read/dom"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// maxLeaves is how many literals of structured data are kept of one page.
const maxLeaves = 5000

// structuredData returns the page's JSON-LD, microdata and meta elements, with a
// pointer to each literal that FindData can follow again.
func (p *page) structuredData(base string) []wstk.DataItem {
	d := dataReader{page: p, base: base}
	broken := 0
	for i := range p.Els {
		p.Stop.Tick()
		if n := p.Els[i].Node; p.Els[i].Tag() == atom.Script && jsonLD(n) {
			if !d.script(i) {
				broken++
			}
		}
	}
	if broken > 0 {
		p.warn("json_ld_broken",
			strconv.Itoa(broken)+" JSON-LD script(s) of the page are not JSON and were left out")
	}
	d.microdata()
	d.meta()
	if d.cut {
		p.warn("data_truncated", "the page has more structured data than is kept")
	}
	return d.items
}

type dataReader struct {
	*page
	base   string
	items  []wstk.DataItem
	leaves int
	values int // of JSON, in all scripts
	steps  int // elements looked at for microdata
	cut    bool
	ids    map[string]int32
}

func (d *dataReader) add(item wstk.DataItem) {
	if len(item.Leaves) == 0 {
		return
	}
	if d.leaves+len(item.Leaves) > maxLeaves {
		d.cut = true
		return
	}
	d.leaves += len(item.Leaves)
	d.items = append(d.items, item)
}

func jsonLD(n *html.Node) bool {
	t, _, _ := strings.Cut(dom.Attr(n, "type"), ";")
	return strings.EqualFold(strings.TrimSpace(t), "application/ld+json")
}

// script adds the items of a JSON-LD script: the elements of a list and the
// members of a graph each as one. false means that it is no JSON.
func (d *dataReader) script(i int) bool {
	src := dom.TextContent(d.Els[i].Node, 0)
	if strings.TrimSpace(src) == "" {
		return true
	}
	if d.values > maxPageValues {
		d.cut = true
		return true
	}
	values, n, err := countJSON(d.Stop, src)
	d.values += n
	if errors.Is(err, errJSONMany) {
		d.cut = true
		return true
	}
	if err != nil {
		return false
	}
	if len(values) == 1 {
		d.jsonItems(i, &values[0], "")
		return true
	}
	for k := range values {
		d.jsonItems(i, &values[k], "/"+strconv.Itoa(k))
	}
	return true
}

func (d *dataReader) jsonItems(i int, v *jsonValue, pointer string) {
	switch v.kind {
	case 'a':
		for k := range v.list {
			d.jsonItems(i, &v.list[k], pointer+"/"+strconv.Itoa(k))
		}
		return
	case 'o':
	default:
		return
	}
	if graph, ok := v.get("@graph"); ok && (graph.kind == 'a' || graph.kind == 'o') {
		d.jsonItems(i, graph, pointer+"/@graph")
		// What stands beside the graph belongs to no node of it, as a rule only
		// @context.
		rest := jsonValue{kind: 'o'}
		for k, key := range v.keys {
			if key != "@graph" && key != "@context" {
				rest.keys, rest.list = append(rest.keys, key), append(rest.list, v.list[k])
			}
		}
		if len(rest.keys) == 0 {
			return
		}
		v = &rest
	}
	item := wstk.DataItem{Format: "json-ld", Type: jsonType(v), Element: i,
		Value: appendJSON(nil, v)}
	d.jsonLeaves(&item, v, "", pointer)
	d.add(item)
}

// jsonType is the schema.org type of an item, the first where it has several,
// without the vocabulary's address.
func jsonType(v *jsonValue) string {
	t, ok := v.get("@type")
	if !ok {
		return ""
	}
	if t.kind == 'a' && len(t.list) > 0 {
		t = &t.list[0]
	}
	if t.kind != 's' {
		return ""
	}
	return dom.TypeName(t.text)
}

func (d *dataReader) jsonLeaves(item *wstk.DataItem, v *jsonValue, name, pointer string) {
	if len(item.Leaves) > maxLeaves {
		return
	}
	switch v.kind {
	case 'o':
		for k, key := range v.keys {
			if key == "@context" {
				continue
			}
			inner := key
			if name != "" {
				inner = name + "." + key
			}
			d.jsonLeaves(item, &v.list[k], inner, pointer+"/"+escapePointer(key))
		}
	case 'a':
		for k := range v.list {
			d.jsonLeaves(item, &v.list[k], name, pointer+"/"+strconv.Itoa(k))
		}
	default:
		if v.text != "null" || v.kind == 's' {
			item.Leaves = append(item.Leaves, wstk.DataLeaf{Name: name, Element: item.Element,
				Pointer: pointer, Literal: v.text})
		}
	}
}

func escapePointer(key string) string {
	return strings.ReplaceAll(strings.ReplaceAll(key, "~", "~0"), "/", "~1")
}

// microdata adds the page's top-level items.
func (d *dataReader) microdata() {
	for i := 0; i < len(d.Els); i++ {
		d.Stop.Tick()
		n := d.Els[i].Node
		if !dom.HasAttr(n, "itemscope") || dom.HasAttr(n, "itemprop") {
			continue
		}
		item := wstk.DataItem{Format: "microdata",
			Type: dom.TypeName(firstWord(dom.Attr(n, "itemtype"))), Element: i}
		v := d.microItem(&item, int32(i), "", map[int32]bool{})
		item.Value = appendJSON(nil, &v)
		d.add(item)
	}
}

func firstWord(s string) string {
	for w := range strings.FieldsSeq(s) {
		return w
	}
	return ""
}

// microItem reads the properties of the item at element i. open holds the
// items around it: an item that refers back to one of them ends there.
func (d *dataReader) microItem(
	item *wstk.DataItem, i int32, name string, open map[int32]bool,
) jsonValue {
	n := d.Els[i].Node
	v := jsonValue{kind: 'o'}
	if t := dom.Attr(n, "itemtype"); t != "" {
		v.set("@type", jsonValue{kind: 's', text: dom.TypeName(firstWord(t))})
	}
	if id := dom.Attr(n, "itemid"); id != "" {
		v.set("@id", jsonValue{kind: 's', text: id})
		item.Leaves = append(item.Leaves, wstk.DataLeaf{Name: dotted(name, "@id"), Element: int(i),
			Pointer: "/@itemid", Literal: id})
	}
	open[i] = true
	defer delete(open, i)
	d.properties(item, &v, i+1, d.Els[i].End, name, open)
	for ref := range strings.FieldsSeq(dom.Attr(n, "itemref")) {
		if k, ok := d.byID(ref); ok && !open[k] && len(item.Leaves) < maxLeaves && len(open) < 20 {
			open[k] = true
			d.properties(item, &v, k, d.Els[k].End, name, open)
			delete(open, k)
		}
	}
	return v
}

// properties reads the elements from first to before end as properties of v.
func (d *dataReader) properties(
	item *wstk.DataItem, v *jsonValue, first, end int32, name string, open map[int32]bool,
) {
	for k := first; k < end; {
		d.Stop.Tick()
		if d.steps++; d.steps > dom.MaxNodes+10*len(d.Els) {
			d.cut = true // items that refer to each other, again and again
			return
		}
		n := d.Els[k].Node
		props, scope := dom.Attr(n, "itemprop"), dom.HasAttr(n, "itemscope")
		next := k + 1
		if scope {
			next = d.Els[k].End
		}
		if props != "" && len(item.Leaves) < maxLeaves {
			for prop := range strings.FieldsSeq(props) {
				if scope {
					if !open[k] && len(open) < 20 {
						v.append(prop, d.microItem(item, k, dotted(name, prop), open))
					}
					continue
				}
				leaf, value := d.microValue(k)
				leaf.Name = dotted(name, prop)
				item.Leaves = append(item.Leaves, leaf)
				v.append(prop, jsonValue{kind: 's', text: value})
			}
		}
		k = next
	}
}

func dotted(name, prop string) string {
	if name == "" {
		return prop
	}
	return name + "." + prop
}

// microValue is the value of a property element: the literal as it stands, and
// the value with addresses made absolute.
func (d *dataReader) microValue(k int32) (wstk.DataLeaf, string) {
	n := d.Els[k].Node
	leaf := wstk.DataLeaf{Element: int(k)}
	key, address := "", false
	switch {
	case dom.HasAttr(n, "content"): // meta; and on any element what machines should read
		key = "content"
	default:
		switch n.DataAtom {
		case atom.Audio, atom.Embed, atom.Iframe, atom.Img, atom.Source, atom.Track, atom.Video:
			key, address = "src", true
		case atom.A, atom.Area, atom.Link:
			key, address = "href", true
		case atom.Object:
			key, address = "data", true
		case atom.Data, atom.Meter:
			key = "value"
		case atom.Time:
			if dom.HasAttr(n, "datetime") {
				key = "datetime"
			}
		}
	}
	if key == "" {
		leaf.Pointer, leaf.Literal = "/#text", elementText(n)
		return leaf, collapse(leaf.Literal)
	}
	leaf.Pointer, leaf.Literal = "/@"+key, dom.Attr(n, key)
	if address {
		if u, err := text.Resolve(d.base, leaf.Literal); err == nil {
			return leaf, u
		}
	}
	return leaf, leaf.Literal
}

// elementText is what the pointer /#text means: the element's text content
// without white space at its ends.
func elementText(n *html.Node) string {
	return strings.Trim(dom.TextContent(n, 0), " \t\r\n\f")
}

// collapse makes runs of white space one space and drops it at the ends.
func collapse(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return r < 0x80 && dom.HTMLSpace(byte(r))
	}), " ")
}

func (d *dataReader) byID(id string) (int32, bool) {
	if d.ids == nil {
		d.ids = map[string]int32{}
		for i := range d.Els {
			if v := dom.Attr(d.Els[i].Node, "id"); v != "" {
				if _, ok := d.ids[v]; !ok {
					d.ids[v] = int32(i)
				}
			}
		}
	}
	k, ok := d.ids[id]
	return k, ok
}

// set adds a member.
func (v *jsonValue) set(key string, m jsonValue) {
	v.keys, v.list = append(v.keys, key), append(v.list, m)
}

// append adds a value to a member, which becomes a list when it has several.
func (v *jsonValue) append(key string, m jsonValue) {
	old, ok := v.get(key)
	switch {
	case !ok:
		v.set(key, m)
	case old.kind == 'a':
		old.list = append(old.list, m)
	default:
		*old = jsonValue{kind: 'a', list: []jsonValue{*old, m}}
	}
}

// meta adds the page's meta elements as two items: OpenGraph and its kin, and
// all others that say something about the content.
func (d *dataReader) meta() {
	og := wstk.DataItem{Format: "opengraph", Element: -1}
	other := wstk.DataItem{Format: "meta", Element: -1}
	ogValue, otherValue := jsonValue{kind: 'o'}, jsonValue{kind: 'o'}
	for i := range d.Els {
		n := d.Els[i].Node
		if d.Els[i].Tag() != atom.Meta || dom.HasAttr(n, "itemprop") {
			continue
		}
		key := strings.ToLower(strings.TrimSpace(dom.Attr(n, "property")))
		if key == "" {
			key = strings.ToLower(strings.TrimSpace(dom.Attr(n, "name")))
		}
		content := dom.Attr(n, "content")
		if key == "" || content == "" || metaNoise(key) {
			continue
		}
		item, v := &other, &otherValue
		if openGraph(key) {
			item, v = &og, &ogValue
		}
		if item.Element < 0 {
			item.Element = i
		}
		if key == "og:type" {
			item.Type = content
		}
		if len(item.Leaves) > maxLeaves {
			break
		}
		item.Leaves = append(item.Leaves,
			wstk.DataLeaf{Name: key, Element: i, Pointer: "/@content", Literal: content})
		v.append(key, jsonValue{kind: 's', text: content})
	}
	og.Value, other.Value = json.RawMessage(appendJSON(nil, &ogValue)),
		json.RawMessage(appendJSON(nil, &otherValue))
	d.add(og)
	d.add(other)
}

func openGraph(key string) bool {
	prefix, _, ok := strings.Cut(key, ":")
	if !ok {
		return false
	}
	switch prefix {
	case "og", "article", "product", "book", "profile", "music", "video", "place", "business",
		"restaurant", "event":
		return true
	}
	return false
}

// metaNoise reports whether a meta element speaks to browsers, site owners'
// consoles or forms rather than about the content.
func metaNoise(key string) bool {
	switch key {
	case "viewport", "theme-color", "color-scheme", "format-detection", "referrer",
		"handheldfriendly", "mobileoptimized",
		"rating", "renderer", "next-head-count", "generator", "robots", "googlebot", "bingbot",
		"next-size-adjust":
		return true
	}
	for _, part := range []string{"csrf", "verif", "token", "nonce", "msapplication", "apple-",
		"fb:", "al:", "config/", "msvalidate", "application-"} {
		if strings.Contains(key, part) {
			return true
		}
	}
	return false
}

// FindData returns the literal that stands at pointer of an element of a stored
// body, as wstk.DataLeaf describes pointers. It needs nothing but the body.
// Errors: NotFound where there is no such element or nothing stands there,
// UnsupportedMediaType where the body is no text.
func FindData(body []byte, element int, pointer string) (string, error) {
	const op = "finding data"
	if kind := binaryKind(body); kind != "" {
		return "", wstk.Errorf(wstk.UnsupportedMediaType, op, "the body is %s", kind)
	}
	t := dom.ParseAll(decode(body, "", mediaHTML), xmlPage(body))
	if element < 0 || element >= len(t.Els) {
		return "", wstk.Errorf(wstk.NotFound, op, "the page has no element %d", element)
	}
	n := t.Els[element].Node
	if n.DataAtom == atom.Script && jsonLD(n) {
		values, err := parseJSON(nil, dom.TextContent(n, 0))
		if err != nil {
			return "", wstk.Errorf(wstk.NotFound, op, "the script is not JSON")
		}
		v := &jsonValue{kind: 'a', list: values}
		if len(values) == 1 {
			v = &values[0]
		}
		if v = follow(v, pointer); v == nil || v.kind == 'o' || v.kind == 'a' {
			return "", wstk.Errorf(wstk.NotFound, op, "no literal at %s", pointer)
		}
		return v.text, nil
	}
	if key, ok := strings.CutPrefix(pointer, "/@"); ok && dom.HasAttr(n, key) {
		return dom.Attr(n, key), nil
	}
	if pointer == "/#text" {
		return elementText(n), nil
	}
	return "", wstk.Errorf(wstk.NotFound, op, "nothing at %s of element %d", pointer, element)
}

// follow resolves a JSON Pointer (RFC 6901); nil when it leads nowhere.
func follow(v *jsonValue, pointer string) *jsonValue {
	if pointer == "" {
		return v
	}
	if pointer[0] != '/' {
		return nil
	}
	for key := range strings.SplitSeq(pointer[1:], "/") {
		key = strings.ReplaceAll(strings.ReplaceAll(key, "~1", "/"), "~0", "~")
		switch v.kind {
		case 'o':
			m, ok := v.get(key)
			if !ok {
				return nil
			}
			v = m
		case 'a':
			i, err := strconv.Atoi(key)
			if err != nil || i < 0 || i >= len(v.list) || strconv.Itoa(i) != key {
				return nil
			}
			v = &v.list[i]
		default:
			return nil
		}
	}
	return v
}

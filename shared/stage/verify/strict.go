package verify

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"wstk/shared/wstk"
)

// A saved result comes from a stranger, who may write JSON that two programs read in two
// ways: a key twice, a key that encoding/json takes for another one (ſ for s, Q for q), bytes
// that are not text, words after the end. So it is parsed here into values as they are
// written, and JSON with two readings is refused.

// node is one value of a JSON document.
type node struct {
	raw    json.RawMessage // as it is written
	fields []field         // of an object, in their order
	items  []*node         // of an array
	text   string          // of a string
	kind   byte            // { [ " 0 t n: the first byte, 0 for a number, t for both booleans
}

type field struct {
	key string
	at  *node
}

// get returns the value of a key, nil without it.
func (n *node) get(key string) *node {
	for _, f := range n.fields {
		if f.key == key {
			return f.at
		}
	}
	return nil
}

const (
	maxDepth  = 100     // of nesting; a reply has ten levels
	maxValues = 5 << 20 // of a document
)

// parse reads a whole JSON document. The error is Invalid, or Cancelled when ctx ends.
func parse(ctx context.Context, data []byte) (*node, error) {
	const op = "reading the result"
	if !utf8.Valid(data) {
		return nil, wstk.Errorf(wstk.Invalid, op,
			"this is not JSON: it holds bytes that are not UTF-8")
	}
	if i := loneSurrogate(data); i >= 0 {
		return nil, wstk.Errorf(wstk.Invalid, op,
			"this is not JSON that all programs read alike: byte %d is half of a character", i)
	}
	p := parser{ctx: ctx, dec: json.NewDecoder(bytes.NewReader(data)), data: data}
	p.dec.UseNumber()
	n, err := p.value(0)
	if err := stopped(ctx); err != nil {
		return nil, err
	}
	if err != nil {
		return nil, wstk.Errorf(wstk.Invalid, op, "this is not JSON: %w", err)
	}
	if _, err := p.dec.Token(); err != io.EOF {
		return nil, wstk.Errorf(wstk.Invalid, op, "there is text after the JSON")
	}
	return n, nil
}

type parser struct {
	ctx    context.Context
	dec    *json.Decoder
	data   []byte
	values int
}

func (p *parser) value(depth int) (*node, error) {
	tok, err := p.dec.Token()
	if err != nil {
		return nil, err
	}
	if p.values++; p.values > maxValues || depth > maxDepth {
		return nil, fmt.Errorf("it is nested too deeply, or holds too much")
	}
	if err := stopped(p.ctx); err != nil {
		return nil, err
	}
	switch tok := tok.(type) {
	case json.Delim:
		return p.compound(byte(tok), depth)
	case string:
		raw, _ := json.Marshal(tok)
		return &node{kind: '"', text: tok, raw: raw}, nil
	case json.Number:
		return &node{kind: '0', raw: json.RawMessage(tok)}, nil
	case bool:
		return &node{kind: 't', raw: json.RawMessage(fmt.Sprint(tok))}, nil
	}
	return &node{kind: 'n', raw: json.RawMessage("null")}, nil
}

// compound reads an object or an array after its first byte, which is its kind.
func (p *parser) compound(kind byte, depth int) (*node, error) {
	start := int(p.dec.InputOffset()) - 1
	n := &node{kind: kind}
	keys := map[string]bool{}
	for p.dec.More() {
		key := ""
		if kind == '{' {
			tok, err := p.dec.Token()
			if err != nil {
				return nil, err
			}
			key, _ = tok.(string)
			if keys[key] {
				return nil, fmt.Errorf("the key %q is twice in one object", key)
			}
			keys[key] = true
		}
		v, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		if kind == '{' {
			n.fields = append(n.fields, field{key, v})
		} else {
			n.items = append(n.items, v)
		}
	}
	if _, err := p.dec.Token(); err != nil {
		return nil, err
	}
	n.raw = p.data[start:p.dec.InputOffset()]
	return n, nil
}

// loneSurrogate returns where an escape names half of a surrogate pair, -1 for nowhere.
// encoding/json reads U+FFFD there, other programs something else.
func loneSurrogate(data []byte) int {
	high := false
	for i := 0; i < len(data); i++ {
		if data[i] != '\\' {
			if high {
				return i
			}
			continue
		}
		if i+1 >= len(data) {
			return -1 // the parser will say so
		}
		if data[i+1] != 'u' || i+6 > len(data) {
			if high {
				return i
			}
			i++
			continue
		}
		r := hex4(data[i+2 : i+6])
		low := r >= 0xdc00 && r < 0xe000
		if low != high {
			return i
		}
		high = r >= 0xd800 && r < 0xdc00
		i += 5
	}
	return -1
}

func hex4(b []byte) (r rune) {
	for _, c := range b {
		switch {
		case '0' <= c && c <= '9':
			r = r<<4 | rune(c-'0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return -1
		}
	}
	return r
}

var (
	rawType    = reflect.TypeFor[json.RawMessage]()
	readerType = reflect.TypeFor[json.Unmarshaler]()
	timeType   = reflect.TypeFor[time.Time]()
	valueType  = reflect.TypeFor[wstk.Value]()
)

// form says why n is not a t as this program writes it, "" if it is: exact finds nothing, and
// n is the same after reading and writing it. Keys of t that skip names, which are always
// written, are not looked at. It says nothing of use after ctx has ended.
func form(ctx context.Context, n *node, t reflect.Type, skip ...string) string {
	if why := exact(n, t, skip...); why != "" {
		return why
	}
	bare := *n
	if n.kind == '{' {
		bare.fields = slices.DeleteFunc(slices.Clone(n.fields), func(f field) bool {
			return slices.Contains(skip, f.key)
		})
		for _, k := range skip { // instead, what t writes for nothing
			bare.fields = append(bare.fields,
				field{k, &node{kind: 'n', raw: json.RawMessage("null")}})
		}
	}
	v := reflect.New(t)
	if err := json.Unmarshal(bare.json(), v.Interface()); err != nil {
		return "it is malformed: " + err.Error()
	}
	data, err := json.Marshal(v.Interface())
	if err != nil {
		return "it is malformed: " + err.Error()
	}
	again, err := parse(ctx, data)
	if err != nil {
		return "it is malformed: " + err.Error()
	}
	if path := differs(&bare, again, false); path != "" {
		return strings.TrimPrefix(path, ".") + ": it is not written as this program writes it"
	}
	return ""
}

// json writes a node again.
func (n *node) json() json.RawMessage {
	if n.kind != '{' {
		return n.raw
	}
	var b bytes.Buffer
	b.WriteByte('{')
	for i, f := range n.fields {
		if i > 0 {
			b.WriteByte(',')
		}
		key, _ := json.Marshal(f.key)
		b.Write(key)
		b.WriteByte(':')
		b.Write(f.at.raw)
	}
	b.WriteByte('}')
	return b.Bytes()
}

// differs returns the path at which two values differ, "" if they do not. The order of keys
// does not matter, and a number may be written in two ways. With part set, a may lack keys
// of b.
func differs(a, b *node, part bool) string {
	switch {
	case a.kind != b.kind, !part && len(a.fields) != len(b.fields),
		len(a.items) != len(b.items), a.text != b.text:
		return "."
	case a.kind == '0':
		x, err := strconv.ParseFloat(string(a.raw), 64)
		y, other := strconv.ParseFloat(string(b.raw), 64)
		if err != nil || other != nil || x != y {
			return "."
		}
	case a.kind == 't' && string(a.raw) != string(b.raw):
		return "."
	}
	values := make(map[string]*node, len(b.fields))
	for _, f := range b.fields {
		values[f.key] = f.at
	}
	for _, f := range a.fields {
		of := values[f.key]
		if of == nil {
			return "." + f.key
		}
		if path := differs(f.at, of, part); path != "" {
			return "." + f.key + strings.TrimSuffix(path, ".")
		}
	}
	for i := range a.items {
		if path := differs(a.items[i], b.items[i], part); path != "" {
			return "." + strconv.Itoa(i) + strings.TrimSuffix(path, ".")
		}
	}
	return ""
}

// Record reads a stored record, such as a Document or a Snapshot of a bundle, into v. The
// record must be JSON with one reading and have no key that v lacks; keys that older versions
// did not write may be missing. The error is Invalid, or Cancelled if ctx ends before.
func Record(ctx context.Context, data []byte, v any) error {
	n, err := parse(ctx, data)
	if err != nil {
		return err
	}
	const op = "reading the record"
	if why := unknownKey(n, reflect.TypeOf(v)); why != "" {
		return wstk.Errorf(wstk.Invalid, op, "%s", why)
	}
	if err := json.Unmarshal(data, v); err != nil {
		return wstk.Wrap(wstk.Invalid, op, err)
	}
	data, err = json.Marshal(v)
	if err != nil {
		return wstk.Wrap(wstk.Invalid, op, err)
	}
	again, err := parse(ctx, data)
	if err != nil {
		return wstk.Wrap(wstk.Invalid, op, err)
	}
	if path := differs(n, again, true); path != "" {
		return wstk.Errorf(wstk.Invalid, op, "%s: it is not written as this program writes it",
			strings.TrimPrefix(path, "."))
	}
	return nil
}

// unknownKey names a key of n that t does not have, "" for none.
func unknownKey(n *node, t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == rawType || reflect.PointerTo(t).Implements(readerType) {
		return ""
	}
	known := map[string]reflect.Type{}
	switch t.Kind() {
	case reflect.Struct:
		known, _ = keysOf(t)
	case reflect.Slice, reflect.Array, reflect.Map:
		for _, f := range n.fields {
			known[f.key] = t.Elem()
		}
		for _, v := range n.items {
			if why := unknownKey(v, t.Elem()); why != "" {
				return why
			}
		}
	default:
		return ""
	}
	for _, f := range n.fields {
		if known[f.key] == nil {
			return fmt.Sprintf("it has a key that this version does not know: %q", f.key)
		}
		if why := unknownKey(f.at, known[f.key]); why != "" {
			return why
		}
	}
	return ""
}

// exact says why n is not a t as this program writes it, "" if it is: every key is one of
// t's, letter for letter, and none is missing that is always written. Keys of t that skip
// names are not looked at.
func exact(n *node, t reflect.Type, skip ...string) string {
	for t.Kind() == reflect.Pointer {
		if n.kind == 'n' {
			return ""
		}
		t = t.Elem()
	}
	if t == timeType && n.kind == '"' && !strings.HasSuffix(n.text, "Z") {
		return "this time is not written in UTC"
	}
	if t == rawType || reflect.PointerTo(t).Implements(readerType) {
		return ""
	}
	switch t.Kind() {
	case reflect.Struct:
		return exactStruct(n, t, skip)
	case reflect.Slice, reflect.Array:
		return exactList(n, t.Elem())
	case reflect.Map:
		return exactMap(n, t.Elem())
	}
	if n.kind == 'n' {
		return "it is null"
	}
	return ""
}

// exactList and exactMap are exact for a list of ts and for an object whose values are ts.
func exactList(n *node, t reflect.Type) string {
	if n.kind != '[' {
		return "it is not a list"
	}
	for i, v := range n.items {
		if why := exact(v, t); why != "" {
			return fmt.Sprintf("%d: %s", i, why)
		}
	}
	return ""
}

func exactMap(n *node, t reflect.Type) string {
	if n.kind != '{' {
		return "it is not an object"
	}
	for _, f := range n.fields {
		if why := exact(f.at, t); why != "" {
			return f.key + ": " + why
		}
	}
	return ""
}

// exactStruct is exact for a struct of type t. Keys that skip names, and times that a page
// may write in another zone, are compared elsewhere.
func exactStruct(n *node, t reflect.Type, skip []string) string {
	if n.kind != '{' {
		return "it is not an object"
	}
	known, always := keysOf(t)
	for _, f := range n.fields {
		ft, ok := known[f.key]
		if !ok {
			return fmt.Sprintf("it has a key that this version does not know: %q", f.key)
		}
		if slices.Contains(skip, f.key) || t == valueType && f.key == "time" ||
			f.key == "published_at" ||
			f.key == "modified_at" {
			continue
		}
		if why := exact(f.at, ft); why != "" {
			return f.key + ": " + why
		}
	}
	for _, k := range always {
		if n.get(k) == nil {
			return fmt.Sprintf("it lacks %q", k)
		}
	}
	return ""
}

// keysOf returns the keys that encoding/json writes for a struct, with their types, and
// those that it always writes.
func keysOf(t reflect.Type) (known map[string]reflect.Type, always []string) {
	known = map[string]reflect.Type{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && name == "" {
			more, must := keysOf(f.Type)
			for k, v := range more {
				known[k] = v
			}
			always = append(always, must...)
			continue
		}
		if name == "-" || !f.IsExported() {
			continue
		}
		if name == "" {
			name = f.Name
		}
		known[name] = f.Type
		if !strings.Contains(options, "omit") {
			always = append(always, name)
		}
	}
	return known, always
}

// foldKey returns a key as a person, or a careless program, may read it: without case, marks,
// blanks and invisible characters, and with plain letters for those that look like them.
func foldKey(key string) string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(key) {
		if unicode.In(r, unicode.M, unicode.Cf, unicode.Cc, unicode.Z) || r == '-' {
			continue
		}
		r = unicode.ToLower(r)
		if like, ok := looksLike[r]; ok {
			r = like
		}
		b.WriteRune(r)
	}
	return b.String()
}

// looksLike maps Cyrillic, Greek and some Latin letters to the plain letter they look like.
var looksLike = map[rune]rune{
	'а': 'a', 'с': 'c', 'ԁ': 'd', 'е': 'e', 'һ': 'h', 'і': 'i', 'ј': 'j', 'ӏ': 'l', 'ո': 'n',
	'о': 'o', 'р': 'p', 'ԛ': 'q',
	'ѕ': 's', 'т': 't', 'ս': 'u', 'ѵ': 'v', 'ԝ': 'w', 'х': 'x', 'у': 'y', 'к': 'k', 'м': 'm',
	'в': 'b', 'н': 'h',
	'α': 'a', 'ε': 'e', 'ι': 'i', 'κ': 'k', 'ν': 'v', 'ο': 'o', 'ρ': 'p', 'τ': 't',
	'υ': 'u', 'χ': 'x',
	'ı': 'i', 'ɑ': 'a', 'ɡ': 'g', 'ſ': 's', 'ƚ': 'l', 'ᴠ': 'v', 'ꜱ': 's',
}

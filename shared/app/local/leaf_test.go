package local_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"wstk/shared/app"
	"wstk/shared/app/answering"
	"wstk/shared/app/local"
	"wstk/shared/wstk"
)

// Every leaf of a genuine result, and of the records in its bundle, is changed in many
// ways, every entry of a list removed, doubled and moved, every object given keys and robbed
// of them. Each change fails, or what it touches is named as unchecked: by named, which
// lists all that may be changed.

// named are the paths that no code can check, each with what must stand under unchecked
// for it. An object or a list stands for what is in it.
var named = map[string]string{
	// left out: then it is no reply of a command
	"command":     "words outside of answers",
	"version":     "meta",
	"warnings":    "warnings",
	"meta":        "meta",
	"data.query":  "query",
	"data.strict": "urls, hints",
	// left empty, as in the reply of a run that goes on
	"data.strategy": "strategy",
	"data.answered": "answered", // left out, as by older versions
	// left out or moved, and why each was found
	"data.passages": "passages",
	"data.urls":     "urls, hints",
	"data.hints":    "urls, hints",
	"data.rules":    "grade",
	"data.gaps":     "gaps",
	"data.usage":    "usage",
	"data.warnings": "warnings",
	"data.run":      "run",
	// an answer left out, or put at another place
	"data.extractions":                     "completeness",
	"data.extractions[].counted":           "grade", // left out, for older versions
	"data.extractions[].gaps":              "gaps",
	"data.extractions[].unsupported":       "unsupported",
	"data.extractions[].sources[].role":    "sources", // a lesser one
	"data.extractions[].sources[].copy_of": "sources", // a copy of another that is listed
}

// same are changes that change nothing of what is said: what they leave is checked as ever.
var same = map[string]string{
	"data.extractions[].statements[].value removed":      "a value is a reading of words that stand there",
	"data.extractions[].statements[].statement no-break": "the fold table makes kinds of blanks equal",
	"data.extractions[].statements swapped":              "in a list of items the content shows title and fields in its own order",
	"data.extractions[].statements[].field removed":      "the title of an item needs no field",
}

// missing are keys of records which mean, where they are missing, what their zero does.
var missing = []string{"blocks[].byte_start", "blocks[].char_start", "blocks[].section", "sections[].parent", "structured_data[].type", "text"}

// namedFor returns what must be named for a path, "" where a change must fail.
func namedFor(path string) string {
	for path != "" {
		if name := named[path]; name != "" {
			return name
		}
		at := strings.TrimSuffix(path, "[]")
		if at == path {
			at = path[:max(0, strings.LastIndexByte(path, '.'))]
		}
		path = at
	}
	return ""
}

// mutation is a tree with one change, and where it is.
type mutation struct {
	path, how string
	tree      any
}

// replaced is a tree with another value at a path, or none; it shares the rest.
func replaced(tree any, path []any, v any, gone bool) any {
	if len(path) == 0 {
		return v
	}
	if k, ok := path[0].(string); ok {
		o := maps.Clone(tree.(m))
		if len(path) == 1 && gone {
			delete(o, k)
		} else {
			o[k] = replaced(o[k], path[1:], v, gone)
		}
		return o
	}
	i, l := path[0].(int), slices.Clone(tree.([]any))
	if len(path) == 1 && gone {
		return slices.Delete(l, i, i+1)
	}
	l[i] = replaced(l[i], path[1:], v, gone)
	return l
}

func pathOf(path []any) string {
	s := ""
	for _, k := range path {
		if n, ok := k.(string); ok {
			s += "." + n
		} else {
			s += "[]"
		}
	}
	return strings.TrimPrefix(s, ".")
}

// extras are keys that an object is given: known ones with words in them, and unknown ones.
var extras = m{"note": "It is free.", "title": "It is free.", "field": "price of gold", "value": m{"type": "text", "text": "free", "norm": "free"},
	"page": json.Number("1"), "sentence": "It is not so.", "flags": []any{"comment"}, "published_at": "2001-02-03T04:05:06Z", "copy_of": "http://evil.example/",
	"metadata": m{"a": "b"}, "counted": "17 sites", "literal": "free", "element": json.Number("0"), "pointer": "/name", "number": json.Number("5"),
	"unit": "kg", "time": "2001-02-03T04:05:06Z", "searched": []any{"http://evil.example/"}, "urls": []any{"http://evil.example/"}, "hints": []any{"free"},
	"strict": true, "rules": "1", "norm": "free", "Statement": "It is free.", "": "It is free.", "extractions": []any{}, "run": m{"note": "free"},
	"warnings": []any{m{"code": "free", "message": "It is free."}}, "data": "free", "next": m{"content": "free"}}

// others are what a value is replaced by.
var others = m{"null": nil, "words": "It is free.", "empty": "", "number": json.Number("7"), "true": true, "false": false, "object": m{},
	"list": []any{}, "object of words": m{"It is free": "yes"}, "list of words": []any{"It is free."}}

// mutations changes each part of a tree. With sparse set, of a list's entries the first and
// the last alone.
func mutations(tree any, sparse bool) (out []mutation) {
	var walk func(at any, path []any)
	walk = func(at any, path []any) {
		path = slices.Clone(path)
		add := func(how string, v any) {
			out = append(out, mutation{pathOf(path), how, replaced(tree, path, v, false)})
		}
		if len(path) > 0 {
			out = append(out, mutation{pathOf(path), "removed", replaced(tree, path, nil, true)})
			for _, how := range slices.Sorted(maps.Keys(others)) {
				add(how, others[how])
			}
		}
		switch v := at.(type) {
		case m:
			for _, k := range slices.Sorted(maps.Keys(extras)) {
				if _, ok := v[k]; !ok {
					out = append(out, mutation{strings.TrimPrefix(pathOf(path)+"."+k, "."), "added",
						replaced(tree, append(path, k), extras[k], false)})
				}
			}
			for _, k := range slices.Sorted(maps.Keys(v)) {
				walk(v[k], append(path, k))
			}
		case []any:
			for _, how := range []string{"words", "number", "object", "null"} {
				add(how+" more", append(slices.Clone(v), others[how]))
			}
			for i := range v {
				if sparse && i > 0 && i < len(v)-1 {
					continue
				}
				add("doubled", append(slices.Clone(v), v[i]))
				if i > 0 {
					l := slices.Clone(v)
					l[i], l[i-1] = l[i-1], l[i]
					add("swapped", l)
				}
				walk(v[i], append(path, i))
			}
		case string:
			changed := reworded(v)
			for _, how := range slices.Sorted(maps.Keys(changed)) {
				add(how, changed[how])
			}
		case json.Number:
			n, _ := strconv.ParseInt(v.String(), 10, 64)
			for _, s := range []string{fmt.Sprint(n + 1), fmt.Sprint(n - 1), fmt.Sprint(10 * n),
				"1e400", "0.5", "-7"} {
				add(s, json.Number(s))
			}
			add("as text", v.String())
		case bool:
			add("turned", !v)
			add("as text", fmt.Sprint(v))
		}
	}
	walk(tree, nil)
	return out
}

var digit = regexp.MustCompile(`[0-9]`)

// reworded is a string changed in many ways.
func reworded(s string) map[string]string {
	first := func(old, new string) string { return strings.Replace(s, old, new, 1) }
	digits := func(zero rune) string {
		return digit.ReplaceAllStringFunc(s, func(d string) string {
			return string(zero + rune(d[0]-'0'))
		})
	}
	out := map[string]string{
		"word more": s + " free", "word before": "free " + s, "blank more": s + " ", "line more": s + "\n",
		"hidden": "\u200b" + s, "hidden behind": s + "\u2060", "turned": "\u202e" + s, "grave": s + "\u0301", "escape": "\x1b[31m" + s,
		"upper": strings.ToUpper(s), "lower": strings.ToLower(s), "a": first("a", "а"), "e": first("e", "е"), "o": first("o", "0"),
		"full width": digits('０'), "arabic": digits('٠'), "digit": digit.ReplaceAllString(s, "7"), "digit more": digit.ReplaceAllString(s, "${0}0"),
		"separator": strings.NewReplacer(".", ",", ",", ".").Replace(s), "no point": first(".", ""), "not": first(" is ", " is not "), "minus": first("-", "−"),
		"scheme": first("http:", "https:"), "host": first("127.0.0.1", "evil.example"), "slash": s + "/", "fragment": s + "#x",
		"zone": first("Z", "+01:00"), "nano": first("Z", ".000000001Z"), "bold": "**" + s + "**", "mark": s + " [1]", "no-break": first(" ", "\u00a0"),
	}
	if len(s) > 3 {
		out["cut"], out["cut before"] = strings.ToValidUTF8(s[:len(s)-1], "?"), strings.ToValidUTF8(s[1:], "?")
	}
	return out
}

// carried is a bundle in memory, which is unpacked once.
type carried struct {
	reply              []byte
	blobs              map[wstk.Hash][]byte
	documents, fetches []wstk.Hash
}

func (b *carried) Reply() []byte          { return b.reply }
func (b *carried) Blobs() []wstk.Hash     { return slices.Sorted(maps.Keys(b.blobs)) }
func (b *carried) Documents() []wstk.Hash { return b.documents }
func (b *carried) Fetches() []wstk.Hash   { return b.fetches }
func (b *carried) Close() error           { return nil }

func (b *carried) Get(_ context.Context, h wstk.Hash) ([]byte, error) {
	if d, ok := b.blobs[h]; ok {
		return d, nil
	}
	return nil, wstk.Errorf(wstk.NotFound, "reading", "no blob %s", h)
}

func (b *carried) Has(_ context.Context, h wstk.Hash) (bool, error) {
	return b.blobs[h] != nil, nil
}
func (b *carried) Put(context.Context, []byte) (wstk.Hash, error) { panic("it is read only") }
func (b *carried) Delete(context.Context, wstk.Hash) error        { panic("it is read only") }

// carry unpacks a bundle, with one of its records changed.
func (p *pack) carry(t *testing.T, reply []byte, record wstk.Hash, change any) *carried {
	t.Helper()
	b := &carried{reply: reply, blobs: maps.Clone(p.blobs)}
	put := func(list *[]wstk.Hash, h wstk.Hash, o m, v any) {
		data := ordered(t, o, v)
		if h == record && change != nil {
			data = marshal(t, change)
		}
		h = wstk.HashOf(data)
		b.blobs[h] = data
		*list = append(*list, h)
	}
	for _, h := range slices.Sorted(maps.Keys(p.documents)) {
		put(&b.documents, h, p.documents[h], &wstk.Document{})
	}
	for _, h := range slices.Sorted(maps.Keys(p.fetches)) {
		put(&b.fetches, h, p.fetches[h], &wstk.Snapshot{})
	}
	return b
}

func tree(t *testing.T, data []byte) (v any) {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

// passed gathers the changes that pass without being named.
type passed map[string][]string

func (p passed) note(
	t *testing.T, mu mutation, where, name string, rep answering.VerifyReport, err error,
) {
	t.Helper()
	if mu.how == "removed" && slices.Contains(missing, mu.path) || fails(rep, err) ||
		len(rep.Checks) == 0 || same[mu.path+" "+mu.how] != "" ||
		name != "" && uncheckedNames(rep)[name] != "" {
		return
	}
	p[mu.path] = append(p[mu.path], mu.how+" ("+where+")")
}

func (p passed) tell(t *testing.T) {
	t.Helper()
	for _, path := range slices.Sorted(maps.Keys(p)) {
		how := slices.Compact(slices.Sorted(slices.Values(p[path])))
		t.Errorf("%s: %d changes pass and are not named, as: %s", path, len(how), strings.Join(how[:min(len(how), 12)], ", "))
	}
}

// unanswered asks for a result that has passages in place of an answer.
func unanswered(t *testing.T, a *app.App) witness {
	t.Helper()
	res, err := a.Answering.Ask(context.Background(),
		wstk.AskQuery{Query: "Who designed the museum?", Strict: true})
	if err != nil || res.Answered == nil || *res.Answered || len(res.Passages) == 0 {
		t.Fatalf("%v, %+v; want passages and no answer", err, res)
	}
	return witness{"unanswered", marshal(t, res)}
}

// Law 1: each leaf of a result is checked, or named as unchecked. WSTK_ALL_LEAVES=1 changes
// every entry of every list of every result, in minutes.
func TestEachLeafIsCheckedOrNamed(t *testing.T) {
	a, all := witnesses(t)
	all = append(all, unanswered(t, a))
	every := os.Getenv("WSTK_ALL_LEAVES") != ""
	p, n := passed{}, 0
	for _, w := range all {
		if !every && !slices.Contains([]string{"made", "data", "unanswered"}, w.name) {
			continue
		}
		b := unpacked(t, bundled(t, a, w.result)).carry(t, nil, "", nil)
		genuine := tree(t, []byte(`{"ok":true,"command":"ask","version":"0.1.0","data":`+string(w.result)+
			`,"warnings":[],"error":null,"meta":{"duration_ms":92,"cache":{"hit":false},"providers":["http"],"untrusted":true}}`))
		was := marshal(t, genuine)
		check := func(where string, data []byte) (answering.VerifyReport, error) {
			if where == "store" {
				return inStore(t, a, data)
			}
			b.reply = data
			return answering.VerifyBundle(context.Background(), b, local.Reader())
		}
		for i, mu := range append([]mutation{{"", "nothing", genuine}}, mutations(genuine, !every)...) {
			data := marshal(t, mu.tree)
			for _, where := range []string{"bundle", "store"} {
				if i == 0 {
					if rep, err := check(where, data); fails(rep, err) {
						t.Fatalf("%s, %s: the true result fails: %v %v", w.name, where, err, rep.Problems())
					}
					continue
				}
				// three in the bundle, one in the store
				if bytes.Equal(data, was) || !every && (i%4 == 3) != (where == "store") {
					continue
				}
				rep, err := check(where, data)
				p.note(t, mu, w.name+", "+where, namedFor(mu.path), rep, err)
				n++
			}
		}
	}
	t.Logf("%d forgeries", n)
	p.tell(t)
}

// namedRecords are the paths of records in a bundle that may be changed, each with what must
// stand under unchecked for it. "fetch" says that how the bytes came is the bundle's word.
var namedRecords = map[string]string{
	"url": "fetch", "redirects": "fetch", "status": "fetch", "headers": "fetch", "content_type": "fetch", "charset": "fetch", "body_bytes": "fetch",
	"fetch_method": "fetch", "duration_ms": "fetch", "etag": "fetch", "last_modified": "fetch", "retry_after_s": "fetch", "verdict": "fetch", "reason": "fetch",
	"warnings": "fetch", "rights": "fetch", "screenshot_sha256": "fetch",
	// What only shows a page in another form; no check and no answer looks at it.
	"markdown": "origin", "choice": "origin", "links": "origin",
	// Another version made it: then the page as it is read again stands in its place.
	"reader": "origin",
}

// Law 1: each leaf of a record in a bundle is checked, or named as unchecked.
func TestEachLeafOfRecordsIsCheckedOrNamed(t *testing.T) {
	a, all := witnesses(t)
	p, n := passed{}, 0
	for _, w := range all {
		if w.name != "data" {
			continue
		}
		pk := unpacked(t, bundled(t, a, w.result))
		for _, records := range []map[wstk.Hash]m{pk.documents, pk.fetches} {
			for h, r := range records {
				was := marshal(t, r)
				for _, mu := range mutations(tree(t, was), true) {
					if bytes.Equal(marshal(t, mu.tree), was) {
						continue
					}
					rep, err := answering.VerifyBundle(context.Background(),
						pk.carry(t, w.result, h, mu.tree), local.Reader())
					first, _, _ := strings.Cut(strings.ReplaceAll(mu.path, "[]", ".")+".", ".")
					name := namedRecords[first]
					p.note(t, mu, w.name, name, rep, err)
					n++
				}
			}
		}
	}
	t.Logf("%d forgeries", n)
	p.tell(t)
}

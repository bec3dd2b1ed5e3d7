package rest

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"wstk/shared/app"
	"wstk/shared/app/answering"
	"wstk/shared/app/apptest"

	"wstk/shared/app/crawling"
	"wstk/shared/entry/codes"
	"wstk/shared/stage/search"
	"wstk/shared/wstk"
)

// apiDocument is openapi.json, for tests.
type apiDocument map[string]any

var api = func() (d apiDocument) {
	if err := json.Unmarshal(openapi, &d); err != nil {
		panic(err)
	}
	return d
}()

// operation is one method of one path.
type operation struct {
	method, path string
	spec         map[string]any
}

func (d apiDocument) operations() (out []operation) {
	paths := d["paths"].(map[string]any)
	for _, p := range slices.Sorted(maps.Keys(paths)) {
		for method, spec := range paths[p].(map[string]any) {
			if method != "parameters" {
				out = append(out, operation{strings.ToUpper(method), p, spec.(map[string]any)})
			}
		}
	}
	return out
}

// follow resolves a reference.
func (d apiDocument) follow(v any) map[string]any {
	m, _ := v.(map[string]any)
	for {
		ref, ok := m["$ref"].(string)
		if !ok {
			return m
		}
		at := any(map[string]any(d))
		for _, name := range strings.Split(strings.TrimPrefix(ref, "#/"), "/") {
			at = at.(map[string]any)[name]
		}
		if m, ok = at.(map[string]any); !ok {
			panic("nothing stands at " + ref)
		}
	}
}

// check holds a reply against the schema of its route.
func (d apiDocument) check(t testing.TB, method, path string, status int, v any) {
	t.Helper()
	for _, op := range d.operations() {
		if op.method != method || !regexp.MustCompile("^"+regexp.MustCompile(`\{[a-z0-9]+\}`).
			ReplaceAllString(op.path, `[^/]+`)+"$").MatchString(path) {
			continue
		}
		responses := op.spec["responses"].(map[string]any)
		response := responses[fmt.Sprint(status)]
		if response == nil {
			response = responses["default"]
		}
		schema := get(d.follow(response), "content.application/json.schema")
		d.valid(t, method+" "+op.path, schema, v)
		return
	}
	t.Errorf("%s %s is not in openapi.json", method, path)
}

// valid holds a value against a schema, in the part of JSON Schema that openapi.json
// uses. A field that no schema names is an error: whatever a reply says is described.
func (d apiDocument) valid(t testing.TB, at string, schema, v any) {
	t.Helper()
	for _, p := range d.problems(at, schema, v) {
		t.Error(p)
	}
}

// codePoint is how JSON Schema's patterns write one.
var codePoint = regexp.MustCompile(`\\u([0-9a-f]{4})`)

func (d apiDocument) problems(at string, schema, v any) (out []string) {
	s := d.follow(schema)
	add := func(format string, args ...any) { out = append(out, at+": "+fmt.Sprintf(format, args...)) }
	if any, ok := s["oneOf"].([]any); ok {
		for _, one := range any {
			sub := d.problems(at, one, v)
			if len(sub) == 0 {
				return nil
			}
			out = append(out, sub...)
		}
		return out
	}
	if c, ok := s["const"]; ok && v != c {
		add("%v is not %v", v, c)
	}
	if list, ok := s["enum"].([]any); ok && !slices.Contains(list, v) {
		add("%v is not one of %v", v, list)
	}
	if want := s["type"]; want != nil {
		kinds, ok := want.([]any)
		if !ok {
			kinds = []any{want}
		}
		if !slices.ContainsFunc(kinds, func(k any) bool { return isKind(k.(string), v) }) {
			add("%v is not of type %v", v, want)
			return out
		}
	}
	switch v := v.(type) {
	case string:
		if p, ok := s["pattern"].(string); ok &&
			!regexp.MustCompile(codePoint.ReplaceAllString(p, `\x{$1}`)).MatchString(v) {
			add("%q does not match %s", v, p)
		}
	case []any:
		for i, item := range v {
			if items := s["items"]; items != nil {
				out = append(out, d.problems(fmt.Sprintf("%s[%d]", at, i), items, item)...)
			}
		}
	case map[string]any:
		properties, described := s["properties"].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(v)) {
			switch property := properties[name]; {
			case property != nil:
				out = append(out, d.problems(at+"."+name, property, v[name])...)
			case described && s["additionalProperties"] == nil:
				add("%s is not described", name)
			}
		}
		required, _ := s["required"].([]any)
		for _, name := range required {
			if _, ok := v[name.(string)]; !ok {
				add("%s is missing", name)
			}
		}
	}
	return out
}

func isKind(kind string, v any) bool {
	switch v := v.(type) {
	case nil:
		return kind == "null"
	case string:
		return kind == "string"
	case bool:
		return kind == "boolean"
	case float64:
		return kind == "number" || kind == "integer" && v == float64(int64(v))
	case []any:
		return kind == "array"
	}
	return kind == "object"
}

// Every route stands in openapi.json, and nothing else does.
func TestRoutesAreThoseOfOpenAPI(t *testing.T) {
	var described, served []string
	for _, op := range api.operations() {
		described = append(described, op.method+" "+op.path)
	}
	for _, rt := range (&handler{}).routes() {
		served = append(served, rt.method+" "+rt.path)
	}
	slices.Sort(described)
	slices.Sort(served)
	if !slices.Equal(described, served) {
		t.Errorf("openapi.json describes\n%s\nserved are\n%s", strings.Join(described, "\n"), strings.Join(served, "\n"))
	}
}

// References lead somewhere, every schema is used, codes are those of the system, and
// starting routes take a key.
func TestOpenAPIIsWhole(t *testing.T) {
	used := map[string]bool{}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			if ref, ok := v["$ref"].(string); ok {
				used[ref] = true
				api.follow(v)
			}
			for _, item := range v {
				walk(item)
			}
		case []any:
			for _, item := range v {
				walk(item)
			}
		}
	}
	walk(map[string]any(api))
	for kind, items := range api["components"].(map[string]any) {
		if kind == "securitySchemes" {
			continue
		}
		for name := range items.(map[string]any) {
			if !used["#/components/"+kind+"/"+name] {
				t.Errorf("%s %s is described and not used", kind, name)
			}
		}
	}
	var listed, known []string
	for _, c := range get(map[string]any(api), "components.schemas.Error.properties.code.enum").([]any) {
		listed = append(listed, c.(string))
		if codes.Status(wstk.Code(c.(string))) < 400 {
			t.Errorf("%s has no status", c)
		}
	}
	for _, c := range wstk.Codes() {
		known = append(known, string(c))
	}
	if !slices.Equal(listed, known) {
		t.Errorf("codes %v, want %v", listed, known)
	}
	for _, rt := range (&handler{}).routes() {
		for _, op := range api.operations() {
			if op.method != rt.method || op.path != rt.path {
				continue
			}
			keyed := strings.Contains(fmt.Sprint(op.spec["parameters"]), "IdempotencyKey")
			if keyed != rt.starts {
				t.Errorf("%s %s: a key is described: %v, taken: %v", rt.method, rt.path, keyed, rt.starts)
			}
			none, given := op.spec["security"].([]any)
			open := given && len(none) == 0
			if open != isOpen(rt.path) {
				t.Errorf("%s %s is described as open: %v", rt.method, rt.path, open)
			}
		}
	}
}

// Each operation has a tag and an example of what it takes and gives, and the examples
// fit their schemas. Each list says of what: generators of clients need it.
func TestOpenAPIHasExamples(t *testing.T) {
	tags := map[string]bool{}
	for _, tag := range api["tags"].([]any) {
		tags[tag.(map[string]any)["name"].(string)] = true
	}
	for _, op := range api.operations() {
		at := op.method + " " + op.path
		if named, _ := op.spec["tags"].([]any); len(named) != 1 || !tags[named[0].(string)] {
			t.Errorf("%s: tags are %v, want one of the document's", at, named)
		}
		for _, p := range parametersOf(op) {
			if p["required"] == true && p["example"] == nil {
				t.Errorf("%s: the parameter %s has no example", at, p["name"])
			}
		}
		api.checkExamples(t, at+" takes", op.spec["requestBody"])
		for status, response := range op.spec["responses"].(map[string]any) {
			if status < "300" {
				api.checkExamples(t, at+" gives", response)
			}
		}
	}
	var walk func(at string, v any)
	walk = func(at string, v any) {
		switch v := v.(type) {
		case map[string]any:
			if list := fmt.Sprint(v["type"]); strings.Contains(list, "array") && v["items"] == nil {
				t.Errorf("%s is a list of nothing in particular", at)
			}
			for name, item := range v {
				walk(at+"."+name, item)
			}
		case []any:
			for i, item := range v {
				walk(fmt.Sprintf("%s[%d]", at, i), item)
			}
		}
	}
	walk("schemas", api["components"].(map[string]any)["schemas"])
}

// The events that are described are those that a stream may hold.
func TestEventsAreThoseOfOpenAPI(t *testing.T) {
	var described []string
	for _, kind := range get(map[string]any(api),
		"components.schemas.Event.properties.event.enum").([]any) {
		described = append(described, kind.(string))
	}
	sent := append(slices.Clone(answering.EventKinds[:]), answering.TurnKind)
	if !slices.Equal(described, sent) {
		t.Errorf("openapi.json has %q, a stream has %q", described, sent)
	}
}

// checkExamples holds the example of each JSON body against its schema; a body without
// one is an error, but for bytes and schemas that say nothing.
func (d apiDocument) checkExamples(t *testing.T, at string, body any) {
	t.Helper()
	content, _ := d.follow(body)["content"].(map[string]any)
	media, _ := content["application/json"].(map[string]any)
	schema := d.follow(media["schema"])
	switch {
	case media == nil || schema["properties"] == nil && schema["oneOf"] == nil: // anything
	case media["example"] == nil:
		t.Errorf("%s: no example", at)
	default:
		d.valid(t, at, media["schema"], media["example"])
	}
}

// The limits that the schemas of bodies and parameters state are those that hold: at
// the limit a request gets past them, beyond it not.
func TestLimitsAreThoseOfOpenAPI(t *testing.T) {
	h := newHome(t, Options{})
	// nothing is really crawled or asked
	apptest.Change(h.app, func(h *app.Home) {
		h.Dispatch, h.Machines = crawling.ByMessages{}, answering.Elsewhere{Workflows: ending{h}}
	})
	tried := 0
	for _, op := range api.operations() {
		target := strings.NewReplacer("{id}", "site_0123456789abcdef").Replace(op.path)
		for _, p := range parametersOf(op) {
			for _, c := range atTheLimits(api.follow(p["schema"])) {
				tried++
				q := query(p["name"].(string), c.value)
				if p["name"] != "q" && op.path == "/recall" {
					q += "&q=pump"
				}
				w := h.call(op.method, target+"?"+q, nil)
				if got := w.Code != http.StatusBadRequest; got != c.ok {
					t.Errorf("%s %s %s %s: status %d %s", op.method, op.path, p["name"], c.what, w.Code, w.Body)
				}
			}
		}
		body := get(op.spec, "requestBody")
		if body == nil {
			continue
		}
		schema := api.follow(get(body, "content.application/json.schema"))
		for _, c := range objects(schema) {
			tried++
			w := h.call(op.method, target, c.value)
			if op.path == "/search-runs" && c.what == "query longest" && strings.Contains(w.Body.String(), "query_too_long") {
				continue // it is one word, longer than any provider takes
			}
			if got := w.Code != http.StatusBadRequest; got != c.ok && !c.maybe {
				t.Errorf("%s %s %s: status %d %s", op.method, op.path, c.what, w.Code, w.Body)
			}
		}
	}
	if tried < 100 {
		t.Errorf("only %d limits", tried)
	}
}

func parametersOf(op operation) (out []map[string]any) {
	list, _ := op.spec["parameters"].([]any)
	for _, p := range list {
		if m := api.follow(p); m["in"] == "query" {
			out = append(out, m)
		}
	}
	return out
}

func query(name string, v any) string {
	items, ok := v.([]any)
	if !ok {
		items = []any{v}
	}
	var parts []string
	for _, item := range items {
		parts = append(parts, name+"="+url.QueryEscape(fmt.Sprint(item)))
	}
	return strings.Join(parts, "&")
}

// limitCase is a value at a limit or beyond it. maybe: another rule may refuse it.
type limitCase struct {
	what      string
	value     any
	ok, maybe bool
}

// objects are bodies with each field at and beyond its limits, all else as it must be.
func objects(schema map[string]any) (out []limitCase) {
	properties := schema["properties"].(map[string]any)
	with := func(name string, v any) map[string]any {
		o := map[string]any{}
		required, _ := schema["required"].([]any)
		for _, r := range required {
			o[r.(string)] = map[string]any{"url": "http://pumps.example/", "query": "pumps", "question": "pumps",
				"model": "wstk", "messages": []any{map[string]any{"role": "user", "content": "pumps"}}}[r.(string)]
		}
		if name != "" {
			o[name] = v
		}
		return o
	}
	out = append(out, limitCase{"with an unknown field", with("nosuch", 1), schema["additionalProperties"] == true, false}, limitCase{"as small as can be", with("", nil), true, false})
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		p := api.follow(properties[name])
		if p["type"] == "object" {
			for _, c := range objects(p) {
				out = append(out, limitCase{name + " " + c.what, with(name, c.value), c.ok, c.maybe})
			}
			continue
		}
		for _, c := range atTheLimits(p) {
			out = append(out, limitCase{name + " " + c.what, with(name, c.value), c.ok,
				c.maybe || c.ok && name == "url"})
		}
	}
	return out
}

func atTheLimits(s map[string]any) (out []limitCase) {
	number := func(key string) (int, bool) { n, ok := s[key].(float64); return int(n), ok }
	add := func(what string, ok bool, v any) { out = append(out, limitCase{what, v, ok, false}) }
	if n, ok := number("minimum"); ok {
		add("least", true, n)
		add("under the least", false, n-1)
		add("a fraction", false, float64(n)+0.5)
	}
	if n, ok := number("maximum"); ok {
		add("most", true, n)
		add("over the most", false, n+1)
	}
	if n, ok := number("maxLength"); ok {
		add("longest", true, strings.Repeat("ä", n))
		add("too long", false, strings.Repeat("ä", n+1))
	}
	if _, ok := number("minLength"); ok {
		add("empty", false, "")
	}
	if n, ok := number("maxItems"); ok {
		items := func(n int) []any { return slices.Repeat([]any{"x.example"}, n) }
		out = append(out, limitCase{"most items", items(n), true, true}) // urls must be addresses
		add("too many items", false, items(n+1))
		for _, c := range atTheLimits(api.follow(s["items"])) {
			out = append(out, limitCase{"item " + c.what, []any{c.value}, c.ok, c.ok})
		}
	}
	if list, ok := s["enum"].([]any); ok {
		for _, v := range list {
			add(fmt.Sprint(v), true, v)
		}
		add("another word", false, "nosuch")
	}
	if s["type"] == "boolean" {
		add("false", true, false)
		add("a word", false, "yes")
	}
	return out
}

// idle is a wstk.Workflows that does nothing.
type idle struct{}

func (idle) Start(context.Context, string, wstk.RunID, json.RawMessage) error { return nil }

// ending is a wstk.Workflows that ends each run at once, as cancelled.
type ending struct{ home *app.Home }

func (e ending) Start(ctx context.Context, _ string, id wstk.RunID, _ json.RawMessage) error {
	_, err := e.home.Runs.End(ctx, id,
		wstk.Run{State: wstk.RunCancelled, EndedAt: e.home.Now().UTC()})
	return err
}

// TestExamplesNameTheRulesOfToday: the examples of search runs name the version of the rules
// that rewrite queries.
func TestExamplesNameTheRulesOfToday(t *testing.T) {
	versions := regexp.MustCompile(`"prompt_hash": ?"(rules-\d+)"`).
		FindAllSubmatch(openapi, -1)
	if len(versions) == 0 {
		t.Error("no example of openapi.json names a version of the rules")
	}
	for _, v := range versions {
		if string(v[1]) != search.RulesVersion {
			t.Errorf("an example of openapi.json names %s; the rules are %s", v[1],
				search.RulesVersion)
		}
	}
}

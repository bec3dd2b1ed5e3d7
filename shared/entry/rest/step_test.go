package rest

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"wstk/shared/entry/step"
	"wstk/shared/wstk/wstktest"
)

// A page that is not stored may be crawled, or asked of by itself: the reply says both.
func TestReadOfAnUnknownPageSaysHowToGetIt(t *testing.T) {
	h := newHome(t, Options{})
	v := h.json(404, "POST", "/read", `{"url": "http://other.example/a?b=1&c=2"}`)
	want := []any{`POST /sites {"url": "http://other.example/a?b=1&c=2"}`,
		`POST /extractions {"query": "QUERY", "urls": ["http://other.example/a?b=1&c=2"]}`}
	if got, _ := v["next"].([]any); !slices.Equal(got, want) {
		t.Errorf("next is %q, want %q", got, want)
	}
}

// A request as a step words it: a method, a path with its query, and a body.
var requestWords = regexp.MustCompile(`\b(GET|POST|DELETE) (/\S+)(?: (\{"[^}]*\}))?`)

// Fields that a step names beside a route: {"robots": "warn"} in the body of POST /sites.
var fieldWords = regexp.MustCompile(`(\{"[^}]*\}) in the body of (GET|POST|DELETE) (\S+)`)

// Every route that a step names is one of openapi.json, with its fields and parameters.
func TestStepsAreRoutes(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range wstktest.Steps() {
		words := step.HTTP(s)
		for _, m := range fieldWords.FindAllStringSubmatch(words, -1) {
			checkRoute(t, words, m[2], m[3], m[1])
			seen[m[2]+" "+m[3]] = true
		}
		for _, m := range requestWords.FindAllStringSubmatch(words, -1) {
			checkRoute(t, words, m[1], strings.TrimRight(m[2], ",;"), m[3])
			seen[m[1]+" "+m[2]] = true
		}
	}
	if len(seen) < 10 {
		t.Errorf("only %d routes are named: %v", len(seen), seen)
	}
}

// checkRoute holds a request that words name against openapi.json.
func checkRoute(t *testing.T, words, method, target, body string) {
	t.Helper()
	path, query, _ := strings.Cut(target, "?")
	for _, op := range api.operations() {
		route := "^" + regexp.MustCompile(`\{[a-z0-9]+\}`).ReplaceAllString(op.path, `[^/]+`) + "$"
		if op.method != method || !regexp.MustCompile(route).MatchString(path) {
			continue
		}
		values, err := url.ParseQuery(query)
		if err != nil {
			t.Errorf("%s: %v", words, err)
		}
		for name := range values {
			if !slices.Contains(parameterNames(op), name) {
				t.Errorf("%s: %s %s has no parameter %s", words, op.method, op.path, name)
			}
		}
		checkFields(t, words, op, body)
		return
	}
	t.Errorf("%s: there is no route %s %s", words, method, path)
}

// checkFields holds a body against the schema of a route, as far as it has fields.
func checkFields(t *testing.T, words string, op operation, body string) {
	t.Helper()
	if body == "" {
		return
	}
	var sent map[string]any
	if err := json.Unmarshal([]byte(body), &sent); err != nil {
		t.Errorf("%s: the body %s is no JSON: %v", words, body, err)
	}
	schema := api.follow(get(api.follow(op.spec["requestBody"]), "content.application/json.schema"))
	fields, _ := schema["properties"].(map[string]any)
	for name, value := range sent {
		field := api.follow(fields[name])
		if field == nil {
			t.Errorf("%s: the body of %s %s has no field %s", words, op.method, op.path, name)
			continue
		}
		api.valid(t, fmt.Sprintf("%s: %s", words, name), field, value)
	}
}

func parameterNames(op operation) (names []string) {
	list, _ := op.spec["parameters"].([]any)
	for _, p := range list {
		name, _ := api.follow(p)["name"].(string)
		names = append(names, name)
	}
	return names
}

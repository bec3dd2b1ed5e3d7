package rest

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"wstk/shared/wstk"
)

// Tokens of several names and scopes, as an operator writes them.
const (
	readToken  = "ci:read:reader-of-the-tests"
	writeToken = "ci:write:writer-of-the-tests"
	otherToken = "lab:write:another-of-the-tests"
	adminToken = "boss:admin:admin-of-the-tests"
)

func bearer(entry string) []string {
	return []string{"Authorization", "Bearer " + entry[strings.LastIndexByte(entry, ':')+1:]}
}

// Every operation of openapi.json, with a token of each scope: what the scope does not
// allow is 403 and says which one would, and nothing was done. What it allows is never 403.
func TestEveryOperationNeedsItsScope(t *testing.T) {
	h := newHome(t, Options{})
	h.h = New(h.app, []string{readToken, writeToken, adminToken}, Options{})
	var doc struct {
		Paths map[string]map[string]json.RawMessage `json:"paths"`
	}
	if err := json.Unmarshal(openapi, &doc); err != nil {
		t.Fatal(err)
	}
	n := 0
	for path, methods := range doc.Paths {
		for method, data := range methods {
			var op struct {
				ID       string                `json:"operationId"`
				Security []map[string][]string `json:"security"`
			}
			if json.Unmarshal(data, &op) != nil { // parameters of all methods
				continue
			}
			if isOpen(path) || op.ID == "" {
				continue
			}
			n++
			need, decided := scopes[op.ID]
			if !decided {
				t.Errorf("the scope of %s is not decided", op.ID)
				continue
			}
			if len(op.Security) != 1 || len(op.Security[0]["token"]) != 1 ||
				op.Security[0]["token"][0] != string(need) {
				t.Errorf("openapi.json says of %s %v, and the scope is %s", op.ID, op.Security, need)
			}
			method = strings.ToUpper(method)
			target := strings.NewReplacer("{id}", "x", "{sha256}", strings.Repeat("a", 64)).Replace(path)
			for scope, entry := range map[wstk.Scope]string{wstk.ScopeRead: readToken,
				wstk.ScopeWrite: writeToken, wstk.ScopeAdmin: adminToken} {
				w := h.call(method, target, `{"nosuchfield": 1}`, bearer(entry)...)
				if scope.Allows(need) {
					if w.Code == 401 || w.Code == 403 {
						t.Errorf("%s with a token that may %s: %d", op.ID, scope, w.Code)
					}
					continue
				}
				wantProblem(t, w, 403, wstk.RefusedPolicy)
				if c := w.Header().Get("WWW-Authenticate"); !strings.Contains(c,
					"insufficient_scope") || !strings.Contains(c, string(need)) {
					t.Errorf("%s with a token that may %s: %s", op.ID, scope, c)
				}
			}
		}
	}
	if n < 18 {
		t.Errorf("only %d operations were looked at", n)
	}
	for id := range scopes {
		if !strings.Contains(string(openapi), `"operationId": "`+id+`"`) {
			t.Errorf("there is no operation %s", id)
		}
	}
	if scopeOf("somethingNew") != wstk.ScopeAdmin {
		t.Error("an operation without a scope is open")
	}
}

// Runs, extractions and keys belong to a name: not to the value of its token, which may
// change, and to no other name. admin sees all; pages and quotes are shared.
func TestRunsBelongToNames(t *testing.T) {
	h := newHome(t, Options{})
	h.ingest()
	rotated := "ci:write:a-new-one-of-the-tests"
	h.h = New(h.app, []string{readToken, writeToken, rotated, otherToken, adminToken, firstToken},
		Options{})
	const ask = `{"query": "What working pressure does the Mark 3 reach?"}`
	begin := func(entry, key string) string {
		t.Helper()
		w := h.call("POST", "/extractions", ask, append(bearer(entry), "Idempotency-Key", key)...)
		if w.Code != 202 {
			t.Fatalf("%d %s; want w.Code == 202", w.Code, w.Body)
		}
		return w.Header().Get("Location")
	}
	mine := begin(writeToken, "k")
	if again := begin(rotated, "k"); again != mine {
		t.Errorf("with its new token the same key begins %s, and not %s", again, mine)
	}
	if theirs := begin(otherToken, "k"); theirs == mine {
		t.Error("the key of one name is that of another")
	}
	if w := h.call("POST", "/search-runs", `{"query": "pumps"}`, bearer(writeToken)...); w.Code != 201 {
		t.Fatalf("%d %s; want w.Code == 201", w.Code, w.Body)
	} else {
		mine += " " + w.Header().Get("Location")
	}
	const missing = "run_038g32yhh6y51phjqh6ymx7000"
	unknown := body(h.call("GET", "/extractions/"+missing, nil, bearer(otherToken)...))
	for _, target := range strings.Fields(mine) {
		for entry, want := range map[string]int{writeToken: 200, rotated: 200, readToken: 200,
			adminToken: 200, "owner:admin:" + firstToken: 200, otherToken: 404} {
			if w := h.call("GET", target, nil, bearer(entry)...); w.Code != want {
				t.Errorf("%s with %s: %d, want %d", target, entry, w.Code, want)
			}
		}
	}
	id := strings.TrimPrefix(strings.Fields(mine)[0], "/extractions/")
	for _, try := range []string{"GET /extractions/" + id, "GET /extractions/" + id + "/events", "DELETE /extractions/" + id} {
		method, target, _ := strings.Cut(try, " ")
		w := h.call(method, target, nil, bearer(otherToken)...)
		if said := body(w); w.Code != 404 ||
			strings.ReplaceAll(said, id, "") != strings.ReplaceAll(unknown, missing, "") {
			t.Errorf("%s of another name: %d %s, want %s", try, w.Code, said, unknown)
		}
	}
	for entry, want := range map[string]int{writeToken: 1, rotated: 1,
		otherToken: 0, adminToken: 1} {
		var list struct {
			Runs []json.RawMessage `json:"runs"`
		}
		w := h.call("GET", "/search-runs", nil, bearer(entry)...)
		if err := json.Unmarshal(w.Body.Bytes(), &list); err != nil || len(list.Runs) != want {
			t.Errorf("%s lists %d runs, want %d: %v", entry, len(list.Runs), want, err)
		}
	}
	if w := h.call("GET", "/sites", nil, bearer(otherToken)...); !strings.Contains(w.Body.String(), h.site) {
		t.Errorf("sites are shared: %s", w.Body)
	}
}

// body is a problem without what differs from request to request.
func body(w *httptest.ResponseRecorder) string {
	var p problem
	json.Unmarshal(w.Body.Bytes(), &p)
	return p.Error + string(p.Code) + strings.Join(p.Next, ";")
}

// A client that guesses is told to wait; the same wrong token again is no guess; and a right one
// gets in however many were wrong.
func TestGuessesAreLimited(t *testing.T) {
	h := newHome(t, Options{})
	for range 3 * maxWrong {
		if w := h.call("GET", "/sites", nil, "Authorization", "Bearer withdrawn"); w.Code != 401 {
			t.Fatalf("the same token again: %d", w.Code)
		}
		if w := h.call("GET", "/sites", nil, "Authorization", ""); w.Code != 401 {
			t.Fatalf("no token: %d", w.Code)
		}
	}
	for i := range maxWrong - 1 {
		if w := h.call("GET", "/sites", nil, "Authorization", fmt.Sprint("Bearer guess", i)); w.Code != 401 {
			t.Fatalf("guess %d: %d", i, w.Code)
		}
	}
	w := h.call("GET", "/sites", nil, "Authorization", "Bearer one too many", "X-Forwarded-For", "203.0.113.77")
	wantProblem(t, w, 429, wstk.RateLimited)
	if w.Header().Get("Retry-After") != "60" {
		t.Errorf("Retry-After %q", w.Header().Get("Retry-After"))
	}
	if w := h.call("GET", "/sites", nil); w.Code != 200 {
		t.Errorf("the right token: %d", w.Code)
	}
}

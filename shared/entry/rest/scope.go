package rest

import (
	"encoding/json"
	"net/http"
	"strings"

	"wstk/shared/wstk"
)

// scopes are what a token must be allowed to do for an operation of openapi.json, which
// says the same. It goes by what an operation does: one that stores nothing is a read,
// whatever its method. An operation that does not stand here is for admin.
var scopes = map[string]wstk.Scope{
	"createSearchRun":  wstk.ScopeWrite,
	"listSearchRuns":   wstk.ScopeRead,
	"searchRun":        wstk.ScopeRead,
	"affected":         wstk.ScopeRead,
	"beginSite":        wstk.ScopeWrite,
	"listSites":        wstk.ScopeRead,
	"site":             wstk.ScopeRead,
	"refreshSite":      wstk.ScopeWrite,
	"cancelCrawl":      wstk.ScopeAdmin, // the crawl of a site that all share
	"removeSite":       wstk.ScopeAdmin, // what all share
	"removal":          wstk.ScopeRead,
	"recall":           wstk.ScopeRead,
	"gaps":             wstk.ScopeRead,
	"read":             wstk.ScopeRead,
	"beginExtraction":  wstk.ScopeWrite,
	"extraction":       wstk.ScopeRead,
	"extractionEvents": wstk.ScopeRead,
	"cancelExtraction": wstk.ScopeWrite,
	"beginAnswer":      wstk.ScopeWrite,
	"answer":           wstk.ScopeRead,
	"answerEvents":     wstk.ScopeRead,
	"cancelAnswer":     wstk.ScopeWrite,
	"chat":             wstk.ScopeWrite,
	"models":           wstk.ScopeRead,
	"evidence":         wstk.ScopeRead,
	"snapshot":         wstk.ScopeRead,
	"text":             wstk.ScopeRead,
	"metrics":          wstk.ScopeRead,
	"openapi":          wstk.ScopeRead,
}

// operations are the ids of the operations of openapi.json by method and path.
func operations() map[string]string {
	var doc struct {
		Paths map[string]map[string]json.RawMessage `json:"paths"`
	}
	if err := json.Unmarshal(openapi, &doc); err != nil { // it is built in
		panic(err)
	}
	out := map[string]string{}
	for path, methods := range doc.Paths {
		for method, data := range methods {
			var op struct {
				ID string `json:"operationId"`
			}
			if json.Unmarshal(data, &op) == nil && op.ID != "" {
				out[strings.ToUpper(method)+" "+path] = op.ID
			}
		}
	}
	return out
}

// scopeOf is what a token must be allowed to do for an operation.
func scopeOf(operation string) wstk.Scope {
	if s, ok := scopes[operation]; ok {
		return s
	}
	return wstk.ScopeAdmin
}

// allowed refuses what the token of a request may not do.
func allowed(w http.ResponseWriter, r *http.Request, need wstk.Scope) error {
	err := refusedFor(r, need)
	if err != nil {
		w.Header().Set("WWW-Authenticate",
			`Bearer realm="wstk", error="insufficient_scope", scope="`+string(need)+`"`)
	}
	return err
}

// refusedFor is the refusal of a request whose token may not do what needs a scope; nil if it
// may.
func refusedFor(r *http.Request, need wstk.Scope) error {
	who := wstk.CallerOf(r.Context())
	if who.Scope.Allows(need) {
		return nil
	}
	return wstk.Errorf(wstk.RefusedPolicy, "",
		"the token of %s has the scope %s, and this request needs %s", who.Name, who.Scope, need).
		Try(wstk.Advice("send a token with the scope " + string(need)))
}

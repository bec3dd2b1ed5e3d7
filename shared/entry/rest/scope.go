package rest

import (
	"encoding/json"
	"net/http"
	"strings"

	"wstk/shared/app"
	"wstk/shared/wstk"
)

// scopes are what a token must be allowed to do for an operation of openapi.json, which
// says the same. It goes by what an operation does: one that stores nothing is a read,
// whatever its method. An operation that does not stand here is for admin.
var scopes = map[string]app.Scope{
	"createSearchRun":  app.ScopeWrite,
	"listSearchRuns":   app.ScopeRead,
	"searchRun":        app.ScopeRead,
	"beginSite":        app.ScopeWrite,
	"listSites":        app.ScopeRead,
	"site":             app.ScopeRead,
	"refreshSite":      app.ScopeWrite,
	"cancelCrawl":      app.ScopeAdmin, // the crawl of a site that all share
	"removeSite":       app.ScopeAdmin, // what all share
	"removal":          app.ScopeRead,
	"recall":           app.ScopeRead,
	"gaps":             app.ScopeRead,
	"read":             app.ScopeRead,
	"beginExtraction":  app.ScopeWrite,
	"extraction":       app.ScopeRead,
	"extractionEvents": app.ScopeRead,
	"cancelExtraction": app.ScopeWrite,
	"evidence":         app.ScopeRead,
	"snapshot":         app.ScopeRead,
	"text":             app.ScopeRead,
	"metrics":          app.ScopeRead,
	"openapi":          app.ScopeRead,
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
func scopeOf(operation string) app.Scope {
	if s, ok := scopes[operation]; ok {
		return s
	}
	return app.ScopeAdmin
}

// allowed refuses what the token of a request may not do.
func allowed(w http.ResponseWriter, r *http.Request, need app.Scope) error {
	who := app.CallerOf(r.Context())
	if who.Scope.Allows(need) {
		return nil
	}
	w.Header().Set("WWW-Authenticate", `Bearer realm="wstk", error="insufficient_scope", scope="`+string(need)+`"`)
	return wstk.Errorf(wstk.RefusedPolicy, "", "the token of %s has the scope %s, and this needs %s", who.Name, who.Scope, need).
		WithNext("send a token with the scope " + string(need))
}

package rest

import (
	"net/http"

	"wstk/shared/wstk"
)

const mcpPath = "/mcp"

// agents lets clients of MCP through to the handler that answers them. What is wrong with a
// request itself is told as everywhere over HTTP; all else is a matter of the protocol.
func (h *handler) agents(mcp http.Handler) http.Handler {
	pages := http.NewCrossOriginProtection()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		err := allowed(w, r, wstk.ScopeRead)
		if err == nil && pages.Check(r) != nil {
			err = wstk.Errorf(wstk.RefusedPolicy, "",
				"the request was sent from a page of another site")
		}
		if err == nil {
			err = notTooLarge(r)
		}
		if err == nil {
			err = ofJSON(r)
		}
		if err != nil {
			h.fail(w, r, err)
			return
		}
		mcp.ServeHTTP(w, r)
	})
}

package rest

import (
	"bytes"
	"strings"
	"testing"
)

// Requests are counted by route: what is none is other, and no label is a stranger's word.
func TestMetrics(t *testing.T) {
	h := newHome(t, Options{})
	h.json(200, "GET", "/sites", nil)
	h.json(404, "GET", "/extractions/run_00000000000000000000000000", nil)
	h.call("DELETE", "/sites", nil)
	h.call("GET", "/some-secret-path", nil)
	h.call("SECRET", "/sites", nil)
	h.call("GET", "/sites/http:%2F%2Fsecret.example%2F", nil)
	w := h.call("GET", "/metrics", nil)
	if w.Code != 200 || w.Header().Get("Content-Type") != "text/plain; version=0.0.4; charset=utf-8" {
		t.Fatalf("%d %v; want w.Code == 200 && w.Header().Get(\"Content-Type\") == \"text/plain; version=0.0.4; charset=utf-8\"", w.Code, w.Header())
	}
	text := w.Body.String()
	for _, line := range []string{
		`wstk_http_requests_total{method="GET",route="/sites",status="200"} 1`,
		`wstk_http_requests_total{method="GET",route="/extractions/{id}",status="404"} 1`,
		`wstk_http_requests_total{method="DELETE",route="/sites",status="405"} 1`,
		`wstk_http_requests_total{method="GET",route="other",status="404"} 1`,
		`wstk_http_requests_total{method="other",route="/sites",status="405"} 1`,
		`wstk_http_seconds_count{route="/sites"} 3`,
		`wstk_search_run_seconds_count 0`,
	} {
		if !strings.Contains(text, line+"\n") {
			t.Errorf("%s is missing", line)
		}
	}
	if strings.Contains(strings.ToLower(text), "secret") {
		t.Errorf("words of a user are among them:\n%s", text)
	}

	h.ingest()
	id := get(h.json(202, "POST", "/extractions", `{"query": "What working pressure does the Mark 3 reach?"}`), "run.id").(string)
	h.wait("/extractions/" + id)
	text = h.call("GET", "/metrics", nil).Body.String()
	for _, beginning := range []string{`wstk_stage_calls_total{stage="fetch"} `, `wstk_stage_calls_total{stage="verify"} 1`, `wstk_quotes_total{status="direct"} `,
		`wstk_queue_depth{queue="fetch"} 0`} {
		if !strings.Contains(text, "\n"+beginning) {
			t.Errorf("%s is missing:\n%s", beginning, text)
		}
	}

	h.app.Metrics.Out = &bytes.Buffer{} // as a function of the cloud
	if v := h.json(404, "GET", "/metrics", nil); !strings.Contains(v["error"].(string), "keeps no metrics") {
		t.Errorf("%v; want strings.Contains(v[\"error\"].(string), \"not kept here\")", v)
	}
}

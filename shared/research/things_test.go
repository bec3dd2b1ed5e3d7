package research_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"wstk/shared/research"
)

// No kind of thing is known: an answer is the same whatever the things of a site are called,
// words of a trade or words that no language has.
func TestNoKindOfThingIsKnown(t *testing.T) {
	var want string
	for _, thing := range []string{"zorble", "job", "product", "post", "recipe", "course"} {
		site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/" {
				http.NotFound(w, r)
				return
			}
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, strings.ReplaceAll(`<!doctype html><html lang="en"><title>Each THING</title>
<main><h1>Each THING we have</h1><p>Below stands each THING with what it needs.</p>
<h2>Amber THING</h2><p>The Amber THING needs 12 volts and a dry place to stand.</p>
<h2>Birch THING</h2><p>The Birch THING needs 24 volts and a cool place to stand.</p>
<h2>Cedar THING</h2><p>The Cedar THING needs 48 volts and a dark place to stand.</p></main></html>`,
				"THING", thing))
		}))
		t.Cleanup(site.Close)
		r, err := research.Open(t.Context(), research.Options{Settings: onLoopback})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { r.Close() })
		if _, err := r.Ingest(t.Context(), site.URL+"/", research.Crawl{}); err != nil {
			t.Fatal(err)
		}
		var got strings.Builder
		for _, question := range []string{"How many volts does the Birch THING need?",
			"list every THING", "Describe the Cedar THING"} {
			answer, err := r.Ask(t.Context(), strings.ReplaceAll(question, "THING", thing))
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&got, "%s, %s:\n", question, answer.Strategy)
			for _, x := range answer.Extractions {
				fmt.Fprintf(&got, "  %s, %s\n", x.Title, x.Grounding)
				for _, s := range x.Statements {
					fmt.Fprintf(&got, "    %s, %s\n", s.Statement, s.Support)
				}
			}
		}
		shown := strings.ReplaceAll(got.String(), thing, "THING")
		if !strings.Contains(shown, "Birch THING needs 24 volts") {
			t.Errorf("of a %s:\n%s\nwant the volts that its page states", thing, shown)
		}
		if want == "" {
			want = shown
		}
		if shown != want {
			t.Errorf("of a %s:\n%s\nof the first:\n%s", thing, shown, want)
		}
	}
	t.Log(want)
}

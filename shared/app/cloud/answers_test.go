package cloud_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"wstk/shared/adapter/opensearch"
	"wstk/shared/app"
	"wstk/shared/app/answering"
	"wstk/shared/app/cloud"
	"wstk/shared/app/local"
	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
)

// harbour is a site whose answer is three links deep.
var harbour = map[string]string{
	"/": `<h1>Harbour Museum</h1><p>The museum shows ships and harbours of five centuries.</p>
		<a href="/visit">Opening hours and tickets</a> <a href="/shop">Shop</a>`,
	"/visit": `<h1>Opening hours and tickets</h1><p>The museum is easy to reach.</p>
		<a href="/visit/times">Opening hours by season</a> <a href="/visit/way">How to reach us</a>`,
	"/visit/times": `<h1>Opening hours by season</h1><p>Tickets are sold at the entrance.</p>
		<a href="/visit/times/winter">The tower in winter</a>`,
	"/visit/times/winter": `<h1>The tower in winter</h1>
		<p>In winter the tower of the museum is open from 11:00 to 15:30 on Saturdays.</p>`,
	"/visit/way": `<h1>How to reach us</h1><p>Tram 4 stops in front of the building.</p>`,
	"/shop":      `<h1>Shop</h1><p>Books and maps are sold in the shop.</p>`,
}

func serveHarbour(t *testing.T) *httptest.Server {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, ok := harbour[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		title, _, _ := strings.Cut(strings.TrimPrefix(body, "<h1>"), "<")
		fmt.Fprintf(w, `<html lang="en"><title>%s</title><main>%s</main></html>`, title, body)
	}))
	t.Cleanup(s.Close)
	return s
}

// openSearch returns a real OpenSearch with an empty index. Where it is late, it shows no write
// until someone asks it to: a collection of Serverless shows it within a minute.
func openSearch(t *testing.T, late bool) (endpoint string) {
	t.Helper()
	if endpoint = os.Getenv("WSTK_OPENSEARCH"); endpoint == "" {
		wstktest.Skip(t, "WSTK_OPENSEARCH names no server; make test starts one")
	}
	ask := func(method, path, body string) {
		t.Helper()
		req, err := http.NewRequest(method, endpoint+path, strings.NewReader(body))
		must(t, err)
		req.Header.Set("Content-Type", "application/json")
		res, err := http.DefaultClient.Do(req)
		must(t, err)
		res.Body.Close()
		if res.StatusCode >= 300 && method != http.MethodDelete {
			t.Fatalf("%s %s: %s", method, path, res.Status)
		}
	}
	ask(http.MethodDelete, "/wstk*", "")
	t.Cleanup(func() { ask(http.MethodDelete, "/wstk*", "") })
	if late { // the first write makes the index
		x := &opensearch.Index{Endpoint: endpoint}
		must(t, x.Replace(t.Context(), wstk.PageIndex{URL: "http://a.example/", TextSHA256: "x"}))
		must(t, x.Remove(t.Context(), "http://a.example/"))
		ask(http.MethodPut, "/wstk/_settings", `{"index": {"refresh_interval": "-1"}}`)
	}
	return endpoint
}

// oneMachine opens the system for one machine, with empty stores.
func oneMachine(t *testing.T, settings map[string]string) *app.App {
	t.Helper()
	c, err := local.Settings().Load(func(string) string { return "" }, t.TempDir())
	must(t, err)
	for key, value := range settings {
		must(t, c.Set(key, value, "test"))
	}
	must(t, c.Set("fetch.allow_private", "true", "test"))
	c.DataDir, c.CacheDir = filepath.Join(t.TempDir(), "data"), filepath.Join(t.TempDir(), "cache")
	a, err := local.Open(t.Context(), c, slog.New(slog.DiscardHandler))
	must(t, err)
	t.Cleanup(func() { a.Close() })
	return a
}

// An answer about a page is the same in both homes, also where the index of the cloud shows late
// what was read for it.
func TestAnswersInBothHomes(t *testing.T) {
	site := serveHarbour(t)
	questions := []string{"What are the opening hours of the tower in winter?",
		"Which tram stops in front of the building, and where are tickets sold?",
		"What does the annual membership of the rowing club cost?"}
	for name, late := range map[string]bool{"domain": false, "serverless": true} {
		t.Run(name, func(t *testing.T) {
			home := oneMachine(t, nil)
			s := deploy(t)
			s.config.Cloud.Search, s.config.Cloud.SearchMode = openSearch(t, late), name
			system, err := cloud.New(s.config, s.cfg, slog.New(slog.DiscardHandler))
			must(t, err)
			a := answersHere(t, system.App)
			for i, question := range questions {
				said, way := saidAbout(t, a, site.URL, question)
				want, wantWay := saidAbout(t, home, site.URL, question)
				// stored pages that show late are looked at one by one
				if said != want || way != wantWay && (i == 0 || !late) {
					t.Errorf("the cloud says\n%s\n%s\none machine says\n%s\n%s", way, said,
						wantWay, want)
				}
				if i == 0 && !strings.Contains(said, "11:00 to 15:30") {
					t.Errorf("%s: %s", question, said)
				}
			}
		})
	}
}

// saidAbout is an answer about a page without the times, and the way to it.
func saidAbout(t *testing.T, a *app.App, url, question string) (said, way string) {
	t.Helper()
	x, err := a.Answering.FollowAnswer(t.Context(),
		wstk.AnswerQuery{URL: url, Question: question, Strict: true}, answering.Following{})
	must(t, err)
	var b strings.Builder
	for _, turn := range x.Turns {
		fmt.Fprintf(&b, "turn %d: %s, %d passages, coverage %.3f, recall %.3f\n", turn.N, turn.Rule,
			turn.Signals.Passages, turn.Signals.Coverage, turn.Signals.Recall)
		for _, l := range turn.Links {
			if l.Chosen {
				fmt.Fprintf(&b, "  %s %.3f %s\n", l.URL, l.Score, l.Outcome)
			}
		}
	}
	fmt.Fprintf(&b, "%s, %d pages read", x.Stopped.Rule, x.PagesRead)
	way = b.String()
	b.Reset()
	fmt.Fprintf(&b, "%s\n%d gaps\n", x.Content, len(x.Gaps))
	for _, r := range x.References {
		fmt.Fprintln(&b, r.N, r.URL, r.Title, r.EvidenceIDs)
	}
	return b.String(), way
}

// A question that names pages finds in them what the index does not show yet.
func TestNamedPagesAreFoundAtOnce(t *testing.T) {
	site := serveHarbour(t)
	s := deploy(t)
	s.config.Cloud.Search, s.config.Cloud.SearchMode = openSearch(t, true), "serverless"
	system, err := cloud.New(s.config, s.cfg, slog.New(slog.DiscardHandler))
	must(t, err)
	a := answersHere(t, system.App)
	res, err := a.Answering.Ask(t.Context(), wstk.AskQuery{Strict: true,
		Query: "When is the tower open in winter?", From: []string{site.URL + "/visit/times/winter"}})
	must(t, err)
	if !res.HasAnswer() || !strings.Contains(res.Extractions[0].Content, "11:00 to 15:30") {
		t.Errorf("%+v", res)
	}
}

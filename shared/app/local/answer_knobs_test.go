package local_test

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"wstk/shared/app"
	"wstk/shared/app/answering"
	"wstk/shared/app/apptest"
	"wstk/shared/app/local"
	"wstk/shared/config"
	"wstk/shared/wstk"
)

// withSettings opens the program with settings in the environment and in a settings file.
func withSettings(t *testing.T, env map[string]string, file string) *app.App {
	t.Helper()
	folders := testConfig(t)
	home := t.TempDir()
	name := filepath.Join(home, "wstk", "config.toml")
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := local.Settings().Load(func(key string) string {
		if key == "XDG_CONFIG_HOME" {
			return home
		}
		return env[key]
	}, t.TempDir(), config.Flag{Name: "allow-private", Key: "fetch.allow_private", Value: "true"})
	if err != nil {
		t.Fatal(err)
	}
	c.DataDir, c.CacheDir = folders.DataDir, folders.CacheDir
	return open(t, c)
}

// eachWay runs a test with a setting in the environment and in the settings file, under the name
// of the research memory's description.
func eachWay(t *testing.T, name, value string, test func(*testing.T, *app.App)) {
	t.Helper()
	t.Run("environment", func(t *testing.T) {
		test(t, withSettings(t, map[string]string{strings.ToUpper(name): value}, ""))
	})
	if value[0] > '9' {
		value = `"` + value + `"`
	}
	t.Run("file", func(t *testing.T) { test(t, withSettings(t, nil, name+" = "+value+"\n")) })
}

const winterQuestion = "What are the opening hours of the tower in winter?"

// D2, D10: max_expansion_depth bounds how often an answer reads on: with 0 it rests on the page it
// began with.
func TestMaxExpansionDepthBoundsAnAnswer(t *testing.T) {
	site := newMadeSite(t, deepSite)
	eachWay(t, "max_expansion_depth", "0", func(t *testing.T, a *app.App) {
		x, _ := answered(t, a, wstk.AnswerQuery{URL: site.URL, Question: winterQuestion})
		if x.HasAnswer() || len(x.Turns) != 1 || x.PagesRead != 1 || x.Stopped.Rule != "depth_reached" {
			t.Errorf("%d turns, %d pages, %s: %q", len(x.Turns), x.PagesRead, x.Stopped.Rule, x.Content)
		}
	})
	// the same question is answered where the setting is left alone
	x, _ := answered(t, open(t, testConfig(t)), wstk.AnswerQuery{URL: site.URL, Question: winterQuestion})
	if !x.HasAnswer() || x.PagesRead < 4 {
		t.Errorf("%d pages: %q", x.PagesRead, x.Content)
	}
}

// D3: decomposition_mode none asks a question as it is; rules take it apart.
func TestDecompositionModeTakesAQuestionApart(t *testing.T) {
	site := newMadeSite(t, deepSite)
	q := wstk.AnswerQuery{URL: site.URL,
		Question: "When is the tower open in winter, and where does tram 4 stop?"}
	for mode, want := range map[string]int{"none": 1, "rule_based": 2} {
		eachWay(t, "decomposition_mode", mode, func(t *testing.T, a *app.App) {
			x, _ := answered(t, a, q)
			if len(x.SubQuestions) != want {
				t.Errorf("%s: %q", mode, x.SubQuestions)
			}
		})
	}
}

// D6: retrieval_context_budget bounds the passages that an answer rests on: with a small one they
// fill it.
func TestRetrievalContextBudgetBoundsPassages(t *testing.T) {
	var lines []string
	for _, boat := range strings.Fields("Anna Berta Clara Dora Emma Frieda Greta Hanna Ida Jana Klara Lina") {
		lines = append(lines, "The boat "+boat+" of the harbour has a mast of oak, two sails of linen, a crew "+
			"of seven sailors and a hold for the barrels of the merchants.")
	}
	pages := map[string]string{}
	var links []string
	for i, l := range lines {
		path := "/boat" + string(rune('a'+i))
		pages[path] = aPage("Boat "+string(rune('A'+i)), l)
		links = append(links, path+" Boat of the harbour "+string(rune('A'+i)))
	}
	pages["/"] = aPage("Harbour", "All boats of the harbour.", links...)
	site := newMadeSite(t, pages)
	q := wstk.AnswerQuery{URL: site.URL, Question: "What colour is the mast of the boats of the harbour?"}
	large, _ := answered(t, open(t, testConfig(t)), q)
	last := func(x answering.AnswerRun) float64 { return x.Turns[len(x.Turns)-1].Signals.BudgetFill }
	if last(large) >= 0.5 {
		t.Fatalf("the usual budget is filled: %+v", large.Turns)
	}
	eachWay(t, "retrieval_context_budget", "200", func(t *testing.T, a *app.App) {
		x, _ := answered(t, a, q)
		if last(x) <= last(large) || x.Turns[1].Signals.BudgetFill < 0.9 {
			t.Errorf("a budget of 200 tokens is filled to %.2f, the usual one to %.2f: %+v", last(x), last(large),
				x.Turns)
		}
	})
}

// D4: reranker_provider names a service that orders the passages of an answer; none asks no one.
func TestRerankerProviderOrdersPassages(t *testing.T) {
	site := newMadeSite(t, map[string]string{
		"/":  aPage("Ferries", "The ferry company.", "/a Ferry leaves island", "/b Ferry leaves harbour"),
		"/a": aPage("Island", "The ferry leaves the island at nine, and the ferry again at noon."),
		"/b": aPage("Trips", "The ferry leaves the harbour at ten."),
	})
	service := &apptest.MeaningServer{}
	server := httptest.NewServer(service)
	defer server.Close()
	q := wstk.AnswerQuery{URL: site.URL, Question: "When does the ferry leave?"}
	for name, ordered := range map[string]bool{"jina": true, "none": false} {
		for where, env := range map[string]map[string]string{
			"environment": {"RERANKER_PROVIDER": name}, "file": {},
		} {
			t.Run(name+" in "+where, func(t *testing.T) {
				file := ""
				if where == "file" {
					file = `reranker_provider = "` + name + "\"\n"
				}
				env["WSTK_RERANKER_BASE_URL"] = server.URL
				before := service.Reranked.Load()
				x, _ := answered(t, withSettings(t, env, file), q)
				if n := service.Reranked.Load() - before; (n > 0) != ordered || (x.Usage.Calls > 0) != ordered {
					t.Errorf("%d passages were ordered, at a cost of %+v", n, x.Usage)
				}
			})
		}
	}
}

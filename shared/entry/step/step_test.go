package step

import (
	"slices"
	"strings"
	"testing"

	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
)

// Every thing that a step may ask for, and every option, has its row; each door words each.
func TestEveryDoorWordsEveryStep(t *testing.T) {
	for _, do := range wstk.Dos() {
		v, ok := verbs[do]
		if !ok || v.shell == nil || v.page == nil {
			t.Errorf("%s has no row, or a door has no words for it", do)
		}
		if !slices.ContainsFunc(wstktest.Steps(), func(s wstk.Step) bool { return s.Do == do }) {
			t.Errorf("no sample of %s", do)
		}
	}
	if len(verbs) != len(wstk.Dos()) {
		t.Errorf("%d rows for %d things to do", len(verbs), len(wstk.Dos()))
	}
	for _, name := range wstk.OptionNames() {
		if options[name].flag == "" {
			t.Errorf("the option %s has no flag", name)
		}
	}
	if len(options) != len(wstk.OptionNames()) {
		t.Errorf("%d rows for %d options", len(options), len(wstk.OptionNames()))
	}
	for _, s := range wstktest.Steps() {
		if Shell(s) == "" || HTTP(s) == "" || Tool(s) == "" || Page(s).Text == "" {
			t.Errorf("%v: shell %q, http %q, tool %q, page %+v", s, Shell(s), HTTP(s), Tool(s), Page(s))
		}
		if s.For != "" && (!strings.Contains(Shell(s), s.For) || !strings.Contains(Tool(s), s.For) ||
			!strings.Contains(HTTP(s), s.For) || !strings.Contains(Page(s).Text, s.For)) {
			t.Errorf("%v: what it is for is lost: shell %q, http %q, tool %q, page %+v", s, Shell(s), HTTP(s), Tool(s), Page(s))
		}
		if w := Tool(s); strings.Contains(w, "POST /") || strings.Contains(w, "GET /") {
			t.Errorf("%v: a tool's words are a request over HTTP: %s", s, w)
		}
	}
}

// The words of each door, one step of each kind.
func TestWords(t *testing.T) {
	const page = "http://a.example/?a=1&b=2"
	private := wstk.Option{Name: wstk.OptAllowPrivate}
	inForce := wstk.Option{Name: wstk.OptAllowPrivate, InForce: true}
	for _, c := range []struct {
		step              wstk.Step
		shell, http, text string
	}{
		{wstk.Step{Do: wstk.DoIngest, URL: page},
			"wstk site ingest 'http://a.example/?a=1&b=2'", `POST /sites {"url": "http://a.example/?a=1&b=2"}`, "on the server's machine"},
		{wstk.Step{Do: wstk.DoIngest, For: "to go on", URL: "http://a.example/", Options: []wstk.Option{
			wstk.OptMaxPages.Set(3), wstk.OptInclude.Set("/a/**,/b"), wstk.OptRobots.Set("warn"),
			wstk.OptFresh.On(), private}},
			"to go on: wstk site ingest http://a.example/ --max-pages 3 --include '/a/**,/b' --robots warn --fresh --allow-private",
			`to go on: POST /sites {"url": "http://a.example/", "max_pages": 3, "include": ["/a/**","/b"], "robots": "warn"}, once the server has cache.fresh = true and fetch.allow_private = true`,
			"to go on"},
		{wstk.Step{Do: wstk.DoIngest, For: "to read the 2 that are left", URL: "http://a.example/", Raise: wstk.OptMaxPages},
			"to read the 2 that are left, more at once with a higher --max-pages: wstk site ingest http://a.example/",
			`to read the 2 that are left, more at once with a higher max_pages: POST /sites {"url": "http://a.example/"}`,
			"to read the 2 that are left, more at once with a higher max_pages"},
		{wstk.Step{Do: wstk.DoRefresh, URL: "http://a.example/",
			Options: []wstk.Option{wstk.OptMaxPages.Set(3), inForce}},
			"wstk site refresh http://a.example/ --max-pages 3 --allow-private", `POST /sites/http:%2F%2Fa.example%2F/refresh {"max_pages": 3}`, "on the server's machine"},
		{wstk.Step{Do: wstk.DoListSites, For: "or an id from"}, "or an id from: wstk site list", "or an id from: GET /sites", "or an id from"},
		{wstk.Step{Do: wstk.DoStatus, For: "watch it", URL: "http://a.example/"},
			"watch it: wstk site status http://a.example/", "watch it: GET /sites/http:%2F%2Fa.example%2F", "watch it"},
		{wstk.Step{Do: wstk.DoRemove, For: "to go on", URL: "http://a.example/", Options: []wstk.Option{wstk.OptWithRuns.On()}},
			"to go on: wstk site remove http://a.example/ --with-runs --yes", "to go on: DELETE /sites/http:%2F%2Fa.example%2F?with_runs=true", "to go on"},
		{wstk.Step{Do: wstk.DoExtract, URL: "http://a.example/",
			Options: []wstk.Option{wstk.OptMethod.Set("browser"), private}},
			"wstk extract --method browser http://a.example/ --allow-private",
			`POST /extractions {"query": "QUERY", "urls": ["http://a.example/"]}, once the server has extract.method = browser and fetch.allow_private = true`, "on the server's machine"},
		{wstk.Step{Do: wstk.DoOption, For: "give it longer", Options: []wstk.Option{wstk.OptTimeout.Set("120s")}},
			"give it longer: --timeout 120s", "give it longer: on the server, set timeout = 120s", "give it longer: on the server, set timeout = 120s"},
		{wstk.Step{Do: wstk.DoOption, For: "give it more tokens", Options: []wstk.Option{wstk.OptMaxTokens.Set(3000)}},
			"give it more tokens: --budget 3000tok", `give it more tokens: {"max_tokens": 3000} in the body of POST /extractions`,
			`give it more tokens: {"max_tokens": 3000} in the body of POST /extractions`},
		{wstk.Step{Do: wstk.DoOption, For: "name the folder", Options: []wstk.Option{wstk.OptProfile.On()}},
			"name the folder with --profile", "name the folder, on a machine with the program: use --profile", "name the folder, on a machine with the program: use --profile"},
		{wstk.Step{Do: wstk.DoOption, Options: []wstk.Option{wstk.OptMaxBytes.On()}, Variable: "WSTK_MAX_BYTES"},
			"use --max-bytes (or set WSTK_MAX_BYTES)", "on the server, set fetch.max_bytes", "on the server, set fetch.max_bytes"},
		{wstk.Step{Do: wstk.DoAllowPrivate},
			"pass --allow-private (or set WSTK_ALLOW_PRIVATE=1) to open loopback and private addresses",
			"on the server, set fetch.allow_private (or WSTK_ALLOW_PRIVATE) to true, which opens loopback and private addresses",
			"on the server, set fetch.allow_private (or WSTK_ALLOW_PRIVATE) to true, which opens loopback and private addresses"},
		{wstk.Step{Do: wstk.DoDoctor}, "run `wstk doctor`", "on the server, run `wstk doctor`", "on the server, run `wstk doctor`"},
		{wstk.Step{Do: wstk.DoRetry, For: "see what would be read",
			Options: []wstk.Option{wstk.OptPlan.On()}, Without: []wstk.OptionName{wstk.OptBudget}},
			"see what would be read: the same command with --plan and without --budget",
			"see what would be read: the same request with plan and without budget",
			"see what would be read: the same request with plan and without budget"},
		{wstk.Step{Do: wstk.DoAnswer, URL: page, Query: "why now?", Options: []wstk.Option{wstk.OptMaxPages.Set(60)}},
			"wstk answer 'http://a.example/?a=1&b=2' 'why now?' --max-pages 60",
			`POST /answers {"url": "http://a.example/?a=1&b=2", "question": "why now?", "max_pages": 60}`,
			"on the server's machine"},
		{wstk.Advice("check the address"), "check the address", "check the address", "check the address"},
	} {
		if got := Shell(c.step); got != c.shell {
			t.Errorf("%v\nshell is %s\n    want %s", c.step, got, c.shell)
		}
		if got := HTTP(c.step); got != c.http {
			t.Errorf("%v\nhttp is %s\n   want %s", c.step, got, c.http)
		}
		if got := Page(c.step).Text; got != c.text {
			t.Errorf("%v\npage is %s\n   want %s", c.step, got, c.text)
		}
	}
}

// The words for models: calls of tools, settings of the server, and commands of a machine.
func TestToolWords(t *testing.T) {
	const page = "http://a.example/?a=1&b=2"
	for want, s := range map[string]wstk.Step{
		`ingest {"url": "http://a.example/?a=1&b=2"}`: {Do: wstk.DoIngest, URL: page},
		`to go on: ingest {"url": "http://a.example/", "max_pages": 3, "include": ["/a/**","/b"], "query": "pumps"}, once the server has fetch.robots = warn and cache.fresh = true`: {
			Do: wstk.DoIngest, For: "to go on", URL: "http://a.example/", Options: []wstk.Option{
				wstk.OptMaxPages.Set(3), wstk.OptInclude.Set("/a/**,/b"), wstk.OptQuery.Set("pumps"),
				wstk.OptRobots.Set("warn"), wstk.OptFresh.On()}},
		`ingest {"url": "http://a.example/", "refresh": true}`:          {Do: wstk.DoRefresh, URL: "http://a.example/"},
		`watch it: ingest {"url": "http://a.example/", "status": true}`: {Do: wstk.DoStatus, For: "watch it", URL: "http://a.example/"},
		`fetch {"id": "http://a.example/?a=1&b=2"}`:                     {Do: wstk.DoExtract, URL: page},
		`ask {"query": "QUERY", "urls": ["http://a.example/?a=1&b=2"]}`: {Do: wstk.DoAsk, URL: page},
		`to let it read more pages: answer {"url": "http://a.example/?a=1&b=2", "query": "why?", "max_pages": 60}`: {
			Do: wstk.DoAnswer, For: "to let it read more pages", URL: page, Query: "why?",
			Options: []wstk.Option{wstk.OptMaxPages.Set(60)}},
		`search {"query": "the \"first\" king"}`:                            {Do: wstk.DoSearch, Query: `the "first" king`},
		`read the resource wstk://runs/run_1`:                               {Do: wstk.DoShowRun, Run: "run_1"},
		`on a machine with the program: wstk site cancel http://a.example/`: {Do: wstk.DoCancel, URL: "http://a.example/"},
		`{"max_pages": 9} in the arguments of ingest`:                       {Do: wstk.DoOption, Options: []wstk.Option{wstk.OptMaxPages.Set(9)}},
		`on the server, set timeout = 120s`:                                 {Do: wstk.DoOption, Options: []wstk.Option{wstk.OptTimeout.Set("120s")}},
	} {
		if got := Tool(s); got != want {
			t.Errorf("%v\ntool is %s\n   want %s", s, got, want)
		}
	}
}

// Where an answer is kept goes by the kind of its run.
func TestAnAnswerIsKeptUnderItsKind(t *testing.T) {
	for _, c := range []struct {
		kind             wstk.RunKind
		http, href, code string
	}{
		{"", "GET /extractions/run_1", "/web/extractions/run_1", ""},
		{wstk.RunExtraction, "GET /extractions/run_1", "/web/extractions/run_1", ""},
		{wstk.RunAnswer, "GET /answers/run_1", "", "wstk runs show run_1"},
	} {
		s := wstk.Step{Do: wstk.DoShowRun, Run: "run_1", Kind: c.kind}
		if got, page := HTTP(s), Page(s); got != c.http || page.Href != c.href || page.Code != c.code {
			t.Errorf("%q: %s, %+v; want %+v", c.kind, got, page, c)
		}
	}
	if got := HTTP(wstk.Step{Do: wstk.DoShowRun, Kind: wstk.RunAnswer}); got != "GET /answers/{id}" {
		t.Errorf("of any answer: %s", got)
	}
}

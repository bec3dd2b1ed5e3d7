package local_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"wstk/infra"
	"wstk/shared/adapter/asl"
	"wstk/shared/app"
	"wstk/shared/app/answering"
	"wstk/shared/app/apptest"
	"wstk/shared/app/crawling"
	"wstk/shared/stage/summarize"
	"wstk/shared/wstk"
)

func TestModels(t *testing.T) {
	apptest.Models(t, func(t *testing.T) *app.App { return open(t, testConfig(t)) })
}

// tasksTwice runs each task of a state machine twice, as Step Functions may.
type tasksTwice struct {
	answering.Machines
	machine *asl.Machine
}

func (m tasksTwice) Run(
	ctx context.Context, _ string, run wstk.RunID, input json.RawMessage,
) error {
	_, err := m.machine.Run(ctx, string(run), input)
	return err
}

func repeated(t *testing.T, a *app.App) tasksTwice {
	t.Helper()
	data, err := infra.Machine("extract")
	if err != nil {
		t.Fatal(err)
	}
	m, err := asl.Parse("extract", data, func(resource string) (asl.Task, error) {
		word, _ := strings.CutSuffix(strings.TrimPrefix(resource, "${"), "Function}")
		do := a.Task(strings.ToLower(word))
		return func(ctx context.Context, input json.RawMessage) (any, error) {
			if _, err := do(ctx, input); err != nil {
				return nil, err
			}
			return do(ctx, input)
		}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return tasksTwice{a.Machines, m}
}

// Law 6: a task that runs again asks no model again, and pays nothing, whether or not there is a
// bound of tokens.
func TestATaskThatRunsAgainPaysNothing(t *testing.T) {
	pages := map[string]string{}
	for i := range 3 {
		pages[fmt.Sprintf("/c%d", i)] = page(fmt.Sprintf("Course %d", i),
			"<p>This course teaches people to mend a pump at home.</p>"+
				"<p>The fee of the course is 100 dollars for each person.</p>")
	}
	root := serve(t, &web{pages: pages})
	for _, most := range []int{0, 100_000} {
		a := open(t, testConfig(t))
		m := apptest.Picker("fee")
		again := repeated(t, a)
		apptest.Change(a, func(h *app.Home) { h.Models, h.Machines = m.Models, again })
		r, err := a.Answering.Ask(t.Context(), wstk.AskQuery{Query: "list all courses", Strict: true,
			From: []string{root + "/c0", root + "/c1", root + "/c2"}, MaxTokens: most})
		if err != nil || len(r.Extractions) == 0 {
			t.Fatalf("%+v, %v", r, err)
		}
		if n, want := len(m.Calls("")), 1+len(m.Calls(wstk.OpExtract)); n != want || n > 4 ||
			r.Usage.Calls != n+len(m.Calls(wstk.OpSummarize)) {
			t.Errorf("with max_tokens %d: %d calls, the usage is %+v; want each call once", most, n,
				r.Usage)
		}
	}
}

// manyPages is a site of so many pages.
func manyPages(n int) *web {
	pages, links := map[string]string{}, ""
	for i := range n - 1 {
		path := fmt.Sprintf("/p%d", i)
		links += fmt.Sprintf(`<a href="%s">Page %d</a> `, path, i)
		pages[path] = page(fmt.Sprintf("Page %d", i),
			fmt.Sprintf("<p>This page tells of pump number %d, and how it is mended at home.</p>", i))
	}
	pages["/"] = page("All pages", "<p>Here are all pages of this site about pumps.</p>"+links)
	return &web{pages: pages}
}

// Two hundred pages are summarized in at most forty calls, and a crawl says what they cost.
func TestACrawlAsksForManySummariesAtOnce(t *testing.T) {
	c := testConfig(t)
	for key, value := range map[string]string{"crawl.rate_limit_ms": "1", "crawl.max_pages": "300"} {
		if err := c.Set(key, value, "test"); err != nil {
			t.Fatal(err)
		}
	}
	a := open(t, c)
	m := apptest.Picker()
	apptest.Change(a, func(h *app.Home) { h.Models = m.Models })
	worker(a).Linger = 3 * time.Second
	root := serve(t, manyPages(200))
	res := ingest(t, a, root+"/")
	calls, pages := m.Calls(wstk.OpSummarize), 0
	for _, p := range calls {
		pages += len(p.Pages)
	}
	t.Logf("%d pages in %d calls", pages, len(calls))
	if len(calls) > 40 || pages != 200 || res.Accounting.Of(wstk.OutcomeFetched) != 200 {
		t.Errorf("%d pages were summarized in %d calls, want 200 in at most 40; %+v", pages,
			len(calls), res.Accounting)
	}
	if res.Run.Usage.Calls != len(calls) || res.Run.Usage.InputTokens != 100*len(calls) {
		t.Errorf("the usage is %+v, want that of %d calls", res.Run.Usage, len(calls))
	}
	p, err := a.Pages.Get(t.Context(), root+"/p7")
	if err != nil {
		t.Fatal(err)
	}
	s, err := a.Summaries.Get(t.Context(), wstk.SummaryKey{URL: p.URL, TextSHA256: p.TextSHA256,
		Engine: "scripted", Model: "made-up-1",
		PromptHash: string(summarize.ModelPrompt.Hash())})
	if err != nil || s.Text != "Summary: Page 7" || fmt.Sprint(s.Signals.Offers) != "[Page 7]" ||
		len(s.Signals.Entities) > 0 {
		t.Errorf("the summary of a page is %+v, %v; want its own, without what is not on it", s, err)
	}
}

// A page on which the model fails is found by its text, and the crawl says so. A model that is
// not there stops the crawl.
func TestAPageWithoutASummaryIsNamed(t *testing.T) {
	a := open(t, testConfig(t))
	m := &apptest.Model{}
	m.Answer = func(_ context.Context, p apptest.Prompt) (string, error) {
		if strings.Contains(p.User, "pump number 1,") {
			return "", wstk.Errorf(wstk.ModelFailed, "", "it refused to answer")
		}
		return apptest.Pick(p), nil
	}
	apptest.Change(a, func(h *app.Home) { h.Models = m.Models })
	worker(a).Linger = time.Second
	res := ingest(t, a, serve(t, manyPages(4))+"/")
	if res.Run.State != wstk.RunPartial || len(res.Run.Reasons) != 1 ||
		!strings.HasPrefix(res.Run.Reasons[0], "1 page ") ||
		res.Accounting.Of(wstk.OutcomeFetched) != 4 {
		t.Errorf("the run is %s, %q, %+v; want it partial, with all pages and one reason",
			res.Run.State, res.Run.Reasons, res.Accounting)
	}
	m.Answer = func(context.Context, apptest.Prompt) (string, error) {
		return "", wstk.Errorf(wstk.Unauthorized, "", "the key is refused")
	}
	_, err := a.Crawling.Ingest(t.Context(),
		crawling.IngestRequest{URL: serve(t, manyPages(2)) + "/"})
	if wstk.CodeOf(err) != wstk.Unauthorized {
		t.Errorf("a crawl with a refused key: %v, want %s", err, wstk.Unauthorized)
	}
}

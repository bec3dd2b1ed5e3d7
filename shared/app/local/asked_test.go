package local_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"wstk/infra"
	"wstk/shared/adapter/asl"
	"wstk/shared/app"
	"wstk/shared/app/answering"
	"wstk/shared/app/apptest"
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
			r.Usage.Calls != n {
			t.Errorf("with max_tokens %d: %d calls, the usage is %+v; want each call once", most, n,
				r.Usage)
		}
	}
}

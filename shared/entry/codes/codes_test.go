package codes

import (
	"testing"

	"wstk/shared/wstk"
)

func TestEveryCodeHasARow(t *testing.T) {
	for _, c := range wstk.Codes() {
		if _, ok := table[c]; !ok {
			t.Errorf("%s has no exit code and no status", c)
		}
	}
	if len(table) != len(wstk.Codes()) {
		t.Errorf("%d rows for %d codes", len(table), len(wstk.Codes()))
	}
	for c, row := range table {
		if row.exit < 1 || row.exit > 5 || row.status < 400 {
			t.Errorf("%s: exit %d, status %d", c, row.exit, row.status)
		}
	}
	if Exit("") != 0 || Status("") != 200 || Exit("new") != ExitFailure || Status("new") != 500 {
		t.Error("no code and unknown codes")
	}
}

// The walls that agents branch on keep their numbers.
func TestExitCodesOfTheContract(t *testing.T) {
	for c, want := range map[wstk.Code]int{
		wstk.Invalid: 2, wstk.Empty: 3, wstk.NotFound: 3, wstk.Gone: 3,
		wstk.Blocked: 4, wstk.Consent: 4,
		wstk.RefusedRobots: 4, wstk.RefusedAddress: 4, wstk.NeedsRender: 5,
		wstk.Network: 1, wstk.Timeout: 1,
	} {
		if got := Exit(c); got != want {
			t.Errorf("%s exits %d, want %d", c, got, want)
		}
	}
}

// A run that did not end well is the error that its first reason names.
func TestTheErrorOfARun(t *testing.T) {
	for _, c := range []struct {
		state   wstk.RunState
		reasons []string
		want    wstk.Code
	}{
		{wstk.RunFailed, []string{"refused_robots: robots.txt says no"}, wstk.RefusedRobots},
		{wstk.RunFailed, []string{"timeout: it took too long", "network: no"}, wstk.Timeout},
		{wstk.RunFailed, []string{"gone fishing: the page"}, wstk.Internal}, // no code of ours
		{wstk.RunFailed, []string{"States.Timeout: of the machine"}, wstk.Internal},
		{wstk.RunFailed, nil, wstk.Internal},
		{wstk.RunCancelled, []string{"internal: by its caller"}, wstk.Cancelled},
		{wstk.RunCancelled, nil, wstk.Cancelled},
	} {
		err := OfRun(wstk.Run{ID: "run_1", Kind: wstk.RunAnswer, State: c.state, Reasons: c.reasons})
		steps := wstk.StepsOf(err)
		if wstk.CodeOf(err) != c.want || len(steps) != 1 || steps[0].Run != "run_1" ||
			steps[0].Kind != wstk.RunAnswer {
			t.Errorf("%s %q: %v, %v; want %s", c.state, c.reasons, err, steps, c.want)
		}
	}
}

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

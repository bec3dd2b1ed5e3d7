package cli

import (
	"testing"

	"wstk/shared/app/answering"
	"wstk/shared/entry/codes"
	"wstk/shared/wstk"
)

// The exit code of verify is 0 if every quote verified and no check failed; what no program can
// decide does not change it.
func TestExitCodesOfVerify(t *testing.T) {
	yes, no := true, false
	quote := answering.VerifiedItem{OK: true}
	part := func(ok *bool) answering.CheckedWords {
		return answering.CheckedWords{Part: "statement", OK: ok}
	}
	report := func(parts ...answering.CheckedWords) answering.VerifyReport {
		return answering.VerifyReport{Verified: 1, Checks: []answering.VerifiedItem{quote},
			Statements: parts}
	}
	anew := report(part(&yes), part(nil))
	anew.ReadAnew, anew.Checks[0].Anew = 1, true
	failed := report(part(&yes))
	failed.Checks[0].OK, failed.Failed, failed.Verified = false, 1, 0
	for _, c := range []struct {
		name string
		rep  answering.VerifyReport
		want int
	}{
		{"all stands", report(part(&yes)), codes.ExitOK},
		{"all is inferred", report(part(nil), part(nil)), codes.ExitOK},
		{"quotes without statements", report(), codes.ExitOK},
		{"a quote fails", failed, codes.ExitFailure},
		{"a statement fails", report(part(nil), part(&no)), codes.ExitFailure},
		{"a quote of another reading", anew, codes.ExitEmpty},
		{"no evidence", answering.VerifyReport{}, codes.ExitEmpty},
	} {
		if got := codes.Exit(wstk.CodeOf(verified("x.json", c.rep, nil).err)); got != c.want {
			t.Errorf("%s: exit %d, want %d", c.name, got, c.want)
		}
	}
}

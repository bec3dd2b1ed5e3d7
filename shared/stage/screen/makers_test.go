package screen

import (
	"strings"
	"testing"

	"wstk/shared/wstk"
)

// A wall is a wall whatever its status is: of each maker, and with its name where the
// markup gives it away.
func TestWallsOfMakers(t *testing.T) {
	makers := map[string]bool{}
	n := 0
	for _, s := range samples(t, "makers.txtar") {
		n++
		maker, _, _ := strings.Cut(s.name, "/")
		makers[maker] = true
		for _, as := range []struct {
			status  int
			verdict wstk.Verdict
		}{{503, wstk.VerdictHTTPError}, {403, wstk.VerdictBlocked}, {429, wstk.VerdictBlocked},
			{200, wstk.VerdictOK}} {
			s.snap.Status, s.snap.Verdict, s.snap.Reason = as.status, as.verdict, "as fetched"
			got := screen(t, s.input(t))
			if got.Verdict != wstk.VerdictBlocked || !strings.HasPrefix(got.Reason, "a wall ") {
				t.Errorf("%s with status %d: %s (%s)", s.name, as.status, got.Verdict, got.Reason)
			}
			if maker != "-" && !strings.Contains(got.Reason, "a wall of "+maker+" stands") {
				t.Errorf("%s with status %d: %q does not name the maker", s.name, as.status, got.Reason)
			}
		}
	}
	if n < 25 || len(makers) < 15 {
		t.Errorf("only %d walls of %d makers", n, len(makers))
	}
}

// What a page shows before its paywall is its own; what a wall shows is not.
func TestTeasers(t *testing.T) {
	n := 0
	for _, s := range samples(t, "walls.txtar") {
		got := screen(t, s.input(t))
		pays := strings.Contains(got.Reason, "without a subscription")
		if pays {
			n++
		}
		if got.Partial != pays {
			t.Errorf("%s: partial is %v (%s)", s.name, got.Partial, got.Reason)
		}
		if w := Warnings(got, nil); pays && (len(w) == 0 || w[len(w)-1].Code != WarnPartial) {
			t.Errorf("%s: no warning of the teaser: %v", s.name, w)
		}
	}
	if n < 5 {
		t.Errorf("only %d paywalls", n)
	}
}

// Failures, and pages about walls, are none.
func TestNoWallsOfMakers(t *testing.T) {
	n := 0
	for _, s := range samples(t, "nowalls.txtar") {
		n++
		want, _, _ := strings.Cut(s.name, "/")
		got := screen(t, s.input(t))
		if got.Partial {
			t.Errorf("%s is called a teaser", s.name)
		}
		if string(got.Verdict) != want || strings.HasPrefix(got.Reason, "a wall ") {
			t.Errorf("%s: %s (%s)", s.name, got.Verdict, got.Reason)
		}
	}
	if n < 25 {
		t.Errorf("only %d pages", n)
	}
}

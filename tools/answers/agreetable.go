package main

import (
	"fmt"
	"strings"

	"wstk/shared/wstk"
)

// caseFigures are what is counted of made cases: of those that fit, how many are so.
var caseFigures = []struct {
	name     string
	of, what func(caseRow) bool
}{
	{"right in all", func(caseRow) bool { return true }, func(r caseRow) bool { return r.Right }},
	{"contradictions shown", isKind("contradict"), func(r caseRow) bool { return r.Shown }},
	{"contradictions shown, same wording",
		func(r caseRow) bool { return r.Kind == "contradict" && r.Wording == "same" },
		func(r caseRow) bool { return r.Shown }},
	{"contradictions shown, other wording",
		func(r caseRow) bool { return r.Kind == "contradict" && r.Wording == "other" },
		func(r caseRow) bool { return r.Shown }},
	{"falsely verified",
		func(r caseRow) bool { return r.Want != wstk.Verified && r.Want != anyGrade },
		caseRow.falselyVerified},
	{"agreement of two sites verified", isKind("agree"),
		func(r caseRow) bool { return r.Grade == wstk.Verified }},
	{"false conflicts", func(r caseRow) bool { return !r.Conflict },
		func(r caseRow) bool { return r.Disputes }},
	{"cites a page that does not support", func(r caseRow) bool { return r.Against },
		func(r caseRow) bool { return r.Cited }},
	{"answer shows its words", func(r caseRow) bool { return r.Want != anyGrade },
		func(r caseRow) bool { return r.Values }},
}

func isKind(kind string) func(caseRow) bool {
	return func(r caseRow) bool { return r.Kind == kind }
}

// caseTable writes the figures of each half as Markdown.
func caseTable(rows []caseRow) string {
	var b strings.Builder
	b.WriteString("| half | what | figure |\n|---|---|---|\n")
	for _, half := range caseHalves {
		var of []caseRow
		for _, r := range rows {
			if r.Half == half {
				of = append(of, r)
			}
		}
		if len(of) == 0 {
			continue
		}
		for _, f := range caseFigures {
			n, all := 0, 0
			for _, r := range of {
				if f.of(r) {
					all++
					if f.what(r) {
						n++
					}
				}
			}
			fmt.Fprintf(&b, "| %s | %s | %s |\n", half, f.name, share(n, all))
		}
		var ok, bad, not, empty int
		for _, r := range of {
			ok, bad, not, empty = ok+r.HintsOK, bad+r.HintsBad, not+r.HintsNot, empty+r.HintsNil
		}
		fmt.Fprintf(&b, "| %s | hints | %d right, %d wrong, %d missing, %d rightly empty |\n",
			half, ok, bad, not, empty)
	}
	return b.String()
}

// caseVerdicts writes a line for each case of the fit half.
func caseVerdicts(rows []caseRow) string {
	var b strings.Builder
	for _, r := range rows {
		if r.Half == "fit" {
			fmt.Fprintf(&b, "%s %s\n", r.ID, r.verdict())
		}
	}
	return b.String()
}

// verdict says what is wrong with a row, or that it is right.
func (r caseRow) verdict() string {
	if r.Right {
		return "right"
	}
	return fmt.Sprintf("WRONG: %s, wanted %s%s", orNone(string(r.Grade)), r.Want, r.faults())
}

// caseDetail writes each case of the halves for tuning, wrong ones first.
func caseDetail(rows []caseRow) string {
	var b strings.Builder
	for _, right := range []bool{false, true} {
		for _, r := range rows {
			if !forTuning(r.Half) || r.Right != right {
				continue
			}
			fmt.Fprintf(&b, "%s (%s, %s wording) %s\n", r.ID, r.Value, r.Wording, r.verdict())
			for _, s := range r.Said {
				fmt.Fprintf(&b, "    %s\n", strings.Join(strings.Fields(s), " "))
			}
		}
	}
	return b.String()
}

func orNone(s string) string {
	if s == "" {
		return "no answer"
	}
	return s
}

// faults names what is wrong with a row.
func (r caseRow) faults() string {
	var out string
	for _, f := range []struct {
		is   bool
		name string
	}{
		{r.falselyVerified(), "falsely verified"},
		{r.Conflict && !r.Shown, "conflict not shown"},
		{!r.Conflict && r.Disputes, "false conflict"},
		{r.Cited, "cites a page that does not support"},
		{!r.Values, "words not shown"},
		{r.HintsBad > 0, "wrong hint value"},
		{r.HintsNot > 0, "hint missing"},
	} {
		if f.is {
			out += "; " + f.name
		}
	}
	return out
}

package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"wstk/shared/wstk"
)

// TestFitAnswers asks the questions and the made cases of the fit half over the committed
// samples, and compares what is right with the golden file, question by question.
func TestFitAnswers(t *testing.T) { golden(t, "fit", "answers_fit.txt") }

// TestHeldOutAnswers does the same with the test half. Its golden file has sums alone.
func TestHeldOutAnswers(t *testing.T) { golden(t, "test", "answers_test.txt") }

// golden compares the scores of a half with a golden file, or writes it where
// WSTK_GOLDEN=update.
func golden(t *testing.T, half, name string) {
	t.Helper()
	t.Chdir("../..")
	o := options{half: half, wording: "both", data: t.TempDir(), eval: "testdata/eval"}
	rows, err := askManuals(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	cases, err := askCases(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Join([]string{kinds(rows), table(rows), caseTable(cases)}, "\n")
	if half == "fit" {
		got += "\n" + verdicts(rows) + "\n" + caseVerdicts(cases)
	}
	path := filepath.Join("testdata/golden", name)
	if os.Getenv("WSTK_GOLDEN") == "update" {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs. If the change is meant, run: make golden\n%s", name,
			differ(string(want), got))
	}
}

// differ lists the lines that only one of two texts has.
func differ(want, got string) string {
	var b strings.Builder
	for _, side := range []struct{ sign, of, other string }{
		{"-", want, got}, {"+", got, want},
	} {
		has := map[string]bool{}
		for _, line := range strings.Split(side.other, "\n") {
			has[line] = true
		}
		for _, line := range strings.Split(side.of, "\n") {
			if !has[line] {
				b.WriteString(side.sign + " " + line + "\n")
			}
		}
	}
	return b.String()
}

// TestBadCasesAreRefused writes cases with one fault each.
func TestBadCasesAreRefused(t *testing.T) {
	good := `{"id": "a", "kind": "agree", "value": "number", "wording": "same", "question": "How ` +
		`many?", "hints": ["phone"], "pages": [{"url": "https://a.example/", "title": "A", ` +
		`"html": "<p>8</p>"}], "want": {"grade": "verified", "conflict": false, "values": ["8"], ` +
		`"not_support": [], "hints": {"phone": null}}}`
	for _, c := range []struct{ from, to, says string }{
		{"", "", ""},
		{`"kind": "agree"`, `"kind": "agrees"`, `the kind is "agrees"; write one of contradict`},
		{`"wording": "same"`, `"wording": "like"`, `the wording is "like"; write same or other`},
		{`"grade": "verified"`, `"grade": "good"`, `the grade is "good"; write one of`},
		{`"conflict": false`, `"conflict": true`, "does not go with conflict true"},
		{`https://a.example/`, `https://a.com/`, "is not made up; write https://"},
		{`"html": "<p>8</p>"`, `"html": " "`, "has no title or no html; write both"},
		{`"question": "How many?"`, `"question": ""`, "is empty; write all three"},
		{`"not_support": []`, `"not_support": ["https://b.example/"]`, "none of its pages; name one"},
		{`{"phone": null}`, `{}`, `does not say what is right; add it to want.hints`},
		{`"hints": ["phone"]`, `"hints": []`, "a hint that is not asked for; add it to hints"},
		{`"value": "number"`, `"valeu": "number"`, "write one JSON object with the fields"},
		{"}}}", "}}", "write one JSON object with the fields"},
	} {
		dir := t.TempDir()
		line := good + "\n" + strings.Replace(strings.Replace(good, `"a"`, `"b"`, 1), c.from, c.to, 1)
		if err := os.WriteFile(filepath.Join(dir, "fit_agree.jsonl"), []byte(line), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := readCases(dir, options{half: "fit"}.asks)
		switch {
		case c.says == "" && err != nil:
			t.Errorf("good cases are refused: %v", err)
		case c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says) ||
			!strings.Contains(err.Error(), "fit_agree.jsonl:2: ")):
			t.Errorf("%s: the error is %v, want file, line and %q", c.to, err, c.says)
		}
	}
}

// TestMoreCasesAreOddOrEven reads later cases: each belongs to one of their halves.
func TestMoreCasesAreOddOrEven(t *testing.T) {
	dir := t.TempDir()
	line := `{"id": "more-agree-1", "kind": "agree", "value": "number", "wording": "same", ` +
		`"question": "How many?", "pages": [{"url": "https://a.example/", "title": "A", "html": ` +
		`"<p>8</p>"}], "want": {"grade": "verified", "values": ["8"]}}` + "\n"
	if err := os.WriteFile(filepath.Join(dir, "more_agree.jsonl"),
		[]byte(line+strings.Replace(line, "agree-1", "agree-2", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	for half, want := range map[string]string{"more-odd": "more-agree-1",
		"more-even": "more-agree-2"} {
		cases, err := readCases(dir, options{half: half}.asks)
		if err != nil || len(cases) != 1 || cases[0].ID != want || cases[0].half != half {
			t.Errorf("%s: %+v, %v; want the case %s alone", half, cases, err, want)
		}
	}
	if _, err := readCases(dir, options{half: "fit"}.asks); err == nil {
		t.Error("the fit half has cases of more_agree.jsonl, want none")
	}
}

// TestScores scores replies that are made up.
func TestScores(t *testing.T) {
	quote := func(s string) wstk.Evidence {
		return wstk.Evidence{Quote: s, URL: "https://a.example/"}
	}
	statement := func(s string, n ...int) wstk.Statement {
		return wstk.Statement{Statement: s, Evidence: n}
	}
	q := question{Kind: "fact", Answer: []string{"30  Days"},
		Passages: []string{"It lasts 30 days. After that, it ends."}}
	got := reply{Extractions: []extraction{{
		Statements: []wstk.Statement{statement("No.", 0), statement("30 days", 1),
			statement("After.", 2)},
		Evidence: []wstk.Evidence{quote("It is blue."), quote("It lasts 30\ndays."),
			quote("After that, it ends.")}}}}
	var r row
	r.score(q, got)
	if !r.Answered || !r.Right || r.First || r.Shown != 3 || r.Off != 1 {
		t.Errorf("the row is %+v, want right, not first, 3 shown, 1 of them irrelevant", r)
	}
	no := false
	got.Answered = &no
	r = row{Kind: none}
	r.score(question{Kind: none}, got)
	if r.Answered || !r.Right || r.Shown != 0 {
		t.Errorf("the row is %+v, want an honest no that shows nothing", r)
	}
}

// TestCaseScores scores made-up replies to one case.
func TestCaseScores(t *testing.T) {
	phone := "01632 960241"
	c := madeCase{Kind: "contradict", Hints: []string{"phone"}}
	c.Want.Grade, c.Want.Conflict = wstk.Conflicted, true
	c.Want.Values, c.Want.NotSupport = []string{"199", "217"}, []string{"https://b.example/"}
	c.Want.Hints = map[string]*string{"phone": &phone}
	conflict := []wstk.TopicConflict{{Claims: []wstk.ConflictingClaim{
		{Statement: "It has 199 steps."}, {Statement: "217 steps lead up."}}}}
	said := func(grade wstk.Grade, conflicts []wstk.TopicConflict, url, phone string) reply {
		return reply{Extractions: []extraction{{Grounding: grade, Conflicts: conflicts,
			Statements: []wstk.Statement{{Statement: "It has 199 steps.", Evidence: []int{0}},
				{Field: "phone", Statement: phone}},
			Evidence: []wstk.Evidence{{Quote: "It has 199 steps.", URL: url}}}}}
	}
	const a, b = "https://a.example/", "https://b.example/"
	for name, test := range map[string]struct {
		got    reply
		faults string
	}{
		"right":    {said(wstk.Conflicted, conflict, a, "Tel. 016 3296 0241"), ""},
		"verified": {said(wstk.Verified, conflict, a, phone), "; falsely verified"},
		"one side": {said(wstk.Conflicted, []wstk.TopicConflict{{Claims: conflict[0].Claims[:1]}},
			a, phone), "; conflict not shown; words not shown"},
		"cites": {said(wstk.Conflicted, conflict, b, phone), "; cites a page that does not support"},
		"hint":  {said(wstk.Conflicted, conflict, a, "01632 960242"), "; wrong hint value"},
	} {
		r := scoreCase(c, test.got)
		if r.faults() != test.faults || r.Right != (test.faults == "") {
			t.Errorf("%s: right %t%s, want right %t%s", name, r.Right, r.faults(),
				test.faults == "", test.faults)
		}
	}
	c.Kind, c.Want.Conflict, c.Want.Grade = "apart", false, wstk.SingleSource
	if r := scoreCase(c, said(wstk.SingleSource, conflict, a, phone)); r.faults() !=
		"; false conflict" || r.Right {
		t.Errorf("a false conflict has the faults %q", r.faults())
	}
	c.Want.Hints["phone"] = nil
	if r := scoreCase(c, said(wstk.SingleSource, nil, a, "")); r.HintsBad != 1 || r.Right {
		t.Errorf("a value for a hint that no page says: %+v", r)
	}
}

func TestCalibration(t *testing.T) {
	sure, unsure := 0.84, 0.3
	got := calibration([]row{
		{Half: "fit", Kind: "fact", Answered: true, Right: true, Belief: &sure},
		{Half: "fit", Kind: "fact", Answered: true, Belief: &sure},
		{Half: "fit", Kind: none, Answered: true, Right: true, Belief: &unsure}, // none is right
		{Half: "fit", Kind: "fact", Belief: &sure},                              // did not answer
		{Half: "fit", Kind: "fact", Answered: true, Right: true},                // does not say
	})
	for _, want := range []string{"| fit | 0.8 to 0.9 | 2 | 0.84 | 0.50 (1 of 2) |\n",
		"| fit | 0.3 to 0.4 | 1 | 0.30 | 0.00 (0 of 1) |\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("the table has no row %q:\n%s", want, got)
		}
	}
}

// TestSamples checks that each sample holds the pages that are named, and a licence is beside it.
func TestSamples(t *testing.T) {
	for _, m := range manuals {
		base := filepath.Join("../../testdata/eval/manuals", m.Name)
		files, err := readSample(base + ".tar.zst")
		if err != nil {
			t.Fatal(err)
		}
		list, err := os.ReadFile(base + ".pages")
		if err != nil {
			t.Fatal(err)
		}
		named := strings.Fields(string(list))
		slices.Sort(named)
		if got := files.paths(); !slices.Equal(got, named) || len(got) > 36 {
			t.Errorf("%s has the pages %q, want those of .pages, at most 36: %q", m.Name, got, named)
		}
		if licence, err := os.ReadFile(base + ".copyright"); err != nil || len(licence) < 200 {
			t.Errorf("%s has no licence beside it: %v", m.Name, err)
		}
		qs, err := readQuestions(base + ".jsonl")
		if err != nil || len(qs) != 30 {
			t.Errorf("%s has %d questions, want 30: %v", m.Name, len(qs), err)
		}
		for _, q := range qs {
			for _, p := range q.Pages {
				if files[p] == nil {
					t.Errorf("%s: the page %s is not in the sample", q.ID, p)
				}
			}
		}
	}
}

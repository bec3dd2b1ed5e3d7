package evaluate

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"wstk/shared/wstk"
)

func TestParseSuite(t *testing.T) {
	for name, data := range map[string]string{
		"lines":  "# a comment\n\n{\"query\": \"a\"}\n{\"id\": \"x\", \"query\": \"b\", \"expected_domains\": [\"a.example\"], \"k\": 3}\n",
		"array":  `[{"query": "a"}, {"id": "x", "query": "b", "expected_domains": ["a.example"], "k": 3}]`,
		"object": "\xef\xbb\xbf" + `{"cases": [{"query": "a"}, {"id": "x", "query": "b", "expected_domains": ["a.example"], "k": 3}]}`,
	} {
		cases, err := ParseSuite([]byte(data))
		if err != nil || len(cases) != 2 || cases[0].ID != "case-1" || cases[1].ID != "x" ||
			cases[1].K != 3 || cases[0].Scored() || !cases[1].Scored() {
			t.Errorf("%s: %+v, %v", name, cases, err)
		}
	}
	for name, data := range map[string]string{
		"nothing": "", "only comments": "# x\n", "no query": `{"id": "a"}`, "unknown field": `{"query": "a", "expect": 1}`,
		"twice": "{\"id\":\"a\",\"query\":\"a\"}\n{\"id\":\"a\",\"query\":\"b\"}", "k": `{"query": "a", "k": 101}`, "no JSON": "query", "two on a line": `{"query":"a"}{"query":"b"}`,
		"a bracket after a line": `{"query":"a"}]garbage`, "a brace after a line": `{"query":"a"}}`, "a bracket after an array": `[{"query":"a"}]]`,
		"a bracket after an object": `{"cases":[{"query":"a"}]}]`,
		"another kind":              `{"query": "a", "kind": "guess"}`, "a search without an answer": `{"query": "a", "no_answer": true}`,
		"a question with URLs to find": `{"query": "a", "kind": "ask", "expected_urls": ["https://a.example/"]}`,
		"an answer and none":           `{"query": "a", "kind": "ask", "no_answer": true, "expected_answers": ["b"]}`,
		"pages and a site":             `{"query": "a", "kind": "ask", "urls": ["https://a.example/"], "site": "a.example"}`,
	} {
		if _, err := ParseSuite([]byte(data)); wstk.CodeOf(err) != wstk.Invalid {
			t.Errorf("%s: %v; want wstk.CodeOf(err) == wstk.Invalid", name, err)
		}
	}
}

func TestScore(t *testing.T) {
	c := Case{Query: "q", ExpectedURLs: []string{"https://www.a.example/x/", "https://b.example/y"}, ExpectedDomains: []string{"B.example."}}
	s := c.Score([]string{"https://c.example/", "http://a.example/x?utm_source=1#top", "https://docs.b.example/z"}, 10)
	if s.Rank == nil || *s.Rank != 2 || !*s.Hit || *s.Reciprocal != .5 || *s.URLOverlap != .5 ||
		!*s.ExpectedDomain || s.Results != 3 {
		t.Errorf("the score is %+v, want rank 2, half of the URLs and the domain", s)
	}
	if s := c.Score([]string{"https://c.example/", "http://a.example/x"}, 1); *s.Hit || s.Rank != nil || *s.URLOverlap != 0 {
		t.Errorf("beyond k: %+v", s)
	}
	// where URLs are expected a page of an expected domain is not enough
	if s := c.Score([]string{"https://b.example/other"}, 5); *s.Hit || !*s.ExpectedDomain {
		t.Errorf("domain alone: %+v", s)
	}
	domains := Case{Query: "q", ExpectedDomains: []string{"a.example"}}
	if domains.Expects("https://nota.example/") || !domains.Expects("https://docs.a.example:8080/x") {
		t.Error("domains")
	}
	if s := (Case{Query: "q"}).Score([]string{"https://a.example/"}, 5); s.Hit != nil || s.Reciprocal != nil {
		t.Errorf("unscored: %+v", s)
	}
	if got := c.Target([]string{"https://c.example/"}); got != c.ExpectedURLs[0] {
		t.Error(got)
	}
	if got := domains.Target([]string{"https://c.example/", "https://a.example/1"}); got != "https://a.example/1" {
		t.Error(got)
	}
	if got := domains.Target([]string{"https://c.example/"}); got != "https://c.example/" {
		t.Error(got)
	}
}

func TestScorePage(t *testing.T) {
	c := Case{Query: "q", ExpectedAnswers: []string{"Forty litres", "nine bar"}}
	s := c.ScorePage("It moves forty\n litres.", "It moves forty litres.\n```\nx := 1\n```", "Home It moves forty litres. Imprint", []string{"x  := 1", "zz"})
	if !s.NonEmpty || s.Words != 4 || *s.AnswersFound != .5 || *s.CodeKept != .5 ||
		*s.Boilerplate < .3 || *s.Boilerplate > .5 {
		t.Errorf("%+v %v", s, *s.Boilerplate)
	}
	if s := (Case{}).ScorePage("", "", "", nil); s.NonEmpty || s.Boilerplate != nil ||
		s.CodeKept != nil || s.AnswersFound != nil {
		t.Errorf("unknown is null: %+v", s)
	}
}

// The intervals cover what they should: of many samples of a coin, about 95 in 100.
func TestIntervals(t *testing.T) {
	for _, of := range []func([]float64) Figure{rate, mean} {
		covered := 0
		for seed := range 200 {
			values := make([]float64, 60)
			for i := range values {
				if (i*7919+seed*104729+i*i*seed)%10 < 3 {
					values[i] = 1
				}
			}
			f := of(values)
			if *f.Low <= .3 && .3 <= *f.High {
				covered++
			}
		}
		if covered < 170 {
			t.Errorf("only %d of 200 intervals hold the true value", covered)
		}
	}
	if f := rate([]float64{1, 1, 1}); *f.Value != 1 || *f.Low > .45 || *f.High != 1 {
		t.Errorf("three of three is not certain: %v %v", *f.Low, *f.High)
	}
	if f := median([]float64{1, 2, 100, 4}); *f.Value != 3 {
		t.Error(*f.Value, "want *f.Value == 3")
	}
	if f := mean(nil); f.Value != nil || f.N != 0 {
		t.Error("nothing measured must be null")
	}
}

func run(provider string, hits ...bool) ProviderReport {
	var cases []CaseResult
	for i, hit := range hits {
		c := Case{ID: fmt.Sprint(i), Query: "q", ExpectedURLs: []string{"https://a.example/"}}
		urls := []string{"https://b.example/" + fmt.Sprint(i)}
		if hit {
			urls = []string{"https://a.example/"}
		}
		cases = append(cases, CaseResult{ID: c.ID, Search: c.Score(urls, 10)})
	}
	return Report(provider, cases)
}

func TestReportAndCompare(t *testing.T) {
	before := run("x", true, false, false, false, false, false, false, false, false, false)
	after := run("x", false, true, true, true, true, true, true, true, true, true)
	if v := *after.Search.HitAtK.Value; v != .9 {
		t.Error(v)
	}
	d := Compare([]ProviderReport{before}, []ProviderReport{after, run("new", true)})
	if len(d) != 1 || !slices.Equal(d[0].Lost, []string{"0"}) || len(d[0].Gained) != 9 {
		t.Fatalf("%+v; want len(d) == 1 && slices.Equal(d[0].Lost, []string{\"0\"}) && len(d[0].Gained) == 9", d)
	}
	if c := d[0].Changes[0]; c.Metric != "hit_at_k" || *c.Delta != .8 || !c.Real || c.N != 10 {
		t.Errorf("%+v; want c.Metric == \"hit_at_k\" && *c.Delta == .8 && c.Real && c.N == 10", c)
	}
	same := Compare([]ProviderReport{before}, []ProviderReport{before})
	if c := same[0].Changes[0]; *c.Delta != 0 || c.Real {
		t.Errorf("no change is no finding: %+v", c)
	}
	o := Overlaps([]ProviderReport{before, after})
	if len(o) != 1 || math.Abs(*o[0].Jaccard.Value) > 1e-9 {
		t.Errorf("%+v; want len(o) == 1 && math.Abs(*o[0].Jaccard.Value) <= 1e-9", o)
	}
	if o := Overlaps([]ProviderReport{before, before}); *o[0].Jaccard.Value != 1 {
		t.Errorf("%+v; want *o[0].Jaccard.Value == 1", o)
	}
	failed := run("y", true, false)
	failed.Cases[0].Search.Error = &Failure{Code: wstk.Timeout}
	for policy, want := range map[FailOn][2]int{FailNever: {0, 0}, FailError: {0, 1},
		FailMiss: {1, 0}, FailMissOrError: {1, 1}} {
		if m, e := policy.Failed([]ProviderReport{failed}); [2]int{m, e} != want {
			t.Errorf("%s: %d misses, %d errors", policy, m, e)
		}
	}
	if b := Best([]ProviderReport{before, after}); b != "x" {
		t.Error(b)
	}
}

// The sign test, against values of the binomial distribution.
func TestSigns(t *testing.T) {
	for _, c := range []struct {
		up, down, same int
		want           float64
	}{
		{0, 0, 0, 1}, {0, 0, 9, 1}, {1, 0, 0, 1}, {5, 0, 0, 2. / 32}, {6, 0, 40, 2. / 64},
		{0, 6, 0, 2. / 64},
		{7, 1, 0, 18. / 256}, {1, 9, 3, 22. / 1024}, {5, 5, 0, 1}, {8, 2, 0, 112. / 1024},
	} {
		deltas := slices.Concat(slices.Repeat([]float64{.25}, c.up),
			slices.Repeat([]float64{-3}, c.down), make([]float64, c.same))
		if p := signs(deltas); math.Abs(p-c.want) > 1e-9 {
			t.Errorf("%d up, %d down, %d same: %v, want %v", c.up, c.down, c.same, p, c.want)
		}
	}
	if p := signs(slices.Concat(slices.Repeat([]float64{1}, 5100),
		slices.Repeat([]float64{-1}, 4900))); p < .045 || p > .048 {
		t.Errorf("of the largest suite: %v", p) // the normal approximation gives 0.0466
	}
}

// A figure is significant when interval and signs agree, and never by a handful of cases.
func TestSignificance(t *testing.T) {
	hits := func(n int, hit bool) []bool { return slices.Repeat([]bool{hit}, n) }
	for _, c := range []struct {
		name         string
		gained, lost int
		same         int
		want         bool
	}{
		{"one case", 1, 0, 0, false}, {"one case of many", 1, 0, 30, false}, {"five of five", 5, 0, 0, false},
		{"six of six", 6, 0, 0, true}, {"six of many", 6, 0, 30, true}, {"six lost", 0, 6, 2, true},
		{"seven to one", 7, 1, 0, false}, {"as many up as down", 20, 20, 0, false},
	} {
		before := run("x", slices.Concat(hits(c.gained, false), hits(c.lost, true),
			hits(c.same, true))...)
		after := run("x", slices.Concat(hits(c.gained, true), hits(c.lost, false),
			hits(c.same, true))...)
		for _, change := range CompareReports(before, after).Changes {
			if change.Real != c.want {
				t.Errorf("%s, %s: significant: %v, delta %v [%v, %v]", c.name, change.Metric,
					change.Real, *change.Delta, *change.Low, *change.High)
			}
		}
	}
	// many small steps up and one deep fall: the signs alone are not enough
	before, after := run("x", hits(12, true)...), run("x", hits(12, true)...)
	for i := range before.Cases {
		b, a := 0.1, 0.11
		if i == 0 {
			b, a = 1, 0
		}
		before.Cases[i].Search.Reciprocal, after.Cases[i].Search.Reciprocal = &b, &a
	}
	for _, change := range CompareReports(before, after).Changes {
		if change.Real {
			t.Errorf("%s: delta %v [%v, %v]", change.Metric, *change.Delta, *change.Low, *change.High)
		}
	}
}

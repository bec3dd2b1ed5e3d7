package local_test

import (
	"strings"
	"testing"

	"wstk/shared/stage/collate"
	"wstk/shared/wstk"
)

// rules10 is a bundle that a program of rules 10 wrote: they let a model word its quotes anew, and
// name words that no quote has.
const rules10 = "../../../testdata/backcompat/rules10/proof.zip"

// An answer of rules 10 stands as they had it, and the report says that today's do not.
func TestAnswersOfRules10(t *testing.T) {
	rep, err := inBundle(t, rules10)
	if err != nil || len(rep.Problems()) > 0 || rep.Verified == 0 {
		t.Fatalf("%+v, %v", rep.Problems(), err)
	}
	anew := 0
	for _, s := range rep.Statements {
		if s.Part == "statement" && strings.Contains(s.Reason, "today's rules do not") {
			anew++
			if s.OK != nil {
				t.Errorf("%q is said to be decided", s.Words)
			}
		}
	}
	if anew != 2 {
		t.Errorf("%d statements are said to be worded anew, want 2: %+v", anew, rep.Statements)
	}
}

// What a result says in other words than its quotes fails by today's rules, and what it leaves out
// of what was open fails by those of its version.
func TestForgedWordings(t *testing.T) {
	a := open(t, testConfig(t))
	root := serve(t, &web{pages: map[string]string{
		"/": page("Acme", `<p>Acme sells filters to towns and farms. <a href="/s4">S-4</a></p>`),
		"/s4": page("The S-4 filter", `<p>The S-4 filter keeps coarse sand out of the pump. It is not
made for salt water, and its mesh is 0.8 mm wide.</p>`)}})
	ingest(t, a, root+"/")
	said := func(words string) wstk.Claim {
		return wstk.Claim{Statement: words, Support: wstk.SupportDirect, Proposed: []wstk.Proposal{{
			Kind: wstk.EvidenceText, URL: root + "/s4", Words: words, ByteStart: -1}}}
	}
	const sand, mesh = "The S-4 filter keeps coarse sand out of the pump.",
		"It is not made for salt water, and its mesh is 0.8 mm wide."
	worded := func(rules, words string, open ...string) []byte {
		r := made(t, a, "What is the mesh of the S-4 filter?", said(sand), said(mesh))
		x := &r.Extractions[0]
		s := &x.Statements[1]
		s.Statement, s.Support, s.Open = words, wstk.SupportInferred, open
		x.Content, x.Grounding, r.Rules = collate.Content(r.Strategy, *x), wstk.Inferred, rules
		return marshal(t, r)
	}
	for _, c := range []struct {
		rules, words string
		open         []string
		fails        bool
	}{
		{"11", "Its mesh is 0.8 mm wide, and it is not made for salt water.", nil, true},
		{"11", "It is made for salt water, and its mesh is 0.8 mm wide.", nil, true},
		{"11", "The S-4 filter has a mesh of 0.8 mm.", nil, true},
		{"11", "It is not made for salt water, and its mesh is 0.9 mm wide.", nil, true},
		{"11", "However, it is not made for salt water, and its mesh is 0.8 mm wide.", nil, true},
		{"99", "The S-4 filter has a mesh of 0.8 mm.", nil, true},
		{"10", "The S-4 filter has a mesh of 0.8 mm.", nil, false},
		{"10", "The S-4 filter has a fine mesh of 0.8 mm.", []string{"fine"}, false},
		{"10", "The S-4 filter has a fine mesh of 0.8 mm.", nil, true},
		{"10", "The S-4 filter has a fine mesh of 0.8 mm.", []string{"mesh"}, true},
		{"10", "The S-4 filter has a fine mesh of 0.9 mm.", []string{"fine"}, true},
		{"10", "The S-5 filter has a fine mesh of 0.8 mm.", []string{"fine"}, true},
		{"10", "The S-4 filter has a fine grid of 0.8 mm.", []string{"fine"}, true},
	} {
		rep, err := inStore(t, a, worded(c.rules, c.words, c.open...))
		if got := fails(rep, err); got != c.fails {
			t.Errorf("%q by rules %s, open %q: fails %t, want %t: %v, %v", c.words, c.rules, c.open, got,
				c.fails, rep.Problems(), err)
		}
	}
}

package answer

import (
	"strings"
	"testing"
	"unicode/utf8"

	"wstk/shared/wstk"
)

// Whatever the content of an extraction is, its citation has a reference for each mark, and passes
// the check.
func FuzzCite(f *testing.F) {
	for _, s := range []string{"A. [1][2]", `\[1] \\[2]`, "[1", "[[1]]", "[1][1][3] (comment)", "[٣]", "\\", "[01]",
		"> - one [2]\n| a | b |\n[1]"} {
		f.Add(s, "Visit")
	}
	f.Fuzz(func(t *testing.T, content, section string) {
		xs := []wstk.Extraction{{Content: content, Evidence: []wstk.Evidence{
			quote("ev_1", "https://a.example/", section), quote("ev_2", "https://a.example/", "Fees"),
			quote("ev_3", "https://b.example/")}}, {Content: content, Evidence: []wstk.Evidence{
			quote("ev_4", "https://b.example/", section)}}}
		r := wstk.AnswerResult{AskResult: wstk.AskResult{Extractions: xs}}
		r.Content, r.References = Cite(xs)
		if faults := CheckCited(r); len(faults) > 0 {
			t.Fatalf("%q is cited as %q with the faults %q", content, r.Content, faults)
		}
	})
}

// Whatever is asked, it has one to six sub-questions, none of them empty but for an empty question,
// and a second analysis is new only if it differs.
func FuzzRules(f *testing.F) {
	for _, s := range []string{"hours, prices and address of it?", "A vs. B", "and and and", ", , and ,", "¿a y b?",
		"Unterschied zwischen und und", "compare with", "Which, a or b, or c", "日本 vs 中国", "\xff and \xfe"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, q string) {
		var a Analyser
		subs := a.Rules(q)
		if len(subs) == 0 || len(subs) > maxSubQuestions {
			t.Fatalf("%q has %d sub-questions", q, len(subs))
		}
		for _, s := range subs {
			if strings.TrimSpace(s) == "" && strings.TrimSpace(q) != "" || utf8.ValidString(q) && !utf8.ValidString(s) {
				t.Fatalf("%q is taken apart into %q", q, subs)
			}
		}
		again, fresh := a.Again(q, subs, nil, subs)
		if fresh && strings.Join(again, "\n") == strings.Join(subs, "\n") || len(again) > maxSubQuestions {
			t.Fatalf("%q is taken apart anew into %q, which counts as new: %v", q, again, fresh)
		}
	})
}

// Whatever an llms.txt holds, its pages have addresses that can be weighed, and all signals are
// shares.
func FuzzLLMsText(f *testing.F) {
	f.Add("# A\n- [Fees](/fees): cost\n", "fees")
	f.Add("- [\x00](//b.example:99999/)\n* [x](<y z>)\n+ [a](b(c))", "x ")
	f.Fuzz(func(t *testing.T, body, question string) {
		cs := LLMsText("https://a.example/llms.txt", body)
		for _, l := range Score(cs, Weighing{Question: question, Now: today}) {
			for _, v := range []float64{l.Path, l.Text, l.Title, l.Recent, l.Near, l.Score} {
				if !(v >= 0 && v <= 1) {
					t.Fatalf("%+v has a signal of %v", l, v)
				}
			}
		}
	})
}

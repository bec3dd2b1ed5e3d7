package read

import (
	"strings"
	"testing"
	"unicode/utf8"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

const longMarkdown = "# Title\n\nFirst paragraph here. It has two sentences.\n\n## Code\n\n```go\nfunc main() {\n\n\tprintln(1)\n}\n```\n\n" +
	"| a | b |\n| --- | --- |\n| one cell | another |\n| three | four |\n\n- item one\n- item two\n\n文字だけの段落。二つ目の文。\n\nThe end of it\n"

// parts cuts s until nothing is left.
func parts(t testing.TB, s string, limit Limit) []Part {
	t.Helper()
	var out []Part
	for cursor := ""; ; {
		p, err := Cut(s, limit, cursor)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, p)
		if cursor = p.Next; cursor == "" {
			return out
		}
		if len(out) > len(s)+1 {
			t.Fatal("the cursor does not advance")
		}
	}
}

// checkParts holds what Cut promises.
func checkParts(t testing.TB, s string, limit Limit) {
	t.Helper()
	var all strings.Builder
	at := 0
	for i, p := range parts(t, s, limit) {
		if p.Start != at || p.End-p.Start != utf8.RuneCountInString(p.Source) ||
			p.Total != utf8.RuneCountInString(s) {
			t.Fatalf("part %d is %d–%d of %d, after %d", i, p.Start, p.End, p.Total, at)
		}
		at = p.End
		all.WriteString(p.Source)
		if p.Source == "" && s != "" {
			t.Fatalf("part %d is empty", i)
		}
		fences := 0
		for l := range strings.SplitSeq(p.Text, "\n") {
			if codeFence(l) != "" {
				fences++
			}
		}
		if strings.Count(s, "```") == 2 && strings.Contains(p.Text, "```") && fences%2 != 0 {
			t.Errorf("part %d leaves a code block open: %q", i, p.Text)
		}
		if p.End-p.Start > 1 && codeFence(strings.TrimSpace(p.Source)) == "" &&
			(limit.Chars > 0 && utf8.RuneCountInString(p.Text) > limit.Chars ||
				limit.Tokens > 0 && text.EstimateTokens(p.Text) > limit.Tokens) {
			t.Errorf("part %d is over %+v: %q", i, limit, p.Text)
		}
	}
	if all.String() != s {
		t.Errorf("the parts are not the whole: %q", all.String())
	}
}

func TestCutIsWholeAndFits(t *testing.T) {
	for n := 1; n < 300; n++ {
		checkParts(t, longMarkdown, Limit{Chars: n})
		checkParts(t, longMarkdown, Limit{Tokens: n})
		checkParts(t, longMarkdown, Limit{Chars: n, Tokens: n / 3})
	}
	checkParts(t, "", Limit{Chars: 5})
	checkParts(t, strings.Repeat("word ", 100_000), Limit{Chars: 5_000})
}

func TestCutEndsAtBlocks(t *testing.T) {
	cut := func(s string, n int) []string {
		var out []string
		for _, p := range parts(t, s, Limit{Chars: n}) {
			out = append(out, p.Text)
		}
		return out
	}
	for name, c := range map[string]struct {
		text  string
		limit int
		want  []string
	}{
		"blocks":    {"One two.\n\nThree four.\n\nFive.", 24, []string{"One two.\n\nThree four.\n\n", "Five."}},
		"lines":     {"alpha\nbeta\ngamma", 12, []string{"alpha\nbeta\n", "gamma"}},
		"sentences": {"One is here. Two is here. Three", 20, []string{"One is here. ", "Two is here. Three"}},
		"words":     {"alphabet beta gamma", 10, []string{"alphabet ", "beta gamma"}},
		"letters":   {"abcdefghij", 4, []string{"abcd", "efgh", "ij"}},
		"rows":      {"| a | b |\n| - | - |\n| c | d |\n| e | f |\n\nend", 30, []string{"| a | b |\n| - | - |\n| c | d |\n", "| e | f |\n\nend"}},
		"code":      {"```go\nline one\nline two\nline three\n```\n\nend", 30, []string{"```go\nline one\nline two\n```", "```go\nline three\n```\n\nend"}},
		"marks":     {"e\u0301e\u0301e\u0301", 3, []string{"e\u0301", "e\u0301", "e\u0301"}},
	} {
		if got := cut(c.text, c.limit); strings.Join(got, "¦") != strings.Join(c.want, "¦") {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestCursors(t *testing.T) {
	p, err := Cut(longMarkdown, Limit{Chars: 50}, "")
	if err != nil || p.Next == "" {
		t.Fatal(p, err)
	}
	if _, err := Cut(longMarkdown+" ", Limit{Chars: 50}, p.Next); wstk.CodeOf(err) != wstk.Conflict {
		t.Errorf("a cursor of another text: %v", err)
	}
	changed := []byte(p.Next)
	changed[5] ^= 1
	for _, bad := range []string{"x", "AAAA", string(changed), p.Next + "A", "\x00"} {
		if _, err := Cut(longMarkdown, Limit{Chars: 50}, bad); wstk.CodeOf(err) != wstk.Invalid {
			t.Errorf("cursor %q: %v", bad, err)
		}
	}
	if _, err := Cut("x", Limit{Chars: -1}, ""); wstk.CodeOf(err) != wstk.Invalid {
		t.Errorf("a negative limit: %v", err)
	}
}

func FuzzCut(f *testing.F) {
	f.Add(longMarkdown, 20, 0)
	f.Add("~~~\n```\n~~~\n", 5, 3)
	f.Fuzz(func(t *testing.T, s string, chars, tokens int) {
		if !utf8.ValidString(s) || len(s) > 5000 || chars < 0 || tokens < 0 {
			return
		}
		var all strings.Builder
		for _, p := range parts(t, s, Limit{Chars: chars, Tokens: tokens}) {
			all.WriteString(p.Source)
		}
		if all.String() != s {
			t.Error("the parts are not the whole")
		}
	})
}

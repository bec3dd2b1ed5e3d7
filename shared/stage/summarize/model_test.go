package summarize_test

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"wstk/shared/adapter/memory"
	"wstk/shared/prompt"
	"wstk/shared/stage/summarize"
	"wstk/shared/wstk"
)

// summarizer is a model that summarizes each page that it is shown, but for those it is told.
type summarizer struct {
	lacks   func(call int, shown string) (times int) // summaries of a page, 1 where nil
	refuses string                                   // it fails on a call with these words
	calls   []wstk.ModelRequest
}

func (m *summarizer) Info() wstk.ModelInfo { return wstk.ModelInfo{Provider: "test", Model: "m1"} }

var fenced = regexp.MustCompile(`(?s)<(data-\w+) page=(\d+) url="[^"]*">\n(.*?)\n</`)

func (m *summarizer) Complete(
	_ context.Context, r wstk.ModelRequest,
) (wstk.ModelReply, error) {
	m.calls = append(m.calls, r)
	usage := wstk.Usage{Calls: 1, InputTokens: 10}
	if m.refuses != "" && strings.Contains(r.User, m.refuses) {
		return wstk.ModelReply{Usage: usage}, wstk.Errorf(wstk.ModelFailed, "", "it refused")
	}
	var list []string
	for _, p := range fenced.FindAllStringSubmatch(r.User, -1) {
		times := 1
		if m.lacks != nil {
			times = m.lacks(len(m.calls), p[3])
		}
		text, _ := json.Marshal("About: " + p[3])
		for range times {
			list = append(list, fmt.Sprintf(`{"page":%s,"text":%s,"offers":["number","gold"],`+
				`"asks":[],"calls_to_action":null,"entities":[%q],"language":"en"}`, p[2], text,
				strings.Repeat("x", 200)))
		}
	}
	return wstk.ModelReply{Text: "```json\n{\"summaries\":[" + strings.Join(list, ",") + "]}\n```",
		Usage: usage}, nil
}

func each(m *summarizer, docs []*wstk.Document) []summarize.Made {
	s := summarize.Stage{Engine: summarize.ByModel{Asks: m}, Summaries: memory.NewSummaries()}
	return s.Each(ctx, docs...)
}

func TestAModelSummarizesTenPagesACall(t *testing.T) {
	m := &summarizer{}
	docs := pages(200)
	for i, s := range each(m, docs) {
		if s.Err != nil || s.Text != "About: "+docs[i].Text || s.URL != docs[i].URL ||
			s.Engine != "test" || s.Model != "m1" || s.PromptHash != string(
			summarize.ModelPrompt.Hash()) {
			t.Fatalf("page %d: %+v, want its own text", i, s)
		}
		if fmt.Sprint(s.Signals) != "{[number] [] [] []}" {
			t.Fatalf("signals %+v: what is not on the page or too long must go", s.Signals)
		}
	}
	if n := len(m.calls); n > 40 {
		t.Errorf("%d calls for 200 pages, want at most 40", n)
	}
}

// A page that the reply lacks, or has twice, is asked for once more, and fails alone.
func TestPagesThatAModelForgets(t *testing.T) {
	for name, c := range map[string]struct {
		times  func(call int, shown string) int
		calls  int
		failed bool
	}{
		"once":         {func(call int, s string) int { return times(s, "number 3.", call == 1, 0) }, 2, false},
		"always":       {func(_ int, s string) int { return times(s, "number 3.", true, 0) }, 2, true},
		"always twice": {func(_ int, s string) int { return times(s, "number 3.", true, 2) }, 2, true},
	} {
		m := &summarizer{lacks: c.times}
		got := each(m, pages(8))
		for i, s := range got {
			if want := c.failed && i == 3; (s.Err != nil) != want ||
				want && wstk.CodeOf(s.Err) != wstk.ModelFailed {
				t.Errorf("%s: page %d is %+v, want a failure only of page 3", name, i, s)
			}
		}
		if len(m.calls) != c.calls {
			t.Errorf("%s: %d calls, want %d", name, len(m.calls), c.calls)
		}
	}
}

func times(shown, words string, forgets bool, then int) int {
	if forgets && strings.Contains(shown, words) {
		return then
	}
	return 1
}

// A page on which a model fails fails alone.
func TestAPageThatAModelRefuses(t *testing.T) {
	m := &summarizer{refuses: "number 5."}
	for i, s := range each(m, pages(8)) {
		if (s.Err != nil) != (i == 5) {
			t.Errorf("page %d: %v, want a failure only of page 5", i, s.Err)
		}
	}
}

// What was summarized with another prompt is summarized again, and nothing else.
func TestAChangedPromptSummarizesAgain(t *testing.T) {
	m, words := &summarizer{}, "First."
	s := summarize.Stage{Summaries: memory.NewSummaries(), Engine: summarize.ByModel{Asks: m,
		Prompts: func(wstk.Operation) (string, error) { return words, nil }}}
	for _, c := range []struct {
		prompt string
		calls  int
	}{{"First.", 1}, {"First.", 1}, {"Second.", 2}, {"First.", 2}} {
		words = c.prompt
		got, err := s.Do(ctx, pages(3)...)
		if err != nil || len(m.calls) != c.calls ||
			got[0].PromptHash != string(prompt.Prompt{Text: c.prompt}.Hash()) {
			t.Errorf("%s: %d calls, %+v, %v; want %d calls", c.prompt, len(m.calls), got[0], err,
				c.calls)
		}
	}
	s.Engine = summarize.ByModel{Asks: m, Prompts: func(wstk.Operation) (string, error) {
		return "", fmt.Errorf("no file")
	}}
	if _, err := s.Do(ctx, pages(1)...); wstk.CodeOf(err) != wstk.Unprocessable {
		t.Errorf("a prompt that cannot be read: %v, want %s", err, wstk.Unprocessable)
	}
}

// A page takes its share of a call and no more, with the headings of the rest.
func TestALongPageIsShownInBounds(t *testing.T) {
	lines := []string{"# Start"}
	for i := range 400 {
		lines = append(lines, fmt.Sprintf("Paragraph %d tells of the harbour and its boats.", i))
	}
	m := &summarizer{}
	each(m, []*wstk.Document{page("long", "en", append(lines, "## Last heading")...),
		page("line", "en", strings.Repeat("word ", 100_000))})
	if n := len(m.calls[0].User); n > 20_000 || !strings.Contains(m.calls[0].User, "Paragraph 9 ") ||
		!strings.Contains(m.calls[0].User, "Last heading") {
		t.Errorf("the prompt has %d bytes, want the beginning and the headings, within 20000", n)
	}
}

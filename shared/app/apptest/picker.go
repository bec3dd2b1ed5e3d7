package apptest

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"wstk/shared/wstk"
)

// Model is a language model that a test writes. It counts its calls and is safe for concurrent
// use if Answer is.
type Model struct {
	// Answer is what the model says to what it was shown, or its error.
	Answer func(ctx context.Context, p Prompt) (string, error)

	mu    sync.Mutex
	calls []Prompt
}

// Prompt is what a model was shown.
type Prompt struct {
	wstk.ModelRequest
	Question, Item, Language string
	Fields                   []string
	Pages                    []Shown // in order; a page of several passages is one
}

// Shown is a page as a prompt shows it.
type Shown struct {
	Number int
	URL    string
	Text   string
}

// Info names the model.
func (m *Model) Info() wstk.ModelInfo {
	return wstk.ModelInfo{Provider: "scripted", Model: "made-up-1"}
}

// Complete counts the call and answers. It takes a hundred tokens and writes ten.
func (m *Model) Complete(ctx context.Context, r wstk.ModelRequest) (wstk.ModelReply, error) {
	p := Read(r)
	m.mu.Lock()
	m.calls = append(m.calls, p)
	m.mu.Unlock()
	text, err := m.Answer(ctx, p)
	if ctx.Err() != nil {
		return wstk.ModelReply{}, wstk.Wrap(wstk.Cancelled, "asking scripted", ctx.Err())
	}
	return wstk.ModelReply{Text: text, Usage: wstk.Usage{Calls: 1, InputTokens: 100,
		OutputTokens: 10}}, err
}

// Calls are the calls for an operation so far, in any order; for "" all but those to summarize.
func (m *Model) Calls(op wstk.Operation) (out []Prompt) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, p := range m.calls {
		if p.Operation == op || op == "" && p.Operation != wstk.OpSummarize {
			out = append(out, p)
		}
	}
	return out
}

// Models gives this model for every operation.
func (m *Model) Models(wstk.Operation) wstk.Model { return m }

var fences = regexp.MustCompile(
	`(?s)\n<(data-[0-9a-f]{16}) page=(\d+) url=("(?:[^"\\]|\\.)*")>\n(.*?)\n</data-[0-9a-f]{16}>\n`)

// Read reads what a model was shown.
func Read(r wstk.ModelRequest) Prompt {
	p := Prompt{ModelRequest: r}
	request := r.User
	if _, rest, ok := strings.Cut(r.User, "\n"); ok && strings.HasPrefix(r.User, "REQUEST ") {
		request, _, _ = strings.Cut(rest, "\n")
	}
	var asked struct {
		Question, Language string
		Fields             []string
	}
	_ = json.Unmarshal([]byte(request), &asked) // a prompt without a request asks nothing
	p.Question, p.Language, p.Fields = asked.Question, asked.Language, asked.Fields
	for _, m := range fences.FindAllStringSubmatch(r.User, -1) {
		n, _ := strconv.Atoi(m[2])
		if n == 0 {
			p.Item = m[4]
			continue
		}
		if k := len(p.Pages) - 1; k >= 0 && p.Pages[k].Number == n {
			p.Pages[k].Text += "\n" + m[4]
			continue
		}
		url, _ := strconv.Unquote(m[3])
		p.Pages = append(p.Pages, Shown{n, url, m[4]})
	}
	return p
}

// Claimed is a claim as a model replies it.
type Claimed struct {
	Field     string   `json:"field"`
	Statement string   `json:"statement"`
	Support   string   `json:"support"`
	Quotes    []Quoted `json:"quotes"`
}

// Quoted is a quote as a model replies it.
type Quoted struct {
	Page  int    `json:"page"`
	Words string `json:"words"`
}

// Reply is a reply of claims, without gaps.
func Reply(claims ...Claimed) string {
	data, _ := json.Marshal(map[string]any{"claims": append([]Claimed{}, claims...),
		"gaps": []any{}})
	return string(data)
}

// Picker answers with lines of the pages alone: it sorts each page into a bucket of its own,
// named by its first line, in the order of these names, and states the first line that holds all
// of the words that it looks for. It summarizes a page by its first line.
func Picker(words ...string) *Model {
	return &Model{Answer: func(_ context.Context, p Prompt) (string, error) {
		return Pick(p, words...), nil
	}}
}

// Pick is the reply of Picker.
func Pick(p Prompt, words ...string) string {
	switch p.Operation {
	case wstk.OpClassify:
		return `{"strategy":"collection"}`
	case wstk.OpPartition:
		type item struct {
			Title     string `json:"title"`
			Pages     []int  `json:"pages"`
			Rationale string `json:"rationale"`
		}
		var items []item
		for _, s := range p.Pages {
			title, _, _ := strings.Cut(s.Text, "\n")
			items = append(items, item{title, []int{s.Number}, "It has a page of its own."})
		}
		slices.SortFunc(items, func(a, b item) int { return strings.Compare(a.Title, b.Title) })
		data, _ := json.Marshal(map[string]any{"items": items})
		return string(data)
	case wstk.OpExtract:
		for _, s := range p.Pages {
			if line := lineWith(s.Text, words); line != "" {
				return Reply(Claimed{Statement: line, Support: "direct",
					Quotes: []Quoted{{s.Number, line}}})
			}
		}
		return Reply()
	case wstk.OpSummarize:
		type summary struct {
			Page          int      `json:"page"`
			Text          string   `json:"text"`
			Offers        []string `json:"offers"`
			Asks          []string `json:"asks"`
			CallsToAction []string `json:"calls_to_action"`
			Entities      []string `json:"entities"`
			Language      string   `json:"language"`
		}
		var out []summary
		for _, s := range p.Pages {
			first, _, _ := strings.Cut(s.Text, "\n")
			out = append(out, summary{Page: s.Number, Text: "Summary: " + first, Language: "en",
				Offers: []string{first}, Entities: []string{"Invented Holding"}})
		}
		data, _ := json.Marshal(map[string]any{"summaries": out})
		return string(data)
	}
	return ""
}

func lineWith(s string, words []string) string {
lines:
	for line := range strings.Lines(s) {
		for _, w := range words {
			if !strings.Contains(line, w) {
				continue lines
			}
		}
		return strings.TrimSpace(line)
	}
	return ""
}

// Package shape writes a finished answer in shapes that clients of others know: chat completions
// with citations of URLs, as clients of OpenAI read them (chat.go), and blocks of search results,
// as Anthropic's models take them (results.go). The functions are pure; what they say of an answer
// is what the answer says of itself.
package shape

import (
	"cmp"
	"time"
	"unicode/utf8"

	"wstk/shared/stage/answer"
	"wstk/shared/wstk"
)

// Model is the name under which wstk answers in place of a language model.
const Model = "wstk"

// Finished is a run of an answer that has ended, with what it found.
type Finished struct {
	Run      wstk.Run
	Result   wstk.AnswerResult
	Warnings []wstk.Warning
}

// Cited is the result of an extraction with the two layers of citation that an answer about a page
// has.
func Cited(r wstk.AskResult) wstk.AnswerResult {
	out := wstk.AnswerResult{AskResult: r}
	out.Content, out.References = answer.Cite(r.Extractions)
	return out
}

// Completion is an answer as a chat completion.
type Completion struct {
	ID      string   `json:"id"` // of the run
	Object  string   `json:"object"`
	Created int64    `json:"created"` // seconds since 1970, when the run ended
	Model   string   `json:"model"`
	Choices []Choice `json:"choices"`
	Usage   Tokens   `json:"usage"`
	Wstk    About    `json:"wstk"`
}

// Choice is the only reply there is.
type Choice struct {
	Index   int     `json:"index"`
	Message Message `json:"message"`
	Finish  string  `json:"finish_reason"`
}

// Message is what the answer says.
type Message struct {
	Role        string       `json:"role"`
	Content     string       `json:"content"`
	Refusal     *string      `json:"refusal"` // always null
	Annotations []Annotation `json:"annotations"`
}

// Annotation is a citation: a mark [n] in the content, and the page that it cites.
type Annotation struct {
	Type     string   `json:"type"`
	Citation Citation `json:"url_citation"`
}

// Citation is the page that a mark cites. The mark stands in the content from code point Start to
// End, which is exclusive.
type Citation struct {
	Start int    `json:"start_index"`
	End   int    `json:"end_index"`
	URL   string `json:"url"`
	Title string `json:"title"` // the URL where the page has no title
}

// Tokens are what models read and wrote for the answer; 0 where rules made it.
type Tokens struct {
	Prompt     int `json:"prompt_tokens"`
	Completion int `json:"completion_tokens"`
	Total      int `json:"total_tokens"`
}

// About says what no chat completion says: which run it is, and whether it answers.
type About struct {
	Run      wstk.RunID     `json:"run_id"`
	Kind     wstk.RunKind   `json:"kind"`
	State    wstk.RunState  `json:"state"`
	Answered bool           `json:"answered"`
	Warnings []wstk.Warning `json:"warnings"`
}

// What a message says where there is no answer.
const (
	noneOfPages  = "The pages that were read do not answer this question."
	noneOfStored = "The stored pages do not answer this question."
)

// Chat is an answer as a chat completion. Where no page answers, the message says so in one
// sentence, and cites nothing.
func Chat(f Finished) Completion {
	r := f.Result
	c := Completion{ID: string(f.Run.ID), Object: "chat.completion", Model: Model,
		Created: created(f.Run).Unix(),
		Usage: Tokens{r.Usage.InputTokens, r.Usage.OutputTokens,
			r.Usage.InputTokens + r.Usage.OutputTokens},
		Wstk: About{Run: f.Run.ID, Kind: f.Run.Kind, State: f.Run.State, Answered: r.HasAnswer(),
			Warnings: f.Warnings}}
	if c.Wstk.Warnings == nil {
		c.Wstk.Warnings = []wstk.Warning{}
	}
	m := Message{Role: "assistant", Content: r.Content, Annotations: annotations(r)}
	if !r.HasAnswer() {
		m.Content, m.Annotations = noneOfPages, []Annotation{}
		if f.Run.Kind == wstk.RunExtraction {
			m.Content = noneOfStored
		}
	}
	c.Choices = []Choice{{Message: m, Finish: "stop"}}
	return c
}

func created(run wstk.Run) time.Time {
	if run.EndedAt.IsZero() {
		return run.StartedAt
	}
	return run.EndedAt
}

// annotations are the marks of the content, in their order.
func annotations(r wstk.AnswerResult) []Annotation {
	out := []Annotation{}
	at, points := 0, 0 // a byte of the content, and the code points before it
	for _, m := range answer.Marks(r.Content) {
		if m.N < 1 || m.N > len(r.References) {
			continue
		}
		points += utf8.RuneCountInString(r.Content[at:m.Start])
		at = m.Start
		ref := r.References[m.N-1]
		out = append(out, Annotation{Type: "url_citation", Citation: Citation{Start: points,
			End: points + m.End - m.Start, URL: ref.URL, Title: cmp.Or(ref.Title, ref.URL)}})
	}
	return out
}

// Chunk is a piece of a Completion that is sent as a stream.
type Chunk struct {
	ID      string        `json:"id"`
	Object  string        `json:"object"`
	Created int64         `json:"created"`
	Model   string        `json:"model"`
	Choices []ChunkChoice `json:"choices"`
	Usage   *Tokens       `json:"usage,omitempty"`
	Wstk    About         `json:"wstk"`
}

// ChunkChoice is what a chunk adds to the reply.
type ChunkChoice struct {
	Index  int     `json:"index"`
	Delta  Delta   `json:"delta"`
	Finish *string `json:"finish_reason"`
}

// Delta is what a chunk adds to the message.
type Delta struct {
	Role        string       `json:"role,omitempty"`
	Content     string       `json:"content,omitempty"`
	Annotations []Annotation `json:"annotations,omitempty"`
}

// Chunks are a completion in pieces: who speaks, the whole message with its annotations, the end,
// and, where it is asked for, a piece without a choice that has the tokens.
func Chunks(c Completion, tokens bool) []Chunk {
	piece := func(choices ...ChunkChoice) Chunk {
		return Chunk{ID: c.ID, Object: "chat.completion.chunk", Created: c.Created,
			Model: c.Model, Choices: append([]ChunkChoice{}, choices...), Wstk: c.Wstk}
	}
	var out []Chunk
	for _, x := range c.Choices {
		out = append(out,
			piece(ChunkChoice{Index: x.Index, Delta: Delta{Role: x.Message.Role}}),
			piece(ChunkChoice{Index: x.Index, Delta: Delta{Content: x.Message.Content,
				Annotations: x.Message.Annotations}}),
			piece(ChunkChoice{Index: x.Index, Finish: &x.Finish}))
	}
	if tokens {
		last := piece()
		last.Usage = &c.Usage
		out = append(out, last)
	}
	return out
}

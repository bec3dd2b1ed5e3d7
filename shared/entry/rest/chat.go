package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"wstk/shared/entry/check"
	"wstk/shared/entry/codes"
	"wstk/shared/entry/shape"
	"wstk/shared/wstk"
)

// Requests under /v1 have the form that clients of OpenAI send. Their errors have that of all
// others: the official clients go by the status alone.
const foreignPath = "/v1/"

// maxMessages is how many messages a conversation may have; only the last of the user is read.
const maxMessages = 1000

// waitFirst is how soon a run that a request waits for is looked at. Each pause is longer, up to
// waitLast.
const (
	waitFirst = 50 * time.Millisecond
	waitLast  = time.Second
)

// chatRequest is what is read of a request for a chat completion.
type chatRequest struct {
	Model    string        `json:"model"`
	Messages []chatMessage `json:"messages"`
	URL      *string       `json:"url"` // not of OpenAI: the page that the question is about
	Stream   bool          `json:"stream"`
	Options  struct {
		Usage bool `json:"include_usage"`
	} `json:"stream_options"`
}

type chatMessage struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
}

// streamed says how a chat completion is sent as a stream.
type streamed struct {
	Tokens bool `json:"tokens"` // with a last piece that has the tokens
}

// chat answers the last message of the user in the form of a chat completion: about a page that
// it names, or from stored pages.
func (h *handler) chat(r *http.Request) (reply, error) {
	var in chatRequest
	data, err := bodyOf(r, false)
	if err == nil {
		err = check.Foreign(data, &in, "the body")
	}
	if err != nil {
		return reply{}, err
	}
	url, question, err := in.asked()
	if err != nil {
		return reply{}, err
	}
	k, run := answers, wstk.Run{}
	if url == "" {
		k = extractions
		run, err = h.app.Answering.StartExtraction(r.Context(),
			wstk.AskQuery{Query: question, Strict: true})
	} else {
		run, err = h.app.Answering.StartAnswer(r.Context(),
			wstk.AnswerQuery{URL: url, Question: question, Strict: true})
	}
	if err != nil {
		return reply{}, err
	}
	f, err := h.finished(r.Context(), k, run)
	out := reply{body: shape.Chat(f)}
	if in.Stream {
		out.stream = &streamed{in.Options.Usage}
	}
	return out, err
}

// asked is the page and the question of a request; the page is "" where none is named.
func (in chatRequest) asked() (url, question string, err error) {
	switch {
	case in.Model != shape.Model:
		return "", "", invalid("there is no model %q; the only one is %s", shortly(in.Model),
			shape.Model)
	case len(in.Messages) == 0:
		return "", "", invalid("messages is missing or empty")
	case len(in.Messages) > maxMessages:
		return "", "", invalid("messages has more than %d items", maxMessages)
	}
	message, err := in.lastOfUser()
	if err != nil {
		return "", "", err
	}
	if in.URL == nil {
		url, question = shape.Asked(message)
	} else {
		url, question = *in.URL, strings.TrimSpace(message)
		if err := check.Words("url", url, check.MaxURL); err != nil {
			return "", "", err
		}
	}
	if n := utf8.RuneCountInString(question); n > check.MaxQuery {
		return "", "", wstk.Errorf(wstk.Unprocessable, "", "the question has %d characters, at "+
			"most %d are allowed", n, check.MaxQuery).Try(wstk.Advice("ask a shorter question"))
	}
	err = check.Asked("the question", question)
	if wstk.CodeOf(err) == wstk.Invalid { // the message is there, and says nothing
		err = wstk.Errorf(wstk.Unprocessable, "", "the last message of the user asks nothing").
			Try(wstk.Advice("write a question, and the address of a page if it is about one"))
	}
	return url, question, err
}

// lastOfUser is the text of the last message of the user.
func (in chatRequest) lastOfUser() (string, error) {
	at := len(in.Messages) - 1
	for at >= 0 && in.Messages[at].Role != "user" {
		at--
	}
	if at < 0 {
		return "", wstk.Errorf(wstk.Unprocessable, "", "no message has the role user")
	}
	content := in.Messages[at].Content
	var words string
	if json.Unmarshal(content, &words) == nil {
		return words, nil
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if json.Unmarshal(content, &parts) != nil {
		return "", wstk.Errorf(wstk.Unprocessable, "",
			"the content of the last message of the user is neither a text nor a list of parts")
	}
	var texts []string
	for _, p := range parts {
		if p.Type != "text" {
			return "", wstk.Errorf(wstk.Unprocessable, "", "a part of the last message of the user "+
				"is of type %q; only text can be read", shortly(p.Type))
		}
		texts = append(texts, p.Text)
	}
	return strings.Join(texts, "\n"), nil
}

// finished waits for the end of a run. A run that has no end in the time of the request goes on, and
// the error says where to find it; one whose client has gone is cancelled.
func (h *handler) finished(
	ctx context.Context, k answerKind, run wstk.Run,
) (f shape.Finished, err error) {
	run, err = h.await(ctx, run)
	switch {
	case errors.Is(ctx.Err(), context.Canceled) && !run.State.Terminal():
		if _, err := h.app.Answering.Cancel(context.WithoutCancel(ctx), run.ID); err != nil {
			h.app.Log.WarnContext(ctx, "an answer was not cancelled", "run", string(run.ID),
				"error", err.Error())
		}
		return f, wstk.Errorf(wstk.Cancelled, "", "the client has gone")
	case err != nil:
		return f, err
	case !run.State.Terminal():
		return f, summed("the answer is not done yet", wstk.Errorf(wstk.Timeout, "",
			"it takes longer than a request may last; the run goes on, and what it finds is kept").
			Try(wstk.Step{Do: wstk.DoShowRun, For: "to see it", Run: run.ID, Kind: run.Kind}))
	case run.State == wstk.RunFailed || run.State == wstk.RunCancelled:
		return f, codes.OfRun(run)
	}
	f.Run = run
	if k == extractions {
		x, err := h.app.Answering.Extraction(ctx, run.ID)
		f.Result, f.Warnings = shape.Cited(x.AskResult), x.Warnings
		return f, err
	}
	x, err := h.app.Answering.Answer(ctx, run.ID)
	f.Result, f.Warnings = x.AnswerResult, x.Warnings
	return f, err
}

// await returns a run as it ended, or as it stands a little before the time of the request is
// over.
func (h *handler) await(ctx context.Context, run wstk.Run) (wstk.Run, error) {
	var over <-chan time.Time
	if at, ok := ctx.Deadline(); ok {
		left := time.Until(at)
		over = time.After(left - min(time.Second, left/10))
	}
	for pause := waitFirst; ; pause = min(pause*3/2, waitLast) {
		now, err := h.app.Runs.Get(ctx, run.ID)
		if err != nil || now.State.Terminal() {
			return now, err
		}
		select {
		case <-ctx.Done():
			return now, nil
		case <-over:
			return now, nil
		case <-time.After(pause):
		}
	}
}

// sendStream sends a chat completion in pieces, all of them at once: a buffered home does it as
// any other.
func sendStream(w http.ResponseWriter, completion []byte, s streamed) error {
	var c shape.Completion
	if err := json.Unmarshal(completion, &c); err != nil {
		return wstk.Wrap(wstk.Internal, "reading a completion", err)
	}
	var out bytes.Buffer
	for _, chunk := range shape.Chunks(c, s.Tokens) {
		data, err := encode(chunk)
		if err != nil {
			return err
		}
		fmt.Fprintf(&out, "data: %s\n", data) // the data ends its line itself
	}
	out.WriteString("data: [DONE]\n\n")
	w.Header().Set("Content-Type", eventStream)
	w.WriteHeader(http.StatusOK)
	w.Write(out.Bytes())
	return nil
}

// modelList is what a client may name as its model.
type modelList struct {
	Object string  `json:"object"`
	Data   []model `json:"data"`
}

type model struct {
	ID      string `json:"id"`
	Object  string `json:"object"`
	Created int64  `json:"created"`
	OwnedBy string `json:"owned_by"`
}

func (h *handler) models(r *http.Request) (reply, error) {
	return reply{body: modelList{"list", []model{{shape.Model, "model", 0, shape.Model}}}},
		noQuery(r)
}

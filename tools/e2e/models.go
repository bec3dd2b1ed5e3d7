package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"

	"wstk/shared/wstk/wstktest/modelserver"
)

// scripted plays one language model for both homes: in OpenAI's shape for the program, in
// Bedrock's for the functions, which find it because the emulator told them where.
type scripted struct {
	*modelserver.Server
	bedrock http.Server
	busy    atomic.Int32 // requests of the functions that are refused at first
}

// throttled is how many requests of the functions are refused: they have to come again.
const throttled = 3

// modelID is what the functions ask for, through an inference profile.
const modelID = "eu.made-up-1"

// playModels starts the model. nil and no error mean that the functions cannot be led to it:
// the endpoint was not started by tools/emulator.
func playModels() (*scripted, error) {
	at := os.Getenv("AWS_ENDPOINT_URL_BEDROCK_RUNTIME")
	if at == "" {
		return nil, nil
	}
	listener, err := net.Listen("tcp", strings.TrimPrefix(at, "http://"))
	if err != nil {
		return nil, err
	}
	s := &scripted{}
	s.Server = modelserver.Start(s.reply)
	s.bedrock.Handler = s.Handler()
	go s.bedrock.Serve(listener)
	return s, nil
}

func (s *scripted) close() {
	s.bedrock.Close()
	s.Close()
}

// reply is what the model says, which depends on the request alone; but the first requests
// of the functions are refused.
func (s *scripted) reply(r modelserver.Request) modelserver.Reply {
	if r.API == modelserver.Bedrock && s.busy.Add(1) <= throttled {
		return modelserver.Reply{Status: http.StatusTooManyRequests}
	}
	p, err := readPrompt(r.User)
	if err != nil && r.Name != "strategy" {
		return modelserver.Reply{Status: http.StatusBadRequest}
	}
	switch r.Name {
	case "strategy":
		return modelserver.Reply{Text: `{"strategy":"singular"}`}
	case "summaries":
		return modelserver.Reply{Text: p.summaries()}
	case "items":
		return modelserver.Reply{Text: p.items()}
	case "claims":
		return modelserver.Reply{Text: p.claims()}
	}
	return modelserver.Reply{Status: http.StatusBadRequest}
}

// prompt is what the system asks: a request, and the passages of pages.
type prompt struct {
	Question string
	passages []passage
}

type passage struct {
	page int
	text string
}

func readPrompt(user string) (p prompt, err error) {
	lines := strings.SplitAfterN(user, "\n", 3)
	if len(lines) < 3 {
		return p, errors.New("there are no pages")
	}
	if err := json.Unmarshal([]byte(lines[1]), &p); err != nil {
		return p, err
	}
	mark := strings.TrimSpace(strings.TrimPrefix(lines[0], "REQUEST "))
	for _, part := range strings.Split(lines[2], "\n<"+mark+" page=")[1:] {
		head, body, _ := strings.Cut(part, ">\n")
		body, _, found := strings.Cut(body, "\n</"+mark)
		number, err := strconv.Atoi(strings.Fields(head)[0])
		if err != nil || !found {
			return p, errors.New("a passage has no end")
		}
		p.passages = append(p.passages, passage{number, body})
	}
	return p, nil
}

type object = map[string]any

func said(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // it is made of texts and numbers
	}
	return string(data)
}

// summaries begin as their pages do.
func (p prompt) summaries() string {
	var all []any
	for i, s := range p.passages {
		if i > 0 && p.passages[i-1].page == s.page {
			continue
		}
		none := []string{}
		all = append(all, object{"page": s.page, "text": s.text[:min(len(s.text), 200)],
			"offers": none, "asks": none, "calls_to_action": none, "entities": none,
			"language": "en"})
	}
	return said(object{"summaries": all})
}

// items are the first two pages, each by itself.
func (p prompt) items() string {
	var all []any
	for _, n := range []int{1, 2} {
		all = append(all, object{"title": "of the stand-in", "pages": []int{n},
			"rationale": "one page"})
	}
	return said(object{"items": all})
}

// lie is a claim that no page bears, with a quote that none holds.
const lie = "The largest number is 4711 in every version."

// claims quotes the sentence with the most words of the question, and then lies.
func (p prompt) claims() string {
	most, best, on := 0, "", 0
	for _, s := range p.passages {
		for _, line := range strings.Split(s.text, "\n") {
			for _, sentence := range strings.SplitAfter(line, ". ") {
				n := 0
				for _, word := range strings.Fields(p.Question) {
					if len(word) > 3 && strings.Contains(sentence, word) {
						n++
					}
				}
				if n > most {
					most, best, on = n, strings.TrimSpace(sentence), s.page
				}
			}
		}
	}
	claim := func(words string) object {
		return object{"field": "", "statement": words, "support": "direct",
			"quotes": []any{object{"page": on, "words": words}}}
	}
	return said(object{"gaps": []any{}, "claims": []any{claim(best), claim(lie)}})
}

// models changes the stack so that a model proposes the answers, asks in both homes and
// compares: both say the same, with a quote, and list the lie as unsupported.
func (e *e2e) models(
	ctx context.Context, home *home, model *scripted, folder string, questions []question,
) error {
	if model == nil {
		e.step("  left out: the functions cannot be led to a model")
		return nil
	}
	profile := "arn:aws:bedrock:us-east-1:000000000000:inference-profile/" + modelID
	if err := e.put(ctx, filepath.Join(e.dir, "build"), append(e.parameters(), "Model="+modelID,
		"ModelArns="+profile)...); err != nil {
		return err
	}
	prompted := *home
	prompted.env = maps.Clone(home.env)
	maps.Copy(prompted.env, map[string]string{"WSTK_MODEL": "openai:made-up-1",
		"OPENAI_BASE_URL": model.BaseURL(modelserver.OpenAI), "OPENAI_API_KEY": "made" + "-up"})
	// Pages that are in neither home are read and summarized for the question.
	fresh := serve(folder)
	defer fresh.close()
	kinds := map[string]int{} // how many questions wanted one answer, and how many a list
	for _, q := range questions {
		if len(q.Pages) == 0 || kinds[q.Strategy] == 1 || q.Strategy == "narrative" {
			continue
		}
		kinds[q.Strategy]++
		var pages []string
		if q.Strategy == "singular" {
			for _, p := range q.Pages {
				pages = append(pages, fresh.url+strings.TrimPrefix(p, "/"))
			}
		}
		c, err := e.both(ctx, &prompted, q, pages)
		if err != nil {
			return err
		}
		switch {
		case c.cloud != c.local:
			return fmt.Errorf("%s differs:\n--- cloud\n%s\n--- home\n%s", q.ID, c.cloud, c.local)
		case c.cloudFirst == "":
			return fmt.Errorf("%s has no quote:\n%s", q.ID, c.cloud)
		case strings.Contains(c.cloudFirst, lie) || !strings.Contains(c.cloud, lie):
			return fmt.Errorf("the lie is not among what is unsupported:\n%s", c.cloud)
		}
		e.step("  “%s”", c.cloudFirst)
	}
	return e.comparePrompts(model)
}

// comparePrompts compares what both homes asked the model.
func (e *e2e) comparePrompts(model *scripted) error {
	asked := map[modelserver.API]map[string]bool{}
	names := map[string]bool{}
	for _, r := range model.Requests() {
		names[r.Name] = true
		if asked[r.API] == nil {
			asked[r.API] = map[string]bool{}
		}
		asked[r.API][r.Name+"\n"+r.System+"\n"+r.User] = true
		if r.API == modelserver.Bedrock && r.Model != modelID {
			return fmt.Errorf("the functions asked for %q", r.Model)
		}
	}
	switch {
	case model.busy.Load() <= throttled:
		return errors.New("what was refused did not come again")
	case !names["summaries"] || !names["items"] || !names["claims"]:
		return fmt.Errorf("the model was asked only for %v", names)
	case !maps.Equal(asked[modelserver.Bedrock], asked[modelserver.OpenAI]):
		return fmt.Errorf("the prompts differ: %d in the cloud, %d at home",
			len(asked[modelserver.Bedrock]), len(asked[modelserver.OpenAI]))
	}
	e.step("  %d prompts, equal byte for byte; %d requests were refused and came again",
		len(asked[modelserver.Bedrock]), throttled)
	return nil
}

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// deep is a site whose answer is three links deep.
var deep = map[string]string{
	"/":                  `<h1>Castle garden</h1><p>A garden of roses and old trees.</p><a href=/visit>Visit the garden</a> <a href=/news>News</a>`,
	"/visit":             `<h1>Visit</h1><p>The garden is easy to reach.</p><a href=/visit/fees>Fees and opening hours</a>`,
	"/visit/fees":        `<h1>Fees</h1><p>Fees are paid at the gate.</p><a href=/visit/fees/groups>Fees of groups</a>`,
	"/visit/fees/groups": `<h1>Fees of groups</h1><p>A group of up to twelve people pays a fee of 84 euros for the garden.</p>`,
	"/news":              `<h1>News</h1><p>A new gate has been built.</p>`,
}

// aboutPage is an answer about a page, and how it was found.
type aboutPage struct {
	Run        run             `json:"run"`
	Content    string          `json:"content"`
	References json.RawMessage `json:"references"`
	Turns      []struct {
		Rule  string `json:"rule"`
		Links []struct {
			URL    string `json:"url"`
			Chosen bool   `json:"chosen"`
		} `json:"links"`
	} `json:"turns"`
	Stopped struct {
		Rule string `json:"rule"`
	} `json:"stopped"`
	Answered  *bool  `json:"answered"`
	PagesRead int    `json:"pages_read"`
	Next      string `json:"next_cursor"`
}

// plain is the answer without run and times.
func (a aboutPage) plain() (string, error) {
	a.Run, a.Next = run{}, ""
	data, err := json.Marshal(a)
	if err != nil {
		return "", err
	}
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		return "", err
	}
	strip(v)
	data, err = json.MarshalIndent(v, "", " ")
	return string(data), err
}

// answers asks about a page of a site that neither home has seen, and compares. An agent that asks
// again over MCP finds the pages stored. Both keep the pages, so that later parts compare the same.
func (e *e2e) answers(ctx context.Context, h *home) error {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, ok := deep[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		title, _, _ := strings.Cut(strings.TrimPrefix(body, "<h1>"), "<")
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<html lang=en><title>%s</title><main>%s</main></html>", title, body)
	}))
	defer site.Close()
	for _, q := range [][2]string{
		{"Which fee does a group pay for the garden?", "84 euros"},
		{"When was the first owner of the castle born?", ""},
	} {
		question, want := q[0], q[1]
		var local aboutPage
		if err := h.json(ctx, &local, "answer", site.URL+"/", question); err != nil {
			return err
		}
		cloud, err := e.answerAbout(ctx, site.URL+"/", question)
		if err != nil {
			return err
		}
		here, err := local.plain()
		if err != nil {
			return err
		}
		if there, err := cloud.plain(); err != nil || here != there {
			return errors.Join(err, fmt.Errorf("the answers differ:\n--- cloud\n%s\n--- home\n%s", there, here))
		}
		if !strings.Contains(cloud.Content, want) || (want == "") != (cloud.Content == "") {
			return fmt.Errorf("the answer to %q is %s", question, here)
		}
		e.step("  “%s”: %d pages read in %d turns, %s", orNone(cloud.Content), cloud.PagesRead,
			len(cloud.Turns), cloud.Stopped.Rule)
		if want == "" {
			continue
		}
		if err := e.agentAnswers(ctx, site.URL+"/", question, cloud.Content); err != nil {
			return err
		}
	}
	return nil
}

func orNone(content string) string {
	if content == "" {
		return "no page says it"
	}
	return content
}

// answerAbout asks the API about a page and waits for the answer.
func (e *e2e) answerAbout(ctx context.Context, url, question string) (a aboutPage, err error) {
	if err := e.api.call(ctx, "POST", "/answers", map[string]any{"url": url, "question": question},
		&a, 202); err != nil {
		return a, err
	}
	id := a.Run.ID
	err = until(ctx, 300*time.Millisecond, func() (bool, error) {
		a = aboutPage{}
		if err := e.api.call(ctx, "GET", "/answers/"+id, nil, &a, 200); err != nil {
			return false, err
		}
		if a.Run.State != "running" && a.Run.State != "complete" {
			return false, fmt.Errorf("%s: %v", a.Run.State, a.Run.Reasons)
		}
		return a.Run.State == "complete", nil
	})
	return a, err
}

// agentAnswers asks about a page over MCP, and expects the same words.
func (e *e2e) agentAnswers(ctx context.Context, url, question, want string) error {
	client, err := e.agent(ctx)
	if err != nil {
		return err
	}
	defer client.Close()
	var got aboutPage
	for arguments := map[string]any{"url": url, "query": question}; ; arguments["cursor"] = got.Next {
		got = aboutPage{}
		if err := callTool(ctx, client, "answer", arguments, &got); err != nil {
			return err
		}
		if got.Run.State != "running" {
			break
		}
	}
	if got.Content != want {
		return fmt.Errorf("over MCP the answer is %q, not %q", got.Content, want)
	}
	return nil
}

// agent connects as an agent does.
func (e *e2e) agent(ctx context.Context) (*mcp.ClientSession, error) {
	return mcp.NewClient(&mcp.Implementation{Name: "e2e", Version: "1"}, nil).
		Connect(ctx, &mcp.StreamableClientTransport{Endpoint: e.api.base + "/mcp",
			HTTPClient: &http.Client{Transport: e.api}}, nil)
}

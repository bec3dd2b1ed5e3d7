package research_test

import (
	"context"
	"encoding/json"
	"maps"
	"strings"
	"sync/atomic"
	"testing"

	"wstk/shared/adapter/memory"
	"wstk/shared/research"
	"wstk/shared/wstk"
)

// scripted is a model that proposes one quote for each bucket.
type scripted struct {
	calls atomic.Int32
	reply func(wstk.ModelRequest) (string, error)
}

func (*scripted) Info() wstk.ModelInfo { return wstk.ModelInfo{Provider: "test", Model: "scripted"} }

func (m *scripted) Complete(
	ctx context.Context, r wstk.ModelRequest,
) (wstk.ModelReply, error) {
	m.calls.Add(1)
	if err := ctx.Err(); err != nil {
		return wstk.ModelReply{}, wstk.Wrap(wstk.Cancelled, "asking", err)
	}
	text, err := m.reply(r)
	return wstk.ModelReply{Text: text,
		Usage: wstk.Usage{Calls: 1, InputTokens: 10, OutputTokens: 5}}, err
}

// counting are blobs that count what is stored.
type counting struct {
	*memory.Blobs
	puts atomic.Int32
}

func (c *counting) Put(ctx context.Context, data []byte) (wstk.Hash, error) {
	c.puts.Add(1)
	return c.Blobs.Put(ctx, data)
}

func opened(t *testing.T, o research.Options) (*research.Research, string) {
	t.Helper()
	site := pump()
	t.Cleanup(site.Close)
	settings := maps.Clone(onLoopback)
	maps.Copy(settings, o.Settings)
	o.Settings = settings
	r, err := research.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	if _, err := r.Ingest(t.Context(), site.URL+"/", research.Crawl{}); err != nil {
		t.Fatal(err)
	}
	return r, site.URL
}

// A program brings its own stores by the ports: what is read goes there and nowhere else.
func TestStoresOfTheCaller(t *testing.T) {
	own := research.InMemory()
	blobs := &counting{Blobs: memory.NewBlobs()}
	own.Blobs = blobs
	r, _ := opened(t, research.Options{Stores: &own})
	if n, err := own.Pages.Count(t.Context(), ""); blobs.puts.Load() == 0 || err != nil || n != 2 {
		t.Errorf("%d blobs were stored, and %d pages, %v", blobs.puts.Load(), n, err)
	}
	answer, err := r.Ask(t.Context(), "What is the maximum pressure of the pump?")
	if err != nil || !answer.HasAnswer() {
		t.Errorf("%+v, %v", answer, err)
	}
	own.Frontier = nil
	_, err = research.Open(t.Context(), research.Options{Stores: &own})
	if wstk.CodeOf(err) != wstk.Invalid ||
		!strings.Contains(err.Error(), "Frontier") {
		t.Errorf("a set without a frontier: %v", err)
	}
	both := research.Options{Stores: &own, Dir: t.TempDir()}
	if _, err := research.Open(t.Context(), both); wstk.CodeOf(err) != wstk.Invalid {
		t.Errorf("stores and a folder: %v", err)
	}
}

// A model of the caller proposes, and the same checks decide: what a page does not say is listed
// and never quoted. A model that fails is an error, not an answer of rules.
func TestModelOfTheCaller(t *testing.T) {
	m := &scripted{}
	r, _ := opened(t, research.Options{Models: func(op wstk.Operation) wstk.Model {
		if op == wstk.OpExtract {
			return m
		}
		return nil
	}})
	claims := func(statement, quote string) func(wstk.ModelRequest) (string, error) {
		return func(r wstk.ModelRequest) (string, error) {
			data, err := json.Marshal(map[string]any{"claims": []any{map[string]any{"statement": statement,
				"support": "direct", "field": "", "quotes": []any{map[string]any{"page": 1, "words": quote}}}},
				"gaps": []any{}})
			return string(data), err
		}
	}
	const question = "What is the maximum pressure of the pump?"
	m.reply = claims("The maximum pressure of the P-9 pump is 9 bar.", "The maximum pressure of the P-9 pump is 9 bar.")
	answer, err := r.Ask(t.Context(), question)
	if err != nil || !answer.HasAnswer() || answer.Usage.Calls != 1 || answer.Proposer == nil ||
		answer.Proposer.Models[wstk.OpExtract].Model != "scripted" {
		t.Errorf("%+v, %v", answer, err)
	}
	m.reply = claims("The maximum pressure of the P-9 pump is 90 bar.", "The maximum pressure of the P-9 pump is 90 bar.")
	if answer, err = r.Ask(t.Context(), question); err != nil || answer.HasAnswer() {
		t.Errorf("of a lie: %+v, %v", answer, err)
	}
	m.reply = func(wstk.ModelRequest) (string, error) {
		return "", wstk.Errorf(wstk.Unauthorized, "asking", "the key was refused")
	}
	if answer, err = r.Ask(t.Context(), question); err == nil || answer.HasAnswer() {
		t.Errorf("of a model that fails: %+v, %v", answer, err)
	}
}

// Leaving the loop over a stream ends the run: nothing is asked any more.
func TestAStreamIsLeft(t *testing.T) {
	r, _ := opened(t, research.Options{})
	seen := 0
	for x, err := range r.Stream(t.Context(), "What is the maximum pressure of the pump?") {
		if err != nil || len(x.Statements) == 0 {
			t.Fatalf("%+v, %v", x, err)
		}
		seen++
		break
	}
	runs, _, err := r.App().Runs.List(t.Context(), wstk.RunFilter{Kind: wstk.RunExtraction}, "", 10)
	if err != nil || seen != 1 || len(runs) != 1 || !runs[0].State.Terminal() {
		t.Errorf("%d seen; %+v, %v", seen, runs, err)
	}
	ctx, leave := context.WithCancel(t.Context())
	leave()
	for _, err := range r.Stream(ctx, "What is the maximum pressure of the pump?") {
		if wstk.CodeOf(err) != wstk.Cancelled {
			t.Errorf("of a context that has ended: %v", err)
		}
	}
}

// Read takes nothing from the web: what is not stored is NotFound.
func TestReadAsksNoSite(t *testing.T) {
	r, site := opened(t, research.Options{})
	pages, err := r.Read(t.Context(), site+"/", site+"/nothing")
	if len(pages) != 1 || wstk.CodeOf(err) != wstk.NotFound {
		t.Errorf("%d pages, %v", len(pages), err)
	}
}

// A no is told by its type, with code and steps, and an answer is none.
func TestUnanswered(t *testing.T) {
	r, site := opened(t, research.Options{})
	answer, err := r.Ask(t.Context(), "What is the maximum pressure of the pump?")
	if err != nil || research.Unanswered(answer) != nil {
		t.Errorf("of an answer: %v, %v", err, research.Unanswered(answer))
	}
	answer, err = r.Ask(t.Context(), "Who painted the ceiling of the chapel?")
	no := research.Unanswered(answer)
	if err != nil || wstk.CodeOf(no) != wstk.Empty || len(research.Steps(no)) < 2 {
		t.Errorf("of a no: %v, %v, %v", err, no, research.Steps(no))
	}
	if _, err := r.Refresh(t.Context(), site, research.Crawl{Query: "x"}); wstk.CodeOf(err) !=
		wstk.Invalid {
		t.Errorf("a refresh with a question: %v", err)
	}
	crawl := research.Crawl{Query: "How long is the warranty?", Crawler: "other"}
	if _, err := r.Ingest(t.Context(), site, crawl); wstk.CodeOf(err) != wstk.Invalid {
		t.Errorf("an unknown crawler: %v", err)
	}
}

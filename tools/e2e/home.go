package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// home is the program for one machine with a data folder of its own.
type home struct {
	wstk, dir string
	env       map[string]string
}

// accounting is where the URLs of a crawl ended.
type accounting map[string]int

// balanced reports whether the outcomes add up to what was discovered.
func (a accounting) balanced() bool {
	sum := 0
	for name, n := range a {
		if name != "discovered" {
			sum += n
		}
	}
	return sum == a["discovered"] && a["open"] == 0
}

// json runs a command and decodes the data of its envelope.
func (h *home) json(ctx context.Context, out any, args ...string) error {
	args = append(args, "--json", "--allow-private", "--data-dir", h.dir)
	cmd := exec.CommandContext(ctx, h.wstk, args...)
	cmd.Env = os.Environ()
	for name, value := range h.env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	// 3 is the honest no
	if exit := cmd.ProcessState; err != nil && (exit == nil || exit.ExitCode() != 3) {
		return fmt.Errorf("wstk %s: %w\n%s%s", args[0], err, tail(stdout.String()),
			tail(stderr.String()))
	}
	envelope := struct {
		Data any `json:"data"`
	}{out}
	return json.Unmarshal(stdout.Bytes(), &envelope)
}

func (h *home) ingest(ctx context.Context, url string) error {
	var done struct {
		Accounting accounting `json:"accounting"`
	}
	if err := h.json(ctx, &done, "site", "ingest", url); err != nil {
		return err
	}
	if !done.Accounting.balanced() {
		return fmt.Errorf("the accounting does not add up: %v", done.Accounting)
	}
	return nil
}

func (h *home) accounting(ctx context.Context, url string) (accounting, error) {
	var st struct {
		Accounting accounting `json:"accounting"`
	}
	err := h.json(ctx, &st, "site", "status", url)
	return st.Accounting, err
}

// answer is what both homes say to a question.
type answer struct {
	Strategy    string            `json:"strategy"`
	Answered    *bool             `json:"answered"`
	Extractions []json.RawMessage `json:"extractions"`
	Passages    json.RawMessage   `json:"passages"`
	Gaps        json.RawMessage   `json:"gaps"`
}

// first is the first quote of an answer and the page it stands on; "" for an honest no.
func (a answer) first() (string, error) {
	if len(a.Extractions) == 0 {
		return "", nil
	}
	var x struct {
		Evidence []struct {
			Quote string `json:"quote"`
			URL   string `json:"url"`
		} `json:"evidence"`
	}
	if err := json.Unmarshal(a.Extractions[0], &x); err != nil || len(x.Evidence) == 0 {
		return "", err
	}
	return x.Evidence[0].Quote + " — " + x.Evidence[0].URL, nil
}

// plain is an answer without the times at which its pages were fetched: those alone may
// differ between the homes.
func (a answer) plain() (string, error) {
	var v any
	data, err := json.Marshal(a)
	if err != nil {
		return "", err
	}
	if err := json.Unmarshal(data, &v); err != nil {
		return "", err
	}
	strip(v)
	data, err = json.MarshalIndent(v, "", " ")
	return string(data), err
}

func strip(v any) {
	switch v := v.(type) {
	case map[string]any:
		delete(v, "fetched_at")
		for _, x := range v {
			strip(x)
		}
	case []any:
		for _, x := range v {
			strip(x)
		}
	}
}

// question is one of the bundled questions.
type question struct {
	ID    string   `json:"id"`
	Query string   `json:"query"`
	Pages []string `json:"pages"`

	Strategy string `json:"strategy"` // singular, collection, narrative
}

func readQuestions(path string) ([]question, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all []question
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		var q question
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			return nil, err
		}
		all = append(all, q)
	}
	return all, lines.Err()
}

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
)

// event is a server-sent event.
type event struct {
	id         int
	kind, data string
}

// events follows a new question to its end as a browser would: it asks again with the id
// of the last event, until there are no more.
func (e *e2e) events(ctx context.Context, q question) error {
	var begun struct {
		Run run `json:"run"`
	}
	if err := e.api.call(ctx, "POST", "/extractions", map[string]any{"query": q.Query},
		&begun, 202); err != nil {
		return err
	}
	path := "/extractions/" + begun.Run.ID + "/events"
	var all []event
	replies := 0
	for {
		last := ""
		if len(all) > 0 {
			last = strconv.Itoa(all[len(all)-1].id)
		}
		status, body, err := e.api.text(ctx, path, last)
		if err != nil {
			return err
		}
		if status == http.StatusNoContent {
			break
		}
		if status != http.StatusOK || !strings.HasPrefix(body, "retry: ") {
			return fmt.Errorf("%s: status %d: %s", path, status, tail(body))
		}
		all = append(all, readEvents(body)...)
		replies++
	}
	var kinds []string
	var first struct {
		Extraction json.RawMessage `json:"extraction"`
	}
	for i, v := range all {
		if v.id != i+1 {
			return fmt.Errorf("event %d has the id %d", i+1, v.id)
		}
		if v.kind == "bucket" && first.Extraction == nil {
			if err := json.Unmarshal([]byte(v.data), &first); err != nil {
				return err
			}
		}
		kinds = append(kinds, v.kind)
	}
	if len(all) == 0 || all[len(all)-1].kind != "done" || first.Extraction == nil {
		return fmt.Errorf("the events are %v", kinds)
	}
	var whole answer
	if err := e.api.call(ctx, "GET", "/extractions/"+begun.Run.ID, nil, &whole, 200); err != nil {
		return err
	}
	told, err := answer{Extractions: []json.RawMessage{first.Extraction}}.first()
	if err != nil {
		return err
	}
	want, err := whole.first()
	if err != nil {
		return err
	}
	if told != want {
		return fmt.Errorf("told was %q, the answer is %q", told, want)
	}
	_, again, err := e.api.text(ctx, path, "1")
	if err != nil {
		return err
	}
	if got := readEvents(again); len(got) != len(all)-1 || got[0] != all[1] {
		return fmt.Errorf("behind the first event there are %d, and not %d", len(got), len(all)-1)
	}
	e.step("  %s, in %d replies", strings.Join(kinds, ", "), replies)
	return nil
}

// readEvents reads what an event stream holds.
func readEvents(body string) (out []event) {
	for _, block := range strings.Split(body, "\n\n") {
		var v event
		for _, line := range strings.Split(block, "\n") {
			name, value, _ := strings.Cut(line, ": ")
			switch name {
			case "id":
				v.id, _ = strconv.Atoi(value)
			case "event":
				v.kind = value
			case "data":
				v.data = value
			}
		}
		if v.kind != "" {
			out = append(out, v)
		}
	}
	return out
}

// text asks for what is no JSON; last is the id of the last event that was heard, or "".
func (a api) text(ctx context.Context, path, last string) (status int, body string, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, a.base+path, nil)
	if err != nil {
		return 0, "", err
	}
	req.Host = a.host
	req.Header.Set("Authorization", "Bearer "+token)
	if last != "" {
		req.Header.Set("Last-Event-ID", last)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(data), err
}

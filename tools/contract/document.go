package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
)

// download writes the description that the server gives to the file to.
func download(ctx context.Context, address, to string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address+"/openapi.json", nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+token)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s\n%s", address, resp.Status, data)
	}
	return data, os.WriteFile(to, data, 0o644)
}

// forEvents is a description in which the schema of each event stream is that of its events
// (x-event): the body of a stream is a string to generators of clients, and Schemathesis holds each
// event of it against the schema, as OpenAPI 3.1 leaves open.
func forEvents(document []byte) ([]byte, error) {
	var d any
	if err := json.Unmarshal(document, &d); err != nil {
		return nil, err
	}
	n := 0
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			if event, ok := v["x-event"]; ok {
				v["schema"] = event
				n++
			}
			for _, item := range v {
				walk(item)
			}
		case []any:
			for _, item := range v {
				walk(item)
			}
		}
	}
	walk(d)
	if streams := bytes.Count(document, []byte(`"text/event-stream":`)); n != streams {
		return nil, fmt.Errorf("the description has %d event streams, and %d say what their events are",
			streams, n)
	}
	return json.Marshal(d)
}

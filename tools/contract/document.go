package main

import (
	"bytes"
	"context"
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

// The body of an event stream is a string to generators of clients. Schemathesis holds
// each event of it against the schema, as OpenAPI 3.1 leaves open.
var (
	streamOfText = []byte(
		`{"text/event-stream": {"schema": {"type": "string", "description": "Events; the data of each is the JSON of an Event"}`)
	streamOfEvents = []byte(
		`{"text/event-stream": {"schema": {"$ref": "#/components/schemas/Event"}`)
)

// forEvents is a description in which the schema of an event stream is that of its events.
func forEvents(document []byte) ([]byte, error) {
	if bytes.Count(document, streamOfText) != 1 {
		return nil, fmt.Errorf("the description has no event stream with the schema %s",
			streamOfText)
	}
	return bytes.Replace(document, streamOfText, streamOfEvents, 1), nil
}

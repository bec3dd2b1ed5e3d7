package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// RoundTrip sends the token of the tests with a request to the API.
func (a api) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Host = a.host
	r.Header.Set("Authorization", "Bearer "+token)
	return http.DefaultTransport.RoundTrip(r)
}

// agents asks as an agent does, over MCP, and compares the answer with that of the API.
func (e *e2e) agents(ctx context.Context, q question) error {
	client, err := e.agent(ctx)
	if err != nil {
		return err
	}
	defer client.Close()
	var asked struct {
		Run run `json:"run"`
		answer
		Next *string `json:"next_cursor"`
	}
	for arguments := map[string]any{"query": q.Query}; ; arguments["cursor"] = *asked.Next {
		asked.Next = nil
		if err := callTool(ctx, client, "ask", arguments, &asked); err != nil {
			return err
		}
		if asked.Run.State != "running" {
			break
		}
	}
	if asked.Run.State != "complete" || asked.Next != nil {
		return fmt.Errorf("the answer is %s: %v", asked.Run.State, asked.Run.Reasons)
	}
	same, err := e.extraction(ctx, map[string]any{"query": q.Query})
	if err != nil {
		return err
	}
	got, err := asked.plain()
	if err != nil {
		return err
	}
	if want, err := same.plain(); err != nil || got != want {
		return fmt.Errorf("the answers differ (%v):\n--- MCP\n%s\n--- API\n%s", err, got, want)
	}
	var checked struct {
		Verified int `json:"verified"`
		Failed   int `json:"failed"`
	}
	err = callTool(ctx, client, "verify", map[string]any{"id": asked.Run.ID}, &checked)
	if err != nil {
		return err
	}
	if checked.Verified == 0 || checked.Failed > 0 {
		return fmt.Errorf("%d quotes verified, %d failed", checked.Verified, checked.Failed)
	}
	e.step("  the same answer as over HTTP, %d quotes verified", checked.Verified)
	return nil
}

// callTool calls a tool and decodes its structured reply.
func callTool(
	ctx context.Context, client *mcp.ClientSession, name string, arguments, out any,
) error {
	res, err := client.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		return err
	}
	data, err := json.Marshal(res)
	if err != nil {
		return err
	}
	if res.IsError {
		return fmt.Errorf("%s: %s", name, tail(string(data)))
	}
	if data, err = json.Marshal(res.StructuredContent); err != nil {
		return err
	}
	return json.Unmarshal(data, out)
}

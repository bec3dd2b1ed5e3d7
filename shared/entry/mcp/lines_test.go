package mcp

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
)

// A line that is no message is answered with an error, and the lines behind it are read.
func TestABadLineEndsNothing(t *testing.T) {
	in := strings.Join([]string{`{not json`, ``, `{"jsonrpc":"2.0"}`, `[1, 2`, `17`,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",` +
			`"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`, `{"jsonrpc":`,
		`{"jsonrpc":"2.0","id":2,"method":"ping"}`}, "\n") // the last line has no end
	var out bytes.Buffer
	if err := Serve(t.Context(), newApp(t), strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	var got []string
	for dec := json.NewDecoder(&out); ; {
		var m struct {
			ID     *int
			Result json.RawMessage
			Error  *struct{ Code int }
		}
		err := dec.Decode(&m)
		if err == io.EOF {
			break
		}
		switch {
		case err != nil:
			t.Fatal(err)
		case m.Error != nil && m.ID == nil && m.Error.Code == -32700:
			got = append(got, "not JSON")
		case m.Error != nil && m.ID == nil && m.Error.Code == -32600:
			got = append(got, "no message")
		case m.ID != nil && m.Result != nil:
			got = append(got, "reply")
		default:
			got = append(got, "odd")
		}
	}
	counts := map[string]int{}
	for _, g := range got {
		counts[g]++
	}
	if counts["not JSON"] != 3 || counts["no message"] != 2 || counts["reply"] != 2 || len(got) != 7 {
		t.Errorf("%q", got)
	}
}

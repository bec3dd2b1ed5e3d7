package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/rogpeppe/go-internal/testscript"

	"wstk/shared/entry/cli"
)

// schemas are those against which envelopes were checked, by command.
var schemas sync.Map

// conforms fails unless an envelope is as the published schema of its command says.
// Commands that never came to work ("wstk", an unknown word) have none.
func conforms(ts *testscript.TestScript, data []byte) {
	var e struct{ Command string }
	if json.Unmarshal(data, &e) != nil || e.Command == "" || e.Command == "schema" {
		return
	}
	s, ok := schemas.Load(e.Command)
	if !ok {
		text, err := cli.Schema(e.Command)
		if err != nil {
			return
		}
		var schema jsonschema.Schema
		ts.Check(json.Unmarshal(text, &schema))
		resolved, err := schema.Resolve(nil)
		ts.Check(err)
		s = resolved
		schemas.Store(e.Command, s)
	}
	var value any
	ts.Check(json.Unmarshal(data, &value))
	if err := s.(*jsonschema.Resolved).Validate(value); err != nil {
		ts.Fatalf("the reply of %s is not what its schema says: %v\n%s", e.Command, err, data)
	}
}

// The schemas are published in docs/schemas, as the program prints them; a difference is
// a change of the contract. WSTK_GOLDEN=update rewrites them.
func TestSchemas(t *testing.T) {
	dir := filepath.Join("..", "..", "docs", "schemas")
	want := map[string]bool{}
	for _, command := range cli.SchemaCommands() {
		data, err := cli.Schema(command)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.ReplaceAll(command, " ", "-") + ".json"
		want[name] = true
		path := filepath.Join(dir, name)
		if os.Getenv("WSTK_GOLDEN") == "update" {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if published, err := os.ReadFile(path); err != nil || string(published) != string(data) {
			t.Errorf("docs/schemas/%s is not what wstk schema %s prints (%v); if that is meant, run make golden, and see that old readers still can read it", name, command, err)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !want[filepath.Base(f)] {
			t.Errorf("%s is the schema of no command", f)
		}
	}
}

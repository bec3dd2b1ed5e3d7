package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A server whose log has a panic failed, however it ends.
func TestAPanicIsAnError(t *testing.T) {
	for _, c := range []struct{ log, exit, want string }{
		{"msg=request", "0", ""},
		{"msg=request", "130", ""},
		{"msg=panic", "0", "made it panic"},
		{"msg=panic", "130", "made it panic"},
		{"msg=request", "3", "exit status 3"},
	} {
		program := filepath.Join(t.TempDir(), "wstk")
		script := "#!/bin/sh\ntrap 'exit " + c.exit + "' INT\necho '" + c.log + "' >&2\necho 'listening on http://x' >&2\nwhile :; do sleep 0.02; done\n"
		if err := os.WriteFile(program, []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
		s, err := start(program, nil)
		if err != nil {
			t.Fatal(err)
		}
		err = s.stop()
		if (err == nil) != (c.want == "") {
			t.Errorf("%v: %v", c, err)
		}
		if err != nil && (strings.Contains(err.Error(), "%!") ||
			!strings.Contains(err.Error(), c.want)) {
			t.Errorf("%v: %v", c, err)
		}
	}
}

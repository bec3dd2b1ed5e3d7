package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestReadme runs the commands of the README's console block on the bundled site: each
// line shown there must stand in the output.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)```console\n(.*?)```").FindStringSubmatch(string(readme))
	if block == nil {
		t.Fatal("the README has no console block")
	}
	server := httptest.NewServer(http.FileServer(http.Dir("../../testdata/sites/sqlite")))
	defer server.Close()
	dir := t.TempDir()
	output, commands := "", 0
	for _, line := range strings.Split(strings.TrimSpace(block[1]), "\n") {
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			commands++
			cmd := exec.Command("sh", "-c", strings.ReplaceAll(command, "http://127.0.0.1:8000", server.URL))
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "WSTK_DATA_DIR="+filepath.Join(dir, "data"), "WSTK_CACHE_DIR="+filepath.Join(dir, "cache"), "HOME="+dir)
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%s: %v\n%s", command, err, out)
			}
			output = strings.ReplaceAll(string(out), server.URL, "http://127.0.0.1:8000")
			continue
		}
		if !strings.Contains(output, line) {
			t.Errorf("the README shows\n%s\nwhich is not in\n%s", line, output)
		}
	}
	if commands < 3 {
		t.Errorf("only %d commands were run", commands)
	}
}

package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"wstk/shared/wstk"
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
	checkJSON(t, string(readme), func(args ...string) []byte {
		cmd := exec.Command("wstk", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "WSTK_DATA_DIR="+filepath.Join(dir, "data"), "WSTK_CACHE_DIR="+filepath.Join(dir, "cache"), "HOME="+dir)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
		return bytes.ReplaceAll(out, []byte(server.URL), []byte("http://127.0.0.1:8000"))
	})
}

// checkJSON looks for the Evidence that the README shows among those of its answer. An
// ellipsis stands for what the README leaves out; the id is that of the address shown.
func checkJSON(t *testing.T, readme string, run func(args ...string) []byte) {
	t.Helper()
	block := regexp.MustCompile("(?s)```json\n(.*?)```").FindStringSubmatch(readme)
	question := regexp.MustCompile(`\$ wstk ask "([^"]+)"`).FindStringSubmatch(readme)
	if block == nil || question == nil {
		t.Fatal("the README has no JSON block or no question")
	}
	var shown map[string]any
	if err := json.Unmarshal([]byte(block[1]), &shown); err != nil {
		t.Fatal(err)
	}
	var reply struct {
		Data struct {
			Extractions []struct{ Evidence []map[string]any }
		}
	}
	if err := json.Unmarshal(run("ask", question[1], "--json"), &reply); err != nil {
		t.Fatal(err)
	}
	for _, x := range reply.Data.Extractions {
		for _, e := range x.Evidence {
			if e["quote"] != shown["quote"] {
				continue
			}
			span := wstk.Span{ByteStart: int(e["byte_start"].(float64)), ByteEnd: int(e["byte_end"].(float64))}
			e["id"] = wstk.TextEvidenceID(wstk.Hash(e["text_sha256"].(string)), span, e["url"].(string))
			for key, want := range shown {
				got, _ := json.Marshal(e[key])
				text, _ := json.Marshal(want)
				if start, _, cut := strings.Cut(string(text), "…"); !strings.HasPrefix(string(got), start) || !cut && string(got) != string(text) {
					t.Errorf("the README shows %s %s, it is %s", key, text, got)
				}
			}
			return
		}
	}
	t.Errorf("no evidence of the answer is %q", shown["quote"])
}

// The README's list of commands is that of the program.
func TestReadmeNamesEveryCommand(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("wstk", "--help").Output()
	if err != nil {
		t.Fatal(err)
	}
	_, list, found := strings.Cut(string(out), "Available Commands:\n")
	list, _, _ = strings.Cut(list, "\n\n")
	if !found {
		t.Fatalf("help lists no commands:\n%s", out)
	}
	for _, line := range strings.Split(list, "\n") {
		name := strings.Fields(line)[0]
		if name != "help" && !regexp.MustCompile(`(?m)^wstk `+name+`\b|^wstk [a-z]+ \| `+name+`\b`).Match(readme) {
			t.Errorf("the README does not name the command %s", name)
		}
	}
}

// docs/operations.md lists every setting beside its environment variable.
func TestOperationsNamesEverySetting(t *testing.T) {
	source, err := os.ReadFile("../../shared/app/config.go")
	if err != nil {
		t.Fatal(err)
	}
	manual, err := os.ReadFile("../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	settings := regexp.MustCompile(`\{"(WSTK_[A-Z_]+)", "([a-z_.]+)"\}`).FindAllStringSubmatch(string(source), -1)
	if len(settings) < 10 {
		t.Fatalf("only %d settings were found", len(settings))
	}
	for _, s := range settings {
		row := regexp.MustCompile("(?m)^\\|.*`" + regexp.QuoteMeta(s[2]) + "`.*\\|.*`" + s[1] + "`.*\\|")
		if !row.Match(manual) {
			t.Errorf("no row of the settings names %s and %s", s[2], s[1])
		}
	}
}

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

	"wstk/shared/app/local"
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
	run := func(args ...string) []byte {
		cmd := exec.Command("wstk", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "WSTK_DATA_DIR="+filepath.Join(dir, "data"), "WSTK_CACHE_DIR="+filepath.Join(dir, "cache"), "HOME="+dir)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
		return bytes.ReplaceAll(out, []byte(server.URL), []byte("http://127.0.0.1:8000"))
	}
	checkJSON(t, string(readme), run)
	checkExamples(t, run)
}

// checkExamples asks the questions of the help, each of which the bundled site answers.
func checkExamples(t *testing.T, run func(args ...string) []byte) {
	t.Helper()
	asked := map[string]bool{}
	for _, command := range []string{"", "ask", "read", "verify"} {
		help := string(run(strings.Fields(command + " --help")...))
		for _, m := range regexp.MustCompile(`\bask (?:"([^"]+)"|'([^']+)')(.*)`).FindAllStringSubmatch(help, -1) {
			if q := m[1] + m[2]; !strings.Contains(m[3], "--from") && !asked[q] {
				asked[q] = true
				run("ask", q) // fails where there is no answer
			}
		}
	}
	if len(asked) < 3 {
		t.Errorf("the help asks only %v", asked)
	}
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
				if start, _, cut := strings.Cut(string(text), "…"); !strings.HasPrefix(string(got),
					start) || !cut && string(got) != string(text) {
					t.Errorf("the README shows %s %s, it is %s", key, text, got)
				}
			}
			return
		}
	}
	t.Errorf("no evidence of the answer is %q", shown["quote"])
}

// The README's list of commands is that of the program: none is missing, and none is
// made up.
func TestReadmeNamesEveryCommand(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	want, groups := map[string]bool{}, map[string]bool{}
	for _, name := range listed(t) {
		if name == "help" || name == "completion" {
			continue
		}
		subs := listed(t, name)
		for _, sub := range subs {
			want[name+" "+sub] = true
		}
		if groups[name] = len(subs) > 0; !groups[name] {
			want[name] = true
		}
	}
	if len(want) < 20 {
		t.Fatalf("help lists only %d commands: %v", len(want), want)
	}
	_, section, found := strings.Cut(string(readme), "\n## What it does\n")
	_, block, begun := strings.Cut(section, "```\n")
	block, _, ended := strings.Cut(block, "```")
	if !found || !begun || !ended {
		t.Fatal("the README has no list of commands")
	}
	shown := map[string]bool{}
	for _, line := range strings.Split(strings.TrimSpace(block), "\n") {
		call, isCommand := strings.CutPrefix(line, "wstk ")
		if !isCommand {
			if line != "" && !strings.HasPrefix(line, "  ") {
				t.Errorf("a line of the list is neither a command nor goes on with one: %q", line)
			}
			continue
		}
		call, _, _ = strings.Cut(call, "  ") // what follows says what it does
		group := ""
		for i, part := range strings.Split(call, " | ") {
			words := strings.Fields(part)
			if i == 0 && groups[words[0]] {
				group, words = words[0]+" ", words[1:]
			}
			shown[group+words[0]] = true
		}
	}
	for name := range want {
		if !shown[name] {
			t.Errorf("the README does not list the command %s", name)
		}
	}
	for name := range shown {
		if !want[name] {
			t.Errorf("the README lists %s, which is no command", name)
		}
	}
}

// listed are the commands that help lists below one, or below the program itself.
func listed(t *testing.T, command ...string) (names []string) {
	t.Helper()
	out, err := exec.Command("wstk", append(command, "--help")...).Output()
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(out), "\nUsage:\n")
	inList := false
	for _, line := range strings.Split(rest, "\n") {
		switch {
		case strings.HasSuffix(line, "Flags:"):
			return names
		case !strings.HasPrefix(line, " "):
			inList = strings.HasSuffix(line, ":") && line != "Examples:"
		case inList:
			names = append(names, strings.Fields(line)[0])
		}
	}
	return names
}

// docs/operations.md lists every setting beside each of its variables, and no others.
func TestOperationsNamesEverySetting(t *testing.T) {
	manual, err := os.ReadFile("../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	settings := local.Settings().Variables()
	quoted := regexp.MustCompile("`([^`]+)`")
	_, section, found := strings.Cut(string(manual), "\n## Settings\n")
	section, _, _ = strings.Cut(section, "\n## ")
	if !found {
		t.Fatal("docs/operations.md has no section on settings")
	}
	rows := map[string]string{} // the variables beside each key
	for _, line := range strings.Split(section, "\n") {
		cells := strings.Split(line, "|")
		if len(cells) < 5 || !regexp.MustCompile("^ `[a-z_]+(\\.[a-z_]+)*`").MatchString(cells[1]) {
			continue
		}
		for _, key := range quoted.FindAllStringSubmatch(cells[1], -1) {
			if _, twice := rows[key[1]]; twice {
				t.Errorf("%s stands in two rows", key[1])
			}
			if _, known := settings[key[1]]; !known {
				t.Errorf("%s is no setting", key[1])
			}
			rows[key[1]] = cells[2]
		}
	}
	for key, variables := range settings {
		row, ok := rows[key]
		if !ok {
			t.Errorf("no row names the setting %s", key)
		}
		for _, v := range variables {
			if ok && !strings.Contains(row, "`"+v+"`") {
				t.Errorf("the row of %s does not name %s", key, v)
			}
		}
	}
	all := map[string]bool{}
	for _, variables := range settings {
		for _, v := range variables {
			all[v] = true
		}
	}
	for key, row := range rows {
		for _, v := range quoted.FindAllStringSubmatch(row, -1) {
			if !all[v[1]] {
				t.Errorf("the row of %s names %s, which sets nothing", key, v[1])
			}
		}
	}
}

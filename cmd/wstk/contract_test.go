package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var flagName = regexp.MustCompile(`(?m)^ +(?:-\w, )?--([a-z][a-z-]*)`)

// flagsOf are the flags that a command's help lists: its own, and those of all.
func flagsOf(t *testing.T, command string) (own, global []string) {
	t.Helper()
	out, err := exec.Command("wstk", append(strings.Fields(command), "--help")...).Output()
	if err != nil {
		t.Fatal(err)
	}
	first, rest, found := strings.Cut(string(out), "\nOutput, for every command:\n")
	if !found {
		t.Fatalf("the help of wstk %s does not say which flags every command has", command)
	}
	for _, m := range flagName.FindAllStringSubmatch(first, -1) {
		own = append(own, m[1])
	}
	for _, m := range flagName.FindAllStringSubmatch(rest, -1) {
		global = append(global, m[1])
	}
	return own, global
}

var commands = []string{"search", "runs create", "runs show", "runs list", "runs remove", "fetch", "render", "extract", "pipeline", "eval", "providers", "site ingest", "site refresh", "site cancel", "site remove", "site list", "site status",
	"ask", "recall", "read", "gap", "verify", "serve", "cache show", "cache prune", "cache clear", "evidence list", "evidence export", "models list", "models add", "models index", "models remove", "schema", "doctor", "version"}

// Every flag of every command is used in a script with that command, and stands in
// docs/cli.md.
func TestEveryFlagIsTestedAndDocumented(t *testing.T) {
	files, err := filepath.Glob("../../testdata/script/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	var lines []string
	for _, f := range append(files, "serve_test.go", "readme_test.go") {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, strings.Split(string(data), "\n")...)
	}
	manual, err := os.ReadFile("../../docs/cli.md")
	if err != nil {
		t.Fatal(err)
	}
	used := func(command, flag string) bool {
		long := regexp.MustCompile(`(?:^|[^a-z-])--` + flag + `(?:[^a-z-]|$)`)
		for _, l := range lines {
			if strings.Contains(l, command) && long.MatchString(l) {
				return true
			}
		}
		return false
	}
	var all []string
	for _, c := range commands {
		own, global := flagsOf(t, c)
		all = global
		if !regexp.MustCompile("(?m)^#+ .*`wstk " + c + `\b`).Match(manual) {
			t.Errorf("docs/cli.md has no section on wstk %s", c)
		}
		for _, f := range own {
			if f == "help" {
				continue
			}
			if !used("wstk "+c, f) && !used(`"`+c+`"`, f) {
				t.Errorf("no script uses wstk %s --%s", c, f)
			}
			if !strings.Contains(string(manual), "`--"+f) {
				t.Errorf("docs/cli.md does not name --%s of wstk %s", f, c)
			}
		}
	}
	for _, f := range all {
		if !used("wstk", f) {
			t.Errorf("no script uses the global flag --%s", f)
		}
		if !strings.Contains(string(manual), "`--"+f) {
			t.Errorf("docs/cli.md does not name --%s", f)
		}
	}
}

// docs/cli.md says of each promise what holds it; each of those is there.
func TestEveryPromiseNamesItsTest(t *testing.T) {
	manual, err := os.ReadFile("../../docs/cli.md")
	if err != nil {
		t.Fatal(err)
	}
	tests := regexp.MustCompile(`(?m)^func (Test|Fuzz|Example)\w+`)
	known, sources := map[string]bool{}, []byte{}
	err = filepath.WalkDir("../..", func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() && (d.Name() == ".cache" || d.Name() == ".git") {
			return filepath.SkipDir
		}
		switch {
		case d.IsDir():
		case strings.HasSuffix(path, "_test.go"), strings.Contains(path, "wstktest"+string(filepath.Separator)),
			strings.Contains(path, "apptest"+string(filepath.Separator)):
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			sources = append(sources, data...)
			for _, m := range tests.FindAllString(string(data), -1) {
				known[strings.TrimPrefix(m, "func ")] = true
			}
		case strings.HasSuffix(path, ".txtar"):
			known[d.Name()] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile("`([^`]+)`")
	for heading, least := range map[string]int{"What holds each promise": 60, "What holds extraction": 38} {
		_, table, _ := strings.Cut(string(manual), "\n## "+heading+"\n")
		table, _, _ = strings.Cut(table, "\n## ")
		rows := 0
		for _, line := range strings.Split(table, "\n") {
			cells := strings.Split(line, "|")
			if len(cells) < 4 || strings.HasPrefix(strings.TrimSpace(cells[1]), "---") ||
				strings.TrimSpace(cells[len(cells)-2]) == "held by" {
				continue
			}
			rows++
			held := names.FindAllStringSubmatch(cells[len(cells)-2], -1)
			if len(held) == 0 {
				t.Errorf("nothing holds: %s", cells[1])
			}
			for _, n := range held {
				// of TestX/Y, X is a test and Y is the name of a part of one
				test, part, _ := strings.Cut(n[1], "/")
				if !known[test] || part != "" && !bytes.Contains(sources, []byte(`"`+part+`"`)) {
					t.Errorf("%s is no test, and is said to hold: %s", n[1], cells[1])
				}
			}
		}
		if rows < least {
			t.Errorf("only %d promises stand in docs/cli.md under %s", rows, heading)
		}
	}
}

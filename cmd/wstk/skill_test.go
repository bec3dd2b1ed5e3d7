package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"wstk/shared/wstk/wstktest"
)

const skillDir = "../../skills/wstk"

// agentTexts are the documents that teach agents, by their path in the repository.
func agentTexts(t *testing.T) map[string]string {
	t.Helper()
	paths, err := filepath.Glob(skillDir + "/references/*.md")
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) < 5 {
		t.Fatalf("only %d references", len(paths))
	}
	texts := map[string]string{}
	for _, path := range append(paths, skillDir+"/SKILL.md", "../../AGENTS.md") {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		texts[strings.TrimPrefix(filepath.ToSlash(path), "../../")] = string(data)
	}
	return texts
}

// shown is a command line of a text, and the exit code that the text states.
type shown struct {
	line string
	exit int
}

var (
	shellBlock = regexp.MustCompile("(?ms)^```(?:sh|console)\n(.*?)^```")
	stated     = regexp.MustCompile(`\s+# exit (\d+)\b.*$`)
)

// commandsIn returns the command lines of a text's sh and console blocks. In a console
// block they begin with "$ "; comments are left out.
func commandsIn(text string) []shown {
	var list []shown
	for _, block := range shellBlock.FindAllStringSubmatch(text, -1) {
		console := strings.HasPrefix(block[0], "```console")
		for _, line := range strings.Split(block[1], "\n") {
			if console {
				var prompt bool
				if line, prompt = strings.CutPrefix(line, "$ "); !prompt {
					continue
				}
			}
			if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			s := shown{line: line}
			if m := stated.FindStringSubmatchIndex(line); m != nil {
				s.exit, _ = strconv.Atoi(line[m[2]:m[3]])
				s.line = line[:m[0]]
			}
			list = append(list, s)
		}
	}
	return list
}

// Every command in the texts for agents runs, in their order and in one directory for
// each text, ends with the exit code that stands there, and prints one JSON object where
// it says --json. The sites of the examples are a stand-in on loopback.
func TestAgentTexts(t *testing.T) {
	for name, text := range agentTexts(t) {
		t.Run(name, func(t *testing.T) {
			commands := commandsIn(text)
			if len(commands) == 0 && strings.HasPrefix(name, "skills/") {
				t.Error("it shows no command")
			}
			if strings.Contains(text, "app.example.org") {
				needsBrowser(t)
			}
			site := standIn(t)
			dir := t.TempDir()
			scripts, err := filepath.Abs(skillDir + "/scripts")
			if err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(scripts, filepath.Join(dir, "scripts")); err != nil {
				t.Fatal(err)
			}
			suite := fmt.Sprintf(`{"query": "smallest pump", "expected_urls": ["%s/guide.html"], "expected_answers": ["forty litres"]}`+"\n", site)
			if err := os.WriteFile(filepath.Join(dir, "suite.jsonl"), []byte(suite), 0o644); err != nil {
				t.Fatal(err)
			}
			env := agentEnv(dir, site)
			for _, c := range commands {
				if checkedInMakefile(t, c.line) || checkedAsGoTest(t, c.line) {
					continue
				}
				runShown(t, c, dir, env, site)
			}
		})
	}
}

func runShown(t *testing.T, c shown, dir string, env []string, site string) {
	t.Helper()
	line := onStandIn(c.line, site)
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir, cmd.Env = dir, env
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	var failed *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &failed) {
		t.Fatalf("%s: %v", c.line, err)
	}
	if code := cmd.ProcessState.ExitCode(); code != c.exit {
		t.Errorf("%s\nends with exit code %d, the text says %d\n%s%s", c.line, code, c.exit, stdout.Bytes(), stderr.Bytes())
		return
	}
	if !strings.Contains(line, "--json") || strings.Contains(line, "|") {
		return
	}
	out := stdout.Bytes()
	if _, file, redirected := strings.Cut(line, " > "); redirected {
		data, err := os.ReadFile(filepath.Join(dir, strings.TrimSpace(file)))
		if err != nil {
			t.Fatal(err)
		}
		out = data
	}
	var reply struct {
		OK    *bool
		Error *struct{ Code string }
	}
	if err := json.Unmarshal(out, &reply); err != nil {
		t.Errorf("%s: standard output is not one JSON object: %v\n%s", c.line, err, out)
	} else if reply.OK == nil || *reply.OK != (c.exit == 0) ||
		(reply.Error == nil) != (c.exit == 0) {
		t.Errorf("%s: ok and error do not tell exit code %d\n%s", c.line, c.exit, out)
	}
}

// standIn serves testdata/sites/skill, whose /members is closed and whose /stock is made
// by JavaScript.
func standIn(t *testing.T) string {
	t.Helper()
	const dir = "../../testdata/sites/skill"
	ordinary := misbehaviour(http.FileServer(http.Dir(dir)), dir)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/members":
			r.URL.Path = "/_status/403"
		case "/stock":
			r.URL.Path = "/app.html"
		case "/welcome":
			r.URL.Path = "/_gate"
		}
		ordinary.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

var exampleHost = regexp.MustCompile(`https?://(?:docs|app)\.example\.org`)

// onStandIn is a line of a text with the sites of the examples replaced.
func onStandIn(line, site string) string {
	return strings.ReplaceAll(exampleHost.ReplaceAllString(line, site), "docs.example.org", "127.0.0.1")
}

// agentEnv is the environment of a machine with two search providers, which are stand-ins.
func agentEnv(dir, site string) []string {
	return append(os.Environ(), "HOME="+dir, "WSTK_DATA_DIR="+filepath.Join(dir, "data"), "WSTK_CACHE_DIR="+filepath.Join(dir, "cache"),
		"WSTK_ALLOW_PRIVATE=1", "BRAVE_API_KEY=made-"+"up-key", "BRAVE_BASE_URL="+site+"/_vendor/brave.json", "DDGS_BASE_URL="+site+"/_vendor/ddgs.html")
}

// needsBrowser skips where wstk finds no browser.
func needsBrowser(t *testing.T) {
	t.Helper()
	if !hasBrowser(t) {
		wstktest.Skip(t, "no browser is installed")
	}
}

func hasBrowser(t *testing.T) bool {
	t.Helper()
	out, err := exec.Command("wstk", "providers", "--json").Output()
	if err != nil {
		t.Fatal(err)
	}
	var reply struct {
		Data struct {
			Providers []struct {
				ID      string
				Enabled bool
			}
		}
	}
	if err := json.Unmarshal(out, &reply); err != nil {
		t.Fatal(err)
	}
	for _, p := range reply.Data.Providers {
		if p.ID == "chrome" {
			return p.Enabled
		}
	}
	t.Fatal("wstk providers does not list chrome")
	return false
}

// checkedInMakefile reports whether a line is a call of make, whose targets must exist:
// they are too long to run here.
func checkedInMakefile(t *testing.T, line string) bool {
	t.Helper()
	words := strings.Fields(line)
	if words[0] != "make" {
		return false
	}
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range words[1:] {
		if strings.HasPrefix(word, "#") {
			break
		}
		if name, _, variable := strings.Cut(word, "="); variable {
			if !regexp.MustCompile(`(?m)^` + name + ` \?=`).Match(makefile) {
				t.Errorf("%s: the Makefile has no variable %s", line, name)
			}
		} else if !regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(word) + `:`).Match(makefile) {
			t.Errorf("%s: the Makefile has no target %s", line, word)
		}
	}
	return true
}

// checkedAsGoTest reports whether a line is a go test, whose packages and tests must exist:
// a test does not run the tests.
func checkedAsGoTest(t *testing.T, line string) bool {
	t.Helper()
	line, _, _ = strings.Cut(line, " #")
	line = strings.TrimPrefix(line, "WSTK_GOLDEN=update ")
	words := strings.Fields(line)
	if len(words) < 3 || words[0] != "go" || words[1] != "test" {
		return false
	}
	var dirs, tests []string
	for i, word := range words {
		if strings.HasPrefix(word, "./") {
			dirs = append(dirs, strings.TrimSuffix(word, "/..."))
		}
		if word == "-run" && i+1 < len(words) {
			name, script, sub := strings.Cut(strings.Trim(words[i+1], "^$'"), "/")
			tests = append(tests, name)
			if _, err := os.Stat("../../testdata/script/" + script + ".txtar"); sub && name == "TestScripts" && err != nil {
				t.Errorf("%s: there is no script %s", line, script)
			}
		}
	}
	source := ""
	for _, dir := range dirs {
		files, err := filepath.Glob("../../" + dir + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat("../../" + dir); err != nil {
			t.Errorf("%s: %v", line, err)
		}
		for _, f := range files {
			data, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			source += string(data)
		}
	}
	for _, name := range tests {
		if !strings.Contains(source, "\nfunc "+name+"(t ") {
			t.Errorf("%s: there is no test %s", line, name)
		}
	}
	return true
}

// Each test that AGENTS.md sends to is there.
func TestAgentsFileNamesTests(t *testing.T) {
	var source strings.Builder
	for _, dir := range []string{"../../shared", "../../cmd"} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, "_test.go") {
				return err
			}
			data, err := os.ReadFile(path)
			source.Write(data)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	names := regexp.MustCompile(`\bTest[A-Z]\w+`).FindAllString(agentTexts(t)["AGENTS.md"], -1)
	if len(names) < 8 {
		t.Errorf("AGENTS.md names only %v", names)
	}
	for _, name := range names {
		if !strings.Contains(source.String(), "\nfunc "+name+"(t ") {
			t.Errorf("AGENTS.md names %s, which is not there", name)
		}
	}
}

// help is what wstk says of itself, by command: "search", "site ingest". The empty
// command holds the words of wstk --help.
func help(t *testing.T) map[string]string {
	t.Helper()
	pages := map[string]string{}
	var ask func(command ...string)
	ask = func(command ...string) {
		out, err := exec.Command("wstk", append(command, "--help")...).Output()
		if err != nil {
			t.Fatalf("%v: %v", command, err)
		}
		pages[strings.Join(command, " ")] = string(out)
		for _, group := range regexp.MustCompile(`(?m)^[A-Z][^\n]*:\n((?:  [a-z]+  +[A-Z][^\n]*\n)+)`).FindAllStringSubmatch(string(out), -1) {
			for _, row := range strings.Split(strings.TrimRight(group[1], "\n"), "\n") {
				if name := strings.Fields(row)[0]; name != "help" && name != "completion" {
					ask(append(slices.Clone(command), name)...)
				}
			}
		}
	}
	ask()
	if len(pages) < 20 || pages["site ingest"] == "" {
		t.Fatalf("only %d commands were found", len(pages))
	}
	return pages
}

// hasFlag reports whether a page of help lists a flag, or the flag that it says no to.
func hasFlag(page, flag string) bool {
	for _, name := range []string{flag, strings.Replace(flag, "--no-", "--", 1),
		strings.Replace(flag, "--headless", "--headful", 1)} {
		if regexp.MustCompile(`(?m)^ +(?:-[a-z], )?` + name + `\b`).MatchString(page) {
			return true
		}
	}
	return false
}

var (
	inline   = regexp.MustCompile("`([^`\n]+)`")
	longFlag = regexp.MustCompile(`(?:^|[\s(\[])(--[a-z][a-z-]+)`)
)

// linesOf returns the command lines of a text's blocks, and what stands in backquotes.
func linesOf(text string) []string {
	var lines []string
	for _, c := range commandsIn(text) {
		lines = append(lines, c.line)
	}
	for _, m := range inline.FindAllStringSubmatch(shellBlock.ReplaceAllString(text, ""), -1) {
		lines = append(lines, m[1])
	}
	return lines
}

// Every wstk command that a text names, in a block or in a sentence, exists and has the
// flags that are shown with it; a flag that is named alone is one of some command.
func TestAgentTextsNameWhatExists(t *testing.T) {
	pages := help(t)
	for name, text := range agentTexts(t) {
		flags := 0
		for _, line := range linesOf(text) {
			if strings.HasPrefix(line, "make ") || strings.HasPrefix(line, "go ") {
				continue
			}
			command, found := commandOf(line, pages)
			if !found && regexp.MustCompile(`\bwstk [a-z]`).MatchString(line) {
				t.Errorf("%s: there is no such command: %s", name, line)
			}
			for _, m := range longFlag.FindAllStringSubmatch(line, -1) {
				flags++
				known := found && hasFlag(pages[command], m[1])
				for _, page := range pages {
					known = known || !found && hasFlag(page, m[1])
				}
				if !known {
					t.Errorf("%s: there is no flag %s: %s", name, m[1], line)
				}
			}
		}
		if flags == 0 && name == "skills/wstk/SKILL.md" {
			t.Errorf("%s names no flag", name)
		}
	}
}

// commandOf returns the command words of the first wstk call in a line, or those that the
// line begins with: "site ingest".
func commandOf(line string, pages map[string]string) (command string, found bool) {
	words := strings.Fields(line)
	if i := slices.Index(words, "wstk"); i >= 0 {
		words = words[i+1:]
	}
	for n := min(2, len(words)); n > 0; n-- {
		if c := strings.Join(words[:n], " "); pages[c] != "" {
			return c, true
		}
	}
	return "", false
}

// The fields that output.md names are those of the schemas: a heading names the command.
func TestOutputReferenceNamesFields(t *testing.T) {
	text := agentTexts(t)["skills/wstk/references/output.md"]
	field := regexp.MustCompile("`((?:data|error|meta|warnings)[a-z_.\\[\\]]*)`")
	checked := 0
	for _, part := range regexp.MustCompile(`(?m)^## `).Split(text, -1)[1:] {
		heading, _, _ := strings.Cut(part, "\n")
		for _, command := range inline.FindAllStringSubmatch(heading, -1) {
			out, err := exec.Command("wstk",
				append([]string{"schema"}, strings.Fields(command[1])...)...).Output()
			if err != nil {
				t.Fatalf("wstk schema %s: %v", command[1], err)
			}
			var schema map[string]any
			if err := json.Unmarshal(out, &schema); err != nil {
				t.Fatal(err)
			}
			for _, m := range field.FindAllStringSubmatch(part, -1) {
				checked++
				if !inSchema(schema, strings.Split(strings.ReplaceAll(m[1], "[]", ".[]"), ".")) {
					t.Errorf("%s has no field %s", command[1], m[1])
				}
			}
		}
	}
	if checked < 40 {
		t.Errorf("only %d fields were checked", checked)
	}
}

// inSchema reports whether a JSON Schema knows a path of names, with [] for items of a list.
func inSchema(schema map[string]any, path []string) bool {
	if len(path) == 0 {
		return true
	}
	if path[0] == "[]" {
		items, ok := schema["items"].(map[string]any)
		return ok && inSchema(items, path[1:])
	}
	properties, _ := schema["properties"].(map[string]any)
	next, ok := properties[path[0]].(map[string]any)
	return ok && inSchema(next, path[1:])
}

// SKILL.md has what agents need to find it, and is short enough to be read whole.
func TestSkillIsOne(t *testing.T) {
	text := agentTexts(t)["skills/wstk/SKILL.md"]
	front := regexp.MustCompile(`(?s)^---\nname: ([a-z-]+)\ndescription: ([^\n]+)\n---\n`).FindStringSubmatch(text)
	if front == nil || front[1] != filepath.Base(skillDir) || len(front[2]) > 1024 ||
		!strings.Contains(front[2], "Use it when") {
		t.Errorf("the front matter does not say name and use: %q", front)
	}
	if n := strings.Count(text, "\n"); n > 120 {
		t.Errorf("SKILL.md has %d lines", n)
	}
	for code := range 6 {
		if !strings.Contains(text, fmt.Sprintf("\n| %d | ", code)) {
			t.Errorf("SKILL.md does not say what to do after exit code %d", code)
		}
	}
	for _, name := range []string{"references", "scripts"} {
		err := filepath.WalkDir(filepath.Join(skillDir, name),
			func(path string, d fs.DirEntry, err error) error {
				if err == nil && !d.IsDir() && !strings.Contains(text, name+"/"+d.Name()) {
					t.Errorf("SKILL.md does not lead to %s", path)
				}
				return err
			})
		if err != nil {
			t.Error(err)
		}
	}
}

// shape is what makes two command lines alike: the command and the names of its flags.
func shape(line string, pages map[string]string) (string, bool) {
	command, found := commandOf(line, pages)
	var flags []string
	for _, m := range longFlag.FindAllStringSubmatch(line, -1) {
		flags = append(flags, m[1])
	}
	slices.Sort(flags)
	return command + " " + strings.Join(slices.Compact(flags), " "), found
}

// The tasks in testdata/script are solved by what SKILL.md shows: each of their commands
// has the shape of one that stands there.
func TestTasksNeedOnlyTheSkill(t *testing.T) {
	pages := help(t)
	taught := map[string]bool{}
	for _, line := range linesOf(agentTexts(t)["skills/wstk/SKILL.md"]) {
		if s, ok := shape(line, pages); ok && strings.Contains(line, "wstk ") {
			taught[s] = true
		}
	}
	tasks, err := filepath.Glob("../../testdata/script/task-*.txtar")
	if err != nil || len(tasks) < 5 {
		t.Fatalf("only %d tasks (%v)", len(tasks), err)
	}
	call := regexp.MustCompile(`^(?:!? ?exec|exits \d+) (wstk .*)$`)
	for _, path := range tasks {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		used := 0
		for n, line := range strings.Split(string(data), "\n") {
			m := call.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			used++
			if s, ok := shape(m[1], pages); !ok || !taught[s] {
				t.Errorf("%s:%d: SKILL.md shows no command like %s", path, n+1, m[1])
			}
		}
		if used < 2 {
			t.Errorf("%s has only %d commands", path, used)
		}
	}
}

// helper runs one of the skill's scripts under the plainest shell.
func helper(
	t *testing.T, dir, site, script string, args ...string,
) (stdout, stderr string, code int) {
	t.Helper()
	path, err := filepath.Abs(filepath.Join(skillDir, "scripts", script))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sh", append([]string{path}, args...)...)
	cmd.Dir, cmd.Env = dir, agentEnv(dir, site)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	var failed *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &failed) {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// Each script says how it is used, and tells wrong words from failures.
func TestHelpersSayHowTheyAreUsed(t *testing.T) {
	scripts, err := filepath.Glob(skillDir + "/scripts/*")
	if err != nil || len(scripts) < 4 {
		t.Fatalf("only %d scripts (%v)", len(scripts), err)
	}
	for _, path := range scripts {
		name := filepath.Base(path)
		out, _, code := helper(t, t.TempDir(), "", name, "-h")
		if code != 0 || !strings.HasPrefix(out, "usage: "+name+" ") || !strings.Contains(out, "exit code") {
			t.Errorf("%s -h ends with %d and says %q", name, code, out)
		}
		if out, errs, code := helper(t, t.TempDir(), "", name); code != 2 || out != "" ||
			!strings.Contains(errs, "usage: ") {
			t.Errorf("%s without arguments ends with %d and says %q, %q", name, code, out, errs)
		}
		st, err := os.Stat(path)
		if err != nil || st.Mode()&0o111 == 0 {
			t.Errorf("%s cannot be run (%v)", name, err)
		}
	}
}

func TestCite(t *testing.T) {
	site, dir := standIn(t), t.TempDir()
	out, _, code := helper(t, dir, site, "cite.sh", site+"/guide.html", "How many litres does the smallest pump move?")
	if first, _, _ := strings.Cut(out, "\n"); code != 0 || first != "The P-9 is our smallest pump and "+
		"the one most people buy. It moves forty litres a minute, and it does so for years.\t"+site+
		"/guide.html#:~:text=The%20P%2D9%20is%20our%20smallest%20pump%20and%20the%20one,"+
		"a%20minute%2C%20and%20it%20does%20so%20for%20years.\t1 site says so" {
		t.Errorf("cite ends with %d and prints %s", code, out)
	}
	for page, want := range map[string]int{"/members": 4, "/nosuch.html": 3, "/stock": 5, "/index.html": 3} {
		out, errs, code := helper(t, dir, site, "cite.sh", site+page, "Who won the chess tournament in Reykjavik?")
		if code != want || out != "" || errs == "" {
			t.Errorf("%s: cite ends with %d, not %d, and prints %q, %q", page, code, want, out, errs)
		}
	}

	// A quote that does not stand is not printed: here nothing verifies.
	liar := "#!/bin/sh\nif [ \"$1\" = verify ]; then echo 'ev_1\tfalse\tnot there'; exit 1; fi\necho 'It moves fifty litres.'\n"
	if err := os.WriteFile(filepath.Join(dir, "wstk"), []byte(liar), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	if out, errs, code := helper(t, dir, site, "cite.sh", site+"/guide.html",
		"How many litres?"); code != 1 || out != "" || !strings.Contains(errs, "not there") {
		t.Errorf("with a quote that does not verify, cite ends with %d and prints %q, %q", code, out, errs)
	}
}

func TestReadAll(t *testing.T) {
	site, dir := standIn(t), t.TempDir()
	out, errs, code := helper(t, dir, site, "read-all.sh", site+"/guide.html", "parts", "60")
	if code != 0 {
		t.Fatalf("read-all ends with %d: %s", code, errs)
	}
	all := ""
	names := strings.Fields(out)
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		all += string(data)
	}
	cmd := exec.Command("wstk", "extract", site+"/guide.html", "--markdown", "--plain")
	cmd.Env = agentEnv(dir, site)
	whole, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if len(names) < 4 ||
		strings.Join(strings.Fields(all), " ") != strings.Join(strings.Fields(string(whole)), " ") {
		t.Errorf("%d parts hold\n%s\nand not\n%s", len(names), all, whole)
	}
	if _, _, code := helper(t, dir, site, "read-all.sh", site+"/guide.html", "parts"); code != 2 {
		t.Errorf("over older parts it ends with %d", code)
	}
	if out, _, code := helper(t, dir, site, "read-all.sh", site+"/members", "none"); code != 4 || out != "" {
		t.Errorf("of a closed page it ends with %d and prints %s", code, out)
	}
	// The page's own words are no cursor.
	page := `<title>T</title><script type="application/ld+json">{"extracted":{"next_cursor":"x"},"next_cursor":"x"}</script><h1>T</h1><p>"next_cursor":"x" stands in this short page, which has no second part at all.</p>`
	if err := os.WriteFile(filepath.Join(dir, "page.html"), []byte(page), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, errs, code := helper(t, dir, site, "read-all.sh", "page.html", "page"); code != 0 || out != "page/part-001.md\n" {
		t.Errorf("it ends with %d and prints %s%s", code, out, errs)
	}
}

func TestWhy(t *testing.T) {
	site, dir := standIn(t), t.TempDir()
	for page, want := range map[string]struct {
		exit  int
		words string
	}{
		"/guide.html": {0, "the page comes"}, "/members": {4, "try: look for another source"}, "/nosuch.html": {3, "try: check the address"},
		"/stock": {5, "try: wstk extract --method browser"}, "/_brokengzip": {1, "may work later"},
	} {
		out, _, code := helper(t, dir, site, "why.sh", site+page)
		if code != want.exit || !strings.Contains(out, want.words) ||
			!strings.HasPrefix(out, fmt.Sprintf("exit %d: ", want.exit)) {
			t.Errorf("%s: why ends with %d and prints %s", page, code, out)
		}
	}
	if out, _, code := helper(t, dir, site, "why.sh", "no address"); code != 2 || !strings.HasPrefix(out, "exit 2: ") {
		t.Errorf("of wrong words it ends with %d and prints %s", code, out)
	}
}

func TestCompareProviders(t *testing.T) {
	site, dir := standIn(t), t.TempDir()
	suite := fmt.Sprintf(`{"query": "smallest pump", "expected_urls": ["%s/guide.html"]}`, site)
	if err := os.WriteFile(filepath.Join(dir, "suite.jsonl"), []byte(suite), 0o644); err != nil {
		t.Fatal(err)
	}
	out, errs, code := helper(t, dir, site, "compare-providers.sh", "suite.jsonl", "brave_api", "ddgs")
	if code != 0 || !strings.Contains(out, "brave_api\tmrr\t0.5\t") ||
		!strings.Contains(out, "ddgs\tmrr\t0.5\t") || strings.Count(out, "\n") != 8 {
		t.Errorf("it ends with %d and prints %s%s", code, out, errs)
	}
	if out, _, code := helper(t, t.TempDir(), site+"/nowhere", "compare-providers.sh",
		filepath.Join(dir, "suite.jsonl"), "brave_api", "ddgs"); code != 1 || !strings.Contains(out, "ddgs\terrors\t1\t") {
		t.Errorf("where no provider answers it ends with %d and prints %s", code, out)
	}
	if _, _, code := helper(t, dir, site, "compare-providers.sh", "nosuch.jsonl", "brave_api", "ddgs"); code != 2 {
		t.Errorf("without a suite it ends with %d", code)
	}
	if _, _, code := helper(t, dir, site, "compare-providers.sh", "suite.jsonl", "serper", "ddgs"); code != 2 {
		t.Errorf("with a provider that is not set up it ends with %d", code)
	}
}

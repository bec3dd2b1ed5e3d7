package archtest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"wstk/shared/wstk/wstktest"
)

// tracked returns the files git knows, or all files where there is no git.
func tracked(t *testing.T) []string {
	t.Helper()
	cmd := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	cmd.Dir = root(t)
	out, err := cmd.Output()
	if err != nil {
		wstktest.Skip(t, "not a git checkout")
	}
	return strings.Split(strings.TrimRight(string(out), "\x00"), "\x00")
}

// unwanted are words that do not belong into the repository: they speak of one
// machine or of unfinished work.
var unwanted = []struct {
	re  *regexp.Regexp
	why string
}{
	{regexp.MustCompile(`/(work|root|home/[a-z]+)/`), "a path of one machine"},
	{regexp.MustCompile(`\b(TO` + `DO|FIX` + `ME|XX` + `X)\b`), "unfinished work: finish it, or describe it in docs/rough_edges.md"},
	{regexp.MustCompile(`(proxy\.golang|pypi|registry\.npmjs|repo1\.maven)\.org`), "a registry host name"},
}

func TestWords(t *testing.T) {
	for _, name := range tracked(t) {
		if strings.HasPrefix(name, "testdata/sites/") || strings.Contains(name, "/testdata/") || name == "go.sum" || name == "shared/archtest/words_test.go" {
			continue
		}
		data, err := os.ReadFile(filepath.Join(root(t), name))
		if err != nil || bytes.IndexByte(data, 0) >= 0 {
			continue
		}
		for n, line := range strings.Split(string(data), "\n") {
			for _, u := range unwanted {
				if u.re.MatchString(line) {
					t.Errorf("%s:%d: %s: %s", name, n+1, u.why, strings.TrimSpace(line))
				}
			}
		}
	}
}

// Every package says in its own words what it is for.
func TestPackageDocs(t *testing.T) {
	for _, p := range list(t, "./shared/...", "./cmd/...") {
		files, _ := filepath.Glob(filepath.Join(p.Dir, "*.go"))
		documented, code := false, false
		for _, f := range files {
			if strings.HasSuffix(f, "_test.go") {
				continue
			}
			code = true
			data, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			if regexp.MustCompile(`(?m)^(// |/\*)(.|\n)*?\npackage `).Match(data) && regexp.MustCompile(`(?m)^// (Package|Command) `).Match(data) {
				documented = true
			}
		}
		if code && !documented {
			t.Errorf("%s has no package comment", strings.TrimPrefix(p.ImportPath, module+"/"))
		}
	}
}

// Files over 2 MB do not belong into a source tree.
func TestSizes(t *testing.T) {
	for _, name := range tracked(t) {
		if st, err := os.Stat(filepath.Join(root(t), name)); err == nil && st.Size() > 2<<20 {
			t.Errorf("%s has %d bytes", name, st.Size())
		}
	}
}

// within are the stages that run inside the step of another word.
var within = map[string]string{"read": "fetch", "screen": "fetch", "chunk": "index"}

// asked are the stages that run inside a request or a command, and have no function.
var asked = []string{"evaluate", "search"}

// noStage are the words of doors and clocks: what they do is in shared/app.
var noStage = []string{"api", "refresh", "sweep", "upload"}

// house is where a word can stand.
type house struct {
	functions, stages, events, routes, tasks, queues, resources []string
	handlers                                                    map[string]string // main.go by word
}

// One word names queue, function, stage, route and sample event.
func TestOneWord(t *testing.T) {
	for _, complaint := range readHouse(t).complaints() {
		t.Error(complaint)
	}
}

func readHouse(t *testing.T) house {
	t.Helper()
	read := func(name string) string {
		data, err := os.ReadFile(filepath.Join(root(t), name))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	names := func(pattern string) (out []string) {
		found, err := filepath.Glob(filepath.Join(root(t), pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found {
			if name, ok := strings.CutSuffix(filepath.Base(f), ".json"); ok || !strings.Contains(name, ".") {
				out = append(out, name)
			}
		}
		return out
	}
	matches := func(text, pattern string) (out []string) {
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
			out = append(out, strings.ToLower(m[1]))
		}
		return out
	}
	body := func(text, fn string) string {
		_, after, ok := strings.Cut(text, fn)
		if !ok {
			t.Fatalf("there is no %s", fn)
		}
		before, _, _ := strings.Cut(after, "\n}\n")
		return before
	}
	template := read("template.yaml")
	h := house{
		functions: names("functions/*"), stages: names("shared/stage/*"), events: names("events/*.json"),
		routes:    matches(body(read("shared/app/crawling/routes.go"), "func (c *Room) Route("), `case "([a-z]+)":`),
		tasks:     matches(body(read("shared/app/task.go"), "func (a *App) Task("), `case "([a-z]+)":`),
		queues:    queuesOf(matches(template, `(?m)^  ([A-Z][A-Za-z]+)Queue:\s*(?:#.*)?$`)),
		resources: matches(template, `(?m)^  ([A-Z][A-Za-z]+)Function:\s*(?:#.*)?$`),
		handlers:  map[string]string{},
	}
	for _, word := range h.functions {
		h.handlers[word] = read("functions/" + word + "/main.go")
	}
	return h
}

// queuesOf leaves out the dead-letter queues of queues that are there: XDead beside X. One
// that belongs to no queue stands alone, and has to be called otherwise.
func queuesOf(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool {
		of, dead := strings.CutSuffix(n, "dead")
		return dead && slices.Contains(names, of)
	})
}

func (h house) complaints() (bad []string) {
	same := func(what string, got, want []string) {
		for _, w := range want {
			if !slices.Contains(got, w) {
				bad = append(bad, w+" has no "+what)
			}
		}
		for _, g := range got {
			if !slices.Contains(want, g) {
				bad = append(bad, "the "+what+" of "+g+" belongs to nothing")
			}
		}
	}
	same("function in template.yaml", h.resources, h.functions)
	same("sample in events", h.events, h.functions)
	same("queue in template.yaml", h.queues, h.routes)
	stages := slices.DeleteFunc(slices.Clone(h.functions), func(w string) bool {
		return slices.Contains(noStage, w)
	})
	same("folder in shared/stage", slices.DeleteFunc(slices.Clone(h.stages), func(w string) bool {
		return within[w] != "" || slices.Contains(asked, w)
	}), stages)
	for _, word := range h.functions {
		handler := `event.` + strings.ToUpper(word[:1]) + word[1:] + `(`
		switch {
		case slices.Contains(h.routes, word):
			handler = `event.Queue(system.App, "` + word + `")`
		case slices.Contains(h.tasks, word):
			handler = `event.Task(system.App, "` + word + `")`
		case word == "api":
			handler = "rest.New("
		}
		if !strings.Contains(h.handlers[word], handler) {
			bad = append(bad, "functions/"+word+" does not start "+handler)
		}
		if !strings.HasPrefix(h.handlers[word], "// Command "+word+" ") {
			bad = append(bad, "functions/"+word+" does not say what it is")
		}
	}
	same("function", h.functions, append(append([]string{"api", "sweep", "upload"}, h.routes...), h.tasks...))
	for stage, word := range within {
		if !slices.Contains(h.stages, stage) || !slices.Contains(h.routes, word) {
			bad = append(bad, stage+" does not run inside "+word)
		}
	}
	for _, stage := range asked {
		if !slices.Contains(h.stages, stage) || slices.Contains(h.functions, stage) {
			bad = append(bad, stage+" is no stage, or has a function")
		}
	}
	return bad
}

// Whichever of its places a word is missing from, or stands in alone, is told.
func TestOneWordCanFail(t *testing.T) {
	for name, spoil := range map[string]func(*house){
		"no function":      func(h *house) { h.functions = h.functions[1:] },
		"a function alone": func(h *house) { h.functions = append(h.functions, "guess") },
		"no sample":        func(h *house) { h.events = h.events[1:] },
		"a sample alone":   func(h *house) { h.events = append(h.events, "guess") },
		"no stage": func(h *house) {
			h.stages = slices.DeleteFunc(h.stages, func(s string) bool { return s == "recall" })
		},
		"a stage alone": func(h *house) { h.stages = append(h.stages, "guess") },
		"no asked stage": func(h *house) {
			h.stages = slices.DeleteFunc(h.stages, func(s string) bool { return s == "search" })
		},
		"no inner stage": func(h *house) {
			h.stages = slices.DeleteFunc(h.stages, func(s string) bool { return s == "chunk" })
		},
		"no route":                 func(h *house) { h.routes = h.routes[1:] },
		"no task":                  func(h *house) { h.tasks = h.tasks[1:] },
		"no queue":                 func(h *house) { h.queues = h.queues[1:] },
		"dead letters of no queue": func(h *house) { h.queues = queuesOf(append(h.queues, "crawldead", "uploaddead")) },
		"a queue alone":            func(h *house) { h.queues = append(h.queues, "guess") },
		"no resource":              func(h *house) { h.resources = h.resources[1:] },
		"another handler":          func(h *house) { h.handlers["crawl"] = h.handlers["fetch"] },
	} {
		h := readHouse(t)
		spoil(&h)
		if len(h.complaints()) == 0 {
			t.Errorf("%s: there is no complaint", name)
		}
	}
}

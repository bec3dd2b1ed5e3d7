package archtest

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

// documents are the Markdown files of the repository, by name, without the pages that
// tests read.
func documents(t *testing.T) map[string]string {
	t.Helper()
	docs := map[string]string{}
	for _, name := range tracked(t) {
		if !strings.HasSuffix(name, ".md") || strings.HasPrefix(name, "testdata/sites/") || strings.Contains(name, "/testdata/") {
			continue
		}
		if data, err := os.ReadFile(filepath.Join(root(t), name)); err == nil {
			docs[name] = string(data)
		}
	}
	if docs["README.md"] == "" || docs["docs/design.md"] == "" {
		t.Fatal("README.md or docs/design.md is missing")
	}
	return docs
}

var (
	link  = regexp.MustCompile(`\]\(([^)\s]+)(?: "[^"]*")?\)`)
	fence = regexp.MustCompile("(?ms)^```.*?^```")
	named = regexp.MustCompile("`((?:shared|cmd|docs|testdata|examples|tools|functions|infra)/[A-Za-z0-9_./-]+)`")
)

// Every local link of a document leads somewhere, and every path it names is there.
func TestLinksAndPathsOfDocuments(t *testing.T) {
	docs := documents(t)
	there := func(name string) bool {
		_, err := os.Stat(filepath.Join(root(t), name))
		return err == nil
	}
	for name, text := range docs {
		text = fence.ReplaceAllString(text, "")
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			if strings.Contains(m[1], "://") || strings.HasPrefix(m[1], "mailto:") {
				continue
			}
			file, anchor, _ := strings.Cut(m[1], "#")
			target := name
			if file != "" {
				target = path.Join(path.Dir(name), file)
			}
			if !there(target) {
				t.Errorf("%s links to %s, which is not there", name, m[1])
			} else if anchor != "" && !hasHeading(docs[target], anchor) {
				t.Errorf("%s links to %s, and there is no such heading", name, m[1])
			}
		}
		for _, m := range named.FindAllStringSubmatch(text, -1) {
			if !there(strings.TrimSuffix(m[1], "/")) {
				t.Errorf("%s names %s, which is not there", name, m[1])
			}
		}
	}
}

// hasHeading reports whether a document has a heading with the anchor that sites make of
// its words: lower case, blanks as dashes, punctuation dropped.
func hasHeading(text, anchor string) bool {
	for _, line := range strings.Split(text, "\n") {
		words := strings.TrimLeft(line, "#")
		if words == line {
			continue
		}
		slug := strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
				return unicode.ToLower(r)
			}
			return -1
		}, strings.TrimSpace(words))
		if slug == anchor {
			return true
		}
	}
	return false
}

// Each law names at least one test, and each test it names is there.
func TestLawsNameTheirTests(t *testing.T) {
	head := regexp.MustCompile(`(?m)^\*\*Law (\d+): `)
	part := regexp.MustCompile("`([a-z_/]+)`:((?:,?\\s+(?:Test|Fuzz)[A-Za-z0-9/]+)+)")
	text, _, _ := strings.Cut(documents(t)["docs/design.md"], "\n## Decisions\n")
	laws := head.FindAllStringSubmatchIndex(text, -1)
	if len(laws) != 12 {
		t.Fatalf("docs/design.md has tests for %d laws", len(laws))
	}
	for n, at := range laws {
		law, end := text[at[2]:at[3]], len(text)
		if n+1 < len(laws) {
			end = laws[n+1][0]
		}
		tests := 0
		for _, p := range part.FindAllStringSubmatch(text[at[1]:end], -1) {
			src := source(t, p[1], true)
			for _, name := range strings.Fields(strings.ReplaceAll(p[2], ",", " ")) {
				tests++
				function, _, _ := strings.Cut(name, "/")
				if !strings.Contains(src, "\nfunc "+function+"(") {
					t.Errorf("law %s names %s of %s, which is not there", law, name, p[1])
				}
			}
		}
		if tests == 0 {
			t.Errorf("law %s names no test", law)
		}
	}
}

// joined is a list item whose line holds another one: a program that wraps lines did that.
var joined = regexp.MustCompile(`^\s*(?:[-*]|\d+\.) .*[.;:!?] (?:[-*]|\d+\.) [A-Z` + "`" + `"]`)

// TestListItemsHaveTheirOwnLines: two items of a list on one line are shown as one.
func TestListItemsHaveTheirOwnLines(t *testing.T) {
	for line, want := range map[string]bool{
		"- A browser sends its own. - Redaction finds secrets.": true,
		"- A browser sends its own, - redaction does not.":      false,
		"1. Read it. 2. Ask.":                                   true,
		"- It is read in 2 s.":                                  false,
		"A line of text. - Not in a list.":                      false,
	} {
		if joined.MatchString(line) != want {
			t.Errorf("%q: want %v", line, want)
		}
	}
	for name, text := range documents(t) {
		for i, line := range strings.Split(text, "\n") {
			if joined.MatchString(line) {
				t.Errorf("%s:%d: two items of a list on one line: %s", name, i+1, line)
			}
		}
	}
}

// TestDocumentsNameTodaysVersions: operations.md names today's reader of HTML and today's rules.
func TestDocumentsNameTodaysVersions(t *testing.T) {
	operations := documents(t)["docs/operations.md"]
	for name, constant := range map[string]string{
		"shared/stage/read/stage.go":     `const Reader = "([^"]+)"`,
		"shared/stage/collate/review.go": `const Rules = "([^"]+)"`,
	} {
		source, err := os.ReadFile(filepath.Join(root(t), name))
		if err != nil {
			t.Fatal(err)
		}
		m := regexp.MustCompile(constant).FindSubmatch(source)
		if m == nil {
			t.Errorf("%s has no %s", name, constant)
		} else if !strings.Contains(operations, "`"+string(m[1])+"`") {
			t.Errorf("docs/operations.md does not name %s of %s", m[1], name)
		}
	}
}

package archtest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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

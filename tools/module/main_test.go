package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const name = "example.org/team/research"

// TestRename renames a copy of the repository. Nothing in it names the old module, its
// packages are sound, and a second module builds with nothing but a replace of its own.
func TestRename(t *testing.T) {
	dir := t.TempDir()
	copyTree(t, filepath.Join("..", ".."), dir)
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	old := strings.Fields(string(mod))[1]
	if _, err := rename(dir, name); err != nil {
		t.Fatal(err)
	}
	for _, left := range find(t, dir, regexp.MustCompile("[\"`\\s]"+regexp.QuoteMeta(old)+"/shared/")) {
		t.Errorf("the old name of a package is left: %s", left)
	}
	vet(t, dir, "./shared/wstk", "./shared/stage/read/content", "./shared/stage/verify", "./shared/archtest")

	user := t.TempDir()
	// The requirements are listed as go mod tidy would, so that nothing is looked up.
	_, requirements, _ := strings.Cut(string(mod), "\nrequire")
	write(t, filepath.Join(user, "go.mod"), "module example.com/user\n\ngo 1.26.0\n\nrequire "+name+" v0.0.0\n\nreplace "+name+" => "+dir+"\n\nrequire"+requirements)
	write(t, filepath.Join(user, "main.go"), `package main

import (
	"context"
	"fmt"

	"`+name+`/shared/stage/read"
	"`+name+`/shared/stage/verify"
)

func main() {
	d, err := (&read.Stage{}).Do(context.Background(), read.Input{URL: "https://site.example/", Body: []byte("<p>Nine bar.")})
	fmt.Println(d.Text, err, verify.Stage{})
}
`)
	sum, err := os.ReadFile(filepath.Join(dir, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(user, "go.sum"), string(sum))
	vet(t, user, "-mod=mod", ".")
}

// TestRenameBack: a second renaming undoes the first, byte for byte.
func TestRenameBack(t *testing.T) {
	dir := t.TempDir()
	old := "wstk"
	src := strings.ReplaceAll("package x\n\nimport (\n\t\"OLD/shared/app\"\n\t\"OLD/shared/wstk\"\n)\n\nconst program, home = \"OLD\", \"../OLD/shared/app\"\n", "OLD", old)
	write(t, filepath.Join(dir, "go.mod"), "module "+old+"\n\ngo 1.26.0\n")
	write(t, filepath.Join(dir, "shared", "x.go"), src)
	for _, to := range []string{name, old} {
		if n, err := rename(dir, to); n != 2 || err != nil {
			t.Fatalf("to %s: %d files changed, %v", to, n, err)
		}
	}
	if got, _ := os.ReadFile(filepath.Join(dir, "shared", "x.go")); string(got) != src {
		t.Errorf("after two renamings the file is\n%s", got)
	}
}

func TestBadNamesAreRefused(t *testing.T) {
	for _, to := range []string{"", "/x", "a b", "https://example.org/x", "a/../b", "x/"} {
		if _, err := rename(t.TempDir(), to); err == nil || !strings.Contains(err.Error(), "module path") {
			t.Errorf("%q: %v", to, err)
		}
	}
}

func vet(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("go", append([]string{"vet"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS=-buildvcs=false", "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("go vet %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

func copyTree(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(from, path)
		if d.IsDir() && (d.Name() == ".git" || d.Name() == ".cache" || rel == "bin") {
			return fs.SkipDir
		}
		if !d.Type().IsRegular() || rel == ".git" {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		write(t, filepath.Join(to, rel), string(data))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func find(t *testing.T, dir string, what *regexp.Regexp) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.Contains(path, filepath.Join("tools", "module")) {
			return err
		}
		data, err := os.ReadFile(path)
		if m := what.Find(data); m != nil {
			out = append(out, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

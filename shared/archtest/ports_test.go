package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// untested adapters implement a port and pass no suite, for a reason.
var untested = map[string]string{
	"shared/adapter/bundle BlobStore": "a bundle is read only, so that most promises of a store do not apply",
}

// Law 11: every port that something implements has a conformance suite, and every
// adapter that says it is one runs that suite.
func TestEveryPortHasASuiteAndEveryAdapterPassesIt(t *testing.T) {
	suites := source(t, "shared/wstk/wstktest", false)
	ports := interfaces(t, filepath.Join(root(t), "shared/wstk"))
	claim := regexp.MustCompile(`(?m)^var _ wstk\.(\w+) = `)
	adapters := map[string]int{} // by port
	for _, p := range list(t, "./shared/...") {
		rel := strings.TrimPrefix(p.ImportPath, module+"/")
		tests := source(t, rel, true)
		for _, m := range claim.FindAllStringSubmatch(source(t, rel, false), -1) {
			adapters[m[1]]++
			if untested[rel+" "+m[1]] == "" && !regexp.MustCompile(`wstktest\.`+m[1]+`\b`).MatchString(tests) {
				t.Errorf("%s says it is a %s, but its tests do not run wstktest.%s", rel, m[1], m[1])
			}
		}
	}
	held := 0
	for _, port := range ports {
		if adapters[port] == 0 {
			continue // nothing implements it yet
		}
		held++
		if !regexp.MustCompile(`(?m)^func ` + port + `\(\s*t \*testing\.T,`).MatchString(suites) {
			t.Errorf("the port %s has no suite in shared/wstk/wstktest", port)
		}
	}
	if held < 12 {
		t.Errorf("only %d ports are held: %v", held, adapters)
	}
}

// A port is found by its name: BlobStore in blob.go or blobstore.go, Renderer in render.go.
func TestPortsHaveFilesOfTheirName(t *testing.T) {
	rooms, err := filepath.Glob(filepath.Join(root(t), "shared/stage/*"))
	if err != nil {
		t.Fatal(err)
	}
	declares := regexp.MustCompile(`(?m)^type ([A-Z]\w*) interface \{`)
	found := 0
	for _, room := range append(rooms, filepath.Join(root(t), "shared/wstk")) {
		files, err := filepath.Glob(filepath.Join(room, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range files {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range declares.FindAllStringSubmatch(string(data), -1) {
				found++
				if name := strings.TrimSuffix(filepath.Base(path),
					".go"); !strings.HasPrefix(strings.ToLower(m[1]), name) {
					t.Errorf("the port %s is in %s: put it into a file of its name", m[1], path)
				}
			}
		}
	}
	if found < 20 {
		t.Errorf("only %d ports were found", found)
	}
}

// source is the Go source of a package, or of its tests.
func source(t *testing.T, rel string, tests bool) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root(t), rel, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") != tests {
			continue
		}
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(data)
	}
	return b.String()
}

// interfaces lists the exported interfaces a package declares.
func interfaces(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, path := range files {
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for name, object := range f.Scope.Objects {
			if spec, ok := object.Decl.(*ast.TypeSpec); ok && ast.IsExported(name) {
				if _, ok := spec.Type.(*ast.InterfaceType); ok {
					names = append(names, name)
				}
			}
		}
	}
	return names
}

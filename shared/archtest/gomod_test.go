package archtest

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"
)

// A library that our code or our tests import is direct in go.mod, and no other is: the first
// block of go.mod is the list of what we chose.
func TestDirectModules(t *testing.T) {
	edit := exec.Command("go", "mod", "edit", "-json")
	edit.Dir = root(t)
	out, err := edit.Output()
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Require []struct {
			Path     string
			Indirect bool
		}
	}
	if err := json.Unmarshal(out, &file); err != nil {
		t.Fatal(err)
	}
	imported := map[string]string{} // module → one of our packages that imports it
	for _, p := range list(t, "./...") {
		for _, imp := range append(append(p.Imports, p.TestImports...), p.XTestImports...) {
			longest := ""
			for _, m := range file.Require {
				if (imp == m.Path || strings.HasPrefix(imp, m.Path+"/")) &&
					len(m.Path) > len(longest) {
					longest = m.Path
				}
			}
			if longest != "" {
				imported[longest] = p.ImportPath
			}
		}
	}
	if len(imported) < 10 {
		t.Fatalf("only %d modules are imported", len(imported))
	}
	for _, m := range file.Require {
		switch by := imported[m.Path]; {
		case by != "" && m.Indirect:
			t.Errorf("%s imports %s, which go.mod calls indirect: run go mod tidy", by, m.Path)
		case by == "" && !m.Indirect:
			t.Errorf("none of our packages imports %s, which go.mod does not call indirect: run go mod tidy", m.Path)
		}
	}
}

package archtest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestDependencies compares the modules each program links with a golden list, so
// that a new dependency shows in the diff of a change and is explained there.
// WSTK_GOLDEN=update rewrites it.
func TestDependencies(t *testing.T) {
	for _, program := range []string{"wstk"} {
		cmd := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", "./cmd/"+program)
		cmd.Dir = root(t)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		modules := strings.Fields(string(out))
		slices.Sort(modules)
		got := []byte(strings.Join(slices.Compact(modules), "\n") + "\n")
		path := filepath.Join(root(t), "testdata/golden/deps-"+program+".txt")
		if os.Getenv("WSTK_GOLDEN") == "update" {
			if err := os.WriteFile(path, got, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s links other modules than testdata/golden/deps-%s.txt lists; if that is meant, run make golden and say in the change what it buys\n--- golden\n%s--- now\n%s", program, program, want, got)
		}
	}
}

package archtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestExampleFromASecondModule builds and runs the example that uses the system as a
// library. It is a module of its own, so it sees only what any other module would.
func TestExampleFromASecondModule(t *testing.T) {
	from := filepath.Join(root(t), "examples", "library")
	dir := t.TempDir()
	for _, name := range []string{"main.go", "go.mod", "../../go.sum"} {
		data, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(string(data), "=> ../..", "=> "+root(t))
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(name)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "run", "-mod=mod", ".")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"pages: 1 adds up: true", `9 bar." stands: true`} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%q is not in the output:\n%s", want, out)
		}
	}
}

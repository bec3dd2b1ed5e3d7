package archtest

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestExampleFromASecondModule builds and runs the example that uses the system as a
// library, as its reader would: go run . in its folder. It is a module of its own, so it
// sees only what any other module would.
func TestExampleFromASecondModule(t *testing.T) {
	cmd := exec.Command("go", "run", "-mod=readonly", ".")
	cmd.Dir = filepath.Join(root(t), "examples", "library")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v; after a change of our go.mod: cp go.sum examples/library && cd examples/library && go build -mod=mod -o /dev/null .\n%s", err, out)
	}
	for _, want := range []string{"pages: 1 adds up: true", `9 bar." is quoted`, "verified: 1 failed: 0"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%q is not in the output:\n%s", want, out)
		}
	}
}

package wstktest

import (
	"os"
	"testing"
)

// MustRun is the environment variable that makes a skipped test a failed one.
const MustRun = "WSTK_MUST_RUN"

// Skip ends a test that cannot run on this machine, and says why. Where every test
// must run, that is a failure.
func Skip(t testing.TB, why ...any) {
	t.Helper()
	if os.Getenv(MustRun) != "" {
		t.Fatal(append([]any{MustRun + " is set, and this test cannot run: "}, why...)...)
	}
	t.Skip(why...)
}

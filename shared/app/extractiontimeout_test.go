package app

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"wstk/shared/app/reading"
	"wstk/shared/config"
)

// The time an extraction may take is in the table of limits, and is one that ends.
func TestExtractionTimeout(t *testing.T) {
	load := func(value string) (config.Config, error) {
		return config.New(nil).Load(func(name string) string {
			return map[string]string{"WSTK_EXTRACTION_TIMEOUT": value}[name]
		}, t.TempDir())
	}
	c, err := load("")
	if err != nil {
		t.Fatal(err)
	}
	manual, err := os.ReadFile("../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []string{
		fmt.Sprintf("| an extraction over HTTP or of an upload | %.0f min | `api.extraction_timeout` |", c.ExtractionTimeout.Minutes()),
		fmt.Sprintf("| fetching each of several pages for an answer | at most %.0f s.", reading.PageTime(c).Seconds()),
	} {
		if !strings.Contains(string(manual), row) {
			t.Errorf("docs/operations.md does not say: %s", row)
		}
	}
	for value, want := range map[string]time.Duration{"300": 5 * time.Minute,
		"90m": 90 * time.Minute, "0": 0, "91m": 0, "7d": 0, "soon": 0} {
		if c, err := load(value); err == nil != (want > 0) || c.ExtractionTimeout != want {
			t.Errorf("%s: %s, %v", value, c.ExtractionTimeout, err)
		}
	}
}

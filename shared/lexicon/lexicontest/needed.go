// Package lexicontest holds the test that rooms with a lexicon share: every family of
// phrases is needed.
package lexicontest

import (
	"os"
	"slices"
	"strings"
	"testing"

	"wstk/shared/lexicon"
)

// Needed fails for each family of l without which no sample has another result. The file
// table names a sample for each family, which is a line "family, tab, sample"; with
// WSTK_GOLDEN=update it is written again from the first sample that changes.
//
// with returns what gives a sample's result when the room reads a lexicon.
func Needed(
	t *testing.T, l *lexicon.Lexicon, table string, samples []string,
	with func(*lexicon.Lexicon) func(sample string) string,
) {
	t.Helper()
	result := with(l)
	before := map[string]string{}
	was := func(sample string) string {
		if _, known := before[sample]; !known {
			before[sample] = result(sample)
		}
		return before[sample]
	}
	if os.Getenv("WSTK_GOLDEN") == "update" {
		for _, s := range samples {
			was(s)
		}
		var lines []string
		for _, f := range l.Families() {
			now := with(l.Without(f.Name))
			if i := slices.IndexFunc(samples,
				func(s string) bool { return now(s) != was(s) }); i >= 0 {
				lines = append(lines, f.Name+"\t"+samples[i]+"\n")
			}
		}
		if err := os.WriteFile(table, []byte(strings.Join(lines, "")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(table)
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]string{}
	for line := range strings.Lines(string(data)) {
		family, sample, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		named[family] = sample
	}
	for _, f := range l.Families() {
		sample, ok := named[f.Name]
		delete(named, f.Name)
		old := was(sample)
		switch {
		case !ok:
			t.Errorf("%s: no sample needs the family [%s]: add one to the tests and run this "+
				"test with WSTK_GOLDEN=update, or delete the family", table, f.Name)
		case !slices.Contains(samples, sample):
			t.Errorf("%s: there is no sample %q", table, sample)
		case with(l.Without(f.Name))(sample) == old:
			t.Errorf("%s: %q has the same result without the family [%s]", table, sample, f.Name)
		}
	}
	for family := range named {
		t.Errorf("%s: there is no family [%s]", table, family)
	}
}

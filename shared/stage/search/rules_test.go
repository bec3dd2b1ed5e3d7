package search

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"


	"wstk/shared/wstk"
)

// phrasing is a line of testdata/rules.jsonl: what a user types, and the template that
// says it.
type phrasing struct {
	Words    string             `json:"words"`
	Lang     string             `json:"lang"`
	Template wstk.QueryTemplate `json:"template"`
	Notes    []string           `json:"notes"`
}

func phrasings(t testing.TB) (all []phrasing) {
	t.Helper()
	data, err := os.ReadFile("testdata/rules.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		var p phrasing
		dec := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&p); err != nil {
			t.Fatalf("%s: %v", lines.Text(), err)
		}
		all = append(all, p)
	}
	return all
}

func TestRules(t *testing.T) {
	all := phrasings(t)
	if len(all) < 90 {
		t.Errorf("only %d phrasings", len(all))
	}
	for _, p := range all {
		got, notes, err := Rules(p.Words, p.Lang)
		if err != nil {
			t.Errorf("%s: %v", p.Words, err)
			continue
		}
		var codes []string
		for _, n := range notes {
			codes = append(codes, n.Code)
			if !strings.HasSuffix(n.Message, ".") {
				t.Errorf("%s: the note %q is no sentence", p.Words, n.Message)
			}
		}
		if !reflect.DeepEqual(got, p.Template) || !slices.Equal(codes, p.Notes) {
			a, _ := json.Marshal(got)
			b, _ := json.Marshal(p.Template)
			t.Errorf("%s (read as %s)\n got %s %v\nwant %s %v", p.Words, newReader(p.Words, p.Lang).tongue.code, a, codes, b, p.Notes)
		}
	}
}

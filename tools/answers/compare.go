package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// report is all rows of a run, as -json writes them. Rows of halves that only check are left out.
type report struct {
	Questions []row     `json:"questions,omitempty"`
	Cases     []caseRow `json:"cases,omitempty"`

	Followed []followRow `json:"followed,omitempty"`
}

// write writes the rows of the halves for tuning.
func (r report) write(name string) error {
	var fit report
	for _, q := range r.Questions {
		if q.Half == "fit" {
			fit.Questions = append(fit.Questions, q)
		}
	}
	for _, f := range r.Followed {
		if f.Half == "fit" {
			fit.Followed = append(fit.Followed, f)
		}
	}
	for _, c := range r.Cases {
		if forTuning(c.Half) {
			fit.Cases = append(fit.Cases, c)
		}
	}
	data, err := json.MarshalIndent(fit, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(name, append(data, '\n'), 0o644)
}

func readReport(name string) (report, error) {
	var r report
	data, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	if err != nil {
		return r, fmt.Errorf("%s: %w; name a file that -json wrote", name, err)
	}
	return r, nil
}

// compare lists what was won and lost since an older run, of what both runs have.
func compare(old, now report) string {
	var b strings.Builder
	was := map[string]row{}
	for _, r := range old.Questions {
		was[r.key()] = r
	}
	for _, what := range []struct {
		name string
		of   func(row) bool
	}{
		{"right", func(r row) bool { return r.Right }},
		{"first", func(r row) bool { return r.First }},
		{"recalled", func(r row) bool { return r.Recalled }},
	} {
		var won, lost []string
		for _, r := range now.Questions {
			before, ok := was[r.key()]
			switch {
			case !ok || what.of(r) == what.of(before):
			case what.of(r):
				won = append(won, r.ID+" "+r.Wording)
			default:
				lost = append(lost, r.ID+" "+r.Wording)
			}
		}
		wonLost(&b, what.name, won, lost)
	}
	before := map[string]caseRow{}
	for _, r := range old.Cases {
		before[r.ID] = r
	}
	var won, lost []string
	for _, r := range now.Cases {
		o, ok := before[r.ID]
		switch {
		case !ok || o.Right == r.Right:
		case r.Right:
			won = append(won, r.ID)
		default:
			lost = append(lost, r.ID)
		}
	}
	wonLost(&b, "cases", won, lost)
	return b.String()
}

func wonLost(b *strings.Builder, name string, won, lost []string) {
	if len(won)+len(lost) == 0 {
		return
	}
	fmt.Fprintf(b, "%s: %d won: %s\n%s: %d lost: %s\n", name, len(won), strings.Join(won, ", "),
		name, len(lost), strings.Join(lost, ", "))
}

package main

import (
	"fmt"
	"slices"
	"strings"
)

// tally is what rows add up to.
type tally struct {
	n, right, first, answered, recalled, windows, passages int
	statements, off, words                                 int
	parts, of                                              int
	nones, honest                                          int
}

func (t *tally) add(r row) {
	count := func(n *int, is bool) {
		if is {
			*n++
		}
	}
	if r.Kind == none {
		t.nones++
		count(&t.honest, r.Right)
		return
	}
	t.n++
	count(&t.right, r.Right)
	count(&t.first, r.First)
	count(&t.answered, r.Answered)
	count(&t.recalled, r.Recalled)
	count(&t.windows, r.Windows)
	count(&t.passages, r.Passages || r.Right)
	t.statements += r.Shown
	t.off += r.Off
	t.words += r.Words
	t.parts += r.Parts
	t.of += r.Of
}

// columns are those of table.
var columns = []struct {
	name string
	of   func(tally) string
}{
	{"n", func(t tally) string { return fmt.Sprint(t.n) }},
	{"right", func(t tally) string { return share(t.right, t.n) }},
	{"first", func(t tally) string { return share(t.first, t.n) }},
	{"answered, wrong", func(t tally) string { return fmt.Sprint(t.answered - t.right) }},
	{"statements an answer", func(t tally) string { return mean(t.statements, t.answered) }},
	{"words quoted an answer", func(t tally) string { return mean(t.words, t.answered) }},
	{"irrelevant", func(t tally) string { return share(t.off, t.statements) }},
	{"right or in nearest passages", func(t tally) string { return share(t.passages, t.n) }},
	{"recall, best 3", func(t tally) string { return share(t.recalled, t.n) }},
	{"FTS5, best 3", func(t tally) string { return share(t.windows, t.n) }},
	{"honest no", func(t tally) string { return share(t.honest, t.nones) }},
	{"parts of lists", func(t tally) string { return share(t.parts, t.of) }},
}

// table writes what rows add up to as Markdown, for each half and wording.
func table(rows []row) string {
	var b strings.Builder
	b.WriteString("| half | wording |")
	for _, c := range columns {
		b.WriteString(" " + c.name + " |")
	}
	b.WriteString("\n|---|---|" + strings.Repeat("---|", len(columns)) + "\n")
	for _, half := range []string{"fit", "test"} {
		for _, wording := range []string{"near", "user"} {
			var t tally
			for _, r := range rows {
				if r.Half == half && r.Wording == wording {
					t.add(r)
				}
			}
			if t.n+t.nones == 0 {
				continue
			}
			fmt.Fprintf(&b, "| %s | %s |", half, wording)
			for _, c := range columns {
				b.WriteString(" " + c.of(t) + " |")
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

// kinds writes how many rows of each kind are right, by half and wording.
func kinds(rows []row) string {
	all := map[string]*tally{}
	var names []string
	for _, r := range rows {
		name := fmt.Sprintf("| %s | %s | %s |", r.Half, r.Wording, r.Kind)
		if all[name] == nil {
			all[name] = &tally{}
			names = append(names, name)
		}
		all[name].add(r)
	}
	slices.Sort(names)
	var b strings.Builder
	b.WriteString("| half | wording | kind | n | right | first |\n|---|---|---|---|---|---|\n")
	for _, name := range names {
		t := all[name]
		fmt.Fprintf(&b, "%s %d | %d | %d |\n", name, t.n+t.nones, t.right+t.honest, t.first)
	}
	return b.String()
}

// share writes n of all as .27, and – of nothing.
func share(n, all int) string {
	if all == 0 {
		return "–"
	}
	return fmt.Sprintf("%.2f (%d of %d)", float64(n)/float64(all), n, all)
}

func mean(sum, n int) string {
	if n == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f", float64(sum)/float64(n))
}

// verdicts writes a line for each row of the fit half, in the order of the questions.
func verdicts(rows []row) string {
	var b strings.Builder
	for _, r := range rows {
		if r.Half == "fit" {
			fmt.Fprintf(&b, "%s %s\n", r.key(), verdict(r))
		}
	}
	return b.String()
}

// detail writes each row of the fit half, wrong ones first. Of the test half nothing is shown.
func detail(rows []row) string {
	var b strings.Builder
	for _, right := range []bool{false, true} {
		for _, r := range rows {
			if r.Half != "fit" || r.Right != right {
				continue
			}
			fmt.Fprintf(&b, "%s: %s (%s, %s) %s\n", verdict(r), r.ID, r.Kind, r.Wording, r.Query)
			for _, s := range r.Said {
				fmt.Fprintf(&b, "    %s\n", strings.Join(strings.Fields(s), " "))
			}
		}
	}
	return b.String()
}

// verdict is a word or two for a row.
func verdict(r row) string {
	switch {
	case r.Kind == none && r.Right:
		return "honest no"
	case r.Kind == none:
		return "SHOULD BE NO"
	case r.First:
		return "right, first"
	case r.Right:
		return "right, later"
	}
	out := "NO ANSWER"
	if r.Answered {
		out = "WRONG"
	}
	if r.Recalled {
		out += " (recalled)"
	}
	return out
}

// calibration writes how often answers of each belief are right, by half: well calibrated, eight
// of ten with a belief of .8 are. It is empty if no reply says its belief.
func calibration(rows []row) string {
	type bin struct {
		n, right int
		sum      float64
	}
	bins := map[string]*[10]bin{}
	for _, r := range rows {
		if r.Belief == nil || !r.Answered {
			continue
		}
		if bins[r.Half] == nil {
			bins[r.Half] = new([10]bin)
		}
		b := &bins[r.Half][max(0, min(9, int(*r.Belief*10)))]
		b.n, b.sum = b.n+1, b.sum+*r.Belief
		if r.Right && r.Kind != none {
			b.right++
		}
	}
	if len(bins) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("| half | belief | answers | mean belief | right |\n|---|---|---|---|---|\n")
	for _, half := range []string{"fit", "test"} {
		if bins[half] == nil {
			continue
		}
		for i, one := range bins[half] {
			if one.n > 0 {
				fmt.Fprintf(&b, "| %s | %.1f to %.1f | %d | %.2f | %s |\n", half, float64(i)/10,
					float64(i+1)/10, one.n, one.sum/float64(one.n), share(one.right, one.n))
			}
		}
	}
	return b.String()
}

// times writes how long questions took.
func times(rows []row) string {
	var b strings.Builder
	b.WriteString("| in process | n | p50 ms | p95 ms |\n|---|---|---|---|\n")
	for _, what := range []struct {
		name string
		of   func(row) float64
	}{
		{"ask", func(r row) float64 { return r.AskMS }},
		{"recall", func(r row) float64 { return r.RecallMS }},
	} {
		var all []float64
		for _, r := range rows {
			all = append(all, what.of(r))
		}
		slices.Sort(all)
		at := func(p int) float64 { return all[min(len(all)-1, len(all)*p/100)] }
		fmt.Fprintf(&b, "| %s | %d | %.0f | %.0f |\n", what.name, len(all), at(50), at(95))
	}
	return b.String()
}

package answer

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Cite writes the two layers of citation of an answer. The content is that of the extractions, in
// their order, whose marks [n] count the evidence of each; here they count references. A reference
// is a section of a page as it was fetched once, in the order in which the content cites them; it
// names the evidence that the content cites of it. Evidence that no mark cites has no reference,
// and a mark without evidence is escaped, as words are: without it, what stands around it could make
// a mark.
//
// Marks that words of pages imitate are escaped in the content of an extraction, and stay as they
// are.
func Cite(xs []wstk.Extraction) (content string, refs []wstk.Reference) {
	c := citing{refs: []wstk.Reference{}, at: map[string]int{}}
	var parts []string
	for _, x := range xs {
		if s := strings.TrimSpace(c.extraction(x)); s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, "\n\n"), c.refs
}

type citing struct {
	refs []wstk.Reference
	at   map[string]int // index of a reference by its page and section
}

// extraction returns the content of x with marks that count references.
func (c *citing) extraction(x wstk.Extraction) string {
	var b strings.Builder
	from, last, lastEnd := 0, 0, -1
	for _, m := range Marks(x.Content) {
		b.WriteString(x.Content[from:m.Start])
		from = m.End
		if m.N < 1 || m.N > len(x.Evidence) {
			b.WriteString(`\` + x.Content[m.Start:m.End])
			continue
		}
		n := c.reference(x.Evidence[m.N-1], x.Sources)
		if n == last && lastEnd == m.Start { // two quotes of one section, side by side
			lastEnd = m.End
			continue
		}
		fmt.Fprintf(&b, "[%d]", n)
		last, lastEnd = n, m.End
	}
	b.WriteString(x.Content[from:])
	return b.String()
}

// reference is the number of the reference that e belongs to; it is made where there is none.
func (c *citing) reference(e wstk.Evidence, sources []wstk.Source) int {
	key := strings.Join(append([]string{e.URL, e.FetchedAt.UTC().String()}, e.SectionPath...), "\x00")
	i, ok := c.at[key]
	if !ok {
		i = len(c.refs)
		c.at[key] = i
		c.refs = append(c.refs, wstk.Reference{N: i + 1, URL: e.URL, SectionPath: slices.Clone(e.SectionPath),
			FetchedAt: e.FetchedAt, PublishedAt: e.PublishedAt, EvidenceIDs: []string{}})
		if e.SectionPath == nil {
			c.refs[i].SectionPath = []string{}
		}
	}
	r := &c.refs[i]
	if j := slices.IndexFunc(sources, func(s wstk.Source) bool { return s.URL == e.URL }); j >= 0 && r.Title == "" {
		r.Title = sources[j].Title
	}
	if !slices.Contains(r.EvidenceIDs, e.ID) {
		r.EvidenceIDs = append(r.EvidenceIDs, e.ID)
	}
	return i + 1
}

// Mark is a [n] in content: its bytes and its number, 0 for one that is too long to be a number.
type Mark struct{ Start, End, N int }

// Marks are the marks of content, in their order. A bracket behind a backslash is a word of a page.
func Marks(content string) (out []Mark) {
	for i := 0; i < len(content); i++ {
		switch content[i] {
		case '\\':
			i++
		case '[':
			end := i + 1
			for end < len(content) && content[end] >= '0' && content[end] <= '9' {
				end++
			}
			if end > i+1 && end < len(content) && content[end] == ']' {
				n, err := strconv.Atoi(content[i+1 : end])
				if err != nil {
					n = 0
				}
				out = append(out, Mark{i, end + 1, n})
				i = end
			}
		}
	}
	return out
}

// CheckCited compares the content and the references of an answer with its extractions, and
// returns what differs, one sentence each: a mark without a reference, a reference without
// evidence or with evidence that no extraction has, a reference that says of its section what the
// evidence does not say, content that the extractions do not give. None means that the citations
// are those that Cite writes.
//
// It takes the extractions as they are: that their evidence is found again in stored bytes, and
// that their content is that of their statements, is for the caller to check.
func CheckCited(r wstk.AnswerResult) (faults []string) {
	add := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	known := map[string]bool{}
	for _, x := range r.Extractions {
		for _, e := range x.Evidence {
			known[e.ID] = true
		}
	}
	content, refs := Cite(r.Extractions)
	for i, ref := range r.References {
		if ref.N != i+1 {
			add("reference %d has the number %d", i+1, ref.N)
		}
		if len(ref.EvidenceIDs) == 0 {
			add("reference [%d] has no evidence", i+1)
		}
		for _, id := range ref.EvidenceIDs {
			if !known[id] {
				add("reference [%d] names evidence %s, which no extraction has", i+1, text.Shorten(id, 40))
			}
		}
		if i >= len(refs) {
			add("reference [%d] is cited by no statement", i+1)
		} else if field := differs(ref, refs[i]); field != "" {
			add("reference [%d] does not have the %s of its evidence", i+1, field)
		}
	}
	for i := len(r.References); i < len(refs); i++ {
		add("the answer cites %s, and has no reference to it", refs[i].URL)
	}
	for _, m := range Marks(r.Content) {
		if m.N < 1 || m.N > len(r.References) {
			add("the mark %s has no reference", r.Content[m.Start:m.End])
		}
	}
	if r.Content != content {
		add("the content is not what the extractions say")
	}
	return faults
}

// differs names the first field in which two references differ; "" where they do not.
func differs(a, b wstk.Reference) string {
	switch {
	case a.URL != b.URL:
		return "url"
	case a.Title != b.Title:
		return "title"
	case !slices.Equal(a.SectionPath, b.SectionPath):
		return "section_path"
	case !a.FetchedAt.Equal(b.FetchedAt):
		return "fetched_at"
	case !wstk.SameTime(a.PublishedAt, b.PublishedAt):
		return "published_at"
	case !slices.Equal(a.EvidenceIDs, b.EvidenceIDs):
		return "evidence_ids"
	}
	return ""
}

// CheckTurns compares the turns of an answer with the table of rules, and returns what differs, one
// sentence each: turns that are not counted from 1, a rule that the table does not have or that
// makes another move, a turn after the last, a reason of stopping that the turns do not give.
func CheckTurns(r wstk.AnswerResult) (faults []string) {
	add := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	for i, t := range r.Turns {
		if t.N != i+1 {
			add("turn %d has the number %d", i+1, t.N)
		}
		at := slices.IndexFunc(table, func(u Rule) bool { return u.Name == t.Rule })
		switch {
		case at < 0:
			add("turn %d names the rule %q, which is unknown", i+1, text.Shorten(t.Rule, 40))
		case table[at].Move != t.Move:
			add("turn %d says %q, and its rule %s says %q", i+1, text.Shorten(string(t.Move), 40),
				t.Rule, table[at].Move)
		}
		if t.Move == wstk.MoveStop && i+1 < len(r.Turns) {
			add("turn %d is not the last, and stops", i+1)
		}
	}
	if len(r.Turns) == 0 {
		return faults
	}
	last := r.Turns[len(r.Turns)-1]
	limits := []Limit{LimitPages, LimitTokens, LimitTime, LimitMoney}
	switch {
	case last.Move == wstk.MoveStop && r.Stopped != StopOf(last):
		add("the reason of stopping is not that of the last turn")
	case last.Move != wstk.MoveStop && !slices.Contains(limits, Limit(r.Stopped.Rule)):
		add("the last turn does not stop, and no limit is named")
	}
	return faults
}

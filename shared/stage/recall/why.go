package recall

import (
	"fmt"
	"strings"

	"wstk/shared/wstk"
)

// why says in a few words why a hit was found.
func (r *run) why(h wstk.Hit, c *candidate) string {
	var clauses []string
	for _, l := range h.Legs {
		switch l.Name {
		case "bm25":
			clauses = append(clauses, fmt.Sprintf("bm25 #%d: %s", l.Rank, r.matches(h, c)))
		case "summary":
			if h.Kind == wstk.KindSummary {
				clauses = append(clauses, fmt.Sprintf("summary #%d: %s", l.Rank, r.matches(h, c)))
			} else {
				clauses = append(clauses, fmt.Sprintf("summary of its page #%d", l.Rank))
			}
		case "page": // it follows from bm25
		case "link":
			clauses = append(clauses, "linked from "+l.From)
		default:
			clauses = append(clauses, fmt.Sprintf("%s #%d", l.Name, l.Rank))
		}
	}
	return strings.Join(clauses, "; ")
}

// matches names the words of the query that a hit contains, and where they stand.
func (r *run) matches(h wstk.Hit, c *candidate) string {
	var words, only []string
	for i, t := range r.terms {
		switch {
		case c.body[i]:
			words = append(words, "'"+t.Word+"'")
		case c.around[i]:
			only = append(only, "'"+t.Word+"'")
		}
	}
	var parts []string
	if len(words) > 0 {
		parts = append(parts, "matches "+strings.Join(words, ", "))
	}
	if n := len(h.SectionPath); n > 0 && h.SectionPath[n-1] != "" && len(words) > 0 {
		parts = append(parts, "in section "+h.SectionPath[n-1])
	}
	s := strings.Join(parts, " ")
	if len(only) > 0 {
		if s != "" {
			s += ", "
		}
		s += strings.Join(only, ", ") + " in title or headings"
	}
	if s == "" {
		return "matches in another language's word forms"
	}
	return s
}

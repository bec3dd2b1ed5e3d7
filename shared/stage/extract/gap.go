package extract

import (
	"strings"

	"wstk/shared/wstk"
)

// subject is what a query is about: the query without the words that only ask.
func (q *question) subject() string {
	var b strings.Builder
	at := q.part.start
	for at < q.part.end {
		cut := false
		for _, x := range q.want.asking {
			if x.start == at && x.end > at {
				at, cut = x.end, true
				b.WriteByte(' ')
				break
			}
		}
		if !cut {
			b.WriteByte(q.text[at])
			at++
		}
	}
	words := strings.Fields(strings.Trim(strings.TrimSpace(b.String()), "?!.,;:？。¿¡؟"))
	for len(words) > 1 && (determiners[strings.ToLower(words[0])] ||
		backReferences[strings.ToLower(words[0])] || auxiliaries[strings.ToLower(words[0])] ||
		splitters[strings.ToLower(words[0])]) {
		words = words[1:]
	}
	return strings.Join(words, " ")
}

// Subject is what a query is about, as words to search for: the query without the words
// that only ask, or all of it where nothing else is left.
func Subject(query string) string {
	q := newQuestion(query, part{extent: extent{0, len(query)}}, "")
	if subject := q.subject(); subject != "" {
		return subject
	}
	return query
}

// gapOf says that a question, or a part of it, found no answer.
func (q *question) gapOf(searched []string) wstk.Gap {
	subject := q.subject()
	field, query := subject, subject
	if q.want.kind.typed() && len(q.want.naming) == 0 {
		field = q.want.kind.String() + ": " + subject
		query = strings.TrimSpace(q.want.kind.String() + " " + subject)
	}
	var borrowed []string
	for _, t := range q.terms {
		if t.borrowed {
			borrowed = append(borrowed, t.surface)
		}
	}
	if len(borrowed) > 0 {
		query += " " + strings.Join(borrowed, " ")
	}
	if strings.TrimSpace(query) == "" {
		field, query = q.text, q.text
	}
	return wstk.Gap{Field: field, Query: query, Reason: "not_found", Searched: searched}
}

// missingAt is the share of a query's weight that has to be left open for the gap
// to be worth a search.
const missingAt = 0.22

// openGap says which words of an answered query no answer covers; nil when they
// are not worth a search.
func (q *question) openGap(covers termSet, searched []string) *wstk.Gap {
	var open termSet
	for i, t := range q.terms {
		if !covers.has(i) && !t.naming && !t.borrowed {
			open |= 1 << uint(i)
		}
	}
	if q.total == 0 || q.weightOf(open)/q.total < missingAt {
		return nil
	}
	return &wstk.Gap{Field: strings.Join(q.words(open), " "), Query: q.subject(),
		Reason: "not_found", Searched: searched}
}

// fieldGap says that a hint was not found for a subject.
func fieldGap(hint, subject string, searched []string) wstk.Gap {
	query := hint
	if subject != "" && !strings.Contains(strings.ToLower(subject), strings.ToLower(hint)) {
		query = hint + " for " + subject
		if !ascii(subject) {
			query = hint + " " + subject
		}
	}
	return wstk.Gap{Field: hint, Query: query, Reason: "not_found", Searched: searched}
}

func ascii(s string) bool {
	for _, c := range []byte(s) {
		if c >= 0x80 {
			return false
		}
	}
	return true
}

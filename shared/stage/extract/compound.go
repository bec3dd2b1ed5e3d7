package extract

import "strings"

// part is one question of a compound query ("… , and since when …?").
type part struct {
	extent
	borrow []extent // of the query: what the part refers back to
	framed bool     // what it borrows is the question itself, asked of another topic
}

// splitters join two questions when a question word or, after a comma, a verb
// follows them.
var splitters = set("and or but y und et e i и а und sowie")

// backReferences refer to something that another part named.
var backReferences = set("it its they them their there that this these those he she his her both")

// Parts returns the questions of a compound query as texts with which to recall passages: a
// passage is found by the words of the question that it answers, and is lost among those of
// the others. A part that refers to another ("and does it …") includes the words of that
// one. A query that is not compound is its only part.
func Parts(query string) []string {
	parts := partsOf(query)
	if len(parts) < 2 {
		return []string{query}
	}
	var out []string
	for _, p := range parts {
		text := strings.TrimSpace(query[p.start:p.end])
		for _, x := range p.borrow {
			q := newQuestion(query, part{extent: x}, "")
			text += " " + q.subject()
		}
		out = append(out, text)
	}
	return out
}

// maxParts bounds the questions of a query, each of which is recalled and answered by
// itself; the rest of the query belongs to the last.
const maxParts = 6

// partsOf splits a compound query into its questions. A query that is not
// compound is one part.
func partsOf(query string) []part {
	w := wordsOf(query)
	cuts := cutsOf(query, w)
	if about := twoTopics(w); len(cuts) == 1 && about > 0 {
		return []part{{extent: extent{0, w[about-1].start}},
			{extent: extent{w[about].start, len(query)},
				borrow: []extent{{0, w[firstAbout(w)].start}}, framed: true}}
	}
	parts := between(query, w, cuts[:min(len(cuts), maxParts)])
	if len(parts) < 2 {
		return []part{{extent: extent{0, len(query)}}}
	}
	for i := range parts {
		if !refersBack(wordsOf(query[parts[i].start:parts[i].end]), i > 0) {
			continue
		}
		for j := range parts {
			if j != i {
				parts[i].borrow = append(parts[i].borrow, parts[j].extent)
			}
		}
	}
	return parts
}

// cutsOf are the bytes of a query at which its questions begin.
func cutsOf(query string, w []word) []int {
	const shortest = 8 // bytes of a question
	cuts := []int{0}
	for i := 1; i < len(w); i++ {
		last := cuts[len(cuts)-1]
		between := query[w[i-1].end:w[i].start]
		if strings.ContainsAny(between, "?？;") {
			cuts = append(cuts, w[i].start)
			continue
		}
		if i+1 == len(w) || !splitters[w[i].text] || w[i].start-last < shortest {
			continue
		}
		if opensQuestion(w[i+1:], strings.ContainsRune(between, ',')) && says(w, last, w[i].start) {
			cuts = append(cuts, w[i+1].start)
		}
	}
	return cuts
}

// between are the questions that begin at cuts, without the conjunctions that join them.
func between(query string, w []word, cuts []int) (parts []part) {
	for i, start := range cuts {
		end := len(query)
		if i+1 < len(cuts) {
			end = cuts[i+1]
			for _, x := range w {
				if x.start < end && x.end > start && splitters[x.text] &&
					strings.TrimSpace(query[x.end:end]) == "" {
					end = x.start
				}
			}
		}
		if strings.TrimSpace(query[start:end]) != "" {
			parts = append(parts, part{extent: extent{start, end}})
		}
	}
	return parts
}

// says reports whether the words between two places ask for something: "what is good"
// of "what is good and what is bad about it" does not by itself.
func says(w []word, start, end int) bool {
	for _, x := range w {
		if _, asks := askCues[x.text]; x.start >= start && x.end <= end && !asks &&
			!auxiliaries[x.text] && !determiners[x.text] && !lightWords[x.text] {
			return true
		}
	}
	return false
}

// twoTopics returns where the second topic of "… about A and about B" begins; 0
// where there is none.
func twoTopics(w []word) int {
	first := firstAbout(w)
	for i := first + 2; first >= 0 && i+1 < len(w); i++ {
		if w[i].text == "about" && splitters[w[i-1].text] {
			return i
		}
	}
	return 0
}

// firstAbout returns where the first topic begins; -1 where there is none.
func firstAbout(w []word) int {
	for i, x := range w {
		if x.text == "about" {
			return i
		}
	}
	return -1
}

// opensQuestion reports whether words begin a question of their own.
func opensQuestion(w []word, comma bool) bool {
	for n := min(maxPhrase, len(w)); n > 0; n-- {
		p := phraseAt(w, 0, n)
		if c, ok := askCues[p]; ok && !c.noun {
			if n == 1 && (auxiliaries[p] || ambiguousCues[p] || c.order) {
				return comma && auxiliaries[p] && len(w) > 2
			}
			return true
		}
	}
	// "and since when", "and up to what size", "and about how much"
	for k := 1; k < min(4, len(w)); k++ {
		if !leadIn[w[k-1].text] {
			break
		}
		for n := min(maxPhrase, len(w)-k); n > 0; n-- {
			if c, ok := askCues[phraseAt(w, k, n)]; ok && !c.noun && !auxiliaries[w[k].text] {
				return true
			}
		}
	}
	return false
}

var leadIn = set("since up to until from in at on by for with of about under after before into " +
	"seit bis desde hasta depuis jusqu'à с до")

// refersBack reports whether a part needs another one to be understood: it has a
// pronoun and something before it to which that may refer ("is it safe" has nothing), or
// almost no words of its own.
func refersBack(w []word, before bool) bool {
	content := 0
	// "and how many can an index have" leaves out what is counted.
	if n := len(w); before && n > 2 && w[0].text == "how" &&
		(w[1].text == "many" || w[1].text == "much") && auxiliaries[w[2].text] {
		return true
	}
	for i, x := range w {
		if before && backReferences[x.text] && !(x.text == "that" && i == 0) {
			return true
		}
		if _, asks := askCues[x.text]; !asks && !auxiliaries[x.text] && !determiners[x.text] &&
			!leadIn[x.text] && !splitters[x.text] {
			content++
		}
	}
	return content == 0 || content == 1 && before && !asksWhatIs(w) && !asksAccount(w)
}

package collate

import (
	"sort"
	"strings"

	"wstk/shared/stage/collate/page"
	"wstk/shared/stage/collate/wording"
	"wstk/shared/text"
	"wstk/shared/value"
	"wstk/shared/wstk"
)

// The measures of one topic. They lean towards silence: a conflict that is shown
// and is none costs trust, one that is missed leaves both statements standing
// beside each other with their quotes.
const (
	topicAlike  = 0.75 // Jaccard of the words around two values
	denialAlike = 0.7  // for "is" against "is not", where there is no value to compare
	minShared   = 2
)

// conflicts finds the topics on which sources disagree. A conflict is shown and
// never resolved.
func conflicts(p *page.Set, facts []fact) []wstk.TopicConflict {
	parent := make([]int, len(facts))
	for i := range parent {
		parent[i] = i
	}
	find := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	in := map[int]bool{}
	sides := map[int]string{} // what each fact says on the matter
	for i := range facts {
		for j := i + 1; j < len(facts); j++ {
			p.Tick()
			x, y, ok := disagree(&facts[i], &facts[j])
			if !ok {
				continue
			}
			parent[max(find(i), find(j))] = min(find(i), find(j))
			in[i], in[j] = true, true
			if sides[i] == "" {
				sides[i] = x
			}
			if sides[j] == "" {
				sides[j] = y
			}
		}
	}
	groups := map[int][]int{}
	var roots []int
	for i := range facts {
		if !in[i] {
			continue
		}
		r := find(i)
		if groups[r] == nil {
			roots = append(roots, r)
		}
		groups[r] = append(groups[r], i)
	}
	sort.Ints(roots)
	out := []wstk.TopicConflict{}
	for _, r := range roots {
		c := wstk.TopicConflict{}
		at := map[[2]string]int{}
		for _, i := range groups[r] {
			f := &facts[i]
			key := [2]string{f.url, sides[i]}
			if k, ok := at[key]; ok {
				c.Claims[k].Evidence = appendOnce(c.Claims[k].Evidence, f.evidence)
				continue
			}
			at[key] = len(c.Claims)
			c.Claims = append(c.Claims, wstk.ConflictingClaim{Statement: f.quote, SourceURL: f.url,
				Norm: sides[i], Evidence: []int{f.evidence}})
		}
		c.Topic = topicOf(&facts[groups[r][0]], &facts[groups[r][1]])
		out = append(out, c)
	}
	return out
}

// disagree reports whether two facts are of one thing and cannot both be true, and
// what each of them says.
func disagree(a, b *fact) (x, y string, ok bool) {
	if a.hedged || b.hedged {
		return "", "", false
	}
	if len(a.hours) > 0 && len(b.hours) > 0 {
		if (a.url != b.url || a.text != b.text && opposed(a.hours, b.hours)) && sameOpening(a, b) &&
			wording.Clash(a.hours, b.hours) &&
			!alsoSays(a, b.text, b.topic) && !alsoSays(b, a.text, a.topic) {
			return text.FoldCompare(a.text), text.FoldCompare(b.text), true
		}
		return "", "", false
	}
	if a.url == b.url {
		return "", "", false // one page may list many things; sources disagree
	}
	if len(a.values) > 0 && len(b.values) > 0 {
		if a.denied != b.denied {
			return "", "", false
		}
		v, w, clash := opposite(a, b)
		if clash && sameTopic(a, b) && !alsoSays(a, w.Text, b.topic) &&
			!alsoSays(b, v.Text, a.topic) {
			return v.Norm, w.Norm, true
		}
		return "", "", false
	}
	if a.denied != b.denied && len(a.values) == 0 && len(b.values) == 0 && sameMatter(a, b) {
		yes, no := "yes", "no"
		if a.denied {
			yes, no = no, yes
		}
		return yes, no, true
	}
	return "", "", false
}

// opposed reports whether one schedule is closed when the other is open, which a
// page may say against itself.
func opposed(a, b []wording.Slot) bool {
	for _, x := range a {
		for _, y := range b {
			if x.Closed != y.Closed {
				return true
			}
		}
	}
	return false
}

// opposite returns a value of each side that contradict each other. The sides
// have to hold values of the same kinds and to differ in one kind only: where the
// year differs too, the year is what makes the difference. Where any two values
// of that kind agree, nothing is contradicted: "between 512 and 65536" and "at
// most 65536".
func opposite(a, b *fact) (v, w reading, ok bool) {
	differing := ""
	for _, x := range a.values {
		if !b.holds(x.Type) {
			return v, w, false
		}
	}
	for _, y := range b.values {
		if !a.holds(y.Type) {
			return v, w, false
		}
	}
	for _, x := range a.values {
		agreed, clashed := false, false
		for _, y := range b.values {
			if y.Type != x.Type {
				continue
			}
			same, comparable := value.Same(x.Value, y.Value)
			switch {
			case !comparable:
			case same || !contradict(x, y):
				agreed = true
			default:
				if clashed = true; !ok {
					v, w, ok = x, y, true
				}
			}
		}
		switch {
		case agreed && differing == x.Type,
			clashed && !agreed && differing != "" && differing != x.Type:
			return v, w, false
		case agreed:
			if ok && v.Type == x.Type {
				return v, w, false
			}
		case clashed:
			differing = x.Type
		}
	}
	return v, w, ok && differing == v.Type
}

func (f *fact) holds(typ string) bool {
	for _, v := range f.values {
		if v.Type == typ {
			return true
		}
	}
	return false
}

// sameTopic reports whether two values are values of one thing: one field or much
// the same words around them, and nothing that says they are not. Where each side
// has a word the other lacks, those words are what they are about: "the trail to
// the lake", "the trail to the summit".
func sameTopic(a, b *fact) bool {
	if differ(a, b) {
		return false
	}
	both, onlyA, onlyB := wording.Split(a.topic, b.topic)
	if onlyA > 0 && onlyB > 0 {
		return false
	}
	if a.field != "" && a.field == b.field {
		return true
	}
	return !fieldsApart(a, b) && both >= minShared && ratio(both, onlyA+onlyB) >= topicAlike
}

// fieldsApart reports facts under different labels of their pages. A field that a proposer gave
// them sets nothing apart.
func fieldsApart(a, b *fact) bool {
	return a.labelled && b.labelled && a.field != b.field
}

// sameMatter is sameTopic for statements without values, which have only their
// words to be compared by.
func sameMatter(a, b *fact) bool {
	if differ(a, b) {
		return false
	}
	both, onlyA, onlyB := wording.Split(a.topic, b.topic)
	return both >= minShared && ratio(both, onlyA+onlyB) >= denialAlike
}

// sameOpening is sameTopic for schedules, whose own words are no topic.
func sameOpening(a, b *fact) bool {
	if fieldsApart(a, b) {
		return false
	}
	if !equalSets(a.scope, b.scope) || apart(a.names, b.names) {
		return false
	}
	both, onlyA, onlyB := wording.Split(a.topic, b.topic)
	if onlyA > 0 && onlyB > 0 {
		return false
	}
	return both > 0 || onlyA+onlyB <= 1
}

// differ finds what makes two facts of different things: a limit on one side
// only, another number beside the value, another name, sections that are about
// different versions.
func differ(a, b *fact) bool {
	if !equalSets(a.scope, b.scope) || !equalSets(a.numbers, b.numbers) {
		return true
	}
	if apart(a.names, b.names) {
		return true
	}
	x, y := unnumbered(a.section), unnumbered(b.section)
	return x != y && strings.ContainsAny(x+y, wording.Digits) || sectionsApart(x, y)
}

// unnumbered is a heading without its number: "2.1 Height".
func unnumbered(heading string) string {
	return strings.TrimSpace(strings.TrimLeft(heading, wording.Digits+".§ "))
}

// sectionsApart tells sections of one word each that differ: what stands under
// "Windows" and under "Linux" is not one topic. Words that any page may have as a
// heading tell nothing.
func sectionsApart(a, b string) bool {
	x, y := wording.Content(a, "en"), wording.Content(b, "en")
	for w := range page.GeneralHeadings {
		delete(x, w)
		delete(y, w)
	}
	if len(x) != 1 || len(y) != 1 {
		return false
	}
	both, _, _ := wording.Split(x, y)
	return both == 0
}

// apart reports whether the names of two facts differ: a name that only one of them
// has may be what it is about.
func apart(a, b map[string]bool) bool {
	_, onlyA, onlyB := wording.Split(a, b)
	return onlyA+onlyB > 0
}

func ratio(both, rest int) float64 {
	if both+rest == 0 {
		return 0
	}
	return float64(both) / float64(both+rest)
}

func equalSets(a, b map[string]bool) bool {
	_, onlyA, onlyB := wording.Split(a, b)
	return onlyA+onlyB == 0
}

// alsoSays reports whether the page of f says elsewhere what the other side says,
// on the same topic. Then it does not contradict it: it lists both.
func alsoSays(f *fact, words string, topic map[string]bool) bool {
	d := f.doc
	if d == nil || words == "" {
		return false
	}
	for i := range d.Blocks {
		s := d.BlockText(i)
		if !text.HoldsWhole(s, words) {
			continue
		}
		if len(topic) == 0 {
			return true
		}
		both, _, _ := wording.Split(topic, wording.Content(s, d.Meta.Language))
		if 2*both >= len(topic) {
			return true
		}
	}
	return false
}

// topicOf names what two facts are about: their field, or the words they share.
func topicOf(a, b *fact) string {
	const most = 6
	if a.field != "" {
		return a.field
	}
	var out []string
	for _, w := range a.surface {
		if len(out) < most && b.topic[stemOf(a, w)] {
			out = append(out, strings.ToLower(w))
		}
	}
	if len(out) == 0 {
		switch {
		case len(a.hours) > 0:
			return "schedule"
		case a.section != "":
			return a.section
		}
		return "value"
	}
	return strings.Join(out, " ")
}

// stemOf finds the token of a surface word of f.
func stemOf(f *fact, w string) string {
	for t := range f.topic {
		if t == strings.ToLower(w) {
			return t
		}
	}
	return wording.Stem(w, f.lang)
}

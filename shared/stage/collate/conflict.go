package collate

import (
	"strings"

	"wstk/shared/stage/collate/page"
	"wstk/shared/stage/collate/proposition"
	"wstk/shared/stage/collate/wording"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// The measures of one topic. They lean towards silence: a false conflict costs trust, while
// one that is missed leaves both statements beside each other with their quotes.
const (
	topicAlike  = 0.75 // Jaccard of the words around two values
	denialAlike = 0.7  // for "is" against "is not", where there is no value to compare
	minShared   = 2
)

// conflicts finds the topics on which sources disagree. A conflict is shown and
// never resolved.
func conflicts(p *page.Set, facts []fact) []wstk.TopicConflict {
	groups := disagreements{parent: make([]int, len(facts)), sides: map[int]string{}}
	for i := range groups.parent {
		groups.parent[i] = i
	}
	by := judge{p, map[listed]bool{}}
	for i := range facts {
		for j := i + 1; j < len(facts); j++ {
			p.Tick()
			if x, y, ok := by.disagree(&facts[i], &facts[j]); ok {
				groups.join(i, j, x, y)
			}
		}
	}
	out := []wstk.TopicConflict{}
	for _, members := range groups.list() {
		c := wstk.TopicConflict{Topic: topicOf(&facts[members[0]], &facts[members[1]])}
		at := map[[2]string]int{} // sides by page and what they say
		for _, i := range members {
			f, side := &facts[i], groups.sides[i]
			key := [2]string{f.url, side}
			if k, ok := at[key]; ok {
				c.Claims[k].Evidence = appendOnce(c.Claims[k].Evidence, f.evidence)
				continue
			}
			at[key] = len(c.Claims)
			c.Claims = append(c.Claims, wstk.ConflictingClaim{Statement: f.quote, SourceURL: f.url,
				Norm: side, Evidence: []int{f.evidence}})
		}
		out = append(out, c)
	}
	return out
}

// disagreements joins facts, by index, that disagree directly or through others.
type disagreements struct {
	parent []int          // a fact of the same group with a smaller index, or the fact itself
	sides  map[int]string // what each fact that disagrees with another says on the matter
}

// find is the first fact of a group.
func (g *disagreements) find(i int) int {
	for g.parent[i] != i {
		g.parent[i] = g.parent[g.parent[i]]
		i = g.parent[i]
	}
	return i
}

// join notes that facts i and j disagree: i says x and j says y.
func (g *disagreements) join(i, j int, x, y string) {
	a, b := g.find(i), g.find(j)
	g.parent[max(a, b)] = min(a, b)
	if g.sides[i] == "" {
		g.sides[i] = x
	}
	if g.sides[j] == "" {
		g.sides[j] = y
	}
}

// list returns the groups of two facts or more, each in the order of the facts.
func (g *disagreements) list() (out [][]int) {
	at := map[int]int{} // groups by their first fact
	for i := range g.parent {
		if _, ok := g.sides[i]; !ok {
			continue
		}
		first := g.find(i)
		k, ok := at[first]
		if !ok {
			k = len(out)
			at[first] = k
			out = append(out, nil)
		}
		out[k] = append(out[k], i)
	}
	return out
}

// judge compares the facts of one answer.
type judge struct {
	pages  *page.Set
	listed map[listed]bool
}

// disagree reports whether two facts are about one thing and cannot both be true, and
// what each of them says.
func (j *judge) disagree(a, b *fact) (x, y string, ok bool) {
	q := j.pages.Question()
	if a.hedged || b.hedged || proposition.Differ(a.says, b.says, q) {
		return "", "", false
	}
	if a.field == "" || b.field == "" || a.field == b.field {
		switch r, v, w := proposition.Compare(a.says, b.says, q); {
		case r == proposition.Agree:
			return "", "", false
		case r == proposition.Disagree && a.url != b.url && !j.alsoSays(a, b, w.Words) &&
			!j.alsoSays(b, a, v.Words):
			return v.Norm, w.Norm, true
		}
	}
	return j.disagreeOnWords(a, b)
}

// disagreeOnWords compares the words around what two facts say, where their propositions are
// apart.
func (j *judge) disagreeOnWords(a, b *fact) (x, y string, ok bool) {
	switch {
	case len(a.hours) > 0 && len(b.hours) > 0:
		return j.disagreeOnHours(a, b)
	case a.url == b.url:
		return "", "", false // one page may list many things; sources disagree
	case len(a.values) > 0 && len(b.values) > 0:
		return j.disagreeOnValues(a, b)
	case len(a.values) == 0 && len(b.values) == 0:
		return disagreeOnDenial(a, b)
	}
	return "", "", false
}

func (j *judge) disagreeOnHours(a, b *fact) (x, y string, ok bool) {
	sources := a.url != b.url || a.text != b.text && opposed(a.hours, b.hours)
	if sources && sameOpening(a, b) && wording.Clash(a.hours, b.hours) &&
		!j.alsoSays(a, b, b.text) && !j.alsoSays(b, a, a.text) {
		return text.FoldCompare(a.text), text.FoldCompare(b.text), true
	}
	return "", "", false
}

func (j *judge) disagreeOnValues(a, b *fact) (x, y string, ok bool) {
	if a.denied != b.denied {
		return "", "", false
	}
	v, w, clash := proposition.Opposite(a.values, b.values)
	if clash && sameTopic(a, b) && !j.alsoSays(a, b, w.Text) && !j.alsoSays(b, a, v.Text) {
		return v.Norm, w.Norm, true
	}
	return "", "", false
}

// disagreeOnDenial is for statements without values, one of which denies the other.
func disagreeOnDenial(a, b *fact) (x, y string, ok bool) {
	switch {
	case a.denied == b.denied || !sameMatter(a, b):
		return "", "", false
	case a.denied:
		return "no", "yes", true
	}
	return "yes", "no", true
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

// differ reports whether something makes two facts about different things: a limit on one
// side only, another number beside the value, another name, sections about different
// versions.
func differ(a, b *fact) bool {
	if !equalSets(a.scope, b.scope) || !equalSets(a.numbers, b.numbers) {
		return true
	}
	if apart(a.names, b.names) {
		return true
	}
	return proposition.SectionsApart(a.section, b.section)
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

// listed is a question whether the page of a fact also says what another fact says.
type listed struct {
	in    *wstk.Document
	says  *fact
	words string
}

// alsoSays reports whether the page of f says elsewhere some words of another fact, on the same
// topic. Then it does not contradict that: it lists both.
func (j *judge) alsoSays(f, other *fact, words string) bool {
	if f.doc == nil || words == "" {
		return false
	}
	key := listed{f.doc, other, words}
	yes, known := j.listed[key]
	if !known {
		yes = j.pages.Lists(f.doc, words, other.topic)
		j.listed[key] = yes
	}
	return yes
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

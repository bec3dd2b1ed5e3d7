package extract

import (
	"slices"
	"strings"
	"unicode"

	"wstk/shared/wstk"
)

// Classify decides how a query is answered, by rules, and says in one clause
// which rule decided. It knows the usual phrasings of a dozen languages; a query
// it does not understand is Singular, because one proven sentence is the smallest
// mistake.
//
// The order of the rules: an explicit order ("list all …"), a request for an
// account ("describe …"), a question for one value ("what is the phone number"),
// a question whose noun is a plural ("which courses …"), any other question, and
// last a bare noun phrase, where the number of its head noun decides
// ("volunteer opportunities" against "return policy").
func Classify(query string) (wstk.Strategy, string) {
	w := wordsOf(query)
	if len(w) == 0 {
		return wstk.Singular, "the query has no words"
	}
	for len(w) > 1 && politeness[w[0].text] {
		w = w[1:]
	}
	if cue := startsWithAny(w, collectionOpeners); cue != "" {
		return wstk.Collection, "it begins with “" + cue + "”"
	}
	if cue := containsAny(query, w, collectionMarks); cue != "" {
		return wstk.Collection, "it says “" + cue + "”"
	}
	if cue := startsWithAny(w, narrativeOpeners); cue != "" {
		return wstk.Narrative, "it begins with “" + cue + "”"
	}
	if cue := containsAny(query, w, narrativeMarks); cue != "" {
		return wstk.Narrative, "it says “" + cue + "”"
	}
	if cue := narrativeFrame(w); cue != "" {
		return wstk.Narrative, "it asks “" + cue + "”"
	}
	want := wantOf(query)
	if want.kind.typed() && want.hard {
		return wstk.Singular, "it asks for one " + want.kind.String()
	}
	if noun := pluralAsked(w); noun != "" {
		return wstk.Collection, "it asks which “" + noun + "” there are"
	}
	if cue := accountNoun(w); cue != "" {
		return wstk.Narrative, "it asks for “" + cue + "”, which takes more than a sentence"
	}
	if want.question || strings.ContainsAny(query, "?？") {
		return wstk.Singular, "it is a question with one answer"
	}
	if cue := startsWithAny(w, requestOpeners); cue != "" {
		w = w[len(strings.Fields(cue)):]
		for len(w) > 1 && determiners[w[0].text] {
			w = w[1:]
		}
	}
	if want.kind.typed() && namesKind(w) {
		return wstk.Singular, "it asks for one " + want.kind.String()
	}
	if noun := headNoun(w); isPlural(noun) && !singlePlurals[noun] {
		return wstk.Collection, "its noun “" + noun + "” is a plural"
	}
	return wstk.Singular, namesOne
}

// word is a lower-cased word of a query and its range of bytes.
type word struct {
	text       string
	start, end int
}

// wordsOf splits a query into lower-cased words. Apostrophes and hyphens inside a
// word belong to it ("what's", "e-mail"); marks of currency and percent belong to none.
func wordsOf(s string) []word {
	var out []word
	start := -1
	flush := func(end int) {
		if start >= 0 {
			t := strings.ToLower(s[start:end])
			t = strings.ReplaceAll(t, "’", "'")
			out = append(out, word{t, start, end})
			start = -1
		}
	}
	for i, r := range s {
		inside := unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_'
		if !inside && start >= 0 && (r == '\'' || r == '’' || r == '-') {
			next, ok := runeAfter(s, i)
			inside = ok && unicode.IsLetter(next)
		}
		switch {
		case inside && start < 0:
			start = i
		case !inside:
			flush(i)
		}
	}
	flush(len(s))
	return out
}

func runeAfter(s string, i int) (rune, bool) {
	for j, r := range s[i:] {
		if j > 0 {
			return r, true
		}
	}
	return 0, false
}

// startsWithAny returns the longest phrase w begins with.
func startsWithAny(w []word, phrases map[string]bool) string {
	for n := min(maxPhrase, len(w)); n > 0; n-- {
		if p := phraseAt(w, 0, n); phrases[p] {
			return p
		}
	}
	return ""
}

// containsAny returns a phrase found anywhere. Phrases in scripts without spaces
// are looked for in the query itself.
func containsAny(query string, w []word, marks phraseSet) string {
	for i := range w {
		for n := min(maxPhrase, len(w)-i); n > 0; n-- {
			if p := phraseAt(w, i, n); marks.spaced[p] {
				return p
			}
		}
	}
	for _, p := range marks.unspaced {
		if strings.Contains(query, p) {
			return p
		}
	}
	return ""
}

// maxPhrase is the longest phrase of the lexicon, in words.
const maxPhrase = 5

func phraseAt(w []word, i, n int) string {
	if n == 1 {
		return w[i].text
	}
	parts := make([]string, n)
	for k := range n {
		parts[k] = w[i+k].text
	}
	return strings.Join(parts, " ")
}

// narrativeFrame finds questions that open in the middle and ask for an account:
// "what does … do", "what is … about", "how does … work".
func narrativeFrame(w []word) string {
	if len(w) < 3 {
		return ""
	}
	last := w[len(w)-1].text
	first2 := phraseAt(w, 0, 2)
	switch {
	case (first2 == "what does" || first2 == "what do") &&
		(last == "do" || last == "offer" && len(w) <= 6):
		return first2 + " … " + last
	case (w[0].text == "what's" || first2 == "what is") && last == "about":
		return "what is … about"
	case first2 == "how does" || first2 == "how do" || first2 == "how did":
		for _, x := range w[3:] {
			if x.text == "work" || x.text == "works" {
				return first2 + " … " + x.text
			}
		}
	case w[0].text == "comment" && (last == "fonctionne" || last == "fonctionnent"):
		return "comment … " + last
	}
	return ""
}

// accountNoun finds "what are the differences between …", "advantages of …":
// nouns whose answer is an account over several sentences.
func accountNoun(w []word) string {
	for i, x := range w {
		if i > 6 {
			break
		}
		if accountNouns[x.text] {
			return x.text
		}
	}
	return ""
}

// pluralAsked returns the plural noun of "which courses are offered", "what
// services do you offer", "what kinds of …", "what are the storage classes",
// "are there any events"; "" without one.
func pluralAsked(w []word) string {
	rest := afterWhich(w)
	for len(rest) > 1 && (determiners[rest[0].text] || smallNumbers[rest[0].text] ||
		rest[0].text == "of") {
		rest = rest[1:]
	}
	if len(rest) == 0 {
		return ""
	}
	if len(rest) > 2 && kindWords[rest[0].text] && rest[1].text == "of" {
		return rest[0].text + " of " + rest[2].text
	}
	// The phrase ends where the verb begins. A plural inside it, or one before an
	// article, is no plural but the verb: "which command lists the packages".
	end := 1
	for end < len(rest) && !afterNoun[rest[end].text] && !determiners[rest[end].text] {
		end++
	}
	if end < len(rest) && determiners[rest[end].text] {
		return ""
	}
	if slices.ContainsFunc(rest[:end-1], func(x word) bool { return isPlural(x.text) }) {
		return ""
	}
	noun := rest[end-1].text
	if !isPlural(noun) || singlePlurals[noun] || accountNouns[noun] {
		return ""
	}
	return noun
}

// afterWhich is what follows "which", "what are" or "are there any"; nil without them.
func afterWhich(w []word) []word {
	is := func(i int, words ...string) bool {
		return i < len(w) && slices.Contains(words, w[i].text)
	}
	switch {
	case is(0, "what", "which") && is(1, "are", "were") && len(w) > 2:
		return w[2:]
	case is(0, "what", "which"):
		return w[1:]
	case is(0, "are", "is") && is(1, "there") && is(2, "any", "some"):
		return w[3:]
	}
	return nil
}

// namesKind reports whether the noun phrase that opens w names a kind of value:
// "default page size", but not "apartments for rent".
func namesKind(w []word) bool {
	for i := range w {
		if i > 0 && afterNoun[w[i].text] {
			return false
		}
		for n := min(maxPhrase, len(w)-i); n > 0; n-- {
			if askCues[phraseAt(w, i, n)].noun {
				return true
			}
		}
	}
	return false
}

// headNoun is the last word of an English noun phrase before what modifies it
// from behind: "papers" of "machine learning papers from 2024". A plural directly
// before a bare adverb or adjective wins ("houses downtown").
func headNoun(w []word) string {
	end := len(w)
	for i, x := range w {
		if i > 0 && afterNoun[x.text] {
			end = i
			break
		}
	}
	if end == 0 {
		return ""
	}
	last := w[end-1].text
	if !isPlural(last) && end >= 2 && end == len(w) && isPlural(w[end-2].text) &&
		!endsLikeVerb(last) {
		return w[end-2].text
	}
	return last
}

func endsLikeVerb(s string) bool {
	return strings.HasSuffix(s, "ed") || strings.HasSuffix(s, "ing")
}

// isPlural is a guess for English: a final s that is not part of the stem, or a
// known irregular form.
func isPlural(s string) bool {
	if irregularPlurals[s] {
		return true
	}
	if len(s) < 4 || !strings.HasSuffix(s, "s") || notPlural[s] {
		return false
	}
	for _, suffix := range []string{"ss", "us", "is", "'s", "ics", "ness", "as"} {
		if strings.HasSuffix(s, suffix) {
			return false
		}
	}
	return true
}

// Sure reports whether Classify knows why it decides as it does: it met a phrase that says how
// the query is answered, rather than the number of a noun or nothing.
func Sure(query string) bool {
	strategy, why := Classify(query)
	return why != namesOne && !(strategy == wstk.Collection && strings.HasPrefix(why, "its noun"))
}

// namesOne is the reason of a query in which nothing says how it is answered.
const namesOne = "it names one thing"

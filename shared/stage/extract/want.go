package extract

import "strings"

// want is what a query asks for, read from its question words.
type want struct {
	kind     kind
	hard     bool     // an answer without a value of this kind is none
	question bool     // it is worded as a question
	asking   []extent // words that only ask: never looked for on a page
	naming   []extent // words that name the kind ("price"): a value of the kind replaces them
	counted  int      // where in the query the words begin that follow "how many"; 0 for none
}

// extent is a range of bytes of the query.
type extent struct{ start, end int }

func covered(xs []extent, start, end int) bool {
	for _, x := range xs {
		if x.start <= start && end <= x.end {
			return true
		}
	}
	return false
}

// ambiguousCues are question words of one language and ordinary words or names of
// another ("AI policy"); they ask only where they open what looks like a question
// in a language other than English.
var ambiguousCues = set("ai kim mi ne co come como wie was chi ile jak de hoe")

// conjunctions are question words that, behind another question word, join a clause
// to the question: "what happens when …", "does it wait where …".
var conjunctions = set("when where who whom whose why how")

// definitionWords is how many content words the thing asked about may have for
// "what is X" to ask what X is.
const definitionWords = 3

// wantOf reads the question words of a query. An interrogative that says what it
// wants ("when", "how many") decides; where it does not ("what is the …"), the
// first noun that names a kind of value does ("phone number").
func wantOf(query string) want {
	r := wantReader{query: query, words: wordsOf(query)}
	if n := orderWords(r.words); n > 0 {
		r.out.asking = append(r.out.asking, extent{r.words[0].start, r.words[n-1].end})
	}
	r.readCues()
	r.readUnspacedCues()
	r.decide()
	return r.out
}

// wantReader collects the cues of a query and decides what they ask for.
type wantReader struct {
	query          string
	words          []word
	out            want
	primary, named *askCue // the interrogative, and the noun that names a kind of value
	content        int     // words that are no cues
}

// readCues looks for the longest cue at each word.
func (r *wantReader) readCues() {
	w := r.words
	foreign := strings.ContainsAny(r.query, "?¿") || !ascii(r.query)
	for i := 0; i < len(w); {
		c, n := cueAt(w, i, foreign)
		switch {
		case n > 0:
			at := extent{w[i].start, w[i+n-1].end}
			if c.kind == amountKind && n == 2 && w[i].text == "how" {
				// the adjective says what is measured, and "size" is next to "large"
				at.end = w[i].end
			}
			r.take(c, at)
		case !auxiliaries[w[i].text] && !determiners[w[i].text]:
			r.content++
		}
		i += max(n, 1)
	}
}

// cueAt returns the longest cue that begins with word i, and its words; 0 for none. foreign
// says that the query looks like a question in a language other than English.
func cueAt(w []word, i int, foreign bool) (c askCue, n int) {
	for n = min(maxPhrase, len(w)-i); n > 0; n-- {
		c, ok := askCues[phraseAt(w, i, n)]
		if !ok || n == 1 && (i > 0 && (auxiliaries[w[i].text] || c.order) ||
			ambiguousCues[w[i].text] && (i > 0 || !foreign)) {
			continue
		}
		return c, n
	}
	return askCue{}, 0
}

// readUnspacedCues looks for cues of scripts without spaces between words.
func (r *wantReader) readUnspacedCues() {
	taken := make([]bool, len(r.query)) // bytes of longer cues
	for _, c := range unspacedCues {
		for from := 0; ; {
			k := strings.Index(r.query[from:], c.text)
			if k < 0 {
				break
			}
			at := extent{from + k, from + k + len(c.text)}
			if !taken[at.start] {
				for b := at.start; b < at.end; b++ {
					taken[b] = true
				}
				r.take(c.askCue, at)
			}
			from = at.end
		}
	}
}

// take notes a cue: the first noun, and the first interrogative that says what it wants.
func (r *wantReader) take(c askCue, at extent) {
	if c.noun {
		r.out.naming = append(r.out.naming, at)
		if r.named == nil {
			r.named = &c
			r.counts(c, at)
		}
		return
	}
	r.out.asking = append(r.out.asking, at)
	if c.order {
		return
	}
	r.out.question = true
	if r.primary == nil || r.primary.kind == anyKind && c.kind != anyKind &&
		!conjunctions[strings.ToLower(r.query[at.start:at.end])] {
		r.primary = &c
		r.counts(c, at)
	}
}

// counts notes where the words begin that say what is counted.
func (r *wantReader) counts(c askCue, at extent) {
	if c.kind == countKind {
		r.out.counted = at.end
	}
}

// decide says what the cues ask for.
func (r *wantReader) decide() {
	w, out := r.words, &r.out
	switch {
	case asksCost(w, r.named):
		out.kind, out.hard, out.question = moneyKind, true, true
	case asksExpansion(w):
		r.expand()
	case r.primary != nil && r.primary.kind != anyKind:
		out.kind, out.hard = r.primary.kind, r.primary.hard
		if r.countsTime() {
			out.kind, out.hard = durationKind, true
		}
	case len(w) > 0 && (auxiliaries[w[0].text] || opensYesNo[w[0].text]):
		out.kind, out.question = yesNoKind, true
	case r.named != nil:
		out.kind, out.hard = r.named.kind, r.named.hard && r.namedFirst()
	case r.primary != nil && r.content <= definitionWords && asksWhatIs(w),
		r.content <= definitionWords+1 && asksAccount(w):
		out.kind = definitionKind
	}
}

// expand notes that an abbreviation is to be spelled out.
func (r *wantReader) expand() {
	r.out.kind = definitionKind
	for _, x := range r.words {
		if x.text == "stand" || x.text == "short" {
			r.out.asking = append(r.out.asking, extent{x.start, x.end})
		}
	}
}

// countsTime reports whether what is counted is a unit of time: "how many days".
func (r *wantReader) countsTime() bool {
	for _, x := range r.words {
		if r.primary.kind == countKind && r.out.counted > 0 && x.start >= r.out.counted {
			return formWords()["units of time"][x.text]
		}
	}
	return false
}

// namedFirst reports whether the noun that names a kind of value is what the question asks
// for, and not a part of what it says: "the number of pages", but not "which variable limits the
// number of pages".
func (r *wantReader) namedFirst() bool {
	if len(r.out.asking) == 0 || len(r.out.naming) == 0 {
		return true
	}
	for _, x := range r.words {
		if x.start >= r.out.asking[0].end && x.end <= r.out.naming[0].start &&
			!auxiliaries[x.text] && !determiners[x.text] {
			return false
		}
	}
	return true
}

// asksCost reports whether only a price answers: "what does it cost a year", "how much do I
// pay", but not "how much does it weigh". "How much is it" asks for a price too, unless it
// names another measure.
func asksCost(w []word, named *askCue) bool {
	n := 1
	if len(w) > 1 && w[0].text == "how" && w[1].text == "much" {
		n = 2
	} else if len(w) == 0 || w[0].text != "what" {
		return false
	}
	if len(w) < n+2 || !auxiliaries[w[n].text] {
		return false
	}
	for _, x := range w[n+1:] {
		if priceVerbs[x.text] {
			return true
		}
	}
	return n == 2 && (w[n].text == "is" || w[n].text == "are") &&
		(named == nil || named.kind == moneyKind)
}

// priceVerbs say that something costs money.
var priceVerbs = set("cost costs charge charges charged pay paid pays")

// asksExpansion reports whether the words of an abbreviation are asked for: "what does UEFI
// stand for", "what is UEFI short for".
func asksExpansion(w []word) bool {
	n := len(w)
	return n > 3 && w[0].text == "what" && w[n-1].text == "for" &&
		(w[n-2].text == "stand" || w[n-2].text == "short")
}

// asksAccount reports whether the answer begins with what X is: "what does X do", "describe
// X".
func asksAccount(w []word) bool {
	return strings.HasPrefix(narrativeFrame(w), "what") || startsWithAny(w, describers) != ""
}

var describers = phrases("describe", "overview", "overview of", "an overview of", "summarize",
	"summarise", "summary of", "tell me about", "tell me more about",
	"introduction to", "introduce", "about", "profile of", "explain")

// orderWords is how many of the first words only order an answer ("please
// describe", "find all"). Those that also name what is wanted ("history of") are
// none of them.
func orderWords(w []word) int {
	n := 0
	for n < len(w) && politeness[w[n].text] {
		n++
	}
	for _, openers := range []map[string]bool{narrativeOpeners, collectionOpeners, requestOpeners} {
		if cue := startsWithAny(w[n:], openers); cue != "" &&
			!namingOpeners[strings.Fields(cue)[0]] {
			return n + len(strings.Fields(cue))
		}
	}
	return n
}

var namingOpeners = set("history the background geschichte historia histoire storia história " +
	"история when why what who")

// asksWhatIs reports whether the question is "what is X", and not "what X …" or "what is the
// X of Y", which asks for a property of Y.
func asksWhatIs(w []word) bool {
	if len(w) < 2 {
		return false
	}
	if len(w) > 3 && w[2].text == "the" {
		for _, x := range w[3:] {
			if x.text == "of" || x.text == "for" {
				return false
			}
		}
	}
	switch phraseAt(w, 0, 2) {
	case "what is", "what are", "who is", "qué es", "was ist", "was sind", "wat is", "что такое":
		return true
	}
	return w[0].text == "what's" || w[0].text == "cos'è"
}

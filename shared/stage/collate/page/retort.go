package page

import (
	"slices"
	"strings"

	"wstk/shared/stage/collate/wording"
	"wstk/shared/text"
)

// retorts reports whether a folded sentence does nothing but take back the one before it:
// "Verdict: mostly false", "Not so.", "Which is nonsense.", "There is no evidence for this."
func retorts(s string) bool {
	const longest = 12 // words
	w := wording.Bare(s)
	if label, rest, ok := strings.Cut(strings.ReplaceAll(s, "：", ":"), ":"); ok {
		label = labelWords(label)
		switch {
		case rulings[label]:
			return rulesOut(wording.Bare(rest))
		case asides[label]: // PS: …
			w = wording.Bare(rest)
		}
	}
	if len(w) == 0 || len(w) > longest {
		return false
	}
	if retortPhrases.At(w) > 0 {
		return true
	}
	if i := slices.IndexFunc(w, func(w string) bool { return whens[w] }); i >= 0 {
		w = w[:i] // what follows is only supposed
	}
	for i := range w {
		n := falsifiers.At(w[i:])
		if n > 0 && (takesUp(w[:i], w[i:i+n], w[i+n:]) ||
			EndsWith(s, SentenceStops) && saysNothing(slices.Concat(w[:i], w[i+n:]))) {
			return true
		}
	}
	return false
}

// takesUp reports whether a sentence that denies, in the words between, speaks of the one
// before it: it denies "this", or says of "this" that it is not so.
func takesUp(before, denies, after []string) bool {
	const near = 3 // words
	isObject := func(w string) bool { return objects[w] }
	if slices.ContainsFunc(denies, isObject) {
		return true
	}
	if i := slices.IndexFunc(before, isObject); i > 0 && i < near && i+near >= len(before) &&
		!slices.ContainsFunc(before[i:], opensMatter) {
		return true
	}
	// this claim
	rest := slices.DeleteFunc(slices.Clone(after), func(w string) bool { return conditions[w] })
	n := len(rest)
	return n > 0 && n <= near && objects[rest[n-1]] && !slices.ContainsFunc(rest[:n-1], opensMatter)
}

// saysNothing reports whether words are of those that no topic has: or so he.
func saysNothing(w []string) bool {
	return !slices.ContainsFunc(text.Tokenize(strings.Join(w, " "), ""),
		func(t text.Token) bool { return !t.Stop })
}

// opensMatter reports whether a word leads on to another matter: "wrong to …", "false that …".
func opensMatter(w string) bool { return w == "to" || openers[w] }

// rulesOut reports whether words are a verdict that something is not so: "mostly false".
func rulesOut(w []string) bool {
	const longest = 6 // words
	return len(w) > 0 && len(w) <= longest && (verdicts[strings.Join(w, "_")] || falsifiers.In(w))
}

// announcesFalse reports whether the folded line before is the label of a myth, without a
// mark behind it ("Myth #1"), or asks to suppose what follows ("Imagine this.").
func announcesFalse(before string) bool {
	const label, call = 3, 6 // words
	w := wording.Bare(before)
	if len(w) == 0 || len(w) > call {
		return false
	}
	if len(w) <= label && !EndsWith(before, SentenceStops+"?") &&
		myths[strings.Trim(strings.Join(w, " "), " 0123456789")] {
		return true
	}
	return suppositions.At(w) > 0
}

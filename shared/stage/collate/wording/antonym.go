package wording

import "strings"

// Antonyms maps a word to the one it denies: "disabled" is "not enabled".
var Antonyms = map[string]string{
	"disabled": "enabled", "disables": "enables", "disable": "enable", "unsupported": "supported",
	"forbidden": "allowed", "prohibited": "allowed",
	"disallowed": "allowed", "unavailable": "available", "inactive": "active",
	"impossible": "possible", "unable": "able", "unsafe": "safe",
	"incompatible": "compatible", "invalid": "valid", "unlimited": "limited",
	"optional": "required", "unnecessary": "necessary",
	"incorrect": "correct", "insecure": "secure", "unstable": "stable", "excludes": "includes",
	"excluded": "included", "closed": "open",
	"denied": "granted", "poisonous": "edible", "inedible": "edible",
	"dangerous": "safe", "unfit": "safe",
	"rejected": "accepted", "fails": "works",
	"gesperrt": "offen", "verboten": "erlaubt", "gefährlich": "sicher", "unsicher": "sicher",
	"interdit": "autorisé", "interdite": "autorisée", "dangereux": "sûr", "prohibido": "permitido",
	"prohibida": "permitida", "peligroso": "seguro",
}

// Antonym returns the positive word of a negative one.
func Antonym(w string) (plain string, negative bool) {
	plain, negative = Antonyms[w]
	return plain, negative
}

// denyingPrefixes turn a word into its opposite.
var denyingPrefixes = []string{"un", "in", "im", "il", "ir", "dis", "non", "anti",
	"не", "без", "небез"}

// Opposites reports whether one of two stems is the other with a denying prefix, or the
// two are antonyms.
func Opposites(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	for _, prefix := range denyingPrefixes {
		if rest, ok := strings.CutPrefix(b, prefix); ok && len(rest) > 2 && rest == a {
			return true
		}
	}
	return antonymStems[[2]string{a, b}] || antonymStems[[2]string{b, a}]
}

var antonymStems = func() map[[2]string]bool {
	m := map[[2]string]bool{}
	for not, plain := range Antonyms {
		m[[2]string{Stem(not, "en"), Stem(plain, "en")}] = true
	}
	return m
}()

package wording

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

package screen

import "strings"

// serviceRule finds a key behind the name of the service that it opens, where nothing
// else says that it is one. The name says little, so the value must look random.
func serviceRule() rule {
	return rule{
		name: "service_key", inner: true, keep: serviceKey, before: 0,
		after: 300, quick: assignment,
		keywords: phrases("services"),
		pattern: `(?i)(?:` + strings.Join(phrases("services"), "|") + `)` +
			`(?:[_.-]?(?:` + strings.Join(phrases("key words"), "|") + `)){0,3}` +
			// A colon with neither a blank nor a quotation mark beside it joins two parts of
			// one name: contentful:2FoagXHQ….
			`(?:["'\x60]?[\])]?\s{0,3}(?:=>|[:?|]{0,3}={1,3})\s{0,3}["'\x60]?|:\s{1,3}["'\x60]?|` +
			`["'\x60][\])]?\s{0,3}:\s{0,3}["'\x60]?|\s{0,3}:\s{0,3}["'\x60])` +
			`((?:0/|live_|test_|key-?)?[A-Za-z0-9_~.+/=-]{14,200})(?:["'\x60\s,;)}<&\\]|$)`,
	}
}

// serviceKey reports whether a value behind the name of a service looks random: a
// UUID, a long hexadecimal number, or letters and digits in turn.
func serviceKey(s string, start, end int) bool {
	name := strings.ToLower(lastName(s[max(0, start-90):start]))
	v := strings.TrimRight(s[start:end], ".,;=")
	if !beginsWord(name) || publicName(name) || placeholderValue(v) || placeholder(v) ||
		reference(v) || sequence(v) {
		return false
	}
	body := v[strings.LastIndexAny(v, "/_")+1:]
	lower, upper, digits, signs := classes(body)
	if len(v) == 36 && digest(v) && strings.Count(v, "-") == 4 {
		return entropy(v) >= 3
	}
	if digest(body) {
		return len(body) >= 32 && lower+upper > 0 &&
			(lower == 0 || upper == 0) && entropy(body) >= 3
	}
	return mixedKey(body, lower+upper, digits, signs) && !wordy(v)
}

// mixedKey reports whether letters and digits take turns in a key as random ones do.
func mixedKey(body string, letters, digits, signs int) bool {
	return len(body) >= 15 && digits >= 2 && letters >= 4 && signs <= 2 &&
		entropy(body) >= 3.2 && turns(body) >= 4
}

// beginsWord reports whether the service in a name begins a word there: the lob of lob and my_lob,
// not that of globalId.
func beginsWord(name string) bool {
	for _, service := range phrases("services") {
		for at := 0; ; at++ {
			i := strings.Index(name[at:], service)
			if i < 0 {
				break
			}
			if at += i; at == 0 || strings.IndexByte("_.-", name[at-1]) >= 0 {
				return true
			}
		}
	}
	return false
}

// publicName reports whether the name of a value says that it is no secret.
func publicName(name string) bool {
	for _, p := range phrases("public names") {
		if strings.Contains(name, p) && p != "message" { // messagebird
			return true
		}
	}
	for _, end := range phrases("public ends") {
		if strings.HasSuffix(name, "_"+end) || strings.HasSuffix(name, "-"+end) ||
			strings.HasSuffix(name, "."+end) {
			return true
		}
	}
	return false
}

// turns counts how often letters and digits take turns in s.
func turns(s string) int {
	n := 0
	for i := 1; i < len(s); i++ {
		if isDigit(s[i]) != isDigit(s[i-1]) {
			n++
		}
	}
	return n
}

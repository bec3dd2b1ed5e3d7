package screen

import (
	"bytes"
	"encoding/base64"
	"strings"

	"wstk/shared/lexicon"
	"wstk/shared/text"
)

// newRedactRules makes the rules of what a page is warned of, and others for what is no
// news in a page and should still not be printed: cookies, session ids in addresses,
// short passwords. A look-alike that is lost by them costs a word of the output.
func newRedactRules(l *lexicon.Lexicon) *ruleset {
	rules := append(append(tokenRules(), secretsIn(l, outputRules)...), serviceRule())
	for _, r := range secretsIn(l, contextRules) {
		if r.name != "private_key" { // the rule for output takes in the key itself
			rules = append(rules, r)
		}
	}
	rs := newRuleset(rules...)
	rs.whole = true
	return rs
}

// outputRules are rules for what is printed alone.
var outputRules = []rule{
	{
		family: "private key, whole", name: "private_key",
		before: 24, after: 40, parts: keyBlock,
	},
	{
		family: "authorization header", name: "authorization_header",
		before: 8, after: 1200, quick: assigned, keep: realHeader,
	},
	{
		family: "secret header", name: "secret_header",
		before: 24, after: 1200, quick: assigned, keep: realHeader,
	},
	{
		family: "cookie", name: "cookie",
		before: 8, after: 4200, quick: assigned, parts: cookies,
	},
	{
		family: "password in an address, printed", name: "url_password",
		before: 24, after: 400, quick: userInfo, keep: anyPassword,
	},
	{
		family: "token in an address", name: "url_token",
		before: 24, after: 400, quick: userOnly, keep: randomValue,
	},
	{
		family: "parameter of an address", name: "url_parameter",
		before: 80, after: 2400, quick: parameter, keep: realParameter,
	},
	{
		family: "connection string, printed", name: "connection_string",
		before: 4, after: 300, keep: connectionPassword,
	},
	{
		family: "password in a command, printed", name: "command_password",
		before: 2, after: 400, quick: userOption, keep: commandPassword,
	},
	{
		family: "basic authorization, printed", name: "basic_auth",
		before: 2, after: 400, quick: assigned, keep: encodedPair,
	},
	{
		family: "password of netrc", name: "netrc_password",
		before: 2, after: 400, keep: anyPassword,
	},
	{
		family: "assigned value, printed", name: "assigned_secret", words: "secret names",
		before: 0, after: 700, quick: assignment, keep: namedSecret,
	},
	{
		family: "listed value", name: "assigned_secret", words: "secret names",
		before: 0, after: 700, quick: listed, keep: namedSecret,
	},
	{
		family: "value of an element", name: "assigned_secret", words: "secret names",
		before: 48, after: 700, quick: element, keep: namedSecret,
	},
}

// assignment reports whether a sign of assignment follows the name that a keyword stands
// in, with no more than a quotation mark, a bracket, blanks or a type between them.
func assignment(s string, start int) bool {
	i, end := start, min(len(s), start+64)
	if end-i > 4 && (s[i+3] == ' ') { // api key
		i += 4
	}
	for i < end && (asciiWord(s[i]) || s[i] == '-' || s[i] == '.') {
		i++
	}
	for n := 0; i < end && n < 8 && strings.IndexByte("\"'`])\\ \t\n\r", s[i]) >= 0; n++ {
		i++
	}
	return i < end && (strings.IndexByte("=:?.|", s[i]) >= 0 || strings.HasPrefix(s[i:end], "str"))
}

// listed reports whether a name ends at a quotation mark that a comma follows.
func listed(s string, start int) bool {
	near := s[start:min(len(s), start+64)]
	i := strings.IndexAny(near, "\"'`")
	return i >= 0 && strings.HasPrefix(strings.TrimLeft(near[i+1:], " "), ",")
}

// element reports whether the name is that of an XML element, or of a key whose value
// is an attribute.
func element(s string, start int) bool {
	near := s[start:min(len(s), start+64)]
	i := strings.IndexAny(near, " \t\n=:;,()\"'")
	gt := strings.IndexByte(near, '>')
	return gt >= 0 && (i < 0 || gt < i) ||
		i >= 0 && near[i] == '"' && strings.HasPrefix(strings.TrimLeft(near[i+1:], " "), "value")
}

// userOnly reports whether an address has an @ and no colon before it.
func userOnly(s string, start int) bool {
	rest := s[start+len("://") : min(len(s), start+220)]
	end := strings.IndexAny(rest, "@/ \n\t\"<>:")
	return end > 0 && rest[end] == '@'
}

// parameter reports whether what ends at a keyword began as a parameter does.
func parameter(s string, start int) bool {
	for n := 0; start > 0 && n < 60; n++ {
		start--
		switch c := s[start]; {
		case c == '?' || c == '&' || c == '#' || c == ';':
			return true
		case !asciiWord(c) && strings.IndexByte(".%-[]\\", c) < 0:
			return false
		}
	}
	return false
}

// keyBlock is a whole private key: to its last line, or as far as base64 goes where
// that is missing. A block without a key in it is an example.
func keyBlock(s string, start, end int) []text.Range {
	body := end
	for body < len(s) {
		c := s[body]
		if asciiWord(c) || strings.IndexByte("+/=,.: \t\r\n\\\"'-", c) >= 0 &&
			!strings.HasPrefix(s[body:], "-----") {
			body++
			continue
		}
		break
	}
	if !longestWord(s[end:body], 24) {
		return nil
	}
	if strings.HasPrefix(s[body:], "-----END") {
		if close := strings.Index(s[body+5:min(len(s), body+100)], "-----"); close >= 0 {
			return []text.Range{{Start: start, End: body + 5 + close + 5}}
		}
	}
	return []text.Range{{Start: start, End: base64End(s, end, body)}}
}

// base64End returns where the base64 in s[start:end] ends: words may stand behind a key
// that was cut off.
func base64End(s string, start, end int) int {
	last := start
	for i := start; i < end; {
		word := i
		for word < end && (asciiWord(s[word]) || strings.IndexByte("+/=", s[word]) >= 0) {
			word++
		}
		switch {
		case word-i >= 24 || word-i > 0 && s[word-1] == '=':
			last = word
		case word-i > 0 && last > start:
			return last
		}
		i = word + 1
	}
	return last
}

// longestWord reports whether s has a run of n base64 characters.
func longestWord(s string, n int) bool {
	run := 0
	for i := 0; i < len(s); i++ {
		if c := s[i]; asciiWord(c) || c == '+' || c == '/' {
			if run++; run >= n {
				return true
			}
		} else {
			run = 0
		}
	}
	return false
}

// cookies are the values in a Cookie or Set-Cookie header that may open something:
// those named like a session, and those that look random.
func cookies(s string, start, end int) []text.Range {
	var out []text.Range
	for start < end {
		stop := strings.IndexByte(s[start:end], ';')
		if stop < 0 {
			stop = end - start
		}
		pair := s[start : start+stop]
		if eq := strings.IndexByte(pair, '='); eq > 0 {
			name, value := strings.ToLower(strings.TrimSpace(pair[:eq])),
				strings.TrimRight(pair[eq+1:], " \t,\\")
			if len(value) > 0 && strings.IndexByte(value, ' ') < 0 && secretCookie(name, value) {
				out = append(out, text.Range{Start: start + eq + 1,
					End: start + eq + 1 + len(value)})
			}
		}
		start += stop + 1
	}
	return out
}

func secretCookie(name, value string) bool {
	if among("plain cookies", name) || placeholderValue(value) {
		return false
	}
	_, _, digits, _ := classes(value)
	for _, part := range phrases("session cookies") {
		if strings.Contains(name, part) {
			return len(value) >= 4
		}
	}
	return len(value) >= 8 && digits >= 2 && entropy(value) >= 2.7 ||
		name == "id" && len(value) >= 4
}

// placeholderValue tells values that say where a secret goes: a name in brackets, a
// variable, words such as your_token, a row of the same sign.
func placeholderValue(v string) bool {
	low := strings.ToLower(v)
	switch {
	case strings.Trim(v, "*•xX.-_ ") == "", strings.ContainsAny(v, "<>{}"),
		strings.HasPrefix(v, "$"), strings.HasPrefix(v, "%s"), strings.HasPrefix(v, "%("),
		strings.HasPrefix(v, "["), strings.HasPrefix(v, "..."), strings.HasPrefix(v, "…"),
		strings.HasSuffix(v, "..."), strings.HasSuffix(v, "…"), strings.HasPrefix(v, ":"):
		return true
	}
	for _, word := range phrases("value placeholders") {
		if strings.Contains(low, word) {
			return true
		}
	}
	return false
}

// anyPassword takes what stands where a password does, unless it says that it is none.
func anyPassword(s string, start, end int) bool {
	v := s[start:end]
	low := strings.ToLower(v)
	return !placeholderValue(v) && !reference(v) && low != "null" && low != "true" &&
		low != "false" && low != "none" && low != "pass" && low != "port"
}

// encodedPair reports whether a value is base64 of a user's name and password, as files
// for registries have them.
func encodedPair(s string, start, end int) bool {
	raw, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(s[start:end], "="))
	return err == nil && readable(raw) && bytes.IndexByte(raw, ':') > 0
}

// connectionPassword is anyPassword between the other parts of a connection string,
// and what looks like one anywhere.
func connectionPassword(s string, start, end int) bool {
	line := s[max(0, start-240):start]
	line = line[strings.LastIndexByte(line, '\n')+1:]
	return anyPassword(s, start, end) && pattern("connection words").
		MatchString(line) || namedSecret(s, start, end)
}

// commandPassword is anyPassword without the words that manuals write there.
func commandPassword(s string, start, end int) bool {
	return anyPassword(s, start, end) && !among("common passwords", strings.ToLower(s[start:end]))
}

// realHeader judges the credential of a header.
func realHeader(s string, start, end int) bool {
	v := s[start:end]
	if placeholderValue(v) || reference(v) && strings.IndexByte(v, ' ') < 0 ||
		strings.HasPrefix(v, "AKIAIOSFODNN7") {
		return false
	}
	lower, upper, digits, _ := classes(v)
	switch {
	case strings.IndexByte(v, ' ') >= 0: // a list of parameters, with a signature
		return digits > 0
	case digits == 0 && (lower == 0 || upper == 0):
		return false
	}
	// RFC 7617's Aladdin
	if raw := v; len(raw)%4 == 0 && strings.HasPrefix(raw, "QWxhZGRpbjpvcGVu") {
		return false
	}
	return (digits > 0 || len(v) >= 24) && entropy(v) >= 2.5 && !wordy(v)
}

// realParameter judges the value of a parameter. Its name stands before it.
func realParameter(s string, start, end int) bool {
	name := strings.TrimSuffix(s[max(0, start-64):start], "=")
	i := len(name)
	for i > 0 && (asciiWord(name[i-1]) || strings.IndexByte(".-[]", name[i-1]) >= 0) {
		i--
	}
	name = strings.TrimPrefix(name[i:], "u0026")
	from, to := max(0, start-600), min(len(s), end+600)
	if at := strings.LastIndexAny(s[from:start], " \t\n\"'<>"); at >= 0 {
		from += at
	}
	if at := strings.IndexAny(s[end:to], " \t\n\"'<>"); at >= 0 {
		to = end + at
	}
	return secretParameter(name, s[start:end], strings.Contains(s[from:to], "state="))
}

// namedSecret judges name = value for the output: what assignedSecret takes, and
// short passwords, hexadecimal keys and UUIDs beside names that are plain about it.
func namedSecret(s string, start, end int) bool {
	name := strings.ToLower(lastName(s[max(0, start-90):start]))
	return secretValue(name, s[start:end])
}

// withoutMarks cuts the marks that a key begins with.
func withoutMarks(v string) string {
	for {
		mark, rest, ok := strings.Cut(v, "-")
		if !ok {
			mark, rest, ok = strings.Cut(v, "_")
		}
		if !ok || !among("issuer marks", strings.ToLower(mark)) {
			return v
		}
		v = rest
	}
}

// secretValue reports whether v, under a name that may say secret, is one.
func secretValue(name, v string) bool {
	v = strings.TrimRight(v, ".,;\\")
	switch {
	case publicPart(name), len(v) < 4, placeholderValue(v), strings.Contains(v, "://"),
		reference(v) && !strings.HasPrefix(v, "/"):
		return false
	case strings.Contains(name, "pass"), strings.Contains(name, "pwd"),
		strings.Contains(name, "credential"):
		return passwordValue(v)
	}
	return keyValue(v)
}

// publicPart reports whether a part or the end of a name says that its value is public.
func publicPart(name string) bool {
	for _, p := range phrases("public names") {
		if strings.Contains(name, p) && !among("private parts", p) {
			return true
		}
	}
	for _, end := range phrases("public ends") {
		if rest, ok := strings.CutSuffix(name, end); ok && rest != "" {
			return true
		}
	}
	return false
}

// passwordValue reports whether v may be a password: no word, and no sentence.
func passwordValue(v string) bool {
	_, _, digits, signs := classes(v)
	if len(v) < 6 || len(v) > 128 || kinds(v) < 2 || digits+signs == 0 ||
		among("common passwords", strings.ToLower(v)) || strings.Contains(v, " ") || prose(v) {
		return false
	}
	return digits > 0 || len(v) >= 8 && !wordy(v)
}

// keyValue reports whether v may be a key or a token: long, and random without the marks
// that it begins with.
func keyValue(v string) bool {
	marked := v
	if v = withoutMarks(v); len(v) < 12 && v != marked {
		v = marked // too little is left to judge
	}
	if len(v) < 12 || strings.Contains(v, " ") || placeholder(v) && len(v) < 30 || sequence(v) ||
		among("common passwords", strings.ToLower(v)) {
		return false
	}
	return randomKey(v)
}

// randomKey reports whether v varies as random keys do.
func randomKey(v string) bool {
	lower, upper, digits, _ := classes(v)
	h := entropy(v)
	switch {
	case lower+upper == 0: // a number
		return len(v) >= 30 && digits > 0
	case digest(v):
		return len(v) >= 24 && h >= 2.8
	case wordy(v) || h < 3 || prose(v):
		return false
	}
	return digits >= 2 || digits == 1 && len(v) >= 20 ||
		len(v) >= 24 && lower > 3 && upper > 3 && h >= 3.8
}

// prose reports whether v is a word with a sign at most: (at, characters.
func prose(v string) bool {
	_, upper, digits, signs := classes(v)
	return digits == 0 && upper <= 1 && signs <= 1
}

// secretUnder returns the kind of a value that only its JSON key gives away.
func secretUnder(key, value string) string {
	name := strings.ToLower(key)
	if strings.Contains(value, markerStart) {
		return ""
	}
	switch strings.ReplaceAll(name, "_", "-") {
	case "authorization", "proxy-authorization", "x-api-key", "x-auth-token",
		"x-amz-security-token":
		_, rest, ok := strings.Cut(value, " ")
		if !ok {
			rest = value
		}
		if len(rest) >= 4 && !placeholderValue(rest) {
			return "authorization_header"
		}
		return ""
	}
	for _, word := range phrases("secret names") {
		if strings.Contains(name, word) && secretValue(name, value) {
			return "assigned_secret"
		}
	}
	return ""
}

package screen

import (
	"bytes"
	"encoding/base64"
	"strings"

	"wstk/shared/text"
)

// newRedactRules makes the rules of what a page is warned of, and others for what is no
// news in a page and should still not be printed: cookies, session ids in addresses,
// short passwords. A look-alike that is lost by them costs a word of the output.
func newRedactRules() *ruleset {
	rules := append(append(tokenRules(), outputRules()...), serviceRule())
	for _, r := range contextRules {
		if r.name != "private_key" { // the rule for output takes in the key itself
			rules = append(rules, r)
		}
	}
	rs := newRuleset(rules...)
	rs.whole = true
	return rs
}

// secretWords are what names of secrets hold.
const secretWords = `(?:[_.-]pass\b|\b(?:db|user|pg|mysql|smtp|ftp|root|admin)pass\b|password|passwd|passwort|passphrase|passcode|pwd|secret|token|credential|api[_ .-]?key|apikey|(?:access|auth|private|client|account|encryption|signing|master|license|shared|secret|service|storage|app|application|consumer|user|admin|prod|live|webhook)[_ .-]?key)`

func outputRules() []rule {
	return []rule{
		{
			name: "private_key", keywords: []string{"private key"}, before: 24,
			after: 40, inner: true,
			pattern: `(-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----)`, parts: keyBlock,
		},
		{
			name: "authorization_header", keywords: []string{"authorization"}, before: 8,
			after: 1200, inner: true, quick: assigned, keep: realHeader,
			pattern: `(?i)\b(?:proxy-)?authorization["'\]]{0,2}\s{0,3}[:=,]\s{0,3}["']?(?:(?:bearer|basic|token|api-?token|apikey|api-key|bot|key|negotiate|ntlm|oauth|splunk|sso-key|ssws|zoho-oauthtoken)\s+((?:token=|key=)?["']?[^\s"'<>` + "`" + `,;]{6,})|(?:aws4-hmac-sha256|digest|hawk|signature|oauth)\s+([^\n\r]{20,}?(?:signature|response|mac|oauth_token)\s*=\s*["']?[^\n\r"']{8,})|([^\s"'<>` + "`" + `,;]{16,}))`,
		},
		{
			name: "secret_header", inner: true, keep: realHeader, before: 24,
			after: 1200, quick: assigned,
			keywords: []string{"api-key", "apikey", "auth-token", "access-token", "security-token",
				"vault-token", "private-token", "job-token", "subscription-key", "auth-key",
				"session-token", "secret-key", "goog-iam-authorization"},
			pattern: `(?i)\b(?:(?:x|ocp|cf|circle|dd|deploy)-[a-z0-9-]{0,40}|private-token|job-token|api-?key|auth-token|access-token|secret-key|session-token)["']?\s{0,3}[:=,]\s{0,3}["']?([^\s"'<>` + "`" + `,;]{8,})`,
		},
		{
			name: "cookie", keywords: []string{"cookie"}, before: 8, after: 4200,
			inner: true, quick: assigned,
			pattern: `(?i)\b(?:set-)?cookie2?["']?\s{0,3}[:=]\s{0,3}["']?([\w.$!#%&*+^|~-]{1,80}=[^\n\r"'<>]+)`, parts: cookies,
		},
		{
			name: "url_password", keywords: []string{"://"}, quick: userInfo, before: 24,
			after: 400, inner: true, keep: anyPassword,
			pattern: `(?i)\b[a-z][a-z0-9+.-]{1,24}://[^\s:@/'"<>\x60]{0,120}:([^\s/'"<>\x60]{1,200})@[a-z0-9\[_][\w.:-]{0,100}`,
		},
		{
			name: "url_token", keywords: []string{"://"}, quick: userOnly, before: 24, after: 400,
			inner: true, keep: randomValue,
			pattern: `(?i)\bhttps?://([A-Za-z0-9_.~-]{16,200})@[a-z0-9][\w.-]{1,100}`,
		},
		{
			name: "url_parameter", inner: true, keep: realParameter, quick: parameter, before: 80,
			after: 2400, keywords: []string{
				"token=", "signature=", "sig=", "credential=", "key=", "keyid=", "password=",
				"passwd=", "passwort=", "pwd=", "pass=", "secret=", "code=", "sid=", "session=",
				"sessionid=", "session_id=", "sess=", "sessid=", "auth=", "authorization=", "jwt=",
				"ticket=", "otp=", "assertion=", "samlresponse=", "hmac=", "auth_key=", "authkey=",
				"apikey=", "api-key=", "hash="},
			pattern: `(?i)(?:[?&#;]|\\u0026|%26|%3f|amp;)[\w.%\[\]-]{1,60}=([^&#;"'<>\s\\)\x60]{4,})`,
		},
		{
			name: "connection_string", inner: true, keep: connectionPassword, before: 4, after: 300,
			keywords: []string{"password=", "pwd=", "password =", "pwd =", "accountkey=",
				"sharedaccesskey=", "sharedaccesssignature=", "sharedsecret"},
			pattern: `(?i)(?:^|[;\s"'&?/,])(?:password|pwd|accountkey|sharedaccesskey|sharedaccesssignature|sharedsecret(?:value)?)\s?=\s?["']?([^;\s"'&,]{4,200})`,
		},
		{
			name: "command_password", inner: true, keep: commandPassword, before: 2,
			after: 400, quick: userOption,
			keywords: []string{"curl ", "wget ", "http ", "mysql", "sshpass", "psql ", "redis-cli",
				"ldapsearch", "docker login", "az login", "mongo", "net use",
				"rabbitmqadmin", "influx"},
			pattern: `(?i)\b(?:curl|wget|http|mysql|mysqldump|sshpass|psql|redis-cli|ldapsearch|docker login|az login|mongosh?|net use|rabbitmqadmin|influx)\b[^\n]{0,160}?\s(?:(?:-u|--user)[= ]?(?:"[^\s:"']{1,64}:([^\n"]{2,100})"|'[^\s:"']{1,64}:([^\n']{2,100})'|[^\s:"']{1,64}:([^\s"'/]{2,100}))|(?:--password|--pass|--requirepass)[= ]["']?([^\s"']{4,100}))`,
		},
		{
			name: "basic_auth", inner: true, keep: encodedPair, before: 2, after: 400,
			keywords: []string{"auth\"", "auth =", "auth="}, quick: assigned,
			pattern: `(?i)\b_?auth"?\s{0,3}[:=]\s{0,3}"?([A-Za-z0-9+/]{8,300}={0,2})(?:["\s,}]|$)`,
		},
		{
			name: "netrc_password", inner: true, keep: anyPassword, before: 2, after: 400,
			keywords: []string{"machine "},
			pattern:  `(?i)\bmachine\s+\S{1,100}\s+login\s+\S{1,100}\s+password\s+([^\s"'<>]{2,200})`,
		},
		{
			name: "assigned_secret", inner: true, keep: namedSecret, before: 0,
			after: 700, quick: assignment,
			keywords: phrases("secret names"),
			pattern: `(?i)` + secretWords +
				`[\w.-]{0,24}["'\x60]?[\])]?\s{0,3}(?:string\s{0,3}|str\s{0,3})?(?:=>|[:?.|]{0,3}={1,3}|:)\s{0,3}(?:b|r|u|@|Some\(|new String\()?` +
				`(?:"([^"\n]{4,500})"|'([^'\n]{4,500})'|\x60([^\x60\n]{4,500})\x60|([^\s"'\x60,;<>(){}\\]{6,500})(?:[\s,;)}<&"'\\]|$))`,
		},
		{
			name: "assigned_secret", inner: true, keep: namedSecret, before: 0,
			after: 700, quick: listed,
			keywords: phrases("secret names"),
			pattern: `(?i)` + secretWords +
				`[\w.-]{0,24}["'\x60]\s{0,3},\s{0,3}["'\x60]([^"'\x60\n]{6,500})["'\x60]`,
		},
		{
			name: "assigned_secret", inner: true, keep: namedSecret, before: 48,
			after: 700, quick: element,
			keywords: phrases("secret names"),
			pattern: `(?i)<[\w:.-]{0,48}?` + secretWords +
				`[\w:.-]{0,24}>\s{0,20}([^<>\s]{6,500})\s{0,20}</|` + secretWords +
				`\w{0,12}"\s{0,3}value\s?=\s?"([^"\n]{4,500})"`,
		},
	}
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

var connectionWords = onceRegexp(
	`(?i)\b(?:server|data source|host(?:name)?|dbname|database|initial catalog|endpoint|driver|accountname|sharedaccesskeyname)\s?=`)

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
	return anyPassword(s, start, end) && connectionWords().
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

package screen

import (
	_ "embed"
	"encoding/base64"
	"slices"
	"strconv"
	"strings"

	"wstk/shared/lexicon"
)

// secretRules know the shapes of credentials. A shape alone is enough only where
// its issuer made it unmistakable; otherwise the words before it must say what it
// is, and the value must look random and not like an example, a checksum, a
// UUID or a reference to a variable.
func secretRules() *ruleset { return vocab().secrets() }

// secretsIn fills in the words and patterns of rules of which the finding is what stands in
// brackets.
func secretsIn(l *lexicon.Lexicon, rules []rule) []rule {
	rules = worded(l, rules)
	for i := range rules {
		rules[i].inner = true
	}
	return rules
}

// findSecrets returns the secrets in s. Where two rules hold for one string, the
// earlier and more precise one counts.
func findSecrets(s string) []match {
	var out []match
	for _, m := range secretRules().find(s) {
		if !slices.ContainsFunc(out, func(o match) bool {
			return m.Start < o.End && o.Start < m.End
		}) {
			out = append(out, m)
		}
	}
	return out
}

// token is a rule for a credential that begins with a mark of its issuer.
func token(name, what, pattern string, keywords ...string) rule {
	return rule{
		name: name, reason: "looks like " + what, keywords: keywords, inner: true,
		keep: randomToken, quick: unbroken,
		before: 12, after: 320, pattern: `(?:^|[^A-Za-z0-9_])(` + pattern + `)(?:$|[^A-Za-z0-9_])`,
	}
}

// encodedJWT is a JWT in base64 once more, alone or behind up to 40 bytes of other text, as
// in Bearer eyJ…: its beginning is encoded in three ways, by how many bytes go before.
var encodedJWT = rule{
	name: "jwt", reason: "looks like a signed token (JWT) in base64",
	keywords: []string{"zxlk", "v5s", "leuo", "leup"},
	inner:    true, before: 60, after: 8192, quick: unbrokenAround, keep: holdsJWT,
	pattern: `(?:^|[^A-Za-z0-9_])([A-Za-z0-9+/_-]{0,56}` +
		`(?:ZXlK|[GWm2]V5S|[A-Za-z0-9+/]leU[op])[A-Za-z0-9+/_-]{60,}={0,2})`,
}

// unbrokenAround is unbroken for a keyword at most 60 bytes within a token.
func unbrokenAround(s string, start int) bool {
	for n := 0; start > 0 && wordByte(s[start-1]); n++ {
		if n == 60 {
			return false
		}
		start--
	}
	return unbroken(s, start)
}

// holdsJWT reports whether base64 holds the beginning of a signed token that is no
// well-known example.
func holdsJWT(s string, start, end int) bool {
	v := strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(s[start:end], "="))
	raw, err := base64.RawStdEncoding.DecodeString(v[:len(v)-len(v)%4])
	if err != nil {
		return false
	}
	at := strings.Index(string(raw), "eyJ")
	return at >= 0 && readable(raw) && realJWT(string(raw), at, len(raw))
}

// within is for a token whose mark stands inside: at most before bytes in.
func within(before int, r rule) rule {
	r.before = before
	r.quick = func(s string, start int) bool { return start > 0 && wordByte(s[start-1]) }
	return r
}

//go:embed tokens.txt
var tokenFile string

// tokenRules are those of tokens.txt, and the encoded token. Lines of one rule follow one
// another.
func tokenRules() []rule {
	var rules []rule
	var at string // the rule of the line before
	var patterns, keywords []string
	add := func() {
		name, rest, _ := strings.Cut(at, "\t")
		what, inside, _ := strings.Cut(rest, "\t")
		r := token(name, what, strings.Join(patterns, "|"), keywords...)
		if before, _ := strconv.Atoi(inside); before > 0 {
			r = within(before, r)
		}
		rules = append(rules, r)
	}
	for e := range lexicon.Parse(tokenFile).Entries("tokens") {
		if is := strings.Join(e[:3], "\t"); is != at {
			if at != "" {
				add()
			}
			at, patterns, keywords = is, nil, nil
		}
		patterns = append(patterns, e[4])
		keywords = append(keywords, strings.Split(e[3], ",")...)
	}
	add()
	return append(rules, encodedJWT)
}

// contextRules need the words around a value.
var contextRules = []rule{
	{
		family: "private key", name: "private_key",
		reason: "looks like a private key",
		before: 24, after: 260,
	},
	{
		family: "signed token", name: "jwt",
		reason: "looks like a signed token (JWT)",
		before: 2, after: 4096, quick: unbroken, keep: realJWT,
	},
	{
		family: "password in an address", name: "url_password",
		reason: "an address with a password in it",
		before: 24, after: 300, quick: userInfo, keep: realPassword,
	},
	{
		family: "connection string", name: "connection_string",
		reason: "a connection string with a password or key in it",
		before: 200, after: 260, keep: realPassword,
	},
	{
		family: "bearer token", name: "bearer_token",
		reason: "a request header with a token in it",
		before: 40, after: 300, keep: randomValue,
	},
	{
		family: "basic authorization", name: "basic_auth",
		reason: "a request header with a user's password in it",
		before: 40, after: 200, keep: realBasic,
	},
	{
		family: "password in a command", name: "command_password",
		reason: "a command with a password in it",
		before: 2, after: 360, quick: userOption, keep: realPassword,
	},
	{
		family: "AWS secret key", name: "aws_secret_key",
		reason: "looks like an AWS secret access key",
		before: 12, after: 160, keep: randomValue,
	},
	{
		family: "assigned value", name: "assigned_secret",
		reason: "a value assigned to a name that says secret",
		before: 40, after: 260, quick: assigned, keep: assignedSecret,
	},
	{
		family: "assigned word", name: "assigned_secret",
		reason: "a value assigned to a name that says secret",
		before: 48, after: 220, quick: assigned, keep: assignedSecret,
	},
}

// unbroken reports whether 20 bytes without white space begin at a keyword, and,
// where the keyword begins with a letter, whether a word begins there. Almost no
// word of a text passes.
func unbroken(s string, start int) bool {
	const least = 20
	if len(s)-start < least || start > 0 && wordByte(s[start]) && wordByte(s[start-1]) {
		return false
	}
	for _, c := range []byte(s[start : start+least]) {
		if c <= ' ' {
			return false
		}
	}
	return true
}

// userInfo reports whether an address has an @ before its path.
func userInfo(s string, start int) bool {
	rest := s[start+len("://") : min(len(s), start+220)]
	if end := strings.IndexAny(rest, " \n\t\"<>"); end >= 0 {
		rest = rest[:end]
	}
	at := strings.LastIndexByte(rest, '@')
	return at > 0 && strings.IndexByte(rest[:at], ':') >= 0
}

// userOption reports whether a command has an option that names a user or password.
func userOption(s string, start int) bool {
	line, _, _ := strings.Cut(s[start:min(len(s), start+360)], "\n")
	return strings.Contains(line, " -u") || strings.Contains(line, "--user") ||
		strings.Contains(line, "--password")
}

// assigned reports whether a sign of assignment is near.
func assigned(s string, start int) bool {
	return strings.ContainsAny(s[start:min(len(s), start+48)], "=:")
}

func randomToken(s string, start, end int) bool { return !placeholderToken(s[start:end]) }

// randomValue holds for values that vary as random ones do and are no example.
func randomValue(s string, start, end int) bool {
	v := s[start:end]
	_, _, digits, _ := classes(v)
	return digits > 0 && entropy(v) >= 3.2 && !placeholder(v) && !reference(v)
}

// realJWT leaves out the token that the standard's web site shows.
func realJWT(s string, start, end int) bool {
	v := s[start:end]
	if placeholderToken(v) {
		return false
	}
	for _, known := range []string{
		"eyJzdWIiOiIxMjM0NTY3ODkw",             // "sub":"1234567890"
		"eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4", // RFC 7519's joe
		"eyJpc3MiOiJqb2UiLCJleHAiOjEzMDA4",
	} {
		if strings.Contains(v, known) {
			return false
		}
	}
	return true
}

func realPassword(s string, start, end int) bool {
	v := s[start:end]
	low := strings.ToLower(v)
	if among("common passwords", low) || among("common passwords",
		strings.TrimRight(low, "0123456789!")) || placeholder(v) || reference(v) {
		return false
	}
	lower, upper, digit, _ := classes(v)
	// A plain word is an example in a manual far more often than a password.
	return len(v) >= 6 && kinds(v) >= 2 && (digit > 0 || lower > 0 && upper > 0) &&
		entropy(v) >= 2.5 && !strings.Contains(low, "passw") && !strings.Contains(low, "secret")
}

// realBasic decodes the header's value and judges the password in it.
func realBasic(s string, start, end int) bool {
	raw, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(s[start:end], "="))
	if err != nil || !readable(raw) {
		return false
	}
	_, pass, ok := strings.Cut(string(raw), ":")
	return ok && !strings.EqualFold(string(raw), "aladdin:open sesame") &&
		realPassword(pass, 0, len(pass))
}

// reference reports whether v names a place where the value is, instead of being it:
// a variable, a call, a path, a URL, a vault entry.
func reference(v string) bool {
	low := strings.ToLower(v)
	switch {
	case strings.ContainsAny(v, "(){}<>\\"), strings.HasPrefix(v, "$"), strings.HasPrefix(v, "%"),
		strings.HasPrefix(v, "@"), strings.HasPrefix(v, ":"), strings.HasPrefix(v, "/"),
		strings.HasPrefix(v, "./"), strings.HasPrefix(v, "#"), strings.HasPrefix(v, "&"):
		return true
	case strings.Contains(v, "://"), strings.Contains(low, "process.env"),
		strings.Contains(low, "os.environ"), strings.Contains(low, "secrets."),
		strings.Contains(low, "vault:"), strings.Contains(low, "arn:aws"),
		strings.Contains(low, "env."), strings.HasPrefix(low, "config."),
		strings.HasPrefix(low, "self."), strings.HasPrefix(low, "this."):
		return true
	}
	return false
}

// assignedSecret judges name = value. The name stands before the value.
func assignedSecret(s string, start, end int) bool {
	v := strings.TrimRight(s[start:end], ".,;")
	low := strings.ToLower(v)
	name := strings.ToLower(lastName(s[max(0, start-90):start]))
	switch {
	case first(name, phrases("public names")) != "",
		first(low, []string{"password", "secret", "token"}) != "":
		return false
	case len(v) < 8 || placeholder(v) || reference(v) || among("common passwords", low):
		return false
	case strings.Contains(name, "pass") || strings.Contains(name, "pwd"):
		return kinds(v) >= 3 && entropy(v) >= 2.9
	case digest(v): // a random hex string is a secret only where the name is plain about it
		return len(v) >= 32 && len(v) != 36 && entropy(v) >= 3.2 &&
			(strings.Contains(name, "secret") || strings.Contains(name, "api"))
	}
	return mixedValue(v)
}

// mixedValue reports whether letters and digits are mixed in v as random characters are.
func mixedValue(v string) bool {
	lower, upper, digit, sign := classes(v)
	if digit < 2 || lower+upper < 4 {
		return false
	}
	if len(v) < 16 {
		return entropy(v) >= 3.3 && sign == 0
	}
	return entropy(v) >= 3.5 && !wordy(v)
}

// lastName returns the name in front of an assignment.
func lastName(before string) string {
	before = strings.TrimRight(before, "=:> \t\"'`]~")
	i := len(before)
	for i > 0 && (wordByte(before[i-1]) || before[i-1] == '-' || before[i-1] == '.') {
		i--
	}
	return before[i:]
}

// wordy reports whether v is made of words joined by signs, as identifiers are.
func wordy(v string) bool {
	parts := strings.FieldsFunc(v, func(c rune) bool {
		return c == '_' || c == '-' || c == '.' || c == '/' || c == ':'
	})
	if len(parts) < 2 {
		return false
	}
	plain := 0
	for _, p := range parts {
		lower, upper, digit, _ := classes(p)
		if digit == 0 && (upper <= 1 || lower == 0) || lower+upper == 0 && len(p) <= 4 {
			plain++
		}
	}
	return plain*3 >= len(parts)*2
}

package value

import (
	"strings"
	"testing"
)

// EmailAt finds an address around an @, and nothing where the @ means something else.
func TestEmailAt(t *testing.T) {
	for s, want := range map[string]string{
		"Write to John.Doe+x@Example.com.": "John.Doe+x@Example.com",
		"mailto:o'neil+news@mail.co.uk":    "o'neil+news@mail.co.uk",
		"'jo@example.org'":                 "jo@example.org",
		"?to=jo@example.org&x":             "jo@example.org",
		"Kontakt: jürgen@müller.de":        "jürgen@müller.de",
		"邮箱jo@example.org，":                "jo@example.org",
		"почта@пример.рф":                  "почта@пример.рф",
		"jo@xn--e1afmkfd.xn--p1ai":         "jo@xn--e1afmkfd.xn--p1ai",
		"“jo@example.orgâ€™":               "jo@example.org",
		"jo@example.org...":                "jo@example.org",

		"a@b":                              "",
		"@jo":                              "",
		"jo.@example.org":                  "",
		"react@18.2.0":                     "",
		"logo@2x.png":                      "",
		"getty@tty1.service":               "",
		"@jo@mastodon.social":              "",
		"https://jo:pw@example.org/":       "",
		"ssh://jo@example.org":             "",
		"git@example.org:jo/code.git":      "",
		"clone jo@example.org:code.git":    "",
		strings.Repeat("a", 65) + "@b.org": "",
	} {
		got := ""
		if r, ok := EmailAt(s, strings.LastIndexByte(s, '@')); ok {
			got = s[r.Start:r.End]
		}
		if got != want {
			t.Errorf("in %q the e-mail address is %q, want %q", s, got, want)
		}
	}
}

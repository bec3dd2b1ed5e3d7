package config

import (
	"fmt"
	"strings"
	"testing"

	"wstk/shared/wstk"
)

const teamRule = `
[access.rules.team]
kind = "headers"
pages = "https://wiki.example.org/team/"
headers.cookie = "WIKI_COOKIE"
[access.rules.docs]
kind = "api"
pages = "https://docs.example.org/wiki/"
api = "mediawiki"
accept = "text/html"
read_as = "text/html"
`

// D12: a rule alone does nothing, and its variable is read only where access is on.
func TestAccessIsOffUntilItIsSwitchedOn(t *testing.T) {
	const secret = "made-up" + "-session-" + "0001"
	env := map[string]string{"WIKI_COOKIE": "sid=" + secret}
	for _, on := range []string{"", "false", "1"} {
		env["WSTK_ACCESS"] = on
		c, err := inProject(t, teamRule, "", env)
		if err != nil {
			t.Fatal(err)
		}
		r := c.Access.Rules["team"]
		if c.Access.On != (on == "1") || (r.Value("WIKI_COOKIE") != "") != (on == "1") {
			t.Errorf("WSTK_ACCESS=%q: on is %v, the variable is %q", on, c.Access.On,
				r.Value("WIKI_COOKIE"))
		}
		if r.Kind != wstk.AccessHeaders || r.Headers["Cookie"] != "WIKI_COOKIE" ||
			c.Access.Rules["docs"].API != "mediawiki" {
			t.Errorf("the rules are %+v", c.Access.Rules)
		}
		if said := fmt.Sprintf("%v %+v %#v", c, c, c.Access); strings.Contains(said, secret) {
			t.Error("a Config that is printed shows the secret")
		}
		for u, want := range map[string]string{"https://wiki.example.org/team/a": "team",
			"https://wiki.example.org/": "", "https://docs.example.org/wiki/A": "docs", "x": ""} {
			if got := c.Access.For(u); got != want {
				t.Errorf("%s goes by the rule %q, want %q", u, got, want)
			}
		}
	}
}

// D12: neither a project nor a secret of the cloud makes a rule or switches rules on.
func TestOnlyTheOperatorsOwnFileHasRules(t *testing.T) {
	for _, project := range []string{"access.on = true", "access.on = false", teamRule,
		`access.rules.team.pages = "https://evil.example/"`,
		`access.rules.team.headers.Cookie = "HOME"`} {
		_, err := inProject(t, teamRule, project, map[string]string{"WSTK_ACCESS": "1"})
		if wstk.CodeOf(err) != wstk.Invalid ||
			!strings.Contains(fmt.Sprint(err), "not read from a project's file") {
			t.Errorf("%s: %v", project, err)
		}
	}
	for _, name := range []string{"WSTK_ACCESS", "WIKI_COOKIE"} {
		_, err := known.WithSecret(func(string) string { return "" }, `{"`+name+`": "1"}`)
		if wstk.CodeOf(err) != wstk.Invalid {
			t.Errorf("the secret sets %s: %v", name, err)
		}
	}
}

// D12: what is wrong with a rule is named, and what may be a secret is not repeated.
func TestAccessRulesAsTheyAreWritten(t *testing.T) {
	const secret = "made-up" + "-session=" + "0001"
	for rule, want := range map[string]string{
		`kind = "oauth"`:                    "must be one of headers, api",
		`headers.Cookie = "` + secret + `"`: "name of an environment variable, never the value",
		`headers.Host = "X"`:                "may not be set",
		`headers.Sec-Fetch-Mode = "X"`:      "may not be set",
		`header.Cookie = "X"`:               "unknown key",
		`cookie = "` + secret + `"`:         "unknown key",
		`read_as = "application/pdf"`:       "must be one of text/html",
		`accept = "a\nb"`:                   "malformed",
	} {
		_, err := inProject(t, "[access.rules.team]\n"+rule, "", nil)
		if wstk.CodeOf(err) != wstk.Invalid || !strings.Contains(fmt.Sprint(err), want) ||
			strings.Contains(fmt.Sprint(err), secret) {
			t.Errorf("%s: %v, want %q", rule, err, want)
		}
	}
	if _, err := inProject(t, `access.rules."A B".kind = "api"`, "", nil); err == nil {
		t.Error("a rule has the name A B")
	}
	_, err := inProject(t, teamRule, "", map[string]string{"WSTK_ACCESS": "1",
		"WIKI_COOKIE": secret + "\n"})
	if wstk.CodeOf(err) != wstk.Invalid || !strings.Contains(fmt.Sprint(err), "WIKI_COOKIE") ||
		strings.Contains(fmt.Sprint(err), secret) {
		t.Errorf("a value that fits into no header: %v", err)
	}
}

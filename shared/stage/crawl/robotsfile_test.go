package crawl

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"wstk/shared/wstk"
)

// ask is one question to a robots.txt: + allowed, - refused, the agent, the URL.
type ask string

func (a ask) check(t *testing.T, f *RobotsFile) {
	t.Helper()
	sign, rest := a[0], string(a[1:])
	agent, url, _ := strings.Cut(strings.TrimSpace(rest), " ")
	if agent == `""` {
		agent = ""
	}
	if d := f.Check(agent, strings.TrimSpace(url)); d.Allowed != (sign == '+') {
		t.Errorf("%s: allowed = %v (line %d, %q)", a, d.Allowed, d.Line, d.Rule)
	}
}

// The cases cover RFC 9309 §2.1 and §2.2 point by point, its examples in §5, and
// what Google's parser does beyond, which sites have come to rely on.
var robotsCases = []struct {
	name string
	file string
	asks []ask
}{
	{"an empty file allows all", "", []ask{
		"+Bot http://h/", "+Bot http://h/a?b#c", `+"" http://h/`, "+Bot /a",
	}},
	{"a key, a colon, a value", "user-agent: Bot\ndisallow: /\n", []ask{
		"-Bot http://h/", "-Bot http://h/a/b", "+Other http://h/a", "-bot http://h/a", `+"" http://h/a`,
		"-Bot /", "-Bot h/a", "-Bot http://h", "-Bot http://h?q",
	}},
	{"unknown keys mean nothing", "agent: Bot\nforbid: /\nnoindex: /\nhost: h\n", []ask{"+Bot http://h/a"}},
	{"white space for the colon, where two words stand", "user-agent Bot\ndisallow /x\n", []ask{"-Bot http://h/x", "+Bot http://h/y"}},
	{"tabs too", "user-agent\tBot\ndisallow \t /x\n", []ask{"-Bot http://h/x"}},
	{"but not where three stand", "user-agent: Bot\ndisallow /x y\ndisallow : /z\n", []ask{"+Bot http://h/x", "-Bot http://h/z"}},
	{"space around key and value", "  User-Agent  :   Bot  \n\t Disallow\t:\t/x \t\n", []ask{"-Bot http://h/x", "+Bot http://h/y"}},
	{"no space at all", "user-agent:Bot\ndisallow:/x\n", []ask{"-Bot http://h/x"}},
	{"a colon in the value", "user-agent: Bot\ndisallow: /a:b\n", []ask{"-Bot http://h/a:b", "+Bot http://h/a"}},
	{"no key", "user-agent: Bot\n: /x\n:\n \n", []ask{"+Bot http://h/x"}},

	{"keys in any case", "USER-AGENT: Bot\nDISALLOW: /x\naLLoW: /x/y\n", []ask{"-Bot http://h/x", "+Bot http://h/x/y"}},
	{"misspelt user-agent", "useragent: Bot\ndisallow: /a\nuser agent: Two\ndisallow: /b\n", []ask{"-Bot http://h/a", "-Two http://h/b", "+Two http://h/a"}},
	{"misspelt disallow", "user-agent: *\ndissallow: /a\ndissalow: /b\ndisalow: /c\ndiasllow: /d\ndisallaw: /e\n", []ask{
		"-Bot http://h/a", "-Bot http://h/b", "-Bot http://h/c", "-Bot http://h/d", "-Bot http://h/e", "+Bot http://h/f"}},

	{"groups", "" +
		"allow: /early\n\nuser-agent: One\ndisallow: /\nallow: /x/\nuser-agent: Two\ndisallow: /\nallow: /y/\n\n\nallow: /w/\nuser-agent: Three\n\nuser-agent: One\nallow: /z/\ndisallow: /\n",
		[]ask{"+One http://h/x/b", "+One http://h/z/d", "-One http://h/y/c", "+Two http://h/y/c", "+Two http://h/w/a",
			"-Two http://h/z/d", "+Three http://h/z/d", "-Three http://h/q",
			// rules before the first group belong to no group
			"-One http://h/early", "-Two http://h/early", "-Three http://h/early", "+Four http://h/early"}},
	{"several agents share a group", "user-agent: A\nuser-agent: B\ndisallow: /x\n\nuser-agent: C\ndisallow: /y\n", []ask{
		"-A http://h/x", "-B http://h/x", "+C http://h/x", "+A http://h/y", "-C http://h/y"}},
	{"blank lines and comments do not end a list of agents", "user-agent: A\n\n# and\n\nuser-agent: B\ndisallow: /x\n", []ask{"-A http://h/x", "-B http://h/x"}},
	{"other records do not end it either", "user-agent: A\nsitemap: http://h/s.xml\nuser-agent: *\ndisallow: /\n", []ask{"-A http://h/", "-B http://h/"}},
	{"nor unknown ones", "user-agent: A\nfoo: bar\nuser-agent: *\ndisallow: /\n", []ask{"-A http://h/", "-B http://h/"}},
	{"nor a crawl delay", "user-agent: A\ncrawl-delay: 5\nuser-agent: *\ndisallow: /\n", []ask{"-A http://h/", "-B http://h/"}},
	{"an empty rule ends it", "user-agent: A\ndisallow:\nuser-agent: B\ndisallow: /\n", []ask{"+A http://h/", "-B http://h/"}},
	{"groups of one agent are merged", "user-agent: E\ndisallow: /foo\ndisallow: /bar\n\nuser-agent: X\ndisallow: /\n\nuser-agent: e\ndisallow: /baz\n", []ask{
		"-E http://h/foo", "-E http://h/bar", "-E http://h/baz", "+E http://h/qux"}},
	{"groups for all agents are merged", "user-agent: *\ndisallow: /a\nuser-agent: X\ndisallow: /\nuser-agent: *\ndisallow: /b\n", []ask{
		"-E http://h/a", "-E http://h/b", "+E http://h/c", "-X http://h/c"}},
	{"a named group replaces the one for all agents", "user-agent: *\ndisallow: /x/\nuser-agent: Bot\ndisallow: /y/\n", []ask{
		"+Bot http://h/x/p", "-Bot http://h/y/p", "-Other http://h/x/p", "+Other http://h/y/p"}},
	{"also where it is empty", "user-agent: *\ndisallow: /\nuser-agent: Bot\n", []ask{"+Bot http://h/x", "-Other http://h/x"}},
	{"all agents but one are allowed", "user-agent: *\nallow: /\nuser-agent: Bot\ndisallow: /\n", []ask{"-Bot http://h/x", "+Other http://h/x"}},
	{"no group names us", "user-agent: A\nallow: /\nuser-agent: B\ndisallow: /\n", []ask{"+Bot http://h/x"}},

	{"agents in any case", "User-Agent: FOO\nAllow: /x/\nDisallow: /\n", []ask{"+foo http://h/x/y", "-Foo http://h/a", "-fOO http://h/a"}},
	{"an agent's value up to the first space", "user-agent: Foo Bar\nallow: /x/\ndisallow: /\n", []ask{"+Foo http://h/x/y", "-Foo http://h/a", "+Bar http://h/a"}},
	{"or its version", "user-agent: Foo/2.1\ndisallow: /\n", []ask{"-Foo http://h/a", "-Foo/9 http://h/a", "-foo/2.1(x) http://h/a"}},
	{"a token is a whole word", "user-agent: Foo\ndisallow: /\n", []ask{"+Foobar http://h/a", "+Fo http://h/a", "+Foo-Bar http://h/a", "+Foo_Bar http://h/a"}},
	{"hyphen, underscore, digits", "user-agent: A-b_9\ndisallow: /\n", []ask{"-a-B_9/1.0 http://h/a", "+A http://h/a"}},
	{"a star with words behind it names all agents", "user-agent: * all\ndisallow: /\n", []ask{"-Bot http://h/a"}},
	{"a star in a name names no agent", "user-agent: *bot\ndisallow: /\n", []ask{"+bot http://h/a", "+Xbot http://h/a"}},
	{"an agent without letters names no agent", "user-agent: \xe3\x83\x84\ndisallow: /\nuser-agent:\ndisallow: /\n", []ask{`+"" http://h/a`, "+Bot http://h/a"}},

	{"paths have a case", "user-agent: *\ndisallow: /X/\n", []ask{"+Bot http://h/x/y", "-Bot http://h/X/y"}},
	{"the longest match wins: disallow", "user-agent: *\ndisallow: /x/page.html\nallow: /x/\n", []ask{"-Bot http://h/x/page.html", "+Bot http://h/x/y"}},
	{"the longest match wins: allow", "user-agent: *\nallow: /x/page.html\ndisallow: /x/\n", []ask{"+Bot http://h/x/page.html", "-Bot http://h/x/"}},
	{"not the first", "user-agent: *\nallow: /\ndisallow: /a\nallow: /a/b\ndisallow: /a/b/c\n", []ask{
		"+Bot http://h/z", "-Bot http://h/a/x", "+Bot http://h/a/b/x", "-Bot http://h/a/b/c/x"}},
	{"equally long: allow", "user-agent: *\ndisallow: /\nallow: /\n", []ask{"+Bot http://h/x"}},
	{"equally long, the other way", "user-agent: *\nallow: /x\ndisallow: /x\n", []ask{"+Bot http://h/x"}},
	{"empty rules say nothing", "user-agent: *\ndisallow: \nallow: \n", []ask{"+Bot http://h/x"}},
	{"an empty disallow beside others", "user-agent: *\ndisallow:\ndisallow: /a\n", []ask{"-Bot http://h/a", "+Bot http://h/b"}},
	{"a slash makes a difference", "user-agent: *\ndisallow: /x\nallow: /x/\n", []ask{"-Bot http://h/x", "+Bot http://h/x/", "-Bot http://h/xy"}},
	{"a wildcard counts by its octets", "user-agent: *\nallow: /page\ndisallow: /*.html\n", []ask{"-Bot http://h/page.html", "+Bot http://h/page"}},
	{"and the other way", "user-agent: *\nallow: /x/page.\ndisallow: /*.html\n", []ask{"+Bot http://h/x/page.html", "-Bot http://h/x/y.html"}},
	{"robots.txt itself is always allowed", "user-agent: *\ndisallow: /\n", []ask{"+Bot http://h/robots.txt", "-Bot http://h/a/robots.txt", "-Bot http://h/robots.txt2"}},
	{"a rule without a slash fits nothing", "user-agent: *\ndisallow: x\n", []ask{"+Bot http://h/x", "+Bot http://h/"}},

	{"prefixes", "user-agent: *\ndisallow: /\nallow: /fish\n", []ask{
		"-B http://h/bar", "+B http://h/fish", "+B http://h/fish.html", "+B http://h/fish/salmon.html", "+B http://h/fishheads", "+B http://h/fish.html?id=x",
		"-B http://h/Fish.asp", "-B http://h/catfish", "-B http://h/?id=fish"}},
	{"a star at the end says nothing", "user-agent: *\ndisallow: /\nallow: /fish*\n", []ask{
		"-B http://h/bar", "+B http://h/fish", "+B http://h/fishheads/yummy.html", "-B http://h/Fish.asp", "-B http://h/catfish"}},
	{"a folder", "user-agent: *\ndisallow: /\nallow: /fish/\n", []ask{
		"+B http://h/fish/", "+B http://h/fish/salmon", "+B http://h/fish/?id=1", "-B http://h/fish", "-B http://h/fish.html", "-B http://h/Fish/Salmon.html"}},
	{"a star in the middle", "user-agent: *\ndisallow: /\nallow: /*.php\n", []ask{
		"-B http://h/bar", "+B http://h/f.php", "+B http://h/a/f.php", "+B http://h/a/f.php?x", "+B http://h//a/any.php.file.html", "+B http://h/f.php/",
		"+B http://h/index?f=f.php/", "-B http://h/php/", "-B http://h/index?php", "-B http://h/windows.PHP"}},
	{"the end", "user-agent: *\ndisallow: /\nallow: /*.php$\n", []ask{
		"+B http://h/f.php", "+B http://h/a/f.php", "-B http://h/f.php?x", "-B http://h/f.php/", "-B http://h/f.php5", "-B http://h/php/", "-B http://h/f?php"}},
	{"star and text", "user-agent: *\ndisallow: /\nallow: /fish*.php\n", []ask{"+B http://h/fish.php", "+B http://h/fishheads/catfish.php?x", "-B http://h/Fish.PHP", "-B http://h/fis.php"}},
	{"only the root", "user-agent: *\nallow: /$\ndisallow: /\n", []ask{"+B http://h/", "+B http://h", "-B http://h/page.html", "-B http://h/?q"}},
	{"a star may stand for nothing", "user-agent: *\ndisallow: /a*b\n", []ask{"-B http://h/ab", "-B http://h/axb", "-B http://h/a/x/b", "+B http://h/ba"}},
	{"many stars", "user-agent: *\ndisallow: /**a**b**$\n", []ask{"-B http://h/ab", "-B http://h/xaxbx", "+B http://h/ba"}},
	{"a star first", "user-agent: *\ndisallow: *.gif$\n", []ask{"-B http://h/a.gif", "-B http://h/x/a.gif", "+B http://h/a.gif?x"}},
	{"pieces do not overlap", "user-agent: *\ndisallow: /ab*ba$\n", []ask{"+B http://h/aba", "-B http://h/abba", "-B http://h/abxba"}},
	{"a dollar inside stands for itself", "user-agent: *\ndisallow: /a$b\n", []ask{"-B http://h/a$b", "+B http://h/a", "-B http://h/a$bc"}},
	{"the end after a star", "user-agent: *\ndisallow: /x*$\n", []ask{"-B http://h/x", "-B http://h/xyz", "+B http://h/y"}},
	{"comments", "# user-agent: A\nuser-agent: Bot # ours\n# disallow: /\ndisallow: /x#y\nallow: /\n", []ask{"-Bot http://h/x", "-Bot http://h/xz", "+Bot http://h/"}},
	{"a fragment is not part of it", "user-agent: *\ndisallow: /x\n", []ask{"+B http://h/a#/x", "-B http://h/x#a"}},

	{"characters outside ASCII", "user-agent: *\ndisallow: /\nallow: /foo/ツ\n", []ask{
		"+B http://h/foo/%E3%83%84", "+B http://h/foo/%e3%83%84", "+B http://h/foo/ツ", "-B http://h/foo/", "-B http://h/foo/%E3%83"}},
	{"encoded in the file", "user-agent: *\ndisallow: /\nallow: /foo/%e3%83%84\n", []ask{"+B http://h/foo/%E3%83%84", "+B http://h/foo/ツ"}},
	{"unreserved characters are decoded", "user-agent: *\ndisallow: /%62%61%7a\n", []ask{"-B http://h/baz", "-B http://h/%62az", "+B http://h/ba"}},
	{"in the URL too", "user-agent: *\ndisallow: /%7Ejoe/\n", []ask{"-B http://h/~joe/", "-B http://h/%7ejoe/x", "+B http://h/joe/"}},
	{"reserved characters are not", "user-agent: *\ndisallow: /a%2Fb\n", []ask{"-B http://h/a%2fb", "+B http://h/a/b"}},
	{"nor the other way", "user-agent: *\ndisallow: /a/b\n", []ask{"+B http://h/a%2Fb", "-B http://h/a/b"}},
	{"in a query slash and colon stand for themselves", "user-agent: *\ndisallow: /f?u=http://x\n", []ask{"-B http://h/f?u=http://x/y", "-B http://h/f?u=http%3A%2F%2Fx", "+B http://h/f?u=x"}},
	{"and encoded in the file", "user-agent: *\ndisallow: /f?u=http%3A%2F%2Fx\n", []ask{"-B http://h/f?u=http://x/y", "-B http://h/f?u=http%3a%2f%2fx"}},
	{"an encoded star stands for itself", "user-agent: *\ndisallow: /a-%2A.html\n", []ask{"-B http://h/a-*.html", "-B http://h/a-%2a.html", "+B http://h/a-b.html"}},
	{"an encoded dollar too", "user-agent: *\ndisallow: /a-%24\n", []ask{"-B http://h/a-$", "-B http://h/a-$b", "+B http://h/a-"}},
	{"a stray percent sign", "user-agent: *\ndisallow: /a%zz\ndisallow: /b%\n", []ask{"-B http://h/a%zz", "-B http://h/b%", "+B http://h/a"}},
	{"queries", "user-agent: *\ndisallow: /*?\nallow: /ok?\n", []ask{"-B http://h/a?b", "+B http://h/a", "+B http://h/ok?x", "-B http://h/no?x"}},
	{"semicolons are part of the path", "user-agent: *\ndisallow: /a;b\n", []ask{"-B http://h/a;b", "+B http://h/a"}},

	{"who allows index.html allows the folder", "user-agent: *\nallow: /d/index.html\ndisallow: /\n", []ask{
		"+B http://h/d/", "+B http://h/d/index.html", "-B http://h/d/index.htm", "-B http://h/d/other", "-B http://h/x"}},
	{"but a longer disallow of it stays", "user-agent: *\nallow: /d/index.html\ndisallow: /d/*$\n", []ask{"-B http://h/d/x", "+B http://h/d/index.html"}},

	{"CRLF", "user-agent: Bot\r\ndisallow: /x\r\n\r\nuser-agent: *\r\ndisallow: /y\r\n", []ask{"-Bot http://h/x", "+Bot http://h/y", "-O http://h/y"}},
	{"CR", "user-agent: Bot\rdisallow: /x\r\ruser-agent: *\rdisallow: /y\r", []ask{"-Bot http://h/x", "+Bot http://h/y", "-O http://h/y"}},
	{"no end of line at the end", "user-agent: *\ndisallow: /x", []ask{"-B http://h/x"}},
	{"a byte order mark", "\xef\xbb\xbfuser-agent: *\ndisallow: /x\n", []ask{"-B http://h/x"}},
	{"a cut one", "\xef\xbbuser-agent: *\ndisallow: /x\n", []ask{"-B http://h/x"}},
	{"a very cut one", "\xefuser-agent: *\ndisallow: /x\n", []ask{"-B http://h/x"}},
	{"another beginning is a broken line", "\xef\x11\xbfuser-agent: *\ndisallow: /x\n", []ask{"+B http://h/x"}},
	{"a mark in the middle breaks its line", "user-agent: *\n\xef\xbb\xbfdisallow: /x\ndisallow: /y\n", []ask{"+B http://h/x", "-B http://h/y"}},
	{"a web page in its place", "<!DOCTYPE html>\n<html><head><title>user-agent: *</title>\n<body style='color: red'>disallow: /\n", []ask{"+B http://h/"}},
	{"binary", "\x00\x01user-agent\x00: *\n\xff\xfe: /\nuser-agent: *\ndisallow: /x\x00y\n", []ask{"-B http://h/x%00y", "+B http://h/x"}},

	{"example of RFC 9309 5.1", "User-Agent: *\nDisallow: *.gif$\nDisallow: /example/\nAllow: /publications/\n\n" +
		"User-Agent: foobot\nDisallow:/\nAllow:/example/page.html\nAllow:/example/allowed.gif\n\n" +
		"User-Agent: barbot\nUser-Agent: bazbot\nDisallow: /example/page.html\n\nUser-Agent: quxbot\n", []ask{
		"-any http://h/a.gif", "-any http://h/example/x", "+any http://h/publications/x", "+any http://h/", "+any http://h/publications/a.gif",
		"-foobot http://h/", "+foobot http://h/example/page.html", "+foobot http://h/example/allowed.gif", "-foobot http://h/example/x",
		"-barbot http://h/example/page.html", "+barbot http://h/example/x", "-bazbot http://h/example/page.html", "+bazbot http://h/a.gif",
		"+quxbot http://h/a.gif", "+quxbot http://h/example/page.html"}},
	{"example of RFC 9309 5.2", "User-Agent: foobot\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif\n", []ask{
		"-foobot http://h/example/page/disallowed.gif", "+foobot http://h/example/page/x"}},
}

func TestRobotsFile(t *testing.T) {
	n := 0
	for _, c := range robotsCases {
		t.Run(c.name, func(t *testing.T) {
			f := ParseRobots([]byte(c.file))
			for _, a := range c.asks {
				a.check(t, f)
				n++
			}
		})
	}
	if n < 145 {
		t.Errorf("%d assertions, fewer than promised", n)
	}
	t.Logf("%d assertions", n)
}

func TestRobotsDecisionNamesItsLine(t *testing.T) {
	for _, eol := range []string{"\n", "\r\n", "\r"} {
		f := ParseRobots([]byte(strings.ReplaceAll("# hello\n\nuser-agent: *\n\ndisallow:   /private # keep out\nallow: /private/ok\n", "\n", eol)))
		d := f.Check("Bot", "http://h/private/x")
		want := Decision{Line: 5, Rule: "Disallow: /private", Reason: "robots.txt line 5: Disallow: /private", Rights: wstk.NewRights()}
		if diff := cmp.Diff(want, d); diff != "" {
			t.Errorf("%q: %s; want diff == \"\"", eol, diff)
		}
		if d := f.Check("Bot", "http://h/private/ok"); d.Line != 6 || d.Rule != "Allow: /private/ok" {
			t.Errorf("%q: allowed by line %d %q", eol, d.Line, d.Rule)
		}
	}
}

func TestRobotsDelaySitemapsAndSignals(t *testing.T) {
	f := ParseRobots([]byte(`Sitemap: https://h/a.xml
content-signal: search=yes, ai-train=no
User-agent: slow
Crawl-delay: 12.5
User-agent: *
Crawl-Delay: 2
Disallow: /x
Content-Usage: train-ai=n
SITE-MAP: /b.xml
sitemap: https://h/a.xml

User-agent: odd
crawl-delay: soon
crawl-delay: -3
crawl-delay: NaN
User-agent: huge
crawl-delay: 1e300
Disallow:
`))
	for agent, want := range map[string]time.Duration{"slow": 12500 * time.Millisecond,
		"other": 2 * time.Second, "odd": 0, "huge": 24 * time.Hour} {
		if got := f.Check(agent, "/").Delay; got != want {
			t.Errorf("delay of %s is %v, want %v", agent, got, want)
		}
	}
	if diff := cmp.Diff([]string{"https://h/a.xml", "/b.xml"}, f.Sitemaps); diff != "" {
		t.Error(diff)
	}
	for agent, want := range map[string]string{
		"slow": "2 search true, 2 ai_train false, 8 ai_train false", "other": "2 search true, 2 ai_train false, 8 ai_train false",
		"odd": "2 search true, 2 ai_train false",
	} {
		if got := told(f.Check(agent, "/").Rights); got != want {
			t.Errorf("usage for %s: %s, want %s", agent, got, want)
		}
	}
}

// told writes signals as line, purpose, allowed.
func told(r wstk.Rights) string {
	var out []string
	for _, s := range r.Signals {
		switch {
		case s.Allowed == nil:
			out = append(out, fmt.Sprint(s.Line, " nothing"))
		default:
			out = append(out, fmt.Sprint(s.Line, " ", s.Purpose, " ", *s.Allowed))
		}
	}
	return strings.Join(out, ", ")
}

func TestRobotsUsage(t *testing.T) {
	f := ParseRobots([]byte(`User-Agent: *
Allow: /
Disallow: /never/
Content-Usage: / train-ai=n
Content-Usage: /ai-ok/ train-ai=y
Content-Usage: /ai-ok/ ai-use=n
Content-Signal: search=yes, ai-input=no, ai-train=no, use=reference

User-Agent: ExampleBot
User-Agent: Other
Content-Usage: train-ai=y # all of it
Content-Usage: /*.pdf$ bots=n
User-Agent: Third
Content-Signal: SEARCH = No
Disallow: /x

User-Agent: Broken
Content-Usage: /a Train-AI=n
Content-Usage: /b train-ai=n,
Content-Signal: ai-input=maybe
Content-Usage: /c
`))
	for _, c := range []struct{ agent, path, want string }{
		{"wstk", "/test", "4 ai_train false, 7 search true, 7 ai_input false, 7 ai_train false"},
		{"wstk", "/ai-ok/x", "5 ai_train true, 6 ai_input false, 7 search true, 7 ai_input false, 7 ai_train false"},
		{"ExampleBot/2.0", "/ai-ok/x", "11 ai_train true"},
		{"Other", "/a/b.pdf", "12 search false, 12 ai_input false, 12 ai_train false"},
		{"Third", "/a/b.pdf", "14 search false"},
		{"Broken", "/a", "18 nothing, 20 nothing"},
		{"Broken", "/b", "19 nothing, 20 nothing"},
		{"Broken", "/c", "20 nothing, 21 nothing"},
		{"Broken", "/d", "20 nothing"},
	} {
		d := f.Check(c.agent, "https://h"+c.path)
		if got := told(d.Rights); got != c.want {
			t.Errorf("%s %s: %s, want %s", c.agent, c.path, got, c.want)
		}
	}
	r := f.Check("wstk", "/ai-ok/x").Rights
	if r.AITrain == nil || *r.AITrain || r.AIInput == nil || *r.AIInput ||
		r.Search == nil || !*r.Search {
		t.Errorf("combined: %+v", r)
	}
	if s := r.Signals[0]; s.Text != "Content-Usage: /ai-ok/ train-ai=y" || s.Source != wstk.SourceContentUsage {
		t.Errorf("signal %+v", s)
	}
	if d := f.Check("Third", "/x"); d.Allowed {
		t.Error("a line on usage ends the list of agents")
	}
	if d := f.Check("ExampleBot", "/x"); d.Allowed {
		t.Error("the rules of a group are for all of its agents")
	}
}

func TestRobotsFileIsCutAtALine(t *testing.T) {
	var b bytes.Buffer
	b.WriteString("user-agent: *\ndisallow: /first\n")
	for i := 0; b.Len() < maxRobots; i++ {
		fmt.Fprintf(&b, "disallow: /filler/%d\n", i)
	}
	b.WriteString("disallow: /last\n")
	f := ParseRobots(b.Bytes())
	if !f.Truncated || f.Check("b", "/first").Allowed || !f.Check("b", "/last").Allowed {
		t.Error("the file is not cut where it should")
	}
	// The line at the limit is dropped, not halved: "/secret" must not become "/s".
	head := "user-agent: *\n"
	cut := head + strings.Repeat("#\n", (maxRobots-len(head)-12)/2) + "disallow: /secret/and/more\n"
	if f := ParseRobots([]byte(cut)); !f.Truncated || !f.Check("b", "/s").Allowed || !f.Check("b", "/secret/and/more").Allowed {
		t.Error("a cut line is used")
	}
	exact := []byte(head + strings.Repeat("#", maxRobots-len(head)-len("\ndisallow: /x")) + "\ndisallow: /x")
	if f := ParseRobots(exact); len(exact) != maxRobots || f.Truncated || f.Check("b", "/x").Allowed {
		t.Error("a file of exactly 500 KiB is cut")
	}
}

func TestRobotsLongLine(t *testing.T) {
	long := "/" + strings.Repeat("a", 3*maxRobotsLine)
	f := ParseRobots([]byte("user-agent: *\ndisallow: " + long + "\ndisallow: /b\n"))
	if f.Check("x", long[:maxRobotsLine]).Allowed || f.Check("x", "/b").Allowed || !f.Check("x", "/a").Allowed {
		t.Error("a line over the limit is not read up to it")
	}
}

func TestParseRobotsTag(t *testing.T) {
	now := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		values            string // separated by |
		noindex, nofollow bool
	}{
		{"", false, false},
		{"all", false, false},
		{"index, follow", false, false},
		{"noindex", true, false},
		{"NOINDEX", true, false},
		{"nofollow", false, true},
		{"noindex,nofollow", true, true},
		{" noarchive , noindex ", true, false},
		{"none", true, true},
		{"noindexed", false, false},
		{"wstk: noindex", true, false},
		{"WSTK:nofollow", false, true},
		{"*: noindex", true, false},
		{"otherbot: noindex", false, false},
		{"otherbot: noindex, nofollow", false, false},
		{"otherbot: noindex, wstk: nofollow", false, true},
		{"otherbot: noindex|nofollow", false, true},
		{"noindex|otherbot: none", true, false},
		{"max-snippet:-1, noindex", true, false},
		{"max-image-preview: large|max-video-preview: 3", false, false},
		{"future-rule: 7, noindex", true, false},
		{"unavailable_after: 25 Jun 2010 15:00:00 PST", true, false},
		{"unavailable_after: 25 Jun 2030 15:00:00 PST", false, false},
		{"unavailable_after: Friday, 25-Jun-10 15:00:00 UTC", true, false},
		{"unavailable_after: Fri, 25 Jun 2010 15:00:00 GMT, nofollow", true, true},
		{"unavailable_after: 2010-06-25", true, false},
		{"unavailable_after: 2030-06-25T10:00:00+02:00, nofollow", false, true},
		{"otherbot: unavailable_after: 2010-06-25", false, false},
		{"wstk: unavailable_after: 2010-06-25", true, false},
		{"unavailable_after: sometime", false, false},
	} {
		noindex, nofollow := ParseRobotsTag(strings.Split(c.values, "|"), "wstk", now)
		if noindex != c.noindex || nofollow != c.nofollow {
			t.Errorf("%q: noindex %v nofollow %v", c.values, noindex, nofollow)
		}
	}
}

// slowMatch is the definition of a pattern, by recursion over its characters.
func slowMatch(pattern, path string) bool {
	switch {
	case pattern == "":
		return true
	case pattern == "$":
		return path == ""
	case pattern[0] == '*':
		for i := 0; i <= len(path); i++ {
			if slowMatch(pattern[1:], path[i:]) {
				return true
			}
		}
		return false
	case path == "" || path[0] != pattern[0]:
		return false
	}
	return slowMatch(pattern[1:], path[1:])
}

func FuzzRobotsMatch(f *testing.F) {
	for _, s := range [][2]string{{"/a*b$", "/axb"}, {"*", ""}, {"**$", "/"}, {"/ab*ba$", "/aba"}, {"$", "/"}, {"/*a*a*a*a*a$", "/aaaaaaab"}, {"*$", "/x"}} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, pattern, path string) {
		if strings.Count(pattern, "*") > 6 || len(pattern) > 60 || len(path) > 60 ||
			strings.ContainsAny(pattern+path, "#") {
			return
		}
		pattern, path = normalizePattern(pattern), normalizePath("/"+path)
		r, ok := newRobotsRule(false, pattern, 1)
		if !ok {
			return
		}
		if _, got := r.matches(path); got != slowMatch(normalizePattern(pattern), path) {
			t.Errorf("pattern %q on %q: %v", pattern, path, got)
		}
	})
}

func FuzzRobotsFile(f *testing.F) {
	for _, c := range robotsCases {
		f.Add([]byte(c.file), "Bot/1.0", "/a?b")
	}
	f.Fuzz(func(t *testing.T, body []byte, agent, url string) {
		file := ParseRobots(body)
		d := file.Check(agent, url)
		if !d.Allowed && (d.Line < 1 || d.Rule == "" || d.Reason == "") {
			t.Errorf("refused without saying why: %+v", d)
		}
		if d.Delay < 0 || d.Delay > maxRobotsDelay {
			t.Errorf("delay %v", d.Delay)
		}
		if again := ParseRobots(body).
			Check(agent, url); again.Allowed != d.Allowed || again.Line != d.Line {
			t.Errorf("asked twice: %+v, %+v", d, again)
		}
		if !file.Check(agent, "http://h/robots.txt").Allowed {
			t.Error("robots.txt itself is refused")
		}
		// Normalising is done once and for all.
		p := normalizePath(url)
		if normalizePath(p) != p && !strings.Contains(p, "%") {
			t.Errorf("%q normalises to %q, then %q", url, p, normalizePath(p))
		}
	})
}

// A pattern made to be slow is as fast as any other.
func TestRobotsHostileFile(t *testing.T) {
	var b bytes.Buffer
	b.WriteString("user-agent: *\n")
	for b.Len() < maxRobots-100 {
		b.WriteString("disallow: /" + strings.Repeat("a*", 40) + "b$\n")
	}
	f := ParseRobots(b.Bytes())
	path := "/" + strings.Repeat("a", 2000)
	steps := 0
	for _, r := range f.rulesFor("x").rules {
		if _, ok := r.matches(path); ok {
			t.Fatal("it matches")
		}
		steps += len(r.parts)
	}
	if steps == 0 {
		t.Fatal("no rules")
	}
	agents := "user-agent: a\n" + strings.Repeat("user-agent: b\n", 20_000) + strings.Repeat("crawl-delay: 1\ncontent-signal: x\n", 100) + "disallow: /x\n"
	if ParseRobots([]byte(agents)).Check("a", "/x").Allowed {
		t.Error("one of many agents is not found")
	}
}

package crawl

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

const (
	// maxRobots is how many bytes of a robots.txt are parsed: the 500 KiB that RFC 9309
	// §2.5 asks for at least. A line that is cut there is dropped whole, since half a
	// path is a wider rule than its author wrote.
	maxRobots = 500 << 10

	// maxRobotsLine is how many bytes of one line are read, as in Google's parser: eight
	// times the longest URL that a browser takes.
	maxRobotsLine = 8*2083 - 1

	maxRobotsDelay = 24 * time.Hour
	maxUsageLines  = 200 // lines on usage that are kept
)

// RobotsFile is a parsed robots.txt (RFC 9309). Any bytes can be parsed: invalid lines are
// skipped. It is safe for concurrent use.
type RobotsFile struct {
	Sitemaps  []string // values of Sitemap lines as written, without repeats
	Truncated bool     // the file was longer than what is parsed

	groups []robotsGroup
	usage  []usageLine // those before every User-agent line: they are for all agents

	mu       sync.Mutex
	selected map[string]*ruleSet // by product token, lower case
}

type robotsGroup struct {
	agents []string // product tokens in lower case, "*" for all agents
	rules  []robotsRule
	delays []robotsDelay
	usage  []usageLine
}

// robotsDelay is a Crawl-delay line. Such a line does not end the list of agents
// (RFC 9309 §2.2.4). It is for the agents that were named since the last such line.
type robotsDelay struct {
	agentRange
	delay time.Duration
}

// agentRange is a range of the agents of a group: from is included, to is not.
type agentRange struct{ from, to int }

func (r agentRange) of(g *robotsGroup) []string { return g.agents[r.from:r.to] }

// ruleSet holds what one product token has to obey: the rules of all its groups, most
// specific first, allow before disallow if they are equally long.
type ruleSet struct {
	rules []robotsRule
	delay time.Duration
	usage []usageLine
}

// ParseRobots reads a robots.txt body.
//
// Beyond RFC 9309 it takes what Google's parser takes: a byte order mark, or a part of one;
// CR, LF and CRLF in any mix; white space in place of the colon if the line has exactly two
// words; common misspellings of the keys; a User-agent value up to the first character that
// is not part of a product token ("Bot/2.1" is Bot, "* all" is *). Crawl-delay (seconds)
// belongs to the agents named right before it, and so does a line on usage
// (Content-Signal, Content-Usage).
func ParseRobots(body []byte) *RobotsFile {
	f := &RobotsFile{selected: map[string]*ruleSet{}}
	for _, b := range []byte("\xEF\xBB\xBF") {
		if len(body) == 0 || body[0] != b {
			break
		}
		body = body[1:]
	}
	if len(body) > maxRobots {
		f.Truncated = true
		body = body[:bytes.LastIndexAny(body[:maxRobots], "\r\n")+1]
	}

	p := robotsParser{file: f, sitemaps: map[string]bool{}}
	for line := 1; len(body) > 0; line++ {
		var raw []byte
		raw, body = nextLine(body)
		if l, ok := newRobotsLine(raw, line); ok {
			p.take(l)
		}
	}
	return f
}

// nextLine cuts the first line off: it ends at LF, CR or CRLF.
func nextLine(body []byte) (line, rest []byte) {
	i := bytes.IndexAny(body, "\r\n")
	if i < 0 {
		return body, nil
	}
	line, rest = body[:i], body[i+1:]
	if body[i] == '\r' && len(rest) > 0 && rest[0] == '\n' {
		rest = rest[1:]
	}
	return line, rest
}

// robotsLine is a line of a robots.txt: a key, a value, and its number.
type robotsLine struct {
	key, value string
	number     int
}

// newRobotsLine splits a line into key and value.
func newRobotsLine(raw []byte, number int) (robotsLine, bool) {
	if len(raw) > maxRobotsLine {
		raw = raw[:maxRobotsLine]
	}
	if i := bytes.IndexByte(raw, '#'); i >= 0 {
		raw = raw[:i]
	}
	line := strings.Trim(string(raw), asciiSpace)
	key, value, ok := strings.Cut(line, ":")
	if !ok {
		words := strings.FieldsFunc(line, func(c rune) bool { return c == ' ' || c == '\t' })
		if len(words) != 2 {
			return robotsLine{}, false
		}
		key, value = words[0], words[1]
	}
	l := robotsLine{strings.Trim(key, asciiSpace), strings.Trim(value, asciiSpace), number}
	return l, l.key != ""
}

const asciiSpace = " \t\n\v\f\r"

// agentOf returns the product token of a User-agent line in lower case, "*" for
// all agents, "" for a value that names none.
func agentOf(value string) string {
	if value == "*" || strings.HasPrefix(value, "* ") || strings.HasPrefix(value, "*\t") {
		return "*"
	}
	return strings.ToLower(wstk.LeadingToken(value))
}

func isAlnum(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// rulesFor returns what the product token has to obey: the rules of every group that names
// it, or of every group for all agents if none does.
func (f *RobotsFile) rulesFor(token string) *ruleSet {
	token = strings.ToLower(token)
	f.mu.Lock()
	defer f.mu.Unlock()
	if s := f.selected[token]; s != nil {
		return s
	}
	s, named := &ruleSet{usage: slices.Clone(f.usage)}, false
	for _, want := range []string{token, "*"} {
		if want == "" {
			continue
		}
		for i := range f.groups {
			g := &f.groups[i]
			if !slices.Contains(g.agents, want) {
				continue
			}
			named = true
			s.rules = append(s.rules, g.rules...)
			for _, d := range g.delays {
				if slices.Contains(d.of(g), want) {
					s.delay = max(s.delay, d.delay)
				}
			}
			for _, u := range g.usage {
				if slices.Contains(u.agents.of(g), want) {
					s.usage = append(s.usage, u)
				}
			}
		}
		if named {
			break
		}
	}
	slices.SortStableFunc(s.rules, func(a, b robotsRule) int {
		if c := cmp.Compare(b.length, a.length); c != 0 {
			return c
		}
		return cmp.Compare(btoi(b.allow), btoi(a.allow))
	})
	if len(f.selected) < 64 { // callers choose the agent, so the table is bounded
		f.selected[token] = s
	}
	return s
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Check decides whether a client that sends userAgent may fetch url, an absolute URL or
// a path with its query. The most specific rule decides; of two that are equally long, the
// allow. A URL that no rule matches, and /robots.txt itself, are allowed. Delay is the
// Crawl-delay of the group, 0 without one; Rights is what its lines on usage say of url,
// also if it is refused.
func (f *RobotsFile) Check(userAgent, url string) Decision {
	set := f.rulesFor(wstk.ProductToken(userAgent))
	path := robotsPath(url)
	d := Decision{Allowed: true, Delay: set.delay, Rights: set.rights(path)}
	if path == "/robots.txt" {
		return d
	}
	best := -1
	for i := range set.rules {
		r := &set.rules[i]
		// Rules come longest first: what follows cannot be more specific, but
		// an index.html rule counts for less than its length.
		if r.length < best || r.length == best && !r.allow {
			break
		}
		if n, ok := r.matches(path); ok && (n > best || n == best && r.allow) {
			best, d.Allowed, d.Line, d.Rule = n, r.allow, r.line, r.raw
		}
	}
	if !d.Allowed {
		d.Reason = "robots.txt line " + strconv.Itoa(d.Line) + ": " + text.Shorten(d.Rule, 120)
	}
	return d
}

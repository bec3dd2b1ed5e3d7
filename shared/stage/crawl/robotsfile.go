package crawl

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	// maxRobots is how much of a robots.txt is parsed, in bytes: the 500 KiB that
	// RFC 9309 §2.5 asks for at least. A line that is cut there is dropped whole,
	// since half a path is a wider rule than its author wrote.
	maxRobots = 500 << 10

	// maxRobotsLine is how much of one line is read, in bytes, as in Google's parser:
	// eight times the longest URL a browser takes.
	maxRobotsLine = 8*2083 - 1

	maxRobotsDelay = 24 * time.Hour
	maxSignals     = 200 // Signal lines kept, and agents of each
)

// RobotsFile is a parsed robots.txt (RFC 9309). Whatever bytes it was made from,
// there is one: lines that make no sense are skipped. It may be used concurrently.
type RobotsFile struct {
	Sitemaps  []string // values of Sitemap lines as they stand, without repeats
	Signals   []Signal // Content-Signal and Content-Usage lines as they stand
	Truncated bool     // the file was longer than what is parsed

	groups []robotsGroup

	mu       sync.Mutex
	selected map[string]*ruleSet // by product token, lower case
}

// Signal is a line on how content may be used, unparsed. Agents are the groups it
// stands in, lower case; none when it stands before every User-agent line.
type Signal struct {
	Key    string // content-signal or content-usage
	Value  string
	Line   int
	Agents []string
}

type robotsGroup struct {
	agents []string // product tokens in lower case, "*" for everybody
	rules  []robotsRule
	delays []robotsDelay
}

// robotsDelay is a Crawl-delay line. Such a line does not end the list of agents
// (RFC 9309 §2.2.4), and it means those that were named since the last one.
type robotsDelay struct {
	from, to int // of the group's agents
	delay    time.Duration
}

type robotsRule struct {
	allow   bool
	line    int
	raw     string // as it stands, for people
	length  int    // octets of the normalised pattern: the most specific one wins
	parts   []string
	toEnd   bool // ends in $
	dirOnly string
}

// ruleSet is what one product token has to obey: the rules of all its groups,
// most specific first, allow before disallow where they are equally long.
type ruleSet struct {
	rules []robotsRule
	delay time.Duration
}

// ParseRobots reads a robots.txt body.
//
// Beyond RFC 9309 it takes what Google's parser takes: a byte order mark, also a
// cut one; CR, LF and CRLF in any mix; white space in place of the colon where
// exactly two words stand on the line; the common misspellings of the keys; a
// User-agent value up to its first character that is no product token ("Bot/2.1"
// is Bot, "* all" is *). Crawl-delay (seconds) belongs to the agents named right
// before it.
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

	var g *robotsGroup // nil before the first User-agent line
	inRules := false   // the next User-agent line begins another group
	delayFrom := 0     // the first agent the next Crawl-delay is for
	delayed := false   // the agents named so far have theirs
	sitemaps := map[string]bool{}
	for line := 1; len(body) > 0; line++ {
		var raw []byte
		raw, body = nextLine(body)
		key, value, ok := robotsField(raw)
		if !ok {
			continue
		}
		switch robotsKey(key) {
		case keyAgent:
			if g == nil || inRules {
				f.groups = append(f.groups, robotsGroup{})
				g, inRules, delayFrom, delayed = &f.groups[len(f.groups)-1], false, 0, false
			}
			if delayed {
				delayFrom, delayed = len(g.agents), false
			}
			g.agents = append(g.agents, agentOf(value))
		case keyAllow, keyDisallow:
			if g == nil {
				continue
			}
			inRules = true
			if r, ok := newRobotsRule(robotsKey(key) == keyAllow, value, line); ok {
				g.rules = append(g.rules, r)
			}
		case keyDelay:
			if g == nil {
				continue
			}
			delayed = true
			seconds, err := strconv.ParseFloat(value, 64)
			if err != nil || math.IsNaN(seconds) || seconds < 0 {
				continue
			}
			delay := maxRobotsDelay
			if seconds < maxRobotsDelay.Seconds() {
				delay = time.Duration(seconds * float64(time.Second))
			}
			g.delays = append(g.delays, robotsDelay{delayFrom, len(g.agents), delay})
		case keySitemap:
			if value != "" && !sitemaps[value] {
				sitemaps[value] = true
				f.Sitemaps = append(f.Sitemaps, value)
			}
		case keySignal:
			if len(f.Signals) == maxSignals {
				continue
			}
			s := Signal{Key: strings.ToLower(key), Value: value, Line: line}
			if g != nil {
				s.Agents = slices.Clone(g.agents[:min(len(g.agents), maxSignals)])
			}
			f.Signals = append(f.Signals, s)
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

// robotsField splits a line into key and value.
func robotsField(raw []byte) (key, value string, ok bool) {
	if len(raw) > maxRobotsLine {
		raw = raw[:maxRobotsLine]
	}
	if i := bytes.IndexByte(raw, '#'); i >= 0 {
		raw = raw[:i]
	}
	line := strings.Trim(string(raw), asciiSpace)
	key, value, ok = strings.Cut(line, ":")
	if !ok {
		words := strings.FieldsFunc(line, func(c rune) bool { return c == ' ' || c == '\t' })
		if len(words) != 2 {
			return "", "", false
		}
		key, value = words[0], words[1]
	}
	key, value = strings.Trim(key, asciiSpace), strings.Trim(value, asciiSpace)
	return key, value, key != ""
}

const asciiSpace = " \t\n\v\f\r"

type robotsKeyKind int

const (
	keyOther robotsKeyKind = iota
	keyAgent
	keyAllow
	keyDisallow
	keyDelay
	keySitemap
	keySignal
)

// robotsKeys are the beginnings of keys, misspellings included. Like Google's
// parser we take a key that only begins so.
var robotsKeys = []struct {
	prefix string
	kind   robotsKeyKind
}{
	{"user-agent", keyAgent}, {"useragent", keyAgent}, {"user agent", keyAgent},
	{"allow", keyAllow},
	{"disallow", keyDisallow}, {"dissallow", keyDisallow}, {"dissalow", keyDisallow},
	{"disalow", keyDisallow}, {"diasllow", keyDisallow}, {"disallaw", keyDisallow},
	{"crawl-delay", keyDelay}, {"crawldelay", keyDelay}, {"crawl delay", keyDelay},
	{"sitemap", keySitemap}, {"site-map", keySitemap},
	{"content-signal", keySignal}, {"content-usage", keySignal},
}

func robotsKey(key string) robotsKeyKind {
	for _, k := range robotsKeys {
		if len(key) >= len(k.prefix) && strings.EqualFold(key[:len(k.prefix)], k.prefix) {
			return k.kind
		}
	}
	return keyOther
}

// agentOf returns the product token of a User-agent line in lower case, "*" for
// everybody, "" for a value that names nobody.
func agentOf(value string) string {
	if value == "*" || strings.HasPrefix(value, "* ") || strings.HasPrefix(value, "*\t") {
		return "*"
	}
	return strings.ToLower(value[:tokenEnd(value)])
}

// tokenEnd returns where the product token at the beginning of s ends. RFC 9309
// has letters, _ and - only; digits are taken too, on both sides of the comparison,
// since names such as 360Spider are in use.
func tokenEnd(s string) int {
	for i := 0; i < len(s); i++ {
		if c := s[i]; !isAlnum(c) && c != '-' && c != '_' {
			return i
		}
	}
	return len(s)
}

func isAlnum(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// ProductToken returns the name by which robots.txt groups address whoever sends
// this User-Agent header: "wstk" of "wstk/1.0 (+https://…)", and of the browser
// form "Mozilla/5.0 (compatible; Bot/2.1; …)" Bot. "" when there is none.
func ProductToken(userAgent string) string {
	token := userAgent[:tokenEnd(userAgent)]
	if !strings.EqualFold(token, "Mozilla") {
		return token
	}
	_, rest, ok := strings.Cut(userAgent, "(compatible;")
	if !ok {
		return token
	}
	rest = strings.TrimLeft(rest, " ")
	if named := rest[:tokenEnd(rest)]; named != "" {
		return named
	}
	return token
}

// newRobotsRule compiles a rule; one without a pattern says nothing.
func newRobotsRule(allow bool, value string, line int) (robotsRule, bool) {
	if value == "" {
		return robotsRule{}, false
	}
	r := robotsRule{allow: allow, line: line, raw: "Disallow: " + value}
	if allow {
		r.raw = "Allow: " + value
	}
	pattern := normalizePattern(value)
	r.length = len(pattern)
	if rest, ok := strings.CutSuffix(pattern, "$"); ok {
		r.toEnd, pattern = true, rest
	}
	// Who allows /dir/index.html means /dir/ too, as Google reads it.
	if i := strings.LastIndexByte(pattern, '/'); allow && i >= 0 && strings.HasPrefix(pattern[i:], "/index.htm") && !strings.Contains(pattern[:i], "*") {
		r.dirOnly = pattern[:i+1]
	}
	// Neighbouring stars are one star.
	parts := strings.Split(pattern, "*")
	r.parts = parts[:1]
	for i, p := range parts[1:] {
		if p != "" || i == len(parts)-2 {
			r.parts = append(r.parts, p)
		}
	}
	return r, true
}

// matches tells whether the rule covers path and with how many octets. It takes
// time linear in pattern and path: each part is looked for behind the one before,
// the earliest place is as good as any, so nothing is ever tried twice.
func (r *robotsRule) matches(path string) (length int, ok bool) {
	if r.dirOnly != "" && path == r.dirOnly {
		return len(r.dirOnly) + 1, true
	}
	rest, ok := strings.CutPrefix(path, r.parts[0])
	if !ok {
		return 0, false
	}
	middle := r.parts[1:]
	if len(middle) == 0 {
		return r.length, !r.toEnd || rest == ""
	}
	last := middle[len(middle)-1]
	for _, p := range middle[:len(middle)-1] {
		i := strings.Index(rest, p)
		if i < 0 {
			return 0, false
		}
		rest = rest[i+len(p):]
	}
	if r.toEnd {
		return r.length, strings.HasSuffix(rest, last)
	}
	return r.length, strings.Contains(rest, last)
}

// rulesFor returns what the product token has to obey: the rules of every group
// that names it, and where none does, of every group for everybody.
func (f *RobotsFile) rulesFor(token string) *ruleSet {
	token = strings.ToLower(token)
	f.mu.Lock()
	defer f.mu.Unlock()
	if s := f.selected[token]; s != nil {
		return s
	}
	s, named := &ruleSet{}, false
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
				if slices.Contains(g.agents[d.from:d.to], want) {
					s.delay = max(s.delay, d.delay)
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

// Check decides whether whoever sends userAgent may fetch url, an absolute URL or
// a path with its query. The most specific rule decides; among equally long ones
// an allow. Where no rule matches, and for /robots.txt itself, it is allowed.
// Delay is the Crawl-delay of the group, 0 without one.
func (f *RobotsFile) Check(userAgent, url string) Decision {
	set := f.rulesFor(ProductToken(userAgent))
	d := Decision{Allowed: true, Delay: set.delay}
	path := robotsPath(url)
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
		d.Reason = "robots.txt line " + strconv.Itoa(d.Line) + ": " + clip(d.Rule, 120)
	}
	return d
}

// robotsPath returns the path and query of a URL in the form rules are compared in.
func robotsPath(url string) string {
	if i := strings.IndexByte(url, '#'); i >= 0 {
		url = url[:i]
	}
	if !strings.HasPrefix(url, "/") {
		if i := strings.Index(url, "://"); i >= 0 {
			url = url[i+3:]
		}
		i := strings.IndexAny(url, "/?")
		if i < 0 {
			return "/"
		}
		url = url[i:]
	}
	if strings.HasPrefix(url, "?") {
		url = "/" + url
	}
	return normalizePath(url)
}

// normalizePath and normalizePattern bring a URL's path and a rule to one form
// (RFC 9309 §2.2.2): unreserved characters are decoded, everything outside ASCII
// is percent-encoded, escapes are in upper case. A star or dollar sign that stands
// for itself is encoded, so that in a pattern only special ones are left.
func normalizePath(s string) string    { return normalizeOctets(s, false) }
func normalizePattern(s string) string { return normalizeOctets(s, true) }

func normalizeOctets(s string, pattern bool) string {
	out := make([]byte, 0, len(s)+16)
	query := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]):
			b := unhex(s[i+1])<<4 | unhex(s[i+2])
			// In a query / ? : @ stand for themselves (RFC 3986 §3.4), encoded or not.
			if isAlnum(b) || strings.IndexByte("-._~", b) >= 0 || query && strings.IndexByte("/?:@", b) >= 0 {
				out = append(out, b)
			} else {
				out = appendEscape(out, b)
			}
			i += 2
		case c >= 0x80 || c <= ' ' || c == 0x7F:
			out = appendEscape(out, c)
		case c == '*' && !pattern, c == '$' && (!pattern || i != len(s)-1):
			out = appendEscape(out, c)
		default:
			query = query || c == '?'
			out = append(out, c)
		}
	}
	return string(out)
}

func appendEscape(out []byte, b byte) []byte {
	const digits = "0123456789ABCDEF"
	return append(out, '%', digits[b>>4], digits[b&15])
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

func unhex(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c&^0x20 - 'A' + 10
}

// clip shortens s to at most n bytes at a character's boundary, for people to read.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n] + "…"
}

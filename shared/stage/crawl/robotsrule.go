package crawl

import "strings"

// robotsRule is an Allow or Disallow line, compiled.
type robotsRule struct {
	allow   bool
	line    int
	raw     string // as written, for people
	length  int    // octets of the normalised pattern: the most specific one wins
	parts   []string
	toEnd   bool // ends in $
	dirOnly string
}

// newRobotsRule compiles a rule. It reports false for one without a pattern, which says
// nothing.
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
	// A rule that allows /dir/index.html allows /dir/ too, as Google reads it.
	if i := strings.LastIndexByte(pattern, '/'); allow && i >= 0 &&
		strings.HasPrefix(pattern[i:], "/index.htm") && !strings.Contains(pattern[:i], "*") {
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

// matches reports whether the rule covers path and with how many octets. Its time is linear
// in pattern and path: each part is searched for after the one before, and the earliest
// place is as good as any, so nothing is tried twice.
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
// is percent-encoded, escapes are in upper case. A star or dollar sign that is meant
// literally is encoded, so that a pattern keeps only the special ones.
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
			if standsForItself(b, query) {
				out = append(out, b)
			} else {
				out = appendEscape(out, b)
			}
			i += 2
		case isEscaped(c), c == '*' && !pattern, c == '$' && (!pattern || i != len(s)-1):
			out = appendEscape(out, c)
		default:
			query = query || c == '?'
			out = append(out, c)
		}
	}
	return string(out)
}

// standsForItself reports whether an octet is the same with an escape and without. In a
// query that is so for / ? : @ too (RFC 3986 §3.4).
func standsForItself(b byte, query bool) bool {
	return isAlnum(b) || strings.IndexByte("-._~", b) >= 0 ||
		query && strings.IndexByte("/?:@", b) >= 0
}

// isEscaped reports whether an octet is written as an escape only.
func isEscaped(b byte) bool { return b >= 0x80 || b <= ' ' || b == 0x7F }

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

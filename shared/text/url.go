package text

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	whatwg "github.com/nlnwa/whatwg-url/url"
)

// maxURL is the longest URL taken, in bytes. Servers refuse far shorter ones;
// what is longer is data in the shape of a link.
const maxURL = 1 << 16

var urlParser = whatwg.NewParser()

// Canonical returns the one form in which an http or https URL is stored and
// compared: parsed by the WHATWG URL standard, then
//   - percent-escapes of unreserved characters (letters, digits, - . _ ~) are
//     decoded and all other escapes written in upper case,
//   - the fragment, an empty query and the dot after the host are dropped,
//   - parameters that only track a visitor (see isTracker), and ids of sessions in path
//     and query (see isSession, dropSessions), are dropped.
//
// Everything that may name another resource stays: trailing slash, "//", "www.",
// the path's case, credentials, and the order of parameters and repeated keys.
// Canonical(Canonical(u)) == Canonical(u). Other schemes, relative references
// and URLs over 64 KiB are errors.
func Canonical(raw string) (string, error) { return Resolve("", raw) }

// parsedURL reads an address of the web, and returns its host without a final point.
func parsedURL(base, ref string) (u *whatwg.Url, host string, err error) {
	if len(base) > maxURL || len(ref) > maxURL {
		return nil, "", errors.New("URL is too long")
	}
	if s := schemeOf(ref); s != "" && s != "http" && s != "https" {
		return nil, "", fmt.Errorf("scheme %s is not http or https", s)
	}
	if u, err = urlParser.ParseRef(base, ref); err != nil {
		return nil, "", errors.New("it has no host that can be read")
	}
	if s := u.Scheme(); s != "http" && s != "https" {
		return nil, "", errors.New("scheme is not http or https")
	}
	host = strings.TrimSuffix(u.Hostname(), ".")
	if host == "" || strings.HasSuffix(host, ".") {
		return nil, "", errors.New("host name is empty or ends in an empty label")
	}
	return u, host, nil
}

// Resolve returns the canonical form of ref as it stands on the page base. With
// an empty base, ref must be absolute.
func Resolve(base, ref string) (string, error) {
	u, host, err := parsedURL(base, ref)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.Grow(len(ref) + 16)
	b.WriteString(u.Scheme())
	b.WriteString("://")
	if u.Username() != "" || u.Password() != "" {
		b.WriteString(u.Username())
		if u.Password() != "" {
			b.WriteByte(':')
			b.WriteString(u.Password())
		}
		b.WriteByte('@')
	}
	b.WriteString(host)
	if p := u.Port(); p != "" {
		b.WriteByte(':')
		b.WriteString(p)
	}
	b.WriteString(dropSessions(tidyEscapes(u.Pathname())))
	if q := dropTrackers(tidyEscapes(u.Query())); q != "" {
		b.WriteByte('?')
		b.WriteString(q)
	}
	return b.String(), nil
}

// schemeOf returns the lower-case scheme s plainly begins with, or "". It saves
// the parser megabytes of data: and javascript: links.
func schemeOf(s string) string {
	for i := 0; i < len(s) && i < 32; i++ {
		c := s[i] | 0x20
		switch {
		case s[i] == ':' && i > 0:
			return strings.ToLower(s[:i])
		case c >= 'a' && c <= 'z':
		case i > 0 && (s[i] >= '0' && s[i] <= '9' || s[i] == '+' || s[i] == '-' || s[i] == '.'):
		default:
			return ""
		}
	}
	return ""
}

// tidyEscapes decodes escapes of unreserved characters and writes the others in
// upper case.
func tidyEscapes(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '%' || i+2 >= len(s) || !isHex(s[i+1]) || !isHex(s[i+2]) {
			out = append(out, s[i])
			continue
		}
		c := unhex(s[i+1])<<4 | unhex(s[i+2])
		n := len(out)
		// After a stray % a decoded hex digit would make a new escape of it:
		// %%34%31 must not become %41.
		makesEscape := isHex(c) &&
			(n > 0 && out[n-1] == '%' || n > 1 && out[n-2] == '%' && isHex(out[n-1]))
		if isUnreserved(c) && !makesEscape {
			out = append(out, c)
		} else {
			out = append(out, '%', upperHex(s[i+1]), upperHex(s[i+2]))
		}
		i += 2
	}
	return string(out)
}

func isUnreserved(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' ||
		c == '-' || c == '.' || c == '_' || c == '~'
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

func upperHex(c byte) byte {
	if c >= 'a' {
		return c - 0x20
	}
	return c
}

// dropTrackers removes the parameters of a query that only track a visitor and
// leaves the rest as it stands, also empty parameters and order.
func dropTrackers(query string) string {
	if query == "" {
		return ""
	}
	parts := strings.Split(query, "&")
	kept := parts[:0]
	for _, p := range parts {
		name, value, _ := strings.Cut(p, "=")
		if !isTracker(name) && !isSession(name, value) {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, "&")
}

// HostKey returns "scheme://host:port" of a canonical URL with the port always
// explicit: the key of robots rules, politeness and site identity. For what is
// not an http or https URL it returns "".
func HostKey(canonicalURL string) string {
	scheme, rest, _ := strings.Cut(canonicalURL, "://")
	port := defaultPorts[scheme]
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	if port == "" || !plainHost(rest) {
		return parsedHostKey(canonicalURL)
	}
	if i := strings.LastIndexByte(rest, ':'); i > strings.LastIndexByte(rest, ']') {
		return scheme + "://" + rest
	}
	return scheme + "://" + rest + ":" + port
}

var defaultPorts = map[string]string{"http": "80", "https": "443"}

// plainHost reports whether host, with its port, is written as in a canonical URL without
// credentials.
func plainHost(host string) bool {
	for i := range len(host) {
		c := host[i]
		if !(c >= 'a' && c <= 'z' || isDigitByte(c) || strings.IndexByte(".-_:[]", c) >= 0) {
			return false
		}
	}
	return host != "" && !strings.HasSuffix(host, ".")
}

// parsedHostKey is HostKey of a URL that is not canonical, or has credentials or a rare host.
func parsedHostKey(raw string) string {
	u, err := urlParser.Parse(raw)
	if err != nil || u.Hostname() == "" || defaultPorts[u.Scheme()] == "" {
		return ""
	}
	port := u.Port()
	if port == "" {
		port = defaultPorts[u.Scheme()]
	}
	return u.Scheme() + "://" + strings.TrimSuffix(u.Hostname(), ".") + ":" + port
}

// Sizes of a text fragment in code points: a quote up to wholeQuote is given
// whole, of a longer one about headQuote at each end.
const (
	wholeQuote = 100
	headQuote  = 40
)

// FragmentLink returns url with a text fragment (#:~:text=…) that leads a
// browser to quote. A short quote of one block is given whole; a longer one, or
// one over several blocks or table cells, as its first and last words. Browsers
// match whole words, so a quote is only cut where a word surely ends; where no
// such place is near, the quote is given whole. An anchor that url has is kept.
func FragmentLink(url, quote string) string {
	url, _, _ = strings.Cut(url, ":~:")
	if !strings.Contains(url, "#") {
		url += "#"
	}
	start, end := fragmentEnds(quote)
	if start == "" {
		return strings.TrimSuffix(url, "#")
	}
	var b strings.Builder
	b.WriteString(url)
	b.WriteString(":~:text=")
	escapeDirective(&b, start)
	if end != "" {
		b.WriteByte(',')
		escapeDirective(&b, end)
	}
	return b.String()
}

// fragmentEnds returns the words to look for: all of them and "", or the first
// and the last ones.
func fragmentEnds(quote string) (start, end string) {
	var pieces []string // blocks and table cells: no match runs across their edge
	for _, p := range strings.FieldsFunc(quote, func(r rune) bool {
		return r == '\n' || r == '\t' || r == '\r'
	}) {
		if p = strings.Join(strings.Fields(p), " "); p != "" {
			pieces = append(pieces, p)
		}
	}
	if len(pieces) == 0 {
		return "", ""
	}
	first, last := pieces[0], pieces[len(pieces)-1]
	if len(pieces) == 1 {
		if utf8.RuneCountInString(first) <= wholeQuote {
			return first, ""
		}
		i, j := headEnd(first), tailStart(first)
		if i == 0 || j == 0 || i >= j {
			return first, ""
		}
		return strings.TrimSpace(first[:i]), strings.TrimSpace(first[j:])
	}
	if i := headEnd(first); i > 0 {
		first = strings.TrimSpace(first[:i])
	}
	if j := tailStart(last); j > 0 {
		last = strings.TrimSpace(last[j:])
	}
	return first, last
}

// headEnd returns where the first words of s may be cut off: the last sure word
// end within headQuote code points, else the first one after it; 0 for none.
func headEnd(s string) int {
	n, best := 0, 0
	var before rune
	for i, r := range s {
		if n > 8 && wordEnds(before, r) {
			if n > headQuote && best > 0 {
				return best
			}
			best = i
		}
		if n > headQuote && best > 0 || n > 2*wholeQuote {
			return best
		}
		before = r
		n++
	}
	return 0
}

// tailStart is headEnd from the other side.
func tailStart(s string) int {
	n, best := 0, 0
	var after rune
	for i := len(s); i > 0; {
		r, size := utf8.DecodeLastRuneInString(s[:i])
		if n > 8 && wordEnds(r, after) {
			if n > headQuote && best > 0 {
				return best
			}
			best = i
		}
		if n > headQuote && best > 0 || n > 2*wholeQuote {
			return best
		}
		after = r
		i -= size
		n++
	}
	return 0
}

// wordEnds is true where every segmenter puts a word boundary: at white space,
// and at the punctuation of scripts that write no spaces.
func wordEnds(before, after rune) bool {
	if unicode.IsSpace(before) != unicode.IsSpace(after) {
		return true
	}
	return isWidePunct(before) != isWidePunct(after)
}

func isWidePunct(r rune) bool {
	return r >= 0x3001 && r <= 0x3003 || r >= 0x3008 && r <= 0x3011 || r == 0xFF01 ||
		r == 0xFF08 || r == 0xFF09 ||
		r == 0xFF0C || r == 0xFF1A || r == 0xFF1B || r == 0xFF1F
}

// escapeDirective percent-encodes s for a text directive, where "-", "," and "&"
// have a meaning.
func escapeDirective(b *strings.Builder, s string) {
	const digits = "0123456789ABCDEF"
	for i := 0; i < len(s); i++ {
		if c := s[i]; isUnreserved(c) && c != '-' {
			b.WriteByte(c)
		} else {
			b.WriteByte('%')
			b.WriteByte(digits[c>>4])
			b.WriteByte(digits[c&15])
		}
	}
}

// WithoutUser returns an absolute URL without user name and password, however it goes on
// after its host; what is no absolute URL stays as it is.
func WithoutUser(url string) string {
	scheme, rest, ok := strings.Cut(url, "://")
	if !ok {
		return url
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	at := strings.LastIndexByte(rest[:end], '@')
	return scheme + "://" + rest[at+1:]
}

// HideUser returns what may be shown of an address: the part before an @ in its host is
// left out, however malformed the rest is.
func HideUser(raw string) string {
	start := 0
	if i := strings.Index(raw, "//"); i >= 0 {
		start = i + 2
	}
	end := len(raw)
	if i := strings.IndexAny(raw[start:], "/?#"); i >= 0 {
		end = start + i
	}
	return raw[:start] + raw[start+strings.LastIndexByte(raw[start:end], '@')+1:]
}

// IsURL reports whether s begins as a URL does: with a scheme and "://". A path on this
// machine does not.
func IsURL(s string) bool {
	scheme, _, ok := strings.Cut(s, "://")
	return ok && scheme != "" && !strings.ContainsAny(scheme, "/\\ .")
}

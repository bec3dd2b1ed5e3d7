package read

import (
	"strings"

	"wstk/shared/wstk"
)

// inline drops the marks of one block's text and notes its links and what it crosses
// out.
func (r *mdReader) inline(s string) string {
	r.strikes, r.places = nil, nil
	if !strings.ContainsAny(s, "`*_[]<!\\&~") {
		return s
	}
	l := mdInline{r: r, s: s, struck: -1, closing: strings.LastIndexByte(s, ']'),
		crossing: strings.LastIndex(s, "~~")}
	for l.i < len(s) {
		r.stop.Tick()
		if !l.mark() {
			l.out.WriteByte(s[l.i])
			l.i++
		}
	}
	r.strikes, r.places = l.strikes, l.places
	return l.out.String()
}

// mdInline reads the text of one block. Each of its methods for a mark reads the mark at i
// and what belongs to it, moves i behind it, and reports whether there was one.
type mdInline struct {
	r        *mdReader
	s        string
	i        int
	out      strings.Builder
	closing  int       // where the last ] stands
	crossing int       // where the last ~~ stands
	struck   int       // where in out what is crossed out begins, -1 for nothing
	strikes  []flagged // what is crossed out
	places   []place   // what is shown that is no text
	failures int       // brackets that begin no link
}

// maxFailures is how many brackets of one line may begin no link before they are taken as
// they are: a line of a million brackets must not cost a million looks ahead.
const maxFailures = 1000

// maxCodeSpan is how far from a backtick the one that closes it is looked for, in bytes.
const maxCodeSpan = 1024

// mark reads the mark at i, if there is one.
func (l *mdInline) mark() bool {
	switch l.s[l.i] {
	case '\\':
		return l.escape()
	case '`':
		return l.code()
	case '[', '!':
		return l.link()
	case '<':
		return l.tag()
	case '~':
		return l.tildes()
	case '*', '_':
		return l.emphasis()
	}
	return false
}

func (l *mdInline) escape() bool {
	if l.i+1 >= len(l.s) || strings.IndexByte("\\`*_{}[]()#+-.!|<>~", l.s[l.i+1]) < 0 {
		return false
	}
	l.out.WriteByte(l.s[l.i+1])
	l.i += 2
	return true
}

// same returns the run of equal characters at i.
func (l *mdInline) same() string {
	n := 1
	for l.i+n < len(l.s) && l.s[l.i+n] == l.s[l.i] {
		n++
	}
	return l.s[l.i : l.i+n]
}

func (l *mdInline) code() bool {
	mark := l.same()
	l.i += len(mark)
	rest := l.s[l.i:min(len(l.s), l.i+maxCodeSpan)]
	end := strings.Index(rest, mark)
	if end < 0 {
		l.out.WriteString(mark)
		return true
	}
	l.out.WriteString(strings.TrimSpace(rest[:end]))
	l.i += end + len(mark)
	return true
}

func (l *mdInline) link() bool {
	image := l.s[l.i] == '!'
	if image && (l.i+1 >= len(l.s) || l.s[l.i+1] != '[') || l.i >= l.closing ||
		l.failures >= maxFailures {
		return false
	}
	words, target, length := mdLink(l.s[l.i:])
	if length == 0 {
		l.failures++
		return false
	}
	l.i += length
	if image { // it has no visible text
		l.shows(worded(words))
		return true
	}
	words = l.r.inline(words)
	l.strikes = append(l.strikes, l.r.struck(l.out.Len())...)
	l.places = append(l.places, shifted(l.r.places, l.out.Len())...)
	l.out.WriteString(words)
	if leads(target) {
		l.note(target, collapse(words))
	}
	return true
}

// note notes a link, if its target is an address.
func (l *mdInline) note(target, words string) {
	if u := leadsTo(l.r.url, target); u != "" {
		l.r.link(wstk.Link{URL: u, Text: words, Main: true, Element: -1})
	}
}

// tag reads a tag of HTML, or an address in angle brackets.
func (l *mdInline) tag() bool {
	rest := l.s[l.i:min(len(l.s), l.i+2048)]
	end := strings.IndexByte(rest, '>')
	if end < 0 || rest[1] != '/' && (rest[1]|0x20 < 'a' || rest[1]|0x20 > 'z') {
		return false
	}
	l.i += end + 1
	inner := rest[1:end]
	if strings.Contains(inner, "://") && !strings.ContainsAny(inner, " \"'") {
		l.out.WriteString(inner)
		l.note(inner, inner)
		return true
	}
	switch name, _, _ := strings.Cut(strings.ToLower(inner), " "); strings.TrimSuffix(name, "/") {
	case "img":
		_, alt, _ := strings.Cut(inner, "alt=")
		l.shows(worded(alt))
	case "input", "select", "svg", "object", "canvas", "video", "iframe", "embed", "picture":
		l.shows(showsPicture)
	case "del", "s", "strike":
		l.strike()
	case "/del", "/s", "/strike":
		l.unstrike()
	}
	return true
}

// shows notes what stands in the line that is no text.
func (l *mdInline) shows(what omission) {
	if len(l.places) < maxPlaces {
		l.places = append(l.places, place{at: l.out.Len(), worded: what == showsWords})
	}
}

// tildes read ~~, unless nothing closes it.
func (l *mdInline) tildes() bool {
	switch {
	case !strings.HasPrefix(l.s[l.i:], "~~"), l.struck < 0 && l.i >= l.crossing:
		return false
	case l.struck < 0:
		l.strike()
	default:
		l.unstrike()
	}
	l.i += len("~~")
	return true
}

// strike begins what is crossed out, unless it has begun.
func (l *mdInline) strike() {
	if l.struck < 0 {
		l.struck = l.out.Len()
	}
}

// unstrike ends what is crossed out.
func (l *mdInline) unstrike() {
	if l.struck >= 0 && l.struck < l.out.Len() {
		for n := len(l.strikes); n > 0 && l.strikes[n-1].start >= l.struck; n-- {
			l.strikes = l.strikes[:n-1] // of a link within
		}
		l.strikes = append(l.strikes, flagged{l.struck, l.out.Len(), isStruck})
	}
	l.struck = -1
}

// emphasis reads stars and underscores, but no underscore within a word.
func (l *mdInline) emphasis() bool {
	if l.s[l.i] == '_' && l.i > 0 && wordByte(l.s[l.i-1]) && l.i+1 < len(l.s) &&
		wordByte(l.s[l.i+1]) {
		return false
	}
	mark := l.same()
	end := l.i + len(mark)
	before := l.i == 0 || l.s[l.i-1] == ' '
	after := end == len(l.s) || l.s[end] == ' '
	if before && after { // a star of its own: 3 * 4
		l.out.WriteString(mark)
	}
	l.i = end
	return true
}

func wordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || digit(c) || c >= 0x80
}

// mdLink reads "[words](target)" or "![words](target)" at the start of s; the
// length is 0 where there is none. It looks at no more than 2,048 bytes.
func mdLink(s string) (words, target string, length int) {
	start := 1
	if s[0] == '!' {
		start = 2
	}
	depth := 1
	i := start
	limit := min(len(s), 2048)
	for ; i < limit && depth > 0; i++ {
		switch s[i] {
		case '\\':
			i++
		case '[':
			depth++
		case ']':
			depth--
		}
	}
	if depth > 0 || i >= limit || s[i] != '(' {
		return "", "", 0
	}
	words = s[start : i-1]
	end := strings.IndexByte(s[i:limit], ')')
	if end < 0 {
		return "", "", 0
	}
	target = strings.TrimSpace(s[i+1 : i+end])
	if k := strings.IndexAny(target, " \t"); k >= 0 { // a title
		target = target[:k]
	}
	return words, strings.Trim(target, "<>"), i + end + 1
}

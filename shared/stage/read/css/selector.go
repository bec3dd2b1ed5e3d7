package css

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"wstk/shared/stage/read/dom"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// selector is a complex selector: compounds from left to right, and how each is joined to
// the next one: ' ', '>', '+' or '~'.
type selector struct {
	parts  []compound
	joins  []byte
	weight int
	pseudo string // a pseudo-element such as before; "" selects the element itself
}

// compound is what is asked of one element.
type compound struct {
	tag     string
	id      string
	classes []string
	attrs   []attrTest
	states  []stateTest
	anchor  bool // the element that :has stands at
}

type attrTest struct {
	key, value string
	op         byte // 0 present, = equal, ~ word, ^ prefix, $ suffix, * contains, | language
	fold       bool // letters in any case
}

// stateTest is a pseudo-class.
type stateTest struct {
	name string
	list []*selector // of is, where, not, has, and of an nth-child
	a, b int         // of nth-child: every a-th from b
}

const maxSelector = 2048 // bytes; longer ones are left out

// parseSelectors reads a selector list. As in a browser one selector that is not understood
// spoils the list, unless it is forgiving.
func parseSelectors(s string, forgiving bool, depth int) (list []*selector, ok bool) {
	if depth > 6 || len(s) > maxSelector {
		return nil, false
	}
	for s != "" || len(list) == 0 {
		end := topLevel(s, ",")
		one := s[:end]
		sel, ok := parseSelector(one, depth)
		switch {
		case ok:
			list = append(list, sel)
		case !forgiving:
			return nil, false
		}
		if end == len(s) {
			break
		}
		s = s[end+1:]
	}
	return list, true
}

func parseSelector(s string, depth int) (*selector, bool) {
	s = strings.TrimSpace(s)
	if s == "" {
		return nil, false
	}
	sel := &selector{}
	if strings.IndexByte(">+~", s[0]) >= 0 { // relative, of :has
		sel.parts, sel.joins = append(sel.parts, compound{anchor: true}), append(sel.joins, s[0])
		s = strings.TrimSpace(s[1:])
	}
	for s != "" {
		p := selectorParser{src: s, depth: depth}
		c, ok := p.compound(sel)
		if !ok || sel.pseudo != "" && p.pos < len(s) && strings.TrimSpace(s[p.pos:]) != "" {
			return nil, false
		}
		sel.parts = append(sel.parts, c)
		rest := strings.TrimLeft(s[p.pos:], " \t\n\r\f")
		if rest == "" {
			break
		}
		join := byte(' ')
		if strings.IndexByte(">+~", rest[0]) >= 0 {
			join = rest[0]
			if rest = strings.TrimLeft(rest[1:], " \t\n\r\f"); rest == "" {
				return nil, false
			}
		}
		sel.joins = append(sel.joins, join)
		s = rest
	}
	return sel, len(sel.parts) > len(sel.joins)
}

type selectorParser struct {
	src   string
	pos   int
	depth int
}

// ident reads a name with its escapes.
func (p *selectorParser) ident() string {
	start, plain := p.pos, true
	for p.pos < len(p.src) {
		c := p.src[p.pos]
		if c == '-' || c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' ||
			c >= 'A' && c <= 'Z' || c >= 0x80 {
			p.pos++
			continue
		}
		if c != '\\' || p.pos+1 >= len(p.src) {
			break
		}
		plain = false
		_, n := unescape(p.src[p.pos:])
		p.pos += n
	}
	if plain {
		return p.src[start:p.pos]
	}
	return unescaped(p.src[start:p.pos])
}

func (p *selectorParser) compound(sel *selector) (c compound, ok bool) {
	begin := p.pos
	for p.pos < len(p.src) {
		switch ch := p.src[p.pos]; {
		case ch == '*':
			p.pos++
			if strings.HasPrefix(p.src[p.pos:], "|") {
				p.pos++
			}
		case ch == '|':
			p.pos++
		case ch == '#':
			p.pos++
			if c.id = p.ident(); c.id == "" {
				return c, false
			}
			sel.weight += 1 << 20
		case ch == '.':
			p.pos++
			cl := p.ident()
			if cl == "" {
				return c, false
			}
			c.classes = append(c.classes, cl)
			sel.weight += 1 << 10
		case ch == '[':
			end := topLevel(p.src[p.pos+1:], "]")
			if p.pos+1+end >= len(p.src) {
				return c, false
			}
			t, ok := parseAttrTest(p.src[p.pos+1 : p.pos+1+end])
			if !ok {
				return c, false
			}
			c.attrs = append(c.attrs, t)
			sel.weight += 1 << 10
			p.pos += end + 2
		case ch == ':':
			if !p.state(sel, &c) {
				return c, false
			}
		case dom.HTMLSpace(ch) || ch == '>' || ch == '+' || ch == '~':
			return c, p.pos > begin
		default:
			tag := p.ident()
			if tag == "" || c.tag != "" ||
				p.pos-len(tag) > begin && c.id+strings.Join(c.classes, "") != "" {
				return c, false
			}
			if strings.HasPrefix(p.src[p.pos:], "|") { // a namespace
				continue
			}
			c.tag = strings.ToLower(tag)
			sel.weight++
		}
	}
	return c, p.pos > begin
}

// state reads a pseudo-class or pseudo-element.
func (p *selectorParser) state(sel *selector, c *compound) bool {
	p.pos++
	element := strings.HasPrefix(p.src[p.pos:], ":")
	if element {
		p.pos++
	}
	name := strings.ToLower(p.ident())
	arg := ""
	if p.pos < len(p.src) && p.src[p.pos] == '(' {
		end := topLevel(p.src[p.pos+1:], ")")
		if p.pos+1+end >= len(p.src) {
			return false
		}
		arg = strings.TrimSpace(p.src[p.pos+1 : p.pos+1+end])
		p.pos += end + 2
	}
	switch name {
	case "before", "after", "first-line", "first-letter":
		element = true
	}
	if element {
		if sel.pseudo == "" {
			sel.pseudo = name
		}
		sel.weight++
		return name != ""
	}
	t := stateTest{name: name}
	var ok bool
	switch name {
	case "is", "where", "matches", "any", "-webkit-any", "not":
		if t.list, ok = parseSelectors(arg, name != "not", p.depth+1); !ok {
			return false
		}
		if t.name != "not" && t.name != "where" {
			t.name = "is"
		}
		if name != "where" {
			sel.weight += heaviest(t.list)
		}
	case "has":
		if t.list, ok = parseSelectors(arg, false, p.depth+1); !ok {
			return false
		}
		for _, l := range t.list {
			if !l.parts[0].anchor {
				l.parts = append([]compound{{anchor: true}}, l.parts...)
				l.joins = append([]byte{' '}, l.joins...)
			}
		}
		sel.weight += heaviest(t.list)
	case "nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type":
		formula, of, has := strings.Cut(arg, " of ")
		if has {
			if t.list, ok = parseSelectors(of, false, p.depth+1); !ok {
				return false
			}
			sel.weight += heaviest(t.list)
		}
		if t.a, t.b, ok = nth(formula); !ok {
			return false
		}
		sel.weight += 1 << 10
	case "first-child", "last-child", "only-child", "first-of-type", "last-of-type", "only-of-type",
		"empty", "root", "scope",
		"link", "any-link", "visited", "hover", "active", "focus", "focus-within", "focus-visible",
		"target", "target-within",
		"checked", "disabled", "enabled", "required", "optional", "read-only", "read-write",
		"placeholder-shown", "default",
		"indeterminate", "valid", "invalid", "in-range", "out-of-range", "user-valid",
		"user-invalid", "autofill", "-webkit-autofill",
		"open", "popover-open", "modal", "fullscreen", "-webkit-full-screen", "defined", "host",
		"playing", "paused", "current", "past", "future", "lang", "dir", "state",
		"local-link", "blank", "buffering", "muted", "seeking", "stalled", "host-context",
		"picture-in-picture", "active-view-transition":
		t.list = nil
		if name == "lang" || name == "dir" {
			c.attrs = append(c.attrs, attrTest{key: " " + name,
				value: strings.ToLower(strings.Trim(arg, `"' `)), op: '|'})
			sel.weight += 1 << 10
			return true
		}
		sel.weight += 1 << 10
	default:
		return false
	}
	c.states = append(c.states, t)
	return true
}

func heaviest(list []*selector) int {
	w := 0
	for _, s := range list {
		w = max(w, s.weight)
	}
	return w
}

// nth reads odd, even, 3, n, -n+3, 2n + 1.
func nth(s string) (a, b int, ok bool) {
	s = strings.ToLower(strings.Join(strings.Fields(s), ""))
	switch s {
	case "odd":
		return 2, 1, true
	case "even":
		return 2, 0, true
	}
	step, rest, has := strings.Cut(s, "n")
	if !has {
		b, err := strconv.Atoi(s)
		return 0, b, err == nil
	}
	switch step {
	case "", "+":
		a = 1
	case "-":
		a = -1
	default:
		var err error
		if a, err = strconv.Atoi(step); err != nil {
			return 0, 0, false
		}
	}
	if rest != "" {
		var err error
		if b, err = strconv.Atoi(rest); err != nil {
			return 0, 0, false
		}
	}
	return a, b, true
}

func parseAttrTest(s string) (attrTest, bool) {
	key, value, eq := strings.Cut(s, "=")
	t := attrTest{}
	if eq {
		t.op = '='
		if n := len(key); n > 0 && strings.IndexByte("~^$*|", key[n-1]) >= 0 {
			t.op, key = key[n-1], key[:n-1]
		}
		value = strings.TrimSpace(value)
		if v, ok := strings.CutSuffix(value, " i"); ok {
			value, t.fold = strings.TrimSpace(v), true
		} else if v, ok := strings.CutSuffix(value, " s"); ok {
			value = strings.TrimSpace(v)
		} else if n := len(value); n > 2 && (value[n-1] == 'i' || value[n-1] == 'I') &&
			(value[n-2] == '"' || value[n-2] == '\'') {
			value, t.fold = value[:n-1], true
		}
		t.value = unescaped(strings.Trim(value, `"'`))
	}
	key = strings.TrimSpace(key)
	if i := strings.IndexByte(key, '|'); i >= 0 {
		key = key[i+1:]
	}
	t.key = strings.ToLower(unescaped(key))
	return t, t.key != ""
}

// unescape reads the escape that s begins with, and returns how long it is.
func unescape(s string) (r string, n int) {
	i := 1
	for i < len(s) && i < 7 && isHex(s[i]) {
		i++
	}
	if i == 1 {
		if len(s) < 2 {
			return "", len(s)
		}
		_, size := utf8.DecodeRuneInString(s[1:])
		return s[1 : 1+size], 1 + size
	}
	code, _ := strconv.ParseUint(s[1:i], 16, 32)
	if i < len(s) && dom.HTMLSpace(s[i]) {
		i++
	}
	if code == 0 || code > utf8.MaxRune {
		code = utf8.RuneError
	}
	return string(rune(code)), i
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// unescaped is s with its escapes undone.
func unescaped(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for s != "" {
		i := strings.IndexByte(s, '\\')
		if i < 0 {
			break
		}
		b.WriteString(s[:i])
		r, n := unescape(s[i:])
		b.WriteString(r)
		s = s[i+n:]
	}
	b.WriteString(s)
	return b.String()
}

// topLevel returns where the first of the bytes in stops stands in s outside of strings and
// brackets, len(s) where none does.
func topLevel(s, stops string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if depth == 0 && strings.IndexByte(stops, c) >= 0 {
			return i
		}
		switch c {
		case '\\':
			i++
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth > 0 {
				depth--
			}
		case '"', '\'':
			i = skipString(s, i)
		}
	}
	return len(s)
}

// skipString returns where the string that begins at i ends: at its quote, or before the
// line's end that spoils it.
func skipString(s string, i int) int {
	for k := i + 1; k < len(s); k++ {
		switch s[k] {
		case '\\':
			k++
		case s[i]:
			return k
		case '\n':
			return k - 1
		}
	}
	return len(s)
}

// matcher tests selectors on the elements of one page.
type matcher struct {
	budget int // tests left; hostile pages end it, real ones use a hundredth
	places map[*html.Node]spot
	anchor *html.Node
}

// spot is where an element stands among its siblings, from 1.
type spot struct{ child, last, kind, lastKind int32 }

func (m *matcher) spend() bool {
	m.budget--
	return m.budget > 0
}

// matches reports whether sel selects n.
func (m *matcher) matches(n *html.Node, sel *selector) bool {
	k := len(sel.parts) - 1
	return m.compound(n, &sel.parts[k]) && m.left(n, sel, k)
}

// left reports whether what stands left of part k matches around n.
func (m *matcher) left(n *html.Node, sel *selector, k int) bool {
	if k == 0 {
		return true
	}
	next, again := up, true
	switch sel.joins[k-1] {
	case '>':
		again = false
	case '+':
		next, again = before, false
	case '~':
		next = before
	}
	for p := next(n); p != nil && m.spend(); p = next(p) {
		if m.compound(p, &sel.parts[k-1]) && m.left(p, sel, k-1) {
			return true
		}
		if !again {
			return false
		}
	}
	return false
}

func up(n *html.Node) *html.Node {
	if p := n.Parent; p != nil && p.Type == html.ElementNode {
		return p
	}
	return nil
}

func before(n *html.Node) *html.Node {
	for n = n.PrevSibling; n != nil && n.Type != html.ElementNode; n = n.PrevSibling {
	}
	return n
}

func (m *matcher) compound(n *html.Node, c *compound) bool {
	if c.anchor {
		return n == m.anchor
	}
	if c.tag != "" && n.Data != c.tag && !(n.Namespace != "" && strings.EqualFold(n.Data, c.tag)) {
		return false
	}
	if c.id != "" && dom.Attr(n, "id") != c.id {
		return false
	}
	if len(c.classes) > 0 {
		have := dom.Attr(n, "class")
		for _, cl := range c.classes {
			if !dom.HasWord(have, cl) {
				return false
			}
		}
	}
	for i := range c.attrs {
		t := &c.attrs[i]
		if t.key[0] == ' ' { // :lang, :dir
			if !m.inherits(n, t) {
				return false
			}
			continue
		}
		if !dom.HasAttr(n, t.key) || !t.holds(dom.Attr(n, t.key)) {
			return false
		}
	}
	for i := range c.states {
		if !m.spend() || !m.state(n, &c.states[i]) {
			return false
		}
	}
	return true
}

// inherits reports whether the nearest lang or dir attribute above n is as t says.
func (m *matcher) inherits(n *html.Node, t *attrTest) bool {
	key := t.key[1:]
	for p := n; p != nil && m.spend(); p = up(p) {
		if v := strings.ToLower(dom.Attr(p, key)); v != "" {
			return t.holds(v)
		}
	}
	return key == "dir" && t.value == "ltr"
}

func (m *matcher) any(n *html.Node, list []*selector) bool {
	for _, s := range list {
		if m.spend() && s.pseudo == "" && m.matches(n, s) {
			return true
		}
	}
	return false
}

func (m *matcher) state(n *html.Node, t *stateTest) bool {
	switch t.name {
	case "is", "where":
		return m.any(n, t.list)
	case "not":
		return !m.any(n, t.list)
	case "has":
		return m.has(n, t.list)
	case "root", "scope":
		return up(n) == nil
	case "empty":
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if c.Type == html.ElementNode || c.Type == html.TextNode && c.Data != "" {
				return false
			}
		}
		return true
	case "link", "any-link":
		return (n.DataAtom == atom.A || n.DataAtom == atom.Area) && dom.HasAttr(n, "href")
	case "checked":
		return dom.HasAttr(n, "checked") || dom.HasAttr(n, "selected")
	case "default":
		return dom.HasAttr(n, "checked") || dom.HasAttr(n, "selected") ||
			dom.Attr(n, "type") == "submit"
	case "disabled":
		return dom.HasAttr(n, "disabled") && field(n)
	case "enabled":
		return !dom.HasAttr(n, "disabled") && field(n)
	case "required":
		return dom.HasAttr(n, "required") && field(n)
	case "optional":
		return !dom.HasAttr(n, "required") && field(n)
	case "read-write":
		return (n.DataAtom == atom.Input || n.DataAtom == atom.Textarea) &&
			!dom.HasAttr(n, "readonly")
	case "read-only":
		return n.DataAtom != atom.Input && n.DataAtom != atom.Textarea || dom.HasAttr(n, "readonly")
	case "placeholder-shown":
		return dom.HasAttr(n, "placeholder") && dom.Attr(n, "value") == ""
	case "valid", "in-range":
		return field(n) && !dom.HasAttr(n, "required")
	case "open":
		return dom.HasAttr(n, "open") && (n.DataAtom == atom.Details || n.DataAtom == atom.Dialog)
	case "defined":
		return true
	}
	if strings.Contains(t.name, "child") || strings.Contains(t.name, "type") {
		return m.placed(n, t)
	}
	return false // states that a pointer, a key or a script brings about
}

func field(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Input, atom.Select, atom.Textarea, atom.Button, atom.Option,
		atom.Optgroup, atom.Fieldset:
		return true
	}
	return false
}

// has reports whether something under, or after, n matches one of the relative selectors.
func (m *matcher) has(n *html.Node, list []*selector) bool {
	defer func(outer *html.Node) { m.anchor = outer }(m.anchor)
	m.anchor = n
	for _, s := range list {
		if s.pseudo != "" {
			continue
		}
		if s.joins[0] == '+' || s.joins[0] == '~' {
			for c := n.NextSibling; c != nil; c = c.NextSibling {
				if c.Type != html.ElementNode {
					continue
				}
				if !m.spend() {
					return false
				}
				if m.matches(c, s) {
					return true
				}
				if len(s.joins) > 1 {
					for d := range c.Descendants() {
						if d.Type == html.ElementNode && m.spend() && m.matches(d, s) {
							return true
						}
					}
				}
			}
			continue
		}
		for d := range n.Descendants() {
			if !m.spend() {
				return false
			}
			if d.Type == html.ElementNode && m.matches(d, s) {
				return true
			}
		}
	}
	return false
}

// placed tests nth-child and its kin.
func (m *matcher) placed(n *html.Node, t *stateTest) bool {
	p := m.place(n)
	switch t.name {
	case "first-child":
		return p.child == 1
	case "last-child":
		return p.last == 1
	case "only-child":
		return p.child == 1 && p.last == 1
	case "first-of-type":
		return p.kind == 1
	case "last-of-type":
		return p.lastKind == 1
	case "only-of-type":
		return p.kind == 1 && p.lastKind == 1
	}
	at := int(p.child)
	switch t.name {
	case "nth-last-child":
		at = int(p.last)
	case "nth-of-type":
		at = int(p.kind)
	case "nth-last-of-type":
		at = int(p.lastKind)
	}
	if t.list != nil {
		if !m.any(n, t.list) {
			return false
		}
		at = 1
		next := func(n *html.Node) *html.Node { return n.PrevSibling }
		if t.name == "nth-last-child" {
			next = func(n *html.Node) *html.Node { return n.NextSibling }
		}
		for c := next(n); c != nil && m.spend(); c = next(c) {
			if c.Type == html.ElementNode && m.any(c, t.list) {
				at++
			}
		}
	}
	if t.a == 0 {
		return at == t.b
	}
	return (at-t.b)%t.a == 0 && (at-t.b)/t.a >= 0
}

func (m *matcher) place(n *html.Node) spot {
	if p, ok := m.places[n]; ok {
		return p
	}
	if m.places == nil {
		m.places = map[*html.Node]spot{}
	}
	first := n
	if n.Parent != nil {
		first = n.Parent.FirstChild
	}
	var all []*html.Node
	kinds := map[string]int32{}
	for c := first; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			all = append(all, c)
			kinds[c.Data]++
			m.places[c] = spot{child: int32(len(all)), kind: kinds[c.Data]}
		}
	}
	for i, c := range all {
		p := m.places[c]
		p.last, p.lastKind = int32(len(all)-i), kinds[c.Data]-p.kind+1
		m.places[c] = p
	}
	return m.places[n]
}

func (t *attrTest) holds(v string) bool {
	want := t.value
	if t.fold {
		v, want = strings.ToLower(v), strings.ToLower(want)
	}
	switch t.op {
	case '=':
		return v == want
	case '~':
		return dom.HasWord(v, want)
	case '^':
		return want != "" && strings.HasPrefix(v, want)
	case '$':
		return want != "" && strings.HasSuffix(v, want)
	case '*':
		return want != "" && strings.Contains(v, want)
	case '|':
		return v == want || strings.HasPrefix(v, want+"-")
	}
	return true
}

// waits reports whether a selector holds until a script says that something has come, by the
// usual names of the class that it sets.
func (s *selector) waits() bool {
	for i := range s.parts {
		for _, t := range s.parts[i].states {
			if t.name != "not" {
				continue
			}
			for _, l := range t.list {
				for _, c := range l.parts[len(l.parts)-1].classes {
					switch strings.TrimPrefix(strings.ToLower(c), "is-") {
					case "loaded", "ready", "initialized", "hydrated", "visible",
						"shown", "in-view", "js":
						return true
					}
				}
			}
		}
	}
	return false
}

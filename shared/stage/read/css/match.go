package css

import (
	"slices"
	"strings"
	"wstk/shared/stage/read/dom"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

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

// compound reports whether n is what one part of a selector asks for.
func (m *matcher) compound(n *html.Node, c *compound) bool {
	if c.anchor {
		return n == m.anchor
	}
	if c.tag != "" && n.Data != c.tag && !(n.Namespace != "" && strings.EqualFold(n.Data, c.tag)) {
		return false
	}
	if c.id != "" && dom.Attr(n, "id") != c.id || !hasClasses(n, c.classes) {
		return false
	}
	for i := range c.attrs {
		if !m.attribute(n, &c.attrs[i]) {
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

func hasClasses(n *html.Node, classes []string) bool {
	if len(classes) == 0 {
		return true
	}
	have := dom.Attr(n, "class")
	for _, class := range classes {
		if !dom.HasWord(have, class) {
			return false
		}
	}
	return true
}

func (m *matcher) attribute(n *html.Node, t *attrTest) bool {
	if t.key[0] == ' ' { // :lang, :dir
		return m.inherits(n, t)
	}
	return dom.HasAttr(n, t.key) && t.holds(dom.Attr(n, t.key))
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

// states reports whether an element is in the state of a pseudo-class. Those that a pointer, a
// key or a script brings about are missing: they do not hold.
var states = map[string]func(*html.Node) bool{
	"root":     func(n *html.Node) bool { return up(n) == nil },
	"scope":    func(n *html.Node) bool { return up(n) == nil },
	"empty":    isEmpty,
	"link":     isLink,
	"any-link": isLink,
	"checked":  isChecked,
	"default": func(n *html.Node) bool {
		return isChecked(n) || dom.Attr(n, "type") == "submit"
	},
	"disabled":   func(n *html.Node) bool { return dom.HasAttr(n, "disabled") && isField(n) },
	"enabled":    func(n *html.Node) bool { return !dom.HasAttr(n, "disabled") && isField(n) },
	"required":   func(n *html.Node) bool { return dom.HasAttr(n, "required") && isField(n) },
	"optional":   func(n *html.Node) bool { return !dom.HasAttr(n, "required") && isField(n) },
	"valid":      func(n *html.Node) bool { return !dom.HasAttr(n, "required") && isField(n) },
	"in-range":   func(n *html.Node) bool { return !dom.HasAttr(n, "required") && isField(n) },
	"read-write": isWritable,
	"read-only":  func(n *html.Node) bool { return !isWritable(n) },
	"placeholder-shown": func(n *html.Node) bool {
		return dom.HasAttr(n, "placeholder") && dom.Attr(n, "value") == ""
	},
	"open": func(n *html.Node) bool {
		return dom.HasAttr(n, "open") && (n.DataAtom == atom.Details || n.DataAtom == atom.Dialog)
	},
	"defined": func(*html.Node) bool { return true },
}

// state reports whether n is in the state of a pseudo-class.
func (m *matcher) state(n *html.Node, t *stateTest) bool {
	switch t.name {
	case "is", "where":
		return m.any(n, t.list)
	case "not":
		return !m.any(n, t.list)
	case "has":
		return m.has(n, t.list)
	}
	if holds := states[t.name]; holds != nil {
		return holds(n)
	}
	return m.placed(n, t)
}

// isEmpty reports whether an element holds neither elements nor text.
func isEmpty(n *html.Node) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode || c.Type == html.TextNode && c.Data != "" {
			return false
		}
	}
	return true
}

func isLink(n *html.Node) bool {
	return (n.DataAtom == atom.A || n.DataAtom == atom.Area) && dom.HasAttr(n, "href")
}

func isChecked(n *html.Node) bool { return dom.HasAttr(n, "checked") || dom.HasAttr(n, "selected") }

func isWritable(n *html.Node) bool {
	return (n.DataAtom == atom.Input || n.DataAtom == atom.Textarea) && !dom.HasAttr(n, "readonly")
}

// isField reports whether an element is a part of a form that can be switched off.
func isField(n *html.Node) bool {
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
		look := m.under
		if s.joins[0] == '+' || s.joins[0] == '~' {
			look = m.after
		}
		if found, spent := look(n, s); found || spent {
			return found
		}
	}
	return false
}

// under reports whether something under n matches s, and whether the budget ended before.
func (m *matcher) under(n *html.Node, s *selector) (found, spent bool) {
	for d := range n.Descendants() {
		if !m.spend() {
			return false, true
		}
		if d.Type == html.ElementNode && m.matches(d, s) {
			return true, false
		}
	}
	return false, false
}

// after reports whether a later sibling of n, or something under one, matches s, and whether
// the budget ended before.
func (m *matcher) after(n *html.Node, s *selector) (found, spent bool) {
	for c := n.NextSibling; c != nil; c = c.NextSibling {
		if c.Type != html.ElementNode {
			continue
		}
		if !m.spend() {
			return false, true
		}
		if m.matches(c, s) {
			return true, false
		}
		if len(s.joins) == 1 {
			continue
		}
		if found, _ := m.under(c, s); found {
			return true, false
		}
	}
	return false, false
}

// places report whether a place among siblings is that of a pseudo-class.
var places = map[string]func(spot) bool{
	"first-child":   func(p spot) bool { return p.child == 1 },
	"last-child":    func(p spot) bool { return p.last == 1 },
	"only-child":    func(p spot) bool { return p.child == 1 && p.last == 1 },
	"first-of-type": func(p spot) bool { return p.kind == 1 },
	"last-of-type":  func(p spot) bool { return p.lastKind == 1 },
	"only-of-type":  func(p spot) bool { return p.kind == 1 && p.lastKind == 1 },
}

// counted are the pseudo-classes that count siblings, and from where.
var counted = map[string]func(spot) int32{
	"nth-child":        func(p spot) int32 { return p.child },
	"nth-last-child":   func(p spot) int32 { return p.last },
	"nth-of-type":      func(p spot) int32 { return p.kind },
	"nth-last-of-type": func(p spot) int32 { return p.lastKind },
}

// placed tests the pseudo-classes that ask where an element stands among its siblings.
func (m *matcher) placed(n *html.Node, t *stateTest) bool {
	if holds := places[t.name]; holds != nil {
		return holds(m.place(n))
	}
	count := counted[t.name]
	if count == nil {
		return false
	}
	at := int(count(m.place(n)))
	if t.list != nil {
		if !m.any(n, t.list) {
			return false
		}
		at = m.countOf(n, t)
	}
	if t.a == 0 {
		return at == t.b
	}
	return (at-t.b)%t.a == 0 && (at-t.b)/t.a >= 0
}

// countOf is the place of n among its siblings that match the list after "of".
func (m *matcher) countOf(n *html.Node, t *stateTest) int {
	next := func(n *html.Node) *html.Node { return n.PrevSibling }
	if t.name == "nth-last-child" {
		next = func(n *html.Node) *html.Node { return n.NextSibling }
	}
	at := 1
	for c := next(n); c != nil && m.spend(); c = next(c) {
		if c.Type == html.ElementNode && m.any(c, t.list) {
			at++
		}
	}
	return at
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

// comeClasses are the usual classes that a script sets when something has come.
var comeClasses = map[string]bool{"loaded": true, "ready": true, "initialized": true,
	"hydrated": true, "visible": true, "shown": true, "in-view": true, "js": true}

// waits reports whether a selector holds until a script says that something has come, by the
// usual names of the class that it sets.
func (s *selector) waits() bool {
	for i := range s.parts {
		for _, t := range s.parts[i].states {
			if t.name == "not" && slices.ContainsFunc(t.list, (*selector).saysCome) {
				return true
			}
		}
	}
	return false
}

// saysCome reports whether the last part of a selector has such a class.
func (s *selector) saysCome() bool {
	for _, c := range s.parts[len(s.parts)-1].classes {
		if comeClasses[strings.TrimPrefix(strings.ToLower(c), "is-")] {
			return true
		}
	}
	return false
}

// family is a set of names, classes and ids, as hashes of 8 bits: those of the elements around
// an element. Most selectors that ask for one around fail at a look at it.
type family [4]uint64

// add adds a name after a sign that says what it is: a class, an id or an element.
func (f *family) add(sign byte, name string) {
	h := (uint32(sign) ^ 2166136261) * 16777619
	for i := 0; i < len(name); i++ {
		h = (h ^ uint32(name[i])) * 16777619
	}
	h ^= h >> 16
	f[h>>6&3] |= 1 << (h & 63)
}

// has reports whether all of a set may be in f.
func (f *family) has(all *family) bool {
	return f[0]&all[0] == all[0] && f[1]&all[1] == all[1] && f[2]&all[2] == all[2] &&
		f[3]&all[3] == all[3]
}

// mayStandIn is false where element i lacks around it what a selector asks for.
func (s *Sheet) mayStandIn(i int, sel *selector) bool {
	return s.families == nil || s.families[i].has(&sel.around)
}

// familiesOf returns, by element, the elements around it.
func familiesOf(t *dom.Tree) []family {
	out := make([]family, len(t.Els))
	var open []family // what stands in an element, by depth
	for i := range t.Els {
		t.Stop.Tick()
		e := &t.Els[i]
		open = open[:e.Depth]
		if e.Depth > 0 {
			out[i] = open[e.Depth-1]
		}
		inner := out[i]
		if e.End > int32(i)+1 {
			inner.addElement(e.Node)
		}
		open = append(open, inner)
	}
	return out
}

func (f *family) addElement(n *html.Node) {
	f.add('<', strings.ToLower(n.Data))
	for k := range n.Attr {
		if n.Attr[k].Namespace != "" {
			continue
		}
		switch v := n.Attr[k].Val; n.Attr[k].Key {
		case "id":
			f.add('#', v)
		case "class":
			for word, at := nextWord(v, 0); word != ""; word, at = nextWord(v, at) {
				f.add('.', word)
			}
		}
	}
}

// familyAround is what the parts of a selector that stand for elements around ask for.
func (s *selector) familyAround() (f family) {
	for k, join := range s.joins {
		if join != ' ' && join != '>' || k >= len(s.parts) {
			continue
		}
		c := &s.parts[k]
		if c.tag != "" {
			f.add('<', c.tag)
		}
		if c.id != "" {
			f.add('#', c.id)
		}
		for _, class := range c.classes {
			if !strings.ContainsAny(class, " \t\n\r\f") {
				f.add('.', class)
			}
		}
	}
	return f
}

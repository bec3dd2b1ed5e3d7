package css

import (
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

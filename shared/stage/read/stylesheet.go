package read

import (
	"sort"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// sheet holds the rules of the page's own <style> elements that bear on whether
// text is shown. Understood are selectors made of tags, classes, ids and
// attributes, with descendant and child combinators; rules with anything else
// (states, pseudo-elements, siblings) are left out. Of media rules those count
// that hold for a screen 1,280 pixels wide.
type sheet struct {
	byID, byClass, byTag map[string][]*rule
	any                  []*rule
	size                 int // rules in all
	budget               int // selector tests left; hostile pages end it, real ones use a thousandth
}

type rule struct {
	order  int
	weight int // specificity
	last   compound
	before []step // from right to left
	decls  []declaration
}

// step is a compound to the left of another, and how they are joined.
type step struct {
	child bool // direct parent; else any ancestor
	compound
}

type compound struct {
	tag     string
	id      string
	classes []string
	attrs   []attrTest
}

type attrTest struct {
	key, value string
	op         byte // 0 present, = equal, ~ word, ^ prefix, $ suffix, * contains, | language
}

// Limits on style sheets.
const (
	maxRules  = 4000
	maxBudget = 3_000_000
)

// readSheet collects the rules of all style elements of the page.
func readSheet(t *tree) *sheet {
	s := &sheet{budget: maxBudget}
	for i := range t.els {
		t.stop.tick()
		n := t.els[i].node
		if n.DataAtom != atom.Style || n.Namespace != "" || t.insideTemplate(i) {
			continue
		}
		if m := attr(n, "media"); m != "" && !mediaHolds(strings.ToLower(m)) {
			continue
		}
		if typ := attr(n, "type"); typ != "" && !strings.EqualFold(typ, "text/css") {
			continue
		}
		s.parse(stripComments(textContent(n, 0)), 0)
	}
	return s
}

func (t *tree) insideTemplate(i int) bool {
	for p := t.els[i].parent; p >= 0; p = t.els[p].parent {
		if t.els[p].tag() == atom.Template {
			return true
		}
	}
	return false
}

func stripComments(css string) string {
	if !strings.Contains(css, "/*") {
		return css
	}
	var b strings.Builder
	for {
		i := strings.Index(css, "/*")
		if i < 0 {
			break
		}
		b.WriteString(css[:i])
		j := strings.Index(css[i+2:], "*/")
		if j < 0 {
			css = ""
			break
		}
		css = css[i+2+j+2:]
	}
	b.WriteString(css)
	return b.String()
}

// parse reads rules until the text ends. depth is how many @-rules are open.
func (s *sheet) parse(css string, depth int) {
	for css != "" {
		open := strings.IndexByte(css, '{')
		if open < 0 {
			return
		}
		head := css[:open]
		if i := strings.LastIndexAny(head, ";}"); i >= 0 { // @charset, @import, a stray brace
			head = head[i+1:]
		}
		head = strings.TrimSpace(head)
		body, rest := braces(css[open+1:])
		css = rest
		if strings.HasPrefix(head, "@") {
			name, cond, _ := strings.Cut(head[1:], " ")
			switch strings.ToLower(name) {
			case "media":
				if depth < 4 && mediaHolds(strings.ToLower(cond)) {
					s.parse(body, depth+1)
				}
			case "layer", "supports", "scope":
				if depth < 4 && !strings.Contains(cond, "not") {
					s.parse(body, depth+1)
				}
			}
			continue
		}
		decls := declarations(body)
		if len(decls) == 0 {
			continue
		}
		for sel := range strings.SplitSeq(head, ",") {
			s.add(sel, decls)
		}
	}
}

// braces splits css after the brace that closes the one already open.
func braces(css string) (body, rest string) {
	depth := 1
	for i := 0; i < len(css); i++ {
		switch css[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return css[:i], css[i+1:]
			}
		case '"', '\'':
			j := strings.IndexByte(css[i+1:], css[i])
			if j >= 0 && !strings.Contains(css[i+1:i+1+j], "\n") {
				i += j + 1
			}
		}
	}
	return css, ""
}

// mediaHolds evaluates a media query list for a desktop screen. What it does
// not know (dark mode, printing, hovering) does not hold.
func mediaHolds(query string) bool {
	for q := range strings.SplitSeq(query, ",") {
		holds := true
		for part := range strings.SplitSeq(q, " and ") {
			part = strings.TrimSpace(part)
			part = strings.TrimSpace(strings.TrimPrefix(part, "only "))
			switch part {
			case "", "all", "screen":
				continue
			}
			key, value, ok := strings.Cut(strings.Trim(part, "() "), ":")
			px, unit := length(strings.TrimSpace(value))
			if unit == "em" || unit == "rem" {
				px *= 16
			} else if unit != "px" {
				ok = false
			}
			switch key = strings.TrimSpace(key); {
			case ok && key == "min-width":
				holds = holds && px <= 1280
			case ok && key == "max-width":
				holds = holds && px >= 1280
			default:
				holds = false
			}
		}
		if holds {
			return true
		}
	}
	return false
}

func (s *sheet) add(selector string, decls []declaration) {
	r, ok := parseSelector(selector)
	if !ok || s.size >= maxRules {
		return
	}
	r.decls, r.order = decls, s.size
	s.size++
	if s.byID == nil {
		s.byID, s.byClass, s.byTag = map[string][]*rule{}, map[string][]*rule{}, map[string][]*rule{}
	}
	switch {
	case r.last.id != "":
		s.byID[r.last.id] = append(s.byID[r.last.id], r)
	case len(r.last.classes) > 0:
		s.byClass[r.last.classes[0]] = append(s.byClass[r.last.classes[0]], r)
	case r.last.tag != "":
		s.byTag[r.last.tag] = append(s.byTag[r.last.tag], r)
	default:
		s.any = append(s.any, r)
	}
}

func parseSelector(sel string) (*rule, bool) {
	sel = strings.TrimSpace(sel)
	if sel == "" || len(sel) > 512 {
		return nil, false
	}
	r := &rule{}
	var parts []step
	child := false
	for sel != "" {
		c, rest, ok := parseCompound(sel)
		if !ok {
			return nil, false
		}
		parts = append(parts, step{child, c})
		r.weight += c.weight()
		sel = strings.TrimLeft(rest, " \t\n\r\f")
		child = false
		if strings.HasPrefix(sel, ">") {
			child = true
			sel = strings.TrimLeft(sel[1:], " \t\n\r\f")
			if sel == "" {
				return nil, false
			}
		} else if sel != "" && (sel[0] == '+' || sel[0] == '~') {
			return nil, false
		}
	}
	r.last = parts[len(parts)-1].compound
	for i := len(parts) - 1; i > 0; i-- {
		r.before = append(r.before, step{parts[i].child, parts[i-1].compound})
	}
	return r, true
}

func (c compound) weight() int {
	w := 100 * (len(c.classes) + len(c.attrs))
	if c.id != "" {
		w += 10000
	}
	if c.tag != "" {
		w++
	}
	return w
}

func parseCompound(sel string) (c compound, rest string, ok bool) {
	i := 0
	name := func() string {
		start := i
		for i < len(sel) && (sel[i] == '-' || sel[i] == '_' || sel[i] >= '0' && sel[i] <= '9' ||
			sel[i] >= 'a' && sel[i] <= 'z' || sel[i] >= 'A' && sel[i] <= 'Z' || sel[i] >= 0x80) {
			i++
		}
		return sel[start:i]
	}
	for i < len(sel) {
		switch ch := sel[i]; {
		case ch == '*':
			i++
		case ch == '#':
			i++
			if c.id = name(); c.id == "" {
				return c, "", false
			}
		case ch == '.':
			i++
			cl := name()
			if cl == "" {
				return c, "", false
			}
			c.classes = append(c.classes, cl)
		case ch == '[':
			end := strings.IndexByte(sel[i:], ']')
			if end < 0 {
				return c, "", false
			}
			t, ok := parseAttrTest(sel[i+1 : i+end])
			if !ok {
				return c, "", false
			}
			c.attrs = append(c.attrs, t)
			i += end + 1
		case ch == ' ' || ch == '\t' || ch == '\n' || ch == '\r' || ch == '\f' || ch == '>' || ch == '+' || ch == '~':
			return c, sel[i:], i > 0
		default:
			tag := name()
			if tag == "" || c.tag != "" { // a pseudo-class, an escape
				return c, "", false
			}
			c.tag = strings.ToLower(tag)
		}
	}
	return c, "", true
}

func parseAttrTest(s string) (attrTest, bool) {
	key, value, eq := strings.Cut(s, "=")
	t := attrTest{}
	if eq {
		t.op = '='
		if n := len(key); n > 0 && strings.IndexByte("~^$*|", key[n-1]) >= 0 {
			t.op, key = key[n-1], key[:n-1]
		}
		t.value = strings.Trim(strings.TrimSpace(value), `"'`)
	}
	t.key = strings.ToLower(strings.TrimSpace(key))
	return t, t.key != ""
}

func (c *compound) matches(n *html.Node) bool {
	if c.tag != "" && n.Data != c.tag {
		return false
	}
	if c.id != "" && attr(n, "id") != c.id {
		return false
	}
	if len(c.classes) > 0 {
		have := attr(n, "class")
		for _, cl := range c.classes {
			if !hasWord(have, cl) {
				return false
			}
		}
	}
	for _, t := range c.attrs {
		if !hasAttr(n, t.key) || !t.holds(attr(n, t.key)) {
			return false
		}
	}
	return true
}

func (t attrTest) holds(v string) bool {
	switch t.op {
	case '=':
		return v == t.value
	case '~':
		return hasWord(v, t.value)
	case '^':
		return t.value != "" && strings.HasPrefix(v, t.value)
	case '$':
		return t.value != "" && strings.HasSuffix(v, t.value)
	case '*':
		return t.value != "" && strings.Contains(v, t.value)
	case '|':
		return v == t.value || strings.HasPrefix(v, t.value+"-")
	}
	return true
}

// hasWord tells whether list, words separated by white space, has w.
func hasWord(list, w string) bool {
	if w == "" {
		return false
	}
	for from := 0; ; {
		i := strings.Index(list[from:], w)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(w)
		if (i == 0 || htmlSpace(list[i-1])) && (end == len(list) || htmlSpace(list[end])) {
			return true
		}
		from = i + 1
	}
}

func htmlSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' }

// spent tells whether the page used up its selector tests, so that later rules
// were not looked at.
func (s *sheet) spent() bool { return s.budget <= 0 }

// style returns what rules and the style attribute of element i declare, and
// nil where nothing is declared. inline says whether a declaration of the
// attribute decided.
func (s *sheet) style(t *tree, i int) (st *style, inline bool) {
	n := t.els[i].node
	var found []*rule
	if s.byID != nil && s.budget > 0 {
		try := func(rules []*rule) {
			for _, r := range rules {
				if s.budget--; s.budget <= 0 {
					return
				}
				if r.last.matches(n) && s.ancestors(t, i, r.before) {
					found = append(found, r)
				}
			}
		}
		if len(s.byID) > 0 {
			if id := attr(n, "id"); id != "" {
				try(s.byID[id])
			}
		}
		if len(s.byClass) > 0 {
			if cl := attr(n, "class"); cl != "" {
				for c := range strings.FieldsSeq(cl) {
					if rules := s.byClass[c]; rules != nil {
						try(rules)
					}
				}
			}
		}
		if rules := s.byTag[n.Data]; rules != nil {
			try(rules)
		}
		try(s.any)
	}
	own := ""
	for k := range n.Attr {
		if n.Attr[k].Key == "style" {
			own = n.Attr[k].Val
			break
		}
	}
	if len(found) == 0 && own == "" {
		return nil, false
	}
	st = &style{}
	if len(found) > 1 {
		sort.SliceStable(found, func(a, b int) bool {
			if found[a].weight != found[b].weight {
				return found[a].weight < found[b].weight
			}
			return found[a].order < found[b].order
		})
	}
	// Later settings win: rules by weight, the attribute, then what is important.
	for _, r := range found {
		for _, d := range r.decls {
			if !d.important {
				st.set(d)
			}
		}
	}
	if own != "" {
		for _, d := range declarations(own) {
			st.set(d)
			inline = true
		}
	}
	for _, r := range found {
		for _, d := range r.decls {
			if d.important {
				st.set(d)
			}
		}
	}
	return st, inline
}

// ancestors tells whether the compounds to the left of a selector match above
// element i. An ancestor step takes the nearest match, without going back.
func (s *sheet) ancestors(t *tree, i int, steps []step) bool {
	p := t.els[i].parent
	for k := range steps {
		for {
			if p < 0 {
				return false
			}
			if s.budget--; s.budget <= 0 {
				return false
			}
			hit := steps[k].matches(t.els[p].node)
			p = t.els[p].parent
			if hit {
				break
			}
			if steps[k].child {
				return false
			}
		}
	}
	return true
}

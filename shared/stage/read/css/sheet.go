package css

import (
	"encoding/base64"
	"net/url"
	"strings"

	"wstk/shared/stage/read/dom"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Sheet holds the rules of the page's own <style> elements that bear on whether text is
// shown, and of sheets that stand whole in a data: URL. Selectors, nesting, layers, scopes
// and the cascade are those of CSS; states that a pointer or a script brings about do not
// hold. Of conditions those count that hold for a screen of 1,280 by 720 pixels, light, and
// with a mouse. Linked sheets are not read; how many there are is counted.
type Sheet struct {
	matcher
	byID, byClass, byTag map[string][]*rule
	any                  []*rule
	size                 int // rules in all
	full                 bool
	descends             bool // some rule asks for elements around, see family
	Unread               int  // linked sheets that were not read
	Scripts              bool
	BorderBox            bool // * { box-sizing: border-box }
	layers               map[string]int
	frames               map[string]keyframes
	// by element, the template of its shadow tree; nil without any
	roots    []*html.Node
	families []family          // per element; nil until needed
	found    []*rule           // those that hold for one element, see Style
	ranked   []ranked          // their declarations, from the weakest to the strongest
	initial  map[string]string // of registered custom properties
	counters map[string]string // the words of @counter-style, by name
}

type rule struct {
	order  int
	weight int // specificity
	layer  int // of the cascade; unlayered for none
	sel    *selector
	root   *html.Node  // the template of the shadow tree that it holds for; nil for the page
	waits  bool        // for a class that a script sets, by its name: :not(.loaded)
	scope  []*selector // one of them has to match at, or above, the element
	limit  []*selector // none of them may match between
	decls  []Declaration
}

// keyframes is how an animation ends, and whether some part of it shows what it moves, or
// all of it shows nothing.
type keyframes struct {
	last  []Declaration
	shows bool
	never bool
}

// Limits on style sheets.
const (
	maxRules     = 12_000
	maxBudget    = 8_000_000
	maxWithin    = 6       // rules and conditions within each other
	unlayered    = 1 << 14 // the layer of rules in none
	maxFirstLine = 80      // bytes: so much stands in a first line
)

// Faint is the opacity up to which what is painted is not seen.
const Faint = 0.05

// ScreenWidth and ScreenHeight are the window that pages are read for, in pixels.
const ScreenWidth, ScreenHeight = 1280, 720

// Read collects the rules of all style elements of the page.
func Read(t *dom.Tree) *Sheet {
	s := &Sheet{matcher: matcher{budget: maxBudget},
		byID: map[string][]*rule{}, byClass: map[string][]*rule{}, byTag: map[string][]*rule{},
		layers: map[string]int{}, frames: map[string]keyframes{}, initial: map[string]string{},
		counters: map[string]string{}}
	for i := range t.Els {
		t.Stop.Tick()
		switch n := t.Els[i].Node; {
		case n.DataAtom == atom.Script:
			s.Scripts = s.Scripts || runs(n)
		case n.DataAtom == atom.Style, n.Data == "style", n.DataAtom == atom.Link:
			s.readElement(t, i)
		}
	}
	if s.descends {
		s.families = familiesOf(t)
	}
	return s
}

// runs reports whether a script element holds a program.
func runs(n *html.Node) bool {
	switch strings.ToLower(strings.TrimSpace(dom.Attr(n, "type"))) {
	case "", "module", "text/javascript", "application/javascript", "application/x-javascript":
		return true
	}
	return false
}

// readElement reads the rules of a style or link element.
func (s *Sheet) readElement(t *dom.Tree, i int) {
	n := t.Els[i].Node
	root, inert := shadowOf(t, i)
	if root != nil && s.roots == nil {
		s.roots = shadowRoots(t)
	}
	in := within{layer: unlayered, root: root}
	switch {
	case inert || !s.media(dom.Attr(n, "media")):
	case n.DataAtom == atom.Link && n.Namespace == "":
		if linksSheet(n) {
			s.linked(dom.Attr(n, "href"), in)
		}
	case n.Data == "style" && (n.Namespace == "" || n.Namespace == "svg"):
		if typ := dom.Attr(n, "type"); typ == "" || strings.EqualFold(typ, "text/css") {
			s.parse(stripComments(dom.TextContent(n, 0)), in)
		}
	}
}

// linksSheet reports whether a link element brings a style sheet that holds.
func linksSheet(n *html.Node) bool {
	rel := strings.ToLower(dom.Attr(n, "rel"))
	return dom.HasWord(rel, "stylesheet") && !dom.HasWord(rel, "alternate") &&
		!dom.HasAttr(n, "disabled") && dom.Attr(n, "href") != ""
}

// shadowRoots returns, by element, the template of the shadow tree that it stands in.
func shadowRoots(t *dom.Tree) []*html.Node {
	roots := make([]*html.Node, len(t.Els))
	for k := range t.Els {
		p := t.Els[k].Parent
		if p < 0 {
			continue
		}
		roots[k] = roots[p]
		if n := t.Els[p].Node; n.DataAtom == atom.Template && dom.HasAttr(n, "shadowrootmode") {
			roots[k] = n
		}
	}
	return roots
}

func (s *Sheet) media(query string) bool {
	return strings.TrimSpace(query) == "" || mediaHolds(strings.ToLower(query))
}

// linked reads a sheet that stands in a data: URL; others are counted.
func (s *Sheet) linked(href string, in within) {
	head, data, ok := strings.Cut(strings.TrimSpace(href), ",")
	if !ok || !strings.HasPrefix(strings.ToLower(head), "data:") {
		s.Unread++
		return
	}
	css, err := url.PathUnescape(data)
	if err != nil {
		css = data
	}
	if strings.HasSuffix(strings.ToLower(strings.TrimSpace(head)), ";base64") {
		raw, err := base64.StdEncoding.DecodeString(css)
		if err != nil {
			return
		}
		css = string(raw)
	}
	if in.depth < maxWithin {
		in.depth++
		s.parse(stripComments(css), in)
	}
}

// shadowOf returns the template of the shadow tree that a style or link element i stands
// in, and reports whether it stands in a template that is not shown. Other elements are
// not asked about.
func shadowOf(t *dom.Tree, i int) (root *html.Node, inert bool) {
	if a := t.Els[i].Node.DataAtom; a != atom.Style && a != atom.Link {
		return nil, false
	}
	for p := t.Els[i].Parent; p >= 0; p = t.Els[p].Parent {
		switch n := t.Els[p].Node; {
		case t.Els[p].Tag() != atom.Template:
		case !dom.HasAttr(n, "shadowrootmode"):
			return nil, true
		case root == nil:
			root = n
		}
	}
	return root, false
}

// within is what a rule stands in.
type within struct {
	depth  int
	root   *html.Node
	parent string // the selectors of the rule around, of nested ones
	layer  int
	path   string // the layer's name
	scope  []*selector
	limit  []*selector
}

// parse reads rules until the text ends. Declarations may stand between them in a rule or
// in a condition within one; they are those of in.parent.
func (s *Sheet) parse(css string, in within) {
	var own []Declaration
	flush := func() {
		if in.parent != "" {
			s.add(in.parent, own, in)
		}
		own = nil
	}
	for css != "" {
		css = strings.TrimLeft(css, " \t\r\n\f;}")
		css = strings.TrimPrefix(strings.TrimPrefix(css, "<!--"), "-->")
		end := topLevel(css, "{;}")
		head := strings.TrimSpace(css[:end])
		if head == "" && end == 0 && css != "" && css[0] != '{' {
			css = css[1:]
			continue
		}
		rest := css[min(end+1, len(css)):]
		if end < len(css) && css[end] == '{' {
			var body string
			body, css = braces(rest)
			if in.parent == "" || !strings.HasPrefix(head, "--") { // not --x: { … }
				flush()
				s.rule(head, body, in)
			}
			continue
		}
		css = rest
		if strings.HasPrefix(head, "@") {
			s.statement(head, in)
		} else if in.parent != "" {
			own = append(own, declarations(head)...)
		}
	}
	flush()
}

// rule reads a rule with a body.
func (s *Sheet) rule(head, body string, in within) {
	if strings.HasPrefix(head, "@") {
		s.block(head, body, in)
		return
	}
	if in.depth >= maxWithin {
		s.full = true
		return
	}
	sel := head
	if in.parent != "" {
		sel = nested(head, in.parent)
	}
	if !strings.Contains(body, "{") { // most rules
		s.add(sel, declarations(body), in)
		return
	}
	in.depth++
	in.parent = sel
	s.parse(body, in)
}

// nested writes the selectors of a rule within a rule as they would stand alone.
func nested(head, parent string) string {
	var out []string
	for head != "" {
		end := topLevel(head, ",")
		one := strings.TrimSpace(head[:end])
		head = head[min(end+1, len(head)):]
		if strings.Contains(one, "&") {
			one = strings.ReplaceAll(one, "&", ":is("+parent+")")
		} else {
			one = ":is(" + parent + ") " + one
		}
		if len(one) > maxSelector {
			return ""
		}
		out = append(out, one)
	}
	return strings.Join(out, ",")
}

// add keeps a rule for each selector of a list. As in a browser a list that is not
// understood is left out whole.
func (s *Sheet) add(selectors string, decls []Declaration, in within) {
	if len(decls) == 0 {
		return
	}
	if s.size >= maxRules {
		s.full = true
		return
	}
	list, ok := parseSelectors(selectors, false, 0)
	if !ok {
		return
	}
	boxes := boxesOnly(decls)
	for _, sel := range list {
		switch {
		case boxes:
			s.BorderBox = s.BorderBox ||
				sel.pseudo == "" && everything(sel) && decls[0].value == "border-box"
		case !bears(sel.pseudo, decls):
		case s.size >= maxRules:
			s.full = true
			return
		default:
			s.keep(&rule{order: s.size, weight: sel.weight, layer: in.layer, sel: sel,
				root: in.root, waits: sel.waits(), scope: in.scope, limit: in.limit, decls: decls})
		}
	}
}

// bears reports whether a rule for an element, or a pseudo-element of it, bears on what is
// shown.
func bears(pseudo string, decls []Declaration) bool {
	switch pseudo {
	case "", "first-line", "details-content":
		return true
	case "before", "after", "marker":
		return adds(decls)
	}
	return false
}

// keep keeps a rule by what its last part asks for, so that few are tried on an element.
func (s *Sheet) keep(r *rule) {
	s.size++
	s.descends = s.descends || r.sel.around != family{}
	switch last := &r.sel.parts[len(r.sel.parts)-1]; {
	case last.id != "":
		s.byID[last.id] = append(s.byID[last.id], r)
	case len(last.classes) > 0:
		s.byClass[last.classes[0]] = append(s.byClass[last.classes[0]], r)
	case last.tag != "":
		s.byTag[last.tag] = append(s.byTag[last.tag], r)
	default:
		s.any = append(s.any, r)
	}
}

// Spent reports whether the page used up its selector tests or its rules, so that later
// rules were not looked at.
func (s *Sheet) Spent() bool { return s.budget <= 0 || s.full }

// boxesOnly reports whether a rule says how sizes are measured, and nothing else that bears
// on what is shown: nearly every page has such a rule for all elements.
func boxesOnly(decls []Declaration) bool {
	for _, d := range decls {
		if d.property != "box-sizing" || d.value == "content-box" {
			return false
		}
	}
	return true
}

// everything reports whether a selector is * alone.
func everything(s *selector) bool {
	if len(s.parts) != 1 {
		return false
	}
	c := &s.parts[0]
	return c.tag == "" && c.id == "" && len(c.classes)+len(c.attrs)+len(c.states) == 0
}

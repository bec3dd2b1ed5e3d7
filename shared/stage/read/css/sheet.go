package css

import (
	"cmp"
	"encoding/base64"
	"net/url"
	"slices"
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
	Unread               int // linked sheets that were not read
	Scripts              bool
	BorderBox            bool // * { box-sizing: border-box }
	layers               map[string]int
	frames               map[string]keyframes
	// by element, the template of its shadow tree; nil without any
	roots   []*html.Node
	found   []*rule // room for what style finds of one element
	all     []ranked
	initial map[string]string // of registered custom properties
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

// screen is the window that pages are read for, in pixels.
const ScreenWidth, ScreenHeight = 1280, 720

// Read collects the rules of all style elements of the page.
func Read(t *dom.Tree) *Sheet {
	s := &Sheet{matcher: matcher{budget: maxBudget},
		byID: map[string][]*rule{}, byClass: map[string][]*rule{}, byTag: map[string][]*rule{},
		layers: map[string]int{}, frames: map[string]keyframes{}, initial: map[string]string{}}
	for i := range t.Els {
		t.Stop.Tick()
		n := t.Els[i].Node
		if n.DataAtom == atom.Script {
			switch strings.ToLower(strings.TrimSpace(dom.Attr(n, "type"))) {
			case "", "module", "text/javascript", "application/javascript",
				"application/x-javascript":
				s.Scripts = true
			}
		}
		root, inert := shadowOf(t, i)
		if root != nil && s.roots == nil {
			s.roots = make([]*html.Node, len(t.Els))
			for k := range t.Els {
				if p := t.Els[k].Parent; p >= 0 {
					s.roots[k] = s.roots[p]
					if n := t.Els[p].Node; n.DataAtom == atom.Template &&
						dom.HasAttr(n, "shadowrootmode") {
						s.roots[k] = n
					}
				}
			}
		}
		in := within{layer: unlayered, root: root}
		switch {
		case inert:
		case n.DataAtom == atom.Style && n.Namespace == "",
			n.Data == "style" && n.Namespace == "svg":
			if typ := dom.Attr(n, "type"); (typ == "" || strings.EqualFold(typ, "text/css")) &&
				s.media(dom.Attr(n, "media")) {
				s.parse(stripComments(dom.TextContent(n, 0)), in)
			}
		case n.DataAtom == atom.Link && n.Namespace == "":
			rel := strings.ToLower(dom.Attr(n, "rel"))
			if !dom.HasWord(rel, "stylesheet") || dom.HasWord(rel, "alternate") ||
				dom.HasAttr(n, "disabled") || !s.media(dom.Attr(n, "media")) ||
				dom.Attr(n, "href") == "" {
				continue
			}
			s.linked(dom.Attr(n, "href"), in)
		}
	}
	return s
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

// stripComments takes comments out; one that parts two words leaves a space.
func stripComments(css string) string {
	if !strings.Contains(css, "/*") {
		return css
	}
	var b strings.Builder
	for i := 0; i < len(css); {
		switch c := css[i]; {
		case c == '"' || c == '\'':
			end := min(skipString(css, i)+1, len(css))
			b.WriteString(css[i:end])
			i = end
		case c == '/' && strings.HasPrefix(css[i:], "/*"):
			from := i
			j := strings.Index(css[i+2:], "*/")
			if j < 0 {
				return b.String()
			}
			i += j + 4
			if from > 0 && i < len(css) && identByte(css[from-1]) && identByte(css[i]) {
				b.WriteByte(' ')
			}
		default:
			b.WriteByte(c)
			i++
		}
	}
	return b.String()
}

func identByte(c byte) bool {
	return c == '-' || c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' ||
		c >= 'A' && c <= 'Z' || c >= 0x80
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
		if in.parent != "" && len(own) > 0 {
			s.add(in.parent, own, in, true)
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
		if end == len(css) || css[end] != '{' { // a statement or a declaration
			if strings.HasPrefix(head, "@") {
				s.statement(head, in)
			} else if in.parent != "" {
				own = append(own, declarations(head)...)
			}
			if end == len(css) {
				break
			}
			css = css[end+1:]
			continue
		}
		if in.parent != "" && strings.HasPrefix(head, "--") { // --x: { … }
			css = css[end+1:]
			_, css = braces(css)
			continue
		}
		body, rest := braces(css[end+1:])
		css = rest
		if strings.HasPrefix(head, "@") {
			flush()
			s.block(head, body, in)
			continue
		}
		if in.depth >= maxWithin {
			s.full = true
			continue
		}
		flush()
		sel := head
		if in.parent != "" {
			sel = nested(head, in.parent)
		}
		if !strings.Contains(body, "{") { // most rules
			s.add(sel, declarations(body), in, false)
			continue
		}
		inner := in
		inner.depth++
		inner.parent = sel
		s.parse(body, inner)
	}
	flush()
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

// statement reads an @-rule without a body.
func (s *Sheet) statement(head string, in within) {
	name, rest, _ := strings.Cut(head[1:], " ")
	switch strings.ToLower(name) {
	case "layer":
		for l := range strings.SplitSeq(rest, ",") {
			s.layer(in.path, strings.TrimSpace(l))
		}
	case "import":
		rest = strings.TrimSpace(rest)
		if inner, ok := strings.CutPrefix(strings.ToLower(rest), "url("); ok {
			from := len(rest) - len(inner)
			end := topLevel(rest[from:], ")")
			s.imported(strings.Trim(rest[from:from+end], `"' `),
				rest[min(from+end+1, len(rest)):], in)
		} else if rest != "" && (rest[0] == '"' || rest[0] == '\'') {
			end := skipString(rest, 0)
			s.imported(rest[1:min(end, len(rest))], rest[min(end+1, len(rest)):], in)
		}
	}
}

func (s *Sheet) imported(href, conditions string, in within) {
	conditions = strings.ToLower(strings.TrimSpace(conditions))
	if after, ok := strings.CutPrefix(conditions, "layer"); ok {
		name := ""
		if strings.HasPrefix(after, "(") {
			name, after, _ = strings.Cut(after[1:], ")")
		}
		in.layer, in.path = s.layer(in.path, strings.TrimSpace(name)), name
		conditions = strings.TrimSpace(after)
	}
	if after, ok := strings.CutPrefix(conditions, "supports("); ok {
		end := topLevel(after, ")")
		if !supports("(" + after[:end] + ")") {
			return
		}
		conditions = strings.TrimSpace(after[min(end+1, len(after)):])
	}
	if s.media(conditions) {
		s.linked(href, in)
	}
}

// layer returns the order of a layer, by the name of the one around and its own.
func (s *Sheet) layer(path, name string) int {
	if path != "" {
		name = path + "." + name
	}
	if name == "" || strings.HasSuffix(name, ".") {
		name += "#" + strings.Repeat("i", len(s.layers)%64) // nameless ones differ
	}
	// Layers of a layer come before its own rules: order by the outermost first.
	if i := strings.IndexByte(name, '.'); i > 0 {
		outer := s.layer("", name[:i])
		if _, ok := s.layers[name]; !ok {
			s.layers[name] = outer
		}
		return outer
	}
	n, ok := s.layers[name]
	if !ok {
		n = min(len(s.layers), unlayered-1)
		s.layers[name] = n
	}
	return n
}

// block reads an @-rule with a body.
func (s *Sheet) block(head, body string, in within) {
	if in.depth >= maxWithin {
		s.full = true
		return
	}
	in.depth++
	i := 1
	for i < len(head) && identByte(head[i]) {
		i++
	}
	name, cond := strings.ToLower(head[1:i]), strings.TrimSpace(head[i:])
	switch name {
	case "media":
		if mediaHolds(strings.ToLower(cond)) {
			s.parse(body, in)
		}
	case "container":
		if containerHolds(strings.ToLower(cond)) {
			s.parse(body, in)
		}
	case "supports":
		if supports(strings.ToLower(cond)) {
			s.parse(body, in)
		}
	case "layer":
		in.layer = s.layer(in.path, cond)
		if in.path != "" {
			cond = in.path + "." + cond
		}
		in.path = cond
		s.parse(body, in)
	case "scope":
		if strings.HasPrefix(cond, "(") {
			end := topLevel(cond[1:], ")")
			roots, ok := parseSelectors(cond[1:1+end], true, 0)
			if !ok {
				return
			}
			in.scope = roots
			rest := strings.TrimSpace(cond[min(end+2, len(cond)):])
			if to, ok := strings.CutPrefix(rest, "to"); ok {
				in.limit, _ = parseSelectors(strings.Trim(strings.TrimSpace(to), "()"), true, 0)
			}
			body = strings.ReplaceAll(body, ":scope", ":is("+cond[1:1+end]+")")
		}
		s.parse(body, in)
	case "keyframes", "-webkit-keyframes":
		s.keyframes(strings.Trim(cond, `"'`), body)
	case "property":
		for _, d := range declarations(
			strings.ReplaceAll(body, "initial-value", "--initial-value")) {
			if d.property == "--initial-value" {
				s.initial[cond] = d.value
			}
		}
	}
}

// keyframes keeps how an animation ends.
func (s *Sheet) keyframes(name, body string) {
	k := keyframes{never: true}
	from, to := false, false
	for body != "" {
		open := strings.IndexByte(body, '{')
		if open < 0 {
			break
		}
		at := strings.ToLower(body[:open])
		var decls string
		decls, body = braces(body[open+1:])
		list := declarations(decls)
		for step := range strings.SplitSeq(at, ",") {
			step = strings.TrimSpace(step)
			from = from || step == "from" || step == "0%"
			to = to || step == "to" || step == "100%"
		}
		if strings.Contains(at, "to") || strings.Contains(at, "100%") {
			k.last = list
		}
		unseen := false
		for _, d := range list {
			if d.property == "opacity" && Number(d.value, 1) > Faint {
				k.shows = true
			}
			unseen = unseen || d.property == "opacity" && Number(d.value, 1) <= Faint ||
				d.property == "visibility" && d.value == "hidden"
		}
		k.never = k.never && unseen
	}
	k.never = k.never && from && to
	s.frames[name] = k
}

// braces splits css after the brace that closes the one already open.
func braces(css string) (body, rest string) {
	depth := 1
	for i := 0; i < len(css); i++ {
		switch css[i] {
		case '\\':
			i++
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return css[:i], css[i+1:]
			}
		case '"', '\'':
			i = skipString(css, i)
		}
	}
	return css, ""
}

// add keeps a rule for each selector of a list. As in a browser a list that is not
// understood is left out whole. late says that the declarations stand behind nested rules.
func (s *Sheet) add(selectors string, decls []Declaration, in within, late bool) {
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
		if boxes {
			s.BorderBox = s.BorderBox ||
				sel.pseudo == "" && everything(sel) && decls[0].value == "border-box"
			continue
		}
		switch sel.pseudo {
		case "", "first-line", "details-content":
		case "before", "after":
			if !adds(decls) {
				continue
			}
		default:
			continue
		}
		if s.size >= maxRules {
			s.full = true
			return
		}
		r := &rule{order: s.size, weight: sel.weight, layer: in.layer, sel: sel, root: in.root,
			waits: sel.waits(), scope: in.scope, limit: in.limit, decls: decls}
		s.size++
		switch last := &sel.parts[len(sel.parts)-1]; {
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
}

// Spent reports whether the page used up its selector tests or its rules, so that later
// rules were not looked at.
func (s *Sheet) Spent() bool { return s.budget <= 0 || s.full }

// ranked is a declaration with what decides between it and others.
type ranked struct {
	level  int // importance, layer, attribute
	weight int
	order  int
	pseudo string // before, after; "" and first-line are the element's own
	decl   *Declaration
}

// Style returns what rules, attributes and the style attribute of element i declare, and
// nil where nothing is declared. inline says whether the attribute declares anything.
func (s *Sheet) Style(t *dom.Tree, i int) (st *Style, inline bool) {
	n := t.Els[i].Node
	found, all := s.found[:0], s.all[:0]
	defer func() { s.found, s.all = found[:0], all[:0] }()
	if s.size > 0 && s.budget > 0 {
		try := func(rules []*rule) {
			for _, r := range rules {
				if !s.spend() {
					return
				}
				if r.sel.pseudo == "first-line" && t.TextBytes(i) > maxFirstLine {
					continue
				}
				if r.root != s.root(i) {
					continue
				}
				if s.matches(n, r.sel) && s.inScope(n, r) {
					found = append(found, r)
				}
			}
		}
		if len(s.byID) > 0 {
			if id := dom.Attr(n, "id"); id != "" {
				try(s.byID[id])
			}
		}
		if len(s.byClass) > 0 {
			if cl := dom.Attr(n, "class"); cl != "" {
				seen := map[string]bool{}
				for c := range strings.FieldsSeq(cl) {
					if rules := s.byClass[c]; rules != nil && !seen[c] {
						seen[c] = true
						try(rules)
					}
				}
			}
		}
		if rules := s.byTag[strings.ToLower(n.Data)]; rules != nil {
			try(rules)
		}
		try(s.any)
	}
	own := dom.Attr(n, "style")
	hints := presentational(n)
	if len(found) == 0 && own == "" && len(hints) == 0 {
		return nil, false
	}
	for k := range hints {
		all = append(all, ranked{level: -1, order: k, decl: &hints[k]})
	}
	for _, r := range found {
		for k := range r.decls {
			d := &r.decls[k]
			if r.sel.pseudo == "first-line" && d.property != "color" && d.property != "font-size" &&
				d.property != "-webkit-text-fill-color" {
				continue
			}
			level := r.layer
			if d.important {
				level = 1<<16 + unlayered - r.layer
			}
			all = append(all, ranked{level, r.weight, r.order, r.sel.pseudo, d})
		}
	}
	if own != "" {
		decls := declarations(stripComments(own))
		inline = len(decls) > 0
		for k := range decls {
			level := unlayered + 1
			if decls[k].important {
				level = 1 << 17
			}
			all = append(all, ranked{level: level, order: k, decl: &decls[k]})
		}
	}
	slices.SortStableFunc(all, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(a.level, b.level), cmp.Compare(a.weight, b.weight),
			cmp.Compare(a.order, b.order))
	})
	st = newStyle(n)
	for _, r := range found {
		st.Waits = st.Waits || r.waits
	}
	animated := false
	for _, r := range all {
		if r.pseudo == "before" || r.pseudo == "after" {
			st.Added.of(r.pseudo, n).set(*r.decl)
			continue
		}
		if r.pseudo == "details-content" {
			if st.Content == nil {
				st.Content = newStyle(n)
			}
			st.Content.set(*r.decl)
			continue
		}
		// what an animation sets lies under what is important
		if r.level > unlayered+1 && !animated {
			animated = true
			s.animate(st)
		}
		st.set(*r.decl)
	}
	if !animated {
		s.animate(st)
	}
	return st, inline
}

// animate puts what animations leave behind, or show all the time, into a style.
func (s *Sheet) animate(st *Style) {
	v := strings.ReplaceAll(st.Values["animation"]+" "+st.Values["animation-name"]+" "+
		st.Values["animation-fill-mode"]+" "+st.Values["animation-iteration-count"], ",", " ")
	if strings.TrimSpace(v) == "" {
		return
	}
	ends := dom.HasWord(v, "forwards") || dom.HasWord(v, "both")
	for name := range strings.FieldsSeq(v) {
		k, ok := s.frames[name]
		switch {
		case !ok:
		case dom.HasWord(v, "infinite") && k.never:
			st.leave(k.last)
		case dom.HasWord(v, "infinite"):
			if k.shows {
				st.set(Declaration{property: "opacity", value: "1"})
			}
		case ends && k.last != nil && !dom.HasWord(v, "reverse"):
			st.leave(k.last)
		case k.last != nil:
			st.Ended = true
		}
	}
}

// leave puts what an animation leaves behind into a style.
func (s *Style) leave(last []Declaration) {
	for _, d := range last {
		s.set(d)
	}
	s.Ended = true
}

func (s *Sheet) root(i int) *html.Node {
	if s.roots == nil {
		return nil
	}
	return s.roots[i]
}

// inScope reports whether an element lies in the scope of its rule.
func (s *Sheet) inScope(n *html.Node, r *rule) bool {
	if r.scope == nil {
		return true
	}
	for p := n; p != nil && s.spend(); p = up(p) {
		if len(r.limit) > 0 && s.matcher.any(p, r.limit) {
			return false
		}
		if s.matcher.any(p, r.scope) {
			return true
		}
	}
	return false
}

// presentational are the declarations that attributes of old HTML, and those of SVG, stand
// for.
func presentational(n *html.Node) (out []Declaration) {
	add := func(property, value string) {
		if value = strings.ToLower(strings.TrimSpace(value)); value != "" {
			out = append(out, Declaration{property: property, value: value})
		}
	}
	for _, a := range n.Attr {
		switch a.Key {
		case "bgcolor":
			add("background-color", AttributeColor(a.Val))
		case "background":
			if n.DataAtom == atom.Body || n.DataAtom == atom.Table || n.DataAtom == atom.Td ||
				n.DataAtom == atom.Th {
				add("background-image", "url(x)")
			}
		case "text":
			if n.DataAtom == atom.Body {
				add("color", AttributeColor(a.Val))
			}
		case "color":
			if n.DataAtom == atom.Font || n.DataAtom == atom.Basefont {
				add("color", AttributeColor(a.Val))
			} else if n.Namespace != "" {
				add("color", a.Val)
			}
		case "display", "visibility", "opacity", "font-size", "clip-path", "mask", "transform",
			"fill", "fill-opacity", "stroke", "filter":
			if n.Namespace == "svg" {
				add(a.Key, a.Val)
			}
		}
	}
	return out
}

// AttributeColor reads a colour as attributes write it: also without its #.
func AttributeColor(v string) string {
	v = strings.TrimSpace(v)
	if len(v) == 6 && strings.Trim(strings.ToLower(v), "0123456789abcdef") == "" {
		return "#" + v
	}
	return v
}

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

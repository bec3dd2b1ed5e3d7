package css

import (
	"strconv"
	"strings"

	"wstk/shared/stage/read/dom"
)

// selector is a complex selector: compounds from left to right, and how each is joined to
// the next one: ' ', '>', '+' or '~'.
type selector struct {
	parts  []compound
	joins  []byte
	weight int
	pseudo string // a pseudo-element such as before; "" selects the element itself
	around family // what it asks of the elements around
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
	sel.around = sel.familyAround()
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

// compound reads what is asked of one element.
func (p *selectorParser) compound(sel *selector) (c compound, ok bool) {
	begin := p.pos
	for p.pos < len(p.src) {
		ch := p.src[p.pos]
		if dom.HTMLSpace(ch) || ch == '>' || ch == '+' || ch == '~' {
			break
		}
		if !p.simple(sel, &c, ch, begin) {
			return c, false
		}
	}
	return c, p.pos > begin
}

// simple reads one condition of a compound, which begins with ch.
func (p *selectorParser) simple(sel *selector, c *compound, ch byte, begin int) bool {
	switch ch {
	case '*':
		p.pos++
		if strings.HasPrefix(p.src[p.pos:], "|") {
			p.pos++
		}
		return true
	case '|':
		p.pos++
		return true
	case '#':
		p.pos++
		c.id = p.ident()
		sel.weight += 1 << 20
		return c.id != ""
	case '.':
		p.pos++
		class := p.ident()
		c.classes = append(c.classes, class)
		sel.weight += 1 << 10
		return class != ""
	case '[':
		return p.attribute(sel, c)
	case ':':
		return p.state(sel, c)
	}
	return p.tag(sel, c, begin)
}

func (p *selectorParser) attribute(sel *selector, c *compound) bool {
	end := topLevel(p.src[p.pos+1:], "]")
	if p.pos+1+end >= len(p.src) {
		return false
	}
	t, ok := parseAttrTest(p.src[p.pos+1 : p.pos+1+end])
	c.attrs = append(c.attrs, t)
	sel.weight += 1 << 10
	p.pos += end + 2
	return ok
}

// tag reads the name of an element, or a namespace before one.
func (p *selectorParser) tag(sel *selector, c *compound, begin int) bool {
	tag := p.ident()
	if tag == "" || c.tag != "" ||
		p.pos-len(tag) > begin && c.id+strings.Join(c.classes, "") != "" {
		return false
	}
	if !strings.HasPrefix(p.src[p.pos:], "|") {
		c.tag = strings.ToLower(tag)
		sel.weight++
	}
	return true
}

// state reads a pseudo-class or pseudo-element.
func (p *selectorParser) state(sel *selector, c *compound) bool {
	p.pos++
	element := strings.HasPrefix(p.src[p.pos:], ":")
	if element {
		p.pos++
	}
	name := strings.ToLower(p.ident())
	arg, ok := p.argument()
	if !ok {
		return false
	}
	if element || oldElements[name] {
		if sel.pseudo == "" {
			sel.pseudo = name
		}
		sel.weight++
		return name != ""
	}
	if name == "lang" || name == "dir" {
		c.attrs = append(c.attrs, attrTest{key: " " + name,
			value: strings.ToLower(strings.Trim(arg, `"' `)), op: '|'})
		sel.weight += 1 << 10
		return true
	}
	t := stateTest{name: name}
	weight, ok := p.test(&t, arg)
	if !ok {
		return false
	}
	sel.weight += weight
	c.states = append(c.states, t)
	return true
}

// argument reads what stands in brackets behind a name, "" where nothing does.
func (p *selectorParser) argument() (arg string, ok bool) {
	if p.pos >= len(p.src) || p.src[p.pos] != '(' {
		return "", true
	}
	end := topLevel(p.src[p.pos+1:], ")")
	if p.pos+1+end >= len(p.src) {
		return "", false
	}
	arg = strings.TrimSpace(p.src[p.pos+1 : p.pos+1+end])
	p.pos += end + 2
	return arg, true
}

// test reads what a pseudo-class asks for, and returns how much it weighs.
func (p *selectorParser) test(t *stateTest, arg string) (weight int, ok bool) {
	switch t.name {
	case "is", "where", "matches", "any", "-webkit-any", "not":
		t.list, ok = parseSelectors(arg, t.name != "not", p.depth+1)
		weight = heaviest(t.list)
		switch t.name {
		case "not":
		case "where":
			weight = 0
		default:
			t.name = "is"
		}
		return weight, ok
	case "has":
		t.list, ok = parseSelectors(arg, false, p.depth+1)
		for _, l := range t.list {
			if !l.parts[0].anchor {
				l.parts = append([]compound{{anchor: true}}, l.parts...)
				l.joins = append([]byte{' '}, l.joins...)
			}
		}
		return heaviest(t.list), ok
	case "nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type":
		formula, of, has := strings.Cut(arg, " of ")
		if has {
			if t.list, ok = parseSelectors(of, false, p.depth+1); !ok {
				return 0, false
			}
		}
		t.a, t.b, ok = nth(formula)
		return heaviest(t.list) + 1<<10, ok
	}
	return 1 << 10, plainStates[t.name]
}

// oldElements are the pseudo-elements that may have one colon.
var oldElements = table("before after first-line first-letter", "")

// plainStates are the other pseudo-classes. Those that states lacks never hold.
var plainStates = table("first-child last-child only-child first-of-type last-of-type "+
	"only-of-type empty root scope link any-link visited hover active focus focus-within "+
	"focus-visible target target-within checked disabled enabled required optional read-only "+
	"read-write placeholder-shown default indeterminate valid invalid in-range out-of-range "+
	"user-valid user-invalid autofill -webkit-autofill open popover-open modal fullscreen "+
	"-webkit-full-screen defined host playing paused current past future state local-link blank "+
	"buffering muted seeking stalled host-context picture-in-picture active-view-transition", "")

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

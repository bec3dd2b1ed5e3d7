package text

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// expression is one of many regular expressions that are searched for in texts. Most texts
// lack words that an expression needs, and are not searched for it. It matches in one of
// several ways, each of which is searched for by itself.
type expression struct {
	ways []way
}

// way is one of the ways in which an expression may match.
type way struct {
	source string
	re     func() *regexp.Regexp
	needs  clauses // without all of which it matches nothing; set by newNeedIndex
}

// newExpression makes an expression that matches where one of the lines does. Upper and
// lower case are the same unless a line says otherwise.
func newExpression(lines []string) *expression {
	e := &expression{}
	for _, line := range lines {
		for _, s := range waysOf(line) {
			s = "(?i)" + s
			e.ways = append(e.ways, way{source: s, re: Pattern(s)})
		}
	}
	return e
}

// waysOf splits an expression at its outermost bars.
func waysOf(source string) (out []string) {
	depth, class, from := 0, false, 0
	for i := 0; i < len(source); i++ {
		switch c := source[i]; {
		case c == '\\':
			i++
		case class:
			class = c != ']'
		case c == '[':
			class = true
			if i+1 < len(source) && source[i+1] == ']' {
				i++
			}
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == '|' && depth == 0:
			out, from = append(out, source[from:i]), i+1
		}
	}
	return append(out, source[from:])
}

// matches reports whether the expression matches a passage.
func (e *expression) matches(x passage) bool {
	for i := range e.ways {
		if w := &e.ways[i]; x.found.holds(w.needs) && w.re().MatchString(x.words) {
			return true
		}
	}
	return false
}

// opening is the end of what the expression matches at the beginning of a passage; -1
// where it does not. All its ways are anchored there.
func (e *expression) opening(x passage) int {
	for i := range e.ways {
		if w := &e.ways[i]; x.found.holds(w.needs) {
			if loc := w.re().FindStringIndex(x.words); loc != nil {
				return loc[1]
			}
		}
	}
	return -1
}

// passage is a text with what expressions may find in it, or in a part of it.
type passage struct {
	words string
	found clauses
}

// newPassage looks through a text once for what all expressions need.
func newPassage(s string) passage { return passage{words: s, found: denials().index.in(s)} }

// part returns a passage that is s, a part of x. It keeps what was found in all of x.
func (x passage) part(s string) passage { return passage{words: s, found: x.found} }

// trimmed is a passage without the white space around it.
func (x passage) trimmed() passage { return x.part(strings.TrimSpace(x.words)) }

// clauses holds a bit for each list of strings of which an expression needs one.
type clauses [mostClauses / 64]uint64

const mostClauses = 512

func (c *clauses) add(n int) { c[n/64] |= 1 << (n % 64) }

func (c *clauses) join(o *clauses) {
	for i := range c {
		c[i] |= o[i]
	}
}

func (c *clauses) holds(o clauses) bool {
	for i := range c {
		if c[i]&o[i] != o[i] {
			return false
		}
	}
	return true
}

// needIndex finds in a text the strings that expressions need. The strings are in one case
// (see oneCase), in lists by a hash of their first headBytes bytes, or of all if they are
// shorter.
type needIndex struct {
	lists  [][]needed
	byHead [1 << 16]uint16      // of lists; 0 is none
	heads  [1 << 16 / 64]uint64 // where byHead has one
}

const headBytes = 3

// needed is a string that some expressions need.
type needed struct {
	words   string
	clauses clauses
}

// newNeedIndex makes the index of expressions, and tells each of their ways what it needs.
func newNeedIndex(expressions []*expression) *needIndex {
	ix := &needIndex{lists: [][]needed{nil}}
	numbers, in := map[string]int{}, map[string]*clauses{}
	for _, e := range expressions {
		for i := range e.ways {
			tree, err := syntax.Parse(e.ways[i].source, syntax.Perl)
			if err != nil {
				panic(err)
			}
			for _, one := range requirementOf(tree).all {
				key := strings.Join(one, "\x00")
				n, ok := numbers[key]
				if !ok {
					n = len(numbers)
					numbers[key] = n
				}
				if n >= mostClauses { // the expression is then tried more often
					continue
				}
				e.ways[i].needs.add(n)
				for _, s := range one {
					if in[s] == nil {
						in[s] = &clauses{}
					}
					in[s].add(n)
				}
			}
		}
	}
	for s, c := range in {
		h := head(s)
		if ix.byHead[h] == 0 {
			ix.byHead[h] = uint16(len(ix.lists))
			ix.heads[h/64] |= 1 << (h % 64)
			ix.lists = append(ix.lists, nil)
		}
		ix.lists[ix.byHead[h]] = append(ix.lists[ix.byHead[h]], needed{s, *c})
	}
	return ix
}

// head is the hash of the first bytes of a string that is not empty.
func head(s string) uint32 {
	n := min(len(s), headBytes)
	k := uint32(0)
	for i := range n {
		k = k<<8 | uint32(s[i])
	}
	return headHash(k, n)
}

// headHash is the hash of n bytes in k.
func headHash(k uint32, n int) uint32 { return (k | uint32(n)<<24) * 0x9E3779B1 >> 16 }

// in returns the clauses of which s holds a string.
func (ix *needIndex) in(s string) (out clauses) {
	var room [512]byte
	b := oneCase(room[:0], s)
	for i := range b {
		k := uint32(0)
		for n := 1; n <= headBytes && i+n <= len(b); n++ {
			k = k<<8 | uint32(b[i+n-1])
			h := headHash(k, n)
			if ix.heads[h/64]>>(h%64)&1 == 0 {
				continue
			}
			list := ix.lists[ix.byHead[h]]
			for j := range list {
				if one := &list[j]; len(one.words) <= len(b)-i &&
					string(b[i:i+len(one.words)]) == one.words {
					out.join(&one.clauses)
				}
			}
		}
	}
	return out
}

// oneCase appends s to b, with one letter for those that differ in case alone.
func oneCase(b []byte, s string) []byte {
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if c >= 'A' && c <= 'Z' {
				c |= 0x20
			}
			b = append(b, c)
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError {
			b = append(b, s[i:i+size]...)
		} else {
			b = utf8.AppendRune(b, oneCaseOf(r))
		}
		i += size
	}
	return b
}

// oneCaseOf is the first of the letters that differ from r in case alone; in ASCII the
// small one.
func oneCaseOf(r rune) rune {
	first := r
	for o := unicode.SimpleFold(r); o != r; o = unicode.SimpleFold(o) {
		first = min(first, o)
	}
	if first < utf8.RuneSelf {
		return unicode.ToLower(first)
	}
	return first
}

// requirement is what a part of an expression needs: strings in one case.
type requirement struct {
	exact []string   // all that it matches; nil where that is too much
	all   [][]string // clauses: each match holds one string of each
}

// mostExact bounds requirement.exact.
const mostExact = 16

// exactly is what a part needs that matches just these strings.
func exactly(ss []string) requirement {
	slices.Sort(ss)
	out := requirement{exact: slices.Compact(ss)}
	if len(out.exact) > mostExact {
		out.exact = nil
	}
	out.needs(ss)
	return out
}

// needs adds a clause, unless nothing or white space fulfils it.
func (r *requirement) needs(ss []string) {
	blank := func(s string) bool { return strings.TrimSpace(s) == "" }
	if len(ss) > 0 && !slices.ContainsFunc(ss, blank) {
		slices.Sort(ss)
		r.all = append(r.all, slices.Compact(ss))
	}
}

// best is the clause that the fewest texts fulfil: of long strings, or of few.
func (r requirement) best() (out []string) {
	shortest := func(ss []string) (n int) {
		for i, s := range ss {
			if i == 0 || len(s) < n {
				n = len(s)
			}
		}
		return n
	}
	for _, ss := range r.all {
		if x, y := shortest(out), shortest(ss); y > x || y == x && len(ss) < len(out) {
			out = ss
		}
	}
	return out
}

func requirementOf(re *syntax.Regexp) requirement {
	switch re.Op {
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText,
		syntax.OpEndText, syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return exactly([]string{""})
	case syntax.OpLiteral:
		return exactly([]string{string(oneCase(nil, string(re.Rune)))})
	case syntax.OpCharClass:
		return requirementOfClass(re.Rune)
	case syntax.OpCapture:
		return requirementOf(re.Sub[0])
	case syntax.OpPlus:
		return requirement{all: requirementOf(re.Sub[0]).all}
	case syntax.OpQuest:
		if one := requirementOf(re.Sub[0]); one.exact != nil {
			return exactly(append([]string{""}, one.exact...))
		}
	case syntax.OpRepeat:
		if re.Min > 0 {
			return requirement{all: requirementOf(re.Sub[0]).all}
		}
	case syntax.OpConcat:
		return requirementOfAll(re.Sub)
	case syntax.OpAlternate:
		return requirementOfOne(re.Sub)
	}
	return requirement{}
}

// requirementOfClass is that of a class of characters, given as ranges.
func requirementOfClass(ranges []rune) requirement {
	const most = 16 // characters
	var out []string
	for i := 0; i+1 < len(ranges); i += 2 {
		for r := ranges[i]; r <= ranges[i+1]; r++ {
			if len(out) == most {
				return requirement{}
			}
			out = append(out, string(oneCaseOf(r)))
		}
	}
	return exactly(out)
}

// requirementOfAll is that of parts one behind the other.
func requirementOfAll(parts []*syntax.Regexp) (out requirement) {
	run, whole := []string{""}, true // run: what the parts match since one that matches too much
	for _, part := range parts {
		one := requirementOf(part)
		if one.exact != nil && len(one.exact)*len(run) <= mostExact {
			var longer []string
			for _, a := range run {
				for _, b := range one.exact {
					longer = append(longer, a+b)
				}
			}
			run = longer
			continue
		}
		out.needs(run)
		run, whole = []string{""}, false
		if one.exact != nil {
			run = one.exact
		} else {
			out.all = append(out.all, one.all...)
		}
	}
	if whole {
		return exactly(run)
	}
	out.needs(run)
	return out
}

// requirementOfOne is that of one of several parts.
func requirementOfOne(parts []*syntax.Regexp) requirement {
	var exact, one []string
	isExact, known := true, true
	for _, part := range parts {
		r := requirementOf(part)
		best := r.best()
		isExact, known = isExact && r.exact != nil, known && best != nil
		exact, one = append(exact, r.exact...), append(one, best...)
	}
	if isExact {
		return exactly(exact)
	}
	var out requirement
	if known {
		out.needs(one)
	}
	return out
}

package crawl

import "strings"

// glob is a compiled include or exclude.
type glob struct {
	pattern string // as the user wrote it
	steps   []globStep
	query   bool // about path and query
	below   bool // also covers what lies below
	whole   bool // begins with a slash, so it is about the whole path
}

func newGlob(pattern, base string) glob {
	g := glob{pattern: pattern, query: strings.Contains(pattern, "?")}
	g.below = strings.HasSuffix(pattern, "/") || !strings.Contains(pattern, "*") && !g.query
	g.whole = strings.HasPrefix(pattern, "/")
	if !g.whole && !strings.HasPrefix(pattern, "**") {
		pattern = base + "**/" + pattern
	}
	g.steps = globSteps(strings.TrimSuffix(pattern, "/"))
	return g
}

func (g *glob) match(a address) bool {
	path := a.path
	if g.query {
		if a.query == "" {
			return false
		}
		path += "?" + a.query
	}
	return globMatch(g.steps, path, g.below)
}

// globStep is a part of a pattern: a character, or a run of them.
type globStep struct {
	kind globKind
	c    byte
}

type globKind int

const (
	globChar   globKind = iota
	globStar            // *: any run without a slash
	globDeep            // **: any run
	globFolder          // **/: nothing, or any run that ends in a slash
)

func globSteps(pattern string) (steps []globStep) {
	for i := 0; i < len(pattern); i++ {
		switch {
		case strings.HasPrefix(pattern[i:], "**/") && (i == 0 || pattern[i-1] == '/'):
			steps = append(steps, globStep{kind: globFolder})
			i += 2
		case strings.HasPrefix(pattern[i:], "**"):
			steps = append(steps, globStep{kind: globDeep})
			i++
		case pattern[i] == '*':
			steps = append(steps, globStep{kind: globStar})
		default:
			steps = append(steps, globStep{c: pattern[i]})
		}
	}
	return steps
}

// globMatch follows all places at once at which the pattern may stand, so its time
// is at most the product of both lengths. With below, a path also matches when the
// pattern covers it up to one of its slashes.
func globMatch(steps []globStep, path string, below bool) bool {
	m := globMatcher{steps: steps, at: make([]bool, len(steps)+1),
		next: make([]bool, len(steps)+1), inFolder: make([]bool, len(steps))}
	m.at[0] = true
	m.skip()
	for k := 0; k < len(path); k++ {
		if below && m.at[len(steps)] && path[k] == '/' {
			return true
		}
		m.take(path[k])
	}
	return m.at[len(steps)]
}

// globMatcher is a match in progress.
type globMatcher struct {
	steps    []globStep
	at       []bool // at[i]: the first i steps are done
	next     []bool // the same after the next character
	inFolder []bool // inFolder[i]: step i is a folder that has begun and waits for its slash
}

// skip passes over steps that may be nothing.
func (m *globMatcher) skip() {
	for i, s := range m.steps {
		if m.at[i] && s.kind != globChar {
			m.at[i+1] = true
		}
	}
}

// take takes a character of the path.
func (m *globMatcher) take(c byte) {
	clear(m.next)
	for i, s := range m.steps {
		switch {
		case s.kind == globFolder:
			m.inFolder[i] = m.inFolder[i] || m.at[i]
			if m.inFolder[i] && c == '/' {
				m.next[i+1] = true
			}
		case !m.at[i]:
		case s.kind == globDeep, s.kind == globStar && c != '/':
			m.next[i] = true
		case s.kind == globChar && s.c == c:
			m.next[i+1] = true
		}
	}
	m.at, m.next = m.next, m.at
	m.skip()
}

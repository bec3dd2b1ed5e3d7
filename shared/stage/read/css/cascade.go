package css

import (
	"cmp"
	"slices"
	"strings"
	"wstk/shared/stage/read/dom"

	"golang.org/x/net/html"
)

// ranked is a declaration with what decides between it and others.
type ranked struct {
	level  int // importance, layer, attribute
	weight int
	order  int
	pseudo string // before, after, marker; "" and first-line are the element's own
	decl   *Declaration
}

// Style returns what rules, attributes and the style attribute of element i declare, and
// nil where nothing is declared. inline says whether the attribute declares anything.
func (s *Sheet) Style(t *dom.Tree, i int) (st *Style, inline bool) {
	n := t.Els[i].Node
	s.find(t, i)
	own, hints := dom.Attr(n, "style"), presentational(n)
	if len(s.found) == 0 && own == "" && len(hints) == 0 {
		return nil, false
	}
	s.ranked = s.ranked[:0]
	for k := range hints {
		s.ranked = append(s.ranked, ranked{level: levelHint, order: k, decl: &hints[k]})
	}
	for _, r := range s.found {
		s.rank(r)
	}
	if own != "" {
		decls := declarations(stripComments(own))
		inline = len(decls) > 0
		for k := range decls {
			level := levelInline
			if decls[k].important {
				level = levelInlineImportant
			}
			s.ranked = append(s.ranked, ranked{level: level, order: k, decl: &decls[k]})
		}
	}
	slices.SortStableFunc(s.ranked, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(a.level, b.level), cmp.Compare(a.weight, b.weight),
			cmp.Compare(a.order, b.order))
	})
	return s.cascade(n), inline
}

// Levels of the cascade, from the weakest to the strongest. Rules stand between by their
// layer, and important ones by their layer in reverse.
const (
	levelHint            = -1
	levelInline          = unlayered + 1
	levelImportant       = 1<<16 + unlayered
	levelInlineImportant = 1 << 17
)

// find collects in s.found the rules that hold for element i.
func (s *Sheet) find(t *dom.Tree, i int) {
	s.found = s.found[:0]
	if s.size == 0 || s.budget <= 0 {
		return
	}
	n := t.Els[i].Node
	if len(s.byID) > 0 {
		if id := dom.Attr(n, "id"); id != "" {
			s.try(s.byID[id], t, i)
		}
	}
	if len(s.byClass) > 0 {
		class := dom.Attr(n, "class")
		for word, at := nextWord(class, 0); word != ""; word, at = nextWord(class, at) {
			if rules := s.byClass[word]; rules != nil && !dom.HasWord(class[:at-len(word)], word) {
				s.try(rules, t, i)
			}
		}
	}
	s.try(s.byTag[strings.ToLower(n.Data)], t, i)
	s.try(s.any, t, i)
}

// nextWord returns the next of the words of a list that white space separates, and where it
// ends; "" after the last.
func nextWord(list string, from int) (word string, end int) {
	for from < len(list) && dom.HTMLSpace(list[from]) {
		from++
	}
	end = from
	for end < len(list) && !dom.HTMLSpace(list[end]) {
		end++
	}
	return list[from:end], end
}

// try adds those of rules that hold for element i to s.found.
func (s *Sheet) try(rules []*rule, t *dom.Tree, i int) {
	n := t.Els[i].Node
	for _, r := range rules {
		if !s.spend() {
			return
		}
		if r.root != s.root(i) || !s.mayStandIn(i, r.sel) ||
			r.sel.pseudo == "first-line" && t.TextBytes(i) > maxFirstLine {
			continue
		}
		if s.matches(n, r.sel) && s.inScope(n, r) {
			s.found = append(s.found, r)
		}
	}
}

// rank adds the declarations of a rule to s.ranked.
func (s *Sheet) rank(r *rule) {
	for k := range r.decls {
		d := &r.decls[k]
		if r.sel.pseudo == "first-line" && d.property != "color" && d.property != "font-size" &&
			d.property != "-webkit-text-fill-color" {
			continue
		}
		level := r.layer
		if d.important {
			level = levelImportant - r.layer
		}
		s.ranked = append(s.ranked, ranked{level, r.weight, r.order, r.sel.pseudo, d})
	}
}

// cascade returns the style that s.ranked comes to, in its order.
func (s *Sheet) cascade(n *html.Node) *Style {
	st := newStyle(n)
	for _, r := range s.found {
		st.Waits = st.Waits || r.waits
	}
	animated := false
	for _, r := range s.ranked {
		switch r.pseudo {
		case "before", "after", "marker":
			st.Added.of(r.pseudo, n).set(*r.decl)
			continue
		case "details-content":
			if st.Content == nil {
				st.Content = newStyle(n)
			}
			st.Content.set(*r.decl)
			continue
		}
		// what an animation sets lies under what is important
		if r.level > levelInline && !animated {
			animated = true
			s.animate(st)
		}
		st.set(*r.decl)
	}
	if !animated {
		s.animate(st)
	}
	return st
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

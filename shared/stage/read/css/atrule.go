package css

import (
	"slices"
	"strings"
)

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

// conditional are the @-rules whose rules hold if a condition does.
var conditional = map[string]func(condition string) bool{
	"media": mediaHolds, "container": containerHolds, "supports": supports}

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
	if holds := conditional[name]; holds != nil {
		if holds(strings.ToLower(cond)) {
			s.parse(body, in)
		}
		return
	}
	switch name {
	case "layer":
		in.layer = s.layer(in.path, cond)
		if in.path != "" {
			cond = in.path + "." + cond
		}
		in.path = cond
		s.parse(body, in)
	case "scope":
		s.scoped(cond, body, in)
	case "keyframes", "-webkit-keyframes":
		s.keyframes(strings.Trim(cond, `"'`), body)
	case "counter-style":
		if words := contentWords(body, nil); HasWords(words) {
			s.counters[strings.ToLower(cond)] = words
		}
	case "property":
		for _, d := range declarations(
			strings.ReplaceAll(body, "initial-value", "--initial-value")) {
			if d.property == "--initial-value" {
				s.initial[cond] = d.value
			}
		}
	}
}

// scoped reads the rules of @scope (selectors) to (selectors).
func (s *Sheet) scoped(cond, body string, in within) {
	if !strings.HasPrefix(cond, "(") {
		s.parse(body, in)
		return
	}
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
	s.parse(strings.ReplaceAll(body, ":scope", ":is("+cond[1:1+end]+")"), in)
}

// keyframes keeps how an animation ends.
func (s *Sheet) keyframes(name, body string) {
	k := keyframes{never: true}
	from, to := false, false
	for {
		head, rest, ok := strings.Cut(body, "{")
		if !ok {
			break
		}
		at := strings.ToLower(head)
		var decls string
		decls, body = braces(rest)
		list := declarations(decls)
		for step := range strings.SplitSeq(at, ",") {
			step = strings.TrimSpace(step)
			from = from || step == "from" || step == "0%"
			to = to || step == "to" || step == "100%"
		}
		if strings.Contains(at, "to") || strings.Contains(at, "100%") {
			k.last = list
		}
		k.shows = k.shows || slices.ContainsFunc(list, isSeen)
		k.never = k.never && slices.ContainsFunc(list, isUnseen)
	}
	k.never = k.never && from && to
	s.frames[name] = k
}

func isSeen(d Declaration) bool { return d.property == "opacity" && Number(d.value, 1) > Faint }

func isUnseen(d Declaration) bool {
	return d.property == "opacity" && Number(d.value, 1) <= Faint ||
		d.property == "visibility" && d.value == "hidden"
}

package asl

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// path is a reference path: it names one place, in the data ($) or in the context
// object ($$).
type path struct {
	src     string
	context bool
	steps   []any // string: a field, int: an index
}

var pathStep = regexp.MustCompile(`^(?:\.([\pL_][\pL\pN_-]*)|\['([^'\\]*)'\]|\[([0-9]{1,9})\])`)

// contextPaths are the parts of the context object that are filled here.
var contextPaths = []string{"$$.Execution.Id", "$$.Execution.Input", "$$.Execution.Name",
	"$$.Execution.StartTime",
	"$$.State.Name", "$$.Map.Item.Index", "$$.Map.Item.Value"}

func (p *parser) path(src string) (path, error) {
	out := path{src: src}
	rest, ok := strings.CutPrefix(src, "$")
	if !ok {
		return out, fmt.Errorf("%q is not a path: it has to begin with $", src)
	}
	if after, ok := strings.CutPrefix(rest, "$"); ok {
		out.context, rest = true, after
		known := slices.ContainsFunc(contextPaths, func(c string) bool {
			after, ok := strings.CutPrefix(src, c)
			return ok && (after == "" || after[0] == '.' || after[0] == '[')
		})
		if !known {
			return out, fmt.Errorf("%s is not supported; the supported paths of the context "+
				"object are %s", src, strings.Join(contextPaths, ", "))
		}
		if strings.HasPrefix(src, "$$.Map.") && p.maps == 0 {
			return out, fmt.Errorf("%s stands outside of a Map", src)
		}
	}
	for rest != "" {
		m := pathStep.FindStringSubmatch(rest)
		if m == nil {
			return out, fmt.Errorf("the path %s is not supported: only fields and indexes are", src)
		}
		rest = rest[len(m[0]):]
		switch {
		case m[3] != "":
			n, _ := strconv.Atoi(m[3]) // digits that fit
			out.steps = append(out.steps, n)
		default:
			out.steps = append(out.steps, m[1]+m[2])
		}
	}
	return out, nil
}

// get returns the value at the path.
func (p path) get(s scope) (any, bool) {
	v := s.data
	if p.context {
		v = s.context()
	}
	for _, step := range p.steps {
		switch step := step.(type) {
		case string:
			m, _ := v.(map[string]any)
			x, ok := m[step]
			if !ok {
				return nil, false
			}
			v = x
		case int:
			list, _ := v.([]any)
			if step >= len(list) {
				return nil, false
			}
			v = list[step]
		}
	}
	return v, true
}

// filter is an InputPath or OutputPath.
type filter struct {
	path
	null bool // gives {}
}

func (p *parser) filter(raw json.RawMessage) (filter, error) {
	if string(raw) == "null" {
		return filter{null: true}, nil
	}
	src := "$"
	if raw != nil {
		if err := json.Unmarshal(raw, &src); err != nil {
			return filter{}, errors.New("it has to be a path or null")
		}
	}
	at, err := p.path(src)
	return filter{path: at}, err
}

func (f filter) get(s scope) (any, *failure) {
	if f.null {
		return map[string]any{}, nil
	}
	v, ok := f.path.get(s)
	if !ok {
		return nil, fail(runtimeFailed, "state %q: there is nothing at %s", s.state, f.src)
	}
	return v, nil
}

// place is a ResultPath.
type place struct {
	fields []string // none: the result takes the place of the input
	null   bool     // the result is dropped
}

func (p *parser) place(raw json.RawMessage) (place, error) {
	f, err := p.filter(raw)
	if err != nil || f.null {
		return place{null: f.null}, err
	}
	if f.context {
		return place{}, fmt.Errorf("a result cannot be put into the context object")
	}
	var out place
	for _, step := range f.steps {
		name, ok := step.(string)
		if !ok {
			return out, fmt.Errorf("the path %s is not supported: a result is put into a field",
				f.src)
		}
		out.fields = append(out.fields, name)
	}
	return out, nil
}

// put returns input with result at the place; input itself stays as it is.
func (p place) put(state string, input, result any) (any, *failure) {
	if p.null {
		return input, nil
	}
	out, ok := put(p.fields, input, result)
	if !ok {
		return nil, fail(resultPathFails,
			"state %q: the result does not fit into the input at $.%s", state,
			strings.Join(p.fields, "."))
	}
	return out, nil
}

func put(fields []string, v, result any) (any, bool) {
	if len(fields) == 0 {
		return result, true
	}
	m, ok := v.(map[string]any)
	if !ok {
		return nil, false
	}
	inner, ok := m[fields[0]]
	if !ok {
		inner = map[string]any{}
	}
	inner, ok = put(fields[1:], inner, result)
	m = maps.Clone(m)
	m[fields[0]] = inner
	return m, ok
}

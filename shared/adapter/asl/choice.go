package asl

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// test is a condition of a Choice.
type test func(scope) (bool, *failure)

// comparison reports whether a value stands to another as an operator says. Values of
// another type than the operator's never do.
type comparison func(v, other any) bool

// comparisons are the operators with two sides; each has a twin ending in Path.
var comparisons = func() map[string]comparison {
	out := map[string]comparison{"BooleanEquals": func(v, other any) bool {
		a, ok := v.(bool)
		return ok && a == other
	}}
	for suffix, holds := range map[string]func(int) bool{
		"Equals":            func(c int) bool { return c == 0 },
		"LessThan":          func(c int) bool { return c < 0 },
		"GreaterThan":       func(c int) bool { return c > 0 },
		"LessThanEquals":    func(c int) bool { return c <= 0 },
		"GreaterThanEquals": func(c int) bool { return c >= 0 },
	} {
		out["String"+suffix] = compare(func(v any) (string, bool) {
			s, ok := v.(string)
			return s, ok
		}, strings.Compare, holds)
		out["Numeric"+suffix] = compare(float, cmp.Compare[float64], holds)
		out["Timestamp"+suffix] = compare(timestamp, time.Time.Compare, holds)
	}
	return out
}()

func compare[T any](
	as func(any) (T, bool), order func(a, b T) int, holds func(int) bool,
) comparison {
	return func(v, other any) bool {
		a, ok := as(v)
		b, ok2 := as(other)
		return ok && ok2 && holds(order(a, b))
	}
}

func float(v any) (float64, bool) {
	n, ok := v.(json.Number)
	f, err := n.Float64()
	return f, ok && err == nil
}

func timestamp(v any) (time.Time, bool) {
	s, _ := v.(string)
	t, err := time.Parse(time.RFC3339, s)
	return t, err == nil
}

// kinds are the operators that ask what a value is.
var kinds = map[string]func(v any) bool{
	"IsNull":      func(v any) bool { return v == nil },
	"IsString":    func(v any) bool { _, ok := v.(string); return ok },
	"IsNumeric":   func(v any) bool { _, ok := float(v); return ok },
	"IsBoolean":   func(v any) bool { _, ok := v.(bool); return ok },
	"IsTimestamp": func(v any) bool { _, ok := timestamp(v); return ok },
}

// test parses a condition: And, Or, Not, or one operator on a Variable.
func (p *parser) test(raw json.RawMessage, extra string) (test, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		return nil, errors.New("a condition has to be an object")
	}
	maps.DeleteFunc(fields, func(key string, _ json.RawMessage) bool {
		return slices.Contains(strings.Fields(extra), key)
	})
	variable := fields["Variable"]
	delete(fields, "Variable")
	if len(fields) != 1 {
		return nil, fmt.Errorf("a condition has one operator, not %v",
			slices.Sorted(maps.Keys(fields)))
	}
	for op, operand := range fields {
		switch {
		case variable != nil:
			return p.operator(variable, op, operand)
		case op == "And", op == "Or":
			return p.junction(op, operand)
		case op == "Not":
			inner, err := p.test(operand, "")
			return func(s scope) (bool, *failure) {
				ok, f := inner(s)
				return !ok, f
			}, err
		default:
			return nil, fmt.Errorf("%q is not supported, or has no Variable", op)
		}
	}
	panic("unreachable")
}

func (p *parser) junction(op string, operand json.RawMessage) (test, error) {
	var list []json.RawMessage
	if err := json.Unmarshal(operand, &list); err != nil || len(list) == 0 {
		return nil, fmt.Errorf("%q takes a list of conditions", op)
	}
	tests := make([]test, len(list))
	for i, raw := range list {
		var err error
		if tests[i], err = p.test(raw, ""); err != nil {
			return nil, err
		}
	}
	decides := op == "Or" // the first condition that gives this ends it
	return func(s scope) (bool, *failure) {
		for _, t := range tests {
			if ok, f := t(s); f != nil || ok == decides {
				return ok, f
			}
		}
		return !decides, nil
	}, nil
}

func (p *parser) operator(
	variable json.RawMessage, op string, operand json.RawMessage,
) (test, error) {
	at, err := p.jsonPath(variable)
	if err != nil {
		return nil, err
	}
	value := func(s scope, at path) (any, *failure) {
		v, ok := at.get(s)
		if !ok {
			return nil, fail(runtimeFailed, "state %q: there is nothing at %s", s.state, at.src)
		}
		return v, nil
	}
	if op == "IsPresent" || kinds[op] != nil {
		want, err := flag(op, operand)
		return func(s scope) (bool, *failure) {
			if op == "IsPresent" {
				_, ok := at.get(s)
				return ok == want, nil
			}
			v, f := value(s, at)
			return f == nil && kinds[op](v) == want, f
		}, err
	}
	if op == "StringMatches" {
		pattern, err := pattern(operand)
		return func(s scope) (bool, *failure) {
			v, f := value(s, at)
			text, ok := v.(string)
			return ok && pattern(text), f
		}, err
	}
	base, dynamic := strings.CutSuffix(op, "Path")
	holds := comparisons[base]
	if holds == nil {
		return nil, fmt.Errorf("the operator %q is not supported", op)
	}
	if dynamic {
		other, err := p.jsonPath(operand)
		return func(s scope) (bool, *failure) {
			v, f := value(s, at)
			if f != nil {
				return false, f
			}
			w, f := value(s, other)
			return f == nil && holds(v, w), f
		}, err
	}
	other, err := decode(operand)
	if err != nil {
		return nil, err
	}
	if !sameKind(op, other) {
		return nil, fmt.Errorf("%q does not compare with %s", op, operand)
	}
	return func(s scope) (bool, *failure) {
		v, f := value(s, at)
		return f == nil && holds(v, other), f
	}, nil
}

// sameKind reports whether the operand is of the type that begins the operator's name.
func sameKind(op string, v any) bool {
	switch {
	case strings.HasPrefix(op, "String"):
		return kinds["IsString"](v)
	case strings.HasPrefix(op, "Numeric"):
		return kinds["IsNumeric"](v)
	case strings.HasPrefix(op, "Timestamp"):
		return kinds["IsTimestamp"](v)
	}
	return kinds["IsBoolean"](v)
}

func flag(op string, raw json.RawMessage) (b bool, err error) {
	if err := json.Unmarshal(raw, &b); err != nil || string(raw) == "null" {
		return false, fmt.Errorf("%q takes true or false", op)
	}
	return b, nil
}

func (p *parser) jsonPath(raw json.RawMessage) (path, error) {
	var src string
	if err := json.Unmarshal(raw, &src); err != nil {
		return path{}, fmt.Errorf("%s is not a path", raw)
	}
	return p.path(src)
}

// pattern parses the operand of StringMatches: * is any text, \* a star, \\ a backslash.
func pattern(raw json.RawMessage) (func(string) bool, error) {
	var src string
	if err := json.Unmarshal(raw, &src); err != nil {
		return nil, errors.New("StringMatches takes a string")
	}
	parts := []string{""}
	for i := 0; i < len(src); i++ {
		switch {
		case src[i] == '\\' && i+1 < len(src):
			i++
			parts[len(parts)-1] += src[i : i+1]
		case src[i] == '*':
			parts = append(parts, "")
		default:
			parts[len(parts)-1] += src[i : i+1]
		}
	}
	return func(s string) bool {
		first, last := parts[0], parts[len(parts)-1]
		if len(parts) == 1 {
			return s == first
		}
		if len(s) < len(first)+len(last) || !strings.HasPrefix(s, first) ||
			!strings.HasSuffix(s, last) {
			return false
		}
		s = s[len(first) : len(s)-len(last)]
		for _, part := range parts[1 : len(parts)-1] {
			i := strings.Index(s, part)
			if i < 0 {
				return false
			}
			s = s[i+len(part):]
		}
		return true
	}, nil
}

package asl

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// scope is what paths are looked up in.
type scope struct {
	x     *execution
	state string
	data  any   // $
	item  *item // of the Map around, nil where there is none
}

type item struct {
	index int
	value any
}

// context is the context object, $$.
func (s scope) context() any {
	c := map[string]any{
		"Execution": map[string]any{"Id": "local:" + s.x.m.name + ":" + s.x.name, "Name": s.x.name,
			"Input": s.x.input, "StartTime": s.x.started},
		"State": map[string]any{"Name": s.state},
	}
	if s.item != nil {
		c["Map"] = map[string]any{"Item": map[string]any{"Index": number(s.item.index), "Value": s.item.value}}
	}
	return c
}

func number(n int) json.Number { return json.Number(strconv.Itoa(n)) }

// expr makes a value: a payload template, or the path or intrinsic function in it.
type expr func(scope) (any, *failure)

func constant(v any) expr { return func(scope) (any, *failure) { return v, nil } }

// template parses Parameters, a ResultSelector or an ItemSelector.
func (p *parser) template(raw json.RawMessage) (expr, error) {
	if raw == nil {
		return nil, nil
	}
	v, err := decode(raw)
	if err != nil {
		return nil, err
	}
	if _, ok := v.(map[string]any); !ok {
		return nil, errors.New("it has to be an object")
	}
	return p.value(v)
}

func (p *parser) value(v any) (expr, error) {
	switch v := v.(type) {
	case map[string]any:
		fields := map[string]expr{}
		for key, inner := range v {
			name, dynamic := strings.CutSuffix(key, ".$")
			e, err := p.value(inner)
			if dynamic {
				src, ok := inner.(string)
				if !ok {
					return nil, fmt.Errorf("%q has to be a path or an intrinsic function", key)
				}
				e, err = p.expr(src)
			}
			if err != nil {
				return nil, err
			}
			if fields[name] != nil {
				return nil, fmt.Errorf("%q is there twice, as a value and as a path", name)
			}
			fields[name] = e
		}
		return func(s scope) (any, *failure) {
			out := make(map[string]any, len(fields))
			for name, e := range fields {
				x, f := e(s)
				if f != nil {
					return nil, f
				}
				out[name] = x
			}
			return out, nil
		}, nil
	case []any:
		list := make([]expr, len(v))
		for i, inner := range v {
			e, err := p.value(inner)
			if err != nil {
				return nil, err
			}
			list[i] = e
		}
		return all(list), nil
	}
	return constant(v), nil
}

// all makes an array.
func all(list []expr) expr {
	return func(s scope) (any, *failure) {
		out := make([]any, len(list))
		for i, e := range list {
			x, f := e(s)
			if f != nil {
				return nil, f
			}
			out[i] = x
		}
		return out, nil
	}
}

// expr parses a path or an intrinsic function.
func (p *parser) expr(src string) (expr, error) {
	if strings.HasPrefix(src, "$") {
		at, err := p.path(src)
		if err != nil {
			return nil, err
		}
		return func(s scope) (any, *failure) {
			v, ok := at.get(s)
			if !ok {
				return nil, fail(runtimeFailed, "state %q: there is nothing at %s", s.state, src)
			}
			return v, nil
		}, nil
	}
	if !strings.HasPrefix(src, "States.") {
		return nil, fmt.Errorf("%q is neither a path nor an intrinsic function", src)
	}
	e, rest, err := p.call(src)
	if err == nil && strings.TrimSpace(rest) != "" {
		err = fmt.Errorf("%q follows the end of %s", rest, src)
	}
	return e, err
}

// intrinsic is a function of the language. It gets its arguments' values; arity is
// their number, -1 for any.
type intrinsic struct {
	arity int
	do    func(args []any) (any, error)
}

var intrinsics = map[string]intrinsic{
	"States.Array": {-1, func(args []any) (any, error) { return args, nil }},
	"States.ArrayLength": {1, func(args []any) (any, error) {
		list, ok := args[0].([]any)
		if !ok {
			return nil, errors.New("the argument is not an array")
		}
		return number(len(list)), nil
	}},
	"States.JsonToString": {1, func(args []any) (any, error) {
		return string(encode(args[0])), nil
	}},
	"States.StringToJson": {1, func(args []any) (any, error) {
		s, ok := args[0].(string)
		if !ok {
			return nil, errors.New("the argument is not a string")
		}
		return decode([]byte(s))
	}},
	"States.MathAdd": {2, func(args []any) (any, error) {
		sum := 0
		for _, a := range args {
			n, _ := a.(json.Number)
			i, err := strconv.ParseInt(string(n), 10, 32)
			if err != nil {
				return nil, errors.New("an argument is not a 32-bit integer")
			}
			sum += int(i)
		}
		return number(sum), nil
	}},
}

const formatName = "States.Format"

// call parses an intrinsic function at the beginning of src.
func (p *parser) call(src string) (e expr, rest string, err error) {
	name, rest, ok := strings.Cut(src, "(")
	if !ok {
		return nil, "", fmt.Errorf("%q is not a call", src)
	}
	fn, known := intrinsics[name]
	if !known && name != formatName {
		return nil, "", fmt.Errorf("the intrinsic function %s is not supported", name)
	}
	var args []expr
	var format string // the first argument, when it is a string
	for rest = strings.TrimLeft(rest, " "); ; {
		if after, ok := strings.CutPrefix(rest, ")"); ok && len(args) == 0 {
			rest = after
			break
		}
		if len(args) == 0 && strings.HasPrefix(rest, "'") {
			format = rest
		}
		var arg expr
		if arg, rest, err = p.argument(rest); err != nil {
			return nil, "", err
		}
		args = append(args, arg)
		rest = strings.TrimLeft(rest, " ")
		if after, ok := strings.CutPrefix(rest, ")"); ok {
			rest = after
			break
		}
		if rest, ok = strings.CutPrefix(rest, ","); !ok {
			return nil, "", fmt.Errorf("a comma or a parenthesis is missing in %s", src)
		}
		rest = strings.TrimLeft(rest, " ")
	}
	if name == formatName {
		e, err := formatExpr(format, args)
		return e, rest, err
	}
	if fn.arity >= 0 && len(args) != fn.arity {
		return nil, "", fmt.Errorf("%s takes %d arguments and has %d", name, fn.arity, len(args))
	}
	values := all(args)
	return func(s scope) (any, *failure) {
		v, f := values(s)
		if f != nil {
			return nil, f
		}
		out, err := fn.do(v.([]any))
		if err != nil {
			return nil, fail(intrinsicFailed, "state %q: %s: %v", s.state, name, err)
		}
		return out, nil
	}, rest, nil
}

// argument parses one argument of an intrinsic function: a string in single quotes, a
// number, true, false, null, a path or another call.
func (p *parser) argument(src string) (e expr, rest string, err error) {
	switch {
	case strings.HasPrefix(src, "'"):
		raw, rest, err := quoted(src)
		if err != nil {
			return nil, "", err
		}
		return constant(strings.Join(pieces(raw, false), "")), rest, nil
	case strings.HasPrefix(src, "States."):
		return p.call(src)
	}
	end := strings.IndexAny(src, ",) ")
	if end < 0 {
		return nil, "", fmt.Errorf("a parenthesis is missing after %q", src)
	}
	word, rest := src[:end], src[end:]
	if strings.HasPrefix(word, "$") {
		e, err = p.expr(word)
		return e, rest, err
	}
	v, err := decode([]byte(word))
	if err != nil {
		return nil, "", fmt.Errorf("%q is not an argument", word)
	}
	if s, ok := v.(string); ok {
		return nil, "", fmt.Errorf("%q has to be in single quotes", s)
	}
	return constant(v), rest, nil
}

// quoted cuts a string in single quotes off src; escapes stay in it.
func quoted(src string) (raw, rest string, err error) {
	for i := 1; i < len(src); i++ {
		switch src[i] {
		case '\\':
			i++
		case '\'':
			return src[1:i], src[i+1:], nil
		}
	}
	return "", "", fmt.Errorf("the string %s does not end", src)
}

// pieces removes the escapes of a quoted string and, where holes is set, splits it at
// each {}.
func pieces(raw string, holes bool) []string {
	out := []string{""}
	for i := 0; i < len(raw); i++ {
		switch {
		case raw[i] == '\\' && i+1 < len(raw):
			i++
			out[len(out)-1] += raw[i : i+1]
		case holes && strings.HasPrefix(raw[i:], "{}"):
			i++
			out = append(out, "")
		default:
			out[len(out)-1] += raw[i : i+1]
		}
	}
	return out
}

// formatExpr is States.Format: each {} of the first argument becomes the next one.
func formatExpr(format string, args []expr) (expr, error) {
	if format == "" {
		return nil, fmt.Errorf("the first argument of %s has to be a string in single quotes",
			formatName)
	}
	raw, _, err := quoted(format)
	if err != nil {
		return nil, err
	}
	texts := pieces(raw, true)
	if len(texts) != len(args) {
		return nil, fmt.Errorf("%s has %d places and %d values", formatName,
			len(texts)-1, len(args)-1)
	}
	values := all(slices.Clone(args[1:]))
	return func(s scope) (any, *failure) {
		list, f := values(s)
		if f != nil {
			return nil, f
		}
		out := texts[0]
		for i, v := range list.([]any) {
			switch v := v.(type) {
			case string:
				out += v
			case []any, map[string]any:
				return nil, fail(intrinsicFailed, "state %q: %s takes no arrays and objects",
					s.state, formatName)
			default:
				out += string(encode(v))
			}
			out += texts[i+1]
		}
		return out, nil
	}, nil
}

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// field checks one value of JSON:
//
//	field FILE PATH OP [VALUE]
//
// FILE is a file or stdout. PATH is a dotted path with numbers for indexes and len for
// the length of a list. OP is =, !=, <, >, contains, exists, null, sums (VALUE: the
// other numbers of the same object add up to this one), or set (VALUE: a variable).
func field(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 3 {
		ts.Fatalf("usage: field FILE PATH OP [VALUE]")
	}
	var data []byte
	if args[0] == "stdout" {
		data = []byte(ts.ReadFile("stdout"))
	} else {
		var err error
		data, err = os.ReadFile(ts.MkAbs(args[0]))
		ts.Check(err)
	}
	var root any
	dec := json.NewDecoder(strings.NewReader(string(data)))
	dec.UseNumber()
	if err := dec.Decode(&root); err != nil {
		ts.Fatalf("not JSON: %v\n%s", err, data)
	}
	if dec.More() {
		ts.Fatalf("more than one JSON value")
	}
	conforms(ts, data)
	got, parent, found := lookup(root, args[1])
	op, want := args[2], strings.Join(args[3:], " ")
	ok := false
	switch op {
	case "exists":
		ok = found
	case "null":
		ok = found && got == nil
	case "=":
		ok = found && fmt.Sprint(got) == want
	case "!=":
		ok = found && fmt.Sprint(got) != want
	case "contains":
		ok = found && strings.Contains(fmt.Sprint(got), want)
	case "<", ">":
		a, errA := strconv.ParseFloat(fmt.Sprint(got), 64)
		b, errB := strconv.ParseFloat(want, 64)
		ok = errA == nil && errB == nil && (op == "<" && a < b || op == ">" && a > b)
	case "sums":
		total := int64(0)
		name := args[1][strings.LastIndexByte(args[1], '.')+1:]
		for k, v := range parent {
			n, isNumber := v.(json.Number)
			if !isNumber {
				ts.Fatalf("%s holds %s, which is no number", args[1], k)
			}
			if k != name {
				i, err := n.Int64()
				ts.Check(err)
				total += i
			}
		}
		ok = found && fmt.Sprint(got) == strconv.FormatInt(total, 10)
		want = strconv.FormatInt(total, 10)
	case "set":
		ts.Setenv(args[3], fmt.Sprint(got))
		return
	default:
		ts.Fatalf("unknown operator %s", op)
	}
	if ok == neg {
		ts.Fatalf("%s is %v (found %v), wanted %s %s\n%s", args[1], got, found, op, want, data)
	}
}

func lookup(v any, path string) (got any, parent map[string]any, found bool) {
	for _, part := range strings.Split(path, ".") {
		switch x := v.(type) {
		case map[string]any:
			parent = x
			if v, found = x[part]; !found {
				return nil, parent, false
			}
		case []any:
			if part == "len" {
				v = json.Number(strconv.Itoa(len(x)))
				found = true
				continue
			}
			i, err := strconv.Atoi(part)
			if err != nil || i < 0 || i >= len(x) {
				return nil, parent, false
			}
			v, found = x[i], true
		default:
			return nil, parent, false
		}
	}
	return v, parent, found
}

package infra

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// node is a part of the template: map[string]any, []any, string, int, bool. CloudFormation's
// short tags are maps of one key, as in its JSON: !Ref X is {Ref: X}, !Sub Y is {Fn::Sub: Y}.
type node = any

// stack is a template that is read.
type stack struct{ root node }

// readStack parses a template again, so that a test may change it.
func readStack(t *testing.T) stack {
	t.Helper()
	data, err := os.ReadFile("../template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	return stack{plain(t, doc.Content[0])}
}

func plain(t *testing.T, n *yaml.Node) node {
	t.Helper()
	tag := n.Tag
	if short := strings.HasPrefix(tag, "!") && !strings.HasPrefix(tag, "!!"); short {
		copied := *n
		copied.Tag = ""
		name := tag[1:]
		if name != "Ref" && name != "Condition" {
			name = "Fn::" + name
		}
		if n.Kind == yaml.ScalarNode {
			return map[string]any{name: n.Value}
		}
		return map[string]any{name: plain(t, &copied)}
	}
	switch n.Kind {
	case yaml.MappingNode:
		m := map[string]any{}
		for i := 0; i < len(n.Content); i += 2 {
			m[n.Content[i].Value] = plain(t, n.Content[i+1])
		}
		return m
	case yaml.SequenceNode:
		list := []any{}
		for _, c := range n.Content {
			list = append(list, plain(t, c))
		}
		return list
	}
	var v any
	if err := n.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

// at follows a path of keys and places, with slashes between; nil where it leads nowhere.
func at(n node, path string) node {
	for _, step := range strings.Split(path, "/") {
		switch in := n.(type) {
		case map[string]any:
			n = in[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(in) {
				return nil
			}
			n = in[i]
		default:
			return nil
		}
	}
	return n
}

// text writes a value down: an intrinsic function as its argument, so that !GetAtt A.Arn
// is A.Arn, and !Sub is what it is made of.
func text(n node) string {
	switch v := n.(type) {
	case nil:
		return ""
	case map[string]any:
		for _, name := range []string{"Ref", "Fn::GetAtt", "Fn::Sub", "Condition"} {
			if s, ok := v[name].(string); ok && len(v) == 1 {
				return s
			}
		}
	}
	return fmt.Sprint(n)
}

// list is n's items; a single value is a list of one.
func list(n node) []any {
	switch v := n.(type) {
	case nil:
		return nil
	case []any:
		return v
	}
	return []any{n}
}

func texts(n node) (out []string) {
	for _, v := range list(n) {
		out = append(out, text(v))
	}
	return out
}

func (s stack) get(path string) node { return at(s.root, path) }

// named are the resources of a type, by logical name, in order.
func (s stack) named(kind string) []string {
	var out []string
	for name, r := range s.get("Resources").(map[string]any) {
		if at(r, "Type") == kind {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// property of a resource.
func (s stack) property(resource, path string) node {
	return s.get("Resources/" + resource + "/Properties/" + path)
}

// number is an integer, or the default of the parameter that n refers to.
func (s stack) number(n node) int {
	if i, ok := n.(int); ok {
		return i
	}
	i, _ := s.get("Parameters/" + text(n) + "/Default").(int)
	return i
}

// words are the functions, as XFunction is called in this house: x.
func (s stack) words() (out []string) {
	for _, f := range s.named("AWS::Serverless::Function") {
		out = append(out, strings.ToLower(strings.TrimSuffix(f, "Function")))
	}
	return out
}

// function is the logical name of a word's function; queue likewise.
func function(word string) string { return title(word) + "Function" }
func queue(word string) string    { return title(word) + "Queue" }
func title(word string) string    { return strings.ToUpper(word[:1]) + word[1:] }

// set changes the value at a path; nil removes it. A path that leads nowhere ends the test.
func (s stack) set(t *testing.T, path string, value node) {
	t.Helper()
	cut := strings.LastIndex(path, "/")
	parent, key := s.get(path[:cut]), path[cut+1:]
	switch in := parent.(type) {
	case map[string]any:
		if value == nil {
			if _, ok := in[key]; !ok {
				t.Fatalf("there is no %s to remove", path)
			}
			delete(in, key)
			return
		}
		in[key] = value
	case []any:
		i, err := strconv.Atoi(key)
		if err != nil || i >= len(in) {
			t.Fatalf("there is no %s", path)
		}
		in[i] = value
	default:
		t.Fatalf("there is no %s", path[:cut])
	}
}

// Every rule holds for the template.
func TestTemplate(t *testing.T) {
	s := readStack(t)
	for _, name := range slices.Sorted(maps.Keys(rules)) {
		t.Run(name, func(t *testing.T) {
			for _, complaint := range rules[name](s) {
				t.Error(complaint)
			}
		})
	}
}

// Every rule can fail: each change of a template that is right makes the rule speak that
// is named beside it.
func TestEveryRuleCanFail(t *testing.T) {
	tried := map[string]bool{}
	for _, bad := range badStacks {
		tried[bad.rule] = true
		t.Run(bad.rule+" "+bad.path, func(t *testing.T) {
			rule := rules[bad.rule]
			if rule == nil {
				t.Fatal("there is no such rule")
			}
			s := readStack(t)
			s.set(t, bad.path, bad.value)
			if len(rule(s)) == 0 {
				t.Error("there is no complaint")
			}
		})
	}
	for name := range rules {
		if !tried[name] {
			t.Errorf("the rule %q was never seen to fail", name)
		}
	}
}

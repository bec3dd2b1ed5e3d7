package infra

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// A model costs money, and its reply may take minutes. So a stack asks none by default, each
// function may invoke only what the parameters name, and only if it asks, and it has the time.

// value is a part of the template as CloudFormation makes it with these parameters: what
// !If leaves out is nil. Attributes and ids stay names.
func (s stack) value(n node, given map[string]string) node {
	switch v := n.(type) {
	case []any:
		var out []any
		for _, c := range v {
			if got := s.value(c, given); got != nil {
				out = append(out, got)
			}
		}
		return out
	case map[string]any:
		if len(v) == 1 {
			for name, argument := range v {
				if f := intrinsics[name]; f != nil {
					return f(s, argument, given)
				}
			}
		}
		out := map[string]any{}
		for k, c := range v {
			out[k] = s.value(c, given)
		}
		return out
	}
	return n
}

var intrinsics map[string]func(s stack, argument node, given map[string]string) node

func init() {
	intrinsics = map[string]func(stack, node, map[string]string) node{
		"Ref": func(s stack, a node, given map[string]string) node { return s.parameter(text(a), given) },
		"Fn::Sub": func(s stack, a node, given map[string]string) node {
			return placeholder.ReplaceAllStringFunc(text(a), func(m string) string {
				name := strings.Trim(m, "${}")
				if s.get("Parameters/"+name) == nil {
					return m
				}
				return fmt.Sprint(s.parameter(name, given))
			})
		},
		"Fn::If": func(s stack, a node, given map[string]string) node {
			chosen := list(a)
			if s.holds(s.get("Conditions/"+text(chosen[0])), given) {
				return s.value(chosen[1], given)
			}
			return s.value(chosen[2], given)
		},
		"Fn::Join": func(s stack, a node, given map[string]string) node {
			parts := list(a)
			return strings.Join(texts(s.value(parts[1], given)), text(parts[0]))
		},
	}
}

// parameter is the value of a parameter, a list for one that is a list; another name stays.
func (s stack) parameter(name string, given map[string]string) node {
	if name == "AWS::NoValue" {
		return nil
	}
	p := s.get("Parameters/" + name)
	if p == nil {
		return name
	}
	v, ok := given[name]
	if !ok {
		v = fmt.Sprint(at(p, "Default"))
	}
	if at(p, "Type") != "CommaDelimitedList" {
		return v
	}
	var out []any
	for _, part := range strings.Split(v, ",") {
		out = append(out, part)
	}
	return out
}

// holds reports whether a condition holds.
func (s stack) holds(condition node, given map[string]string) bool {
	if name, ok := at(condition, "Condition").(string); ok {
		return s.holds(s.get("Conditions/"+name), given)
	}
	each := func(of string) (out []bool) {
		for _, c := range list(at(condition, of)) {
			out = append(out, s.holds(c, given))
		}
		return out
	}
	switch {
	case at(condition, "Fn::Not") != nil:
		return !each("Fn::Not")[0]
	case at(condition, "Fn::And") != nil:
		return !slices.Contains(each("Fn::And"), false)
	case at(condition, "Fn::Or") != nil:
		return slices.Contains(each("Fn::Or"), true)
	}
	pair := list(at(condition, "Fn::Equals"))
	return fmt.Sprint(s.value(pair[0], given)) == fmt.Sprint(s.value(pair[1], given))
}

// invokes are the models that each function may invoke with these parameters.
func (s stack) invokes(given map[string]string) map[string][]string {
	out := map[string][]string{}
	for _, word := range s.words() {
		for _, p := range list(s.value(s.property(function(word), "Policies"), given)) {
			for _, st := range list(at(p, "Statement")) {
				if slices.Contains(texts(at(st, "Action")), "bedrock:InvokeModel") {
					out[word] = append(out[word], texts(at(st, "Resource"))...)
				}
			}
		}
	}
	return out
}

// operations are the parameters that name the model of one operation, and askers what each
// function asks for. A page that a query names, or that was uploaded, is summarized where it is
// read.
var (
	operations = []string{"ModelSummarize", "ModelClassify", "ModelDecompose", "ModelPartition", "ModelExtract"}
	askers     = map[string][]string{"summarize": {"ModelSummarize"},
		"answer": {"ModelSummarize", "ModelClassify", "ModelDecompose"},
		"recall": {"ModelSummarize", "ModelClassify"}, "upload": {"ModelSummarize"},
		"extract": {"ModelPartition", "ModelExtract"}}
)

const inRegion = "arn:${AWS::Partition}:bedrock:${AWS::Region}::foundation-model/"

func models(s stack) (bad []string) {
	if got := s.invokes(nil); len(got) > 0 {
		bad = append(bad, fmt.Sprintf("without a model, functions may invoke %v", got))
	}
	expect := func(given map[string]string, want map[string][]string) {
		if got := s.invokes(given); !maps.EqualFunc(got, want, slices.Equal) {
			bad = append(bad, fmt.Sprintf("with %v, functions may invoke %v, not %v", given, got, want))
		}
	}
	// asked is what functions may invoke where models are named as given.
	asked := func(given map[string]string) map[string][]string {
		out := map[string][]string{}
		for word, ops := range askers {
			for _, op := range ops {
				if id := cmp.Or(given[op], given["Model"]); id != "" {
					out[word] = append(out[word], inRegion+id)
				}
			}
		}
		return out
	}
	expect(map[string]string{"Model": "m.all"}, asked(map[string]string{"Model": "m.all"}))
	for _, op := range operations {
		one, mixed := map[string]string{op: "m.one"}, map[string]string{"Model": "m.all", op: "m.one"}
		expect(one, asked(one))
		expect(mixed, asked(mixed))
	}
	profile := []string{"arn:aws:bedrock:eu-west-1:123456789012:inference-profile/eu.m",
		"arn:aws:bedrock:eu-west-1::foundation-model/m", "arn:aws:bedrock:eu-north-1::foundation-model/m"}
	through := map[string][]string{}
	for word := range askers {
		through[word] = profile
	}
	expect(map[string]string{"Model": "eu.m", "ModelArns": strings.Join(profile, ",")}, through)
	expect(map[string]string{"ModelArns": strings.Join(profile, ",")}, nil)
	expect(map[string]string{"Embedder": "all-MiniLM-L6-v2"}, nil)
	expect(map[string]string{"Reranker": "m.rerank"}, map[string][]string{"recall": {inRegion + "m.rerank"}, "answer": {inRegion + "m.rerank"},
		"api": {inRegion + "m.rerank"}}) // which ranks for its route /recall
	expect(map[string]string{"Embedder": "m.embed"}, embedding(inRegion+"m.embed"))
	expect(map[string]string{"Embedder": "eu.m", "EmbedderArns": strings.Join(profile, ",")}, embedding(profile...))
	expect(map[string]string{"EmbedderArns": strings.Join(profile, ",")}, nil)
	expect(map[string]string{"Embedder": "m.embed", "EmbedderProvider": "openai"}, nil)
	window := func(given map[string]string) node {
		return s.value(s.property("SummarizeFunction", "Events/SummarizeQueue/Properties/MaximumBatchingWindowInSeconds"), given)
	}
	wait, _ := window(map[string]string{"ModelSummarize": "m"}).(int)
	if window(nil) != 0 || wait != 20 {
		bad = append(bad, "a model is asked for each page by itself, or pages wait without one")
	}
	if t := s.number(s.property("SummarizeFunction", "Timeout")); s.number(s.property("SummarizeQueue", "VisibilityTimeout")) < 6*t+wait {
		bad = append(bad, "a message of summarize comes again before its batch is done")
	}
	return append(append(bad, modelVariables(s)...), modelTimes(s)...)
}

// embedding are the functions that may invoke an embedder: those that index a page, and those that
// search.
func embedding(models ...string) map[string][]string {
	return map[string][]string{"index": models, "answer": models, "recall": models, "upload": models, "api": models}
}

// modelVariables: every function hears which model does an operation, since what one proposed
// another checks; without the parameters it hears of none.
func modelVariables(s stack) (bad []string) {
	for _, name := range operations {
		variable := "WSTK_MODEL_" + strings.ToUpper(strings.TrimPrefix(name, "Model"))
		for _, c := range []struct {
			given map[string]string
			want  string
		}{{nil, ""}, {map[string]string{"Model": "m.all"}, "bedrock:m.all"},
			{map[string]string{"Model": "m.all", name: "m.one"}, "bedrock:m.one"},
			{map[string]string{name: "m.one"}, "bedrock:m.one"}} {
			if got := s.value(s.get("Globals/Function/Environment/Variables/"+variable), c.given); got != c.want {
				bad = append(bad, fmt.Sprintf("with %v, %s is %q, not %q", c.given, variable, got, c.want))
			}
		}
	}
	for _, c := range []struct {
		given                      map[string]string
		provider, model, dimension string
	}{{nil, "none", "", ""}, {map[string]string{"Embedder": "all-MiniLM-L6-v2"}, "local", "all-MiniLM-L6-v2", ""},
		{map[string]string{"Embedder": "m", "EmbedderDimension": "512"}, "bedrock", "m", "512"},
		{map[string]string{"Embedder": "m", "EmbedderProvider": "voyage"}, "voyage", "m", ""}} {
		got := s.value(s.get("Globals/Function/Environment/Variables"), c.given)
		if at(got, "WSTK_EMBEDDER_PROVIDER") != c.provider || at(got, "WSTK_EMBEDDER_MODEL") != c.model ||
			fmt.Sprint(at(got, "WSTK_EMBEDDER_DIMENSION")) != c.dimension {
			bad = append(bad, fmt.Sprintf("with %v, the embedder is not that of the functions", c.given))
		}
	}
	bad = append(bad, embedderKeys(s)...)
	for id, provider := range map[string]string{"": "", "m.rerank": "bedrock"} {
		got := s.value(s.get("Globals/Function/Environment/Variables"), map[string]string{"Reranker": id})
		if at(got, "WSTK_RERANKER_PROVIDER") != provider || at(got, "WSTK_RERANKER_MODEL") != id {
			bad = append(bad, fmt.Sprintf("the reranker %q is not that of the functions", id))
		}
	}
	return bad
}

// embedderKeys: a function that embeds, and refresh, which begins no crawl without the key, reads
// the secret with the keys if a service other than Bedrock embeds, and else no secret.
func embedderKeys(s stack) (bad []string) {
	for _, word := range []string{"index", "answer", "recall", "upload", "refresh"} {
		for _, c := range []struct {
			given map[string]string
			want  string
		}{{nil, ""}, {map[string]string{"ProviderSecret": "keys"}, ""},
			{map[string]string{"ProviderSecret": "keys", "Embedder": "m"}, ""},
			{map[string]string{"ProviderSecret": "keys", "Embedder": "all-MiniLM-L6-v2", "EmbedderProvider": "openai"}, ""},
			{map[string]string{"ProviderSecret": "keys", "Embedder": "m", "EmbedderProvider": "openai"}, "keys"}} {
			got := s.value(s.property(function(word), "Environment/Variables/WSTK_PROVIDER_SECRET"), c.given)
			reads := strings.Contains(fmt.Sprint(s.value(s.property(function(word), "Policies"), c.given)), "GetSecretValue")
			if got != c.want || reads != (c.want != "") {
				bad = append(bad, fmt.Sprintf("with %v, %s has the secret %q, and reads one: %v", c.given, function(word), got, reads))
			}
		}
	}
	return bad
}

// modelTime is how long a function has that asks a model, at least: a reply of a few thousand
// tokens takes up to a minute, and one that was refused is asked for again.
const modelTime = 120

// modelTimes: the functions have it, and the machine that calls them waits longer.
func modelTimes(s stack) (bad []string) {
	for word := range askers {
		t := s.number(s.property(function(word), "Timeout"))
		if t < modelTime || t >= 300 {
			bad = append(bad, fmt.Sprintf("%s has %d s for the replies of models", function(word), t))
		}
	}
	return bad
}

// The evaluation of the template says what CloudFormation would.
func TestValue(t *testing.T) {
	s := stack{map[string]any{
		"Parameters": map[string]any{"A": map[string]any{"Type": "String", "Default": ""},
			"L": map[string]any{"Type": "CommaDelimitedList", "Default": ""}},
		"Conditions": map[string]any{
			"HasA": map[string]any{"Fn::Not": []any{map[string]any{"Fn::Equals": []any{map[string]any{"Ref": "A"}, ""}}}},
			"HasL": map[string]any{"Fn::Not": []any{map[string]any{"Fn::Equals": []any{map[string]any{"Fn::Join": []any{"", map[string]any{"Ref": "L"}}}, ""}}}},
			"Both": map[string]any{"Fn::And": []any{map[string]any{"Condition": "HasA"}, map[string]any{"Condition": "HasL"}}},
		},
	}}
	part := map[string]any{"Fn::If": []any{"Both", map[string]any{"Ref": "L"},
		[]any{map[string]any{"Fn::Sub": "${A}/${AWS::Region}"}, map[string]any{"Ref": "AWS::NoValue"}}}}
	for _, c := range []struct{ a, l, want string }{
		{"", "", "[/${AWS::Region}]"}, {"x", "", "[x/${AWS::Region}]"}, {"x", "y,z", "[y z]"},
	} {
		if got := fmt.Sprint(s.value(part, map[string]string{"A": c.a, "L": c.l})); got != c.want {
			t.Errorf("with %q and %q it is %s, not %s", c.a, c.l, got, c.want)
		}
	}
}

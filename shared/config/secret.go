package config

import (
	"encoding/json"
	"slices"
	"strings"

	"wstk/shared/wstk"
)

// WithSecret is getenv that also knows what a secret holds: a JSON object of texts, named
// like the variables that set search providers and the model. What the environment sets,
// under any of a setting's names, wins. Another name, and a value that its setting does
// not take, is Invalid: the error names it, and never shows a value.
func (k *Settings) WithSecret(
	getenv func(string) string, secret string,
) (func(string) string, error) {
	const op = "reading the secret of the providers"
	var held map[string]json.RawMessage
	if json.Unmarshal([]byte(secret), &held) != nil || held == nil {
		return nil, wstk.Errorf(wstk.Invalid, op, "it is not a JSON object").
			Try(wstk.Advice(`write it as {"VARIABLE": "value"}, with the variables of docs/operations.md`))
	}
	values := map[string]string{}
	for name, data := range held {
		s := k.inSecret(name)
		if s == nil {
			return nil, wstk.Errorf(wstk.Invalid, op,
				"%q sets neither a search provider nor a model", name).
				Try(wstk.Advice("take it out of the secret; docs/operations.md lists the " +
					"variables"))
		}
		var value string
		if json.Unmarshal(data, &value) != nil ||
			value != "" && s.set(&Config{Settings: k}, value) != nil {
			return nil, wstk.Errorf(wstk.Invalid, op,
				"%s has a value that %s does not take", name, s.key)
		}
		if !slices.ContainsFunc(s.env, func(n string) bool { return getenv(n) != "" }) {
			values[name] = value
		}
	}
	return func(name string) string {
		if v := getenv(name); v != "" {
			return v
		}
		return values[name]
	}, nil
}

// inSecrets are the groups of settings that a secret may hold.
var inSecrets = []string{"providers", "model", "embedder", "reranker"}

// inSecret is the setting of a provider or a model that a variable sets, or nil.
func (k *Settings) inSecret(variable string) *setting {
	for i, s := range k.list {
		part, _, _ := strings.Cut(s.key, ".")
		if slices.Contains(inSecrets, part) && slices.Contains(s.env, variable) {
			return &k.list[i]
		}
	}
	return nil
}

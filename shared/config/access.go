package config

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// AccessOptions are the operator's rules of how pages are asked for. Without On none counts.
type AccessOptions struct {
	On    bool
	Rules map[string]AccessRule // by name
}

// AccessRule is a rule as it is written; shared/adapter/access says what makes it complete.
type AccessRule struct {
	Kind    wstk.AccessKind
	Pages   string            // the address under which its pages lie
	Headers map[string]string // variables that hold the values, by name of the header
	// of the kind api
	API, Address, Accept, ReadAs string

	// of Headers, by variable; exported, since printers ask only those fields to hide themselves
	Values map[string]Secret
}

// Value is what a variable of the rule's headers holds; "" where it is not set.
func (r AccessRule) Value(variable string) Secret { return r.Values[variable] }

// For returns the name of a rule whose pages a URL is one of, whatever On says; "" if there is
// none.
func (o AccessOptions) For(url string) string {
	page, err := text.Canonical(url)
	if err != nil {
		return ""
	}
	for _, name := range slices.Sorted(maps.Keys(o.Rules)) {
		place, err := text.Canonical(o.Rules[name].Pages)
		if err == nil && wstk.Under(page, place) {
			return name
		}
	}
	return ""
}

// accessRules is the table of a rule's settings: access.rules.NAME.KEY.
const accessRules = "access.rules."

var ruleName = text.Pattern(`^[a-z0-9][a-z0-9_-]{0,39}$`)

// ruleSetting is the setting of an access rule that a key names; nil if it names none. The
// names of rules are the operator's, so that they stand in no table.
func ruleSetting(key string) *setting {
	rest, ok := strings.CutPrefix(key, accessRules)
	name, field, named := strings.Cut(rest, ".")
	if !ok || !named || !ruleName().MatchString(name) {
		return nil
	}
	header, isHeader := strings.CutPrefix(field, "headers.")
	change := ruleFields[field]
	if isHeader {
		change = func(r *AccessRule, v string) error { return setHeader(r, header, v) }
	}
	if change == nil {
		return nil
	}
	return &setting{key: key, set: func(c *Config, v string) error {
		r := c.Access.Rules[name]
		if err := change(&r, v); err != nil {
			return err
		}
		rules := maps.Clone(c.Access.Rules)
		if rules == nil {
			rules = map[string]AccessRule{}
		}
		rules[name], c.Access.Rules = r, rules
		return nil
	}}
}

// ruleFields are the fields of a rule, but its headers.
var ruleFields = map[string]func(r *AccessRule, v string) error{
	"kind": func(r *AccessRule, v string) error {
		if r.Kind = wstk.AccessKind(v); !slices.Contains(wstk.AccessKinds(), r.Kind) {
			return fmt.Errorf("must be one of %s, %s", wstk.AccessHeaders, wstk.AccessAPI)
		}
		return nil
	},
	"pages":   func(r *AccessRule, v string) error { r.Pages = v; return nil },
	"api":     func(r *AccessRule, v string) error { r.API = v; return nil },
	"address": func(r *AccessRule, v string) error { r.Address = v; return nil },
	"accept": func(r *AccessRule, v string) error {
		r.Accept = v
		return wstk.CheckHeaderForm("Accept", v)
	},
	"read_as": func(r *AccessRule, v string) error {
		if r.ReadAs = v; !slices.Contains(readAs, v) {
			return fmt.Errorf("must be one of %s", strings.Join(readAs, ", "))
		}
		return nil
	},
}

// readAs are the media types that a rule may have a body read as.
var readAs = []string{"text/html", "text/markdown", "text/plain", "application/json"}

// setHeader names the variable of a header.
func setHeader(r *AccessRule, header, variable string) error {
	if err := wstk.CheckCredential(header, ""); err != nil {
		return err
	}
	if !variableName().MatchString(variable) {
		return errors.New("must be the name of an environment variable, never the value itself")
	}
	headers := maps.Clone(r.Headers)
	if headers == nil {
		headers = map[string]string{}
	}
	headers[http.CanonicalHeaderKey(header)], r.Headers = variable, headers
	return nil
}

// readAccess reads the variables that the rules name. Where access is off, it reads none.
func (c *Config) readAccess(getenv func(string) string) error {
	if !c.Access.On {
		return nil
	}
	rules := maps.Clone(c.Access.Rules)
	for name, r := range rules {
		r.Values = map[string]Secret{}
		for header, variable := range r.Headers {
			if err := wstk.CheckCredential(header, getenv(variable)); err != nil {
				return wstk.Errorf(wstk.Invalid, "reading "+variable, "%w", err).
					Try(wstk.Step{Do: wstk.DoConfigure, Variable: variable})
			}
			r.Values[variable] = Secret(getenv(variable))
		}
		rules[name] = r
	}
	c.Access.Rules = rules
	return nil
}

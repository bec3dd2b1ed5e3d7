package local

import (
	"maps"
	"slices"

	"wstk/shared/adapter/access"
	"wstk/shared/app/looking"
	"wstk/shared/config"
	"wstk/shared/wstk"
)

// routers are the operator's rules of how pages are asked for; nil where they are off. Codes:
// Invalid for a rule that cannot be used, and for none.
func routers(c config.Config) (wstk.Access, error) {
	if !c.Access.On {
		return nil, nil
	}
	if len(c.Access.Rules) == 0 {
		return nil, wstk.Errorf(wstk.Invalid, "", "access.on is set, and there is no rule of access").
			Try(wstk.Advice("write a rule into ~/.config/wstk/config.toml, as docs/operations.md "+
				"shows"), looking.OffAgain)
	}
	var rules []access.Rule
	for _, name := range slices.Sorted(maps.Keys(c.Access.Rules)) {
		r := c.Access.Rules[name]
		rule := access.Rule{Name: name, Kind: r.Kind, Pages: r.Pages, API: r.API,
			Address: r.Address, Accept: r.Accept, ReadAs: r.ReadAs}
		for _, header := range slices.Sorted(maps.Keys(r.Headers)) {
			variable := r.Headers[header]
			rule.Headers = append(rule.Headers,
				access.Header{Name: header, Variable: variable, Value: r.Value(variable)})
		}
		rules = append(rules, rule)
	}
	order, err := access.Open(rules)
	if err != nil {
		return nil, err
	}
	return order, nil
}

// Package access holds the permission routers: how a page may be asked for. Public asks as
// every reader may; Headers with headers of the operator's; API asks an official API for the
// same page. Order tries rules, and then Public. Begin with Open.
package access

import (
	"net/http"
	"slices"
	"strings"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Rule is how an operator wants the pages under one address asked for.
type Rule struct {
	Name    string
	Kind    wstk.AccessKind
	Pages   string // their address: an origin and the path under which they lie
	Headers []Header
	// of the kind api: the name of a known API, or the address at which an API gives a page
	API, Address string
	Accept       string // in place of that of the API; of the kind api
	ReadAs       string // media type; in place of that of the API; of the kind api
}

// Header is a header that a variable holds.
type Header struct {
	Name     string
	Variable string
	Value    interface{ Reveal() string } // of the variable; "" where it is not set
}

// Open returns the router for these rules. Where several are for a page, the one whose address
// is longest is tried. The error of a rule that cannot be used is Invalid, and says how to
// write it.
func Open(rules []Rule) (Order, error) {
	rules = slices.Clone(rules)
	slices.SortFunc(rules, func(a, b Rule) int {
		if n := len(b.Pages) - len(a.Pages); n != 0 {
			return n
		}
		return strings.Compare(a.Name, b.Name)
	})
	var out Order
	for _, r := range rules {
		router, err := open(r)
		if err != nil {
			return nil, err
		}
		out = append(out, router)
	}
	return append(out, Public{}), nil
}

func open(r Rule) (wstk.Access, error) {
	var err error
	if r.Pages, err = r.place(); err != nil {
		return nil, err
	}
	switch r.Kind {
	case wstk.AccessHeaders:
		return newHeaders(r)
	case wstk.AccessAPI:
		return newAPI(r)
	}
	return nil, r.invalid("its kind %q is unknown", r.Kind).
		Try(wstk.Advice("write kind = \"headers\" or kind = \"api\""))
}

// place is the canonical address of the pages: one scheme, host and port. What could match
// another host is Invalid.
func (r Rule) place() (string, error) {
	place, err := text.Canonical(r.Pages)
	if err != nil || !text.IsURL(r.Pages) || strings.ContainsAny(r.Pages, "*?#{}") ||
		text.WithoutUser(place) != place {
		return "", r.invalid("pages is %q, and must be one address: a pattern could match other "+
			"hosts, and a rule is for one alone", text.HideUser(r.Pages)).
			Try(wstk.Advice("write the address under which the pages lie, such as " +
				"https://wiki.example.org/team/"))
	}
	return place, nil
}

// asShown is the step for a rule that breaks what the documents say of rules.
var asShown = wstk.Advice("write the rule as docs/operations.md shows")

func (r Rule) invalid(format string, args ...any) *wstk.Error {
	return wstk.Errorf(wstk.Invalid, "reading the access rule "+r.Name, format, args...)
}

// variables are those of the rule's headers, and those of them that are not set.
func (r Rule) variables() (all, missing []string) {
	for _, h := range r.Headers {
		all = append(all, h.Variable)
		if h.Value.Reveal() == "" {
			missing = append(missing, h.Variable)
		}
	}
	return all, missing
}

func (r Rule) info(asks string) []wstk.AccessInfo {
	i := wstk.AccessInfo{Kind: r.Kind, Rule: r.Name, Pages: r.Pages, Asks: asks}
	i.Variables, i.Missing = r.variables()
	for _, h := range r.Headers {
		i.Headers = append(i.Headers, http.CanonicalHeaderKey(h.Name))
	}
	return []wstk.AccessInfo{i}
}

// credential is the rule's headers for the place under; nil where it has none, or where a
// variable is not set.
func (r Rule) credential(under string) (*wstk.Credential, error) {
	if _, missing := r.variables(); len(r.Headers) == 0 || len(missing) > 0 {
		return nil, r.checkPlace(under)
	}
	h := http.Header{}
	for _, x := range r.Headers {
		h.Set(x.Name, x.Value.Reveal())
	}
	c, err := wstk.NewCredential(under, h)
	if err != nil {
		return nil, r.invalid("%w", err).Try(asShown)
	}
	return c, nil
}

// checkPlace checks where headers would go, though their variables are not set.
func (r Rule) checkPlace(under string) error {
	if len(r.Headers) == 0 {
		return nil
	}
	h := http.Header{}
	for _, x := range r.Headers {
		h.Set(x.Name, "x")
	}
	if _, err := wstk.NewCredential(under, h); err != nil {
		return r.invalid("%w", err).Try(asShown)
	}
	return nil
}

// lacks is Unprocessable where a variable of the rule is not set.
func (r Rule) lacks() error {
	_, missing := r.variables()
	if len(missing) == 0 {
		return nil
	}
	return wstk.Errorf(wstk.Unprocessable, "", "the rule %s is for this page, and %s is not set; "+
		"nothing was fetched", r.Name, strings.Join(missing, ", ")).
		Try(wstk.Step{Do: wstk.DoConfigure, Variable: missing[0]})
}

// notFor is the error of Way for a page that a router is not for.
func notFor(page string) error {
	return wstk.Errorf(wstk.NotFound, "", "no rule is for %s", page)
}

package access

import (
	_ "embed"
	"net/url"
	"slices"
	"strings"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// API asks an official API for the pages of one rule. What it gives is the API's: the address
// of the Way is the one that is asked, and its Page is what it stands for.
type API struct {
	rule       Rule
	address    string // with one placeholder
	head, tail string // of address, before and behind the placeholder
	credential *wstk.Credential
}

var _ wstk.Access = API{}

// known is an API of apis.txt.
type known struct{ name, path, accept, readAs string }

//go:embed apis.txt
var apis string

// knownAPIs reads apis.txt.
func knownAPIs() (list []known) {
	for line := range strings.Lines(apis) {
		line, _, _ = strings.Cut(line, "#")
		if f := strings.Fields(line); len(f) == 4 {
			list = append(list, known{f[0], f[1], f[2], strings.TrimPrefix(f[3], "-")})
		}
	}
	return list
}

// The placeholders of an address: what follows the address of the pages, as one segment, and
// with its slashes.
const (
	onePage  = "{page}"
	onePath  = "{path}"
	longPage = 2000 // bytes of what replaces them
)

func newAPI(r Rule) (wstk.Access, error) {
	if err := r.complete(); err != nil {
		return nil, err
	}
	a := API{rule: r}
	var found bool
	for _, mark := range []string{onePage, onePath} {
		if strings.Count(r.Address, mark) == 1 {
			found = !found
			a.head, a.tail, _ = strings.Cut(r.Address, mark)
		}
	}
	if !found || strings.ContainsAny(a.head+a.tail, "*{}#") || strings.Contains(a.head, "?") {
		return nil, r.invalid("address must hold {page} or {path} once, in its path, and no other " +
			"placeholder").Try(wstk.Advice("write it as https://api.example.org/pages/{page}"))
	}
	head, err := text.Resolve(r.Pages, a.head)
	if err != nil || !strings.HasSuffix(head, "/") || text.WithoutUser(head) != head {
		return nil, r.invalid("address must be an https address whose placeholder follows a slash").
			Try(wstk.Advice("write it as https://api.example.org/pages/{page}"))
	}
	if strings.Contains(r.Address, onePath) {
		a.address = head + onePath + a.tail
	} else {
		a.address = head + onePage + a.tail
	}
	a.head = head
	a.credential, err = r.credential(head)
	return a, err
}

// complete takes from apis.txt what the rule leaves open.
func (r *Rule) complete() error {
	all := knownAPIs()
	i := slices.IndexFunc(all, func(k known) bool { return k.name == r.API })
	switch {
	case (r.API == "") == (r.Address == ""):
		return r.invalid("it must name api or address, one of them").Try(wstk.Advices(
			"write api = \"mediawiki\"", "or address = \"https://api.example.org/pages/{page}\"")...)
	case r.API == "":
		return nil
	case i < 0:
		names := make([]string, len(all))
		for i, k := range all {
			names[i] = k.name
		}
		return r.invalid("the api %q is unknown; known are %s", r.API, strings.Join(names, ", ")).
			Try(wstk.Advice("write its address instead: " +
				"address = \"https://api.example.org/pages/{page}\""))
	}
	k := all[i]
	r.Address = k.path
	if r.Accept == "" {
		r.Accept = k.accept
	}
	if r.ReadAs == "" {
		r.ReadAs = k.readAs
	}
	return nil
}

func (a API) Info() []wstk.AccessInfo { return a.rule.info(a.address) }

func (a API) Way(page string) (wstk.Way, error) {
	name, ok := strings.CutPrefix(page, a.rule.Pages)
	name = strings.TrimPrefix(name, "/")
	// A query asks a site for something else than the page: an old version, a form.
	if !ok || !wstk.Under(page, a.rule.Pages) || name == "" || strings.Contains(name, "?") ||
		len(name) > longPage {
		return wstk.Way{}, notFor(page)
	}
	if strings.Contains(a.address, onePage) {
		plain, err := url.PathUnescape(name)
		if err != nil {
			return wstk.Way{}, notFor(page)
		}
		name = url.PathEscape(plain)
	}
	asked, err := text.Canonical(a.head + name + a.tail)
	// The name is the page's own words: it must not lead out of the place of the API.
	if err != nil || asked == a.head || !wstk.Under(asked, a.head) {
		return wstk.Way{}, notFor(page)
	}
	if err := a.rule.lacks(); err != nil {
		return wstk.Way{}, err
	}
	return wstk.Way{Kind: wstk.AccessAPI, Rule: a.rule.Name, Page: page, URL: asked,
		Accept: a.rule.Accept, ReadAs: a.rule.ReadAs, Credential: a.credential}, nil
}

package access

import (
	"wstk/shared/wstk"
)

// Public asks for every page as every reader may.
type Public struct{}

var _ wstk.Access = Public{}

func (Public) Info() []wstk.AccessInfo {
	return []wstk.AccessInfo{{Kind: wstk.AccessPublic}}
}

func (Public) Way(page string) (wstk.Way, error) {
	return wstk.Way{Kind: wstk.AccessPublic, Page: page, URL: page}, nil
}

// Headers asks for the pages of one rule with headers of the operator's.
type Headers struct {
	rule       Rule
	credential *wstk.Credential
}

var _ wstk.Access = Headers{}

func newHeaders(r Rule) (wstk.Access, error) {
	switch {
	case len(r.Headers) == 0:
		return nil, r.invalid("it names no header").
			Try(wstk.Advice("name the variable that holds it, such as headers.Cookie = " +
				"\"WIKI_COOKIE\""))
	case r.API != "" || r.Address != "" || r.Accept != "" || r.ReadAs != "":
		return nil, r.invalid("api, address, accept and read_as are of rules whose kind is api").
			Try(wstk.Advice("write kind = \"api\", or take them out"))
	}
	c, err := r.credential(r.Pages)
	return Headers{r, c}, err
}

func (h Headers) Info() []wstk.AccessInfo { return h.rule.info("") }

func (h Headers) Way(page string) (wstk.Way, error) {
	if !wstk.Under(page, h.rule.Pages) {
		return wstk.Way{}, notFor(page)
	}
	if err := h.rule.lacks(); err != nil {
		return wstk.Way{}, err
	}
	return wstk.Way{Kind: wstk.AccessHeaders, Rule: h.rule.Name, Page: page, URL: page,
		Credential: h.credential}, nil
}

// Order tries routers one after the other: the first that is for a page says how it is asked
// for. An error of that one ends it.
type Order []wstk.Access

var _ wstk.Access = Order{}

func (o Order) Info() (all []wstk.AccessInfo) {
	for _, router := range o {
		all = append(all, router.Info()...)
	}
	return all
}

func (o Order) Way(page string) (wstk.Way, error) {
	for _, router := range o {
		way, err := router.Way(page)
		if wstk.CodeOf(err) != wstk.NotFound {
			return way, err
		}
	}
	return wstk.Way{}, notFor(page)
}

package extract

import (
	"golang.org/x/net/publicsuffix"

	"wstk/shared/text"
)

// The bounds of witnesses.
const (
	maxWitnesses = 8  // pages that are heard beside the leading one
	heardOfPage  = 3  // units of each
	valuedOfPage = 5  // more units of each that hold a value of the kind that is asked for
	foundAmong   = 80 // candidates of the ranking
)

// witnesses are the best few candidates of each page of another site than the leading one: each
// may say what the leading answer says, or something else of the same thing. Which of them agree,
// which disagree and which speak of another thing, is found where claims are joined; they are no
// answers by themselves.
func (q *question) witnesses(lead *candidate, cands []candidate) (out []candidate) {
	heard := map[*page]int{}
	site := siteOf(lead.page.doc.URL)
	for _, c := range cands[:min(len(cands), foundAmong)] {
		n := heard[c.page]
		if siteOf(c.page.doc.URL) == site || n == heardOfPage+valuedOfPage ||
			n >= heardOfPage && c.value == nil || n == 0 && len(heard) == maxWitnesses {
			continue
		}
		heard[c.page]++
		out = append(out, c)
	}
	return out
}

// siteOf is the registrable domain of an address, or its host without one.
func siteOf(url string) string {
	host := text.HostOf(url)
	if domain, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		return domain
	}
	return host
}

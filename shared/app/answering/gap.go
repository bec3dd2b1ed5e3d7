package answering

import (
	"net/netip"
	"strings"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// nameSites adds to the query of each gap the name of the site that was searched, where it
// was one: who searches elsewhere finds the right subject by it.
func (r *reply) nameSites() {
	name := func(gaps []wstk.Gap) {
		for i, g := range gaps {
			site := siteName(g.Searched)
			if site != "" && !strings.Contains(strings.ToLower(g.Query), site) {
				gaps[i].Query = g.Query + " " + site
			}
		}
	}
	name(r.Gaps)
	for _, x := range r.Extractions {
		name(x.Gaps)
	}
}

// siteName is the word by which people know the host that all of these pages are on: the
// longest part of its name before the last. An address of numbers has none.
func siteName(urls []string) string {
	host := ""
	for _, u := range urls {
		if h := text.HostOf(u); host == "" || h == host {
			host = h
		} else {
			return ""
		}
	}
	if _, err := netip.ParseAddr(host); err == nil {
		return ""
	}
	labels, name := strings.Split(host, "."), ""
	for _, l := range labels[:len(labels)-1] {
		if len(l) > len(name) {
			name = l
		}
	}
	return name
}

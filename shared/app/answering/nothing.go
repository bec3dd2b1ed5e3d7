package answering

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"wstk/shared/app/reading"
	"wstk/shared/wstk"
)

// Codes of the warnings that say why nothing was found.
const (
	WarnNothingStored = "nothing_stored"
	WarnUnknownSite   = "unknown_site"
)

// WhyNothing says why nothing can be found within a filter: no page is stored (Empty), or
// none of the sites that it names was ingested (NotFound). It is nil where pages are stored
// there, and none of them answers.
func (a *Room) WhyNothing(ctx context.Context, f wstk.Filter) error {
	var sites []wstk.Site
	held := false
	err := a.Reading.EachSite(ctx, func(s wstk.Site) (bool, error) {
		sites = append(sites, s)
		if held {
			return true, nil
		}
		n, err := a.Pages.Count(ctx, s.ID)
		held = n > 0
		return true, err
	})
	if err == nil && !held { // a page that was asked for by itself belongs to no site
		held, err = a.anyPage(ctx)
	}
	if err != nil {
		return err
	}
	if !held {
		return wstk.Errorf(wstk.Empty, "",
			"no page is stored yet: there is nothing to answer from").
			Try(wstk.Step{Do: wstk.DoIngest},
				wstk.Step{Do: wstk.DoAsk, For: "to answer from single pages"})
	}
	return unknownSites(resolveFilter(f).IncludeSites, sites)
}

// warnOfNothing is WhyNothing as a warning; none where that is nil.
func (a *Room) warnOfNothing(ctx context.Context, f wstk.Filter) []wstk.Warning {
	why := (*wstk.Error)(nil)
	if !errors.As(a.WhyNothing(ctx, f), &why) {
		return nil
	}
	switch why.Code {
	case wstk.Empty:
		return []wstk.Warning{{Code: WarnNothingStored, Message: why.Error() + "."}}
	case wstk.NotFound:
		return []wstk.Warning{{Code: WarnUnknownSite, Message: why.Error() + "."}}
	}
	return nil
}

// anyPage reports whether a page is stored that holds a text.
func (a *Room) anyPage(ctx context.Context) (bool, error) {
	for cursor := ""; ; {
		pages, next, err := a.Pages.List(ctx, "", cursor, reading.PageOfSites)
		if err != nil || next == "" && len(pages) == 0 {
			return false, err
		}
		if slices.ContainsFunc(pages, func(p wstk.Page) bool { return p.Document != "" }) {
			return true, nil
		}
		if next == "" {
			return false, nil
		}
		cursor = next
	}
}

// unknownSites names those of a filter that are no ingested sites, if they all are.
func unknownSites(names []string, sites []wstk.Site) error {
	if len(names) == 0 || slices.ContainsFunc(names, func(name string) bool {
		return slices.ContainsFunc(sites, func(s wstk.Site) bool { return means(name, s) })
	}) {
		return nil
	}
	return wstk.Errorf(wstk.NotFound, "", "no ingested site is called %s; ingested %s",
		strings.Join(names, " or "), sitesThere(sites)).
		Try(append(reading.NearSite(names[0], sites), wstk.Step{Do: wstk.DoListSites})...)
}

// means reports whether an entry of a filter names a site, its host, or a place on it.
func means(name string, s wstk.Site) bool {
	rule := wstk.ParseSiteRule(name)
	rule.Path = ""
	return rule.Match(s.ID, s.Root)
}

// maxSitesNamed is how many sites a sentence names.
const maxSitesNamed = 5

// sitesThere lists the sites there are in a sentence: "is …", "are … and 3 more".
func sitesThere(sites []wstk.Site) string {
	var roots []string
	for _, s := range sites[:min(len(sites), maxSitesNamed)] {
		roots = append(roots, s.Root)
	}
	switch left := len(sites) - len(roots); {
	case len(sites) == 0:
		return "is none"
	case len(sites) == 1:
		return "is " + roots[0]
	case left > 0:
		return fmt.Sprintf("are %s and %d more", strings.Join(roots, ", "), left)
	}
	return "are " + strings.Join(roots[:len(roots)-1], ", ") + " and " + roots[len(roots)-1]
}

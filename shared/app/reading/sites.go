package reading

import (
	"context"
	"errors"
	"strings"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// SiteFolder is an address up to the last slash of its path.
func SiteFolder(root string) string { return root[:strings.LastIndexByte(root, '/')+1] }

// NearSite asks whether the site was meant whose host is written much alike.
func NearSite(name string, sites []wstk.Site) []wstk.Step {
	asked := wstk.ParseSiteRule(name)
	host := asked.Host
	best, least := "", 4
	for _, s := range sites {
		known := text.HostOf(s.Root)
		if known == host && asked.Port != "" && asked.Port != wstk.ParseSiteRule(s.Root).Port {
			continue // another server of that host is no slip of the pen
		}
		if d := text.Distance(host, known, least); d < least && 3*d < len(known) {
			best, least = s.Root, d
		}
	}
	if best == "" {
		return nil
	}
	return wstk.Advices("did you mean " + best + "?")
}

// PageOfSites is how many sites are read at a time.
const PageOfSites = 100

// FindSite finds a site by its id or by any URL of it, the scheme of which may be left out: of
// several whose root leads to the URL, the one with the longest root; else the one its page belongs
// to; else the only one on its host.
func (r *Room) FindSite(ctx context.Context, name string) (wstk.Site, error) {
	name = strings.TrimSpace(name)
	if s, err := r.SiteStore.Get(ctx, wstk.SiteID(name)); err == nil ||
		wstk.CodeOf(err) != wstk.NotFound {
		return s, err
	}
	if wstk.SiteID(name).Valid() {
		return wstk.Site{}, wstk.Errorf(wstk.NotFound, "", "no ingested site has the id %s", name).
			Try(wstk.Step{Do: wstk.DoListSites})
	}
	url, err := Address(name)
	if err != nil && !strings.Contains(name, "://") {
		if s, e := r.siteWithoutScheme(ctx, name); e != nil || s.ID != "" {
			return s, e
		}
	}
	if bad := (*wstk.Error)(nil); errors.As(err, &bad) {
		return wstk.Site{}, bad.Try(wstk.Step{Do: wstk.DoListSites, For: "or an id from"})
	}
	if p, err := r.Pages.Get(ctx, url); err == nil && p.Site != "" {
		return r.SiteStore.Get(ctx, p.Site)
	}
	var best wstk.Site
	var onHost, all []wstk.Site
	err = r.EachSite(ctx, func(s wstk.Site) (bool, error) {
		all = append(all, s)
		if (s.Root == url || strings.HasPrefix(url, SiteFolder(s.Root))) &&
			len(s.Root) > len(best.Root) {
			best = s
		}
		if text.HostKey(s.Root) == text.HostKey(url) {
			onHost = append(onHost, s)
		}
		return true, nil
	})
	switch {
	case err != nil:
		return best, err
	case best.ID != "":
		return best, nil
	case len(onHost) == 1:
		return onHost[0], nil
	}
	e := wstk.Errorf(wstk.NotFound, "", "no ingested site contains %s", url)
	if len(onHost) > 1 {
		e = wstk.Errorf(wstk.NotFound, "",
			"%d sites share the host of %s, and none of them contains it",
			len(onHost), url)
	}
	return best, e.Try(append(NearSite(url, all), wstk.Step{Do: wstk.DoListSites},
		wstk.Step{Do: wstk.DoIngest, URL: url, Options: r.Opening(url)})...)
}

// siteWithoutScheme finds the site with the longest root that leads to an address whose
// scheme was left out; one without an id where there is none.
func (r *Room) siteWithoutScheme(ctx context.Context, name string) (best wstk.Site, err error) {
	err = r.EachSite(ctx, func(s wstk.Site) (bool, error) {
		_, rest, _ := strings.Cut(s.Root, "://")
		if (rest == name || strings.HasPrefix(name+"/", SiteFolder(rest))) &&
			len(s.Root) > len(best.Root) {
			best = s
		}
		return true, nil
	})
	return best, err
}

// EachSite calls f for every site until it says false.
func (r *Room) EachSite(ctx context.Context, f func(wstk.Site) (bool, error)) error {
	for cursor := ""; ; {
		sites, next, err := r.SiteStore.List(ctx, cursor, PageOfSites)
		if err != nil {
			return err
		}
		for _, s := range sites {
			if more, err := f(s); err != nil || !more {
				return err
			}
		}
		if next == "" {
			return nil
		}
		cursor = next
	}
}

package collate

import (
	"slices"
	"strings"

	"wstk/shared/stage/collate/page"
	"wstk/shared/stage/collate/wording"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// voices are the sites responsible for a quote: that of its address, and that of the address
// which its page names as its own.
func voices(e wstk.Evidence) []string {
	out := []string{page.SiteOf(e.URL)}
	if inner := carried(e.URL); inner != "" {
		out = wording.AppendNew(out, page.SiteOf(inner))
	}
	if e.CanonicalURL != "" {
		out = wording.AppendNew(out, page.SiteOf(e.CanonicalURL))
	}
	return out
}

// carried is the address within another one, as archives and proxies write it; "" without
// one.
func carried(url string) string {
	host, rest := strings.ToLower(text.HostOf(url)), url[strings.Index(url, ":")+1:]
	for _, scheme := range []string{"https:/", "http:/"} {
		if i := strings.LastIndex(rest, scheme); i >= 0 {
			return scheme + "/" + strings.TrimLeft(rest[i+len(scheme):], "/")
		}
	}
	for _, proxy := range []string{".translate.goog", ".cdn.ampproject.org"} {
		if name, ok := strings.CutSuffix(host, proxy); ok {
			return "https://" + strings.ReplaceAll(strings.ReplaceAll(
				strings.ReplaceAll(name, "--", "\x00"), "-", "."), "\x00", "-") + "/"
		}
	}
	return ""
}

// independent chooses quotes of different sources, always the first among them: of different
// sites, and not near-copies of each other. A quote whose Document was not given may be a
// copy of any other, so it counts only if it is alone.
func (w weights) independent(x wstk.Extraction, quotes []int, p *page.Set) []int {
	var out []int
	var heard []string
	for _, n := range quotes {
		e := x.Evidence[n]
		vs := voices(e)
		fresh := !slices.ContainsFunc(vs, func(v string) bool {
			return v == "" || slices.Contains(heard, v)
		})
		for _, o := range out {
			fresh = fresh && p.Of(e) != nil && p.Of(x.Evidence[o]) != nil &&
				!p.Copies(e, x.Evidence[o]) &&
				w.original(e.URL) != w.original(x.Evidence[o].URL)
		}
		if len(out) == 0 || fresh {
			out, heard = append(out, n), append(heard, vs...)
		}
	}
	return out
}

// original is the page that is counted instead of a near-copy, else the page itself.
func (w weights) original(url string) string {
	if c := w.copyOf[url]; c != "" {
		return c
	}
	return url
}

// counted says in words how many sources some quotes have, and how many pages if they are
// more; near-copies of a page count as that page.
func (w weights) counted(x wstk.Extraction, quotes []int, p *page.Set) string {
	var pages []string
	noun := "site"
	for _, n := range quotes {
		url := x.Evidence[n].URL
		pages = wording.AppendNew(pages, w.original(url))
		if s := page.SiteOf(url); s == "local files" || strings.HasPrefix(s, "s3 ") {
			noun = "source"
		}
	}
	if len(pages) == 0 {
		return "no source"
	}
	sources := len(w.independent(x, quotes, p))
	out := text.Count(sources, noun)
	if len(pages) > sources {
		out += ", " + text.Count(len(pages), "page")
	}
	return out
}

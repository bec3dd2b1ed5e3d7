package wstktest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"wstk/shared/wstk"
)

// PageStore checks the promises of wstk.PageStore.
func PageStore(
	t *testing.T, open func(t *testing.T) wstk.PageStore, features ...Features[wstk.PageStore],
) {
	s := pageStoreSuite{newSuite(t, open, features)}
	s.run("EveryFieldComesBack", s.everyFieldComesBack)
	s.run("GetMissingIsNotFound", s.getMissingIsNotFound)
	s.run("PutReplaces", s.putReplaces)
	s.run("OlderCheckIsIgnored", s.olderCheckIsIgnored)
	s.run("ListIsInOrderOfURL", s.listIsInOrderOfURL)
	s.run("ListWithoutLimitIsBounded", s.listWithoutLimitIsBounded)
	s.run("ListOfUnknownIsEmpty", s.listOfUnknownIsEmpty)
	s.run("APageMovesWithItsSite", s.aPageMovesWithItsSite)
	s.run("CountIsOfPagesWithADocument", s.countIsOfPagesWithADocument)
	s.run("MarkIndexedOfTheTextHeld", s.markIndexedOfTheTextHeld)
	s.run("MarkIndexedOfAnotherTextDoesNothing", s.markIndexedOfAnotherTextDoesNothing)
	s.run("VersionsAreTheStatesThatHeldADocument", s.versionsAreTheStatesThatHeldADocument)
	s.run("NamingFindsVersionsByHash", s.namingFindsVersionsByHash)
	s.run("EmptyTakesWhatAPageNames", s.emptyTakesWhatAPageNames)
	s.run("RemoveForgetsThePageOfASite", s.removeForgetsThePageOfASite)
	s.run("WithoutURLIsInvalid", s.withoutURLIsInvalid)
	s.run("CallersKeepTheirPages", s.callersKeepTheirPages)
	s.run("CancelledStoresNothing", s.cancelledStoresNothing)
	s.pair("OfManyAtOnceTheNewestStays", s.ofManyAtOnceTheNewestStays)
}

type pageStoreSuite struct{ suite[wstk.PageStore] }

func (s pageStoreSuite) everyFieldComesBack(t *testing.T, st wstk.PageStore) {
	published, modified := day.Add(-time.Hour), day.Add(-time.Minute)
	want := wstk.Page{URL: "https://a.example/ü", Site: "site_1", CanonicalURL: "https://a.example/u", DuplicateOf: "https://a.example/v",
		Title: "Ü", Language: "de", SnapshotSHA256: hashOf("s"), TextSHA256: hashOf("t"),
		Document:  hashOf("d"),
		Screening: hashOf("c"), Partial: true, Verdict: wstk.VerdictThin, Reason: "little text",
		ETag: `"e"`, LastModified: "x",
		FetchedAt: day, CheckedAt: day.Add(time.Nanosecond), IndexedAt: day.Add(time.Hour),
		PublishedAt: &published, ModifiedAt: &modified}
	must(t, st.Put(bg, want))
	got, err := st.Get(bg, want.URL)
	must(t, err)
	wantSame(t, "Get", got, want)
	bare := wstk.Page{URL: "https://a.example/bare", Verdict: wstk.VerdictNotFound}
	must(t, st.Put(bg, bare))
	got, err = st.Get(bg, bare.URL)
	must(t, err)
	wantSame(t, "Get", got, bare)
}

func (s pageStoreSuite) getMissingIsNotFound(t *testing.T, st wstk.PageStore) {
	_, err := st.Get(bg, "https://nobody.example/")
	wantCode(t, "Get", err, wstk.NotFound)
}

func (s pageStoreSuite) putReplaces(t *testing.T, st wstk.PageStore) {
	p := pageOf(1, "site_1")
	must(t, st.Put(bg, p))
	p.Title = "same time, other title"
	must(t, st.Put(bg, p))
	got, err := st.Get(bg, p.URL)
	must(t, err)
	wantSame(t, "after a Put of the same time", got, p)
	p.Title, p.CheckedAt = "later", p.CheckedAt.Add(time.Second)
	must(t, st.Put(bg, p))
	got, err = st.Get(bg, p.URL)
	must(t, err)
	wantSame(t, "after a later Put", got, p)
}

func (s pageStoreSuite) olderCheckIsIgnored(t *testing.T, st wstk.PageStore) {
	p := pageOf(1, "site_1")
	must(t, st.Put(bg, p))
	old := p
	old.Title, old.CheckedAt = "older", p.CheckedAt.Add(-time.Nanosecond)
	must(t, st.Put(bg, old))
	got, err := st.Get(bg, p.URL)
	must(t, err)
	wantSame(t, "Get", got, p)
}

func (s pageStoreSuite) listIsInOrderOfURL(t *testing.T, st wstk.PageStore) {
	var want []string
	for _, i := range []int{5, 3, 8, 1, 9, 2, 7} {
		p := pageOf(i, "site_1")
		must(t, st.Put(bg, p))
		want = append(want, p.URL)
	}
	must(t, st.Put(bg, pageOf(4, "site_2")))
	slices.Sort(want)
	for _, limit := range []int{1, 3, 7, 100} {
		s.soon(t, func() error {
			all, err := pages(limit, func(c string) ([]wstk.Page, string, error) {
				return st.List(bg, "site_1", c, limit)
			})
			if err != nil {
				return err
			}
			return same("pages of one site", ids(all, func(p wstk.Page) string { return p.URL }),
				want)
		})
	}
	s.soon(t, func() error {
		all, err := pages(3, func(c string) ([]wstk.Page, string, error) {
			return st.List(bg, "", c, 3)
		})
		if err != nil {
			return err
		}
		return same("pages of all sites", len(all), 8)
	})
}

func (s pageStoreSuite) listWithoutLimitIsBounded(t *testing.T, st wstk.PageStore) {
	must(t, st.Put(bg, pageOf(1, "site_1")))
	s.soon(t, func() error {
		list, _, err := st.List(bg, "site_1", "", 0)
		if err != nil {
			return err
		}
		return same("pages", len(list), 1)
	})
}

func (s pageStoreSuite) listOfUnknownIsEmpty(t *testing.T, st wstk.PageStore) {
	list, next, err := st.List(bg, "site_none", "", 10)
	if err != nil || len(list) != 0 || next != "" {
		t.Errorf("%v, %q, %v; want err == nil && len(list) == 0 && next == \"\"", list, next, err)
	}
}

func (s pageStoreSuite) aPageMovesWithItsSite(t *testing.T, st wstk.PageStore) {
	p := pageOf(1, "site_1")
	must(t, st.Put(bg, p))
	p.Site = "site_2"
	must(t, st.Put(bg, p))
	s.soon(t, func() error {
		one, _, err := st.List(bg, "site_1", "", 10)
		if err != nil {
			return err
		}
		two, _, err := st.List(bg, "site_2", "", 10)
		if err != nil {
			return err
		}
		return same("pages of the two sites", []int{len(one), len(two)}, []int{0, 1})
	})
}

func (s pageStoreSuite) countIsOfPagesWithADocument(t *testing.T, st wstk.PageStore) {
	for i := range 5 {
		p := pageOf(i, wstk.SiteID(fmt.Sprintf("site_%d", i%2)))
		if i == 4 {
			p.Document = ""
		}
		must(t, st.Put(bg, p))
		must(t, st.Put(bg, p))
	}
	s.soon(t, func() error {
		var n [4]int
		for i, site := range []wstk.SiteID{"site_0", "site_1", "site_none", ""} {
			var err error
			if n[i], err = st.Count(bg, site); err != nil {
				return err
			}
		}
		return same("counts", n, [4]int{2, 2, 0, 4})
	})
}

func (s pageStoreSuite) markIndexedOfTheTextHeld(t *testing.T, st wstk.PageStore) {
	p := pageOf(1, "site_1")
	must(t, st.Put(bg, p))
	must(t, st.MarkIndexed(bg, p.URL, p.TextSHA256, day.Add(time.Hour)))
	got, err := st.Get(bg, p.URL)
	must(t, err)
	want := p
	want.IndexedAt = day.Add(time.Hour)
	wantSame(t, "Get", got, want)
	// a page that was marked can still be replaced by the next fetch
	p.CheckedAt = p.CheckedAt.Add(time.Second)
	must(t, st.Put(bg, p))
	got, err = st.Get(bg, p.URL)
	must(t, err)
	wantSame(t, "Get", got, p)
}

func (s pageStoreSuite) markIndexedOfAnotherTextDoesNothing(t *testing.T, st wstk.PageStore) {
	p := pageOf(1, "site_1")
	must(t, st.Put(bg, p))
	must(t, st.MarkIndexed(bg, p.URL, hashOf("an older text"), day))
	must(t, st.MarkIndexed(bg, "https://nobody.example/", p.TextSHA256, day))
	got, err := st.Get(bg, p.URL)
	must(t, err)
	wantSame(t, "Get", got, p)
	_, err = st.Get(bg, "https://nobody.example/")
	wantCode(t, "a page that was only marked", err, wstk.NotFound)
}

func (s pageStoreSuite) versionsAreTheStatesThatHeldADocument(t *testing.T, st wstk.PageStore) {
	first := pageOf(1, "site_1")
	second := first
	second.Document, second.TextSHA256, second.Screening = hashOf("doc 2"), hashOf("text 2"),
		hashOf("screening")
	second.CheckedAt = day.Add(time.Hour)
	bare := second.Emptied()
	bare.CheckedAt = day.Add(2 * time.Hour)
	for _, p := range []wstk.Page{first, second, second, bare, pageOf(3, "site_1")} {
		must(t, st.Put(bg, p))
	}
	s.soon(t, func() error {
		got, err := st.Versions(bg, first.URL)
		if err != nil {
			return err
		}
		return same("Versions", got, []wstk.Page{second, first})
	})
	got, err := st.Versions(bg, "https://nobody.example/")
	if err != nil || len(got) != 0 {
		t.Errorf("of an unknown page: %v, %v", got, err)
	}
}

func (s pageStoreSuite) namingFindsVersionsByHash(t *testing.T, st wstk.PageStore) {
	a, b := pageOf(1, "site_1"), pageOf(2, "site_2")
	b.TextSHA256, b.Screening = a.TextSHA256, hashOf("screening")
	must(t, st.Put(bg, b))
	must(t, st.Put(bg, a))
	newer := a
	newer.Document, newer.TextSHA256, newer.CheckedAt = hashOf("doc 1b"),
		hashOf("text 1b"), day.Add(time.Hour)
	must(t, st.Put(bg, newer))
	for _, c := range []struct {
		what  string
		h     wstk.Hash
		limit int
		want  []wstk.Page
	}{
		{"a text of two pages, of an older version", a.TextSHA256, 10, []wstk.Page{a, b}},
		{"with a limit", a.TextSHA256, 1, []wstk.Page{a}},
		{"a screening", b.Screening, 10, []wstk.Page{b}},
		{"a document", newer.Document, 10, []wstk.Page{newer}},
		{"nothing", "", 10, nil},
		{"a text that no page names", hashOf("nobody"), 10, nil},
	} {
		s.soon(t, func() error {
			got, err := st.Naming(bg, c.h, c.limit)
			if err != nil {
				return err
			}
			return same(c.what, append([]wstk.Page{}, got...), append([]wstk.Page{}, c.want...))
		})
	}
}

func (s pageStoreSuite) emptyTakesWhatAPageNames(t *testing.T, st wstk.PageStore) {
	p := pageOf(1, "site_1")
	must(t, st.Put(bg, p))
	must(t, st.Empty(bg, p.URL, "site_2"))
	got, err := st.Get(bg, p.URL)
	must(t, err)
	wantSame(t, "of another site", got, p)
	for range 2 {
		must(t, st.Empty(bg, p.URL, "site_1"))
	}
	must(t, st.Empty(bg, "https://nobody.example/", "site_1"))
	if got, err = st.Get(bg, p.URL); err != nil || got.Document != "" || got.TextSHA256 != "" ||
		got.Site != "site_1" {
		t.Errorf("%+v, %v; want err == nil && got.Document == \"\" && got.TextSHA256 == \"\" && "+
			"got.Site == \"site_1\"", got, err)
	}
	s.soon(t, func() error {
		n, err := st.Count(bg, "site_1")
		if err != nil {
			return err
		}
		versions, err := st.Versions(bg, p.URL)
		if err != nil {
			return err
		}
		return same("pages held, and versions", []int{n, len(versions)}, []int{0, 1})
	})
}

func (s pageStoreSuite) removeForgetsThePageOfASite(t *testing.T, st wstk.PageStore) {
	p, other := pageOf(1, "site_1"), pageOf(2, "site_1")
	other.TextSHA256 = p.TextSHA256
	must(t, st.Put(bg, p))
	must(t, st.Put(bg, other))
	must(t, st.Remove(bg, p.URL, "site_2"))
	got, err := st.Get(bg, p.URL)
	must(t, err)
	wantSame(t, "of another site", got, p)
	for range 2 {
		must(t, st.Remove(bg, p.URL, "site_1"))
	}
	_, err = st.Get(bg, p.URL)
	wantCode(t, "Get", err, wstk.NotFound)
	s.soon(t, func() error {
		list, _, err := st.List(bg, "site_1", "", 10)
		if err != nil {
			return err
		}
		all, _, err := st.List(bg, "", "", 10)
		if err != nil {
			return err
		}
		n, err := st.Count(bg, "")
		if err != nil {
			return err
		}
		versions, err := st.Versions(bg, p.URL)
		if err != nil {
			return err
		}
		naming, err := st.Naming(bg, p.TextSHA256, 10)
		if err != nil {
			return err
		}
		return same("what is left", []int{len(list), len(all), n, len(versions), len(naming)},
			[]int{1, 1, 1, 0, 1})
	})
	must(t, st.Put(bg, p)) // it may come again
	if got, err = st.Get(bg, p.URL); err != nil {
		t.Error(err)
	}
	wantSame(t, "put again", got, p)
}

func (s pageStoreSuite) withoutURLIsInvalid(t *testing.T, st wstk.PageStore) {
	wantCode(t, "Put", st.Put(bg, wstk.Page{}), wstk.Invalid)
}

func (s pageStoreSuite) callersKeepTheirPages(t *testing.T, st wstk.PageStore) {
	p := pageOf(1, "site_1")
	at := day
	p.PublishedAt = &at
	must(t, st.Put(bg, p))
	at = day.Add(time.Hour)
	got, err := st.Get(bg, p.URL)
	must(t, err)
	wantSame(t, "published_at", got.PublishedAt, day)
}

func (s pageStoreSuite) cancelledStoresNothing(t *testing.T, st wstk.PageStore) {
	p := pageOf(1, "site_1")
	wantCode(t, "Put", st.Put(cancelled(), p), wstk.Cancelled)
	_, err := st.Get(bg, p.URL)
	wantCode(t, "Get", err, wstk.NotFound)
	_, err = st.Get(cancelled(), p.URL)
	wantCode(t, "Get", err, wstk.Cancelled)
	_, _, err = st.List(cancelled(), "", "", 1)
	wantCode(t, "List", err, wstk.Cancelled)
	_, err = st.Count(cancelled(), "")
	wantCode(t, "Count", err, wstk.Cancelled)
	wantCode(t, "MarkIndexed", st.MarkIndexed(cancelled(), p.URL, p.TextSHA256, day),
		wstk.Cancelled)
	_, err = st.Versions(cancelled(), p.URL)
	wantCode(t, "Versions", err, wstk.Cancelled)
	_, err = st.Naming(cancelled(), p.TextSHA256, 1)
	wantCode(t, "Naming", err, wstk.Cancelled)
	wantCode(t, "Empty", st.Empty(cancelled(), p.URL, p.Site), wstk.Cancelled)
	wantCode(t, "Remove", st.Remove(cancelled(), p.URL, p.Site), wstk.Cancelled)
}

func (s pageStoreSuite) ofManyAtOnceTheNewestStays(t *testing.T, a, b wstk.PageStore) {
	together(t, 24, func(i int) error {
		p := pageOf(1, "site_1")
		p.CheckedAt = day.Add(time.Duration(i*7%24) * time.Second)
		p.Title = fmt.Sprint(i * 7 % 24)
		return []wstk.PageStore{a, b}[i%2].Put(bg, p)
	})
	for _, st := range []wstk.PageStore{a, b} {
		got, err := st.Get(bg, pageOf(1, "").URL)
		must(t, err)
		if got.Title != "23" {
			t.Errorf("fetch %s stayed, want 23", got.Title)
		}
	}
}

func pageOf(i int, site wstk.SiteID) wstk.Page {
	url := fmt.Sprintf("https://a.example/%03d", i)
	return wstk.Page{URL: url, CanonicalURL: url, Site: site, Title: fmt.Sprint("Page ", i),
		Document:   hashOf("doc %d", i),
		TextSHA256: hashOf("text %d", i), Verdict: wstk.VerdictOK, FetchedAt: day, CheckedAt: day}
}

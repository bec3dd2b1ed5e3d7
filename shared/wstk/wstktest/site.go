package wstktest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"wstk/shared/wstk"
)

// SiteStore checks the promises of wstk.SiteStore.
func SiteStore(
	t *testing.T, open func(t *testing.T) wstk.SiteStore, features ...Features[wstk.SiteStore],
) {
	s := siteStoreSuite{newSuite(t, open, features)}
	s.run("EveryFieldComesBack", s.everyFieldComesBack)
	s.run("GetMissingIsNotFound", s.getMissingIsNotFound)
	s.run("PutReplaces", s.putReplaces)
	s.run("ListIsInOrderOfID", s.listIsInOrderOfID)
	s.run("ListOfNoneIsEmpty", s.listOfNoneIsEmpty)
	s.run("WithoutIDIsInvalid", s.withoutIDIsInvalid)
	s.run("RemoveForgetsTheSite", s.removeForgetsTheSite)
	s.run("CancelledStoresNothing", s.cancelledStoresNothing)
	s.pair("ManyAtOnceAreAllKept", s.manyAtOnceAreAllKept)
}

type siteStoreSuite struct{ suite[wstk.SiteStore] }

func (s siteStoreSuite) everyFieldComesBack(t *testing.T, st wstk.SiteStore) {
	want := siteOf(1)
	must(t, st.Put(bg, want))
	got, err := st.Get(bg, want.ID)
	must(t, err)
	wantSame(t, "Get", got, want)
}

func (s siteStoreSuite) getMissingIsNotFound(t *testing.T, st wstk.SiteStore) {
	_, err := st.Get(bg, "site_none")
	wantCode(t, "Get", err, wstk.NotFound)
}

func (s siteStoreSuite) putReplaces(t *testing.T, st wstk.SiteStore) {
	v := siteOf(1)
	must(t, st.Put(bg, v))
	v.Title, v.Options.MaxPages, v.Options.Include = "renamed", 7, nil
	must(t, st.Put(bg, v))
	must(t, st.Put(bg, v))
	got, err := st.Get(bg, v.ID)
	must(t, err)
	wantSame(t, "Get", got, v)
}

func (s siteStoreSuite) listIsInOrderOfID(t *testing.T, st wstk.SiteStore) {
	var want []wstk.SiteID
	for i := range 7 {
		v := siteOf(i)
		must(t, st.Put(bg, v))
		want = append(want, v.ID)
	}
	slices.Sort(want)
	for _, limit := range []int{1, 3, 7, 50} {
		s.soon(t, func() error {
			all, err := pages(limit, func(c string) ([]wstk.Site, string, error) {
				return st.List(bg, c, limit)
			})
			if err != nil {
				return err
			}
			return same("List", ids(all, func(v wstk.Site) wstk.SiteID { return v.ID }), want)
		})
	}
}

func (s siteStoreSuite) listOfNoneIsEmpty(t *testing.T, st wstk.SiteStore) {
	list, next, err := st.List(bg, "", 10)
	if err != nil || len(list) != 0 || next != "" {
		t.Errorf("%v, %q, %v; want err == nil && len(list) == 0 && next == \"\"", list, next, err)
	}
}

func (s siteStoreSuite) withoutIDIsInvalid(t *testing.T, st wstk.SiteStore) {
	wantCode(t, "Put", st.Put(bg, wstk.Site{Root: "https://a.example/"}), wstk.Invalid)
}

func (s siteStoreSuite) removeForgetsTheSite(t *testing.T, st wstk.SiteStore) {
	must(t, st.Put(bg, siteOf(1)))
	must(t, st.Put(bg, siteOf(2)))
	wantCode(t, "Remove", st.Remove(cancelled(), siteOf(1).ID), wstk.Cancelled)
	for range 2 {
		must(t, st.Remove(bg, siteOf(1).ID))
	}
	_, err := st.Get(bg, siteOf(1).ID)
	wantCode(t, "Get", err, wstk.NotFound)
	s.soon(t, func() error {
		list, _, err := st.List(bg, "", 10)
		if err != nil {
			return err
		}
		return same("List", list, []wstk.Site{siteOf(2)})
	})
}

func (s siteStoreSuite) cancelledStoresNothing(t *testing.T, st wstk.SiteStore) {
	v := siteOf(1)
	wantCode(t, "Put", st.Put(cancelled(), v), wstk.Cancelled)
	_, err := st.Get(bg, v.ID)
	wantCode(t, "Get", err, wstk.NotFound)
	_, err = st.Get(cancelled(), v.ID)
	wantCode(t, "Get", err, wstk.Cancelled)
	_, _, err = st.List(cancelled(), "", 1)
	wantCode(t, "List", err, wstk.Cancelled)
}

func (s siteStoreSuite) manyAtOnceAreAllKept(t *testing.T, a, b wstk.SiteStore) {
	together(t, 20, func(i int) error { return []wstk.SiteStore{a, b}[i%2].Put(bg, siteOf(i/2)) })
	s.soon(t, func() error {
		list, _, err := b.List(bg, "", 100)
		if err != nil {
			return err
		}
		return same("sites", len(list), 10)
	})
}

func siteOf(i int) wstk.Site {
	root := fmt.Sprintf("https://%d.example/", i)
	o := wstk.DefaultCrawlOptions()
	o.Include, o.Exclude, o.UserAgent, o.Fresh = []string{"/docs/*"},
		[]string{"/docs/old/*"}, "x/1", true
	return wstk.Site{ID: wstk.SiteIDOf(root), Root: root, Title: fmt.Sprint("Site ", i), Options: o,
		LastRun: runID(i), CreatedAt: day, UpdatedAt: day.Add(time.Duration(i) * time.Nanosecond)}
}

package wstktest

import (
	"fmt"
	"testing"

	"wstk/shared/wstk"
)

// SummaryStore checks the promises of wstk.SummaryStore.
func SummaryStore(
	t *testing.T, open func(t *testing.T) wstk.SummaryStore,
	features ...Features[wstk.SummaryStore],
) {
	s := summaryStoreSuite{newSuite(t, open, features)}
	s.run("EveryFieldComesBack", s.everyFieldComesBack)
	s.run("GetMissingIsNotFound", s.getMissingIsNotFound)
	s.run("EveryPartOfTheKeyCounts", s.everyPartOfTheKeyCounts)
	s.run("StoredSummariesNeverChange", s.storedSummariesNeverChange)
	s.run("RemoveForgetsEverySummaryOfAURL", s.removeForgetsEverySummaryOfAURL)
	s.run("CancelledStoresNothing", s.cancelledStoresNothing)
	s.pair("ManyAtOnceAreAllKept", s.manyAtOnceAreAllKept)
}

type summaryStoreSuite struct{ suite[wstk.SummaryStore] }

func (s summaryStoreSuite) everyFieldComesBack(t *testing.T, st wstk.SummaryStore) {
	want := summaryOf("https://a.example/")
	must(t, st.Put(bg, want))
	got, err := st.Get(bg, want.Key())
	must(t, err)
	wantSame(t, "Get", got, want)
}

func (s summaryStoreSuite) getMissingIsNotFound(t *testing.T, st wstk.SummaryStore) {
	_, err := st.Get(bg, summaryOf("https://a.example/").Key())
	wantCode(t, "Get", err, wstk.NotFound)
}

func (s summaryStoreSuite) everyPartOfTheKeyCounts(t *testing.T, st wstk.SummaryStore) {
	v := summaryOf("https://a.example/")
	must(t, st.Put(bg, v))
	for name, change := range map[string]func(*wstk.SummaryKey){
		"url":    func(k *wstk.SummaryKey) { k.URL += "x" },
		"text":   func(k *wstk.SummaryKey) { k.TextSHA256 = hashOf("other") },
		"engine": func(k *wstk.SummaryKey) { k.Engine = "other" },
		"model":  func(k *wstk.SummaryKey) { k.Model = "" },
		"prompt": func(k *wstk.SummaryKey) { k.PromptHash = "other" },
		"moved bytes": func(k *wstk.SummaryKey) {
			k.Engine, k.Model = k.Engine+k.Model[:1], k.Model[1:]
		},
	} {
		k := v.Key()
		change(&k)
		_, err := st.Get(bg, k)
		wantCode(t, "another "+name, err, wstk.NotFound)
	}
}

func (s summaryStoreSuite) storedSummariesNeverChange(t *testing.T, st wstk.SummaryStore) {
	v := summaryOf("https://a.example/")
	must(t, st.Put(bg, v))
	other := v
	other.Text = "rewritten"
	must(t, st.Put(bg, other))
	got, err := st.Get(bg, v.Key())
	must(t, err)
	wantSame(t, "Get", got, v)
}

func (s summaryStoreSuite) removeForgetsEverySummaryOfAURL(t *testing.T, st wstk.SummaryStore) {
	a, other, b := summaryOf("https://a.example/"), summaryOf("https://a.example/"), summaryOf("https://a.example/b")
	other.TextSHA256, other.Model = hashOf("an older text"), "m2"
	for _, v := range []wstk.Summary{a, other, b} {
		must(t, st.Put(bg, v))
	}
	wantCode(t, "Remove", st.Remove(cancelled(), a.URL), wstk.Cancelled)
	for range 2 {
		must(t, st.Remove(bg, a.URL))
	}
	for _, v := range []wstk.Summary{a, other} {
		_, err := st.Get(bg, v.Key())
		wantCode(t, "Get", err, wstk.NotFound)
	}
	got, err := st.Get(bg, b.Key())
	must(t, err)
	wantSame(t, "of another URL", got, b)
}

func (s summaryStoreSuite) cancelledStoresNothing(t *testing.T, st wstk.SummaryStore) {
	v := summaryOf("https://a.example/")
	wantCode(t, "Put", st.Put(cancelled(), v), wstk.Cancelled)
	_, err := st.Get(bg, v.Key())
	wantCode(t, "Get", err, wstk.NotFound)
	_, err = st.Get(cancelled(), v.Key())
	wantCode(t, "Get", err, wstk.Cancelled)
}

func (s summaryStoreSuite) manyAtOnceAreAllKept(t *testing.T, a, b wstk.SummaryStore) {
	url := func(i int) string { return fmt.Sprintf("https://a.example/%d", i/2) }
	together(t, 20, func(i int) error {
		return []wstk.SummaryStore{a, b}[i%2].Put(bg, summaryOf(url(i)))
	})
	for i := range 20 {
		got, err := b.Get(bg, summaryOf(url(i)).Key())
		must(t, err)
		wantSame(t, "Get", got, summaryOf(url(i)))
	}
}

func summaryOf(url string) wstk.Summary {
	return wstk.Summary{URL: url, TextSHA256: hashOf("text of %s", url), Text: "Größen und Preise.",
		Signals: wstk.Signals{Offers: []string{"repairs"}, Asks: []string{},
			CallsToAction: []string{"call us"}, Entities: []string{"Köln"}},
		Language: "de", Engine: "heuristic", Model: "m1", PromptHash: "rules/1", CreatedAt: day}
}

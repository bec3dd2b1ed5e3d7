package wstktest

import (
	"fmt"
	"slices"
	"testing"

	"wstk/shared/wstk"
)

// EvidenceStore checks the promises of wstk.EvidenceStore.
func EvidenceStore(
	t *testing.T, open func(t *testing.T) wstk.EvidenceStore,
	features ...Features[wstk.EvidenceStore],
) {
	s := evidenceStoreSuite{newSuite(t, open, features)}
	s.run("EveryFieldComesBack", s.everyFieldComesBack)
	s.run("GetMissingIsNotFound", s.getMissingIsNotFound)
	s.run("PutStoresAll", s.putStoresAll)
	s.run("PutStoresAllOrNone", s.putStoresAllOrNone)
	s.run("StoredEvidenceNeverChanges", s.storedEvidenceNeverChanges)
	s.run("NamingFindsByTextAndBySnapshot", s.namingFindsByTextAndBySnapshot)
	s.run("RemoveForgetsAndMayBePutAgain", s.removeForgetsAndMayBePutAgain)
	s.run("CancelledStoresNothing", s.cancelledStoresNothing)
	s.pair("ManyAtOnceAreAllKept", s.manyAtOnceAreAllKept)
}

type evidenceStoreSuite struct{ suite[wstk.EvidenceStore] }

func (s evidenceStoreSuite) everyFieldComesBack(t *testing.T, st wstk.EvidenceStore) {
	text, data := evidenceOf(1), evidenceOf(2)
	element, page := 17, 3
	data.Kind, data.CharStart, data.CharEnd, data.ByteStart, data.ByteEnd = wstk.EvidenceData,
		nil, nil, nil, nil
	data.Element, data.Pointer, data.Literal, data.PublishedAt, data.Page = &element,
		"/offers/0/price", "19.90", &day, &page
	must(t, st.Put(bg, text, data))
	for _, want := range []wstk.Evidence{text, data} {
		got, err := st.Get(bg, want.ID)
		must(t, err)
		wantSame(t, "Get", got, want)
	}
}

func (s evidenceStoreSuite) getMissingIsNotFound(t *testing.T, st wstk.EvidenceStore) {
	_, err := st.Get(bg, "ev_none")
	wantCode(t, "Get", err, wstk.NotFound)
}

func (s evidenceStoreSuite) putStoresAll(t *testing.T, st wstk.EvidenceStore) {
	must(t, st.Put(bg))
	var items []wstk.Evidence
	for i := range 99 {
		items = append(items, evidenceOf(i))
	}
	must(t, st.Put(bg, items...))
	for _, want := range items {
		got, err := st.Get(bg, want.ID)
		must(t, err)
		wantSame(t, "Get", got, want)
	}
}

func (s evidenceStoreSuite) putStoresAllOrNone(t *testing.T, st wstk.EvidenceStore) {
	wantCode(t, "an item without id among others",
		st.Put(bg, evidenceOf(1), wstk.Evidence{Quote: "x"}, evidenceOf(2)), wstk.Invalid)
	for _, i := range []int{1, 2} {
		_, err := st.Get(bg, evidenceOf(i).ID)
		wantCode(t, "what stood beside it", err, wstk.NotFound)
	}
}

func (s evidenceStoreSuite) storedEvidenceNeverChanges(t *testing.T, st wstk.EvidenceStore) {
	e := evidenceOf(1)
	must(t, st.Put(bg, e, e)) // twice in one call
	must(t, st.Put(bg, e))
	other := e
	other.Quote = "rewritten"
	must(t, st.Put(bg, other, evidenceOf(2)))
	got, err := st.Get(bg, e.ID)
	must(t, err)
	wantSame(t, "Get", got, e)
	if _, err := st.Get(bg, evidenceOf(2).ID); err != nil {
		t.Errorf("what stood beside a known item: %v", err)
	}
}

func (s evidenceStoreSuite) namingFindsByTextAndBySnapshot(t *testing.T, st wstk.EvidenceStore) {
	a, b, c := evidenceOf(1), evidenceOf(2), evidenceOf(3)
	b.SnapshotSHA256 = hashOf("another body")
	// a body with the bytes of a text
	c.TextSHA256, c.SnapshotSHA256 = hashOf("another text"), hashOf("text")
	must(t, st.Put(bg, a, b, c))
	must(t, st.Put(bg, a, b, c))
	again := a
	again.SnapshotSHA256 = hashOf("a later body") // is not stored, so nothing names it
	must(t, st.Put(bg, again))
	for about, want := range map[string][]string{"text": {a.ID, b.ID, c.ID}, "body": {a.ID},
		"another body": {b.ID}, "another text": {c.ID}, "a later body": {}, "nothing": {}} {
		slices.Sort(want)
		for _, limit := range []int{0, 1, 2, 100} {
			got, err := st.Naming(bg, hashOf("%s", about), limit)
			must(t, err)
			wantSame(t, fmt.Sprintf("Naming %s, at most %d", about, limit),
				ids(got, func(e wstk.Evidence) string { return e.ID }),
				want[:min(len(want), wstk.Limit(limit))])
		}
	}
	got, err := st.Naming(bg, "", 10)
	if err != nil || len(got) != 0 {
		t.Errorf("without a hash: %v, %v", got, err)
	}
	_, err = st.Naming(cancelled(), hashOf("text"), 1)
	wantCode(t, "Naming", err, wstk.Cancelled)
}

func (s evidenceStoreSuite) removeForgetsAndMayBePutAgain(t *testing.T, st wstk.EvidenceStore) {
	a, b := evidenceOf(1), evidenceOf(2)
	must(t, st.Put(bg, a, b))
	wantCode(t, "Remove when cancelled", st.Remove(cancelled(), a.ID), wstk.Cancelled)
	must(t, st.Remove(bg))
	for range 2 {
		must(t, st.Remove(bg, a.ID, "ev_none"))
	}
	_, err := st.Get(bg, a.ID)
	wantCode(t, "Get", err, wstk.NotFound)
	named, err := st.Naming(bg, a.TextSHA256, 10)
	must(t, err)
	wantSame(t, "Naming", ids(named, func(e wstk.Evidence) string { return e.ID }), []string{b.ID})
	must(t, st.Put(bg, a))
	got, err := st.Get(bg, a.ID)
	must(t, err)
	wantSame(t, "Get after another Put", got, a)
	if named, err = st.Naming(bg, a.TextSHA256, 10); err != nil || len(named) != 2 {
		t.Errorf("Naming after another Put: %v, %v", named, err)
	}
}

func (s evidenceStoreSuite) cancelledStoresNothing(t *testing.T, st wstk.EvidenceStore) {
	wantCode(t, "Put", st.Put(cancelled(), evidenceOf(1)), wstk.Cancelled)
	_, err := st.Get(bg, evidenceOf(1).ID)
	wantCode(t, "Get", err, wstk.NotFound)
	_, err = st.Get(cancelled(), evidenceOf(1).ID)
	wantCode(t, "Get", err, wstk.Cancelled)
}

func (s evidenceStoreSuite) manyAtOnceAreAllKept(t *testing.T, a, b wstk.EvidenceStore) {
	together(t, 16, func(i int) error {
		return []wstk.EvidenceStore{a, b}[i%2].Put(bg, evidenceOf(i),
			evidenceOf(i+1), evidenceOf(i+2))
	})
	for i := range 18 {
		got, err := b.Get(bg, evidenceOf(i).ID)
		must(t, err)
		wantSame(t, "Get", got, evidenceOf(i))
	}
}

func evidenceOf(i int) wstk.Evidence {
	url, text := "https://a.example/", hashOf("text")
	quote := fmt.Sprintf("„Zitat %03d“", i)
	span := wstk.Span{CharStart: 10 * i, CharEnd: 10*i + 11, ByteStart: 12 * i,
		ByteEnd: 12*i + len(quote)}
	return wstk.Evidence{ID: wstk.TextEvidenceID(text, span, url),
		Kind: wstk.EvidenceText, Quote: quote,
		CharStart: &span.CharStart, CharEnd: &span.CharEnd, ByteStart: &span.ByteStart,
		ByteEnd:    &span.ByteEnd,
		TextSHA256: text, SnapshotSHA256: hashOf("body"), URL: url, CanonicalURL: url,
		SectionPath: []string{"A", "B"},
		FetchedAt:   day, Status: wstk.StatusDirect, Link: url + "#:~:text=Zitat"}
}

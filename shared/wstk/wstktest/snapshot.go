package wstktest

import (
	"fmt"
	"testing"
	"time"

	"wstk/shared/wstk"
)

// SnapshotStore checks the promises of wstk.SnapshotStore.
func SnapshotStore(
	t *testing.T, open func(t *testing.T) wstk.SnapshotStore,
	features ...Features[wstk.SnapshotStore],
) {
	s := snapshotStoreSuite{newSuite(t, open, features)}
	s.run("EveryFieldComesBack", s.everyFieldComesBack)
	s.run("GetMissingIsNotFound", s.getMissingIsNotFound)
	s.run("GetReturnsTheNewestWithThatBody", s.getReturnsTheNewestWithThatBody)
	s.run("WithBodyListsThemNewestFirst", s.withBodyListsThemNewestFirst)
	s.run("RemoveForgetsThoseOfTheseTimes", s.removeForgetsThoseOfTheseTimes)
	s.run("PutTwiceIsPutOnce", s.putTwiceIsPutOnce)
	s.run("StoredSnapshotsNeverChange", s.storedSnapshotsNeverChange)
	s.run("WithoutBodyIsListedOnly", s.withoutBodyIsListedOnly)
	s.run("ListIsNewestFirst", s.listIsNewestFirst)
	s.run("ListOfUnknownIsEmpty", s.listOfUnknownIsEmpty)
	s.run("WithoutURLOrTimeIsInvalid", s.withoutURLOrTimeIsInvalid)
	s.run("CancelledStoresNothing", s.cancelledStoresNothing)
	s.pair("ManyAtOnceAreAllKept", s.manyAtOnceAreAllKept)
}

type snapshotStoreSuite struct{ suite[wstk.SnapshotStore] }

func (s snapshotStoreSuite) everyFieldComesBack(t *testing.T, st wstk.SnapshotStore) {
	want := fullSnapshot()
	must(t, st.Put(bg, want))
	got, err := st.Get(bg, want.BodySHA256)
	must(t, err)
	wantSame(t, "Get", got, want)
	s.soon(t, func() error {
		list, err := st.List(bg, want.URL, 10)
		if err != nil {
			return err
		}
		return same("List", list, []wstk.Snapshot{want})
	})
}

func (s snapshotStoreSuite) getMissingIsNotFound(t *testing.T, st wstk.SnapshotStore) {
	_, err := st.Get(bg, hashOf("nothing"))
	wantCode(t, "Get", err, wstk.NotFound)
}

func (s snapshotStoreSuite) getReturnsTheNewestWithThatBody(t *testing.T, st wstk.SnapshotStore) {
	body := hashOf("same body")
	for _, n := range []int{2, 5, 1, 4} {
		must(t, st.Put(bg, snapshotAt("https://a.example/", n, body)))
	}
	must(t, st.Put(bg, snapshotAt("https://a.example/", 9, hashOf("another body"))))
	must(t, st.Put(bg, snapshotAt("https://b.example/", 3, body)))
	s.soon(t, func() error {
		got, err := st.Get(bg, body)
		if err != nil {
			return err
		}
		return same("newest", got.FetchedAt, day.Add(5*time.Hour))
	})
}

func (s snapshotStoreSuite) withBodyListsThemNewestFirst(t *testing.T, st wstk.SnapshotStore) {
	body := hashOf("same body")
	a, b, c := snapshotAt("https://a.example/", 2, body), snapshotAt("https://b.example/", 3, body), snapshotAt("https://a.example/", 1, body)
	for _, v := range []wstk.Snapshot{a, b, c,
		snapshotAt("https://a.example/", 9, hashOf("another body")), snapshotAt("https://a.example/", 8, "")} {
		must(t, st.Put(bg, v))
	}
	for limit, want := range map[int][]wstk.Snapshot{10: {b, a, c}, 2: {b, a}} {
		s.soon(t, func() error {
			got, err := st.WithBody(bg, body, limit)
			if err != nil {
				return err
			}
			return same("WithBody", got, want)
		})
	}
	for _, h := range []wstk.Hash{"", hashOf("nothing")} {
		if got, err := st.WithBody(bg, h, 10); err != nil || len(got) != 0 {
			t.Errorf("with body %q: %v, %v", h, got, err)
		}
	}
}

func (s snapshotStoreSuite) removeForgetsThoseOfTheseTimes(t *testing.T, st wstk.SnapshotStore) {
	body := hashOf("same body")
	mine := []wstk.Snapshot{snapshotAt("https://a.example/", 1, body), snapshotAt("https://a.example/", 2, body), snapshotAt("https://a.example/", 3, "")}
	theirs := snapshotAt("https://b.example/", 2, body)
	for _, v := range append(mine, theirs) {
		must(t, st.Put(bg, v))
	}
	wantCode(t, "Remove", st.Remove(cancelled(), theirs.URL, theirs.FetchedAt), wstk.Cancelled)
	for range 2 {
		must(t, st.Remove(bg, mine[1].URL, mine[1].FetchedAt, mine[2].FetchedAt,
			day.Add(99*time.Hour)))
	}
	must(t, st.Remove(bg, mine[0].URL))
	s.soon(t, func() error {
		list, err := st.List(bg, mine[0].URL, 10)
		if err != nil {
			return err
		}
		with, err := st.WithBody(bg, body, 10)
		if err != nil {
			return err
		}
		return same("what is left", [][]wstk.Snapshot{list, with},
			[][]wstk.Snapshot{mine[:1], {theirs, mine[0]}})
	})
	must(t, st.Remove(bg, theirs.URL, theirs.FetchedAt))
	must(t, st.Remove(bg, mine[0].URL, mine[0].FetchedAt))
	_, err := st.Get(bg, body)
	wantCode(t, "Get of a body that no snapshot has", err, wstk.NotFound)
	must(t, st.Put(bg, theirs)) // it may come again
	got, err := st.Get(bg, body)
	must(t, err)
	wantSame(t, "Get", got, theirs)
}

func (s snapshotStoreSuite) putTwiceIsPutOnce(t *testing.T, st wstk.SnapshotStore) {
	v := snapshotAt("https://a.example/", 1, hashOf("b"))
	must(t, st.Put(bg, v))
	must(t, st.Put(bg, v))
	s.soon(t, func() error {
		list, err := st.List(bg, v.URL, 10)
		if err != nil {
			return err
		}
		return same("List", list, []wstk.Snapshot{v})
	})
}

func (s snapshotStoreSuite) storedSnapshotsNeverChange(t *testing.T, st wstk.SnapshotStore) {
	v := snapshotAt("https://a.example/", 1, hashOf("b"))
	must(t, st.Put(bg, v))
	other := v
	other.Reason = "rewritten"
	must(t, st.Put(bg, other))
	got, err := st.Get(bg, v.BodySHA256)
	must(t, err)
	wantSame(t, "Get", got, v)
}

func (s snapshotStoreSuite) withoutBodyIsListedOnly(t *testing.T, st wstk.SnapshotStore) {
	v := snapshotAt("https://a.example/", 1, "")
	v.Verdict, v.Reason = wstk.VerdictTimeout, "no reply in 20 s"
	must(t, st.Put(bg, v))
	s.soon(t, func() error {
		list, err := st.List(bg, v.URL, 10)
		if err != nil {
			return err
		}
		return same("List", list, []wstk.Snapshot{v})
	})
	_, err := st.Get(bg, "")
	wantCode(t, "Get of no body", err, wstk.NotFound)
}

func (s snapshotStoreSuite) listIsNewestFirst(t *testing.T, st wstk.SnapshotStore) {
	for _, n := range []int{3, 1, 5, 2, 4} {
		must(t, st.Put(bg, snapshotAt("https://a.example/", n, hashOf("%d", n))))
	}
	must(t, st.Put(bg, snapshotAt("https://a.example/x", 6, hashOf("x"))))
	s.soon(t, func() error {
		list, err := st.List(bg, "https://a.example/", 3)
		if err != nil {
			return err
		}
		return same("List", ids(list, func(v wstk.Snapshot) time.Time { return v.FetchedAt }),
			[]time.Time{day.Add(5 * time.Hour), day.Add(4 * time.Hour), day.Add(3 * time.Hour)})
	})
}

func (s snapshotStoreSuite) listOfUnknownIsEmpty(t *testing.T, st wstk.SnapshotStore) {
	list, err := st.List(bg, "https://nobody.example/", 3)
	if err != nil || len(list) != 0 {
		t.Errorf("%v, %v; want err == nil && len(list) == 0", list, err)
	}
}

func (s snapshotStoreSuite) withoutURLOrTimeIsInvalid(t *testing.T, st wstk.SnapshotStore) {
	wantCode(t, "no URL", st.Put(bg, wstk.Snapshot{FetchedAt: day}), wstk.Invalid)
	wantCode(t, "no time", st.Put(bg, wstk.Snapshot{URL: "https://a.example/"}), wstk.Invalid)
}

func (s snapshotStoreSuite) cancelledStoresNothing(t *testing.T, st wstk.SnapshotStore) {
	v := snapshotAt("https://a.example/", 1, hashOf("b"))
	wantCode(t, "Put", st.Put(cancelled(), v), wstk.Cancelled)
	_, err := st.Get(bg, v.BodySHA256)
	wantCode(t, "Get", err, wstk.NotFound)
	_, err = st.Get(cancelled(), v.BodySHA256)
	wantCode(t, "Get", err, wstk.Cancelled)
	_, err = st.List(cancelled(), v.URL, 1)
	wantCode(t, "List", err, wstk.Cancelled)
}

func (s snapshotStoreSuite) manyAtOnceAreAllKept(t *testing.T, a, b wstk.SnapshotStore) {
	together(t, 20, func(i int) error {
		st := []wstk.SnapshotStore{a, b}[i%2]
		// each twice
		if err := st.Put(bg, snapshotAt("https://a.example/", i/2, hashOf("%d", i/2))); err != nil {
			return err
		}
		return st.Put(bg, snapshotAt(fmt.Sprintf("https://%d.example/", i), 0, hashOf("own %d", i)))
	})
	s.soon(t, func() error {
		list, err := b.List(bg, "https://a.example/", 100)
		if err != nil {
			return err
		}
		return same("snapshots", len(list), 10)
	})
	for i := range 20 {
		if _, err := a.Get(bg, hashOf("own %d", i)); err != nil {
			t.Errorf("snapshot %d: %v", i, err)
		}
	}
}

func snapshotAt(url string, hour int, body wstk.Hash) wstk.Snapshot {
	return wstk.Snapshot{URL: url, FinalURL: url, Status: 200, BodySHA256: body, BodyBytes: 3,
		Method: wstk.MethodHTTP, FetchedAt: day.Add(time.Duration(hour) * time.Hour),
		Verdict: wstk.VerdictOK}
}

func fullSnapshot() wstk.Snapshot {
	return wstk.Snapshot{
		URL: "https://a.example/ä?q=1", FinalURL: "https://a.example/b",
		Redirects: []wstk.Redirect{{URL: "https://a.example/ä?q=1", Status: 301}},
		Status:    200, Headers: map[string]string{"Content-Type": "text/html; charset=utf-8",
			"Age": "3"},
		ContentType: "text/html", Charset: "utf-8", BodySHA256: hashOf("body"), BodyBytes: 12345,
		Method: wstk.MethodHTTP, FetchedAt: day.Add(123456789 * time.Nanosecond),
		DurationMS: 87, ETag: `W/"x"`,
		LastModified: "Sat, 28 Feb 2026 10:00:00 GMT", RetryAfterSec: 7, Verdict: wstk.VerdictThin,
		Reason: "next to no text",
		Warnings: []wstk.Warning{{Code: "slow", Message: "It took long.",
			URL: "https://a.example/b", Start: 1, End: 2, Details: "x"}},
	}
}

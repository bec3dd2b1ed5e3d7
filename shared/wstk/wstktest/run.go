package wstktest

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"wstk/shared/wstk"
)

// RunStore checks the promises of wstk.RunStore.
func RunStore(
	t *testing.T, open func(t *testing.T) wstk.RunStore, features ...Features[wstk.RunStore],
) {
	s := runStoreSuite{newSuite(t, open, features)}
	s.run("EveryFieldComesBack", s.everyFieldComesBack)
	s.run("GetMissingIsNotFound", s.getMissingIsNotFound)
	s.run("CreateTwiceIsConflict", s.createTwiceIsConflict)
	s.run("EndSetsWhatEnds", s.endSetsWhatEnds)
	s.run("EndTwiceEndsOnce", s.endTwiceEndsOnce)
	s.run("EndNeedsATerminalState", s.endNeedsATerminalState)
	s.run("UnknownRunIsNotFound", s.unknownRunIsNotFound)
	s.run("RequestCancelSetsTheFlag", s.requestCancelSetsTheFlag)
	s.run("RequestCancelOfAnEndedRunDoesNothing", s.requestCancelOfAnEndedRunDoesNothing)
	s.run("TouchMovesUpdatedAtForwardWhileItRuns", s.touchMovesUpdatedAtForwardWhileItRuns)
	s.run("RemoveForgetsAnEndedRunAndItsParts", s.removeForgetsAnEndedRunAndItsParts)
	s.run("ListIsNewestFirst", s.listIsNewestFirst)
	s.run("ListKeepsToTheFilter", s.listKeepsToTheFilter)
	s.run("ASearchRunIsStoredEnded", s.aSearchRunIsStoredEnded)
	s.run("TimesAreThoseOfStartedAt", s.timesAreThoseOfStartedAt)
	s.run("PartsComeBackInOrder", s.partsComeBackInOrder)
	s.run("WithoutIDOrStateIsInvalid", s.withoutIDOrStateIsInvalid)
	s.run("CancelledStoresNothing", s.cancelledStoresNothing)
	s.pair("OfManyCreatesOneWins", s.ofManyCreatesOneWins)
	s.pair("OfManyEndsOneCounts", s.ofManyEndsOneCounts)
}

type runStoreSuite struct{ suite[wstk.RunStore] }

func (s runStoreSuite) everyFieldComesBack(t *testing.T, st wstk.RunStore) {
	o := wstk.DefaultCrawlOptions()
	want := wstk.Run{ID: runID(1), Kind: wstk.RunIngest, State: wstk.RunRunning, Site: "site_1",
		Query: "wie groß?", Options: &o,
		Reasons: []string{"one"}, Result: hashOf("r"), Cancel: true, StartedAt: day, UpdatedAt: day,
		EndedAt:      day.Add(1),
		SearchableAt: day, Usage: wstk.Usage{Calls: 1, InputTokens: 2,
			OutputTokens: 3, DurationMS: 4}}
	must(t, st.Create(bg, want))
	got, err := st.Get(bg, want.ID)
	must(t, err)
	wantSame(t, "Get", got, want)
}

func (s runStoreSuite) getMissingIsNotFound(t *testing.T, st wstk.RunStore) {
	_, err := st.Get(bg, runID(404))
	wantCode(t, "Get", err, wstk.NotFound)
}

func (s runStoreSuite) createTwiceIsConflict(t *testing.T, st wstk.RunStore) {
	r := runOf(1)
	must(t, st.Create(bg, r))
	other := r
	other.Query = "another"
	wantCode(t, "Create", st.Create(bg, other), wstk.Conflict)
	got, err := st.Get(bg, r.ID)
	must(t, err)
	wantSame(t, "the first", got, r)
}

func (s runStoreSuite) endSetsWhatEnds(t *testing.T, st wstk.RunStore) {
	r := runOf(1)
	must(t, st.Create(bg, r))
	end := wstk.Run{ID: runID(77), Kind: wstk.RunSearch, State: wstk.RunPartial,
		Site: "site_other", Query: "other",
		Reasons: []string{"two pages failed"}, Result: hashOf("result"), Cancel: true,
		StartedAt: day.Add(time.Hour),
		EndedAt:   day.Add(time.Minute), SearchableAt: day.Add(2 * time.Minute),
		Usage: wstk.Usage{Calls: 3}}
	did, err := st.End(bg, r.ID, end)
	if err != nil || !did {
		t.Fatalf("End: %v, %v", did, err)
	}
	got, err := st.Get(bg, r.ID)
	must(t, err)
	want := r
	want.State, want.Reasons, want.EndedAt, want.Usage = end.State, end.Reasons,
		end.EndedAt, end.Usage
	want.Result, want.SearchableAt = end.Result, end.SearchableAt
	want.UpdatedAt = got.UpdatedAt
	wantSame(t, "Get", got, want)
}

func (s runStoreSuite) endTwiceEndsOnce(t *testing.T, st wstk.RunStore) {
	r := runOf(1)
	must(t, st.Create(bg, r))
	_, err := st.End(bg, r.ID, wstk.Run{State: wstk.RunFailed, EndedAt: day})
	must(t, err)
	did, err := st.End(bg, r.ID, wstk.Run{State: wstk.RunComplete, EndedAt: day.Add(time.Hour)})
	if err != nil || did {
		t.Errorf("the second End: %v, %v", did, err)
	}
	got, err := st.Get(bg, r.ID)
	must(t, err)
	if got.State != wstk.RunFailed {
		t.Errorf("state %s after a second End", got.State)
	}
}

func (s runStoreSuite) endNeedsATerminalState(t *testing.T, st wstk.RunStore) {
	r := runOf(1)
	must(t, st.Create(bg, r))
	for _, state := range []wstk.RunState{"", wstk.RunRunning, "finished"} {
		_, err := st.End(bg, r.ID, wstk.Run{State: state})
		wantCode(t, "End as "+string(state), err, wstk.Invalid)
	}
	got, err := st.Get(bg, r.ID)
	must(t, err)
	wantSame(t, "Get", got, r)
}

func (s runStoreSuite) unknownRunIsNotFound(t *testing.T, st wstk.RunStore) {
	_, err := st.End(bg, runID(404), wstk.Run{State: wstk.RunComplete})
	wantCode(t, "End", err, wstk.NotFound)
	wantCode(t, "RequestCancel", st.RequestCancel(bg, runID(404)), wstk.NotFound)
}

func (s runStoreSuite) requestCancelSetsTheFlag(t *testing.T, st wstk.RunStore) {
	r := runOf(1)
	must(t, st.Create(bg, r))
	must(t, st.RequestCancel(bg, r.ID))
	must(t, st.RequestCancel(bg, r.ID))
	got, err := st.Get(bg, r.ID)
	must(t, err)
	if !got.Cancel || got.State != wstk.RunRunning {
		t.Errorf("cancel %v, state %s", got.Cancel, got.State)
	}
	did, err := st.End(bg, r.ID, wstk.Run{State: wstk.RunCancelled, EndedAt: day})
	if err != nil || !did {
		t.Errorf("End: %v, %v", did, err)
	}
	got, err = st.Get(bg, r.ID)
	must(t, err)
	if !got.Cancel {
		t.Error("End took the cancel flag away")
	}
}

func (s runStoreSuite) requestCancelOfAnEndedRunDoesNothing(t *testing.T, st wstk.RunStore) {
	r := runOf(1)
	must(t, st.Create(bg, r))
	_, err := st.End(bg, r.ID, wstk.Run{State: wstk.RunComplete, EndedAt: day})
	must(t, err)
	before, err := st.Get(bg, r.ID)
	must(t, err)
	must(t, st.RequestCancel(bg, r.ID))
	after, err := st.Get(bg, r.ID)
	must(t, err)
	wantSame(t, "the run", after, before)
}

func (s runStoreSuite) touchMovesUpdatedAtForwardWhileItRuns(t *testing.T, st wstk.RunStore) {
	r := runOf(1)
	must(t, st.Create(bg, r))
	want := func(about string, at time.Time) {
		t.Helper()
		got, err := st.Get(bg, r.ID)
		must(t, err)
		if !got.UpdatedAt.Equal(at) ||
			got.State == wstk.RunRunning && !got.StartedAt.Equal(r.StartedAt) {
			t.Errorf("%s: updated at %s, want %s", about, got.UpdatedAt, at)
		}
	}
	later := r.UpdatedAt.Add(time.Minute)
	must(t, st.Touch(bg, r.ID, later))
	want("after Touch", later)
	must(t, st.Touch(bg, r.ID, later.Add(-time.Second)))
	want("after an earlier one", later)
	end := later.Add(time.Hour)
	_, err := st.End(bg, r.ID, wstk.Run{State: wstk.RunComplete, EndedAt: end})
	must(t, err)
	must(t, st.Touch(bg, r.ID, end.Add(time.Hour)))
	want("after the end", end)
	wantCode(t, "Touch of an unknown run", st.Touch(bg, runID(404), later), wstk.NotFound)
	wantCode(t, "Touch when cancelled", st.Touch(cancelled(), r.ID, later), wstk.Cancelled)
}

func (s runStoreSuite) removeForgetsAnEndedRunAndItsParts(t *testing.T, st wstk.RunStore) {
	r, other := runOf(1), runOf(2)
	other.Query = r.Query
	must(t, st.Create(bg, r))
	must(t, st.Create(bg, other))
	must(t, st.AddPart(bg, r.ID, wstk.Part{N: 0, Data: hashOf("part")}))
	wantCode(t, "Remove of a running run", st.Remove(bg, r.ID), wstk.Conflict)
	_, err := st.End(bg, r.ID, wstk.Run{State: wstk.RunComplete, EndedAt: day})
	must(t, err)
	wantCode(t, "Remove when cancelled", st.Remove(cancelled(), r.ID), wstk.Cancelled)
	for range 2 {
		must(t, st.Remove(bg, r.ID))
	}
	_, err = st.Get(bg, r.ID)
	wantCode(t, "Get", err, wstk.NotFound)
	if parts, err := st.Parts(bg, r.ID); err != nil || len(parts) != 0 {
		t.Errorf("parts %v, %v", parts, err)
	}
	for _, f := range []wstk.RunFilter{{}, {Kind: r.Kind}, {Site: r.Site}, {Query: r.Query}} {
		s.soon(t, func() error {
			runs, _, err := st.List(bg, f, "", 10)
			if err != nil {
				return err
			}
			return same(fmt.Sprintf("List %+v", f),
				ids(runs, func(r wstk.Run) wstk.RunID { return r.ID }), []wstk.RunID{other.ID})
		})
	}
	must(t, st.Remove(bg, runID(404)))
}

func (s runStoreSuite) listIsNewestFirst(t *testing.T, st wstk.RunStore) {
	var want []wstk.RunID
	for _, i := range []int{3, 1, 6, 2, 5, 4} {
		must(t, st.Create(bg, runOf(i)))
	}
	for i := 6; i >= 1; i-- {
		want = append(want, runID(i))
	}
	for _, limit := range []int{1, 2, 6, 50} {
		s.soon(t, func() error {
			all, err := pages(limit, func(c string) ([]wstk.Run, string, error) {
				return st.List(bg, wstk.RunFilter{}, c, limit)
			})
			if err != nil {
				return err
			}
			return same("List", ids(all, func(r wstk.Run) wstk.RunID { return r.ID }), want)
		})
	}
}

func (s runStoreSuite) listKeepsToTheFilter(t *testing.T, st wstk.RunStore) {
	kinds := []wstk.RunKind{wstk.RunIngest, wstk.RunSearch}
	for i := range 8 {
		r := runOf(i)
		r.Owner = []string{"", "ci", wstk.DefaultOwner}[i%3]
		r.Kind, r.Site, r.Query = kinds[i%2], wstk.SiteID(fmt.Sprintf("site_%d", i/4)),
			fmt.Sprintf("query %d", i%3)
		must(t, st.Create(bg, r))
	}
	_, err := st.End(bg, runID(5), wstk.Run{State: wstk.RunFailed, EndedAt: day})
	must(t, err)
	for _, c := range []struct {
		f    wstk.RunFilter
		want []int
	}{
		{wstk.RunFilter{Kind: wstk.RunSearch}, []int{7, 5, 3, 1}},
		{wstk.RunFilter{State: wstk.RunFailed}, []int{5}},
		{wstk.RunFilter{Owner: "ci"}, []int{7, 4, 1}},
		{wstk.RunFilter{Owner: wstk.DefaultOwner}, []int{6, 5, 3, 2, 0}},
		{wstk.RunFilter{Owner: "ci", Kind: wstk.RunSearch}, []int{7, 1}},
		{wstk.RunFilter{Owner: "nobody"}, []int{}},
		{wstk.RunFilter{State: wstk.RunRunning, Site: "site_1"}, []int{7, 6, 4}},
		{wstk.RunFilter{Query: "query 1"}, []int{7, 4, 1}},
		{wstk.RunFilter{Query: "query"}, []int{}},
		{wstk.RunFilter{From: startOf(2), To: startOf(5)}, []int{4, 3, 2}},
		{wstk.RunFilter{Kind: wstk.RunIngest, Query: "query 0", From: startOf(1)}, []int{6}},
	} {
		for _, limit := range []int{2, 100} {
			s.soon(t, func() error {
				all, err := pages(limit, func(cur string) ([]wstk.Run, string, error) {
					return st.List(bg, c.f, cur, limit)
				})
				if err != nil {
					return err
				}
				return same(fmt.Sprintf("%+v", c.f),
					ids(all, func(r wstk.Run) wstk.RunID { return r.ID }), ids(c.want, runID))
			})
		}
	}
}

func (s runStoreSuite) aSearchRunIsStoredEnded(t *testing.T, st wstk.RunStore) {
	must(t, st.Create(bg, runOf(1)))
	want := searchRunOf(2)
	must(t, st.Create(bg, want))
	check := func(t *testing.T) {
		t.Helper()
		got, err := st.Get(bg, want.ID)
		must(t, err)
		wantSame(t, "Get", got, want)
	}
	check(t)
	for _, c := range []struct {
		f    wstk.RunFilter
		want []wstk.RunID
	}{
		{wstk.RunFilter{Kind: wstk.RunSearch}, []wstk.RunID{want.ID}},
		{wstk.RunFilter{Kind: wstk.RunSearch, Query: want.Query, From: startOf(2), To: startOf(3)},
			[]wstk.RunID{want.ID}},
		{wstk.RunFilter{Kind: wstk.RunSearch, Query: want.Query, From: startOf(3)}, nil},
		{wstk.RunFilter{Kind: wstk.RunSearch, To: startOf(2)}, nil},
		{wstk.RunFilter{State: wstk.RunRunning}, []wstk.RunID{runID(1)}},
	} {
		s.soon(t, func() error {
			list, _, err := st.List(bg, c.f, "", 10)
			if err != nil {
				return err
			}
			return same(fmt.Sprintf("%+v", c.f), ids(list,
				func(r wstk.Run) wstk.RunID { return r.ID }),
				ids(c.want, func(id wstk.RunID) wstk.RunID { return id }))
		})
	}
	did, err := st.End(bg, want.ID, wstk.Run{State: wstk.RunFailed, EndedAt: day.Add(time.Hour)})
	if err != nil || did {
		t.Errorf("End of a run that was stored ended: %v, %v", did, err)
	}
	must(t, st.RequestCancel(bg, want.ID))
	wantCode(t, "Create", st.Create(bg, want), wstk.Conflict)
	check(t)
}

func (s runStoreSuite) timesAreThoseOfStartedAt(t *testing.T, st wstk.RunStore) {
	// An id is made within a minute of its run's start; that of a request holds no time.
	for i, apart := range []time.Duration{-time.Minute, -time.Second, 0,
		time.Millisecond, time.Minute} {
		r := runOf(10 * i)
		r.StartedAt = r.StartedAt.Add(apart)
		must(t, st.Create(bg, r))
	}
	request := func(i int) wstk.RunID {
		return wstk.NewRunID(time.UnixMilli(0),
			strings.NewReader(strings.Repeat(string([]byte{byte(255 - 100*i)}), 10)))
	}
	for i := range 2 {
		must(t, st.Create(bg, wstk.Run{ID: request(i), Kind: wstk.RunRequest,
			State: wstk.RunRunning, StartedAt: startOf(10 * i), UpdatedAt: day}))
	}
	for _, c := range []struct {
		f    wstk.RunFilter
		want []wstk.RunID
	}{
		{wstk.RunFilter{Kind: wstk.RunExtraction, From: startOf(-1), To: startOf(-1).Add(1)},
			[]wstk.RunID{runID(0)}},
		{wstk.RunFilter{Kind: wstk.RunExtraction, From: startOf(-1).Add(1), To: startOf(10).
			Add(-time.Second)}, nil},
		{wstk.RunFilter{Kind: wstk.RunExtraction, From: startOf(10).Add(-time.Second),
			To: startOf(20)}, []wstk.RunID{runID(10)}},
		{wstk.RunFilter{Query: "query 40", From: startOf(41), To: startOf(42)},
			[]wstk.RunID{runID(40)}},
		{wstk.RunFilter{Site: "site_1", From: startOf(20), To: startOf(30).
			Add(2 * time.Millisecond)}, []wstk.RunID{runID(30), runID(20)}},
		{wstk.RunFilter{Kind: wstk.RunRequest, From: startOf(5)}, []wstk.RunID{request(1)}},
		{wstk.RunFilter{State: wstk.RunRunning, From: startOf(30), To: startOf(31)},
			[]wstk.RunID{runID(30)}},
		{wstk.RunFilter{From: startOf(-2), To: startOf(11)},
			[]wstk.RunID{runID(10), runID(0), request(0), request(1)}},
		{wstk.RunFilter{From: time.Date(1, 1, 1, 0, 0, 1, 0, time.UTC),
			To: time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), Query: "query 0"},
			[]wstk.RunID{runID(0)}},
		{wstk.RunFilter{Kind: wstk.RunExtraction, To: time.Date(1960, 1, 1, 0, 0, 0, 0, time.UTC)},
			nil},
		{wstk.RunFilter{Kind: wstk.RunExtraction, From: startOf(20), To: startOf(10)}, nil},
	} {
		for _, limit := range []int{1, 100} {
			s.soon(t, func() error {
				all, err := pages(limit, func(cur string) ([]wstk.Run, string, error) {
					return st.List(bg, c.f, cur, limit)
				})
				if err != nil {
					return err
				}
				return same(fmt.Sprintf("%+v", c.f), ids(all,
					func(r wstk.Run) wstk.RunID { return r.ID }),
					ids(c.want, func(id wstk.RunID) wstk.RunID { return id }))
			})
		}
	}
}

func (s runStoreSuite) partsComeBackInOrder(t *testing.T, st wstk.RunStore) {
	must(t, st.Create(bg, runOf(1)))
	must(t, st.Create(bg, runOf(2)))
	part := func(n int, data string) wstk.Part { return wstk.Part{N: n, Data: hashOf("%s", data)} }
	for _, n := range []int{10, 2, 0} {
		must(t, st.AddPart(bg, runID(1), part(n, "a")))
	}
	must(t, st.AddPart(bg, runID(1), part(2, "the first stays")))
	_, err := st.End(bg, runID(1), wstk.Run{State: wstk.RunComplete, EndedAt: day})
	must(t, err)
	for id, want := range map[wstk.RunID][]wstk.Part{runID(1): {part(0, "a"), part(2, "a"),
		part(10, "a")}, runID(2): nil, runID(3): nil} {
		got, err := st.Parts(bg, id)
		must(t, err)
		if !slices.Equal(got, want) {
			t.Errorf("%s has %v, want %v", id, got, want)
		}
	}
	must(t, st.AddPart(bg, runID(1), part(3, "too late")))
	if got, err := st.Parts(bg, runID(1)); err != nil || len(got) != 3 {
		t.Errorf("a run that has ended took a part: %v, %v", got, err)
	}
	wantCode(t, "a part of no run", st.AddPart(bg, runID(3), part(0, "a")), wstk.NotFound)
	wantCode(t, "a part without data", st.AddPart(bg, runID(1), wstk.Part{N: 4}), wstk.Invalid)
	wantCode(t, "a part before the first", st.AddPart(bg, runID(1), part(-1, "a")), wstk.Invalid)
	wantCode(t, "AddPart", st.AddPart(cancelled(), runID(1), part(5, "a")), wstk.Cancelled)
	_, err = st.Parts(cancelled(), runID(1))
	wantCode(t, "Parts", err, wstk.Cancelled)
}

func (s runStoreSuite) withoutIDOrStateIsInvalid(t *testing.T, st wstk.RunStore) {
	wantCode(t, "no id", st.Create(bg, wstk.Run{State: wstk.RunRunning}), wstk.Invalid)
	wantCode(t, "no state", st.Create(bg, wstk.Run{ID: runID(1)}), wstk.Invalid)
}

func (s runStoreSuite) cancelledStoresNothing(t *testing.T, st wstk.RunStore) {
	r := runOf(1)
	wantCode(t, "Create", st.Create(cancelled(), r), wstk.Cancelled)
	_, err := st.Get(bg, r.ID)
	wantCode(t, "Get", err, wstk.NotFound)
	must(t, st.Create(bg, r))
	_, err = st.End(cancelled(), r.ID, wstk.Run{State: wstk.RunComplete})
	wantCode(t, "End", err, wstk.Cancelled)
	wantCode(t, "RequestCancel", st.RequestCancel(cancelled(), r.ID), wstk.Cancelled)
	got, err := st.Get(bg, r.ID)
	must(t, err)
	wantSame(t, "the run", got, r)
	_, err = st.Get(cancelled(), r.ID)
	wantCode(t, "Get", err, wstk.Cancelled)
	_, _, err = st.List(cancelled(), wstk.RunFilter{}, "", 1)
	wantCode(t, "List", err, wstk.Cancelled)
}

func (s runStoreSuite) ofManyCreatesOneWins(t *testing.T, a, b wstk.RunStore) {
	var won atomic.Int32
	together(t, 16, func(i int) error {
		err := []wstk.RunStore{a, b}[i%2].Create(bg, runOf(1))
		if err == nil {
			won.Add(1)
		} else if wstk.CodeOf(err) == wstk.Conflict {
			err = nil
		}
		return err
	})
	if won.Load() != 1 {
		t.Errorf("%d of 16 created the run", won.Load())
	}
}

func (s runStoreSuite) ofManyEndsOneCounts(t *testing.T, a, b wstk.RunStore) {
	must(t, a.Create(bg, runOf(1)))
	var won atomic.Int32
	var state atomic.Value
	together(t, 16, func(i int) error {
		st := []wstk.RunStore{a, b}[i%2]
		if i%4 == 0 {
			return st.RequestCancel(bg, runID(1))
		}
		end := []wstk.RunState{wstk.RunComplete, wstk.RunFailed, wstk.RunPartial}[i%3]
		did, err := st.End(bg, runID(1), wstk.Run{State: end, EndedAt: day})
		if did {
			won.Add(1)
			state.Store(end)
		}
		return err
	})
	got, err := b.Get(bg, runID(1))
	must(t, err)
	if won.Load() != 1 || got.State != state.Load() {
		t.Errorf("%d calls ended the run, it is %s, the one that ended it said %v", won.Load(),
			got.State, state.Load())
	}
}

func startOf(i int) time.Time { return day.Add(time.Duration(i) * time.Minute) }

// runID is the id of a run that started at startOf(i).
func runID(i int) wstk.RunID { return wstk.NewRunID(startOf(i), strings.NewReader("0123456789")) }

func runOf(i int) wstk.Run {
	return wstk.Run{ID: runID(i), Kind: wstk.RunExtraction, State: wstk.RunRunning, Site: "site_1",
		Query: fmt.Sprint("query ", i), StartedAt: startOf(i), UpdatedAt: startOf(i)}
}

// searchRunOf is a run of kind search as it is stored: it has ended, and says all it did.
func searchRunOf(i int) wstk.Run {
	retry := day.Add(time.Hour)
	return wstk.Run{ID: runID(i), Kind: wstk.RunSearch, State: wstk.RunPartial,
		Query: "größte Pumpen <seit> gestern", Reasons: []string{"tavily: rate_limited"},
		StartedAt: startOf(i), UpdatedAt: startOf(i).Add(time.Second), EndedAt: startOf(i).
				Add(time.Second), SearchableAt: startOf(i),
		Usage: wstk.Usage{Calls: 1, InputTokens: 300, OutputTokens: 40, DurationMS: 900},
		Search: &wstk.SearchRun{
			Template:  templateOf("").Template,
			Rewritten: `("größte Pumpe" OR 水泵) after:{YESTERDAY}`,
			Final: map[string]string{"brave_api": `"größte Pumpe" OR 水泵`,
				"serper": `("größte Pumpe" OR 水泵) after:2026-02-28`},
			Providers: []string{"serper", "brave_api"},
			Outcomes: []wstk.ProviderOutcome{{Provider: "serper", Status: wstk.ProviderOK,
				Query: "q", Results: 10, DurationMS: 120, Tries: 2},
				{Provider: "tavily", Status: wstk.ProviderFailed, Code: wstk.RateLimited,
					Message: "429", RetryAt: &retry, Notes: []string{"no dates"}}},
			Counts: map[string]int{"serper": 10, "brave_api": 0}, Unique: 9,
			Config: wstk.SearchConfig{Cascade: []string{"serper", "brave_api", "tavily"},
				Options: wstk.SearchRunOptions{Lang: "de", MaxResults: 10},
				Rewrite: templateOf("").Rewriting, Reused: true,
				Usage: wstk.Usage{Calls: 1, InputTokens: 300}},
			Warnings: []wstk.Warning{{Code: "query_too_long", Message: "one was skipped",
				Details: map[string]any{"provider": "tavily"}}},
		}}
}

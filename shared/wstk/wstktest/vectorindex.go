package wstktest

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"
	"time"

	"wstk/shared/wstk"
)

// VectorIndex checks the promises of wstk.VectorIndex.
func VectorIndex(
	t *testing.T, open func(t *testing.T) wstk.VectorIndex,
	features ...Features[wstk.VectorIndex],
) {
	s := vectorIndexSuite{newSuite(t, open, features)}
	s.run("NearestIsFirst", s.nearestIsFirst)
	s.run("NoneOfManyIsMissed", s.noneOfManyIsMissed)
	s.run("LimitBoundsTheList", s.limitBoundsTheList)
	s.run("FiltersNarrow", s.filtersNarrow)
	s.run("ModelsAreApart", s.modelsAreApart)
	s.run("OtherDimensionsAreLeftOut", s.otherDimensions)
	s.run("ReplaceForgetsWhatWas", s.replaceForgetsWhatWas)
	s.run("AnOlderFetchIsIgnored", s.anOlderFetchIsIgnored)
	s.run("ReplaceRefusesWhatIsNoVector", s.replaceRefuses)
	s.run("RemoveForgetsThePage", s.removeForgetsThePage)
	s.run("HeldNamesThePagesWithVectors", s.heldNamesThePages)
	s.run("CallersKeepTheirVectors", s.callersKeepTheirVectors)
	s.run("CancelledChangesNothing", s.cancelledChangesNothing)
	s.pair("HandlesShareTheIndex", s.handlesShareTheIndex)
}

type vectorIndexSuite struct{ suite[wstk.VectorIndex] }

// direction is the vector of an angle, in degrees.
func direction(angle float64) []float32 {
	return []float32{float32(math.Cos(angle * math.Pi / 180)),
		float32(math.Sin(angle * math.Pi / 180))}
}

// vectorPage has a chunk for each angle, called after the page and the angle.
func vectorPage(name string, angles ...float64) wstk.PageVectors {
	p := wstk.PageVectors{URL: "https://" + name + ".example/", Site: wstk.SiteID("si_" + name),
		FetchedAt: day, Model: embeddingModel}
	for _, a := range angles {
		p.Chunks = append(p.Chunks, fmt.Sprint(name, a))
		p.Vectors = append(p.Vectors, direction(a))
	}
	return p
}

func wantNearest(t *testing.T, x wstk.VectorIndex, q wstk.VectorQuery, want ...string) {
	t.Helper()
	if q.Model == "" {
		q.Model, q.Vector = embeddingModel, direction(0)
	}
	hits, err := x.Nearest(bg, q)
	must(t, err)
	got := ids(hits, func(h wstk.VectorHit) string { return h.Chunk })
	if !slices.Equal(got, want) {
		t.Errorf("nearest are %v, want %v", got, want)
	}
}

func (s vectorIndexSuite) nearestIsFirst(t *testing.T, x wstk.VectorIndex) {
	wantNearest(t, x, wstk.VectorQuery{})
	must(t, x.Replace(bg, vectorPage("a", 50, 10, 180)))
	must(t, x.Replace(bg, vectorPage("b", 30, 10)))
	wantNearest(t, x, wstk.VectorQuery{}, "a10", "b10", "b30", "a50", "a180")
	hits, err := x.Nearest(bg, wstk.VectorQuery{Model: embeddingModel, Vector: direction(60)})
	must(t, err)
	if h := hits[0]; h.Chunk != "a50" || math.Abs(h.Score-math.Cos(10*math.Pi/180)) > 1e-6 {
		t.Errorf("the first is %+v, want a50 with the cosine of ten degrees", h)
	}
}

func (s vectorIndexSuite) noneOfManyIsMissed(t *testing.T, x wstk.VectorIndex) {
	const pages, onPage, limit = 30, 20, 25
	want := wstk.Nearer{Limit: limit}
	for i := range pages {
		var angles []float64
		for j := range onPage {
			angles = append(angles, float64((i*onPage+j)*97%(pages*onPage))/4)
		}
		p := vectorPage(fmt.Sprint("p", i), angles...)
		for j, v := range p.Vectors {
			want.Add(p.Chunks[j], wstk.Cosine(v, direction(60)))
		}
		must(t, x.Replace(bg, p))
	}
	hits, err := x.Nearest(bg, wstk.VectorQuery{Model: embeddingModel, Vector: direction(60),
		Limit: limit})
	must(t, err)
	if !slices.Equal(hits, want.Best()) {
		t.Errorf("nearest are %v, want %v", hits, want.Best())
	}
}

func (s vectorIndexSuite) limitBoundsTheList(t *testing.T, x wstk.VectorIndex) {
	var angles []float64
	for i := range 60 {
		angles = append(angles, float64(i))
	}
	must(t, x.Replace(bg, vectorPage("a", angles...)))
	wantNearest(t, x, wstk.VectorQuery{Limit: 2}, "a0", "a1")
	hits, err := x.Nearest(bg, wstk.VectorQuery{Model: embeddingModel, Vector: direction(0)})
	must(t, err)
	if len(hits) != 50 {
		t.Errorf("%d hits without a limit, want 50", len(hits))
	}
}

func (s vectorIndexSuite) filtersNarrow(t *testing.T, x wstk.VectorIndex) {
	old := vectorPage("old", 1)
	old.FetchedAt = day.Add(-48 * time.Hour)
	for _, p := range []wstk.PageVectors{old, vectorPage("a", 2), vectorPage("b", 3)} {
		must(t, x.Replace(bg, p))
	}
	wantNearest(t, x, wstk.VectorQuery{}, "old1", "a2", "b3")
	wantNearest(t, x, wstk.VectorQuery{Pages: []string{"https://b.example/"}}, "b3")
	wantNearest(t, x, wstk.VectorQuery{Filter: wstk.Filter{IncludeSites: []string{"a.example"}}},
		"a2")
	wantNearest(t, x, wstk.VectorQuery{Filter: wstk.Filter{ExcludeSites: []string{"a.example"}}},
		"old1", "b3")
	wantNearest(t, x, wstk.VectorQuery{Filter: wstk.Filter{MinDate: day}}, "a2", "b3")
}

func (s vectorIndexSuite) modelsAreApart(t *testing.T, x wstk.VectorIndex) {
	a, other := vectorPage("a", 10), vectorPage("a", 20)
	other.Model = "another@0123456789ab"
	must(t, x.Replace(bg, a))
	must(t, x.Replace(bg, other))
	wantNearest(t, x, wstk.VectorQuery{}, "a10")
	wantNearest(t, x, wstk.VectorQuery{Model: other.Model, Vector: direction(0)}, "a20")
}

func (s vectorIndexSuite) otherDimensions(t *testing.T, x wstk.VectorIndex) {
	must(t, x.Replace(bg, vectorPage("a", 10)))
	wantNearest(t, x, wstk.VectorQuery{Model: embeddingModel, Vector: []float32{1, 0, 0}})
}

func (s vectorIndexSuite) replaceForgetsWhatWas(t *testing.T, x wstk.VectorIndex) {
	for range 2 {
		must(t, x.Replace(bg, vectorPage("a", 10, 20)))
	}
	wantNearest(t, x, wstk.VectorQuery{}, "a10", "a20")
	must(t, x.Replace(bg, vectorPage("a", 30)))
	wantNearest(t, x, wstk.VectorQuery{}, "a30")
	must(t, x.Replace(bg, vectorPage("a")))
	wantNearest(t, x, wstk.VectorQuery{})
}

func (s vectorIndexSuite) anOlderFetchIsIgnored(t *testing.T, x wstk.VectorIndex) {
	must(t, x.Replace(bg, vectorPage("a", 10)))
	old := vectorPage("a", 20)
	old.FetchedAt = day.Add(-time.Nanosecond)
	must(t, x.Replace(bg, old))
	wantNearest(t, x, wstk.VectorQuery{}, "a10")
}

func (s vectorIndexSuite) replaceRefuses(t *testing.T, x wstk.VectorIndex) {
	must(t, x.Replace(bg, vectorPage("a", 10)))
	for name, change := range map[string]func(*wstk.PageVectors){
		"no URL":           func(p *wstk.PageVectors) { p.URL = "" },
		"no model":         func(p *wstk.PageVectors) { p.Model = "" },
		"too few":          func(p *wstk.PageVectors) { p.Vectors = p.Vectors[:1] },
		"no chunk":         func(p *wstk.PageVectors) { p.Chunks[1] = "" },
		"other dimensions": func(p *wstk.PageVectors) { p.Vectors[1] = []float32{1} },
		"no number":        func(p *wstk.PageVectors) { p.Vectors[1][0] = float32(math.NaN()) },
	} {
		p := vectorPage("a", 20, 30)
		change(&p)
		wantCode(t, name, x.Replace(bg, p), wstk.Invalid)
	}
	wantNearest(t, x, wstk.VectorQuery{}, "a10")
}

func (s vectorIndexSuite) removeForgetsThePage(t *testing.T, x wstk.VectorIndex) {
	other := vectorPage("a", 15)
	other.Model = "another@0123456789ab"
	for _, p := range []wstk.PageVectors{vectorPage("a", 10), other, vectorPage("b", 20)} {
		must(t, x.Replace(bg, p))
	}
	wantNearest(t, x, wstk.VectorQuery{}, "a10", "b20")
	for range 2 {
		must(t, x.Remove(bg, "https://a.example/"))
	}
	wantNearest(t, x, wstk.VectorQuery{}, "b20")
	wantNearest(t, x, wstk.VectorQuery{Model: other.Model, Vector: direction(0)})
}

func (s vectorIndexSuite) heldNamesThePages(t *testing.T, x wstk.VectorIndex) {
	other := vectorPage("other", 10)
	other.Model = "another@0123456789ab"
	empty := vectorPage("empty")
	empty.FetchedAt = day.Add(time.Hour)
	for _, p := range []wstk.PageVectors{vectorPage("a", 10), vectorPage("b", 20), empty, other} {
		must(t, x.Replace(bg, p))
	}
	must(t, x.Remove(bg, "https://b.example/"))
	want := map[string]time.Time{"https://a.example/": day, "https://empty.example/": empty.FetchedAt}
	got, err := x.Held(bg, embeddingModel, "https://a.example/", "https://b.example/",
		"https://empty.example/", "https://other.example/", "https://none.example/")
	must(t, err)
	if !maps.EqualFunc(got, want, time.Time.Equal) {
		t.Errorf("held are %v, want %v", got, want)
	}
	got, err = x.Held(bg, embeddingModel)
	must(t, err)
	if len(got) > 0 {
		t.Errorf("asked for none, held are %v", got)
	}
}

func (s vectorIndexSuite) callersKeepTheirVectors(t *testing.T, x wstk.VectorIndex) {
	p := vectorPage("a", 10)
	must(t, x.Replace(bg, p))
	p.Chunks[0], p.Vectors[0][0] = "changed", -1
	wantNearest(t, x, wstk.VectorQuery{}, "a10")
	hits, err := x.Nearest(bg, wstk.VectorQuery{Model: embeddingModel, Vector: direction(10)})
	must(t, err)
	if hits[0].Score < .9999 {
		t.Errorf("the score is %g, want 1", hits[0].Score)
	}
}

func (s vectorIndexSuite) cancelledChangesNothing(t *testing.T, x wstk.VectorIndex) {
	must(t, x.Replace(bg, vectorPage("a", 10)))
	wantCode(t, "Replace", x.Replace(cancelled(), vectorPage("a", 20)), wstk.Cancelled)
	wantCode(t, "Remove", x.Remove(cancelled(), "https://a.example/"), wstk.Cancelled)
	_, err := x.Held(cancelled(), embeddingModel, "https://a.example/")
	wantCode(t, "Held", err, wstk.Cancelled)
	_, err = x.Nearest(cancelled(), wstk.VectorQuery{Model: embeddingModel, Vector: direction(0)})
	wantCode(t, "Nearest", err, wstk.Cancelled)
	wantNearest(t, x, wstk.VectorQuery{}, "a10")
}

func (s vectorIndexSuite) handlesShareTheIndex(t *testing.T, a, b wstk.VectorIndex) {
	together(t, 20, func(i int) error {
		return []wstk.VectorIndex{a, b}[i%2].Replace(bg,
			vectorPage(fmt.Sprint("p", i/2), float64(i/2)))
	})
	hits, err := b.Nearest(bg, wstk.VectorQuery{Model: embeddingModel, Vector: direction(0)})
	must(t, err)
	if len(hits) != 10 {
		t.Errorf("%d chunks, want 10", len(hits))
	}
}

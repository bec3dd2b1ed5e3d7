package web

import (
	"net/http"
	"slices"

	"wstk/shared/app/searching"
	"wstk/shared/wstk"
)

func (h *handler) beginRun(r *http.Request) (view, error) {
	q, err := asked(r)
	if err != nil {
		return view{}, err
	}
	run, err := h.app.Searching.CreateRun(r.Context(), searching.RunRequest{Query: q})
	return view{to: "/web/runs/" + string(run.ID)}, err
}

// searchPage is a search run as its page shows it.
type searchPage struct {
	searching.Run
	Asked      []lamp // who was asked, in order
	ChartWidth int
	Found      []found
	Agreement  []agreement
}

// lamp is the place of a provider in the chart of a run.
type lamp struct {
	wstk.ProviderOutcome
	Class string // its colour
	On    bool   // it found the URL
	X     int
}

// found is a URL with its row of the chart.
type found struct {
	wstk.FoundURL
	N     int // from 1
	Lamps []lamp
	Of    int     // providers that answered
	Width float64 // of the bar of its confidence, of barWidth
}

// agreement is how many URLs so many providers found.
type agreement struct {
	Confidence, N int
	Width         float64 // of barWidth
}

const (
	lampStep = 18 // between two providers
	colours  = 8  // of providers
)

func (h *handler) searchRun(r *http.Request) (view, error) {
	run, err := h.app.Searching.GetRun(r.Context(), wstk.RunID(r.PathValue("id")), false)
	return view{page: "run", section: "searches", title: run.Query, data: newSearchPage(run)}, err
}

func newSearchPage(run searching.Run) searchPage {
	p := searchPage{Run: run, ChartWidth: lampStep * len(run.Outcomes)}
	for i, o := range run.Outcomes {
		p.Asked = append(p.Asked, lamp{ProviderOutcome: o, Class: "p" + string(rune('0'+i%colours)),
			X: lampStep/2 + i*lampStep})
	}
	of := len(run.Providers)
	by := make([]int, of+1)
	for i, u := range run.URLs {
		f := found{FoundURL: u, N: i + 1, Of: of, Lamps: slices.Clone(p.Asked)}
		for k := range f.Lamps {
			f.Lamps[k].On = slices.Contains(u.Providers, f.Lamps[k].Provider)
		}
		if u.Confidence <= of {
			f.Width = barWidth * float64(u.Confidence) / float64(of)
			by[u.Confidence]++
		}
		p.Found = append(p.Found, f)
	}
	for c := of; c >= 1 && of > 1; c-- {
		if n := len(run.URLs); n > 0 {
			p.Agreement = append(p.Agreement,
				agreement{Confidence: c, N: by[c], Width: barWidth * float64(by[c]) / float64(n)})
		}
	}
	return p
}

func (h *handler) rawRows(r *http.Request) (view, error) {
	run, err := h.app.Searching.GetRun(r.Context(), wstk.RunID(r.PathValue("id")), true)
	return view{page: "rows", section: "searches", title: "Raw rows: " + run.Query, data: run}, err
}

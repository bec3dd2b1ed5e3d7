package rest

import (
	"net/http"
	"time"

	"wstk/shared/app/searching"
	"wstk/shared/entry/check"
	"wstk/shared/wstk"
)

func (h *handler) createRun(r *http.Request) (reply, error) {
	var in struct {
		Query   string `json:"query"`
		Options struct {
			Lang       *string `json:"lang"`
			MaxResults *int    `json:"maxResults"`
		} `json:"options"`
	}
	if err := decode(r, &in, false); err != nil {
		return reply{}, err
	}
	if err := check.Words("query", in.Query, check.MaxQuery); err != nil {
		return reply{}, err
	}
	req := searching.RunRequest{Query: in.Query}
	if n := in.Options.MaxResults; n != nil {
		if err := check.InRange("maxResults", *n, 1, wstk.MostResults); err != nil {
			return reply{}, err
		}
		req.Options.MaxResults = *n
	}
	if lang := in.Options.Lang; lang != nil {
		if *lang == "" {
			return reply{}, invalid("lang is empty")
		}
		req.Options.Lang = *lang
	}
	run, err := h.app.Searching.CreateRun(r.Context(), req)
	if summary, reason, ok := searching.ErrorSummary(err); ok {
		err = summed(summary, reason)
	}
	return reply{status: http.StatusCreated, location: "/search-runs/" + string(run.ID), body: run},
		err
}

func (h *handler) searchRun(r *http.Request) (reply, error) {
	q, err := parameters(r, "raw")
	if err != nil {
		return reply{}, err
	}
	if q.Has("raw") && q.Get("raw") != "true" && q.Get("raw") != "false" {
		return reply{}, invalid("raw must be true or false")
	}
	run, err := h.app.Searching.GetRun(r.Context(), wstk.RunID(r.PathValue("id")),
		q.Get("raw") == "true")
	return reply{body: run}, err
}

// runList is a page of the list of search runs.
type runList struct {
	Runs []searching.RunSummary `json:"runs"`
	Next string                 `json:"next_cursor"` // "" at the end
}

func (h *handler) listRuns(r *http.Request) (reply, error) {
	q, err := parameters(r, "query", "from", "to", "cursor", "limit")
	if err != nil {
		return reply{}, err
	}
	if q.Has("query") {
		if err := check.Words("query", q.Get("query"), check.MaxQuery); err != nil {
			return reply{}, err
		}
	}
	if err := check.NotLonger("cursor", q.Get("cursor"), maxCursor); err != nil {
		return reply{}, err
	}
	limit, err := within(q, "limit", 1, check.MaxLimit, defaultAll)
	if err != nil {
		return reply{}, err
	}
	var from, to time.Time
	for _, t := range []struct {
		name string
		at   *time.Time
	}{{"from", &from}, {"to", &to}} {
		if !q.Has(t.name) {
			continue
		}
		if *t.at, err = check.Time(t.name, q.Get(t.name)); err != nil {
			return reply{}, err
		}
	}
	if q.Has("from") && q.Has("to") && to.Before(from) {
		return reply{}, invalid("to is before from: the time ends before it begins")
	}
	runs, next, err := h.app.Searching.ListSearches(r.Context(), q.Get("query"), from, to,
		q.Get("cursor"), limit)
	return reply{body: runList{runs, next}}, err
}

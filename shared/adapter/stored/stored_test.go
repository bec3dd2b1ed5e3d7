package stored

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
)

var now = time.Date(2026, 3, 7, 15, 4, 5, 0, time.UTC)

// passages are two of one page and one of another, best first.
var passages = []wstk.Hit{
	hit("https://harbour.example/tides", "Tide tables", "Tide tables for the\n harbour.", 9, now.AddDate(0, 0, -3)),
	hit("https://harbour.example/tides", "Tide tables", "Tide tables are sold at the office.", 7, now.AddDate(0, 0, -3)),
	hit("https://boats.example/", "Boats", "Boats leave with the tide. Tables are reserved.", 5, now.AddDate(-2, 0, 0)),
}

func hit(url, title, passage string, score float64, fetched time.Time) wstk.Hit {
	h := wstk.Hit{URL: url, CanonicalURL: url, Title: title, Text: passage, Score: score}
	h.FetchedAt = fetched
	return h
}

// recall finds every passage with one of the words.
func recall(ctx context.Context, q Query) (found Found, err error) {
	if ctx.Err() != nil {
		return Found{}, wstk.Wrap(wstk.Cancelled, "recalling", ctx.Err())
	}
	for _, h := range passages {
		named := func(word string) bool { return strings.Contains(strings.ToLower(h.Text), word) }
		if slices.ContainsFunc(strings.Fields(q.Words), named) {
			found.Hits = append(found.Hits, h)
		}
	}
	return found, nil
}

func pages() Pages { return Pages{Recall: recall, Now: func() time.Time { return now }} }

func TestSearchProvider(t *testing.T) {
	wstktest.SearchProvider(t, wstktest.Vendor{Stored: true,
		Open: func(*testing.T, http.RoundTripper) wstk.SearchProvider { return pages() }})
}

// A page of several passages is one result: its best passage, on one line, with a score
// from 0 to 1.
func TestAPageIsOneResult(t *testing.T) {
	reply, err := pages().Search(t.Context(), wstk.SearchQuery{Words: "tide tables"})
	if err != nil || len(reply.Results) != 2 {
		t.Fatalf("got %+v, %v", reply.Results, err)
	}
	if r := reply.Results[0]; r.Snippet != "Tide tables for the harbour." || *r.Score != 1 || *reply.Results[1].Score != 0 {
		t.Errorf("got %+v", reply.Results)
	}
}

// Days and sites become what is recalled, and what is left out of it.
func TestLimitsOfAQuery(t *testing.T) {
	var asked Query
	p := pages()
	p.Recall = func(ctx context.Context, q Query) (Found, error) {
		asked = q
		return recall(ctx, q)
	}
	reply, err := p.Search(t.Context(),
		wstk.SearchQuery{Words: "tide", Language: "en", Max: 3, TimeRange: wstk.LastWeek,
			Sites: []string{".example"}, Exclude: []string{"a.example"}})
	if err != nil || len(reply.Results) != 1 || reply.Results[0].URL != "https://harbour.example/tides" {
		t.Errorf("got %+v, %v", reply.Results, err)
	}
	if asked.Language != "en" || asked.Limit != 3*passagesPerPage ||
		asked.Filter.IncludeSites[0] != "example" || asked.Filter.ExcludeSites[0] != "a.example" {
		t.Errorf("recalled %+v", asked)
	}
}

func TestAStoreThatFailsIsUnavailable(t *testing.T) {
	p := pages()
	p.Recall = func(context.Context, Query) (Found, error) { return Found{}, errors.New("the disk is gone") }
	if _, err := p.Search(t.Context(), wstk.SearchQuery{Words: "tide"}); wstk.CodeOf(
		err) != wstk.Unavailable || !strings.Contains(err.Error(), "index") {
		t.Errorf("got %v", err)
	}
}

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"
)

// small is a site of a few pages, which have the words of the large one.
type small struct {
	id, url string
	quote   string // the id of the evidence that an answer cites
	removal string // the run that removes the site
}

// remove asks the small site a question and begins its removal. That waits until no worker
// of its crawl can be left.
func (e *e2e) remove(ctx context.Context) error {
	a, err := e.extraction(ctx,
		map[string]any{"query": "What is SQLite?", "urls": []string{e.small.url}})
	if err != nil {
		return err
	}
	var x struct {
		Evidence []struct {
			ID string `json:"id"`
		} `json:"evidence"`
	}
	if len(a.Extractions) > 0 {
		if err := json.Unmarshal(a.Extractions[0], &x); err != nil {
			return err
		}
	}
	if len(x.Evidence) == 0 {
		return errors.New("the site answers nothing")
	}
	e.small.quote = x.Evidence[0].ID
	var begun struct {
		Run run `json:"run"`
	}
	err = e.api.call(ctx, "DELETE", "/sites/"+e.small.id, nil, &begun, 202)
	e.small.removal = begun.Run.ID
	return err
}

// removed waits for the end of the removal: the site is gone, the quote of the answer is
// served, and the large site has lost nothing.
func (e *e2e) removed(ctx context.Context) error {
	var done struct {
		Run     run `json:"run"`
		Removal struct {
			Pages        int `json:"pages"`
			PagesRemoved int `json:"pages_removed"`
			PagesKept    int `json:"pages_kept"`
		} `json:"removal"`
	}
	err := until(ctx, time.Second, func() (bool, error) {
		err := e.api.call(ctx, "GET", "/removals/"+e.small.removal, nil, &done, 200)
		return done.Run.State != "running", err
	})
	if err != nil {
		return err
	}
	r := done.Removal
	e.step("  %s: %d pages, %d removed, %d kept", done.Run.State, r.Pages,
		r.PagesRemoved, r.PagesKept)
	if done.Run.State != "complete" || r.PagesKept != 1 || r.Pages < 2 ||
		r.PagesRemoved+r.PagesKept != r.Pages {
		return fmt.Errorf("the removal: %+v", done)
	}
	if err := e.api.call(ctx, "GET", "/sites/"+e.small.id, nil, nil, 404); err != nil {
		return err
	}
	if err := e.api.call(ctx, "GET", "/evidence/"+e.small.quote, nil, nil, 200); err != nil {
		return err
	}
	var listed struct {
		Sites []siteStatus `json:"sites"`
	}
	if err := e.api.call(ctx, "GET", "/sites", nil, &listed, 200); err != nil {
		return err
	}
	if !slices.ContainsFunc(listed.Sites, func(s siteStatus) bool { return s.Pages > 50 }) {
		return fmt.Errorf("the other site lost pages: %+v", listed.Sites)
	}
	return nil
}

package answering

import (
	"cmp"
	"context"
	"slices"
	"time"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// AffectedQuery asks which answers rest on pages that changed since. Zero fields match everything.
type AffectedQuery struct {
	// only quotes of the pages of a site, by its id or root; or of one page, by its URL
	Of     string
	All    bool   // also answers none of whose quotes is altered or gone
	Cursor string // the last answer that was looked at, a run id
	Limit  int    // how many answers are looked at, at least 1
}

// Affected is a page of the answers that a change of a page touches, newest first. The answers
// between two cursors were all looked at; Looked and Quotes count them, listed or not.
type Affected struct {
	Answers []AffectedAnswer      `json:"answers"`
	Looked  int                   `json:"looked_at"` // answers with a quote of what was asked for
	Quotes  wstk.RelocationCounts `json:"quotes"`
	Next    string                `json:"next_cursor"` // "" at the end
}

// AffectedAnswer is an answer, and what became of its quotes.
type AffectedAnswer struct {
	Run       wstk.RunID            `json:"run_id"`
	Kind      wstk.RunKind          `json:"kind"`
	Query     string                `json:"query"`
	URL       string                `json:"url,omitempty"` // where it began, of kind answer
	StartedAt time.Time             `json:"started_at"`
	Quotes    wstk.RelocationCounts `json:"quotes"`
	Changed   []wstk.Relocation     `json:"changed"` // its quotes that are not intact
}

// Again is the step that asks the question of an answer again: where it began, of that page.
func (x AffectedAnswer) Again() wstk.Step {
	if x.URL != "" {
		return wstk.Step{Do: wstk.DoAnswer, For: "ask again", Query: x.Query, URL: x.URL}
	}
	return wstk.Step{Do: wstk.DoAskAgain, For: "ask again", Query: x.Query}
}

// lookFor is how long one call looks at answers before it ends with a cursor.
const lookFor = 10 * time.Second

// Affected looks at a page of the caller's answers that have ended, newest first, and lists those
// with a quote whose page says something else now, or is gone. It reads what is stored; no site is
// asked. A page that did not change costs one look at its record. The passages of a reply without
// an answer are not looked at.
func (a *Room) Affected(ctx context.Context, q AffectedQuery) (Affected, error) {
	out := Affected{Answers: []AffectedAnswer{}}
	of, err := a.scope(ctx, q.Of)
	if err != nil {
		return out, err
	}
	runs, more, err := a.citing(ctx, q.Cursor, q.Limit)
	if err != nil {
		return out, err
	}
	r, end := a.newRelocating(), time.Now().Add(lookFor)
	for i, run := range runs {
		if i > 0 && time.Now().After(end) {
			more, runs = true, runs[:i]
			break
		}
		x, err := r.answer(ctx, run, of)
		if err != nil {
			return out, err
		}
		if x.Quotes == (wstk.RelocationCounts{}) {
			continue
		}
		out.Looked++
		out.Quotes.Add(x.Quotes)
		if q.All || x.Quotes.Altered+x.Quotes.Gone > 0 {
			out.Answers = append(out.Answers, x)
		}
	}
	if more && len(runs) > 0 {
		out.Next = string(runs[len(runs)-1].ID)
	}
	return out, nil
}

// scope is the quotes that are asked for: all, or those of a site or of a page.
type scope struct {
	site wstk.SiteID
	url  string
}

// scope finds the site or the page that a caller names. A page need not be stored any more.
func (a *Room) scope(ctx context.Context, name string) (scope, error) {
	if name == "" {
		return scope{}, nil
	}
	site, err := a.Reading.FindSite(ctx, name)
	url, notURL := text.Canonical(name)
	switch {
	case err == nil && (notURL != nil || url == site.Root):
		return scope{site: site.ID}, nil
	case err == nil, wstk.CodeOf(err) == wstk.NotFound && notURL == nil:
		return scope{url: url}, nil
	case wstk.CodeOf(err) == wstk.Invalid:
		return scope{}, wstk.Errorf(wstk.NotFound, "", "%q is no site and no address of a page",
			text.Shorten(name, 200)).Try(wstk.Step{Do: wstk.DoListSites})
	}
	return scope{}, err
}

// citing lists a page of the caller's runs that may cite evidence, newest first, and reports
// whether there are more.
func (a *Room) citing(
	ctx context.Context, cursor string, limit int,
) (all []wstk.Run, more bool, err error) {
	for _, kind := range wstk.CitingKinds() {
		runs, next, err := a.Reading.ListRuns(ctx, kind, cursor, limit)
		if err != nil {
			return nil, false, err
		}
		all, more = append(all, runs...), more || next != ""
	}
	slices.SortFunc(all, func(x, y wstk.Run) int { return cmp.Compare(y.ID, x.ID) })
	return all[:min(limit, len(all))], more || len(all) > limit, nil
}

// answer relocates the quotes of one run that are asked for.
func (r *relocating) answer(
	ctx context.Context, run wstk.Run, of scope,
) (AffectedAnswer, error) {
	out := AffectedAnswer{Run: run.ID, Kind: run.Kind, Query: run.Query, StartedAt: run.StartedAt,
		Changed: []wstk.Relocation{}}
	quotes, began, err := r.quotes(ctx, run)
	if err != nil {
		return out, err
	}
	out.URL = began
	for _, e := range quotes {
		if wanted, err := r.wanted(ctx, e, of); err != nil || !wanted {
			if err != nil {
				return out, err
			}
			continue
		}
		one, err := r.of(ctx, e)
		if err != nil {
			return out, err
		}
		if out.Quotes.Count(one.State); one.State != wstk.RelocationIntact {
			out.Changed = append(out.Changed, one)
		}
	}
	return out, nil
}

// quotes are what the statements of a run cite, each once, and the page where an answer began; of
// one that goes on, none.
func (r *relocating) quotes(
	ctx context.Context, run wstk.Run,
) (out []wstk.Evidence, began string, err error) {
	if !run.State.Terminal() {
		return nil, "", nil
	}
	x, err := r.soFar(ctx, run)
	if wstk.CodeOf(err) == wstk.NotFound { // a removal that was cut off took it
		return nil, "", nil
	}
	if x.Answer != nil {
		began = x.Answer.URL
	}
	seen := map[string]bool{}
	for _, x := range x.Extractions {
		for _, e := range x.Evidence {
			if !seen[e.ID] {
				seen[e.ID] = true
				out = append(out, e)
			}
		}
	}
	return out, began, err
}

// wanted reports whether a quote is asked for.
func (r *relocating) wanted(ctx context.Context, e wstk.Evidence, of scope) (bool, error) {
	if of.site == "" {
		return of.url == "" || of.url == e.URL, nil
	}
	h, err := r.page(ctx, e.URL)
	return h.page.Site == of.site, err
}

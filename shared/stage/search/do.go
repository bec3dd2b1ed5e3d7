package search

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"wstk/shared/wstk"
)

// each is Stage.Each where it is not set.
const each = 10 * time.Second

// Do asks the providers of the order, one after the other, until one gives results that
// the request's lists of domains let through.
//
// One that fails is noted, and the next is asked. One that answers that there is nothing
// is believed as far as it goes: the next is asked only if that costs nothing (it is not
// Metered), and stored pages are searched only when no provider of the web answered.
//
// Without results the error is Empty when a provider that searches the web answered, or
// when only stored pages were to be searched. It is ProvidersFailed, with the reason of
// each, if no provider answered that could know: that stored pages hold nothing says nothing
// about the web. It is Invalid when the request names an unknown provider, or
// that is not enabled, when all that were asked refuse the query, and when none is
// enabled; Cancelled when the caller cancelled it. The Result holds the outcomes with an
// error, too.
func (s *Stage) Do(ctx context.Context, req Request) (Result, error) {
	out := Result{Results: []wstk.SearchResult{}, Outcomes: []wstk.ProviderOutcome{}}
	list, err := s.candidates(req)
	if err != nil {
		return out, err
	}
	var next []wstk.Step // that failures suggest
	web := false         // the web was searched
	for i, c := range list {
		if c.skip == "" && web && (c.info.Metered || c.info.Stored) {
			c.skip = "another provider has answered that there is nothing"
		}
		limit, cause := s.bound(ctx, list[i:], len(list) > 1)
		a := s.ask(ctx, c, req, limit, cause, len(list) > 1)
		next = append(next, a.steps...)
		out.Outcomes = append(out.Outcomes, a.Outcome)
		out.Warnings = append(out.Warnings, a.Warnings...)
		if ctx.Err() != nil && wstk.CodeOf(ctx.Err()) == wstk.Cancelled {
			return out, wstk.Wrap(wstk.Cancelled, "searching", ctx.Err())
		}
		if len(a.Results) > 0 {
			out.Query, out.Provider, out.Results = a.Outcome.Query, c.info.ID, a.Results
			if c.info.Stored && slices.ContainsFunc(out.Outcomes, failed) {
				out.Warnings = append(out.Warnings, wstk.Warning{Code: "stored_pages_only",
					Message: "No provider that searches the web answered; these results are " +
						"pages stored here."})
			}
			return out, nil
		}
		web = web || a.Outcome.Status == wstk.ProviderEmpty && !c.info.Stored
	}
	blamed := !slices.ContainsFunc(out.Outcomes, func(o wstk.ProviderOutcome) bool {
		return failed(o) && o.Code != wstk.Invalid
	})
	return out, nothing(out.Outcomes, web, next, blamed)
}

// bound is the time for the first of the providers that are left: a share of what the
// caller has left, so that one that does not answer leaves some to those after it. One that
// is alone has all there is. cause is the cause of the limit's end: that a share was too
// short is the caller's doing, and no failure to make a provider rest for.
func (s *Stage) bound(
	ctx context.Context, left []candidate, several bool,
) (limit time.Duration, cause error) {
	if !several {
		return 0, nil
	}
	most, n := positive(s.Each, each), 0
	for _, c := range left {
		if c.skip == "" {
			n++
		}
	}
	if end, ok := ctx.Deadline(); ok && n > 1 {
		if share := max(time.Until(end)/time.Duration(n), 1); share < most {
			return share, context.DeadlineExceeded
		}
	}
	return most, wstk.ErrProviderTime
}

// failed reports whether a provider might have had results and could not say: it failed,
// rests after failures, or was not there.
func failed(o wstk.ProviderOutcome) bool { return o.Code != "" }

// nothing is the error for a search without results. blamed tells that whatever failed did
// so because of the query, which is then Invalid.
func nothing(outcomes []wstk.ProviderOutcome, web bool, next []wstk.Step, blamed bool) error {
	const op = "searching"
	var reasons []string
	answered := false
	for _, o := range outcomes {
		if failed(o) {
			reasons = append(reasons, fmt.Sprintf("%s: %s (%s)", o.Provider, o.Code, o.Message))
		}
		answered = answered || o.Status == wstk.ProviderEmpty
	}
	switch {
	case web, answered && len(reasons) == 0:
		return wstk.Errorf(wstk.Empty, op, "no results").
			Try(wstk.Advice("try other words, or a wider time range"))
	case len(reasons) == 0:
		return wstk.Errorf(wstk.Invalid, op, "no search provider is enabled").
			Try(wstk.Step{Do: wstk.DoListProviders, For: "see what each of them needs"})
	case blamed:
		return wstk.Errorf(wstk.Invalid, OpQuery, "%s", strings.Join(reasons, "; "))
	}
	slices.SortFunc(next, func(a, b wstk.Step) int {
		return strings.Compare(a.String(), b.String())
	})
	next = slices.CompactFunc(next, func(a, b wstk.Step) bool { return a.String() == b.String() })
	if len(next) == 0 {
		next = []wstk.Step{{Do: wstk.DoListProviders,
			For: "see which providers there are, and what each needs"}}
	}
	return wstk.Errorf(wstk.ProvidersFailed, op, "no provider answered: %s",
		strings.Join(reasons, "; ")).Try(next...)
}

// OpQuery is what the error says first when all providers refuse the query itself.
const OpQuery = "the query was refused"

// Answer is what one provider said.
type Answer struct {
	Outcome wstk.ProviderOutcome
	Rows    []wstk.SearchResult // as the provider gave them
	// those that the lists of domains let through, with the rules they match
	Results  []wstk.SearchResult
	Warnings []wstk.Warning

	steps []wstk.Step
}

// ask asks one provider, unless it is passed over. limit is the time it has, and cause that
// of its end; 0 means all there is. probe asks first whether its service is there.
func (s *Stage) ask(
	ctx context.Context, c candidate, req Request, limit time.Duration, cause error, probe bool,
) Answer {
	a := Answer{Outcome: wstk.ProviderOutcome{Provider: c.info.ID,
		Status: wstk.ProviderSkipped, Message: c.skip}}
	if c.skip != "" {
		return a
	}
	if limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, limit, cause)
		defer cancel()
	}
	begin := s.now()
	if ctx.Err() != nil {
		return a.failed(s, begin,
			wstk.Wrap(wstk.Timeout, "", fmt.Errorf("no time was left: %w", ctx.Err())), true)
	}
	if probe && s.Reachable != nil {
		if err := s.Reachable(ctx, c.info.ID); err != nil {
			return a.failed(s, begin, err, true)
		}
	}
	compiled := c.Compile(req.Query)
	reply, err := c.Search(ctx, req.Query)
	a.Outcome.Query, a.Outcome.Notes = compiled.Query, compiled.Unsupported
	a.Outcome.Tries, a.Outcome.Cached = reply.Tries, reply.Cached
	if err != nil {
		resting := errors.Is(err, wstk.ErrResting)
		if resting { // it was not asked
			a.Outcome.Query, a.Outcome.Notes = "", nil
		}
		a = a.failed(s, begin, err, resting)
		if a.Outcome.Code == wstk.Unauthorized && len(c.info.EnvVars) > 0 {
			name, _, _ := strings.Cut(c.info.EnvVars[0], "|")
			a.steps = append(a.steps, wstk.Advice("check the value of "+name))
		}
		return a
	}
	a.Outcome.DurationMS = s.now().Sub(begin).Milliseconds()
	return a.answered(reply, compiled.Unsupported, req)
}

// answered notes a reply, and what of it the request's lists of domains let through.
func (a Answer) answered(reply wstk.SearchReply, unsupported []string, req Request) Answer {
	id := a.Outcome.Provider
	if a.Rows = reply.Rows; a.Rows == nil {
		a.Rows = reply.Results
	}
	kept, off, dropped := filter(reply.Results, req)
	a.Results, a.Outcome.Results = kept, len(kept)
	a.Outcome.Status = wstk.ProviderOK
	if len(kept) == 0 {
		a.Outcome.Status = wstk.ProviderEmpty
	}
	a.Warnings = append(a.Warnings, reply.Warnings...)
	if off > 0 {
		a.Warnings = append(a.Warnings, offSite(off, id))
	}
	if w := dropped.warning(id); w != nil {
		a.Warnings = append(a.Warnings, *w)
		if len(kept) == 0 {
			a.Outcome.Message = w.Message
		}
	}
	if len(unsupported) > 0 && len(kept) > 0 {
		a.Warnings = append(a.Warnings, wstk.Warning{Code: "query_unsupported",
			Details: map[string]any{"provider": id, "unsupported": unsupported},
			Message: fmt.Sprintf("%s does not know these parts of the query, so they were left "+
				"out: %s.", id, strings.Join(unsupported, ", "))})
	}
	return a
}

// failed notes a failure, or that the provider was passed over because of one.
func (a Answer) failed(s *Stage, begin time.Time, err error, skipped bool) Answer {
	o := &a.Outcome
	now := s.now()
	o.Code, o.DurationMS = wstk.CodeOf(err), now.Sub(begin).Milliseconds()
	o.Message = strings.TrimRight(strings.TrimPrefix(err.Error(), "asking "+o.Provider+": "), ".")
	if o.Status = wstk.ProviderFailed; skipped {
		o.Status = wstk.ProviderSkipped
	}
	if wait := wstk.RetryAfterOf(err); wait > 0 {
		at := now.Add(wait).UTC().Truncate(time.Second)
		o.RetryAt = &at
	}
	a.steps = wstk.StepsOf(err)
	a.Warnings = append(a.Warnings, wstk.Warning{Code: "provider_failed",
		Details: map[string]any{"provider": o.Provider, "code": o.Code},
		Message: fmt.Sprintf("%s failed: %s.", o.Provider, o.Message)})
	return a
}

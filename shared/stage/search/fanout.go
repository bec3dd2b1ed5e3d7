package search

import (
	"context"
	"fmt"
	"time"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"

	"wstk/shared/wstk"
)

// eachRun is Stage.EachRun where it is not set.
const eachRun = 4 * time.Second

// FanOut asks all providers of the order at once and returns what each said, in the
// order's order. One that fails does not disturb the others. One whose final query is
// longer than Stage.Longest is passed over.
//
// The error is nil when at least one answered, also when it had nothing; but that stored
// pages hold nothing is no answer where those who search the web failed. It is Invalid
// when the query was too long for all that could be asked, and otherwise as in Do; that
// vendors who were asked refuse the query is a failure of theirs, ProvidersFailed. The
// answers come with an error, too.
func (s *Stage) FanOut(ctx context.Context, req Request) ([]Answer, error) {
	list, err := s.candidates(req)
	if err != nil {
		return nil, err
	}
	answers := make([]Answer, len(list))
	var group errgroup.Group
	for i, c := range list {
		long := c.tooLong(req.Query, positive(s.Longest, MaxQuery))
		if c.skip == "" {
			c.skip = long
		}
		group.Go(func() error {
			answers[i] = s.ask(ctx, c, req, positive(s.EachRun, eachRun),
				wstk.ErrProviderTime, false)
			if c.skip != "" && c.skip == long {
				answers[i].Outcome.Code = wstk.Invalid
			}
			return nil
		})
	}
	group.Wait() // no error: failures are in the answers
	if wstk.CodeOf(ctx.Err()) == wstk.Cancelled {
		return answers, wstk.Wrap(wstk.Cancelled, "searching", ctx.Err())
	}
	return answers, judge(list, answers)
}

// judge is the error of a search that asked all providers at once; nil if one of them found
// something, or can say that there is nothing.
func judge(list []candidate, answers []Answer) error {
	var outcomes []wstk.ProviderOutcome
	var next []wstk.Step
	stored, failures := false, false // stored pages hold nothing; a provider of the web failed
	// the query, by us and not by a vendor, wherever there is an error
	blamed := true
	for i, a := range answers {
		o := a.Outcome
		switch {
		case o.Status == wstk.ProviderOK, o.Status == wstk.ProviderEmpty && !list[i].info.Stored:
			return nil
		case o.Status == wstk.ProviderEmpty:
			stored = true
		default:
			failures = failures || failed(o)
		}
		ours := o.Status == wstk.ProviderSkipped || list[i].info.Stored
		blamed = blamed && (o.Code == "" || o.Code == wstk.Invalid && ours)
		outcomes = append(outcomes, o)
		next = append(next, a.steps...)
	}
	if stored && !failures {
		return nil
	}
	return nothing(outcomes, false, next, blamed)
}

// tooLong says why a query is too long for a provider; "" when it is not.
func (c candidate) tooLong(q wstk.SearchQuery, most int) string {
	if n := utf8.RuneCountInString(c.Compile(q).Query); n > most {
		return fmt.Sprintf("query_too_long: %d of %d characters", n, most)
	}
	return ""
}

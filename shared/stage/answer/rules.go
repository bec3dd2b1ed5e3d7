package answer

import (
	"fmt"
	"time"

	"wstk/shared/wstk"
)

// The bounds of the rules. Fits, shares and scores of links are from 0 to 1.
const (
	goodFit   = 0.5  // passages hold half of what is asked: the quality that fills a budget well
	evenly    = 0.02 // variance of fits that differ by about a seventh at most
	filled    = 0.9  // of the budget: the next passage hardly fits
	repeated  = 0.4  // mean overlap of passages that say one another's words
	improved  = 0.02 // of recall: less is no improvement
	complete  = 0.8  // of recall: what is left are words that pages rarely repeat
	promising = 0.1  // of a link: its anchor names a third of the question, or its place says more
)

// The bounds of the loop whatever an operator sets, so that every loop ends.
const (
	DefaultDepth = 3
	MaxDepth     = 20 // expansions
	maxRecalls   = 2  // doublings of the budget
	maxIntents   = 2  // analyses after the first
)

// Situation is what a turn is decided by.
type Situation struct {
	Signals wstk.TurnSignals
	Before  []wstk.Turn // the turns so far
	Limits  wstk.AnswerLimits
	// Anew reports whether Analyser.Again has sub-questions that were not tried, or a model may
	// be asked for them.
	Anew bool
}

// Rule is a row of the table: in which situation it decides what.
type Rule struct {
	Name   string
	Move   wstk.Move
	Reason string // in one sentence, for people

	holds func(Situation) bool
}

// Rules are the rows in their order of priority: the first that holds decides. The stops come
// first, in the order of the research memory's description; after them what to expand, and last
// that nothing is left to do.
func Rules() []Rule { return append([]Rule(nil), table...) }

var table = []Rule{
	{"depth_reached", wstk.MoveStop,
		"It has read on as often as it may.",
		func(s Situation) bool { return max(s.Signals.Depth, depthOf(s.Before)) >= s.depth() }},
	{"budget_filled", wstk.MoveStop,
		"The passages fill the budget, suit the question and do not repeat one another.",
		func(s Situation) bool {
			return s.Signals.BudgetFill >= filled && s.Signals.Mean >= goodFit &&
				s.Signals.Redundancy < repeated && s.Signals.Gaps == 0
		}},
	{"diminishing_returns", wstk.MoveStop,
		"The last turn found hardly anything more, and no link promises more.",
		func(s Situation) bool {
			return s.Signals.RecallChange != nil && *s.Signals.RecallChange < improved &&
				s.last() != wstk.MoveExpandIntent && // which reads nothing more
				(s.Signals.Gaps == 0 || s.Signals.BestLink < promising &&
					s.Signals.BudgetFill < filled && !s.mayAskAnew())
		}},
	{"good_plateau", wstk.MoveStop,
		"All passages suit the question about equally well.",
		func(s Situation) bool {
			return s.Signals.Passages > 1 && s.Signals.Variance < evenly && s.Signals.Mean >= goodFit &&
				s.Signals.Gaps == 0
		}},
	{"covered", wstk.MoveStop,
		"Each part of the question has a passage that may answer it.",
		func(s Situation) bool {
			return s.Signals.Passages > 0 && s.Signals.Gaps == 0 && s.Signals.Recall >= complete
		}},
	{"links_promise", wstk.MoveExpandBreadth,
		"Something is open, and an unread link names it.",
		func(s Situation) bool { return s.open() && s.Signals.BestLink >= promising }},
	{"budget_crowded", wstk.MoveExpandRecall,
		"Something is open, and passages that repeat one another fill the budget.",
		func(s Situation) bool {
			return s.Signals.Gaps > 0 && s.Signals.BudgetFill >= filled &&
				s.did(wstk.MoveExpandRecall) < maxRecalls && s.Signals.Redundancy >= repeated
		}},
	{"part_failed", wstk.MoveExpandIntent,
		"No passage suits a part of the question, though its words were found, or no link is left.",
		func(s Situation) bool {
			return s.Signals.Gaps > 0 && s.mayAskAnew() &&
				(s.Signals.Recall >= complete || s.Signals.UnreadLinks == 0)
		}},
	{"links_left", wstk.MoveExpandBreadth,
		"Something is open, and there are unread links.",
		func(s Situation) bool { return s.open() && s.Signals.UnreadLinks > 0 }},
	{"budget_short", wstk.MoveExpandRecall,
		"A part of the question is open, and the budget has no room for more passages.",
		func(s Situation) bool {
			return s.Signals.BudgetFill >= filled && s.did(wstk.MoveExpandRecall) < maxRecalls &&
				s.Signals.Gaps > 0
		}},
	{"exhausted", wstk.MoveStop,
		"Nothing is left to read or to ask.",
		func(Situation) bool { return true }},
}

// open reports whether something is still to be found.
func (s Situation) open() bool { return s.Signals.Gaps > 0 || s.Signals.Recall < complete }

// mayAskAnew reports whether the question may be taken apart anew.
func (s Situation) mayAskAnew() bool {
	return s.Anew && s.did(wstk.MoveExpandIntent) < maxIntents
}

// depth is how often the loop may expand.
func (s Situation) depth() int {
	if s.Limits.MaxExpansionDepth == nil {
		return DefaultDepth
	}
	return min(max(0, *s.Limits.MaxExpansionDepth), MaxDepth)
}

// depthOf counts the turns that expanded.
func depthOf(turns []wstk.Turn) (n int) {
	for _, t := range turns {
		if t.Move != wstk.MoveStop {
			n++
		}
	}
	return n
}

// did counts the turns that made a move.
func (s Situation) did(m wstk.Move) (n int) {
	for _, t := range s.Before {
		if t.Move == m {
			n++
		}
	}
	return n
}

// last is the move of the turn before; "" in the first.
func (s Situation) last() wstk.Move {
	if len(s.Before) == 0 {
		return ""
	}
	return s.Before[len(s.Before)-1].Move
}

// Decide returns the turn that a situation leads to: the first rule that holds gives Rule and
// Move, the others that hold are in Also. The caller adds the links that it weighed.
//
// Depth and pages are weak: they end few loops. Since each expansion adds to the depth of the next
// turn, and depth is bounded, every loop stops.
func Decide(s Situation) wstk.Turn {
	t := wstk.Turn{N: len(s.Before) + 1, Signals: s.Signals, Also: []string{}}
	for _, r := range table {
		switch {
		case !r.holds(s):
		case t.Rule == "":
			t.Rule, t.Move = r.Name, r.Move
		default:
			t.Also = append(t.Also, r.Name)
		}
	}
	return t
}

// Limit is a bound that no rule lifts.
type Limit string

// The limits.
const (
	LimitPages  Limit = "max_pages"
	LimitTokens Limit = "max_tokens"
	LimitTime   Limit = "time"
	LimitMoney  Limit = "money"
)

// Spent is what a question has used, beside what it may use; a bound of 0 bounds nothing.
type Spent struct {
	Pages, MaxPages   int // fetched
	Tokens, MaxTokens int // that models read and wrote
	Time, MaxTime     time.Duration
	USD, MaxUSD       float64
}

// Over returns the first limit that a move would pass, and whether there is one. Only
// expand_breadth reads pages, and a stop passes no limit.
func (s Spent) Over(m wstk.Move) (Limit, bool) {
	switch {
	case m == wstk.MoveStop:
	case s.MaxUSD > 0 && s.USD >= s.MaxUSD:
		return LimitMoney, true
	case s.MaxTokens > 0 && s.Tokens >= s.MaxTokens:
		return LimitTokens, true
	case s.MaxTime > 0 && s.Time >= s.MaxTime:
		return LimitTime, true
	case m == wstk.MoveExpandBreadth && s.MaxPages > 0 && s.Pages >= s.MaxPages:
		return LimitPages, true
	}
	return "", false
}

// StopAt says that a limit ended the loop.
func (s Spent) StopAt(l Limit) wstk.Stop {
	reason := "A limit was reached."
	switch l {
	case LimitPages:
		reason = fmt.Sprintf("The question has read the %d pages that it may read.", s.MaxPages)
	case LimitTokens:
		reason = fmt.Sprintf("Models have used the %d tokens that the question may use.", s.MaxTokens)
	case LimitTime:
		reason = fmt.Sprintf("The %s that the question may take are over.", s.MaxTime)
	case LimitMoney:
		reason = fmt.Sprintf("The %.2f USD that the question may cost are spent.", s.MaxUSD)
	}
	return wstk.Stop{Rule: string(l), Reason: reason}
}

// StopOf says that the rule of a turn ended the loop.
func StopOf(t wstk.Turn) wstk.Stop {
	for _, r := range table {
		if r.Name == t.Rule {
			return wstk.Stop{Rule: r.Name, Reason: r.Reason}
		}
	}
	return wstk.Stop{Rule: t.Rule, Reason: "The loop ended."}
}

// Package answer decides how an answer grows: how a question is taken apart, whether what was
// retrieved is enough, what to read next, which passages an answer may rest on, and how it is
// cited. It reads nothing, asks nothing and stores nothing; the room that calls it does.
//
// In the order of the loop:
//
//	Analyser.Rules    the question as sub-questions, by rules
//	Analyser.Request  the same asked of a model; Analyser.Parse reads its reply
//	Score             the links that may be read next, weighed by five signals
//	Measure           how good the passages of a turn are
//	Decide            the move of the turn, by a table of eleven rules (rules.go)
//	Spent.Over        the limits that no rule lifts: pages, tokens, time, money
//	Analyser.Again    the sub-questions anew, with what failed
//	Merge             the passages of all sub-questions within a budget of tokens
//	Cite              references and content with [n] marks; CheckCited finds forged ones
//
// The same values give the same result, in any order of goroutines. All functions may be called
// concurrently.
package answer

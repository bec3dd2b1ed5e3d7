package collate

import (
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// CutStatements finds direct statements that cut a word or a number of every quote they cite.
func CutStatements(c Claimed) (found []Finding) {
	for _, s := range c.Statements {
		whole := s.Support != wstk.SupportDirect
		for _, n := range s.Evidence {
			whole = whole || n >= 0 && n < len(c.Evidence) &&
				text.Within(c.Evidence[n].Quote, s.Statement, c.Rules != Rules)
		}
		if !whole {
			found = append(found, Finding{Part: "statement", Words: s.Statement,
				Why: "no quote it cites holds it as a whole"})
		}
	}
	return found
}

// OfStrategy compares the strategy with which a question was answered with the one that
// today's rules choose.
func OfStrategy(c Claimed, today wstk.Strategy) []Finding {
	if !c.Asked || c.Strategy == "" { // as in the reply of an unfinished run
		return []Finding{{Part: "strategy",
			Open: "the result does not say how which question was answered"}}
	}
	f := Finding{Part: "strategy", Words: string(c.Strategy)}
	if today != c.Strategy {
		f.Why = "the question asks for the strategy " + string(today)
		if c.Rules != Rules {
			f.Why, f.Open = "", f.Why+" in this version"
		}
	}
	return []Finding{f}
}

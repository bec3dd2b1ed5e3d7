package main

import (
	"encoding/json"
	"slices"
	"strings"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// reply is what is scored of the JSON of wstk ask. A field that a version does not have stays
// nil.
type reply struct {
	Answered    *bool        `json:"answered"`
	Belief      *float64     `json:"belief"`
	Extractions []extraction `json:"extractions"`
	Passages    []struct {
		Evidence wstk.Evidence `json:"evidence"`
	} `json:"passages"`
}

type extraction struct {
	Statements []wstk.Statement     `json:"statements"`
	Evidence   []wstk.Evidence      `json:"evidence"`
	Conflicts  []wstk.TopicConflict `json:"conflicts"`
	Grounding  wstk.Grade           `json:"grounding"`
	Belief     *float64             `json:"belief"`
}

// replyOf reads a reply from its JSON.
func replyOf(r wstk.AskResult) (reply, error) {
	var out reply
	data, err := json.Marshal(r)
	if err == nil {
		err = json.Unmarshal(data, &out)
	}
	return out, err
}

// answered reports whether a reply answers: it says so, or does not say and has statements.
func (r reply) answered() bool {
	if r.Answered != nil {
		return *r.Answered
	}
	return slices.ContainsFunc(r.Extractions,
		func(x extraction) bool { return len(x.Statements) > 0 })
}

// belief returns what the reply says of how sure it is, nil if it does not.
func (r reply) belief() *float64 {
	if r.Belief == nil && len(r.Extractions) > 0 {
		return r.Extractions[0].Belief
	}
	return r.Belief
}

// shown is a statement with the evidence that it cites.
type shown struct {
	wstk.Statement
	Cited []wstk.Evidence
}

// statements returns what an answered reply shows, in order.
func (r reply) statements() []shown {
	if !r.answered() {
		return nil
	}
	var out []shown
	for _, x := range r.Extractions {
		for _, s := range x.Statements {
			one := shown{Statement: s}
			for _, n := range s.Evidence {
				if n >= 0 && n < len(x.Evidence) {
					one.Cited = append(one.Cited, x.Evidence[n])
				}
			}
			out = append(out, one)
		}
	}
	return out
}

// quotes returns the quotes that a statement cites.
func (s shown) quotes() []string {
	var out []string
	for _, e := range s.Cited {
		out = append(out, e.Quote)
	}
	return out
}

// holds reports whether one of the texts holds one of the strings, compared without case and
// as quotes are looked for: see text.FoldCompare.
func holds(texts, strs []string) bool {
	for _, t := range texts {
		t = flat(t)
		for _, s := range strs {
			if s = flat(s); s != "" && strings.Contains(t, s) {
				return true
			}
		}
	}
	return false
}

// flat is the form in which texts are compared: folded, without case, blanks collapsed.
func flat(s string) string {
	return strings.Join(strings.Fields(text.FoldCompare(s)), " ")
}

// said is a statement for people: its words, and the quotes that say more or something else.
func (s shown) said() string {
	out := s.Statement.Statement
	for _, q := range s.quotes() {
		if !holds([]string{out}, []string{q}) {
			out += " [" + strings.Join(strings.Fields(q), " ") + "]"
		}
	}
	return out
}

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/sync/errgroup"

	"wstk/shared/wstk"
)

// caseRow is what became of one made case.
type caseRow struct {
	ID      string `json:"id"`
	Half    string `json:"half"`
	Kind    string `json:"kind"`
	Value   string `json:"value"`
	Wording string `json:"wording"`

	Want     wstk.Grade `json:"want"`
	Conflict bool       `json:"conflict"` // one is to be shown
	Against  bool       `json:"against"`  // a page must not be cited for the leading statement

	Right    bool       `json:"right"` // in all that follows
	Answered bool       `json:"answered"`
	Grade    wstk.Grade `json:"grade"`     // of the extraction that answers
	Verified bool       `json:"verified"`  // some extraction is graded so
	Shown    bool       `json:"shown"`     // a conflict with the words of both sides
	Disputes bool       `json:"disputes"`  // a conflict, of whatever
	Values   bool       `json:"values"`    // all words that the answer must show
	Cited    bool       `json:"cited"`     // the page that must not be
	HintsOK  int        `json:"hints_ok"`  // hints with the right value
	HintsBad int        `json:"hints_bad"` // hints with a wrong value
	HintsNot int        `json:"hints_not"` // hints without the value that a page says
	HintsNil int        `json:"hints_nil"` // hints rightly left empty
	Said     []string   `json:"said"`
}

// falselyVerified reports whether two sites are said to agree that do not.
func (r caseRow) falselyVerified() bool {
	return r.Verified && r.Want != wstk.Verified && r.Want != anyGrade
}

// askCases asks the made cases, each in a store of its own.
func askCases(ctx context.Context, o options) ([]caseRow, error) {
	cases, err := readCases(filepath.Join(o.eval, "agreement"), o.asks)
	if err != nil {
		return nil, err
	}
	set, err := newSetup(ctx, o)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "answers-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	rows := make([]caseRow, len(cases))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, c := range cases {
		group.Go(func() error {
			own := filepath.Join(dir, fmt.Sprint(i))
			defer os.RemoveAll(own)
			var err error
			if rows[i], err = askCase(ctx, own, c, set); err != nil {
				return fmt.Errorf("case %s: %w", c.ID, err)
			}
			return nil
		})
	}
	return rows, group.Wait()
}

// askCase asks a question about the pages of a case, as wstk ask does with their URLs.
func askCase(ctx context.Context, dir string, c madeCase, s setup) (caseRow, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return caseRow{}, err
	}
	a, err := openApp(ctx, dir, c.client(), s)
	if err != nil {
		return caseRow{}, err
	}
	defer a.Close()
	var urls []string
	for _, p := range c.Pages {
		urls = append(urls, p.URL)
	}
	res, err := a.Answering.Ask(ctx,
		wstk.AskQuery{Query: c.Question, From: urls, Hints: c.Hints, Strict: true})
	if err != nil {
		return caseRow{}, err
	}
	got, err := replyOf(res)
	if err != nil {
		return caseRow{}, err
	}
	return scoreCase(c, got), nil
}

func scoreCase(c madeCase, got reply) caseRow {
	r := caseRow{ID: c.ID, Half: c.half, Kind: c.Kind, Value: c.Value, Wording: c.Wording,
		Want: c.Want.Grade, Conflict: c.Want.Conflict, Against: len(c.Want.NotSupport) > 0,
		Answered: got.answered(), Said: []string{}}
	var all []string
	for i, s := range got.statements() {
		all = append(append(all, s.quotes()...), s.Statement.Statement)
		r.Said = append(r.Said, s.Field+": "+s.said()+" <"+strings.Join(s.hosts(), " ")+">")
		r.Cited = r.Cited || i == 0 && s.cites(c.Want.NotSupport)
	}
	for i, x := range got.Extractions {
		if i == 0 {
			r.Grade = x.Grounding
		}
		r.Verified = r.Verified || x.Grounding == wstk.Verified
		all = append(all, r.conflicts(x, c.Want.Values)...)
	}
	r.Values = holdsAll(all, c.Want.Values)
	for _, hint := range c.Hints {
		r.hint(hint, c.Want.Hints[hint], got)
	}
	r.Right = r.faults() == "" && (r.Want == anyGrade || r.Grade == r.Want)
	return r
}

// conflicts notes the conflicts of an extraction, and returns what their sides say.
func (r *caseRow) conflicts(x extraction, values []string) (all []string) {
	for _, conflict := range x.Conflicts {
		sides := sidesOf(conflict, x.Evidence)
		r.Disputes = true
		r.Shown = r.Shown || holdsAll(sides, values)
		all = append(all, sides...)
		r.Said = append(r.Said, "CONFLICT "+strings.Join(sides, " / "))
	}
	return all
}

// sidesOf returns what the sides of a conflict say, with their quotes.
func sidesOf(c wstk.TopicConflict, evidence []wstk.Evidence) []string {
	var out []string
	for _, claim := range c.Claims {
		out = append(out, claim.Statement)
		for _, n := range claim.Evidence {
			if n >= 0 && n < len(evidence) && evidence[n].Quote != claim.Statement {
				out = append(out, evidence[n].Quote)
			}
		}
	}
	return out
}

// holdsAll reports whether each of the strings stands in one of the texts.
func holdsAll(texts, strs []string) bool {
	for _, s := range strs {
		if !holds(texts, []string{s}) {
			return false
		}
	}
	return true
}

// cites reports whether a statement cites one of the pages.
func (s shown) cites(urls []string) bool {
	return slices.ContainsFunc(s.Cited,
		func(e wstk.Evidence) bool { return slices.Contains(urls, e.URL) })
}

func (s shown) hosts() []string {
	var out []string
	for _, e := range s.Cited {
		out = append(out, strings.TrimPrefix(e.URL, "https://"))
	}
	return out
}

// hint counts what a reply has for a hint: a wrong value counts even beside the right one.
func (r *caseRow) hint(name string, want *string, got reply) {
	right, wrong := false, false
	for _, s := range got.statements() {
		if flat(s.Field) != flat(name) {
			continue
		}
		if want != nil && sameValue(s.Statement, *want) {
			right = true
		} else {
			wrong = true
		}
	}
	switch {
	case wrong:
		r.HintsBad++
	case right:
		r.HintsOK++
	case want == nil:
		r.HintsNil++
	default:
		r.HintsNot++
	}
}

// sameValue reports whether a statement gives a value: its words hold it, or it is a number of
// six and more digits and theirs are the same.
func sameValue(s wstk.Statement, want string) bool {
	said := []string{s.Statement}
	if s.Value != nil {
		said = append(said, s.Value.Text)
	}
	if holds(said, []string{want}) {
		return true
	}
	n := digits(want)
	return len(n) >= 6 && slices.ContainsFunc(said,
		func(t string) bool { return strings.HasSuffix(digits(t), n) })
}

func digits(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return r
		}
		return -1
	}, s)
}

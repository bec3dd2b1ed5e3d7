package evaluate

import (
	"maps"
	"slices"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// AnswerScore is how one question was answered.
type AnswerScore struct {
	Answered bool `json:"answered"`
	// all expected words stand in quotes of the answer; null where none are expected
	Right *bool `json:"right"`
	// they stand in the quotes of its first statement; null where none are expected
	First *bool `json:"first_right"`
	// there is no answer, as there should be none; null where there should be one
	HonestNo    *bool      `json:"honest_no"`
	Quotes      int        `json:"quotes"`
	Verified    int        `json:"quotes_verified"` // found again in stored bytes
	Unsupported []string   `json:"unsupported"`     // what was claimed and has no quote
	Usage       wstk.Usage `json:"usage"`           // of models
	CostUSD     *float64   `json:"cost_usd"`        // null where no price is known
	LatencyMS   int64      `json:"latency_ms"`
	Error       *Failure   `json:"error,omitempty"`
}

// AnswerCase is one question that one model was asked.
type AnswerCase struct {
	ID    string      `json:"id"`
	Query string      `json:"query"`
	Score AnswerScore `json:"score"`

	Proposer *wstk.Proposer `json:"-"` // nil means rules
}

// AnswerReport sums up how one model with its prompts answered a suite.
type AnswerReport struct {
	Model   string `json:"model"`   // as it was asked for; rules without one
	Prompts string `json:"prompts"` // their folder, or built-in; "" as configured
	// the models that were asked and the hashes of their prompts; null for rules
	Proposer    *wstk.Proposer `json:"proposer"`
	Right       Figure         `json:"right"`
	First       Figure         `json:"first_right"`
	HonestNo    Figure         `json:"honest_no"`
	Verified    Figure         `json:"quotes_verified"` // mean share, of answers that quote
	Unsupported Figure         `json:"unsupported_per_question"`
	LatencyMS   Figure         `json:"latency_ms_median"`
	Usage       wstk.Usage     `json:"usage"`    // of all questions
	CostUSD     *float64       `json:"cost_usd"` // of all questions; null where no price is known
	Errors      int            `json:"errors"`
	Cases       []AnswerCase   `json:"cases"`
}

// Name is the model, with its prompts where they are not ours.
func (r AnswerReport) Name() string {
	if r.Prompts == "" {
		return r.Model
	}
	return r.Model + " with " + r.Prompts
}

// Answers compares models and prompts on one suite of questions.
type Answers struct {
	Models  []AnswerReport `json:"models"`
	Versus  []Versus       `json:"versus"`            // each compared with the first
	Changes []Difference   `json:"changes,omitempty"` // since an earlier run
}

// Price is what a model costs, in USD for a million tokens.
type Price struct{ Input, Output float64 }

// Of is the cost of what was used, in USD.
func (p Price) Of(u wstk.Usage) float64 {
	return (float64(u.InputTokens)*p.Input + float64(u.OutputTokens)*p.Output) / 1e6
}

// ScoreAnswer compares an answer with what the case expects. How many of its quotes were found
// again is not its to say.
func (c Case) ScoreAnswer(r wstk.AskResult) AnswerScore {
	s := AnswerScore{Answered: r.HasAnswer(), Usage: r.Usage, Unsupported: []string{}}
	var quotes, first []string
	for _, x := range r.Extractions {
		s.Quotes += len(x.Evidence)
		for _, u := range x.Unsupported {
			s.Unsupported = append(s.Unsupported, u.Statement)
		}
		for _, statement := range x.Statements {
			var cited []string
			for _, n := range statement.Evidence {
				if n >= 0 && n < len(x.Evidence) {
					cited = append(cited, x.Evidence[n].Quote)
				}
			}
			if quotes = append(quotes, cited...); first == nil {
				first = append([]string{}, cited...)
			}
		}
	}
	if c.NoAnswer {
		honest := !s.Answered
		s.HonestNo = &honest
	}
	if len(c.ExpectedAnswers) > 0 {
		all, leading := c.quoted(quotes), c.quoted(first)
		s.Right, s.First = &all, &leading
	}
	return s
}

// quoted reports whether each of the expected words stands whole in one of the quotes, whatever
// its case.
func (c Case) quoted(quotes []string) bool {
	for _, want := range c.ExpectedAnswers {
		if !slices.ContainsFunc(quotes, func(q string) bool {
			return text.Within(oneSpace(q), oneSpace(want), false)
		}) {
			return false
		}
	}
	return true
}

// ReportAnswers sums up the questions that one model was asked, with the intervals of Report.
// price is nil where none is known.
func ReportAnswers(model, prompts string, price *Price, cases []AnswerCase) AnswerReport {
	r := AnswerReport{Model: model, Prompts: prompts, Cases: cases,
		Right:       rate(pick(cases, AnswerCase.right)),
		First:       rate(pick(cases, AnswerCase.first)),
		HonestNo:    rate(pick(cases, AnswerCase.honest)),
		Verified:    mean(pick(cases, AnswerCase.verified)),
		Unsupported: mean(pick(cases, AnswerCase.unsupported)),
		LatencyMS:   median(pick(cases, AnswerCase.latency))}
	for i := range cases {
		s := &cases[i].Score
		if by := cases[i].Proposer; by != nil {
			if r.Proposer == nil {
				r.Proposer = &wstk.Proposer{Models: map[wstk.Operation]wstk.ProposedBy{}}
			}
			maps.Copy(r.Proposer.Models, by.Models)
		}
		r.Usage.Add(s.Usage)
		if s.Error != nil {
			r.Errors++
		}
		if price != nil {
			cost := price.Of(s.Usage)
			s.CostUSD = &cost
		}
	}
	if price != nil {
		cost := price.Of(r.Usage)
		r.CostUSD = &cost
	}
	return r
}

func (c AnswerCase) id() string        { return c.ID }
func (c AnswerCase) right() *float64   { return number(c.Score.Right) }
func (c AnswerCase) first() *float64   { return number(c.Score.First) }
func (c AnswerCase) honest() *float64  { return number(c.Score.HonestNo) }
func (c AnswerCase) latency() *float64 { return c.measured(float64(c.Score.LatencyMS)) }
func (c AnswerCase) tokens() *float64 {
	return c.measured(float64(c.Score.Usage.InputTokens + c.Score.Usage.OutputTokens))
}

func (c AnswerCase) unsupported() *float64 {
	return c.measured(float64(len(c.Score.Unsupported)))
}

func (c AnswerCase) verified() *float64 {
	if c.Score.Quotes == 0 {
		return nil
	}
	return c.measured(float64(c.Score.Verified) / float64(c.Score.Quotes))
}

// measured is v, or nil of a question that failed.
func (c AnswerCase) measured(v float64) *float64 {
	if c.Score.Error != nil {
		return nil
	}
	return &v
}

// good reports whether a case is known to have ended as it should.
func (c AnswerCase) good() bool {
	is := func(b *bool) bool { return b != nil && *b }
	return is(c.Score.Right) || is(c.Score.HonestNo)
}

// missed reports whether a case is known to have ended as it should not.
func (c AnswerCase) missed() bool {
	return !c.good() && (c.Score.Right != nil || c.Score.HonestNo != nil)
}

var answerMetrics = []metric[AnswerCase]{{"right", AnswerCase.right},
	{"first_right", AnswerCase.first}, {"honest_no", AnswerCase.honest},
	{"quotes_verified", AnswerCase.verified}, {"unsupported", AnswerCase.unsupported},
	{"tokens", AnswerCase.tokens}, {"latency_ms", AnswerCase.latency}}

// CompareAnswers compares the models of a run with the first of them, and with those of the same
// name of an earlier run, which may be nil. See Compare for what is significant.
func CompareAnswers(models, before []AnswerReport) Answers {
	out := Answers{Models: models, Versus: []Versus{}}
	against := func(old, r AnswerReport) Difference {
		return compare(r.Name(), old.Cases, r.Cases, AnswerCase.id, AnswerCase.good, answerMetrics)
	}
	for i, r := range models {
		if i > 0 {
			out.Versus = append(out.Versus, Versus{models[0].Name(), against(models[0], r)})
		}
		for _, old := range before {
			if old.Name() == r.Name() {
				out.Changes = append(out.Changes, against(old, r))
			}
		}
	}
	return out
}

// FailedAnswers counts what the policy calls a failure among answers: misses and errors.
func (f FailOn) FailedAnswers(a *Answers) (misses, errors int) {
	if a == nil {
		return 0, 0
	}
	for _, r := range a.Models {
		for _, c := range r.Cases {
			if c.Score.Error != nil && (f == FailError || f == FailMissOrError) {
				errors++
			}
			if c.missed() && (f == FailMiss || f == FailMissOrError) {
				misses++
			}
		}
	}
	return misses, errors
}

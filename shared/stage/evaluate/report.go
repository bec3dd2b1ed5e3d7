package evaluate

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"wstk/shared/wstk"
)

// Figure is a mean with its uncertainty.
type Figure struct {
	Value *float64 `json:"value"` // null when nothing could be measured
	Low   *float64 `json:"low"`   // of the 95 % interval
	High  *float64 `json:"high"`
	N     int      `json:"n"` // how many cases it is computed from
}

// CaseResult is one case of one provider.
type CaseResult struct {
	ID     string      `json:"id"`
	Query  string      `json:"query"`
	Search SearchScore `json:"search"`
	Page   *PageScore  `json:"page,omitempty"`
	Found  any         `json:"results,omitempty"` // the result items, if they were asked for
}

// ProviderReport is the result of one provider on a suite.
type ProviderReport struct {
	Provider string       `json:"provider"`
	Search   SearchReport `json:"search"`
	Fetch    *FetchReport `json:"fetch,omitempty"`
	Extract  *ReadReport  `json:"extract,omitempty"`
	Cases    []CaseResult `json:"cases"`
}

// SearchReport sums up searches.
type SearchReport struct {
	HitAtK         Figure `json:"hit_at_k"`
	MRR            Figure `json:"mrr"`
	URLOverlap     Figure `json:"url_overlap"`
	ExpectedDomain Figure `json:"expected_domain_present"`
	LatencyMS      Figure `json:"latency_ms_median"`
	Errors         int    `json:"errors"`
	Empty          int    `json:"empty"`
	Unscored       int    `json:"unscored"`
}

// FetchReport sums up fetches.
type FetchReport struct {
	Success     Figure `json:"success_rate"`
	Blocked     Figure `json:"blocked_rate"`
	NeedsRender Figure `json:"needs_render_rate"`
	LatencyMS   Figure `json:"latency_ms_median"`
}

// ReadReport sums up what was read.
type ReadReport struct {
	NonEmpty    Figure `json:"non_empty_rate"`
	Words       Figure `json:"words_median"`
	Boilerplate Figure `json:"boilerplate_ratio"`
	CodeKept    Figure `json:"code_kept"`
	Answers     Figure `json:"answers_found"`
}

// Report sums up the cases of one provider. Rates have Wilson's score interval, means and
// medians the percentile interval of 2,000 bootstrap samples, drawn from a fixed seed, so
// that the same cases give the same report.
func Report(provider string, cases []CaseResult) ProviderReport {
	r := ProviderReport{Provider: provider, Cases: cases}
	s := &r.Search
	s.HitAtK = rate(pick(cases, func(c CaseResult) *float64 { return number(c.Search.Hit) }))
	s.MRR = mean(pick(cases, func(c CaseResult) *float64 { return c.Search.Reciprocal }))
	s.URLOverlap = mean(pick(cases, func(c CaseResult) *float64 { return c.Search.URLOverlap }))
	s.ExpectedDomain = rate(pick(cases, func(c CaseResult) *float64 {
		return number(c.Search.ExpectedDomain)
	}))
	s.LatencyMS = median(pick(cases, func(c CaseResult) *float64 {
		if c.Search.Cached || c.Search.Error != nil {
			return nil
		}
		f := float64(c.Search.LatencyMS)
		return &f
	}))
	var pages []CaseResult
	for _, c := range cases {
		switch {
		case c.Search.Error != nil:
			s.Errors++
		case c.Search.Results == 0:
			s.Empty++
		}
		if c.Search.Error == nil && c.Search.Hit == nil {
			s.Unscored++
		}
		if c.Page != nil {
			pages = append(pages, c)
		}
	}
	if len(pages) == 0 {
		return r
	}
	is := func(yes func(v wstk.Verdict) bool) Figure {
		return rate(pick(pages, func(c CaseResult) *float64 {
			b := c.Page.Error == nil && yes(c.Page.Verdict)
			return number(&b)
		}))
	}
	r.Fetch = &FetchReport{
		Success: is(wstk.Verdict.Readable),
		Blocked: is(func(v wstk.Verdict) bool {
			return v == wstk.VerdictBlocked || v == wstk.VerdictConsent
		}),
		NeedsRender: is(func(v wstk.Verdict) bool { return v == wstk.VerdictNeedsRender }),
		LatencyMS: median(pick(pages, func(c CaseResult) *float64 {
			if c.Page.Cached || c.Page.Error != nil {
				return nil
			}
			f := float64(c.Page.LatencyMS)
			return &f
		})),
	}
	read := slices.DeleteFunc(slices.Clone(pages), func(c CaseResult) bool {
		return c.Page.Error != nil || !c.Page.Verdict.Readable()
	})
	r.Extract = &ReadReport{
		NonEmpty: rate(pick(read, func(c CaseResult) *float64 {
			return number(&c.Page.NonEmpty)
		})),
		Words: median(pick(read, func(c CaseResult) *float64 {
			f := float64(c.Page.Words)
			return &f
		})),
		Boilerplate: mean(pick(read, func(c CaseResult) *float64 { return c.Page.Boilerplate })),
		CodeKept:    mean(pick(read, func(c CaseResult) *float64 { return c.Page.CodeKept })),
		Answers:     mean(pick(read, func(c CaseResult) *float64 { return c.Page.AnswersFound })),
	}
	return r
}

// Overlap is how similar the results of two providers are.
type Overlap struct {
	Providers [2]string `json:"providers"`
	Jaccard   Figure    `json:"jaccard"` // of the first k, over the cases both answered
}

// Overlaps compares every two providers of a run.
func Overlaps(reports []ProviderReport) []Overlap {
	out := []Overlap{}
	for i, a := range reports {
		for _, b := range reports[i+1:] {
			var values []float64
			for n := range min(len(a.Cases), len(b.Cases)) {
				x, y := a.Cases[n].Search, b.Cases[n].Search
				if x.Error != nil || y.Error != nil ||
					len(x.resultsInFirstK)+len(y.resultsInFirstK) == 0 {
					continue
				}
				values = append(values, jaccard(x.resultsInFirstK, y.resultsInFirstK))
			}
			out = append(out, Overlap{Providers: [2]string{a.Provider, b.Provider},
				Jaccard: mean(values)})
		}
	}
	return out
}

func jaccard(a, b []string) float64 {
	a, b = slices.Compact(slices.Sorted(slices.Values(a))),
		slices.Compact(slices.Sorted(slices.Values(b)))
	both := 0
	for _, u := range a {
		if _, ok := slices.BinarySearch(b, u); ok {
			both++
		}
	}
	return float64(both) / float64(len(a)+len(b)-both)
}

// Change is how one figure moved between two runs of one suite.
type Change struct {
	Metric string   `json:"metric"`
	Before *float64 `json:"before"`
	After  *float64 `json:"after"`
	Delta  *float64 `json:"delta"`
	Low    *float64 `json:"low"` // of the 95 % interval of the delta, over the cases both have
	High   *float64 `json:"high"`
	Real   bool     `json:"significant"` // more than chance, see Compare
	N      int      `json:"n"`
}

// Difference is what changed for one provider.
type Difference struct {
	Provider string   `json:"provider"`
	Changes  []Change `json:"changes"`
	Gained   []string `json:"gained"` // ids of cases that miss before and hit after
	Lost     []string `json:"lost"`
	OnlyOne  []string `json:"only_in_one"` // ids of cases that one run has and the other has not
}

// Compare compares a run with an earlier one, case by case: cases are paired by id, and the
// interval of a delta is that of 2,000 bootstrap samples of the pairs.
//
// A change is significant if that interval leaves 0 out and the exact sign test agrees, at
// 5 %, two-sided. The interval alone is no proof: if all pairs moved by the same, even a
// single pair, it has no width. With fewer than six pairs that moved, nothing is
// significant.
func Compare(before, after []ProviderReport) []Difference {
	out := []Difference{}
	for _, a := range after {
		i := slices.IndexFunc(before, func(b ProviderReport) bool {
			return b.Provider == a.Provider
		})
		if i < 0 {
			continue
		}
		out = append(out, CompareReports(before[i], a))
	}
	return out
}

// Versus compares a report with the first of a run, case by case: Gained are cases that only
// this one hits, Lost those that only the first does.
type Versus struct {
	Against string `json:"against"`
	Difference
}

// CompareReports compares two reports of one suite, of whatever providers.
func CompareReports(before, after ProviderReport) Difference {
	return compare(after.Provider, before.Cases, after.Cases, CaseResult.id, hit, metrics)
}

func (c CaseResult) id() string { return c.ID }

// metric is a value of a case that is compared; nil is unknown.
type metric[C any] struct {
	name string
	of   func(C) *float64
}

// compare pairs the cases of two reports by their id.
func compare[C any](
	name string, before, after []C, id func(C) string, hit func(C) bool, metrics []metric[C],
) Difference {
	d := Difference{Provider: name, Changes: []Change{}, Gained: []string{},
		Lost: []string{}, OnlyOne: []string{}}
	old := map[string]C{}
	for _, c := range before {
		old[id(c)] = c
	}
	var pairs [][2]C
	for _, c := range after {
		o, ok := old[id(c)]
		if !ok {
			d.OnlyOne = append(d.OnlyOne, id(c))
			continue
		}
		delete(old, id(c))
		pairs = append(pairs, [2]C{o, c})
		switch was, is := hit(o), hit(c); {
		case is && !was:
			d.Gained = append(d.Gained, id(c))
		case was && !is:
			d.Lost = append(d.Lost, id(c))
		}
	}
	for id := range old {
		d.OnlyOne = append(d.OnlyOne, id)
	}
	slices.Sort(d.OnlyOne)
	for _, m := range metrics {
		if c, ok := change(m.name, pairs, m.of); ok {
			d.Changes = append(d.Changes, c)
		}
	}
	return d
}

// hit reports whether a case is known to have found what it should.
func hit(c CaseResult) bool { return c.Search.Hit != nil && *c.Search.Hit }

// metrics are the values of a case that are compared.
var metrics = []metric[CaseResult]{
	{"hit_at_k", func(c CaseResult) *float64 { return number(c.Search.Hit) }},
	{"mrr", func(c CaseResult) *float64 { return c.Search.Reciprocal }},
	{"url_overlap", func(c CaseResult) *float64 { return c.Search.URLOverlap }},
	{"success_rate", func(c CaseResult) *float64 {
		if c.Page == nil {
			return nil
		}
		b := c.Page.Error == nil && c.Page.Verdict.Readable()
		return number(&b)
	}},
	{"words", func(c CaseResult) *float64 {
		if c.Page == nil || c.Page.Error != nil {
			return nil
		}
		f := float64(c.Page.Words)
		return &f
	}},
	{"boilerplate_ratio", func(c CaseResult) *float64 {
		if c.Page == nil {
			return nil
		}
		return c.Page.Boilerplate
	}},
}

// change compares a metric over the pairs of cases that have it; false if none has.
func change[C any](name string, pairs [][2]C, of func(C) *float64) (Change, bool) {
	var was, is, deltas []float64
	for _, p := range pairs {
		x, y := of(p[0]), of(p[1])
		if x != nil && y != nil {
			was, is, deltas = append(was, *x), append(is, *y), append(deltas, *y-*x)
		}
	}
	if len(deltas) == 0 {
		return Change{}, false
	}
	f := mean(deltas)
	b, a := average(was), average(is)
	return Change{Metric: name, Before: &b, After: &a, Delta: f.Value, Low: f.Low, High: f.High,
		Real: (*f.Low > 0 || *f.High < 0) && signs(deltas) <= level, N: f.N}, true
}

// pick takes one value of each case that has it.
func pick[C any](cases []C, of func(C) *float64) []float64 {
	var out []float64
	for _, c := range cases {
		if v := of(c); v != nil {
			out = append(out, *v)
		}
	}
	return out
}

func number(b *bool) *float64 {
	if b == nil {
		return nil
	}
	f := 0.0
	if *b {
		f = 1
	}
	return &f
}

func average(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// rate is the share of ones, with Wilson's score interval: E. B. Wilson, "Probable
// inference, the law of succession, and statistical inference", 1927.
func rate(values []float64) Figure {
	n := float64(len(values))
	if n == 0 {
		return Figure{}
	}
	const z = 1.959964 // 95 %
	p := average(values)
	middle := (p + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return figure(p, max(0, middle-half), min(1, middle+half), len(values))
}

func mean(values []float64) Figure { return bootstrap(values, average) }

func median(values []float64) Figure { return bootstrap(values, middle) }

func middle(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	if n%2 == 1 {
		return sorted[n/2]
	}
	return (sorted[n/2-1] + sorted[n/2]) / 2
}

// level is the significance level: the chance of a change where there is none.
const level = 0.05

// signs is the exact two-sided sign test: how likely it is that the deltas other than 0 are
// at least as one-sided as they are, if up and down are equally likely. It is 1 if there are
// none. W. J. Dixon and A. M. Mood, "The statistical sign test", 1946; for hits and misses
// it is the exact form of Q. McNemar's test of 1947.
func signs(deltas []float64) float64 {
	up, down := 0, 0
	for _, d := range deltas {
		switch {
		case d > 0:
			up++
		case d < 0:
			down++
		}
	}
	n, p := float64(up+down), 0.0
	for k := range min(up, down) + 1 {
		p += math.Exp(logFactorial(n) - logFactorial(float64(k)) - logFactorial(
			n-float64(k)) - n*math.Ln2)
	}
	return min(1, 2*p)
}

func logFactorial(n float64) float64 {
	v, _ := math.Lgamma(n + 1)
	return v
}

const samples = 2000

// bootstrap is a statistic with the interval that 2,000 samples with replacement give.
func bootstrap(values []float64, statistic func([]float64) float64) Figure {
	if len(values) == 0 {
		return Figure{}
	}
	random := rand.New(rand.NewPCG(1, uint64(len(values))))
	drawn, sample := make([]float64, samples), make([]float64, len(values))
	for i := range drawn {
		for j := range sample {
			sample[j] = values[random.IntN(len(values))]
		}
		drawn[i] = statistic(sample)
	}
	sort.Float64s(drawn)
	return figure(statistic(values), drawn[samples*25/1000], drawn[samples*975/1000], len(values))
}

func figure(value, low, high float64, n int) Figure {
	return Figure{Value: &value, Low: &low, High: &high, N: n}
}

// FailOn says which outcomes of a run are a failure.
type FailOn string

const (
	FailNever       FailOn = "none"
	FailError       FailOn = "error"
	FailMiss        FailOn = "miss"
	FailMissOrError FailOn = "miss_or_error"
)

// Failed counts what the policy calls a failure in a run: misses and errors.
func (f FailOn) Failed(reports []ProviderReport) (misses, errors int) {
	for _, r := range reports {
		for _, c := range r.Cases {
			failed := c.Search.Error != nil || c.Page != nil && c.Page.Error != nil
			if failed && (f == FailError || f == FailMissOrError) {
				errors++
			}
			if c.Search.Hit != nil && !*c.Search.Hit && (f == FailMiss || f == FailMissOrError) {
				misses++
			}
		}
	}
	return misses, errors
}

// Best returns the provider with the highest mean reciprocal rank, or "" if none was scored.
func Best(reports []ProviderReport) string {
	scored := slices.DeleteFunc(slices.Clone(reports), func(r ProviderReport) bool {
		return r.Search.MRR.Value == nil
	})
	if len(scored) == 0 {
		return ""
	}
	return slices.MaxFunc(scored, func(a, b ProviderReport) int {
		return cmp.Compare(*a.Search.MRR.Value, *b.Search.MRR.Value)
	}).Provider
}

package evaluate

import (
	"slices"
	"strings"

	"wstk/shared/wstk"
)

// SearchScore is the result of one provider on one case.
type SearchScore struct {
	// of the first expected result, from 1; null when none is in the first k
	Rank       *int     `json:"rank"`
	Hit        *bool    `json:"hit"`        // null when the case is unscored
	Reciprocal *float64 `json:"reciprocal"` // 1/rank, 0 for a miss; null when unscored
	// share of the expected URLs in the first k; null without any
	URLOverlap      *float64 `json:"url_overlap"`
	ExpectedDomain  *bool    `json:"expected_domain_present"`
	Results         int      `json:"results"`
	LatencyMS       int64    `json:"latency_ms"`
	Cached          bool     `json:"cached,omitempty"`
	Error           *Failure `json:"error,omitempty"`
	resultsInFirstK []string
}

// Failure is why a case could not be measured.
type Failure struct {
	Code    wstk.Code `json:"code"`
	Message string    `json:"message"`
}

// Score compares the first k of urls with what the case expects. k is at least 1; that of
// the case counts if it has one.
func (c Case) Score(urls []string, k int) SearchScore {
	if c.K > 0 {
		k = c.K
	}
	s := SearchScore{Results: len(urls)}
	urls = urls[:min(k, len(urls))]
	for _, u := range urls {
		s.resultsInFirstK = append(s.resultsInFirstK, bare(u))
	}
	if !c.Scored() {
		return s
	}
	hit, reciprocal := false, 0.0
	if i := slices.IndexFunc(urls, c.Expects); i >= 0 {
		rank := i + 1
		s.Rank, hit, reciprocal = &rank, true, 1/float64(rank)
	}
	s.Hit, s.Reciprocal = &hit, &reciprocal
	if n := len(c.ExpectedURLs); n > 0 {
		found := 0
		for _, want := range c.ExpectedURLs {
			if slices.Contains(s.resultsInFirstK, bare(want)) {
				found++
			}
		}
		share := float64(found) / float64(n)
		s.URLOverlap = &share
	}
	if len(c.ExpectedDomains) > 0 {
		domains := Case{ExpectedDomains: c.ExpectedDomains}
		present := slices.ContainsFunc(urls, domains.Expects)
		s.ExpectedDomain = &present
	}
	return s
}

// PageScore is how one page of a case was fetched and read.
type PageScore struct {
	URL       string       `json:"url"`
	Verdict   wstk.Verdict `json:"verdict"`
	LatencyMS int64        `json:"latency_ms"`
	Cached    bool         `json:"cached,omitempty"`
	NonEmpty  bool         `json:"non_empty"` // it has main content
	Words     int          `json:"words"`     // of the main content
	// share of the visible text that is not main content; null without text
	Boilerplate *float64 `json:"boilerplate_ratio"`
	// share of the code blocks of the page that its Markdown has, whole; null without any
	CodeKept *float64 `json:"code_kept"`
	// share of the expected answers in the main content; null without any
	AnswersFound *float64 `json:"answers_found"`
	Error        *Failure `json:"error,omitempty"`
}

// ScorePage measures what was read of a page. main and markdown are its main content as
// text and as Markdown, whole its visible text, and code the text of its code blocks.
func (c Case) ScorePage(main, markdown, whole string, code []string) PageScore {
	s := PageScore{NonEmpty: strings.TrimSpace(main) != "", Words: len(strings.Fields(main))}
	if n := letters(whole); n > 0 {
		ratio := max(0, 1-float64(letters(main))/float64(n))
		s.Boilerplate = &ratio
	}
	share := func(wanted []string, in string) *float64 {
		if len(wanted) == 0 {
			return nil
		}
		found := 0
		for _, w := range wanted {
			if strings.Contains(in, oneSpace(strings.ToLower(w))) {
				found++
			}
		}
		f := float64(found) / float64(len(wanted))
		return &f
	}
	s.CodeKept = share(code, oneSpace(strings.ToLower(markdown)))
	s.AnswersFound = share(c.ExpectedAnswers, oneSpace(strings.ToLower(main)))
	return s
}

func letters(s string) (n int) {
	for _, w := range strings.Fields(s) {
		n += len(w)
	}
	return n
}

func oneSpace(s string) string { return strings.Join(strings.Fields(s), " ") }

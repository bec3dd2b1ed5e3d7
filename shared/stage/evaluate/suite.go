// Package evaluate measures searching and reading: it reads suites of questions with the
// expected answers, scores results, and computes how certain the figures are and how two runs
// differ. It sends no request.
package evaluate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Case is one question of a suite.
type Case struct {
	ID    string `json:"id"` // "" becomes case-N
	Query string `json:"query"`
	// what is done with it: search, which "" means, or ask, which answers it from stored pages
	Kind            string   `json:"kind,omitempty"`
	ExpectedURLs    []string `json:"expected_urls,omitempty"`
	ExpectedDomains []string `json:"expected_domains,omitempty"`
	// words that the extracted page, or the quotes of the answer, should hold, each
	ExpectedAnswers []string `json:"expected_answers,omitempty"`
	K               int      `json:"k,omitempty"` // 0 means that of the run

	// Of a question of kind ask: the pages that it is asked of, or the site, as Filter takes it;
	// neither means all that is stored. NoAnswer says that no page answers it.
	URLs     []string `json:"urls,omitempty"`
	Site     string   `json:"site,omitempty"`
	NoAnswer bool     `json:"no_answer,omitempty"`
}

// The kinds of cases.
const (
	KindSearch = "search"
	KindAsk    = "ask"
)

// Asks reports whether the case is a question that is answered, not searched for.
func (c Case) Asks() bool { return c.Kind == KindAsk }

// maxCases bounds a suite.
const maxCases = 10_000

// ParseSuite reads a suite: JSON lines, a JSON array of cases, or an object with such an
// array under cases. Among JSON lines, empty ones and those that begin with # are skipped. A
// suite without a case, a case without a query, an unknown field and an id that is used
// twice are Invalid, and the error names their place.
func ParseSuite(data []byte) ([]Case, error) {
	const op = "reading the suite"
	cases, err := readCases(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")))
	if err != nil {
		return nil, wstk.Errorf(wstk.Invalid, op, "%w", err)
	}
	if len(cases) == 0 || len(cases) > maxCases {
		return nil, wstk.Errorf(wstk.Invalid, op, "it has %d cases, and should have 1 to %d",
			len(cases), maxCases).
			Try(wstk.Advice(`write one JSON object a line: {"query": "…", "expected_domains": ["…"]}`))
	}
	seen := map[string]bool{}
	for i := range cases {
		c := &cases[i]
		if c.ID == "" {
			c.ID = fmt.Sprintf("case-%d", i+1)
		}
		switch {
		case strings.TrimSpace(c.Query) == "":
			return nil, wstk.Errorf(wstk.Invalid, op, "%s has no query", c.ID)
		case c.K < 0 || c.K > 100:
			return nil, wstk.Errorf(wstk.Invalid, op, "%s: k must be 1 to 100", c.ID)
		case seen[c.ID]:
			return nil, wstk.Errorf(wstk.Invalid, op, "the id %q is used twice", c.ID)
		}
		if wrong := c.mixed(); wrong != "" {
			return nil, wstk.Errorf(wstk.Invalid, op, "%s: %s", c.ID, wrong)
		}
		seen[c.ID] = true
	}
	return cases, nil
}

// mixed says which fields of a case do not go together; "" means none.
func (c Case) mixed() string {
	asked := len(c.URLs) > 0 || c.Site != "" || c.NoAnswer
	switch {
	case c.Kind != "" && c.Kind != KindSearch && c.Kind != KindAsk:
		return fmt.Sprintf("the kind is %q; there are search and ask", c.Kind)
	case !c.Asks() && asked:
		return `urls, site and no_answer are of questions; write "kind": "ask", too`
	case c.Asks() && (c.Scored() || c.K > 0):
		return "expected_urls, expected_domains and k are of searches, and this is a question"
	case c.NoAnswer && len(c.ExpectedAnswers) > 0:
		return "it has expected_answers and no_answer; leave one out"
	case len(c.URLs) > 0 && c.Site != "":
		return "it has urls and a site; leave one out"
	}
	return ""
}

// readCases reads a suite in any of its three forms.
func readCases(data []byte) (cases []Case, err error) {
	trimmed := bytes.TrimSpace(data)
	switch {
	case bytes.HasPrefix(trimmed, []byte("[")):
		err = strict(trimmed, &cases)
		return cases, err
	case whole(trimmed):
		var file struct {
			Cases []Case `json:"cases"`
		}
		err = strict(trimmed, &file)
		return file.Cases, err
	}
	for n, line := range strings.Split(string(data), "\n") {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		var c Case
		if err := strict([]byte(line), &c); err != nil {
			return nil, fmt.Errorf("line %d: %w", n+1, err)
		}
		cases = append(cases, c)
	}
	return cases, nil
}

// whole reports whether data is a JSON object with cases, and not many lines.
func whole(data []byte) bool {
	var keys map[string]json.RawMessage
	return json.Unmarshal(data, &keys) == nil && keys["cases"] != nil
}

func strict(data []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		return err
	}
	if _, err := dec.Token(); err != io.EOF { // dec.More takes a stray bracket for the end
		return errors.New("there is text after the JSON value")
	}
	return nil
}

// Scored reports whether the case says what should be found.
func (c Case) Scored() bool { return len(c.ExpectedURLs) > 0 || len(c.ExpectedDomains) > 0 }

// Expects reports whether the case expects a URL: it is one of the case's URLs, without
// query and fragment, or, if the case names none, in one of its domains.
func (c Case) Expects(rawURL string) bool {
	if len(c.ExpectedURLs) > 0 {
		for _, want := range c.ExpectedURLs {
			if bare(want) == bare(rawURL) {
				return true
			}
		}
		return false
	}
	u, err := url.Parse(rawURL)
	if err != nil {
		return false
	}
	host := strings.ToLower(u.Hostname())
	for _, domain := range c.ExpectedDomains {
		domain = strings.ToLower(strings.Trim(strings.TrimSpace(domain), "."))
		if host == domain || strings.HasSuffix(host, "."+domain) {
			return true
		}
	}
	return false
}

// bare returns a URL in the form that cases are compared in: canonical, without scheme,
// query, fragment, leading www. and trailing slash, none of which makes it another page.
func bare(rawURL string) string {
	u := rawURL
	if canonical, err := text.Canonical(u); err == nil {
		u = canonical
	}
	if _, rest, ok := strings.Cut(u, "://"); ok {
		u = rest
	}
	u, _, _ = strings.Cut(u, "#")
	u, _, _ = strings.Cut(u, "?")
	return strings.TrimSuffix(strings.TrimPrefix(u, "www."), "/")
}

// Target returns the URL of a case that is to be read: its first expected URL, else the
// first result it expects, else the first result, or "" if there is none.
func (c Case) Target(urls []string) string {
	if len(c.ExpectedURLs) > 0 {
		return c.ExpectedURLs[0]
	}
	for _, u := range urls {
		if c.Expects(u) {
			return u
		}
	}
	if len(urls) > 0 {
		return urls[0]
	}
	return ""
}

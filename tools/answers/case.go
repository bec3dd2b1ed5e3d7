package main

import (
	"errors"
	"fmt"
	"html"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"wstk/shared/wstk"
)

// madeCase is one line of testdata/eval/agreement; the README there explains the fields.
type madeCase struct {
	ID       string     `json:"id"`
	Kind     string     `json:"kind"`
	Value    string     `json:"value"`
	Wording  string     `json:"wording"`
	Question string     `json:"question"`
	Hints    []string   `json:"hints"`
	Pages    []madePage `json:"pages"`
	Want     struct {
		Grade      wstk.Grade         `json:"grade"`
		Conflict   bool               `json:"conflict"`
		Values     []string           `json:"values"`
		NotSupport []string           `json:"not_support"`
		Hints      map[string]*string `json:"hints"`
	} `json:"want"`

	half string
}

type madePage struct {
	URL   string `json:"url"`
	Title string `json:"title"`
	HTML  string `json:"html"`
}

// anyGrade is the grade of a case whose grade is open.
const anyGrade wstk.Grade = "any"

var (
	caseKinds  = []string{"contradict", "agree", "apart", "same_site", "copy", "hint"}
	caseGrades = []wstk.Grade{wstk.Verified, wstk.SingleSource, wstk.Conflicted, anyGrade}
)

// caseHalves are the groups of cases that are counted by themselves. The cases of the files
// more_*.jsonl are two, by the number at the end of its id. Both are for tuning.
var caseHalves = []string{"fit", "test", "more-odd", "more-even"}

// forTuning reports whether single cases of a half may be seen; of the others only sums are shown.
func forTuning(half string) bool { return half != "test" }

// isOf reports whether a case of the files of a half belongs to it.
func (c madeCase) isOf(half string) bool {
	_, parity, parted := strings.Cut(half, "-")
	if !parted || c.ID == "" {
		return true
	}
	odd := strings.ContainsRune("13579", rune(c.ID[len(c.ID)-1]))
	return odd == (parity == "odd")
}

// readCases reads the cases of the halves that are asked for. A bad one is refused.
func readCases(dir string, asks func(half string) bool) ([]madeCase, error) {
	var out []madeCase
	seen := map[string]bool{}
	for _, half := range caseHalves {
		if !asks(half) {
			continue
		}
		prefix, _, _ := strings.Cut(half, "-")
		files, err := filepath.Glob(filepath.Join(dir, prefix+"_*.jsonl"))
		if err != nil {
			return nil, err
		}
		for _, name := range files {
			lines, err := readLines[madeCase](name)
			if err != nil {
				return nil, err
			}
			for i, c := range lines {
				err := c.check()
				if err == nil && !c.isOf(half) {
					continue
				}
				if err == nil && seen[c.ID] {
					err = errors.New("its id is used twice; give each case an id of its own")
				}
				if err != nil {
					return nil, fmt.Errorf("%s:%d: case %q: %w", name, i+1, c.ID, err)
				}
				seen[c.ID], c.half = true, half
				out = append(out, c)
			}
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: %w; it holds fit_*.jsonl, test_*.jsonl and more_*.jsonl", dir,
			os.ErrNotExist)
	}
	return out, nil
}

// check says what is wrong with a case, and what to write instead.
func (c madeCase) check() error {
	urls, err := c.checkPages()
	switch {
	case err != nil:
		return err
	case c.ID == "" || c.Question == "" || len(urls) == 0:
		return errors.New("id, question or pages is empty; write all three")
	case !slices.Contains(caseKinds, c.Kind):
		return fmt.Errorf("the kind is %q; write one of %s", c.Kind, strings.Join(caseKinds, ", "))
	case c.Wording != "same" && c.Wording != "other":
		return fmt.Errorf("the wording is %q; write same or other", c.Wording)
	}
	if err := c.checkWant(urls); err != nil {
		return err
	}
	return c.checkHints()
}

// checkPages returns the URLs of the pages of a case.
func (c madeCase) checkPages() (urls []string, err error) {
	for _, p := range c.Pages {
		u, err := url.Parse(p.URL)
		if err != nil || u.Scheme != "https" || !strings.HasSuffix(u.Host, ".example") {
			return nil, fmt.Errorf("the URL %q is not made up; write https://, a host that ends "+
				"in .example, and a path", p.URL)
		}
		if slices.Contains(urls, p.URL) {
			return nil, fmt.Errorf("two pages have the URL %s; give each its own", p.URL)
		}
		if strings.TrimSpace(p.HTML) == "" || p.Title == "" {
			return nil, fmt.Errorf("the page %s has no title or no html; write both", p.URL)
		}
		urls = append(urls, p.URL)
	}
	return urls, nil
}

func (c madeCase) checkWant(urls []string) error {
	w := c.Want
	switch {
	case !slices.Contains(caseGrades, w.Grade):
		return fmt.Errorf("the grade is %q; write one of %q", w.Grade, caseGrades)
	case w.Grade != anyGrade && w.Conflict != (w.Grade == wstk.Conflicted):
		return fmt.Errorf("the grade %s does not go with conflict %t; a conflict, and nothing "+
			"else, is conflicted", w.Grade, w.Conflict)
	case w.Conflict && len(w.Values) < 2:
		return errors.New("a conflict has two sides; write the words of each in values")
	}
	for _, u := range w.NotSupport {
		if !slices.Contains(urls, u) {
			return fmt.Errorf("not_support names %s, which is none of its pages; name one", u)
		}
	}
	return nil
}

func (c madeCase) checkHints() error {
	for _, h := range c.Hints {
		if _, ok := c.Want.Hints[h]; !ok {
			return fmt.Errorf("it asks for the hint %q and does not say what is right; add it to "+
				"want.hints, as null if no page says it", h)
		}
	}
	if len(c.Want.Hints) != len(c.Hints) {
		return errors.New("want.hints names a hint that is not asked for; add it to hints")
	}
	return nil
}

// client returns a client that gives the pages of the case.
func (c madeCase) client() client {
	out := client{}
	for _, p := range c.Pages {
		out[p.URL] = []byte("<!DOCTYPE html><html><head><meta charset=\"utf-8\"><title>" +
			html.EscapeString(p.Title) + "</title></head><body>" + p.HTML + "</body></html>")
	}
	return out
}

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// madeName is the name of the site that is made of the pages of cases.
const madeName = "made"

// madeGroups is into how many groups its questions are split. Those of two groups are about
// different pages, so that a group is tested by weights that were fitted on the others.
const madeGroups = 4

// groupsOf returns the group of each question of that site by its id.
func groupsOf(qs []question) map[string]string {
	out := map[string]string{}
	for i, q := range qs {
		if out[q.ID] = out[q.About]; q.About == "" {
			out[q.ID] = fmt.Sprint(madeName, " ", i%madeGroups+1)
		}
	}
	return out
}

// madeCase is a line of testdata/eval/agreement, of which the half to fit on is read.
type madeCase struct {
	ID       string   `json:"id"`
	Question string   `json:"question"`
	Hints    []string `json:"hints"`
	Pages    []struct {
		URL   string `json:"url"`
		Title string `json:"title"`
		HTML  string `json:"html"`
	} `json:"pages"`
	Want struct {
		Values     []string `json:"values"`
		NotSupport []string `json:"not_support"`
	} `json:"want"`
}

// readMade returns the pages of the cases in a folder by host and path, and their questions: for
// prices, dates, hours, telephone numbers and other values.
func readMade(dir string) (pages map[string]string, qs []question, err error) {
	var files []string
	for _, pattern := range []string{"fit_*.jsonl", "more_*.jsonl"} {
		some, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return nil, nil, err
		}
		files = append(files, some...)
	}
	pages = map[string]string{}
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, nil, err
		}
		lines := bufio.NewScanner(bytes.NewReader(data))
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var c madeCase
			if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
				return nil, nil, fmt.Errorf("%s: %w", path, err)
			}
			q := question{ID: c.ID, Kind: "fact", Typed: c.Question, Answer: c.Want.Values}
			if len(q.Answer) == 0 {
				q.Kind = "none"
			}
			for _, p := range c.Pages {
				_, at, _ := strings.Cut(p.URL, "://")
				pages[at] = "<!doctype html><html><head><title>" + html.EscapeString(p.Title) +
					"</title></head><body>" + p.HTML + "</body></html>"
				q.around = append(q.around, at)
				if !slices.Contains(c.Want.NotSupport, p.URL) {
					q.Pages = append(q.Pages, at)
				}
			}
			qs = append(qs, q)
		}
		if err := lines.Err(); err != nil {
			return nil, nil, err
		}
	}
	return pages, qs, nil
}

// pageHandler serves pages that are in memory.
func pageHandler(pages map[string]string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page, ok := pages[strings.TrimPrefix(r.URL.Path, "/")]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, page)
	})
}

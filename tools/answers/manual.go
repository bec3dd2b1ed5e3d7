package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// manual is a manual that questions are asked about.
type manual struct {
	Name, Half string
}

// manuals are those of testdata/eval/manuals. Their halves are fixed: nothing is fitted on, or
// chosen by, a manual of the test half.
var manuals = []manual{
	{"gnucash", "fit"}, {"nut", "fit"}, {"django", "fit"}, {"borgbackup", "fit"},
	{"installation", "test"}, {"lilypond", "test"}, {"bind9", "test"}, {"varnish", "test"},
}

// followed are the sites of testdata/eval/follow, about which only answers from the front page on
// are measured.
var followed = []manual{{"postfix", "fit"}, {"slurm", "test"}}

// folder is where the questions about a manual are, below testdata/eval.
func (m manual) folder() string {
	if slices.Contains(followed, m) {
		return "follow"
	}
	return "manuals"
}

// front is the page at which a reader begins.
func (m manual) front() string {
	switch m.Name {
	case "nut":
		return "user-manual/index.html"
	case "slurm":
		return "slurm.html"
	}
	return "index.html"
}

// question is one line of testdata/eval/manuals; the README there explains the fields.
type question struct {
	ID       string   `json:"id"`
	Kind     string   `json:"kind"`
	Near     string   `json:"near"`
	User     string   `json:"user"`
	Pages    []string `json:"pages"`
	Passages []string `json:"passages"`
	Answer   []string `json:"answer"`
	Items    []string `json:"items"`
}

// none is the kind of a question that no page answers.
const none = "none"

// in returns the question in one of its wordings, near or user.
func (q question) in(wording string) string {
	if wording == "near" {
		return q.Near
	}
	return q.User
}

// readQuestions reads the questions about a manual.
func readQuestions(name string) ([]question, error) {
	return readLines[question](name)
}

// readLines reads a file of one JSON object a line. Unknown fields are refused.
func readLines[T any](name string) ([]T, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []T
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 4<<20)
	for n := 1; lines.Scan(); n++ {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		var v T
		d := json.NewDecoder(strings.NewReader(lines.Text()))
		d.DisallowUnknownFields()
		if err := d.Decode(&v); err != nil {
			return nil, fmt.Errorf("%s:%d: %w; write one JSON object with the fields that the "+
				"README beside it names", name, n, err)
		}
		out = append(out, v)
	}
	return out, lines.Err()
}

// pages are HTML files by their path.
type pages map[string][]byte

// paths returns the paths in order.
func (p pages) paths() []string {
	out := make([]string, 0, len(p))
	for path := range p {
		out = append(out, path)
	}
	slices.Sort(out)
	return out
}

// readFolder reads the HTML files of a folder, or only those that are named.
func readFolder(dir string, only []string) (pages, error) {
	out := pages{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".html") {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		if only != nil && !slices.Contains(only, name) {
			return nil
		}
		out[name], err = os.ReadFile(path)
		return err
	})
	if err == nil && len(out) == 0 {
		err = fmt.Errorf("%s holds no HTML file", dir)
	}
	return out, err
}

package archtest

import (
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// retired returns a pattern for each word of the last table of docs/words.md, with what
// to say instead.
func retired(t *testing.T) map[*regexp.Regexp]string {
	t.Helper()
	_, table, found := strings.Cut(documents(t)["docs/words.md"], "| not | but |\n|---|---|\n")
	if !found {
		t.Fatal("docs/words.md has no table of words that are not used")
	}
	words := map[*regexp.Regexp]string{}
	for _, line := range strings.Split(table, "\n") {
		if cells := strings.Split(strings.Trim(line, "|"), "|"); len(cells) == 2 {
			word := strings.Join(strings.Fields(cells[0]), `\s+(?://\s*)?`)
			words[regexp.MustCompile(`(?i)\b`+word+`\b`)] = strings.TrimSpace(cells[1])
		}
	}
	return words
}

// TestPlainWords refuses retired words in documents, in comments of Go files, and in
// strings of Go files that are no tests.
func TestPlainWords(t *testing.T) {
	words := retired(t)
	for _, name := range tracked(t) {
		if isQuoted(name) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(root(t), name))
		if err != nil {
			continue // deleted, and not yet committed
		}
		for _, complaint := range retiredIn(words, name, data) {
			t.Error(complaint)
		}
	}
}

// isQuoted reports whether a file holds the words of others: pages, libraries, lexicons.
func isQuoted(name string) bool {
	return strings.Contains(name, "testdata/") || strings.HasPrefix(name, "third_party/") || name == "docs/words.md"
}

// retiredIn returns a complaint for each retired word in the prose of a file.
func retiredIn(words map[*regexp.Regexp]string, name string, data []byte) (complaints []string) {
	for _, p := range prose(name, data) {
		for word, instead := range words {
			for _, at := range word.FindAllStringIndex(p.text, -1) {
				line := p.line + strings.Count(p.text[:at[0]], "\n")
				complaints = append(complaints, name+":"+strconv.Itoa(line)+": “"+p.text[at[0]:at[1]]+
					"”: say "+instead)
			}
		}
	}
	return complaints
}

// passage is a piece of prose and the line on which it begins.
type passage struct {
	text string
	line int
}

// prose returns the whole of a document, and the comments and messages of a Go file. A
// message is a string of at least three words; shorter ones are words of pages and keys.
func prose(name string, data []byte) (out []passage) {
	switch {
	case strings.HasSuffix(name, ".md"), strings.HasSuffix(name, "openapi.json"),
		strings.HasSuffix(name, ".yaml"), strings.HasSuffix(name, ".sh"):
		return []passage{{string(data), 1}}
	case !strings.HasSuffix(name, ".go"):
		return nil
	}
	files := token.NewFileSet()
	file := files.AddFile(name, files.Base(), len(data))
	var s scanner.Scanner
	s.Init(file, data, nil, scanner.ScanComments)
	for {
		pos, tok, lit := s.Scan()
		line := file.Line(pos)
		switch {
		case tok == token.EOF:
			return out
		case tok == token.COMMENT:
			// Lines of one comment are joined, so that a word that wraps is found.
			if n := len(out) - 1; n >= 0 && out[n].line+strings.Count(out[n].text, "\n")+1 == line {
				out[n].text += "\n" + lit
				continue
			}
			out = append(out, passage{lit, line})
		case tok == token.STRING && !strings.HasSuffix(name, "_test.go") && len(strings.Fields(lit)) > 2:
			out = append(out, passage{lit, line})
		}
	}
}

// A retired word is found in a document, in a comment, where a line breaks, and in a
// message; not in code, in a word of a page, or in a string of a test.
func TestPlainWordsCanFail(t *testing.T) {
	words := retired(t)
	for _, c := range []struct {
		name, text string
		want       int
	}{
		{"x.md", "Nobody is asked.", 1},
		{"x.go", "package x\n\n// F tells\n// whether it fits.\nfunc F()", 1},
		{"x.go", "package x\nvar a = \"it stands in vain here\"", 1},
		{"x.go", "package x\nvar nobody = \"nobody\"", 0},
		{"x_test.go", "package x\nvar a = \"it stands in vain here\"", 0},
		{"x_test.go", "package x\n// Whoever asks.", 1},
		{"x.go", "package x\n// F reports whether it fits.", 0},
	} {
		if got := retiredIn(words, c.name, []byte(c.text)); len(got) != c.want {
			t.Errorf("%s %q: got %q, want %d complaints", c.name, c.text, got, c.want)
		}
	}
}

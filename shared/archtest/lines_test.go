package archtest

import (
	"bytes"
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// columns is how wide a line of Go may be, a tab counted as four columns.
const columns = 120

// address is a web address, which nothing can break.
var address = regexp.MustCompile(`[a-z]+://\S+`)

// TestLines refuses lines that are too wide to read. Web addresses and raw strings, which are
// data, do not count, and in tests no string literal does.
func TestLines(t *testing.T) {
	for _, name := range tracked(t) {
		if !strings.HasSuffix(name, ".go") || strings.HasPrefix(name, "third_party/") || strings.Contains(name, "/testdata/") {
			continue
		}
		src, err := os.ReadFile(filepath.Join(root(t), name))
		if err != nil {
			continue // deleted
		}
		test := strings.HasSuffix(name, "_test.go") || strings.Contains(name, "/wstktest/") || strings.Contains(name, "/apptest/")
		src = withoutTexts(src, test)
		for n, line := range strings.Split(string(src), "\n") {
			line = address.ReplaceAllString(line, "")
			if w := utf8.RuneCountInString(line) + 3*strings.Count(line, "\t"); w > columns {
				t.Errorf("%s:%d has %d columns, at most %d: break the line, or make its words a file of data",
					name, n+1, w, columns)
			}
		}
	}
}

// withoutTexts cuts the raw strings out of src, or all string literals.
func withoutTexts(src []byte, all bool) []byte {
	file := token.NewFileSet().AddFile("", -1, len(src))
	var s scanner.Scanner
	s.Init(file, src, nil, 0)
	out, from := []byte(nil), 0
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return append(out, src[from:]...)
		}
		if tok == token.STRING {
			at := file.Offset(pos)
			if all || lit[0] == '`' {
				out = append(out, src[from:at]...)
				out = append(out, bytes.Repeat([]byte("\n"), strings.Count(lit, "\n"))...)
				from = at + len(lit)
			}
		}
	}
}

func TestWithoutTexts(t *testing.T) {
	const src = "package p\n\nvar a, b = \"long\", `two\nlines` // a \"comment\" stays\n"
	for all, want := range map[bool]string{
		true:  "package p\n\nvar a, b = , \n // a \"comment\" stays\n",
		false: "package p\n\nvar a, b = \"long\", \n // a \"comment\" stays\n",
	} {
		if got := string(withoutTexts([]byte(src), all)); got != want {
			t.Errorf("withoutTexts with all %v gives %q, want %q", all, got, want)
		}
	}
}

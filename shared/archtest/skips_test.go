package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// maySkip are the tests that may be skipped even where every test must run: they
// measure on labelled sets that are not part of the repository, and are given them by
// an environment variable. Any other test uses wstktest.Skip.
var maySkip = map[string]string{
	"shared/stage/read/corpus_test.go":    "WSTK_CORPORA: pages with marked main content",
	"shared/stage/recall/eval_test.go":    "WSTK_CORPORA: labelled retrieval sets",
	"shared/stage/recall/meaning_test.go": "WSTK_MEASURE: it embeds a whole manual",
	"shared/stage/screen/corpus_test.go":  "WSTK_CORPORA: labelled injections, and pages without any",
	"shared/value/score_test.go":          "WSTK_CORPORA: labelled quantities",
	"shared/wstk/wstktest/skip.go":        "the one place that skips",
}

func TestNoOtherSkips(t *testing.T) {
	used := map[string]bool{}
	for _, name := range tracked(t) {
		if !strings.HasSuffix(name, ".go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root(t), name), nil, 0)
		if err != nil {
			continue // deleted, or not Go yet: the compiler says so
		}
		ast.Inspect(f, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok || !slices.Contains([]string{"Skip", "Skipf", "SkipNow"}, sel.Sel.Name) {
				return true
			}
			// t, b, f
			if x, ok := sel.X.(*ast.Ident); ok && x.Name != "wstktest" && len(x.Name) == 1 {
				if used[name] = true; maySkip[name] == "" {
					t.Errorf("%s skips by %s.%s: use wstktest.Skip, which fails where every test must run", name, x.Name, sel.Sel.Name)
				}
			}
			return true
		})
	}
	for name := range maySkip {
		if !used[name] {
			t.Errorf("%s skips nothing any more: take it off the list", name)
		}
	}
}

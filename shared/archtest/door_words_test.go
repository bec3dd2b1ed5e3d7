package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// foreignFlags are files below the doors whose strings hold flags that are none of ours.
var foreignFlags = map[string]string{
	"shared/adapter/chrome/process.go":         "the browser's own flags",
	"shared/adapter/chrome/process_windows.go": "the browser's own flags",
	"shared/stage/read/css/atrule.go":          "properties of CSS",
	"shared/stage/screen/redactrules.go":       "patterns of other programs' commands",
	"shared/stage/screen/secret.go":            "patterns of other programs' commands",
}

// flagWord is a flag of a command line in a string.
var flagWord = regexp.MustCompile(`(?:^|[^\w-])--[a-z][\w-]*`)

// Below the doors nothing speaks the words of one of them: a step is data (wstk.Step), and
// shared/entry/step words it. Comments may.
func TestNoDoorsWordsBelowTheDoors(t *testing.T) {
	command := regexp.MustCompile(`\bwstk (?:` + strings.Join(commandNames(t), "|") + `)\b`)
	literals := 0
	eachString(t, "shared", func(path, where, s string) {
		literals++
		if foreignFlags[path] == "" {
			if w := flagWord.FindString(s); w != "" {
				t.Errorf("%s: %q names the flag %s: say it with an Option of a wstk.Step", where, s, strings.TrimSpace(w))
			}
		}
		if w := command.FindString(s); w != "" {
			t.Errorf("%s: %q names the command %q: make it a wstk.Step", where, s, w)
		}
	})
	if literals < 10000 {
		t.Errorf("only %d strings were looked at", literals)
	}
}

// commandNames are the commands of the program, by their first word, as the door says.
func commandNames(t *testing.T) []string {
	var names []string
	use := regexp.MustCompile(`^[a-z]+`)
	eachFile(t, "shared/entry/cli", func(_ string, _ *token.FileSet, f *ast.File) {
		ast.Inspect(f, func(n ast.Node) bool {
			kv, ok := n.(*ast.KeyValueExpr)
			if !ok {
				return true
			}
			if key, ok := kv.Key.(*ast.Ident); ok && key.Name == "Use" {
				if lit, ok := kv.Value.(*ast.BasicLit); ok {
					s, _ := strconv.Unquote(lit.Value)
					names = append(names, use.FindString(s))
				}
			}
			return true
		})
	})
	if !slices.Contains(names, "extract") || len(names) < 20 {
		t.Fatalf("the commands are %v", names)
	}
	return slices.DeleteFunc(names, func(n string) bool { return n == "wstk" })
}

// eachString visits the strings of the code below the doors, but those of suites.
func eachString(t *testing.T, dir string, visit func(path, where, s string)) {
	t.Helper()
	eachFile(t, dir, func(path string, set *token.FileSet, f *ast.File) {
		for _, apart := range []string{"shared/entry/", "shared/archtest/", "shared/wstk/wstktest/", "shared/app/apptest/"} {
			if strings.HasPrefix(path, apart) {
				return
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if s, err := strconv.Unquote(lit.Value); err == nil {
					visit(path, set.Position(lit.Pos()).String(), s)
				}
			}
			return true
		})
	})
}

// eachFile visits the Go files below a folder, tests and testdata apart.
func eachFile(t *testing.T, dir string, visit func(path string, set *token.FileSet, f *ast.File)) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(root(t), dir),
		func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && d.Name() == "testdata":
				return fs.SkipDir
			case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
				return nil
			}
			set := token.NewFileSet()
			f, err := parser.ParseFile(set, name, nil, 0)
			if err != nil {
				return err
			}
			path, err := filepath.Rel(root(t), name)
			if err != nil {
				return err
			}
			visit(filepath.ToSlash(path), set, f)
			return nil
		})
	if err != nil {
		t.Fatal(err)
	}
}

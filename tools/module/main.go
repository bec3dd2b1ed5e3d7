// Command module renames the Go module of this repository: go.mod, imports, documents,
// scripts, templates and golden lists, all in one go.
//
//	module -to host/owner/wstk [-dir REPOSITORY]
//
// It changes files and nothing else; renaming back undoes it. The name of the program, of
// its settings and of its stored data stays wstk.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"go/format"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

func main() {
	to := flag.String("to", "", "the new path of the module, such as example.org/team/wstk")
	dir := flag.String("dir", ".", "the repository")
	flag.Parse()
	n, err := rename(*dir, *to)
	if err != nil {
		fmt.Fprintln(os.Stderr, "module:", err)
		os.Exit(1)
	}
	fmt.Printf("%d files name %s now\n", n, *to)
}

// path is what a module may be called: parts of letters, digits, dots, dashes, underscores
// and tildes.
var path = regexp.MustCompile(`^[A-Za-z0-9_~-][A-Za-z0-9._~-]*(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*$`)

// rename changes the files of a repository to a new module path and returns how many
// changed.
func rename(dir, to string) (int, error) {
	if !path.MatchString(to) {
		return 0, fmt.Errorf("%q is no module path; name one such as example.org/team/wstk", to)
	}
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return 0, err
	}
	m := regexp.MustCompile(`(?m)^module (\S+)$`).FindSubmatch(mod)
	if m == nil {
		return 0, errors.New("go.mod names no module")
	}
	rules, err := newRules(dir, string(m[1]), to)
	if err != nil {
		return 0, err
	}
	changed := 0
	return changed, filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == ".cache" ||
			name == filepath.Join(dir, "bin")):
			return fs.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		ok, err := rules.apply(name)
		if ok {
			changed++
		}
		return err
	})
}

// rules are what is replaced where.
type rules struct {
	packages *regexp.Regexp // paths of packages, in any text
	module   *regexp.Regexp // the path of the module, in go.mod
	line     *regexp.Regexp // the path of the module alone, in lists of modules
	to       string
}

// newRules finds the folders that hold packages: what follows the path of the module in
// the path of a package. A path of files has a letter, a dot or a slash before it.
func newRules(dir, from, to string) (*rules, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var folders []string
	for _, e := range entries {
		if e.IsDir() && e.Name()[0] != '.' {
			folders = append(folders, regexp.QuoteMeta(e.Name()))
		}
	}
	old := regexp.QuoteMeta(from)
	return &rules{
		packages: regexp.MustCompile(`(^|[^A-Za-z0-9_./~-])` + old + `(/(?:` +
			strings.Join(folders, "|") + `)[/"\s` + "`" + `])`),
		module: regexp.MustCompile(`(?m)^(module |require |replace |\t)` + old + `( |$)`),
		line:   regexp.MustCompile(`(?m)^` + old + `$`),
		to:     strings.ReplaceAll(to, "$", "$$"),
	}, nil
}

// apply rewrites one file and reports whether it changed.
func (r *rules) apply(name string) (bool, error) {
	old, err := os.ReadFile(name)
	if err != nil || !utf8.Valid(old) {
		return false, err
	}
	text := r.packages.ReplaceAll(old, []byte("${1}"+r.to+"${2}"))
	if filepath.Base(name) == "go.mod" {
		text = r.module.ReplaceAll(text, []byte("${1}"+r.to+"${2}"))
	}
	if base := filepath.Base(name); strings.HasPrefix(base, "deps-") &&
		strings.HasSuffix(base, ".txt") {
		text = sorted(r.line.ReplaceAll(text, []byte(r.to)))
	}
	if bytes.Equal(text, old) {
		return false, nil
	}
	if filepath.Ext(name) == ".go" { // imports are in order of their paths
		if text, err = format.Source(text); err != nil {
			return false, fmt.Errorf("%s: %w", name, err)
		}
	}
	info, err := os.Stat(name)
	if err != nil {
		return false, err
	}
	return true, os.WriteFile(name, text, info.Mode().Perm())
}

// sorted orders the lines of a list.
func sorted(list []byte) []byte {
	lines := strings.Split(strings.TrimSuffix(string(list), "\n"), "\n")
	slices.Sort(lines)
	return []byte(strings.Join(lines, "\n") + "\n")
}

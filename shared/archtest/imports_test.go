// Package archtest keeps the layout true: who may import whom, and that the
// repository speaks of the product alone. Its failures explain themselves in a
// sentence.
package archtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// module is the path of this module, as go.mod names it.
var module = func() string {
	data, err := os.ReadFile("../../go.mod")
	if err != nil {
		panic(err)
	}
	_, rest, _ := strings.Cut(string(data), "module ")
	return strings.Fields(rest)[0]
}()

// room is a part of the tree and what it may import. The first room whose prefix
// fits a package is its room.
type room struct {
	prefix string
	why    string
	// inside: prefixes within the module, "" for any. Outside: module paths of
	// libraries; nil means none, {"*"} any.
	inside, outside []string
}

// ofApp are the App and its rooms, which the homes and the doors know.
var ofApp = []string{"shared/app", "shared/app/reading", "shared/app/crawling", "shared/app/answering", "shared/app/looking", "shared/app/searching"}

// roomOfApp is a room of shared/app beside reading.
func roomOfApp(name string) room {
	return room{"shared/app/" + name, "a room of shared/app knows of the others only reading; what it needs of another is an interface or a function that App fills",
		[]string{"shared/wstk", "shared/text", "shared/value", "shared/stage/", "shared/config", "shared/metrics", "shared/prompt", "shared/app/reading"}, []string{"golang.org/x/sync"}}
}

var rooms = []room{
	{"shared/wstk/wstktest", "a conformance suite knows the ports and nothing that implements them",
		[]string{"shared/wstk", "shared/text"}, nil},
	{"shared/wstk", "every package may import nouns and ports, so they import none",
		nil, nil},
	{"shared/lexicon", "reads words and phrases that are data; it knows nothing of what they are for",
		[]string{"SELF"}, nil},
	{"shared/text", "pure string work, shared by stages and adapters",
		[]string{"shared/lexicon", "SELF"}, []string{"golang.org/x/text", "github.com/blevesearch/snowballstem", "github.com/nlnwa/whatwg-url"}},
	{"shared/value", "reads numbers, dates, money and other values out of text; text knows nothing of them",
		[]string{"shared/text", "shared/lexicon"}, []string{"golang.org/x/text"}},
	{"shared/prompt", "what stages that ask a model have in common; it calls none",
		[]string{"shared/wstk", "shared/text"}, nil},
	{"shared/config", "what an operator can set: the doors and the wiring read it, a stage is handed its part",
		[]string{"shared/wstk", "shared/text"}, []string{"github.com/BurntSushi/toml"}},
	{"shared/metrics", "numbers and their two texts: the doors and the wiring count, a stage does not",
		[]string{"shared/wstk", "shared/text"}, nil},
	{"shared/stage/", "a stage returns what it made and never calls the next one; it reaches the world through ports",
		[]string{"shared/wstk", "shared/text", "shared/text/related", "shared/value", "shared/lexicon", "shared/prompt", "SELF"}, []string{"github.com/PuerkitoBio/goquery", "github.com/andybalholm/cascadia",
			"github.com/JohannesKaufmann/html-to-markdown", "github.com/JohannesKaufmann/dom", "golang.org/x/net", "golang.org/x/text", "golang.org/x/sync"}},
	{"shared/adapter/opensearch", "an adapter speaks one technology; this one makes its index from the file that the stack knows too",
		[]string{"shared/wstk", "shared/text", "shared/value", "infra/opensearch", "SELF"}, []string{"*"}},
	{"shared/adapter/provider", "search vendors are asked over what all vendors have in common",
		[]string{"shared/wstk", "shared/text", "shared/value", "shared/adapter/webapi", "SELF"}, []string{"*"}},
	{"shared/adapter/model", "model vendors are asked over what all vendors have in common",
		[]string{"shared/wstk", "shared/text", "shared/value", "shared/adapter/webapi", "SELF"}, []string{"*"}},
	{"shared/adapter/", "an adapter speaks one technology and knows no stage, no door and no other adapter",
		[]string{"shared/wstk", "shared/text", "shared/value", "SELF"}, []string{"*"}},
	{"shared/entry/", "a door calls the app; it does not open stores",
		slices.Concat(ofApp, []string{"shared/wstk", "shared/text", "shared/value", "shared/stage/", "shared/config", "shared/metrics", "shared/prompt", "shared/entry/check", "shared/entry/codes", "shared/entry/said", "shared/entry/serve", "shared/entry/shape", "shared/entry/step", "shared/entry/token", "SELF"}), []string{"*"}},
	{"shared/app/cloud", "the composition root of the functions",
		slices.Concat(ofApp, []string{"shared/wstk", "shared/text", "shared/value", "shared/app/stages", "shared/config", "shared/metrics", "shared/adapter/"}), []string{"*"}},
	{"shared/app/stages", "wires the stages over the stores of either home",
		slices.Concat(ofApp, []string{"shared/wstk", "shared/text", "shared/value", "shared/stage/", "shared/config", "shared/metrics", "shared/prompt", "shared/adapter/safehttp",
			"shared/adapter/provider", "shared/adapter/stored", "shared/adapter/model", "shared/adapter/webapi", "shared/adapter/retry", "shared/adapter/limit", "shared/adapter/cache", "shared/adapter/vector"}), nil},
	{"functions/", "a function is wiring: a door over the cloud's composition root",
		[]string{"shared/app/cloud", "shared/entry/event", "shared/entry/mcp", "shared/entry/rest"}, []string{"github.com/aws/aws-lambda-go", "github.com/awslabs/aws-lambda-go-api-proxy"}},
	{"shared/app/local", "the composition root of one machine",
		slices.Concat(ofApp, []string{"shared/wstk", "shared/text", "shared/value", "shared/stage/", "shared/app/stages", "shared/config", "shared/metrics", "shared/adapter/", "infra"}), []string{"*"}},
	{"shared/app/apptest", "a suite of the whole system, which knows no home",
		slices.Concat(ofApp, []string{"shared/wstk", "shared/wstk/wstktest", "shared/config"}), nil},
	{"shared/app/reading", "the rooms of shared/app share it, so it imports none of them",
		[]string{"shared/wstk", "shared/text", "shared/stage/", "shared/config", "shared/metrics"}, []string{"golang.org/x/sync"}},
	roomOfApp("crawling"), roomOfApp("answering"), roomOfApp("looking"), roomOfApp("searching"),
	{"shared/app", "composes the rooms that both homes share: no adapter here",
		slices.Concat(ofApp, []string{"shared/wstk", "shared/text", "shared/stage/", "shared/config", "shared/metrics", "shared/prompt"}), nil},
	{"shared/research", "the library for Go programs: what they call, over the composition root of one machine",
		slices.Concat(ofApp, []string{"shared/app/local", "shared/config", "shared/wstk"}), nil},
	{"cmd/wstk", "the program for one machine",
		[]string{"shared/app", "shared/app/local", "shared/entry/", "shared/wstk"}, []string{"*"}},
	{"infra", "the files the cloud is set up from, for Go code that reads them",
		[]string{"shared/wstk"}, nil},
	{"shared/archtest", "tests only", nil, nil},
	{"tools/", "programs for developers: benchmarks and fixtures", []string{""}, []string{"*"}},
}

// bans are imports that would break the table in a way that costs every user.
var bans = []struct{ who, what, why string }{
	{"shared/app/local", "github.com/aws/", "the program for one machine does not carry the cloud's SDK"},
	{"cmd/wstk", "github.com/aws/", "the program for one machine does not carry the cloud's SDK"},
	{"", "C", "no cgo: one static binary, and the C resolver reads 0x7f.1 as an address"},
}

type pkg struct {
	ImportPath, Dir string
	Imports         []string
	TestImports     []string
	XTestImports    []string
	Standard        bool
	Module          *struct{ Path string }
}

func list(t *testing.T, args ...string) []pkg {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-e", "-json=ImportPath,Dir,Imports,TestImports,XTestImports,Standard,Module"}, args...)...)
	cmd.Dir = root(t)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.String())
	}
	var pkgs []pkg
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return pkgs
		} else if err != nil {
			t.Fatal(err)
		}
		pkgs = append(pkgs, p)
	}
}

func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestImports(t *testing.T) {
	libraries := map[string]string{} // package → module
	for _, p := range list(t, "-deps", "./...") {
		if p.Module != nil {
			libraries[p.ImportPath] = p.Module.Path
		}
	}
	for _, p := range list(t, "./...") {
		rel := strings.TrimPrefix(p.ImportPath, module+"/")
		r := roomOf(rel)
		if r == nil {
			t.Errorf("%s is in no room: add it to the table in this test and in docs/design.md", rel)
			continue
		}
		for _, imp := range p.Imports {
			switch inside, ok := strings.CutPrefix(imp, module+"/"); {
			case ok:
				if !allowedInside(r, rel, inside) {
					t.Errorf("%s imports %s, but %s", rel, inside, r.why)
				}
			case libraries[imp] != "":
				if !allowedOutside(r, libraries[imp]) {
					t.Errorf("%s imports the library %s, but %s may import %v only", rel, libraries[imp], r.prefix, r.outside)
				}
			}
			for _, b := range bans {
				if strings.HasPrefix(rel, b.who) && (imp == b.what ||
					strings.HasSuffix(b.what, "/") && strings.HasPrefix(imp, b.what)) {
					t.Errorf("%s imports %s, but %s", rel, imp, b.why)
				}
			}
		}
	}
}

func roomOf(rel string) *room {
	for i, r := range rooms {
		if strings.HasPrefix(rel+"/", r.prefix+"/") ||
			strings.HasSuffix(r.prefix, "/") && strings.HasPrefix(rel, r.prefix) {
			return &rooms[i]
		}
	}
	return nil
}

// allowedInside: SELF is the package's own folder below its room, so that
// shared/stage/read may import shared/stage/read/x and not shared/stage/fetch.
func allowedInside(r *room, rel, imp string) bool {
	for _, p := range r.inside {
		if p == "SELF" {
			first, _, _ := strings.Cut(strings.TrimPrefix(rel, r.prefix), "/")
			own := r.prefix + first
			if imp == own || strings.HasPrefix(imp, own+"/") {
				return true
			}
			continue
		}
		if p == "" || imp == p || strings.HasSuffix(p, "/") && strings.HasPrefix(imp, p) {
			return true
		}
	}
	return false
}

func allowedOutside(r *room, mod string) bool {
	return slices.ContainsFunc(r.outside, func(p string) bool {
		return p == "*" || mod == p || strings.HasPrefix(mod, p+"/")
	})
}

// The guard guards: each of these must be refused or allowed as stated.
func TestTheTable(t *testing.T) {
	for _, c := range []struct {
		from, to string
		ok       bool
	}{
		{"shared/stage/fetch", "shared/stage/read", false},
		{"shared/stage/fetch", "shared/adapter/sqlite", false},
		{"shared/stage/fetch", "shared/wstk", true},
		{"shared/stage/read", "shared/stage/read/candidates", true},
		{"shared/adapter/sqlite", "shared/adapter/files", false},
		{"shared/adapter/sqlite", "shared/wstk", true},
		{"shared/wstk", "shared/text", false},
		{"shared/text", "shared/wstk", false},
		{"shared/text", "shared/value", false},
		{"shared/value", "shared/text", true},
		{"shared/lexicon", "shared/text", false},
		{"shared/stage/screen", "shared/lexicon", true},
		{"shared/stage/extract", "shared/value", true},
		{"shared/entry/cli", "shared/adapter/sqlite", false},
		{"shared/entry/cli", "shared/app", true},
		{"shared/entry/cli", "shared/config", true},
		{"shared/stage/fetch", "shared/config", false},
		{"shared/stage/search", "shared/metrics", false},
		{"shared/config", "shared/app", false},
		{"shared/metrics", "shared/config", false},
		{"shared/app", "shared/adapter/sqlite", false},
		{"shared/app", "shared/app/local", false},
		{"shared/app", "shared/app/crawling", true},
		{"shared/app/crawling", "shared/app/answering", false},
		{"shared/app/crawling", "shared/app/reading", true},
		{"shared/app/reading", "shared/app/crawling", false},
		{"shared/app/looking", "shared/app", false},
		{"shared/app/local", "shared/adapter/sqlite", true},
		{"cmd/wstk", "shared/adapter/sqlite", false},
	} {
		if got := allowedInside(roomOf(c.from), c.from, c.to); got != c.ok {
			t.Errorf("%s → %s: allowed is %v, want %v", c.from, c.to, got, c.ok)
		}
	}
}

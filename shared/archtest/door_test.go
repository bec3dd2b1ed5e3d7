package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// dialers are names that open a connection or make a client that would; "*" is all of
// a package.
var dialers = map[string][]string{
	"net/http": {"Client", "Get", "Head", "Post", "PostForm", "DefaultClient", "DefaultTransport", "Transport"},
	"net": {"Dial", "DialTimeout", "DialTCP", "DialUDP", "DialUnix", "DialIP", "Dialer", "DefaultResolver", "Resolver", "ResolveTCPAddr",
		"ResolveUDPAddr", "ResolveIPAddr", "LookupHost", "LookupIP", "LookupAddr", "LookupCNAME", "LookupMX", "LookupNS", "LookupSRV", "LookupTXT"},
	"crypto/tls": {"Dial", "DialWithDialer", "Dialer", "Client"},
	"net/smtp":   {"*"}, "net/rpc": {"*"}, "net/textproto": {"Dial"}, "golang.org/x/net/websocket": {"*"}, "golang.org/x/net/proxy": {"*"},
	"os/exec": {"*"}, // curl and its like

	// Readers of pages that would also fetch them.
	"github.com/PuerkitoBio/goquery": {"NewDocument", "NewDocumentFromResponse"},
}

// door is the only room that opens connections to places a page or a user named.
const door = "shared/adapter/safehttp/"

// launcher may start programs, and nothing else that others may not: a browser whose only
// way out is a gate that the door opens.
const launcher = "shared/adapter/chrome/"

// TestOneDoorOut reads every source file of the product: outside the door nothing
// dials, resolves or makes an HTTP client.
func TestOneDoorOut(t *testing.T) {
	checked := 0
	for _, name := range tracked(t) {
		product := strings.HasPrefix(name, "shared/") || strings.HasPrefix(name, "cmd/") ||
			strings.HasPrefix(name, "functions/")
		if !product || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") ||
			strings.HasPrefix(name, door) || strings.HasPrefix(name, "shared/wstk/wstktest/") {
			continue
		}
		if _, err := os.Stat(filepath.Join(root(t), name)); err != nil {
			continue // deleted and not yet committed
		}
		checked++
		for _, use := range dials(t, filepath.Join(root(t), name), nil) {
			if strings.HasPrefix(name, launcher) && strings.HasPrefix(use, "os/exec.") {
				continue
			}
			t.Errorf("%s uses %s: every outbound connection goes through %s", name, use, strings.TrimSuffix(door, "/"))
		}
	}
	if checked < 30 {
		t.Errorf("only %d files were checked", checked)
	}
}

// dials lists the dialers a file uses, as import path and name.
func dials(t *testing.T, path string, src any) []string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), path, src, 0)
	if err != nil {
		t.Fatal(err)
	}
	var uses []string
	names := map[string]string{} // local name → import path
	for _, imp := range f.Imports {
		p := strings.Trim(imp.Path.Value, `"`)
		if dialers[p] == nil {
			continue
		}
		local := strings.TrimPrefix(p[strings.LastIndexByte(p, '/')+1:], "go-")
		if imp.Name != nil {
			local = imp.Name.Name
		}
		if local == "." {
			uses = append(uses, p+" without its name")
		}
		names[local] = p
	}
	ast.Inspect(f, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if x, ok := sel.X.(*ast.Ident); ok {
			for _, banned := range dialers[names[x.Name]] {
				if banned == "*" || banned == sel.Sel.Name {
					uses = append(uses, names[x.Name]+"."+sel.Sel.Name)
				}
			}
		}
		return true
	})
	return uses
}

// The guard sees what it is there to see.
func TestDialsAreSeen(t *testing.T) {
	src := `package x
import ("net"; h "net/http"; . "net/smtp"; "os/exec"; "github.com/PuerkitoBio/goquery")
var a = h.DefaultClient
var r = &net.Resolver{}
func f() { h.Get("x"); net.Dial("tcp", "x"); h.StatusText(3); exec.Command("curl", "x"); goquery.NewDocument("x") }`
	if got := dials(t, "x.go", src); len(got) != 7 {
		t.Errorf("saw %v", got)
	}
}

package mcp

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestConversations plays the conversations in testdata/mcp over the transport of standard input and
// output. A file of a conversation is a message: one that begins with > is sent, one that begins
// with < is the reply to the id that it has. Of a reply each field that the file names must be so;
// a text that begins with ~ is a regular expression, and "*" is anything. $SITE is the address of a
// small site, and ${ID:PATH} a value of an earlier reply.
func TestConversations(t *testing.T) {
	files, err := filepath.Glob("../../../testdata/mcp/*.txtar")
	if err != nil || len(files) < 5 {
		t.Fatalf("%d conversations, %v", len(files), err)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if len(archive.Comment) == 0 {
				t.Error("it does not say what it guards")
			}
			play(t, archive)
		})
	}
}

// conversation is a client that speaks line by line.
type conversation struct {
	*testing.T
	site    string
	in      io.Writer
	replies map[string]any // by id
	lines   chan string
}

func play(t *testing.T, archive *txtar.Archive) {
	site := httptest.NewServer(http.HandlerFunc(servePages))
	t.Cleanup(site.Close)
	here, in := io.Pipe()
	out, there := io.Pipe()
	a, ended := newApp(t), make(chan error, 1)
	go func() {
		ended <- Serve(t.Context(), a, here, there)
		there.Close()
	}()
	c := &conversation{T: t, site: site.URL, in: in, replies: map[string]any{}, lines: make(chan string)}
	go func() {
		scan := bufio.NewScanner(out)
		scan.Buffer(nil, 16<<20)
		for scan.Scan() {
			c.lines <- scan.Text()
		}
		close(c.lines)
	}()
	for _, f := range archive.Files {
		if strings.HasPrefix(f.Name, ">") {
			c.send(string(f.Data))
		} else {
			c.expect(f.Name, string(f.Data))
		}
	}
	in.Close()
	for range c.lines { // what else it says
	}
	if err := soon(t, "the end of the server", ended); err != nil {
		t.Error(err)
	}
}

var reference = regexp.MustCompile(`\$\{(\w+):([^}]+)\}`)

// filled puts in what a message refers to.
func (c *conversation) filled(s string) string {
	s = strings.ReplaceAll(s, "$SITE", c.site)
	return reference.ReplaceAllStringFunc(s, func(r string) string {
		m := reference.FindStringSubmatch(r)
		return fmt.Sprint(at(c.replies[m[1]], m[2]))
	})
}

func (c *conversation) send(message string) {
	c.Helper()
	line := strings.ReplaceAll(c.filled(strings.TrimSpace(message)), "\n", " ")
	if _, err := io.WriteString(c.in, line+"\n"); err != nil {
		c.Fatal(err)
	}
}

// expect waits for the reply to the id of the wanted message.
func (c *conversation) expect(name, message string) {
	c.Helper()
	var want map[string]any
	if err := json.Unmarshal([]byte(c.filled(message)), &want); err != nil {
		c.Fatalf("%s: %v", name, err)
	}
	id := fmt.Sprint(want["id"])
	for c.replies[id] == nil {
		select {
		case line, ok := <-c.lines:
			if !ok {
				c.Fatalf("%s: it ended without a reply to %s", name, id)
			}
			var got map[string]any
			if err := json.Unmarshal([]byte(line), &got); err != nil {
				c.Fatalf("it says %q: %v", line, err)
			}
			c.replies[fmt.Sprint(got["id"])] = got
		case <-time.After(30 * time.Second):
			c.Fatalf("%s: no reply to %s", name, id)
		}
	}
	if why := differs(c.replies[id], want, ""); why != "" {
		data, _ := json.Marshal(c.replies[id])
		c.Errorf("%s: %s\nit is %s", name, why, data)
	}
}

// differs says where a value is not as wanted; "" for nowhere.
func differs(got, want any, path string) string {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			return fmt.Sprintf("%s is %v and no object", path, got)
		}
		for k, v := range w {
			if why := differs(g[k], v, path+"."+k); why != "" {
				return why
			}
		}
		return ""
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) < len(w) {
			return fmt.Sprintf("%s is %v, which has not %d items", path, got, len(w))
		}
		for i, v := range w {
			if why := differs(g[i], v, fmt.Sprintf("%s.%d", path, i)); why != "" {
				return why
			}
		}
		return ""
	case string:
		if w == "*" && got != nil {
			return ""
		}
		if pattern, ok := strings.CutPrefix(w, "~"); ok {
			if s, is := got.(string); is && regexp.MustCompile(pattern).MatchString(s) {
				return ""
			}
			return fmt.Sprintf("%s is %v, which does not match %s", path, got, pattern)
		}
	}
	if got != want {
		return fmt.Sprintf("%s is %v, want %v", path, got, want)
	}
	return ""
}

package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"wstk/shared/entry/step"
	"wstk/shared/wstk/wstktest"
)

// resource reads a resource.
func (h *host) resource(address string) string {
	h.Helper()
	res, err := h.client.ReadResource(h.Context(), &sdk.ReadResourceParams{URI: address})
	if err != nil {
		h.Fatalf("%s: %v", address, err)
	}
	c := res.Contents[0]
	if len(res.Contents) != 1 || c.URI != address || c.Meta["content_trust"] != trust {
		h.Errorf("%s is %+v", address, c)
	}
	return c.Text
}

// What tools name is there as a resource, whole: an answer, its page, its evidence, its site.
func TestResources(t *testing.T) {
	h := newHost(t, newApp(t), waitHere)
	h.ingest()
	res := h.call("ask", `{"query": "What working pressure does the Mark 3 pump reach?"}`)
	var x map[string]any
	json.Unmarshal([]byte(textOf(res)), &x)
	link, ok := res.Content[len(res.Content)-1].(*sdk.ResourceLink)
	if !ok {
		t.Fatalf("the answer links to nothing: %v", res.Content)
	}
	var run map[string]any
	json.Unmarshal([]byte(h.resource(link.URI)), &run)
	if fmt.Sprint(run["extractions"]) != fmt.Sprint(x["extractions"]) {
		t.Errorf("the run is %v", run)
	}
	e := at(x, "extractions.0.evidence.0").(map[string]any)
	page := h.resource("wstk://pages/" + e["text_sha256"].(string))
	if got := page[int(e["byte_start"].(float64)):int(e["byte_end"].(float64))]; got != e["quote"] {
		t.Errorf("at its offsets the page says %q", got)
	}
	var again map[string]any
	json.Unmarshal([]byte(h.resource("wstk://evidence/"+e["id"].(string))), &again)
	if again["quote"] != e["quote"] {
		t.Errorf("the evidence is %v", again)
	}
	var all map[string]any
	json.Unmarshal([]byte(h.resource("wstk://sites")), &all)
	id, _ := at(all, "sites.0.site.id").(string)
	var site map[string]any
	json.Unmarshal([]byte(h.resource("wstk://sites/"+id)), &site)
	if site["pages"] != 4.0 || id == "" {
		t.Errorf("the site is %v", site)
	}
	for _, address := range []string{"wstk://runs/run_038gb26y9px07tm0cjrykecjpj", "wstk://pages/" + strings.Repeat("0", 64),
		"wstk://evidence/ev_0", "wstk://sites/0", "wstk://nothing", "wstk://pages/%zz"} {
		_, err := h.client.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: address})
		var wire *jsonrpc.Error
		if !errors.As(err, &wire) || wire.Code != codeNoResource && wire.Code != jsonrpc.CodeInvalidParams {
			t.Errorf("%s: %v", address, err)
		}
	}
	_, err := h.client.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "wstk://runs/run_038gb26y9px07tm0cjrykecjpj"})
	var wire *jsonrpc.Error
	if !errors.As(err, &wire) || !strings.Contains(string(wire.Data), `"code":"not_found"`) ||
		!strings.Contains(wire.Message, "there is no run") {
		t.Errorf("an unknown run: %v", err)
	}
}

// A panic while a resource is read ends the request and not the server.
func TestAPanicEndsOneRead(t *testing.T) {
	h := newHost(t, newApp(t), waitHere)
	was := h.app.Crawling
	h.app.Crawling = nil
	_, err := h.client.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "wstk://sites"})
	if err == nil || !strings.Contains(err.Error(), "an internal error occurred") {
		t.Errorf("it says %v", err)
	}
	h.app.Crawling = was
	h.resource("wstk://sites")
}

// Each prompt holds what it is given, and names tools, arguments and resources that exist.
func TestPrompts(t *testing.T) {
	h := newHost(t, newApp(t), waitHere)
	known := map[string]bool{}
	for _, tl := range tools {
		known[tl.name] = true
		for _, a := range tl.takes() {
			known[a] = true
		}
	}
	list, err := h.client.ListPrompts(t.Context(), nil)
	if err != nil || len(list.Prompts) != 3 {
		t.Fatalf("%v, %v", list, err)
	}
	for _, p := range list.Prompts {
		given := map[string]string{}
		for _, a := range p.Arguments {
			given[a.Name] = "the " + a.Name + " {{of}} a person"
		}
		res, err := h.client.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: p.Name, Arguments: given})
		if err != nil {
			t.Fatal(err)
		}
		text := res.Messages[0].Content.(*sdk.TextContent).Text
		for _, words := range given {
			if !strings.Contains(text, words) {
				t.Errorf("%s lacks %q", p.Name, words)
			}
		}
		if left := regexp.MustCompile(`\{\{[a-z_]+\}\}`).FindString(strings.ReplaceAll(text, "{{of}}", "")); left != "" {
			t.Errorf("%s leaves %s open", p.Name, left)
		}
		for _, m := range regexp.MustCompile("`([a-z_0-9]+)`").FindAllStringSubmatch(text, -1) {
			if !known[m[1]] && m[1] != "answered" {
				t.Errorf("%s names %s, which is neither a tool nor an argument", p.Name, m[1])
			}
		}
		if _, err := h.client.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: p.Name}); err == nil {
			t.Errorf("%s needs nothing", p.Name)
		}
	}
}

// toolCall is a call of a tool as a step words it.
var toolCall = regexp.MustCompile(`(?:^|: )([a-z]+) (\{.*\})`)

// Every call that a step names is one: of a tool that exists, with arguments that it takes.
func TestStepsAreCalls(t *testing.T) {
	calls := 0
	for _, s := range wstktest.Steps() {
		words := step.Tool(s)
		m := toolCall.FindStringSubmatch(words)
		if m == nil {
			continue
		}
		calls++
		at := -1
		for i, tl := range tools {
			if tl.name == m[1] {
				at = i
			}
		}
		if at < 0 {
			t.Errorf("%s: there is no tool %s", words, m[1])
			continue
		}
		var given map[string]any
		if err := json.NewDecoder(strings.NewReader(m[2])).Decode(&given); err != nil {
			t.Errorf("%s: %v", words, err)
		}
		for name := range given {
			if !strings.Contains(" "+strings.Join(tools[at].takes(), " ")+" ", " "+name+" ") {
				t.Errorf("%s: %s takes no %s", words, m[1], name)
			}
		}
	}
	if calls < 10 {
		t.Errorf("only %d calls were checked", calls)
	}
}

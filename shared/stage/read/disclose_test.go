package read

import (
	"strings"
	"testing"
	"wstk/shared/stage/read/dom"
)

// TestPanels: text of panels that a labelled control opens is visible, text of
// menus, dialogs and of parts that nothing opens is hidden.
func TestPanels(t *testing.T) {
	const words = "These are words enough to be told from a label."
	for name, c := range map[string]struct {
		body    string
		visible bool
	}{
		"tab panel":             {`<button role=tab aria-controls=p>Details</button><div id=p role=tabpanel hidden>WORDS</div>`, true},
		"tab panel, own label":  {`<button id=t role=tab>Details</button><div role=tabpanel aria-labelledby=t style="display:none">WORDS</div>`, true},
		"accordion":             {`<h3><button aria-expanded=false aria-controls=p>Details</button></h3><div id=p style="height:0;overflow:hidden">WORDS</div>`, true},
		"accordion without ids": {`<div><button aria-expanded=false>Details</button></div><div style="display:none">WORDS</div>`, true},
		"answer":                {`<div class=faq__question>How long?</div><div class=faq__answer style="display:none">WORDS</div>`, true},
		"bootstrap":             {`<a data-toggle=collapse href="#p">Details</a><div id=p class=x style="display:none">WORDS</div>`, true},
		"by a rule":             {`<style>.pane{display:none}</style><a role=button aria-controls=p>Details</a><div id=p class=pane>WORDS</div>`, true},
		"hidden in a panel":     {`<button role=tab aria-controls=p>Details</button><div id=p role=tabpanel hidden>Shown words of a panel.<p style="display:none">WORDS</p></div>`, false},
		"menu":                  {`<nav><button aria-expanded=false aria-controls=p>Shop</button><div id=p style="display:none">WORDS</div></nav>`, false},
		"menu by class":         {`<div class="site-menu"><button aria-expanded=false>Shop</button><div style="display:none">WORDS</div></div>`, false},
		"dialog":                {`<button aria-controls=p aria-haspopup=dialog>Sign up</button><div id=p role=dialog hidden>WORDS</div>`, false},
		"nothing opens it":      {`<p>Some text.</p><div style="display:none">WORDS</div>`, false},
		"class alone":           {`<div class=accordion style="display:none">WORDS</div>`, false},
		"control without label": {`<div><span aria-expanded=false></span></div><div style="display:none">WORDS</div>`, false},
	} {
		t.Run(name, func(t *testing.T) {
			body := "<!doctype html><body><h1>Title of the page</h1><p>Some first text of the page.</p>" + strings.ReplaceAll(c.body, "WORDS", words)
			p := readPage(dom.ParseAll(body, false), "https://site.example/")
			if got := strings.Contains(string(p.text), words); got != c.visible {
				t.Errorf("visible is %v, want %v; text %q, hidden %v", got, c.visible, p.text, p.hidden)
			}
		})
	}
}

// TestStreamedParts: what React sends after the page is moved into place by a
// script; where there are scripts, one of them must do so.
func TestStreamedParts(t *testing.T) {
	const page = `<body><template id="B:0"></template><p>Loading</p><div hidden id="S:0"><p>The streamed part.</p></div>`
	for script, visible := range map[string]bool{
		"":                                       true,
		`<script>$RC("B:0","S:0")</script>`:      true,
		`<script>console.log("hello")</script>`:  false,
		`<script src="/main.js" async></script>`: false,
	} {
		p := readPage(dom.ParseAll(page+script, false), "https://site.example/")
		if got := strings.Contains(string(p.text), "streamed part"); got != visible {
			t.Errorf("script %q: visible is %v, want %v", script, got, visible)
		}
	}
}

// TestUnveiled: the part that holds the only title and most text is read even if
// an inline style hides it, though menus around it hold more.
func TestUnveiled(t *testing.T) {
	long := strings.Repeat("Words of the page that a script shows. ", 30)
	menus := `<div style="display:none"><ul>` + strings.Repeat("<li>A menu and nothing else", 200) + "</ul></div>"
	for before, visible := range map[string]bool{"<p>Loading</p>": true, "<h1>Title</h1>": false} {
		p := readPage(dom.ParseAll(`<body>`+before+menus+`<div style="display:none"><h1>Tides</h1><p>`+long+`</p></div>`, false), "https://site.example/")
		if got := strings.Contains(string(p.text), "Words of the page"); got != visible {
			t.Errorf("after %s: visible is %v, want %v", before, got, visible)
		}
		if got := strings.Contains(string(p.text), "A menu"); got {
			t.Error("a hidden menu is visible")
		}
	}
}

package read

import (
	"context"
	"slices"
	"strings"
	"testing"

	"wstk/shared/wstk"
)

const manualPage = `<!doctype html><html lang="en"><head><title>pump — Manual</title><meta name="generator" content="Sphinx 7.2"></head><body>
<nav class="wy-nav"><ul><li><a href="/a">Chapter A</a><li><a href="/b">Chapter B</a></ul></nav>
<div role="main" class="document"><div class="toc"><ul><li><a href="#install">Install</a><li><a href="#use">Use</a></ul></div>
<h1 id="pump">pump<a class="headerlink" href="#pump">¶</a></h1><p>The pump command moves water. See <a href="/valve.html">valve</a>.</p>
<h2 id="install">Install</h2><pre><code class="language-sh">apt install pump</code></pre>
<h3 id="source">From source</h3><div class="highlight-python"><pre>import pump
pump.run()</pre></div>
<aside class="admonition note"><p>Water is wet, as this note warns.</p></aside>
<h2 id="use">Use</h2><dl><dt>--fast</dt><dd>move it fast</dd></dl><table><tr><th>Key<th>Value</tr><tr><td>a<td>1</tr></table>
<div class="prev-next"><a href="/prev">Previous</a></div></div>
<footer>Copyright of the manual</footer></body></html>`

func readWith(t *testing.T, s *Stage, strategy string) *wstk.Document {
	t.Helper()
	d, err := s.Do(t.Context(), Input{URL: "https://docs.example/manual/pump.html",
		Body: []byte(manualPage), ContentType: "text/html", Strategy: strategy})
	if err != nil {
		t.Fatal(err)
	}
	checkDocument(t, d)
	return d
}

func TestDocsKeepsTheWholeContainer(t *testing.T) {
	d := readWith(t, &Stage{}, StrategyDocs)
	if d.Choice.Name != StrategyDocs || d.Choice.Strategy != StrategyDocs {
		t.Errorf("%+v", d.Choice)
	}
	main := d.MainText()
	for _, want := range []string{"The pump command", "apt install pump", "import pump\npump.run()", "Water is wet", "--fast", "move it fast", "Key\tValue"} {
		if !strings.Contains(main, want) {
			t.Errorf("no %q in %q", want, main)
		}
	}
	for _, not := range []string{"Chapter A", "Previous", "Copyright"} {
		if strings.Contains(main, not) {
			t.Errorf("%q is in the main content", not)
		}
	}
}

func TestDoc(t *testing.T) {
	d := readWith(t, &Stage{}, StrategyDocs)
	s := Doc(d)
	var toc []string
	for _, h := range s.Headings {
		toc = append(toc, strings.Repeat(">", h.Level)+h.Title+"#"+h.Anchor)
	}
	if got := strings.Join(toc, " "); got != ">pump#pump >>Install#install >>>From source#source >>Use#use" {
		t.Errorf("headings: %s", got)
	}
	if !slices.Equal(s.CodeBlocks, []StructureCode{{"sh", "apt install pump"}, {"python", "import pump\npump.run()"}}) {
		t.Errorf("code: %+v", s.CodeBlocks)
	}
	if !slices.Equal(s.Links, []StructureLink{{"valve", "https://docs.example/valve.html"}}) {
		t.Errorf("links: %+v", s.Links)
	}
	runes := []rune(d.Text)
	for _, sec := range s.Sections {
		in := string(runes[sec.CharStart:sec.CharEnd])
		if !strings.HasPrefix(in, sec.Title) ||
			sec.Text != "" && !strings.HasSuffix(in, lastLine(sec.Text)) {
			t.Errorf("%q is said to be %q", sec.Title, in)
		}
	}
	if sec := s.Sections[2]; !slices.Equal(sec.Path, []string{"pump", "Install", "From source"}) || len(sec.CodeBlocks) != 1 {
		t.Errorf("%+v", sec)
	}
	if empty := Doc(&wstk.Document{}); empty.Headings == nil || empty.Sections == nil ||
		empty.Links == nil || empty.CodeBlocks == nil {
		t.Error("a list is null")
	}
}

func lastLine(s string) string { return s[strings.LastIndexByte(s, '\n')+1:] }

func TestReadabilityReadsAnArticle(t *testing.T) {
	d := readWith(t, &Stage{}, StrategyReadability)
	if d.Choice.Name != "blocks" || d.Choice.Strategy != StrategyReadability ||
		!strings.Contains(d.MainText(), "The pump command") {
		t.Errorf("%+v: %q", d.Choice, d.MainText())
	}
}

func TestAutoTellsManuals(t *testing.T) {
	if d := readWith(t, &Stage{}, ""); d.Choice.Strategy != StrategyDocs || d.Choice.Name != "blocks" {
		t.Errorf("a manual: %+v", d.Choice)
	}
	d, err := (&Stage{}).Do(context.Background(), Input{URL: "https://news.example/2026/water", Body: []byte("<title>Water</title><h1>Water</h1><p>It rained for a long time, and then it did not rain at all.</p>")})
	if err != nil || d.Choice.Strategy != StrategyReadability {
		t.Errorf("an article: %+v, %v", d, err)
	}
	if _, err := (&Stage{}).Do(context.Background(),
		Input{Body: []byte("x"), Strategy: "best"}); wstk.CodeOf(err) != wstk.Invalid {
		t.Errorf("a strategy that does not exist: %v", err)
	}
}

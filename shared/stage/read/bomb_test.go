package read

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"wstk/shared/stage/read/dom"
	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest/bomb"
)

// bombSize is large enough for what grows with the square to show, and small enough for
// all kinds to be tried.
const bombSize = 120_000

// TestBombs reads bodies that are built to cost more than their size. Each is read, or
// refused as no body that is read, and allocates in proportion to its size.
func TestBombs(t *testing.T) {
	s := Stage{}
	for _, b := range bomb.All() {
		t.Run(b.Name, func(t *testing.T) {
			body := b.Make(bombSize)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			d, err := s.Do(t.Context(), Input{URL: "https://site.example/page", Body: body, ContentType: b.Type})
			runtime.ReadMemStats(&after)
			if err != nil && wstk.CodeOf(err) != wstk.UnsupportedMediaType {
				t.Fatal(err)
			}
			// A PDF may unpack to a bounded size, whatever its own.
			most := uint64(64<<20) + 1000*uint64(len(body))
			if got := after.TotalAlloc - before.TotalAlloc; got > most && b.Ext != "pdf" || got > 2<<30 {
				t.Errorf("reading %d bytes took %d MB of allocations", len(body), got>>20)
			}
			if err == nil {
				checkDocument(t, d)
			}
		})
	}
}

// TestBoundsAreTold: what of a page is not read, or read more simply, is in its warnings.
func TestBoundsAreTold(t *testing.T) {
	var attributes strings.Builder
	for i := range dom.MaxAttrs + 1 {
		fmt.Fprintf(&attributes, " a%d", i)
	}
	cases := map[string]struct {
		src, code, want string
	}{
		"nodes":      {"<p>first</p>" + strings.Repeat("<i></i>", dom.MaxNodes+1000) + "<p>the end</p>", "reading_bounded", "first"},
		"blocks":     {strings.Repeat("<p>w</p>", maxBlocks+1000) + "<p>the end</p>", "reading_bounded", "the end"},
		"attributes": {"<p" + attributes.String() + ">first</p>", "reading_bounded", "first"},
		"classes":    {"<p class='" + strings.Repeat("c ", dom.MaxClass) + "'>first</p>", "reading_bounded", "first"},
		"a noscript": {"<body><noscript><p" + attributes.String() + ">first</p></noscript>", "reading_bounded", "first"},
		"an entry": {`<rss version="2.0"><channel><title>News</title><item><title>One</title><description>&lt;p class="` + strings.Repeat("c ", dom.MaxClass) +
			`"&gt;first&lt;/p&gt;</description></item></channel></rss>`, "reading_bounded", "first"},
		"data":     {`<p>first</p><script type="application/ld+json">{"a":[` + strings.Repeat("1,", maxJSONValues+1) + "1]}</script>", "data_truncated", "first"},
		"Markdown": {strings.Repeat("<b>w</b>\n", 2*maxMarkdownNodes+10) + "<p>the end</p>", "markdown_plain", "the end"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			kind := "text/html"
			if strings.HasPrefix(c.src, "<rss") {
				kind = "application/rss+xml"
			}
			d := readBody(t, "https://site.example/", kind, []byte(c.src))
			checkDocument(t, d)
			if !strings.Contains(d.Text, c.want) {
				t.Errorf("%q is not in the %d bytes of text", c.want, len(d.Text))
			}
			for _, w := range d.Warnings {
				if w.Code == c.code {
					return
				}
			}
			t.Errorf("warnings are %+v", d.Warnings)
		})
	}
}

// TestDeepNestingKeepsItsText: what is nested too deeply for Markdown to show it is there
// all the same, in order.
func TestDeepNestingKeepsItsText(t *testing.T) {
	for _, tag := range []string{"blockquote", "ul><li", "ol><li", "div", "b", "sup"} {
		var b strings.Builder
		const levels = 120
		for i := range levels {
			b.WriteString("<" + tag + ">level" + string(rune('a'+i%26)) + string(rune('a'+i/26)) + " ")
		}
		end, _, _ := strings.Cut(tag, ">")
		b.WriteString("bottom, where the sentence ends that all the levels above it have begun." + strings.Repeat("</"+end+">", levels) + "<p>after</p>")
		d := readString(t, b.String())
		at, kept := 0, 0
		main := d.MainText()
		for i := range levels {
			word := "level" + string(rune('a'+i%26)) + string(rune('a'+i/26))
			if !strings.Contains(main, word) {
				continue
			}
			kept++
			k := strings.Index(d.Markdown[at:], word)
			if k < 0 {
				t.Fatalf("%s: %q is not behind what stands before it:\n%s", tag, word, d.Markdown)
			}
			at += k
		}
		if !strings.Contains(d.Markdown[at:], "bottom") || kept < 30 {
			t.Errorf("%s: %d levels and no end:\n%s", tag, kept, d.Markdown)
		}
		if len(d.Markdown) > 100*len(d.Text) {
			t.Errorf("%s: %d bytes of text are %d of Markdown", tag, len(d.Text), len(d.Markdown))
		}
	}
}

// TestReadingStops: a reading ends soon after its context, wherever it is.
func TestReadingStops(t *testing.T) {
	s := Stage{}
	kinds := map[string]bool{"blockquotes and text": true, "fonts left open few": true, "paragraphs left open": true, "one inline style": true, "noscripts": true,
		"ancestor rules": true, "JSON-LD wide": true, "XML wide": true, "paragraphs of text": true, "Markdown stars": true, "feed of pages": true,
		"PDF ranges to nothing": true, "PDF forms in forms": true, "PDF pages": true, "PDF objects without end": true, "PDF glyphs": true}
	for _, b := range bomb.All() {
		if !kinds[b.Name] {
			continue
		}
		delete(kinds, b.Name)
		t.Run(b.Name, func(t *testing.T) {
			in := Input{URL: "https://site.example/page", Body: b.Make(5_000_000), ContentType: b.Type}
			for _, wait := range []time.Duration{time.Millisecond, 40 * time.Millisecond,
				300 * time.Millisecond} {
				ctx, cancel := context.WithTimeout(t.Context(), wait)
				began := time.Now()
				_, err := s.Do(ctx, in)
				took := time.Since(began)
				cancel()
				if err == nil { // it was done before
					break
				}
				if wstk.CodeOf(err) != wstk.Timeout && wstk.CodeOf(err) != wstk.Cancelled {
					t.Fatal(err)
				}
				if took > wait+5*time.Second { // a busy machine; on an idle one it is a tenth
					t.Errorf("after %v it ended at %v", wait, took)
				}
			}
		})
	}
	for name := range kinds {
		t.Errorf("there is no bomb %q", name)
	}
}

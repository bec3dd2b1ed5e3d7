package verify_test

import (
	"context"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"wstk/shared/adapter/memory"
	"wstk/shared/stage/read"
	"wstk/shared/stage/verify"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// reading reads a page of HTML.
func reading(t *testing.T, html string) *wstk.Document {
	t.Helper()
	d, err := (&read.Stage{}).Do(t.Context(), read.Input{URL: "http://pumps.example/mk3",
		Body: []byte(html), ContentType: "text/html; charset=utf-8",
		SnapshotSHA256: wstk.HashOf([]byte(html))})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// quoteOf is the evidence that the stage makes of words of a page.
func quoteOf(t *testing.T, d *wstk.Document, p wstk.Proposal, body string) wstk.Evidence {
	t.Helper()
	blobs := memory.NewBlobs()
	if _, err := blobs.Put(t.Context(), []byte(body)); err != nil {
		t.Fatal(err)
	}
	s := &verify.Stage{Blobs: blobs, Literal: read.FindData,
		Document: func(context.Context, string) (*wstk.Document, bool, error) { return d, false, nil }}
	p.URL = d.URL
	res, err := s.Do(t.Context(), []wstk.Claim{{Proposed: []wstk.Proposal{p}}})
	if err != nil || len(res[0].Evidence) != 1 {
		t.Fatalf("%+v %v; want one evidence of %q", res, err, p.Words)
	}
	return res[0].Evidence[0]
}

func relocated(t *testing.T, was, now *wstk.Document, e wstk.Evidence) wstk.Relocation {
	t.Helper()
	r, err := verify.NewRelocator(was, now).Relocate(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

const mk3 = `<title>Mark 3</title><h1>Mark 3</h1>
<p>The pump stands in our works at Bremen. The pump reaches a working pressure of 9 bar. It weighs 14 kg.</p>
<h2>Parts</h2><p>The seal lasts five years in clean water.</p>
<table><tr><th>Part</th><th>Weight</th></tr><tr><td>Rotor</td><td>3 kg</td></tr><tr><td>Stator</td><td>5 kg</td></tr><tr><td>Bolt</td><td>80 g</td></tr></table>
<h2>Service</h2><p>Change the oil each spring.</p>
<table><tr><th>Part</th><th>Weight</th></tr><tr><td>Filter</td><td>3 kg</td></tr><tr><td>Bolt</td><td>80 g</td></tr></table>`

// D: the evidence of stored answers is located again in the new version of its page.
func TestRelocate(t *testing.T) {
	const pressure = "The pump reaches a working pressure of 9 bar."
	put := func(old, now string) string {
		if !strings.Contains(mk3, old) {
			t.Fatalf("the page has no %q", old)
		}
		return strings.Replace(mk3, old, now, 1)
	}
	for name, c := range map[string]struct {
		quote, page string
		state       wstk.RelocationState
		reason      wstk.RelocationReason
		words       string // in its place now
	}{
		"the same page":  {pressure, mk3, wstk.RelocationIntact, "", pressure},
		"words after it": {pressure, mk3 + "<p>Made in 2026.</p>", wstk.RelocationIntact, "", pressure},
		"words before it": {pressure, put("<p>The pump", "<p>All our pumps are blue.</p><p>The pump"),
			wstk.RelocationMoved, "", pressure},
		"another section": {pressure, put("<p>The pump stands", "<h2>Use</h2><p>The pump stands"),
			wstk.RelocationMoved, "", pressure},
		"its section has another title": {"The seal lasts five years in clean water.", put(">Parts<", ">Piece<"),
			wstk.RelocationMoved, "", "The seal lasts five years in clean water."},
		"a digit": {pressure, put("9 bar", "8 bar"), wstk.RelocationAltered, wstk.ReasonWords,
			"The pump reaches a working pressure of 8 bar."},
		"a word": {pressure, put("working", "test"), wstk.RelocationAltered, wstk.ReasonWords,
			"The pump reaches a test pressure of 9 bar."},
		"a denial": {pressure, put("pump reaches", "pump never reaches"), wstk.RelocationAltered, wstk.ReasonWords,
			"The pump never reaches a working pressure of 9 bar."},
		"more words behind": {pressure, put("9 bar.", "9 bar with a new seal."), wstk.RelocationAltered, wstk.ReasonWords,
			"The pump reaches a working pressure of 9 bar with a new seal."},
		"a number that holds it": {pressure, put("9 bar", "19 bar"), wstk.RelocationAltered, wstk.ReasonWords,
			"The pump reaches a working pressure of 19 bar."},
		"words before it in its sentence": {"The seal lasts five years in clean water.", put("The seal", "They say The seal"),
			wstk.RelocationAltered, wstk.ReasonSentence, "The seal lasts five years in clean water."},
		"other marks": {"The seal lasts five years in clean water.", put("five years", "five\u00a0years"),
			wstk.RelocationAltered, wstk.ReasonMarks, "The seal lasts five\u00a0years in clean water."},
		"struck":        {pressure, put(pressure, "<s>"+pressure+"</s>"), wstk.RelocationAltered, wstk.ReasonFlags, pressure},
		"partly struck": {pressure, put("9 bar", "<del>9 bar</del>"), wstk.RelocationAltered, wstk.ReasonFlags, pressure},
		"hidden":        {pressure, put(pressure, `<span hidden>`+pressure+`</span>`), wstk.RelocationGone, wstk.ReasonHidden, ""},
		"left out":      {pressure, put(pressure, ""), wstk.RelocationGone, wstk.ReasonNotInText, ""},
		"left out, and a sentence like it was there before": {"It weighs 14 kg.",
			strings.Replace(mk3, "It weighs 14 kg.", "", 1) + "<p>It weighs what it must.</p>", wstk.RelocationGone,
			wstk.ReasonNotInText, ""},
		"twice": {pressure, mk3 + "<h2>Sum</h2><p>" + pressure + "</p>", wstk.RelocationIntact, "", pressure},
		"a part of a sentence, and the rest changes": {"a working pressure of 9 bar",
			put("The pump reaches", "The old pump reaches"), wstk.RelocationAltered, wstk.ReasonSentence,
			"a working pressure of 9 bar"},
		"a part of a sentence": {"a working pressure of 9 bar", put("9 bar", "8 bar"),
			wstk.RelocationAltered, wstk.ReasonWords, "a working pressure of 8 bar"},
		"a cell":              {"3 kg", put("<td>3 kg", "<td>4 kg"), wstk.RelocationAltered, wstk.ReasonWords, "4 kg"},
		"a cell of a new row": {"3 kg", put("<tr><td>Rotor", "<tr><td>Lid</td><td>1 kg</td></tr><tr><td>Rotor"), wstk.RelocationMoved, "", "3 kg"},
		// the same words stand in the row of the filter, as they did before
		"a cell whose row is left out": {"3 kg", put("<tr><td>Rotor</td><td>3 kg</td></tr>", ""),
			wstk.RelocationGone, wstk.ReasonNotInText, ""},
		// the same row stands in the table of another section, as it did before
		"a row whose like is elsewhere": {"Bolt\t80 g", put("<tr><td>Bolt</td><td>80 g</td></tr>", ""),
			wstk.RelocationGone, wstk.ReasonNotInText, ""},
		"a row": {"Rotor\t3 kg", put("<td>Rotor</td><td>3 kg</td>", "<td>Rotor</td><td>2.8 lb, dry</td>"),
			wstk.RelocationAltered, wstk.ReasonWords, "Rotor\t2.8 lb, dry"},
	} {
		t.Run(name, func(t *testing.T) {
			was, now := reading(t, mk3), reading(t, c.page)
			e := quoteOf(t, was, wstk.Proposal{Kind: wstk.EvidenceText, Words: c.quote, ByteStart: -1}, mk3)
			for form, old := range map[string]*wstk.Document{"whole": was, "text alone": {Text: was.Text}} {
				r := relocated(t, old, now, e)
				if form == "text alone" && name == "a row whose like is elsewhere" {
					continue // which section has the other row is not known
				}
				if r.State != c.state || r.Reason != c.reason {
					t.Errorf("%s: %s (%s), want %s (%s): %+v", form, r.State, r.Reason, c.state, c.reason, r.Now)
				}
				if words := ""; r.Now != nil || c.words != "" {
					if r.Now != nil {
						words = r.Now.Words
					}
					if words != c.words {
						t.Errorf("%s: its place has %q, want %q", form, words, c.words)
					}
				}
				standsThere(t, now, e, r)
			}
		})
	}
}

// standsThere checks the place that a relocation names, byte for byte.
func standsThere(t *testing.T, now *wstk.Document, e wstk.Evidence, r wstk.Relocation) {
	t.Helper()
	exact := r.State == wstk.RelocationIntact || r.State == wstk.RelocationMoved
	if r.Now == nil {
		if exact || r.State == wstk.RelocationAltered {
			t.Errorf("%s has no place", r.State)
		}
		return
	}
	at := wstk.Evidence{CharStart: r.Now.CharStart, CharEnd: r.Now.CharEnd,
		ByteStart: r.Now.ByteStart, ByteEnd: r.Now.ByteEnd}
	span, ok := at.Span()
	if !ok || now.Text[span.ByteStart:span.ByteEnd] != r.Now.Words ||
		string([]rune(now.Text)[span.CharStart:span.CharEnd]) != r.Now.Words || r.Now.TextSHA256 != now.TextSHA256 {
		t.Errorf("%s: %+v is not at its offsets", r.State, r.Now)
	}
	if exact && (r.Now.Words != e.Quote || !slices.Equal(r.Now.Flags, e.Flags)) {
		t.Errorf("%s, but %q %v is not %q %v", r.State, r.Now.Words, r.Now.Flags, e.Quote, e.Flags)
	}
	if was, _ := e.Span(); r.State == wstk.RelocationIntact &&
		(span != was || !slices.Equal(r.Now.SectionPath, e.SectionPath)) {
		t.Errorf("intact, but at %v of %v, not at %v of %v", span, r.Now.SectionPath, was, e.SectionPath)
	}
}

// Random edits of real pages: what is intact or moved stands there byte for byte, and an edit of
// the quoted sentence is never intact.
func TestRelocateRandomEdits(t *testing.T) {
	files, err := filepath.Glob("../../../testdata/sites/sqlite/*.html")
	if err != nil || len(files) < 50 {
		t.Fatalf("%d pages, %v", len(files), err)
	}
	rnd := rand.New(rand.NewSource(16))
	edits := map[string]func(s string, at text.Range) string{
		"before": func(s string, _ text.Range) string {
			i := strings.Index(s, "<body>") + len("<body>")
			return s[:i] + "<p>A word that comes first.</p>" + s[i:]
		},
		"delete": func(s string, at text.Range) string { return s[:at.Start] + s[at.End:] },
		"word": func(s string, at text.Range) string {
			words := strings.Fields(s[at.Start:at.End])
			words[1+rnd.Intn(len(words)-2)] = "zebra" // the last one ends the sentence
			return s[:at.Start] + strings.Join(words, " ") + s[at.End:]
		},
		"letter": func(s string, at text.Range) string { // as small as a change can be
			i := at.Start + 1 + strings.IndexFunc(s[at.Start+1:at.End],
				func(r rune) bool { return r >= 'a' && r <= 'y' })
			return s[:i] + string(s[i]+1) + s[i+1:]
		},
		"twice": func(s string, at text.Range) string { return s[:at.End] + " " + s[at.Start:] },
		"strike": func(s string, at text.Range) string {
			return s[:at.Start] + "<s>" + s[at.Start:at.End] + "</s>" + s[at.End:]
		},
		"hide": func(s string, at text.Range) string {
			return s[:at.Start] + "<span hidden>" + s[at.Start:at.End] + "</span>" + s[at.End:]
		},
	}
	done := map[string]wstk.RelocationCounts{}
	for n := range 40 {
		file := files[rnd.Intn(len(files))]
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		page := string(data)
		was := reading(t, page)
		sentence, at, ok := plainSentence(rnd, was, page)
		if !ok {
			continue
		}
		e := quoteOf(t, was, wstk.Proposal{Kind: wstk.EvidenceText, Words: sentence, ByteStart: -1}, page)
		for _, name := range slices.Sorted(func(yield func(string) bool) {
			for k := range edits {
				if !yield(k) {
					return
				}
			}
		}) {
			now := reading(t, edits[name](page, at))
			r := relocated(t, was, now, e)
			standsThere(t, now, e, r)
			counts := done[name]
			counts.Count(r.State)
			done[name] = counts
			want := map[string][]wstk.RelocationState{
				"before": {wstk.RelocationMoved}, "delete": {wstk.RelocationGone},
				"word": {wstk.RelocationAltered}, "letter": {wstk.RelocationAltered},
				"twice":  {wstk.RelocationIntact},
				"strike": {wstk.RelocationAltered}, "hide": {wstk.RelocationGone}}[name]
			if !slices.Contains(want, r.State) {
				t.Errorf("%d %s, %s: %q is %s (%s), want %s: %+v", n, filepath.Base(file), name, sentence,
					r.State, r.Reason, want, r.Now)
			}
		}
	}
	if done["word"].Altered < 20 {
		t.Errorf("only %v", done)
	}
}

// plainSentence chooses a sentence that stands once, without markup, in the source of a page.
func plainSentence(rnd *rand.Rand, d *wstk.Document, page string) (string, text.Range, bool) {
	for range 200 {
		b := d.Blocks[rnd.Intn(len(d.Blocks))]
		if b.Kind != wstk.BlockParagraph {
			continue
		}
		s := d.Text[b.ByteStart:b.ByteEnd]
		all := text.Sentences(s, d.Meta.Language)
		r := all[rnd.Intn(len(all))]
		words := s[r.Start:r.End]
		if len(strings.Fields(words)) < 7 || !strings.HasSuffix(words, ".") || strings.Count(d.Text, words) != 1 {
			continue
		}
		// in the source its lines are broken elsewhere
		flat := strings.NewReplacer("\n", " ", "\r", " ").Replace(page)
		if i := strings.Index(flat, words); i > 0 && strings.Count(flat, words) == 1 {
			return words, text.Range{Start: i, End: i + len(words)}, true
		}
	}
	return "", text.Range{}, false
}

// A value of structured data is found again by its name and its item, not by its number alone.
func TestRelocateData(t *testing.T) {
	product := func(name, price string) string {
		return `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"` + name +
			`","sku":"` + name + `-1","offers":{"@type":"Offer","price":"` + price + `","priceCurrency":"EUR"}}</script>`
	}
	page := func(parts ...string) string {
		return "<title>Shop</title><h1>Shop</h1>" + strings.Join(parts, "") + "<p>We sell pumps.</p>"
	}
	body := page(product("Rotor", "10.00"), product("Stator", "12.00"))
	for name, c := range map[string]struct {
		page   string
		state  wstk.RelocationState
		reason wstk.RelocationReason
		now    string
	}{
		"the same":             {body, wstk.RelocationIntact, "", "10.00"},
		"an item before it":    {page(product("Lid", "3.00"), product("Rotor", "10.00"), product("Stator", "12.00")), wstk.RelocationMoved, "", "10.00"},
		"another price":        {page(product("Rotor", "11.00"), product("Stator", "12.00")), wstk.RelocationAltered, wstk.ReasonValue, "11.00"},
		"both":                 {page(product("Lid", "3.00"), product("Rotor", "11.00"), product("Stator", "12.00")), wstk.RelocationAltered, wstk.ReasonValue, "11.00"},
		"changed places":       {page(product("Stator", "12.00"), product("Rotor", "10.00")), wstk.RelocationMoved, "", "10.00"},
		"left out":             {page(product("Stator", "12.00")), wstk.RelocationGone, wstk.ReasonNotInData, ""},
		"left out, same price": {page(product("Stator", "12.00"), product("Lid", "10.00")), wstk.RelocationGone, wstk.ReasonNotInData, ""},
		"no data":              {page(), wstk.RelocationGone, wstk.ReasonNotInData, ""},
	} {
		t.Run(name, func(t *testing.T) {
			was, now := reading(t, body), reading(t, c.page)
			leaf := leafOf(t, was, "10.00")
			e := quoteOf(t, was, wstk.Proposal{Kind: wstk.EvidenceData, Words: "10.00",
				Element: leaf.Element, Pointer: leaf.Pointer}, body)
			r := relocated(t, was, now, e)
			if r.State != c.state || r.Reason != c.reason || c.now != "" && (r.Now == nil || r.Now.Words != c.now) {
				t.Errorf("%s (%s) %+v, want %s (%s) %q", r.State, r.Reason, r.Now, c.state, c.reason, c.now)
			}
			if r.Now != nil {
				got, err := read.FindData([]byte(c.page), *r.Now.Element, r.Now.Pointer)
				if err != nil || got != r.Now.Words {
					t.Errorf("at its place is %q, %v", got, err)
				}
			}
			// without the structure of the quoted version no name is known
			r = relocated(t, nil, now, e)
			if r.State == wstk.RelocationAltered ||
				c.state != wstk.RelocationIntact && r.State == wstk.RelocationIntact {
				t.Errorf("guessed: %+v", r)
			}
		})
	}
}

func leafOf(t *testing.T, d *wstk.Document, literal string) wstk.DataLeaf {
	t.Helper()
	for _, it := range d.Data {
		for _, l := range it.Leaves {
			if l.Literal == literal && it.Format == "json-ld" {
				return l
			}
		}
	}
	t.Fatalf("no %q in %+v", literal, d.Data)
	return wstk.DataLeaf{}
}

// D12: a limit stops it.
func TestRelocateStops(t *testing.T) {
	was, now := reading(t, mk3), reading(t, strings.Replace(mk3, "9 bar", "8 bar", 1))
	e := quoteOf(t, was, wstk.Proposal{Kind: wstk.EvidenceText, Words: "The pump reaches a working pressure of 9 bar.", ByteStart: -1}, mk3)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := verify.NewRelocator(was, now).Relocate(ctx, e); wstk.CodeOf(err) != wstk.Cancelled {
		t.Errorf("%v, want Cancelled", err)
	}
}

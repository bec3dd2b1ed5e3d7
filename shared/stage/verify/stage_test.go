package verify_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"wstk/shared/adapter/memory"
	"wstk/shared/stage/verify"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

const pageURL = "http://pumps.example/p9"

// fixture is one stored page, and a stage over it.
func fixture(t *testing.T) (*verify.Stage, *wstk.Document, *memory.Blobs) {
	t.Helper()
	ctx := context.Background()
	blobs := memory.NewBlobs()
	body, err := blobs.Put(ctx, []byte(`{"price":"9.90"}`))
	if err != nil {
		t.Fatal(err)
	}
	words := "The P-9 pump\nThe maximum pressure is “9 bar”. It weighs 7.5 kg."
	textHash, err := blobs.Put(ctx, []byte(words))
	if err != nil {
		t.Fatal(err)
	}
	heading := len("The P-9 pump")
	published := time.Date(2020, 1, 2, 0, 0, 0, 0, time.UTC)
	doc := &wstk.Document{
		URL: pageURL, CanonicalURL: pageURL, SnapshotSHA256: body,
		TextSHA256: textHash, Text: words,
		Sections: []wstk.Section{{Title: "The P-9 pump", Level: 1, Parent: -1}},
		Blocks: []wstk.Block{
			{Kind: wstk.BlockHeading, Section: 0,
				Span: wstk.Span{CharEnd: heading, ByteEnd: heading}, Main: true},
			{Kind: wstk.BlockParagraph, Section: 0, Span: wstk.Span{CharStart: heading + 1,
				CharEnd: len([]rune(words)), ByteStart: heading + 1, ByteEnd: len(words)},
				Main: true},
		},
		Meta: wstk.Metadata{PublishedAt: &published},
		Data: []wstk.DataItem{
			{Element: 3, Leaves: []wstk.DataLeaf{{Name: "price", Element: 3, Pointer: "/price", Literal: "9.90"}}}},
		Hidden:    []wstk.Hidden{{Reason: "attribute", Text: "The pressure is 99 bar, trust me."}},
		FetchedAt: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
	}
	stage := &verify.Stage{
		Blobs: blobs, Evidence: memory.NewEvidence(),
		Document: func(_ context.Context, url string) (*wstk.Document, bool, error) {
			if url != pageURL {
				return nil, false, wstk.Errorf(wstk.NotFound, "reading", "no page %s", url)
			}
			return doc, false, nil
		},
		Literal: func(body []byte, element int, pointer string) (string, error) {
			var m map[string]string
			if err := json.Unmarshal(body, &m); err != nil || element != 3 ||
				m[strings.TrimPrefix(pointer, "/")] == "" {
				return "", wstk.Errorf(wstk.NotFound, "reading", "nothing at %s", pointer)
			}
			return m[strings.TrimPrefix(pointer, "/")], nil
		},
	}
	return stage, doc, blobs
}

func one(t *testing.T, s *verify.Stage, p wstk.Proposal) verify.Result {
	t.Helper()
	res, err := s.Do(context.Background(),
		[]wstk.Claim{{Statement: "a statement", Proposed: []wstk.Proposal{p}}})
	if err != nil || len(res) != 1 {
		t.Fatalf("%v, %v; want err == nil && len(res) == 1", res, err)
	}
	return res[0]
}

func TestTextEvidence(t *testing.T) {
	s, doc, _ := fixture(t)
	r := one(t, s, wstk.Proposal{Kind: wstk.EvidenceText, URL: pageURL, Words: `maximum pressure is "9 bar".`, ByteStart: -1})
	if len(r.Evidence) != 1 || len(r.Unsupported) != 0 {
		t.Fatalf("%+v; want len(r.Evidence) == 1 && len(r.Unsupported) == 0", r)
	}
	e := r.Evidence[0]
	if e.Quote != "maximum pressure is “9 bar”." || e.Status != wstk.StatusNormalized {
		t.Errorf("the quote is %q, %s; want it as the page writes it, normalized", e.Quote, e.Status)
	}
	span, ok := e.Span()
	if !ok || doc.Text[span.ByteStart:span.ByteEnd] != e.Quote ||
		string([]rune(doc.Text)[span.CharStart:span.CharEnd]) != e.Quote {
		t.Errorf("offsets %v do not give the quote", span)
	}
	if len(e.SectionPath) != 1 || e.SectionPath[0] != "The P-9 pump" || e.PublishedAt == nil ||
		!strings.Contains(e.Link, "#:~:text=") {
		t.Errorf("%+v; want the section, the date of publication and a link to the words", e)
	}
	if why, err := s.Recheck(context.Background(), e); why != "" || err != nil {
		t.Errorf("recheck: %q, %v", why, err)
	}
	if kept, err := s.Evidence.Get(context.Background(), e.ID); err != nil ||
		kept.Quote != e.Quote {
		t.Errorf("the store keeps %+v, %v; want the same quote", kept, err)
	}
}

// Law 2: if a page does not say when it was published, that is unknown; when it
// was fetched is no answer.
func TestUnknownDateIsNull(t *testing.T) {
	s, doc, _ := fixture(t)
	doc.Meta.PublishedAt = nil
	for _, p := range []wstk.Proposal{
		{Kind: wstk.EvidenceText, URL: pageURL, Words: "It weighs 7.5 kg.", ByteStart: -1},
		{Kind: wstk.EvidenceData, URL: pageURL, Words: "9.90", Element: 3, Pointer: "/price"},
	} {
		r := one(t, s, p)
		if len(r.Evidence) != 1 || r.Evidence[0].PublishedAt != nil ||
			r.Evidence[0].FetchedAt.IsZero() {
			t.Errorf("%s: %+v; want len(r.Evidence) == 1 && r.Evidence[0].PublishedAt == nil && !r.Evidence[0].FetchedAt.IsZero()", p.Kind, r)
		}
	}
}

func TestDataEvidence(t *testing.T) {
	s, _, _ := fixture(t)
	r := one(t, s, wstk.Proposal{Kind: wstk.EvidenceData, URL: pageURL, Words: "9.90", Element: 3,
		Pointer: "/price"})
	if len(r.Evidence) != 1 {
		t.Fatalf("%+v; want len(r.Evidence) == 1", r)
	}
	e := r.Evidence[0]
	if e.CharStart != nil || e.ByteEnd != nil || e.Literal != "9.90" || *e.Element != 3 {
		t.Errorf("%+v; want e.CharStart == nil && e.ByteEnd == nil && e.Literal == \"9.90\" && *e.Element == 3", e)
	}
	if why, err := s.Recheck(context.Background(), e); why != "" || err != nil {
		t.Errorf("recheck: %q, %v", why, err)
	}
}

// Law 1: what cannot be found is never evidence and never dropped in silence.
func TestUnsupportedIsListedWithItsReason(t *testing.T) {
	s, _, _ := fixture(t)
	for _, c := range []struct {
		p      wstk.Proposal
		reason string
	}{
		{wstk.Proposal{Kind: wstk.EvidenceText, URL: pageURL, Words: "It weighs 8.5 kg.", ByteStart: -1}, "not_in_text"},
		{wstk.Proposal{Kind: wstk.EvidenceText, URL: pageURL, Words: "The pressure is 99 bar", ByteStart: -1}, "hidden_text"},
		{wstk.Proposal{Kind: wstk.EvidenceText, URL: pageURL, Words: "  ", ByteStart: -1}, "no_quote"},
		{wstk.Proposal{Kind: wstk.EvidenceText, URL: "http://other.example/", Words: "It weighs 7.5 kg.", ByteStart: -1}, "no_such_page"},
		{wstk.Proposal{Kind: wstk.EvidenceData, URL: pageURL, Words: "8.90", Element: 3, Pointer: "/price"}, "pointer_differs"},
		{wstk.Proposal{Kind: wstk.EvidenceData, URL: pageURL, Words: "9.90", Element: 4, Pointer: "/price"}, "pointer_differs"},
		{wstk.Proposal{Kind: wstk.EvidenceData, URL: pageURL, Words: "", Element: 3, Pointer: "/nothing"}, "pointer_differs"},
	} {
		r := one(t, s, c.p)
		if len(r.Evidence) != 0 || len(r.Unsupported) != 1 || r.Unsupported[0].Reason != c.reason ||
			r.Unsupported[0].Quote != c.p.Words {
			t.Errorf("%+v: got %+v, want %s", c.p, r, c.reason)
		}
	}
	res, err := s.Do(context.Background(), []wstk.Claim{{Statement: "no words at all"}})
	if err != nil || len(res[0].Unsupported) != 1 || res[0].Unsupported[0].Reason != "no_quote" {
		t.Errorf("%+v, %v; want err == nil && len(res[0].Unsupported) == 1 && res[0].Unsupported[0].Reason == \"no_quote\"", res, err)
	}
}

// A forged evidence fails the check in whatever part it was forged.
func TestRecheckFindsForgery(t *testing.T) {
	s, _, blobs := fixture(t)
	ctx := context.Background()
	quote := one(t, s, wstk.Proposal{Kind: wstk.EvidenceText, URL: pageURL,
		Words: "It weighs 7.5 kg.", ByteStart: -1}).Evidence[0]
	data := one(t, s, wstk.Proposal{Kind: wstk.EvidenceData, URL: pageURL, Words: "9.90",
		Element: 3, Pointer: "/price"}).Evidence[0]
	other, err := blobs.Put(ctx, []byte("some other text that is long enough to hold every offset of the first"))
	if err != nil {
		t.Fatal(err)
	}
	shift := func(p *int) *int { n := *p + 1; return &n }
	for name, forge := range map[string]func(e *wstk.Evidence){
		"quote":       func(e *wstk.Evidence) { e.Quote = "It weighs 6.5 kg." },
		"case":        func(e *wstk.Evidence) { e.Quote = "it weighs 7.5 kg." },
		"fold":        func(e *wstk.Evidence) { e.Quote = "It weighs\u00a07.5 kg." },
		"byte start":  func(e *wstk.Evidence) { e.ByteStart = shift(e.ByteStart) },
		"byte end":    func(e *wstk.Evidence) { e.ByteEnd = shift(e.ByteEnd) },
		"char start":  func(e *wstk.Evidence) { e.CharStart = shift(e.CharStart) },
		"char end":    func(e *wstk.Evidence) { e.CharEnd = shift(e.CharEnd) },
		"no offsets":  func(e *wstk.Evidence) { e.CharEnd = nil },
		"text":        func(e *wstk.Evidence) { e.TextSHA256 = other },
		"unknown":     func(e *wstk.Evidence) { e.TextSHA256 = wstk.HashOf([]byte("never stored")) },
		"malformed":   func(e *wstk.Evidence) { e.TextSHA256 = "../../etc/passwd" },
		"url":         func(e *wstk.Evidence) { e.URL = "http://other.example/" },
		"id":          func(e *wstk.Evidence) { e.ID = "ev_000000000000000000000000" },
		"kind":        func(e *wstk.Evidence) { e.Kind = "rumour" },
		"status":      func(e *wstk.Evidence) { e.Status = "certain" },
		"link":        func(e *wstk.Evidence) { e.Link = "http://other.example/#:~:text=It%20weighs" },
		"no hash":     func(e *wstk.Evidence) { e.TextSHA256 = "" },
		"page":        func(e *wstk.Evidence) { n := 3; e.Page = &n },
		"literal":     func(e *wstk.Evidence) { e.Literal = "9.90" },
		"cut word":    func(e *wstk.Evidence) { *e = cutEvidence(*e) },
		"far offsets": func(e *wstk.Evidence) { n := 1 << 40; e.ByteEnd = &n },
	} {
		e := quote
		forge(&e)
		if why, err := s.Recheck(ctx, e); why == "" || err != nil {
			t.Errorf("%s: a forged text evidence stands (%v)", name, err)
		}
	}
	for name, forge := range map[string]func(e *wstk.Evidence){
		"literal":  func(e *wstk.Evidence) { e.Literal, e.Quote = "8.90", "8.90" },
		"quote":    func(e *wstk.Evidence) { e.Quote = "8.90" },
		"pointer":  func(e *wstk.Evidence) { e.Pointer = "/cost" },
		"element":  func(e *wstk.Evidence) { e.Element = shift(e.Element) },
		"none":     func(e *wstk.Evidence) { e.Element = nil },
		"snapshot": func(e *wstk.Evidence) { e.SnapshotSHA256 = other },
		"url":      func(e *wstk.Evidence) { e.URL = "http://other.example/" },
		"link":     func(e *wstk.Evidence) { e.Link = "http://other.example/" },
		"status":   func(e *wstk.Evidence) { e.Status = wstk.StatusNormalized },
		"section":  func(e *wstk.Evidence) { e.SectionPath = []string{"Prices"} },
		"offsets":  func(e *wstk.Evidence) { e.CharStart = new(int) },
	} {
		e := data
		forge(&e)
		if why, err := s.Recheck(ctx, e); why == "" || err != nil {
			t.Errorf("%s: a forged data evidence stands (%v)", name, err)
		}
	}
}

// cutEvidence is "7" of "7.5 kg", with everything that is computed from it.
func cutEvidence(e wstk.Evidence) wstk.Evidence {
	at := strings.Index(e.Quote, "7.5")
	span, _ := e.Span()
	span = wstk.Span{CharStart: span.CharStart + at, CharEnd: span.CharStart + at + 1,
		ByteStart: span.ByteStart + at, ByteEnd: span.ByteStart + at + 1}
	e.CharStart, e.CharEnd, e.ByteStart, e.ByteEnd = &span.CharStart, &span.CharEnd,
		&span.ByteStart, &span.ByteEnd
	e.Quote = "7"
	e.ID, e.Link = wstk.TextEvidenceID(e.TextSHA256, span, e.URL), text.FragmentLink(e.URL, e.Quote)
	return e
}

// A quote of a paged document names its page, in the link too.
func TestPagedEvidence(t *testing.T) {
	s, doc, _ := fixture(t)
	doc.Blocks[0].Page, doc.Blocks[1].Page = 1, 2
	e := one(t, s, wstk.Proposal{Kind: wstk.EvidenceText, URL: pageURL, Words: "It weighs 7.5 kg.",
		ByteStart: -1}).Evidence[0]
	if e.Page == nil || *e.Page != 2 || e.Link != pageURL+"#page=2" {
		t.Fatalf("page %v, link %s", e.Page, e.Link)
	}
	if why, err := s.Recheck(context.Background(), e); why != "" || err != nil {
		t.Errorf("it does not stand: %q, %v", why, err)
	}
	if why := verify.OfPage(e, doc); why != "" {
		t.Errorf("the evidence differs from its page: %s", why)
	}
	forged, page := e, 1
	forged.Page, forged.Link = &page, pageURL+"#page=1"
	if verify.OfPage(forged, doc) == "" {
		t.Error("a quote on another page than it says stands")
	}
	forged.Page, forged.Link = nil, text.FragmentLink(e.URL, e.Quote)
	if verify.OfPage(forged, doc) == "" {
		t.Error("a quote that lost its page stands")
	}
	page = 0
	forged.Page, forged.Link = &page, pageURL+"#page=0"
	if why, _ := s.Recheck(context.Background(), forged); why == "" {
		t.Error("a quote on page 0 stands")
	}
}

// What only the page's Document knows is compared with it.
func TestOfPage(t *testing.T) {
	s, doc, _ := fixture(t)
	quote := one(t, s, wstk.Proposal{Kind: wstk.EvidenceText, URL: pageURL,
		Words: "It weighs 7.5 kg.", ByteStart: -1}).Evidence[0]
	data := one(t, s, wstk.Proposal{Kind: wstk.EvidenceData, URL: pageURL, Words: "9.90",
		Element: 3, Pointer: "/price"}).Evidence[0]
	other := wstk.HashOf([]byte("other"))
	for name, forge := range map[string]func(e *wstk.Evidence){
		"nothing":   func(*wstk.Evidence) {},
		"url":       func(e *wstk.Evidence) { e.URL = "http://other.example/" },
		"canonical": func(e *wstk.Evidence) { e.CanonicalURL = "http://other.example/" },
		"text":      func(e *wstk.Evidence) { e.TextSHA256 = other },
		"snapshot":  func(e *wstk.Evidence) { e.SnapshotSHA256 = other },
		"section":   func(e *wstk.Evidence) { e.SectionPath = []string{"Another pump"} },
		"published": func(e *wstk.Evidence) { e.PublishedAt = nil },
		"later":     func(e *wstk.Evidence) { at := e.PublishedAt.Add(time.Hour); e.PublishedAt = &at },
	} {
		for _, e := range []wstk.Evidence{quote, data} {
			forge(&e)
			if why := verify.OfPage(e, doc); (why == "") != (name == "nothing") {
				t.Errorf("%s of %s: OfPage says %q, want a fault only where something was forged", name, e.Kind, why)
			}
		}
	}
	hidden := *doc // what stands at an element that is no structured data is no value of the page
	hidden.Data = nil
	if verify.OfPage(data, &hidden) == "" {
		t.Error("an element that is no data gives a value")
	}
}

// What was robbed of its hash, its kind or its form is still there to be checked.
func TestReadPassesNothingOver(t *testing.T) {
	for _, given := range []string{
		`{"evidence": [{"id": "ev_1", "kind": "text", "quote": "forged"}]}`,
		`{"evidence": [{"quote": "forged"}]}`,
		`{"Evidence": [{"quote": "forged"}]}`,
		`{"evidence": [{}]}`,
		`{"evidence": {"quote": "forged"}}`,
		`[{"kind": "text", "quote": "forged"}]`,
		`{"evidence": [{"quote": "forged", "byte_start": "here"}]}`,
		`{"evidence": [[{"quote": "forged"}]]}`,
		`[[[{"quote": "forged"}]]]`,
		`{"kind": "data", "literal": "forged"}`,
		`{"body": "{\"evidence\": [{\"quote\": \"forged\"}]}"}`,
		`{"content": "forged", "statements": [], "evidence": [{"quote": "forged"}]}`,
	} {
		got, err := verify.Read(t.Context(), []byte(given))
		if err != nil || len(got.Evidence) != 1 || got.Evidence[0].Malformed == "" {
			t.Errorf("%s: %+v, %v; want err == nil && len(got.Evidence) == 1 && got.Evidence[0].Malformed != \"\"", given, got, err)
		}
	}
	// Parts of an answer that stand in none, and keys that can be taken for others.
	for _, given := range []string{
		`{"statement": "forged", "evidence": [0]}`,
		`[{"statement": "forged", "support": "direct"}]`,
		`{"data": {"claims": [{"statement": "forged", "source_url": "x"}]}}`,
		`{"extractions": [[{"content": "forged"}]]}`,
		`{"extractions": "forged"}`,
		`{"extractions": {"content": "forged"}}`,
		`{"extractions": [], "answer": "forged"}`,
		`{"extractions": [], "query": "a", "Query": "b"}`,
		`{"extractions": [], "run": {"query": "a"}, "query": "b"}`,
		`{"ok": true, "command": "ask", "data": {}, "answer": "forged"}`,
		`{"\u017ftatements": []}`,
		`{"QUOTE": 1}`,
		`{"quot\u0435": 1}`,
		`{"evidence\u200b": 1}`,
	} {
		got, err := verify.Read(t.Context(), []byte(given))
		malformed := false
		if got != nil {
			for _, a := range got.Answers {
				malformed = malformed || a.Malformed != ""
			}
			for _, e := range got.Evidence {
				malformed = malformed || e.Malformed != ""
			}
		}
		if err != nil || len(got.Faults) == 0 && !malformed {
			t.Errorf("%s: %+v, %v; want err == nil && (len(got.Faults) != 0 || malformed)", given, got, err)
		}
	}
	got, err := verify.Read(t.Context(), []byte(`{"unsupported": [{"statement": "", "quote": "x", "url": "y", "reason": "not_in_text"}], "n": 1}`))
	if err != nil || len(got.Evidence)+len(got.Faults) != 0 || len(got.Beside) == 0 {
		t.Errorf("evidence where there is none: %+v, %v", got, err)
	}
}

// JSON that two programs read in two ways is refused.
func TestJSONHasOneReading(t *testing.T) {
	deep := strings.Repeat("[", 200) + strings.Repeat("]", 200)
	for name, given := range map[string]string{
		"nothing": "", "words": "not json", "a key twice": `{"a": 1, "a": 2}`, "a key twice, escaped": `{"a": 1, "\u0061": 2}`,
		"deep twice": `[{"x": {"a": 1, "b": 2, "a": 1}}]`, "two values": `{} {}`, "words behind": `{} x`, "a comma": `[1,]`, "a comment": `{/**/}`,
		"no UTF-8": "{\"a\": \"\xff\"}", "half a character": `["\ud800"]`, "the other half": `["\udc00 x"]`, "halves turned": `["\udc00\ud800"]`,
		"half and a letter": `["\ud800a"]`, "half and an escape": `["\ud800\n"]`, "too deep": deep, "a mark": "\ufeff{}", "NaN": "[NaN]", "cut": `{"a": `,
	} {
		if _, err := verify.Read(t.Context(), []byte(given)); wstk.CodeOf(err) != wstk.Invalid {
			t.Errorf("%s: %v; want wstk.CodeOf(err) == wstk.Invalid", name, err)
		}
	}
	for _, given := range []string{`{}`, `[]`, `1`, `"x"`, `null`, `["\ud83d\ude00 \\ud800"]`, ` {"a": {"a": {}}} `} {
		if _, err := verify.Read(t.Context(), []byte(given)); err != nil {
			t.Errorf("%s: %v; want err == nil", given, err)
		}
	}
}

// fetch, render, extract and pipeline name the folder with what they saw evidence.
func TestReadKnowsFolders(t *testing.T) {
	got, err := verify.Read(t.Context(), []byte(`{"evidence": {"dir": "/seen", "manifest": "/seen/manifest.json"}}`))
	if err != nil || len(got.Evidence)+len(got.Faults) != 0 {
		t.Errorf("a folder is %+v, %v", got, err)
	}
	got, err = verify.Read(t.Context(), []byte(`{"evidence": {"dir": "/seen", "manifest": "/seen/manifest.json", "quote": "forged"}}`))
	if err != nil || len(got.Evidence) != 1 {
		t.Errorf("a quote with a manifest is %+v, %v", got, err)
	}
}

func TestReadFindsItAnywhere(t *testing.T) {
	s, _, _ := fixture(t)
	e := one(t, s, wstk.Proposal{Kind: wstk.EvidenceText, URL: pageURL, Words: "It weighs 7.5 kg.",
		ByteStart: -1}).Evidence[0]
	for _, v := range []any{
		map[string]any{"data": map[string]any{"extractions": []any{map[string]any{"evidence": []any{e, e}}}}, "n": 1},
		[]any{[]any{e}, map[string]any{"evidence": e}},
	} {
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		got, err := verify.Read(t.Context(), data)
		if err != nil || len(got.Evidence) != 2 || got.Evidence[0].Malformed != "" {
			t.Fatalf("%+v, %v; want err == nil && len(got.Evidence) == 2 && got.Evidence[0].Malformed == \"\"", got, err)
		}
		if why, err := s.Recheck(context.Background(), got.Evidence[0].Evidence); why != "" ||
			err != nil {
			t.Errorf("what was read back does not stand: %q, %v", why, err)
		}
	}
}

func TestAFailingStoreIsAnError(t *testing.T) {
	s, _, _ := fixture(t)
	s.Document = func(context.Context, string) (*wstk.Document, bool, error) {
		return nil, false, wstk.Errorf(wstk.Unavailable, "reading", "the disk is away")
	}
	_, err := s.Do(context.Background(),
		[]wstk.Claim{{Proposed: []wstk.Proposal{{Kind: wstk.EvidenceText, URL: pageURL, Words: "x"}}}})
	if wstk.CodeOf(err) != wstk.Unavailable {
		t.Errorf("the error is %v, want that of the store, Unavailable", err)
	}
}

// Law 1: words that a page holds more than once are linked at their own place, a part of a
// sentence carries all of it, and links of older versions stay valid.
func TestLinksLeadToTheQuotedPlace(t *testing.T) {
	s, doc, blobs := fixture(t)
	doc.Text = "The P-9 pump\nThe maximum pressure is “9 bar”. It weighs 7.5 kg. The P-8 weighs 7.5 kg."
	var err error
	if doc.TextSHA256, err = blobs.Put(context.Background(), []byte(doc.Text)); err != nil {
		t.Fatal(err)
	}
	doc.Blocks[1].ByteEnd, doc.Blocks[1].CharEnd = len(doc.Text), len([]rune(doc.Text))
	second := strings.LastIndex(doc.Text, "weighs 7.5 kg")
	r := one(t, s, wstk.Proposal{Kind: wstk.EvidenceText, URL: pageURL, Words: "weighs 7.5 kg", ByteStart: second})
	if len(r.Evidence) != 1 {
		t.Fatalf("%+v; want len(r.Evidence) == 1", r)
	}
	e := r.Evidence[0]
	if *e.ByteStart != second || e.Sentence != "The P-8 weighs 7.5 kg." || !strings.HasSuffix(e.Link, "#:~:text=P%2D8-,weighs%207.5%20kg") {
		t.Errorf("%+v; want the second place, its sentence, and a link that names the words before it", e)
	}
	for link, stands := range map[string]bool{e.Link: true, text.FragmentLink(e.URL, e.Quote): true,
		pageURL + "#:~:text=P%2D9-,weighs%207.5%20kg": false, pageURL: false} {
		e.Link = link
		if why, err := s.Recheck(context.Background(), e); (why == "") != stands || err != nil {
			t.Errorf("%s: %q, %v; want (why == \"\") == stands && err == nil", link, why, err)
		}
	}
	// Words that stand once are linked as ever.
	if e := one(t, s, wstk.Proposal{Kind: wstk.EvidenceText, URL: pageURL,
		Words: "The maximum pressure is “9 bar”.", ByteStart: -1}).
		Evidence[0]; e.Link != text.FragmentLink(e.URL, e.Quote) || e.Sentence != "" {
		t.Errorf("%+v; want e.Link == text.FragmentLink(e.URL, e.Quote) && e.Sentence == \"\"", e)
	}
}

// Evidence carries the flags of what its quote touches, and says no other.
func TestEvidenceCarriesFlags(t *testing.T) {
	s, doc, _ := fixture(t)
	at := strings.Index(doc.Text, "“9 bar”")
	chars := len([]rune(doc.Text[:at]))
	doc.Flagged = []wstk.Flagged{{Flags: []wstk.Flag{wstk.FlagStruck},
		Span: wstk.Span{CharStart: chars, CharEnd: chars + 7, ByteStart: at, ByteEnd: at + len("“9 bar”")}}}
	doc.Blocks[1].Flags = []wstk.Flag{wstk.FlagComment}
	for _, c := range []struct{ words, want string }{
		{"The P-9 pump", ""}, {"The maximum pressure is", "comment"}, {"“9 bar”", "comment struck"}, {"The maximum pressure is “9 bar”. It weighs 7.5 kg.", "comment struck"}, {"It weighs 7.5 kg.", "comment"},
	} {
		r := one(t, s, wstk.Proposal{Kind: wstk.EvidenceText, URL: pageURL,
			Words: c.words, ByteStart: -1})
		if len(r.Evidence) != 1 {
			t.Fatalf("%q: %+v; want len(r.Evidence) == 1", c.words, r)
		}
		e := r.Evidence[0]
		got := ""
		for _, f := range e.Flags {
			got = strings.TrimSpace(got + " " + string(f))
		}
		if got != c.want {
			t.Errorf("%q carries %q, want %q", c.words, got, c.want)
		}
		if why := verify.OfPage(e, doc); why != "" {
			t.Errorf("%q: %s; want why == \"\"", c.words, why)
		}
		for _, forged := range [][]wstk.Flag{nil, {wstk.FlagComment}, {wstk.FlagSponsored}} {
			f := e
			f.Flags = forged
			if why := verify.OfPage(f, doc); (why == "") != (len(forged) == len(e.Flags) &&
				(len(forged) == 0 || forged[0] == e.Flags[0])) {
				t.Errorf("%q with the flags %v: %q", c.words, forged, why)
			}
		}
	}
	r := one(t, s, wstk.Proposal{Kind: wstk.EvidenceData, URL: pageURL, Words: "9.90", Element: 3,
		Pointer: "/price"})
	r.Evidence[0].Flags = []wstk.Flag{wstk.FlagStruck}
	if why, _ := s.Recheck(context.Background(), r.Evidence[0]); why == "" {
		t.Error("a literal of structured data has no place in the text, and yet a flag of one")
	}
}

package verify_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"wstk/shared/stage/verify"
	"wstk/shared/wstk"
)

// A quote stands where a fetch, a Document and another reading of the fetch bind it.
func TestBind(t *testing.T) {
	ctx := context.Background()
	s, doc, _ := fixture(t)
	doc.Reader = "html/7"
	quote := one(t, s, wstk.Proposal{Kind: wstk.EvidenceText, URL: pageURL,
		Words: "It weighs 7.5 kg.", ByteStart: -1}).Evidence[0]
	value := one(t, s, wstk.Proposal{Kind: wstk.EvidenceData, URL: pageURL, Words: "9.90",
		Element: 3, Pointer: "/price"}).Evidence[0]
	fetch := wstk.Snapshot{URL: pageURL, FinalURL: pageURL, BodySHA256: doc.SnapshotSHA256,
		FetchedAt: doc.FetchedAt}
	type world struct {
		fetches    []wstk.Snapshot
		docs       []*wstk.Document
		again      wstk.Document
		unread     error
		kind       string
		whole, old bool
	}
	later := func(d wstk.Document, text string) wstk.Document { // as a newer reader reads it
		d.Reader, d.Text, d.TextSHA256 = "html/8", text, wstk.HashOf([]byte(text))
		d.Blocks = []wstk.Block{
			{Section: -1, Span: wstk.Span{ByteEnd: len(text), CharEnd: len(text)}}}
		return d
	}
	for _, c := range []struct {
		name      string
		change    func(w *world, e *wstk.Evidence)
		stands    bool
		unchecked string // one that must be listed
	}{
		{"all is there", func(*world, *wstk.Evidence) {}, true, ""},
		{"no fetch", func(w *world, _ *wstk.Evidence) { w.fetches = nil }, false, ""},
		{"a fetch of another time", func(w *world, _ *wstk.Evidence) { w.fetches[0].FetchedAt = time.Unix(0, 0) }, false, ""},
		{"a fetch of another body", func(w *world, _ *wstk.Evidence) {
			w.fetches[0].BodySHA256 = wstk.HashOf(nil)
		}, false, ""},
		{"a fetch that led elsewhere", func(w *world, _ *wstk.Evidence) { w.fetches[0].FinalURL = "http://other.example/" }, false, ""},
		{"a fetch that led here", func(w *world, _ *wstk.Evidence) { w.fetches[0].URL = "http://other.example/" }, true, ""},
		{"the time in another zone", func(_ *world, e *wstk.Evidence) {
			e.FetchedAt = e.FetchedAt.In(time.FixedZone("", 3600))
		}, true, ""},
		{"another url", func(_ *world, e *wstk.Evidence) { e.URL = "http://other.example/" }, false, ""},
		{"another text", func(_ *world, e *wstk.Evidence) { e.TextSHA256 = wstk.HashOf(nil) }, false, ""},
		{"no structure in the store", func(w *world, _ *wstk.Evidence) { w.docs = nil }, true, ""},
		{"no structure in a bundle", func(w *world, _ *wstk.Evidence) { w.docs, w.whole = nil, true }, false, ""},
		{"a structure that says otherwise", func(w *world, _ *wstk.Evidence) { w.docs[0].CanonicalURL = "http://other.example/" }, false, ""},
		{"the snapshot gives another text", func(w *world, _ *wstk.Evidence) {
			w.again = later(w.again, "x")
			w.again.Reader = "html/7"
		}, false, ""},
		{"the snapshot gives other sections", func(w *world, _ *wstk.Evidence) { w.again.Sections = nil }, false, ""},
		{"the snapshot gives other data", func(w *world, _ *wstk.Evidence) { w.again.Data = []wstk.DataItem{{}} }, false, ""},
		{"the snapshot gives another title", func(w *world, _ *wstk.Evidence) { w.again.Meta.Title = "x" }, false, ""},
		{"the snapshot gives another date", func(w *world, _ *wstk.Evidence) { w.again.Meta.PublishedAt = nil }, false, ""},
		{"only its rendering is another", func(w *world, _ *wstk.Evidence) { w.again.Markdown = "x" }, true, ""},
		{"the snapshot cannot be read", func(w *world, _ *wstk.Evidence) {
			w.unread = wstk.Errorf(wstk.UnsupportedMediaType, "", "a picture")
		}, false, ""},
		{"a reader of another kind", func(w *world, _ *wstk.Evidence) { w.docs[0].Reader = "pdf/1" }, false, ""},
		{"no reader", func(w *world, _ *wstk.Evidence) { w.docs[0].Reader = "" }, false, ""},
		{"a newer reader finds the same", func(w *world, _ *wstk.Evidence) { w.again.Reader = "html/8" }, true, ""},
		{"a newer reader finds the words", func(w *world, _ *wstk.Evidence) {
			w.again = later(w.again, "Pump. It weighs 7.5 kg.")
		}, true, verify.UncheckedOlder},
		{"a newer reader finds other sections", func(w *world, _ *wstk.Evidence) {
			w.again.Reader, w.again.Sections = "html/8", nil
			w.again.CanonicalURL = "x"
		}, true, verify.UncheckedOlder},
		{"markup that was read as text", func(w *world, _ *wstk.Evidence) {
			w.kind, w.docs[0].Reader, w.again.Reader = "html", "text/7", "text/7"
		}, true, verify.UncheckedType},
		{"a page that is not there", func(w *world, _ *wstk.Evidence) { w.fetches[0].Status = 404 },
			true, verify.UncheckedReply},
		{"a wall", func(w *world, _ *wstk.Evidence) {
			w.fetches[0].Status, w.fetches[0].Verdict = 200, wstk.VerdictBlocked
		}, true, verify.UncheckedReply},
		{"an older form", func(w *world, _ *wstk.Evidence) {
			w.fetches, w.old = nil, true
		}, true, verify.UncheckedFinalURL},
		{"the oldest form", func(w *world, _ *wstk.Evidence) {
			w.fetches, w.docs, w.old = nil, nil, true
		}, true, verify.UncheckedURL},
		{"the oldest form, other readings", func(w *world, _ *wstk.Evidence) {
			w.fetches, w.docs, w.old = nil, nil, true
			w.again = later(w.again, "Pump. It weighs 7.5 kg.")
		}, true, verify.UncheckedOlder},
		{"the oldest form, unread", func(w *world, _ *wstk.Evidence) {
			w.fetches, w.docs, w.old = nil, nil, true
			w.unread = wstk.Errorf(wstk.UnsupportedMediaType, "", "a picture")
		}, false, ""},
		{"an older form with some fetches", func(w *world, _ *wstk.Evidence) {
			w.fetches[0].FetchedAt, w.old = time.Unix(0, 0), true
		}, false, ""},
	} {
		for _, e := range []wstk.Evidence{quote, value} {
			d := *doc
			w := world{fetches: []wstk.Snapshot{fetch}, docs: []*wstk.Document{&d},
				again: *doc, kind: "html"}
			c.change(&w, &e)
			b := verify.Binder{Library: verify.Library{
				Name: "library", Whole: w.whole, Old: w.old,
				Fetches: func(context.Context, wstk.Evidence) ([]wstk.Snapshot, error) {
					return w.fetches, nil
				},
				Documents: func(context.Context, wstk.Evidence) ([]*wstk.Document, error) {
					return w.docs, nil
				},
				Read: func(context.Context, wstk.Snapshot) (*wstk.Document, error) {
					return &w.again, w.unread
				},
				Kind: func(context.Context, wstk.Snapshot) (string, error) {
					return w.kind, nil
				},
			}}
			got, err := b.Bind(ctx, e)
			if err != nil || (got.Why == "") != c.stands ||
				c.unchecked != "" && !slices.Contains(got.Unchecked, c.unchecked) {
				t.Errorf("%s, %s: %+v, %v", c.name, e.Kind, got, err)
			}
			for _, what := range []string{verify.UncheckedType, verify.UncheckedReply} {
				if what != c.unchecked && slices.Contains(got.Unchecked, what) {
					t.Errorf("%s, %s: %s is open", c.name, e.Kind, what)
				}
			}
		}
	}
	// Words that today's reading does not hold stand nowhere, whichever version read the page.
	gone := later(*doc, "It weighs nothing.")
	for _, lib := range []verify.Library{
		{Documents: func(context.Context, wstk.Evidence) ([]*wstk.Document, error) {
			return []*wstk.Document{doc}, nil
		},
			Fetches: func(context.Context, wstk.Evidence) ([]wstk.Snapshot, error) {
				return []wstk.Snapshot{fetch}, nil
			}},
		{Documents: func(context.Context, wstk.Evidence) ([]*wstk.Document, error) {
			return nil, nil
		},
			Fetches: func(context.Context, wstk.Evidence) ([]wstk.Snapshot, error) {
				return []wstk.Snapshot{fetch}, nil
			}},
		{Documents: func(context.Context, wstk.Evidence) ([]*wstk.Document, error) {
			return []*wstk.Document{doc}, nil
		},
			Fetches: func(context.Context, wstk.Evidence) ([]wstk.Snapshot, error) {
				return nil, nil
			}, Old: true},
	} {
		lib.Read = func(context.Context, wstk.Snapshot) (*wstk.Document, error) {
			return &gone, nil
		}
		b := verify.Binder{Library: lib}
		if got, err := b.Bind(ctx, quote); err != nil || got.Why == "" {
			t.Errorf("words that are not there stand: %+v, %v", got, err)
		}
	}
}

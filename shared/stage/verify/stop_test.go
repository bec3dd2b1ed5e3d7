package verify_test

import (
	"context"
	"strings"
	"testing"

	"wstk/shared/stage/verify"
	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
)

// TestVerifyingStops ends the time wherever verify looks whether to go on: it ends there,
// and nothing passes because it was not checked.
func TestVerifyingStops(t *testing.T) {
	s, doc, _ := fixture(t)
	doc.Reader = "html/7"
	say := wstk.Proposal{Kind: wstk.EvidenceText, URL: pageURL, Words: "It weighs 7.5 kg.", ByteStart: -1}
	absent := wstk.Proposal{Kind: wstk.EvidenceText, URL: pageURL, Words: "It weighs 8 kg.", ByteStart: -1}
	quote := one(t, s, say).Evidence[0]
	forged := quote
	forged.Quote = "It weighs 9.5 kg."
	for range 50 {
		doc.Hidden = append(doc.Hidden, wstk.Hidden{Text: "nothing"})
	}
	fetch := wstk.Snapshot{URL: pageURL, FinalURL: pageURL, BodySHA256: doc.SnapshotSHA256,
		FetchedAt: doc.FetchedAt}
	binder := func(fetches ...wstk.Snapshot) verify.Binder {
		return verify.Binder{Library: verify.Library{
			Name: "library", Old: len(fetches) == 0,
			Fetches: func(context.Context, wstk.Evidence) ([]wstk.Snapshot, error) {
				return fetches, nil
			},
			Documents: func(context.Context, wstk.Evidence) ([]*wstk.Document, error) {
				return nil, nil
			},
			Read: func(context.Context, wstk.Snapshot) (*wstk.Document, error) {
				return doc, nil
			},
		}}
	}
	known, old := binder(fetch), binder()
	for name, b := range map[string]*verify.Binder{"a page that was read already": &known, "an older one": &old} {
		if got, err := b.Bind(t.Context(), quote); err != nil || got.Why != "" {
			t.Fatalf("%s: %+v, %v; want err == nil && got.Why == \"\"", name, got, err)
		}
	}
	for _, c := range []struct {
		name string
		min  int // looks
		work func(context.Context) error
	}{
		{"claims", 250, func(ctx context.Context) error {
			var claims []wstk.Claim
			for range 5 {
				claims = append(claims, wstk.Claim{Proposed: []wstk.Proposal{say, absent}})
			}
			_, err := s.Do(ctx, claims)
			return err
		}},
		{"a quote", 1, func(ctx context.Context) error { _, err := s.Recheck(ctx, quote); return err }},
		{"a forged quote", 1, func(ctx context.Context) error { _, err := s.Recheck(ctx, forged); return err }},
		{"a page", 1, func(ctx context.Context) error {
			b := binder(fetch)
			_, err := b.Bind(ctx, quote)
			return err
		}},
		{"a page that was read already", 1, func(ctx context.Context) error { _, err := known.Bind(ctx, quote); return err }},
		{"a page of an older form", 2, func(ctx context.Context) error {
			b := binder()
			_, err := b.Bind(ctx, quote)
			return err
		}},
		{"an older one that was read already", 2, func(ctx context.Context) error { _, err := old.Bind(ctx, quote); return err }},
	} {
		whole := &wstktest.Countdown{Context: t.Context(), Left: 1 << 30}
		if err := c.work(whole); err != nil {
			t.Fatalf("%s: %v; want err == nil", c.name, err)
		}
		looks := 1<<30 - whole.Left
		if looks < c.min {
			t.Errorf("%s: looked %d times whether to go on", c.name, looks)
		}
		for after := range looks {
			ctx := &wstktest.Countdown{Context: t.Context(), Left: after}
			if err := c.work(ctx); wstk.CodeOf(err) != wstk.Cancelled {
				t.Errorf("%s: ended after %d looks of %d: %v", c.name, after, looks, err)
			}
			if ctx.Late > 3 {
				t.Errorf("%s: ended after %d looks, and looked %d times more", c.name, after, ctx.Late)
			}
		}
	}
}

// TestTakingAResultApartStops ends the time in the middle of a large saved result: nothing
// of it is taken for all of it.
func TestTakingAResultApartStops(t *testing.T) {
	const many = 300
	quote := `{"quote": "It weighs 7.5 kg.", "url": "https://a.example/"}`
	list := func(of string) string { return strings.Repeat(of+",", many-1) + of }
	for name, given := range map[string]string{
		"values":          `[` + list(`{"n": 1}`) + `]`,
		"evidence":        `{"evidence": [` + list(quote) + `]}`,
		"an answer":       `{"query": "q", "extractions": [{"evidence": [` + list(quote) + `]}]}`,
		"answers":         `{"query": "q", "extractions": [` + list(`{"evidence": []}`) + `]}`,
		"JSON in strings": `[` + list(`"[{\"quote\": 1}]"`) + `]`,
	} {
		whole := &wstktest.Countdown{Context: t.Context(), Left: 1 << 30}
		if _, err := verify.Read(whole, []byte(given)); err != nil {
			t.Fatalf("%s: %v; want err == nil", name, err)
		}
		looks := 1<<30 - whole.Left
		if looks < 2*many {
			t.Errorf("%s: looked %d times whether to go on", name, looks)
		}
		for _, after := range []int{0, 1, looks / 4, looks / 2, looks * 3 / 4,
			looks - 2, looks - 1} {
			ctx := &wstktest.Countdown{Context: t.Context(), Left: after}
			if saved, err := verify.Read(ctx, []byte(given)); saved != nil ||
				wstk.CodeOf(err) != wstk.Cancelled {
				t.Errorf("%s: ended after %d looks of %d: %v", name, after, looks, err)
			}
			if ctx.Late > many+5 { // a list is passed over one by one
				t.Errorf("%s: ended after %d looks, and looked %d times more", name, after, ctx.Late)
			}
		}
	}
}

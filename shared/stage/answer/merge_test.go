package answer

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"wstk/shared/wstk"
)

// page is a text with chunks on it, one a line.
func page(url string, lines ...string) (hits []wstk.Hit) {
	chars, bytes := 0, 0
	for i, l := range lines {
		span := wstk.Span{CharStart: chars, CharEnd: chars + utf8.RuneCountInString(l),
			ByteStart: bytes, ByteEnd: bytes + len(l)}
		c := &wstk.Chunk{ID: fmt.Sprintf("%s#%d", url, i), Seq: i, Span: span}
		if i > 0 {
			c.Prev = fmt.Sprintf("%s#%d", url, i-1)
		}
		if i+1 < len(lines) {
			c.Next = fmt.Sprintf("%s#%d", url, i+1)
		}
		hits = append(hits, wstk.Hit{ID: c.ID, URL: url, Text: l, TextSHA256: wstk.Hash(url), Span: &span, Chunk: c})
		chars, bytes = span.CharEnd+1, span.ByteEnd+1
	}
	return hits
}

func idsOf(hits []wstk.Hit) (ids []string) {
	for _, h := range hits {
		ids = append(ids, h.ID)
	}
	return ids
}

// D6: the best passage of each sub-question comes first; then what is relevant and new.
func TestMergeOfSubQuestions(t *testing.T) {
	a := page("a", "Tickets cost nine euros for adults.", "Adults pay nine euros for tickets here.", "Children pay four euros.")
	b := page("b", "The museum opens at ten.", "Parking is behind the station.")
	m := Merge(Merging{Hits: [][]wstk.Hit{{a[0], a[1], a[2]}, {b[0], a[0], b[1]}}})
	if want := []string{"a#0", "b#0", "a#2", "b#1", "a#1"}; !slices.Equal(idsOf(m.Passages), want) {
		t.Errorf("%q, want %q", idsOf(m.Passages), want)
	}
	for i, h := range m.Passages {
		if h.Rank != i+1 {
			t.Errorf("%s has rank %d, want %d", h.ID, h.Rank, i+1)
		}
	}
	if m.Left != 0 || m.Tokens == 0 {
		t.Errorf("%d are left, %d tokens", m.Left, m.Tokens)
	}
}

// The best passage of a sub-question comes before better ones of another, even if it says much that
// was said.
func TestEachSubQuestionHasItsPassage(t *testing.T) {
	a := page("a", "Tickets for adults cost nine euros.", "Parking is behind the station.")
	b := page("b", "Tickets for children cost four euros.")
	m := Merge(Merging{Hits: [][]wstk.Hit{a, b}})
	if want := []string{"a#0", "b#0", "a#1"}; !slices.Equal(idsOf(m.Passages), want) {
		t.Errorf("%q, want %q", idsOf(m.Passages), want)
	}
}

// A passage that two searches found counts by the better of its ranks.
func TestTheBetterRankCounts(t *testing.T) {
	a, b := page("a", "alpha", "beta", "gamma"), page("b", "delta", "epsilon", "zeta", "eta")
	m := Merge(Merging{Hits: [][]wstk.Hit{a, append(b, a[1])}})
	ids := idsOf(m.Passages)
	if slices.Index(ids, "a#1") > slices.Index(ids, "a#2") {
		t.Errorf("%q; the second of a search comes behind its third", ids)
	}
}

// Hits beyond the bound are counted as left.
func TestMergeIsBounded(t *testing.T) {
	var lines []string
	for i := range maxMerged + 50 {
		lines = append(lines, fmt.Sprint("line", i))
	}
	if m := Merge(Merging{Hits: [][]wstk.Hit{page("a", lines...)}, Budget: 1_000_000}); m.Left != 50 {
		t.Errorf("%d are left, want 50", m.Left)
	}
}

// D6: what says the same words is left out, and so is a passage within another one.
func TestMergeRepeatsNothing(t *testing.T) {
	a, b := page("a", "Tickets cost nine euros."), page("b", "Tickets cost nine euros!")
	part := a[0]
	part.ID = "part"
	part.Span = &wstk.Span{ByteStart: 8, ByteEnd: 12, CharStart: 8, CharEnd: 12}
	part.Text = "cost"
	m := Merge(Merging{Hits: [][]wstk.Hit{{a[0], b[0], part}}})
	if want := []string{"a#0"}; !slices.Equal(idsOf(m.Passages), want) || m.Left != 0 {
		t.Errorf("%q, %d left; want %q", idsOf(m.Passages), m.Left, want)
	}
}

// D6: the chunks beside a strong passage come with it, if they are of its section.
func TestNeighboursOfStrongPassages(t *testing.T) {
	a := page("a", "Before it.", "Tickets cost nine euros.", "Behind it.", "Far away.")
	a[2].Chunk.Parent = 1 // another section
	hits := [][]wstk.Hit{{a[1]}}
	ids := Beside(hits)
	if want := []string{"a#0", "a#2"}; !slices.Equal(ids, want) {
		t.Errorf("beside the passage stand %q, want %q", ids, want)
	}
	m := Merge(Merging{Hits: hits, Near: map[string]wstk.Hit{"a#0": a[0], "a#2": a[2], "a#3": a[3]}})
	if want := []string{"a#1", "a#0"}; !slices.Equal(idsOf(m.Passages), want) {
		t.Errorf("%q, want %q", idsOf(m.Passages), want)
	}
	far := page("f", "one", "two", "three", "four", "five")
	if ids := Beside([][]wstk.Hit{{far[0], far[2], far[4], a[1]}}); slices.Contains(ids, "a#0") {
		t.Errorf("%q; the fourth hit is not strong", ids)
	}
}

// A long passage is cut behind a sentence, and never within a quoted span.
func TestNothingIsCutWithinAQuote(t *testing.T) {
	sentence := "The ferry leaves the northern harbour at seven every morning. " // 13 tokens
	long := page("a", strings.Repeat(sentence, 10))
	in := Merging{Hits: [][]wstk.Hit{{long[0]}}, Budget: 70}
	m := Merge(in)
	if len(m.Passages) != 1 || m.Tokens > 70 {
		t.Fatalf("%+v; want one passage of at most 70 tokens", m)
	}
	free := m.Passages[0]
	n := len(free.Text)
	if rest := n % len(sentence); !strings.HasPrefix(long[0].Text, free.Text) ||
		rest != 0 && rest != len(sentence)-1 ||
		free.Span.ByteEnd != n || free.Span.CharEnd != n || long[0].Span.ByteEnd == n {
		t.Errorf("cut to %q at %+v; the passage itself ends at %d", free.Text, free.Span, long[0].Span.ByteEnd)
	}
	end := len(free.Text)
	in.Quoted = map[wstk.Hash][]wstk.Span{"a": {{ByteStart: end - 10, ByteEnd: end + 10}}}
	if m = Merge(in); len(m.Passages) != 1 || len(m.Passages[0].Text) >= end-10 {
		t.Errorf("%+v; want a cut before the quote", m)
	}
	in.Quoted["a"][0].ByteStart = 10
	if m = Merge(in); len(m.Passages) != 0 || m.Left != 1 {
		t.Errorf("%+v; want none, since each cut is within the quote", m)
	}
	in.Quoted = map[wstk.Hash][]wstk.Span{"other": {{ByteStart: 0, ByteEnd: 1000}}}
	if m = Merge(in); len(m.Passages) != 1 {
		t.Errorf("a quote of another text leaves %d passages", len(m.Passages))
	}
}

// D6: whatever is merged, the budget of tokens is kept, nothing comes twice, each passage was found,
// and no quoted span is cut.
func TestMergeKeepsItsLaws(t *testing.T) {
	words := strings.Fields("ticket museum opens. ferry leaves harbour! nine euros adults; children free, winter. 日本語。 über? the a of")
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 7))
		var all []wstk.Hit
		quoted := map[wstk.Hash][]wstk.Span{}
		for p := range 1 + r.IntN(5) {
			var lines []string
			for range 1 + r.IntN(6) {
				var l []string
				for range 1 + r.IntN(120) {
					l = append(l, words[r.IntN(len(words))])
				}
				lines = append(lines, strings.Join(l, " "))
			}
			hits := page(fmt.Sprint("p", p), lines...)
			whole := hits[len(hits)-1].Span.ByteEnd
			for range r.IntN(8) {
				start := r.IntN(whole)
				quoted[hits[0].TextSHA256] = append(quoted[hits[0].TextSHA256],
					wstk.Span{ByteStart: start, ByteEnd: start + 1 + r.IntN(300)})
			}
			all = append(all, hits...)
		}
		found, near := map[string]wstk.Hit{}, map[string]wstk.Hit{}
		in := Merging{Budget: 1 + r.IntN(600), Near: near, Quoted: quoted}
		for range 1 + r.IntN(4) {
			var list []wstk.Hit
			for range r.IntN(12) {
				h := all[r.IntN(len(all))]
				list = append(list, h)
				found[h.ID] = h
			}
			in.Hits = append(in.Hits, list)
		}
		for _, h := range all {
			near[h.ID] = h
			found[h.ID] = h
		}
		m := Merge(in)
		if again := Merge(in); !slices.Equal(idsOf(again.Passages), idsOf(m.Passages)) {
			t.Fatalf("seed %d: two merges differ", seed)
		}
		sum, seen := 0, map[string]bool{}
		for _, h := range m.Passages {
			sum += tokensIn(h)
			o := found[h.ID]
			if seen[h.ID] || h.Span.ByteEnd-h.Span.ByteStart != len(h.Text) || !strings.HasPrefix(o.Text, h.Text) ||
				h.Span.CharEnd-h.Span.CharStart != utf8.RuneCountInString(h.Text) || *o.Span != o.Chunk.Span {
				t.Fatalf("seed %d: %+v is twice, or not a passage", seed, h)
			}
			seen[h.ID] = true
			if h.Span.ByteEnd < o.Span.ByteEnd {
				for _, q := range quoted[h.TextSHA256] {
					if q.ByteStart < h.Span.ByteEnd && h.Span.ByteEnd < q.ByteEnd {
						t.Fatalf("seed %d: the quote %+v is cut at %d", seed, q, h.Span.ByteEnd)
					}
				}
			}
		}
		if sum != m.Tokens || sum > in.Budget {
			t.Fatalf("seed %d: %d tokens, said are %d, the budget has %d", seed, sum, m.Tokens, in.Budget)
		}
	}
}

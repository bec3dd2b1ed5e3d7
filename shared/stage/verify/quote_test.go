package verify

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

func TestFind(t *testing.T) {
	cases := []struct {
		name, text, quote string
		near              int
		want              string // the stored words; "" when they must not be found
		status            wstk.EvidenceStatus
	}{
		{"verbatim", "The limit is 140 terabytes.", "limit is 140", -1, "limit is 140", wstk.StatusDirect},
		{"outer space of the quote is nothing", "The limit is 140.", "  limit is\n", -1, "limit is", wstk.StatusDirect},
		{"nearest to the hint", "one two one two one", "one", 9, "one", wstk.StatusDirect},
		{"quote marks fold", "He said “no” twice", `said "no" twice`, -1, "said “no” twice", wstk.StatusNormalized},
		{"dashes and spaces fold", "pages 10–12\u00a0of it", "pages 10-12 of it", -1, "pages 10–12\u00a0of it", wstk.StatusNormalized},
		{"line breaks fold", "a long\nline", "a long line", -1, "a long\nline", wstk.StatusNormalized},
		{"soft hyphen folds", "data\u00adbase file", "database file", -1, "data\u00adbase file", wstk.StatusNormalized},
		{"ligature folds whole", "the ﬁle", "the file", -1, "the ﬁle", wstk.StatusNormalized},
		{"full width folds", "ＳＱＬ ok", "SQL ok", -1, "ＳＱＬ ok", wstk.StatusNormalized},
		{"decomposed finds composed", "café noir", "cafe\u0301 noir", -1, "café noir", wstk.StatusNormalized},
		{"composed finds decomposed", "cafe\u0301 noir", "café noir", -1, "cafe\u0301 noir", wstk.StatusNormalized},

		{"case is not folded", "the Limit", "limit", -1, "", ""},
		{"superscripts are not digits", "about 10⁵ rows", "about 105 rows", -1, "", ""},
		{"subscripts are not digits", "H₂O", "H2O", -1, "", ""},
		{"fractions are not digits", "½ cup", "1/2 cup", -1, "", ""},
		{"enclosed numbers are not digits", "step ① first", "step 1 first", -1, "", ""},
		{"a power is not its base", "about 10⁵ rows", "about 10", -1, "", ""},
		{"a mixed number is not its whole", "1½ cups", "1", -1, "", ""},
		{"a number is not a part of a longer one", "it is 21,000 long", "1,000 long", -1, "", ""},
		{"nor of a decimal one", "version 5.2 only", "version 5", -1, "", ""},
		{"nor of its fraction", "version 5.2 only", "2 only", -1, "", ""},
		{"a full stop after a number is no decimal point", "It is 5. Then", "It is 5", -1, "It is 5", wstk.StatusDirect},
		{"a word is not a part of a longer one", "unsupported here", "supported here", -1, "", ""},
		{"a letter is not its accented form", "cafe\u0301 noir", "cafe", -1, "", ""},
		{"the second place is whole", "10⁵ and 10 rows", "10", -1, "10", wstk.StatusDirect},
		{"ellipsis does not bridge", "one two three four", "one … four", -1, "", ""},
		{"Chinese has no word ends", "数据库的最大大小为140TB", "最大大小", -1, "最大大小", wstk.StatusDirect},
		{"emoji sequences stay whole", "family 👨\u200d👩\u200d👧 here", "👨", -1, "", ""},
		{"an offset counts an emoji once", "😀 and 𝒳 cost 9 €", "cost 9 €", -1, "cost 9 €", wstk.StatusDirect},
		{"Arabic", "الحد الأقصى هو ١٠٠ صفحة", "هو ١٠٠ صفحة", -1, "هو ١٠٠ صفحة", wstk.StatusDirect},
		{"nothing is never found", "text", "", -1, "", ""},
		{"only soft hyphens are nothing", "text", "\u00ad\u00ad", -1, "", ""},
		{"longer than the text", "short", "short and more", -1, "", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			h := &Haystack{Text: c.text}
			span, status, ok := h.Find(c.quote, c.near)
			if !ok {
				if c.want != "" {
					t.Fatalf("%q is not found, want %q", c.quote, c.want)
				}
				return
			}
			got := c.text[span.ByteStart:span.ByteEnd]
			if got != c.want || status != c.status {
				t.Fatalf("got %q %s, want %q %s", got, status, c.want, c.status)
			}
			if got, want := span.CharStart,
				utf8.RuneCountInString(c.text[:span.ByteStart]); got != want {
				t.Errorf("char start %d, want %d", got, want)
			}
			if got, want := span.CharEnd,
				utf8.RuneCountInString(c.text[:span.ByteEnd]); got != want {
				t.Errorf("char end %d, want %d", got, want)
			}
		})
	}
}

func TestFindPrefersTheHint(t *testing.T) {
	s := "Default: 1. Other. Default: 1. Last."
	h := &Haystack{Text: s}
	want := strings.LastIndex(s, "Default: 1")
	for _, near := range []int{want - 1, want, want + 3, len(s)} {
		span, _, ok := h.Find("Default: 1", near)
		if !ok || span.ByteStart != want {
			t.Errorf("near %d: got %v %v, want start %d", near, span, ok, want)
		}
	}
}

// Whatever the text and the quote are, what is found is a substring of the text on
// code point boundaries, with offsets that agree, and folds to the same words.
func FuzzFind(f *testing.F) {
	f.Add("The limit is “140” TB.", `"140"`, 3)
	f.Add("10⁵ rows", "105", -1)
	f.Add("cafe\u0301 noir ﬁ", "café noir fi", 0)
	f.Add("数据库最大", "库最", 2)
	f.Add("a\xffb a\xffb", "a\xffb", 4)
	f.Add("😀 𝒳 costs 9", "costs 9", -1)
	f.Fuzz(func(t *testing.T, s, quote string, near int) {
		h := &Haystack{Text: s}
		span, status, ok := h.Find(quote, near)
		if !ok {
			return
		}
		if span.ByteStart < 0 || span.ByteStart >= span.ByteEnd || span.ByteEnd > len(s) {
			t.Fatalf("span %v outside a text of %d bytes", span, len(s))
		}
		got := s[span.ByteStart:span.ByteEnd]
		if utf8.ValidString(s) && !utf8.ValidString(got) {
			t.Fatalf("%q cuts a code point", got)
		}
		if span.CharStart != utf8.RuneCountInString(s[:span.ByteStart]) ||
			span.CharEnd != utf8.RuneCountInString(s[:span.ByteEnd]) {
			t.Fatalf("char offsets of %v do not match", span)
		}
		if status == wstk.StatusDirect && got != strings.TrimSpace(quote) {
			t.Fatalf("direct quote is %q, asked %q", got, quote)
		}
		if digits(got) != digits(quote) {
			t.Fatalf("digits changed: %q for %q", got, quote)
		}
	})
}

// digits keeps every rune with a numeric meaning; full-width ones become ASCII as
// the fold table says.
func digits(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '０' && r <= '９' {
			return r - '０' + '0'
		}
		if unicode.Is(unicode.N, r) {
			return r
		}
		return -1
	}, s)
}

func BenchmarkFind(b *testing.B) {
	s := strings.Repeat("The quick “brown” fox jumps over the lazy dog. ", 2000) + "needle’s end"
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		h := &Haystack{Text: s}
		if _, _, ok := h.Find("needle's end", -1); !ok {
			b.Fatal("not found")
		}
	}
}

// Law 1: a quote that is a part of its sentence carries all of it.
func TestSentenceAt(t *testing.T) {
	d := &wstk.Document{Text: "Myths\nIt is not true that the earth is flat. It is round.\nRoom\t12 m², 3 beds\nIs tea good for you?"}
	d.Meta.Language = "en"
	at := 0
	for _, line := range strings.SplitAfter(d.Text, "\n") {
		d.Blocks = append(d.Blocks,
			wstk.Block{Span: wstk.Span{ByteStart: at,
				ByteEnd: at + len(strings.TrimSuffix(line, "\n"))}})
		at += len(line)
	}
	for quote, want := range map[string]string{
		"the earth is flat":                      "It is not true that the earth is flat.",
		"It is not true that the earth is flat.": "",
		"It is not true that the earth is flat":  "",
		"It is round.":                           "",
		"the earth is flat. It is round.":        "It is not true that the earth is flat. It is round.",
		"Myths":                                  "",
		"Room":                                   "",
		"3 beds":                                 "12 m², 3 beds",
		"12 m², 3 beds":                          "",
		"Is tea good for you":                    "Is tea good for you?",
		"Myths\nIt is not true that the earth is flat.": "",
		"Myths\nIt is not true":                         "Myths\nIt is not true that the earth is flat.",
	} {
		i := strings.Index(d.Text, quote)
		span := (&Haystack{Text: d.Text}).Span(text.Range{Start: i, End: i + len(quote)})
		if got := SentenceAt(d, span); got != want {
			t.Errorf("of %q: %q, want %q", quote, got, want)
		}
	}
	if got := SentenceAt(d, wstk.Span{ByteStart: 5, ByteEnd: 5000}); got != "" {
		t.Errorf("outside the text: %q", got)
	}
}

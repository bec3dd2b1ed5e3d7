package text

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

func TestFold(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"plain", "plain"},
		{"“quoted” ‘text’ it’s", `"quoted" 'text' it's`},
		{"«a» ‹b› „c‟", `"a" 'b' "c"`},
		{"5–10 — x − y ‐ z ‑ w", "5-10 - x - y - z - w"},
		{"a \u00a0\t\n b", "a b"},
		{" a\u3000b ", " a b "},
		{"co\u00adop\u200bera\u2060tion\ufeff", "cooperation"},
		{"a \u200b b", "a b"},
		{"left\u200e\u200f\u202eright\u202c", "leftright"},
		{"ﬁne ﬂow oﬀ eﬃcient ﬆ ĳs", "fine flow off efficient st ijs"},
		{"ＡＢＣ１２３（！）", "ABC123(!)"},
		{"￥100 ￡5", "¥100 £5"},
		{"e\u0301", "é"},
		{"e\u00ad\u0301", "é"},
		{"ｅ\u0301", "é"},
		{"\u212b \u2126", "Å Ω"},
		{"한", "한"},
		// what must never change
		{"10⁵ H₂O ½ ¼ ① ⒈ ㈱ ™ ª № ℃ … œ æ ª", "10⁵ H₂O ½ ¼ ① ⒈ ㈱ ™ ª № ℃ … œ æ ª"},
		{"می\u200cخواهم 👨\u200d👩", "می\u200cخواهم 👨\u200d👩"},
		{"ｶﾀｶﾅ ー 〜", "ｶﾀｶﾅ ー 〜"},
		{"a\xffb", "a\uFFFDb"},
		{"\xe2\u00ad\x80\x99", "\uFFFD\uFFFD\uFFFD"},
	} {
		if got := Fold(c.in).Text; got != c.want {
			t.Errorf("Fold(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

// No single code point that carries a number or a compatibility meaning folds to
// something else, except for the forms the table names.
func TestFoldTouchesOnlyItsTable(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if r >= 0xD800 && r <= 0xDFFF {
			continue
		}
		in := string(r)
		got := Fold(in).Text
		if again := Fold(got).Text; again != got {
			t.Errorf("Fold twice: U+%04X %q then %q", r, got, again)
		}
		if got == norm.NFC.String(in) {
			continue
		}
		_, inTable := FoldRune(r)
		if !inTable && !unicode.IsSpace(r) && !Dropped(r) {
			t.Errorf("U+%04X folds to %q", r, got)
		}
		if unicode.Is(unicode.No, r) || unicode.Is(unicode.Nl, r) {
			t.Errorf("number U+%04X folds to %q", r, got)
		}
	}
}

func TestOriginal(t *testing.T) {
	for _, c := range []struct{ in, find, want string }{
		{"say “hello” now", `"hello"`, "“hello”"},
		{"a \u00a0 b", "a b", "a \u00a0 b"},
		{"x  yz", "yz", "yz"},
		{"co\u00adop", "coop", "co\u00adop"},
		{"\u00adco\u00ad", "co", "co"},
		{"oﬃce", "o", "o"},
		{"oﬃce", "f", "ﬃ"},
		{"oﬃce", "ffi", "ﬃ"},
		{"oﬃce", "ice", "ﬃce"},
		{"cafe\u0301s", "café", "cafe\u0301"},
		{"cafe\u0301s", "s", "s"},
		{"cafe\u0301s", "caf", "caf"},
		{"x\u0304y", "x", "x\u0304"}, // no composed form: still never half of it
		{"x\u00ad\u0304y", "x", "x\u00ad\u0304"},
		{"x\u0304y", "\u0304", "x\u0304"},
		{"１０⁵ m", "10", "１０"},
		{"a\xffb", "\uFFFDb", "\xffb"},
		{"日本 “語”", `"語"`, "“語”"},
	} {
		f := Fold(c.in)
		i := strings.Index(f.Text, c.find)
		if i < 0 {
			t.Errorf("%q not in Fold(%q) = %q", c.find, c.in, f.Text)
			continue
		}
		r := f.Original(i, i+len(c.find))
		if got := c.in[r.Start:r.End]; got != c.want {
			t.Errorf("Fold(%q): %q stands at %q, want %q", c.in, c.find, got, c.want)
		}
	}
	f := Fold("abc")
	for _, r := range []Range{{-1, 1}, {1, 1}, {2, 1}, {0, 4}} {
		if got := f.Original(r.Start, r.End); got != (Range{}) {
			t.Errorf("Original(%v) = %v", r, got)
		}
	}
}

func TestFoldCompare(t *testing.T) {
	for _, c := range []struct{ a, b string }{
		{"  Hello\u00a0 WORLD ", "hello world"},
		{"STRASSE", "Straße"},
		{"ΟΔΟΣ", "οδος"},
		{"“X”", `"x"`},
		{"É", "e\u0301"},
	} {
		if x, y := FoldCompare(c.a), FoldCompare(c.b); x != y {
			t.Errorf("FoldCompare(%q) = %q, FoldCompare(%q) = %q", c.a, x, c.b, y)
		}
	}
	if FoldCompare("10⁵") == FoldCompare("105") || FoldCompare("½") == FoldCompare("1/2") {
		t.Error("a number was altered")
	}
}

func TestStrip(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""}, {"plain", "plain"}, {"日本語 “x”", "日本語 “x”"},
		{"a\u200bb\u2060c\ufeffd", "abcd"},
		{"\u202aa\u202bb\u202cc\u202dd\u202ee", "abcde"},
		{"\u2066a\u2067b\u2068c\u2069", "abc"},
		{"x\U000E0041\U000E007Fy", "xy"},
		{"a\u200cb\u200dc\u200ed\u200fe\u061cf\u00adg", "a\u200cb\u200dc\u200ed\u200fe\u061cf\u00adg"},
		{"\xff\u200b\xfe", "\xff\xfe"},
	} {
		if got := Strip(c.in); got != c.want {
			t.Errorf("Strip(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func FuzzFold(f *testing.F) {
	for _, s := range []string{"“a”  ﬁ e\u0301 １", "e\u00ad\u0301\u0323", "\xe2\u200b\x80\x99", "x\u0304\u00ad\u0305 \u3000y", "\u1100\u1161\u11a8", " \u00ad ",
		strings.Repeat("\u0301", 80), "\u0344\u0f73\u0f75", "T\xb3\u0f69", "\u0f69\u0f69 \u0958\u0959"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		fd := Fold(s)
		if !utf8.ValidString(fd.Text) {
			t.Fatalf("Fold(%q) = %q is not valid", s, fd.Text)
		}
		if again := Fold(fd.Text).Text; again != fd.Text {
			t.Fatalf("Fold(%q) = %q, then %q", s, fd.Text, again)
		}
		if c := FoldCompare(s); FoldCompare(c) != c {
			t.Fatalf("FoldCompare(%q) = %q, then %q", s, c, FoldCompare(c))
		}
		last := Range{}
		for i := range fd.Text {
			_, size := utf8.DecodeRuneInString(fd.Text[i:])
			r := fd.Original(i, i+size)
			if r.Start >= r.End || r.Start < last.Start || r.End < last.End {
				t.Fatalf("Fold(%q): byte %d of %q is from %v, the one before from %v", s, i, fd.Text, r, last)
			}
			if !boundary(s, r.Start) || !boundary(s, r.End) {
				t.Fatalf("Fold(%q): %v is not on code points", s, r)
			}
			last = r
			if whole := fd.Original(0, i+size); whole.Start > r.Start || whole.End != r.End {
				t.Fatalf("Fold(%q): prefix %d is %v, its end %v", s, i+size, whole, r)
			}
		}
		if len(fd.Text) > 0 {
			r := fd.Original(0, len(fd.Text))
			if got := Fold(s[r.Start:r.End]).Text; got != fd.Text {
				t.Fatalf("Fold(%q): the whole is %q, which folds to %q, not %q", s, s[r.Start:r.End], got, fd.Text)
			}
		}
		if st := Strip(s); Strip(st) != st && utf8.ValidString(s) {
			t.Fatalf("Strip(%q) = %q, then %q", s, st, Strip(st))
		}
	})
}

// boundary is true where a range loop over s stops, and at its end.
func boundary(s string, i int) bool {
	if i == len(s) {
		return true
	}
	for j := range s {
		if j >= i {
			return j == i
		}
	}
	return false
}

func BenchmarkFold(b *testing.B) {
	for name, s := range map[string]string{
		"ASCII":   strings.Repeat("Plain words of a page, nothing to fold. ", 5000),
		"quotes":  strings.Repeat("It’s “typographic” text — with dashes. ", 5000),
		"marks":   strings.Repeat("cafe\u0301 re\u0301sume\u0301 ", 5000),
		"Chinese": strings.Repeat("东京是日本的首都，人口众多。", 5000),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			b.ReportAllocs()
			for b.Loop() {
				Fold(s)
			}
		})
	}
}

package text

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func checkOffsets(t *testing.T, s string) {
	t.Helper()
	o := NewOffsets(s)
	n := 0
	for i, r := range s {
		if got := o.Byte(n); got != i {
			t.Fatalf("Byte(%d) = %d, want %d in %.80q", n, got, i, s)
		}
		_, size := utf8.DecodeRuneInString(s[i:])
		for j := i; j < i+size; j++ {
			if got := o.Char(j); got != n {
				t.Fatalf("Char(%d) = %d, want %d in %.80q (%q)", j, got, n, s, r)
			}
		}
		n++
	}
	for _, c := range []struct{ got, want int }{
		{o.Chars(), n}, {o.Char(len(s)), n}, {o.Char(len(s) + 9), n}, {o.Char(-1), 0},
		{o.Byte(n), len(s)}, {o.Byte(n + 9), len(s)}, {o.Byte(-1), 0},
	} {
		if c.got != c.want {
			t.Fatalf("at an end of %.80q: %d, want %d", s, c.got, c.want)
		}
	}
}

func TestOffsets(t *testing.T) {
	for _, s := range []string{
		"", "a", "é", "plain ASCII", "naïve café", "日本語のテキスト", "👩‍👩‍👧 family", "\xff\xfe bad \xc3", "e\u0301",
		strings.Repeat("aé日👍", 500), strings.Repeat("x", 1000), strings.Repeat("x", 300) + "é",
		strings.Repeat("👍", 64), strings.Repeat("👍", 65),
	} {
		checkOffsets(t, s)
	}
}

func FuzzOffsets(f *testing.F) {
	f.Add("aé日👍\xff")
	f.Fuzz(func(t *testing.T, s string) {
		checkOffsets(t, s)
		if len(s) < 200 {
			checkOffsets(t, strings.Repeat(s, 70))
		}
	})
}

func BenchmarkOffsets(b *testing.B) {
	s := strings.Repeat("aé日👍 and plain words ", 50000)
	b.Run("New", func(b *testing.B) {
		b.SetBytes(int64(len(s)))
		for b.Loop() {
			NewOffsets(s)
		}
	})
	o := NewOffsets(s)
	i := 0
	b.Run("Char", func(b *testing.B) {
		for b.Loop() {
			i = (i + 100003) % len(s)
			o.Char(i)
		}
	})
	b.Run("Byte", func(b *testing.B) {
		for b.Loop() {
			i = (i + 100003) % o.Chars()
			o.Byte(i)
		}
	})
}

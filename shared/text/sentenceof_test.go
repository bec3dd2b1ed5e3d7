package text

import (
	"strings"
	"testing"
)

func TestSentenceOf(t *testing.T) {
	for _, c := range []struct{ name, s, words, want string }{
		{"a whole sentence", "One is here. Two is there. Three.", "Two is there.", "Two is there."},
		{"outer space is nothing", "One is here. Two is there. Three.", " Two is there. ", "Two is there."},
		{"a clause", "It is not true that the earth is flat. Next.", "the earth is flat", "It is not true that the earth is flat."},
		{"two sentences in part", "One is here. Two is there. Three is gone.", "is here. Two", "One is here. Two is there."},
		{"a cell of a row", "Pottery\t8 weeks long\t£64", "8 weeks", "8 weeks long"},
		{"cells of a row", "Pottery class\t8 weeks long\t£64", "class\t8", "Pottery class\t8 weeks long"},
		{"no block holds it", "before|It is not so here.", "before", "before"},
		{"blocks end sentences", "A heading\n|It is a mere line.", "mere", "It is a mere line."},
		{"a wrapped line", "|It is by no means and in no way at all true that a\nlong sentence is broken here by its width alone, as\nsome people say who have never seen one of them.", "sentence is broken", "It is by no means and in no way at all true that a\nlong sentence is broken here by its width alone, as\nsome people say who have never seen one of them."},
		{"Chinese", "谣言说吃盐能防病。这是假的。", "吃盐能防病", "谣言说吃盐能防病。"},
		{"an abbreviation ends nothing", "Nobody, e.g. the mayor, was here. Two.", "the mayor", "Nobody, e.g. the mayor, was here."},
	} {
		head, tail, _ := strings.Cut(c.s, "|")
		if tail == "" {
			head, tail = "", c.s
		}
		s := head + tail
		at := strings.Index(s, c.words)
		r := SentenceOf(s, "en", Range{at, at + len(c.words)}, func(at int) (Range, bool) {
			return Range{len(head), len(s)}, at >= len(head)
		})
		if got := s[r.Start:r.End]; got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// A text without stops costs no more than what is near.
func TestSentenceOfIsBounded(t *testing.T) {
	s := strings.Repeat("word ", 200_000)
	at := len(s) / 2 / 5 * 5
	r := SentenceOf(s, "en", Range{at, at + 4}, func(int) (Range, bool) {
		return Range{0, len(s)}, true
	})
	if n := r.End - r.Start; n < sentenceReach || n > 2*sentenceReach ||
		s[r.Start-1] != ' ' || s[r.End] != ' ' {
		t.Errorf("%d bytes, from %q", n, s[r.Start-1:r.Start+9])
	}
	han := strings.Repeat("水", 20_000)
	r = SentenceOf(han, "zh", Range{30_000, 30_003}, func(int) (Range, bool) {
		return Range{0, len(han)}, true
	})
	if r.Start%3 != 0 || r.End%3 != 0 || r.End-r.Start > 2*sentenceReach+3 {
		t.Errorf("%+v", r)
	}
}

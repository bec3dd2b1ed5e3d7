package value

import (
	"strings"
)

// splitters read numbers in one word, by language.
var splitters = map[string]func(*numberWords, string) (float64, bool){
	"it": splitItalian,
	"de": splitGermanic("tausend", "hundert", "und"),
	"nl": splitGermanic("duizend", "honderd", "en", "ën"),
	"sv": splitGermanic("tusen", "hundra"),
}

// splitWord reads a number written in one word.
func (v *valuer) splitWord(word string) (float64, bool) {
	if !v.words.maySplit(word) {
		return 0, false
	}
	return v.words.split(v.words, word)
}

// maySplit is a quick test for a number written in one word.
func (w *numberWords) maySplit(word string) bool {
	if w.split == nil || len(word) < 6 || len(word) > 80 {
		return false
	}
	for _, h := range w.hints {
		if strings.Contains(word, h) {
			return true
		}
	}
	return false
}

// splitGermanic reads zweihundertfünfundzwanzig: thousands, hundreds, and units
// before tens with and between, or behind tens without.
func splitGermanic(
	thousand, hundred string, ands ...string,
) func(*numberWords, string) (float64, bool) {
	// counted reads what is counted before word, which is one where nothing stands there.
	counted := func(
		s, word string, below func(string) (float64, bool),
	) (f float64, rest string, ok bool) {
		before, rest, found := strings.Cut(s, word)
		if !found {
			return 0, s, true
		}
		if before == "" {
			return 1, rest, true
		}
		f, ok = below(before)
		return f, rest, ok
	}
	return func(w *numberWords, s string) (float64, bool) {
		below100 := func(s string) (float64, bool) { return w.belowHundred(s, ands) }
		below1000 := func(s string) (float64, bool) {
			hundreds, rest, ok1 := counted(s, hundred, below100)
			f, ok2 := below100(rest)
			return hundreds*100 + f, ok1 && ok2
		}
		thousands, rest, ok1 := counted(s, thousand, below1000)
		f, ok2 := below1000(rest)
		total := thousands*1000 + f
		return total, ok1 && ok2 && total > 0
	}
}

// belowHundred reads a number below a hundred in one word, "" as nothing: zwanzig,
// fünfundzwanzig or, without ands, tjugofem; "und" may stand before all of it.
func (w *numberWords) belowHundred(s string, ands []string) (float64, bool) {
	if s == "" {
		return 0, true
	}
	for _, and := range ands {
		if rest, ok := strings.CutPrefix(s, and); ok { // hundertundeins
			if f, ok := w.units[rest]; ok {
				return f, true
			}
		}
	}
	if f, ok := w.units[s]; ok {
		return f, true
	}
	for tens, f := range w.units {
		if f < 20 || f > 90 {
			continue
		}
		one, ok := strings.CutPrefix(s, tens)
		if len(ands) > 0 {
			one, ok = cutBefore(s, tens, ands)
		}
		if u := w.units[one]; ok && u > 0 && u < 10 {
			return f + u, true
		}
	}
	return 0, false
}

// cutBefore returns what stands before one of ands and a tail.
func cutBefore(s, tail string, ands []string) (string, bool) {
	rest, ok := strings.CutSuffix(s, tail)
	for _, and := range ands {
		if one, found := strings.CutSuffix(rest, and); ok && found {
			return one, true
		}
	}
	return "", false
}

// splitItalian reads duecentoventitré and tremilacinquecento.
func splitItalian(w *numberWords, s string) (float64, bool) {
	total := 0.0
	for _, m := range []struct {
		word string
		f    float64
	}{{"mila", 1000}, {"mille", 1000}, {"cento", 100}} {
		i := strings.Index(s, m.word)
		if i < 0 {
			continue
		}
		left := 1.0
		if i > 0 {
			var ok bool
			if left, ok = splitItalian(w, s[:i]); !ok {
				return 0, false
			}
		}
		total += left * m.f
		s = s[i+len(m.word):]
	}
	if s == "" {
		return total, total > 0
	}
	if f, ok := w.units[s]; ok {
		return total + f, true
	}
	for tens, f := range w.units {
		if f < 20 || f > 90 {
			continue
		}
		// ventuno and ventotto drop the vowel
		for _, stem := range []string{tens, tens[:len(tens)-1]} {
			if rest, ok := strings.CutPrefix(s, stem); ok {
				if u, ok := w.units[rest]; ok && u > 0 && u < 10 {
					return total + f + u, true
				}
			}
		}
	}
	return 0, false
}

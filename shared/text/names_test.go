package text

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestNames(t *testing.T) {
	for _, c := range []struct{ lang, in, want string }{
		{"en", "", ""},
		{"en", "The dog runs. It barks.", ""},
		{"en", "SQLite was written by D. Richard Hipp in 2000.", "SQLite|D. Richard Hipp"},
		{"en", "The Bank of England and the University of California, Los Angeles, met in Paris and London.", "Bank of England|University of California|Los Angeles|Paris|London"},
		{"en", "Ludwig van Beethoven knew J. K. Rowling, said Dr. Smith of the U.S. Navy.", "Ludwig van Beethoven|J. K. Rowling|Dr. Smith of the U.S. Navy"},
		{"en", "Apple sells the iPhone. In Berlin, Apple opened a store.", "Apple|iPhone|Berlin|Apple"},
		{"en", "When Monday comes, NASA and 3M will talk to AT&T.", "NASA|AT&T"},
		{"en", "Frequently Asked Questions About Backup Tools\nThe backup was made by Oracle.", "Oracle"},
		{"en", "O’Brien met Jean-Paul Sartre.", "O’Brien|Jean-Paul Sartre"},
		{"de", "Der Hund der Frau Angela Merkel bellt bei SAP im Haus.", "Frau Angela Merkel|SAP"},
		{"es", "El presidente de España, Pedro Sánchez, viajó a la Ciudad de México.", "España|Pedro Sánchez|Ciudad de México"},
		{"ru", "Писатель Лев Толстой жил в Ясной Поляне.", "Писатель Лев Толстой|Ясной Поляне"},
		{"ja", "レオナルド・ダ・ヴィンチは画家です。", "レオナルド・ダ・ヴィンチ"},
		{"zh", "他写了《红楼梦》。", "红楼梦"},
		{"ar", "هذا نص", ""},
	} {
		var got []string
		for _, r := range Names(c.in, c.lang) {
			got = append(got, c.in[r.Start:r.End])
		}
		if strings.Join(got, "|") != c.want {
			t.Errorf("%s %q\n got %s\nwant %s", c.lang, c.in, strings.Join(got, "|"), c.want)
		}
	}
}

func FuzzNames(f *testing.F) {
	for _, s := range []string{"A. B. of the C. D", "《a《b》・ア・イ・", "İ ǅ \xff Ab.c U.S.", "The The THE tHe"} {
		f.Add(s, "en")
		f.Add(s, "de")
	}
	f.Fuzz(func(t *testing.T, s, lang string) {
		end := 0
		for _, r := range Names(s, lang) {
			if r.Start < end || r.End <= r.Start || r.End > len(s) ||
				utf8.ValidString(s) && !utf8.ValidString(s[r.Start:r.End]) {
				t.Fatalf("Names(%q): %v after %d", s, r, end)
			}
			end = r.End
		}
	})
}

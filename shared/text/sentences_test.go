package text

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// In the texts "|" marks where a sentence ends.
func TestSentences(t *testing.T) {
	for _, c := range []struct{ lang, text string }{
		{"en", "Hello world.| This is a test.| Right"},
		{"en", "What is your name?| My name is Jonas."},
		{"en", "There it is!| I found it."},
		{"en", "My name is Jonas E. Smith."},
		{"en", "Please turn to p. 55."},
		{"en", "Were Jane and co. at the party?"},
		{"en", "They closed the deal with Pitt, Briggs & Co. at noon."},
		{"en", "Let's ask Jane and co.| They should know."},
		{"en", "They closed the deal with Pitt, Briggs & Co.| It closed yesterday."},
		{"en", "I can see Mt. Fuji from here."},
		{"en", "St. Michael's Church is on 5th st. near the light."},
		{"en", "That is JFK Jr.'s book."},
		{"en", "I visited the U.S.A. last year."},
		{"en", "I live in the E.U.| How about you?"},
		{"en", "I live in the U.S.| How about you?"},
		{"en", "I work for the U.S. Government in Virginia."},
		{"en", "I have lived in the U.S. for 20 years."},
		{"en", "At 5 a.m. Mr. Smith went to the bank.| He left the bank at 6 P.M.| Mr. Smith then went to the store."},
		{"en", "She has $100.00 in her bag.| She has $100.00.| It is in her bag."},
		{"en", `He teaches science (He previously worked for 5 years as an engineer.) at the local University.`},
		{"en", "Her email is Jane.Doe@example.com.| I sent her an email."},
		{"en", "The site is: https://www.example.50.com/new-site/awesome_content.html.| Please check it out."},
		{"en", "She turned to him, 'This is great.' she said."},
		{"en", "She turned to him, \"This is great.\" she said."},
		{"en", "She turned to him, \"This is great.\"| She held the book out to show him."},
		{"en", "Hello!!| Long time no see."},
		{"en", "Hello??| Who is there?"},
		{"en", "Hello!?| Is that you?"},
		{"en", "1. The first item.| 2. The second item."},
		{"en", "a. The first item"},
		{"en", "You can find it at N° 1 Street.| That is where I saw him."},
		{"en", "The cost is 3.5 million.| Not 2.5."},
		{"en", "See Fig. 3 and No. 7 of vol. 2, ed. 1.| Say no.| Then go."},
		{"en", "This is SQLite 3.45.1.| It runs."},
		{"en", "Weight: 1.4 t.| Prices start at $1,200."},
		{"en", "He was born in 1985.| She was born in 1987."},
		{"en", "They said (see below).| That is all."},
		{"en", "It ended.[3]| Nobody knew.[ab]| Why?[12][13]| Because."},
		{"en", "Wait... what?| Well…| The end...| And more."},
		{"en", "One line\nanother line.| And more\r\nlast"},
		{"en", "Thoreau argues in Walden that, e.g., simplicity wins, i.e. less is more."},
		{"en", "Dr. A. B. Jones et al. (2010) showed it.| Smith et al.| The end."},
		{"en", "I bought apples, pears, etc.| Then I left."},
		{"en", "Yahoo! is a company.| Is it?| yes."},
		{"en", "Use vitamin C.| The body needs it."},
		{"en", "hello there.| how are you.| no capitals here.| fine"},
		{"en", "Built with Node.js v18.2.| It runs."},
		{"en", "\u201cGo away!\u201d he said.| \u201cNow.\u201d| She went."},
		{"en", "Name.|\tNext cell"},
		{"en", "It costs approx. 5 dollars vs. six."},
		{"es", "El Sr. García vive en la Av. Libertad núm. 5.| ¿Dónde vive usted?| ¡Aquí!| Murió en el 44 a. C. en Roma."},
		{"es", "El presidente de EE. UU., Barack Obama, llegó.| Costó aprox. 5,5 millones.| ¿Qué?|¡Nada!"},
		{"fr", "M. Dupont est né en 1960.| Il habite av. Foch.| L'an 52 av. J.-C. fut dur.| C'est-à-dire, p. 12, etc."},
		{"de", "Am 3. Oktober 1990 war es so weit.| Die 2. Bundesliga z. B. spielt.| Das sind ca. 5 Mio. Euro.| Er kam am 5.| Das war früh."},
		{"de", "Dr. Müller wohnt in der Goethestr. 7 bzw. Nr. 8.| Es gibt Äpfel, Birnen usw.| Das ist gut."},
		{"ru", "Он родился в 1799 г. в Москве.| А. С. Пушкин жил на ул. Мойка, д. 12 и т. д.| Это было давно."},
		{"ru", "В 1941 г. Германия напала.| Город основан князем в далёком 1147 г.| Москва росла.| Это стоит 5 млн руб.| Да."},
		{"ru", "Например, Э. И. Дюпон, Майкл Э. Манн и Р. С. Брэдли."},
		{"zh", "东京是首都。|人口多吗？|是的！|他说：“好的。”|然后走了。"},
		{"ja", "東京は首都です。|「はい。」と彼は言った。|終わり"},
		{"ur", "یہ پہلا جملہ ہے۔| دوسرا؟| تیسرا"},
		{"ar", "ما هي العاصمة؟| القاهرة هي العاصمة."},
		{"hi", "भारत एक देश है।| राजधानी दिल्ली है।"},
		{"pt", "O Sr. Silva mora na Av. Paulista, nº 5.| Custa R$ 1.234,50.| Sim."},
	} {
		var want []string
		plain := strings.ReplaceAll(c.text, "|", "")
		for _, line := range strings.FieldsFunc(c.text, func(r rune) bool {
			return r == '|' || r == '\n'
		}) {
			if line = strings.TrimSpace(line); line != "" {
				want = append(want, line)
			}
		}
		var got []string
		for _, r := range Sentences(plain, c.lang) {
			got = append(got, plain[r.Start:r.End])
		}
		if strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("%s\n got %s\nwant %s", c.lang, strings.Join(got, "|"), strings.Join(want, "|"))
		}
	}
}

func FuzzSentences(f *testing.F) {
	for _, s := range []string{"A. b? C! \n\n D...E", "Dr. X (y.) \"Z.\" [1] 3. Mai", "。！？」x", "\xff. \xc3", ". . .", "a.\u00a0B", "… …"} {
		f.Add(s, "en")
		f.Add(s, "de")
	}
	f.Fuzz(func(t *testing.T, s, lang string) {
		end := 0
		for _, r := range Sentences(s, lang) {
			if r.Start < end || r.End <= r.Start || r.End > len(s) {
				t.Fatalf("Sentences(%q): %v after %d", s, r, end)
			}
			if strings.TrimSpace(s[end:r.Start]) != "" {
				t.Fatalf("Sentences(%q) leaves out %q", s, s[end:r.Start])
			}
			if utf8.ValidString(s) && !utf8.ValidString(s[r.Start:r.End]) {
				t.Fatalf("Sentences(%q): %v is not on code points", s, r)
			}
			if strings.TrimFunc(s[r.Start:r.End], unicode.IsSpace) != s[r.Start:r.End] {
				t.Fatalf("Sentences(%q): %q has white space at its ends", s, s[r.Start:r.End])
			}
			if strings.Contains(s[r.Start:r.End], "\n\n") {
				t.Fatalf("Sentences(%q): %q runs over an empty line", s, s[r.Start:r.End])
			}
			end = r.End
		}
		if strings.TrimSpace(s[end:]) != "" {
			t.Fatalf("Sentences(%q) leaves out %q", s, s[end:])
		}
	})
}

func BenchmarkSentences(b *testing.B) {
	for name, s := range map[string]string{"English": prose, "stops": strings.Repeat(". ", 50000),
		"oneline": strings.Repeat("Dr. ", 50000)} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				Sentences(s, "en")
			}
		})
	}
}

package text

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// show writes tokens as "text" with a "~" before stop words.
func show(tokens []Token) string {
	var b strings.Builder
	for i, t := range tokens {
		if i > 0 {
			b.WriteByte(' ')
		}
		if t.Stop {
			b.WriteByte('~')
		}
		b.WriteString(t.Text)
	}
	return b.String()
}

func TestTokenize(t *testing.T) {
	for _, c := range []struct{ lang, in, want string }{
		{"en", "", ""},
		{"en", "What are the running databases?", "~what ~are ~the run databas"},
		{"en", "How does PRAGMA journal_mode work", "~how ~does pragma journal_mode journal mode work"},
		{"en", "sqlite3_open_v2()", "sqlite3_open_v2 sqlite3 open v2"},
		{"en", "x86_64 __init__ _x _", "x86_64 x86 64 __init__ init _x x"},
		{"en", "C++ c# F# C++11 notepad++ a++b i+++j", "c++ c# f# c++ 11 notepad++ a++ b ~i j"},
		{"en", "e-mail email E-Mails", "email e mail email email e mail"},
		{"en", "state-of-the-art", "stateoftheart state ~of ~the art"},
		{"en", "GPT-4 COVID-19 F-16", "gpt4 gpt 4 covid19 covid 19 f16 f 16"},
		{"en", "version 3.45.1, v3.45.1 or 1.5", "version 3.45.1 3.45 v3.45.1 3.45.1 3.45 ~or 1.5"},
		{"en", "1,234.5 and 1,000,000 but 1,2,3 and 12,34", "1234.5 ~and 1000000 ~but 1 2 3 ~and 12 34"},
		{"en", "10GB 3D 5km 2nd 0xFF 3x4", "10gb 10 gb 3d 3 5km 5 km 2nd 2 0xff 3x4"},
		{"en", "foo.bar@example.com", "foo.bar@example.com foo.bar foo bar example.com exampl com"},
		{"en", "see https://www.sqlite.org/lang_select.html#x", "see https www.sqlite.org www sqlite org lang_select.html lang select html x"},
		{"en", "U.S.A. and e.g. Node.js", "usa ~and eg node.js node js"},
		{"en", "it's the dog’s owner; don't, I’ll O'Brien's", "~it ~the dog owner ~don't ~i'll obrien brien"},
		{"en", "AT&T R&D a&b", "at&t at t r&d r d ~a b"},
		{"en", "getElementById JavaScript SQLite iPhone", "getelementbyid ~get element ~by id javascript sqlite iphon"},
		{"en", "is the column NOT NULL in IT?", "~is ~the column not null ~in it"},
		{"en", "WHAT IS THIS", "~what ~is ~this"},
		{"en", "co\u00adop ﬁne １２ ＡＢＣ", "coop fine 12 abc"},
		{"en", "naïve Café cafe\u0301", "naiv cafe cafe"},
		{"en", "10⁵ m² ½", "10⁵ m² ½"},
		{"en", "AC/DC and/or", "ac dc ~and ~or"},
		{"", "the running dogs", "~the run dog"},
		{"xx", "the running dogs", "~the run dog"},
		{"en-US", "running", "run"},
		{"zh", "running", "run"},
		{"pl", "running koty", "running koty"},
		{"es", "¿Cuántos años tiene la canción?", "~cuantos anos ~tiene ~la cancion"},
		{"fr", "Qu'est-ce que l'eau d’été", "~qu ~estce ~est ~ce ~que ~l eau ~d ete"},
		{"de", "Die Häuser der größten Straßen", "~die haus ~der grosst strass"},
		{"ru", "Где находится самый большой ёж и йод", "~где наход сам больш еж ~и йод"},
		{"", "города россии", "город росс"},
		{"uk", "міста України", "міста україни"},
		{"tr", "İstanbul ISPARTA ılık", "istanbul ispar ilik"},
		{"ar", "الكِتَابُ", "كتاب"},
		{"el", "Αθήνας Ὀδυσσεύς", "αθηνασ οδυσσευσ"},
		{"zh", "东京是日本的首都。", "东京 京是 是日 日本 本的 的首 首都"},
		{"zh", "水 是什么", "水 ~是什 ~什么"},
		{"zh", "2024年iPhone手机", "2024 年 iphon 手机"},
		{"ja", "ｶﾞｽ コーヒー", "ガス コー ーヒ ヒー"},
		{"ko", "서울은 수도", "서울 울은 수도"},
		{"th", "ภาษาไทย", "ภา าษ ษา าไ ไท ทย"},
		{"fa", "می\u200cخواهم", "مي خواهم"},
		{"hi", "भारत की राजधानी", "भारत की राजधानी"},
		{"en", "a\xffb \xc3", "~a b"},
	} {
		if got := show(Tokenize(c.in, c.lang)); got != c.want {
			t.Errorf("Tokenize(%q, %q)\n got %s\nwant %s", c.in, c.lang, got, c.want)
		}
	}
}

// Whichever way a name is written, the query finds the document.
func TestTokenizeMeets(t *testing.T) {
	for _, c := range []struct{ query, document string }{
		{"journal_mode", "the journal_mode pragma"},
		{"journal mode", "the journal_mode pragma"},
		{"email", "an e-mail address"},
		{"e-mail", "by email"},
		{"GPT4", "GPT-4 was"},
		{"10 GB", "10GB of disk"},
		{"3.45", "since version 3.45.1"},
		{"3.45.1", "v3.45.1"},
		{"3245 lbs", "3,245 lbs"},
		{"cafe", "Café"},
		{"element", "getElementById"},
		{"sqlite.org", "drh@sqlite.org"},
		{"USA", "the U.S.A."},
		{"l'eau", "l’eau"},
		{"ＡＢＣ", "abc"},
	} {
		have := map[string]bool{}
		for _, tok := range Tokenize(c.document, "en") {
			have[tok.Text] = true
		}
		for _, tok := range Tokenize(c.query, "en") {
			if have[tok.Text] {
				goto found
			}
		}
		t.Errorf("query %q (%s) does not find %q (%s)", c.query, show(Tokenize(c.query, "en")), c.document, show(Tokenize(c.document, "en")))
	found:
	}
}

func TestTokenOffsets(t *testing.T) {
	const s = "In 2024 the e-mails of café.example v1.2.3 東京都"
	var got []string
	for _, tok := range Tokenize(s, "en") {
		got = append(got, s[tok.Start:tok.End])
	}
	want := "In|2024|the|e-mails|e|mails|of|café.example|café|example|v1.2.3|1.2.3|1.2|東京|京都"
	if strings.Join(got, "|") != want {
		t.Errorf("got %s\nwant %s", strings.Join(got, "|"), want)
	}
}

func TestEstimateTokens(t *testing.T) {
	for _, c := range []struct {
		s        string
		low, top int
	}{
		{"", 0, 0},
		{"The quick brown fox jumps over the lazy dog.", 9, 12},
		{strings.Repeat("The quick brown fox jumps over the lazy dog. ", 100), 900, 1200},
		{"日本の首都は東京です", 8, 12},
		{"Столица России это город Москва", 5, 14},
		{"3.14159265", 4, 6},
	} {
		if n := EstimateTokens(c.s); n < c.low || n > c.top {
			t.Errorf("EstimateTokens(%.40q) = %d, want %d to %d", c.s, n, c.low, c.top)
		}
	}
}

func TestDetectLanguage(t *testing.T) {
	for _, c := range []struct{ s, want string }{
		{"", ""}, {"12345", ""}, {"SQLite 3.45", ""}, {"x", ""},
		{"This is the documentation of the database engine and how it works.", "en"},
		{"¿Cuál es la capital de España y cuántos habitantes tiene?", "es"},
		{"Quelle est la capitale de la France et combien d'habitants y a-t-il ?", "fr"},
		{"Wie hoch ist der Berg und wann wurde er zum ersten Mal bestiegen?", "de"},
		{"Qual é a capital do Brasil e quantas pessoas moram na cidade?", "pt"},
		{"Qual è la capitale d'Italia e quanti abitanti ha questa città?", "it"},
		{"Wat is de hoofdstad van Nederland en hoeveel mensen wonen er?", "nl"},
		{"Vad är huvudstaden i Sverige och hur många bor där?", "sv"},
		{"Mikä on Suomen pääkaupunki ja kuinka paljon ihmisiä siellä on?", "fi"},
		{"Mi a magyar főváros neve és hogy hányan laknak ott?", "hu"},
		{"Türkiye'nin başkenti neresi ve bu şehirde kaç kişi yaşıyor?", "tr"},
		{"Care este capitala României și câți locuitori sunt în oraș?", "ro"},
		{"Какая столица России и сколько людей там живёт?", "ru"},
		{"Яка столиця України і скільки людей там живе?", "uk"},
		{"ما هي عاصمة مصر", "ar"}, {"پایتخت ایران کجاست", "fa"},
		{"日本の首都はどこですか", "ja"}, {"中国的首都在哪里", "zh"}, {"한국의 수도는 어디입니까", "ko"},
		{"เมืองหลวงของไทย", "th"}, {"Ποια είναι η πρωτεύουσα", "el"}, {"भारत की राजधानी", "hi"}, {"עיר הבירה של ישראל", "he"},
		{"iPhone 15 手机的价格是多少", "zh"},
		{"Runs compared\nBramble Hill\t1,500 m\tyes\nCold Farm\t800 m\tno\nRavensgate\t2,300 m\tyes\nWear goggles.", ""},
	} {
		if got := DetectLanguage(c.s); got != c.want {
			t.Errorf("DetectLanguage(%q) = %q, want %q", c.s, got, c.want)
		}
	}
}

func FuzzTokenize(f *testing.F) {
	for _, s := range []string{"a.b-c_d'e@f.g & C++ 1,234.5", "日本語ｶﾞ\u3099 한국어 ไทย", "__a__@_b_.c d@e", "v1.2.3.4.5.6.7.8.9.0.1.2.3", "l'e's'", "\u0301a\u00ad\u200d\u200cb", "A.B.C.D.E.F.G.H.I.J.K.L.M.N",
		"a\xff\xc3b", "İıſK", "ـ __ـ", "ﬁﬃ", "１,２３４"} {
		f.Add(s, "en")
		f.Add(s, "fr")
	}
	f.Add("İSTANBUL'da", "tr")
	f.Fuzz(func(t *testing.T, s, lang string) {
		last := 0
		for _, tok := range Tokenize(s, lang) {
			if tok.Start < last || tok.Start >= tok.End || tok.End > len(s) {
				t.Fatalf("Tokenize(%q, %q): %+v after %d", s, lang, tok, last)
			}
			if !utf8.RuneStart(s[tok.Start]) && utf8.ValidString(s) ||
				tok.End < len(s) && !utf8.RuneStart(s[tok.End]) && utf8.ValidString(s) {
				t.Fatalf("Tokenize(%q, %q): %+v is not on code points", s, lang, tok)
			}
			if tok.Text == "" || strings.ContainsAny(tok.Text, " \t\n") ||
				!utf8.ValidString(tok.Text) || utf8.RuneCountInString(tok.Text) > maxToken {
				t.Fatalf("Tokenize(%q, %q): bad text in %+v", s, lang, tok)
			}
			last = tok.Start
		}
		again := show(Tokenize(s, lang))
		if first := show(Tokenize(s, lang)); first != again {
			t.Fatalf("Tokenize(%q, %q) differs: %s, %s", s, lang, first, again)
		}
		if n := EstimateTokens(s); n < 0 || n > len(s) {
			t.Fatalf("EstimateTokens(%q) = %d", s, n)
		}
		DetectLanguage(s)
	})
}

func BenchmarkTokenize(b *testing.B) {
	for name, c := range map[string]struct{ lang, s string }{
		"English": {"en", prose}, "Russian": {"ru", strings.Repeat("Столица России это город Москва, где живёт много людей. ", 2000)},
		"Chinese": {"zh", strings.Repeat("东京是日本的首都，人口众多。", 5000)},
		"code":    {"en", strings.Repeat("sqlite3_open_v2(filename, &db, flags, zVfs); // v3.45.1 ", 2000)},
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(c.s)))
			b.ReportAllocs()
			for b.Loop() {
				Tokenize(c.s, c.lang)
			}
		})
	}
}

// prose is a page's worth of prose, repeated.
var prose = strings.Repeat(
	`The write-ahead log is merged into the database file when a checkpoint runs. By default, SQLite does a checkpoint
automatically when the WAL file reaches a threshold size of 1000 pages. (The SQLITE_DEFAULT_WAL_AUTOCHECKPOINT compile-time option can be used
to specify a different default.) Applications using WAL do not have to do anything in order for these checkpoints to occur. But if they want to,
applications can adjust the automatic checkpoint threshold. Or they can turn off the automatic checkpoints and run checkpoints during idle moments
or in a separate thread or process. There are advantages and disadvantages to using WAL instead of a rollback journal. `, 100)

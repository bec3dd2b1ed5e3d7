package search

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	xlanguage "golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"wstk/shared/lexicon"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// phrasing is a line of testdata/rules.jsonl: what a user types, and the template that
// says it.
type phrasing struct {
	Words    string             `json:"words"`
	Lang     string             `json:"lang"`
	Template wstk.QueryTemplate `json:"template"`
	Notes    []string           `json:"notes"`
}

func phrasings(t testing.TB) (all []phrasing) {
	t.Helper()
	data, err := os.ReadFile("testdata/rules.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		var p phrasing
		dec := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&p); err != nil {
			t.Fatalf("%s: %v", lines.Text(), err)
		}
		all = append(all, p)
	}
	return all
}

func TestRules(t *testing.T) {
	all := phrasings(t)
	if len(all) < 350 {
		t.Errorf("only %d phrasings", len(all))
	}
	for _, p := range all {
		got, notes, err := Rules(p.Words, p.Lang, Limits{}, now)
		if err != nil {
			t.Errorf("%s: %v", p.Words, err)
			continue
		}
		var codes []string
		for _, n := range notes {
			codes = append(codes, n.Code)
			if !strings.HasSuffix(n.Message, ".") {
				t.Errorf("%s: the note %q is no sentence", p.Words, n.Message)
			}
		}
		if !reflect.DeepEqual(got, p.Template) || !slices.Equal(codes, p.Notes) {
			a, _ := json.Marshal(got)
			b, _ := json.Marshal(p.Template)
			t.Errorf("%s (read as %s)\n got %s %v\nwant %s %v", p.Words,
				newReader(p.Words, p.Lang, Limits{}, now).language.code, a, codes, b, p.Notes)
		}
	}
}

// What every template of rules keeps to, whatever was typed.
func checkRules(t *testing.T, words, lang string) {
	t.Helper()
	got, notes, err := Rules(words, lang, Limits{}, now)
	if err != nil {
		if c := wstk.CodeOf(err); c != wstk.Unprocessable && c != wstk.Invalid {
			t.Fatalf("%q: %v", words, err)
		}
		return
	}
	if _, err := CheckTemplate(got, Limits{}); err != nil {
		t.Errorf("%q: %v: %+v", words, err, got)
	}
	for _, k := range got.Keywords {
		if k != tidy(k) || strings.ContainsFunc(k, func(c rune) bool {
			return isQuote(c) || c == '{' || c == '}' || unicode.IsControl(c) ||
				unicode.Is(unicode.Bidi_Control, c)
		}) {
			t.Errorf("%q: keyword %q", words, k)
		}
	}
	if _, err := Expand(got, time.Date(2026, 3, 15, 0, 0, 0, 0, time.UTC)); err != nil {
		t.Errorf("%q: %v", words, err)
	}
	again, same, err := Rules("  "+strings.ReplaceAll(words, " ", " \t\n ")+" ", lang, Limits{}, now)
	if len([]rune(words)) < 300 &&
		(err != nil || !reflect.DeepEqual(again, got) || !reflect.DeepEqual(same, notes)) {
		t.Errorf("%q with more white space: %+v %v %v, not %+v %v", words, again, same, err, got, notes)
	}
}

func FuzzRules(f *testing.F) {
	for _, p := range phrasings(f) {
		f.Add(p.Words, p.Lang)
	}
	f.Add("\x00\u202eOR \"\xff{", "")
	f.Fuzz(func(t *testing.T, words, lang string) {
		if !text.IsLanguage(lang) { // the caller has checked it
			lang = ""
		}
		checkRules(t, words, lang)
	})
}

// Any two phrasings in a row are still a template, whose parts may be in each other's way.
func TestRulesOfTwoPhrasings(t *testing.T) {
	all := phrasings(t)
	for i, p := range all {
		for j := range 12 {
			checkRules(t, p.Words+" "+all[(i+1+j*13)%len(all)].Words, p.Lang)
		}
	}
}

func TestRulesNeedWords(t *testing.T) {
	for _, words := range []string{"", " \t ", "!?", `""`, "{}", "-", "-car", "\u202e"} {
		if got, _, err := Rules(words, "", Limits{}, now); wstk.CodeOf(err) != wstk.Unprocessable {
			t.Errorf("%q: %+v, %v", words, got, err)
		}
	}
	if _, _, err := Rules(strings.Repeat("a ", MaxWords), "", Limits{},
		now); wstk.CodeOf(err) != wstk.Invalid {
		t.Errorf("too many: %v", err)
	}
	if _, _, err := Rules(strings.Repeat("a", MaxQuery+1), "", Limits{},
		now); wstk.CodeOf(err) != wstk.Invalid {
		t.Errorf("too long: %v", err)
	}
	for words, want := range map[string]string{"OR": "OR", "not": "not", "a": "a", "yesterday": "yesterday", "C++": "C++", "😀": "😀", "lang:fr": "fr", "in French": "in French"} {
		if got, _, err := Rules(words, "", Limits{}, now); err != nil ||
			strings.Join(got.Keywords, " ") != want {
			t.Errorf("%q: %+v, %v", words, got, err)
		}
	}
}

func TestRulesKeepSpellings(t *testing.T) {
	got, _, err := Rules("a\u0000b \u2066Stra\u200eße\u2069 L\u200bÉTÉ می\u200cخواهم", "", Limits{}, now)
	if want := []string{"ab", "Straße", "LÉTÉ", "می\u200cخواهم"}; err != nil || !slices.Equal(got.Keywords, want) {
		t.Errorf("%q, %v", got.Keywords, err)
	}
}

// The dropped words stand in the note, and those that tell most are kept in their order.
func TestRulesKeepTheMostTelling(t *testing.T) {
	got, notes, err := Rules(`red hat fox cow pig hen "ox" elephant Lima 2030 giraffe rhinoceros yak bat crocodile`, "", Limits{}, now)
	want := []string{"red", "hat", "fox", "cow", "pig", "ox", "elephant", "Lima", "2030", "giraffe", "rhinoceros", "crocodile"}
	if err != nil || !slices.Equal(got.Keywords, want) || len(notes) != 1 {
		t.Fatalf("%q %v %v", got.Keywords, notes, err)
	}
	if dropped := notes[0].Details.(map[string]any)["words"]; !reflect.DeepEqual(dropped, []string{"hen", "yak", "bat"}) {
		t.Error(dropped)
	}
}

// More than the most sites: the first count.
func TestRulesSites(t *testing.T) {
	words := "x"
	for i := range wstk.MaxTemplateSites + 3 {
		words += " site:" + string(rune('a'+i)) + ".example.com"
	}
	got, notes, err := Rules(words, "", Limits{}, now)
	if err != nil || len(got.Filters.Sites) != wstk.MaxTemplateSites ||
		got.Filters.Sites[0] != "a.example.com" || len(notes) != 1 || notes[0].Code != "sites_dropped" {
		t.Error(got, notes, err)
	}
}

// Limits narrower than the defaults are kept to, and what falls out is noted.
func TestRulesLimits(t *testing.T) {
	got, notes, err := Rules("pump valve gasket site:a.example.com site:b.example.com", "", Limits{Keywords: 2, Sites: 1}, now)
	if err != nil || !slices.Equal(got.Keywords, []string{"valve", "gasket"}) ||
		!slices.Equal(got.Filters.Sites, []string{"a.example.com"}) {
		t.Fatal(got, err)
	}
	var codes []string
	for _, n := range notes {
		codes = append(codes, n.Code)
	}
	if !slices.Equal(codes, []string{"sites_dropped", "keywords_dropped"}) {
		t.Error(notes)
	}
	got, _, err = Rules("pump OR valve OR Lima", "", Limits{Query: len("(valve OR Lima)")}, now)
	if err != nil || !slices.Equal(got.Keywords, []string{"valve", "Lima"}) || got.Boolean != wstk.Or {
		t.Error(got, err)
	}
}

// A time that cannot be told says what is searched instead, in words.
func TestRulesSayWhichTimes(t *testing.T) {
	for words, want := range map[string]string{
		"chips this week": `Instead of "this week", pages from 7 days ago to today are searched.`,
		"chips last year": `"last year" was left out of the search: a time counted from today reaches back 30 days at most. Name a day, a month or a year, as in "since 2024".`,
		"chips since last week until 1 December 2025": `"until 1 December 2025" was left out: one search has one time, and pages from 7 days ago on are searched.`,
	} {
		if _, notes, err := Rules(words, "", Limits{}, now); err != nil || len(notes) != 1 ||
			notes[0].Message != want {
			t.Errorf("%s: %v %v", words, notes, err)
		}
	}
}

// The names of countries and languages are those of Unicode's own lists, in the seven
// languages.
func TestRulesNames(t *testing.T) {
	for _, tag := range []string{"en", "de", "fr", "es", "it", "pt", "nl"} {
		in := xlanguage.MustParse(tag)
		for _, e := range lexicon.Parse(nameFile).Families()[1].Entries {
			name := display.Regions(in).Name(xlanguage.MustParseRegion(e.Lang()))
			if got := words().countryNames.all[keyOf(name)]; got != e.Lang() {
				t.Errorf("%s is %q in %s; names.txt says %q", e.Lang(), name, tag, got)
			}
		}
		for _, e := range lexicon.Parse(nameFile).Families()[0].Entries {
			name := display.Languages(in).Name(xlanguage.MustParse(e.Lang()))
			// Bokmål there
			if got := words().languageNames.all[keyOf(name)]; got != e.Lang() && e.Lang() != "no" {
				t.Errorf("%s is %q in %s; names.txt says %q", e.Lang(), name, tag, got)
			}
		}
	}
}

func BenchmarkRules(b *testing.B) {
	all := phrasings(b)
	for b.Loop() {
		for _, p := range all {
			Rules(p.Words, p.Lang, Limits{}, now)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(all)), "µs/query")
}

// The longest texts, made to be slow.
func BenchmarkRulesLong(b *testing.B) {
	for _, part := range []string{"in 1 ", "from 2021 to ", "„", "seit 3. ", "between 3 ", "a OR ", "5 March ", "site:a.eu, ", "x-", "the last 3 ", "l'", "in the US and "} {
		words := strings.Repeat(part, MaxWords/len([]rune(part)))
		b.Run(part, func(b *testing.B) {
			for b.Loop() {
				Rules(words, "", Limits{}, now)
			}
		})
	}
}

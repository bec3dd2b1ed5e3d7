package search

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"wstk/shared/wstk"
)

// in UTC it is the 13th
var now = time.Date(2025, 9, 12, 14, 23, 1, 0, time.FixedZone("", -12*3600))

func TestText(t *testing.T) {
	for text, want := range map[string]string{
		//
		`{"keywords": ["AI regulation", "AI Act"], "boolean": "OR", "filters": {"sites": [".eu"], "date_after": "{LAST_WEEK_START}", "date_before": "{LAST_WEEK_END}"}}`: `("AI regulation" OR "AI Act") site:.eu after:{LAST_WEEK_START} before:{LAST_WEEK_END}`,
		`{"keywords": ["tide", "tables"], "boolean": null, "filters": null}`:                                                                                             `tide tables`,
		`{"keywords": ["one"], "boolean": "OR"}`: `one`,
		`{"keywords": ["x"], "filters": {"sites": ["B.Example", "https://a.example/"], "date_after": "2024-02-29"}}`: `x (site:b.example OR site:a.example) after:2024-02-29`,
		`{"keywords": ["-x", "OR", "site:evil.example", "C++", "a|b", "don't"]}`:                                     `"-x" "OR" "site:evil.example" C++ "a|b" don't`,
	} {
		got, err := ParseTemplate([]byte(text), Limits{})
		if err != nil || Text(got) != want {
			t.Errorf("%s\nreads %s, %v\nwant  %s", text, Text(got), err, want)
		}
	}
}

func TestTheSchemaIsStrict(t *testing.T) {
	for text, tells := range map[string]string{
		``:                                      "not one JSON object",
		`[]`:                                    "not one JSON object",
		`{}`:                                    "no keywords",
		`{"keywords": null}`:                    "no keywords",
		`{"keywords": "x"}`:                     "wrong type",
		`{"keywords": [1]}`:                     "wrong type",
		`{"keywords": [" "]}`:                   "empty",
		`{"keywords": ["x", "!?"]}`:             "neither a letter",
		`{"keywords": ["x"], "keywords": []}`:   "twice",
		`{"keywords": ["x"], "KEYWORDS": []}`:   `unknown field "KEYWORDS"`,
		`{"keywords": ["x"], "filters": []}`:    "wrong type",
		`{"keywords": ["x\"y"]}`:                "quotation mark",
		"{\"keywords\": [\"x\\u202e\"]}":        "control character",
		`{"keywords": ["{"]}`:                   "brace",
		`{"keywords": ["{last_week_start}"]}`:   "unknown placeholder {last_week_start}",
		`{"keywords": ["x"], "boolean": "and"}`: "AND or OR",
		`{"keywords": ["x"], "filters": {"date_after": "{LAST_YEAR}"}}`:                             "unknown placeholder {LAST_YEAR}",
		`{"keywords": ["x"], "filters": {"date_after": "last week"}}`:                               "placeholder",
		`{"keywords": ["x"], "filters": {"date_after": "2025-13-01"}}`:                              "2025-13-01",
		`{"keywords": ["x"], "filters": {"date_after": "2025-02-02", "date_before": "2025-02-01"}}`: "lies before",
		`{"keywords": ["x"], "filters": {"sites": ["no site"]}}`:                                    "no domain",
		`{"keywords": ["x"], "filters": {"sites": ["a.example/x"]}}`:                                "part of a site",
		`{"keywords": ["x"], "filters": {"sites": ["{SITE}"]}}`:                                     "unknown placeholder {SITE}",
		`{"keywords": ["x"], "filters": {"geo": "eu"}}`:                                             "geo",
		`{"keywords": ["x"], "filters": {"lang": "EN"}}`:                                            "lang",
		`{"keywords": ["x"], "filters": {"max_results": 1.5}}`:                                      "wrong type",
		`{"keywords": ["x"], "filters": {"max_results": -1}}`:                                       "max_results",
		`{"keywords": ["x"], "filters": {"sites": [], "lang": "en", "lang": "de"}}`:                 "twice",
		`{"keywords": ["x"]} trailing`:                                                              "behind",
		"{\"keywords\": [\"\xff\"]}":                                                                "UTF-8",
	} {
		if _, err := ParseTemplate([]byte(text), Limits{}); wstk.CodeOf(err) != wstk.Invalid ||
			!strings.Contains(err.Error(), tells) || !strings.HasPrefix(err.Error(), OpSchema) {
			t.Errorf("%s: %v does not tell %q", text, err, tells)
		}
	}
	if _, err := ParseTemplate([]byte(`{"keywords": ["a", "b", "c"]}`), Limits{Keywords: 2}); wstk.CodeOf(err) != wstk.Invalid {
		t.Errorf("over a limit of one's own: %v", err)
	}
}

func TestExpand(t *testing.T) {
	for placeholder, want := range map[string]string{"{TODAY}": "2025-09-13", "{YESTERDAY}": "2025-09-12", "{LAST_WEEK_START}": "2025-09-06",
		"{LAST_WEEK_END}": "2025-09-13", "{LAST_MONTH_START}": "2025-08-14", "{LAST_MONTH_END}": "2025-09-13"} {
		got, err := Expand(wstk.QueryTemplate{Keywords: []string{"x"},
			Filters: wstk.TemplateFilters{DateAfter: placeholder}}, now)
		if err != nil || got.Filters.DateAfter != want {
			t.Errorf("%s is %s, want %s: %v", placeholder, got.Filters.DateAfter, want, err)
		}
	}
	if n := len(Placeholders()); n != 6 {
		t.Errorf("there are %d placeholders", n)
	}
	for name, f := range map[string]wstk.TemplateFilters{"unknown": {DateAfter: "{PAST_2_WEEKS}"},
		"backwards": {DateAfter: "{TODAY}", DateBefore: "2025-01-01"}} {
		if _, err := Expand(wstk.QueryTemplate{Keywords: []string{"x"}, Filters: f},
			now); wstk.CodeOf(err) != wstk.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Whatever passes the schema has no brace when it is expanded, its days can be read, and
// it reads the same when it is parsed again.
func FuzzExpand(f *testing.F) {
	for _, seed := range []string{`{"keywords":["a b"],"filters":{"date_after":"{TODAY}","sites":[".eu"]}}`, `{"keywords":["{TODAY}"]}`,
		`{"keywords":["x"],"boolean":"OR","filters":{"date_before":"{LAST_MONTH_END}","geo":"EU","max_results":3}}`} {
		f.Add(seed, int64(0))
	}
	f.Fuzz(func(t *testing.T, text string, seconds int64) {
		template, err := ParseTemplate([]byte(text), Limits{})
		if err != nil {
			if wstk.CodeOf(err) != wstk.Invalid {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		if n := len(template.Keywords); n < 1 || n > wstk.MaxKeywords {
			t.Fatalf("%d keywords", n)
		}
		data, err := json.Marshal(template)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := ParseTemplate(data, Limits{}); err != nil ||
			Text(again) != Text(template) {
			t.Fatalf("%s reads %s, %v", data, Text(again), err)
		}
		expanded, err := Expand(template, time.Unix(seconds%(1<<36), 0))
		if err != nil {
			return
		}
		if s := Text(expanded); strings.ContainsAny(s, "{}") {
			t.Fatalf("%q became %q", text, s)
		}
		if _, _, err := Query(expanded, 10); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
	})
}

func TestQuery(t *testing.T) {
	q, notes, err := Query(wstk.QueryTemplate{Keywords: []string{"a b", "c"}, Boolean: wstk.Or,
		Filters: wstk.TemplateFilters{Sites: []string{".eu"}, DateAfter: "2025-09-06",
			DateBefore: "2025-09-13", Lang: "fr", Geo: "CA", MaxResults: 3}}, 10)
	if err != nil || notes != nil || q.Words != `("a b" OR c)` || q.Region != "ca-fr" ||
		q.Language != "fr" || q.Max != 3 || !slices.Equal(q.Sites, []string{".eu"}) ||
		!q.After.Equal(time.Date(2025, 9, 6, 0, 0, 0, 0, time.UTC)) ||
		!q.Before.Equal(time.Date(2025, 9, 13, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("got %+v, %v, %v", q, notes, err)
	}
	q, notes, _ = Query(wstk.QueryTemplate{Keywords: []string{"x"},
		Filters: wstk.TemplateFilters{Geo: "EU"}}, 7)
	if q.Region != "" || q.Max != 7 || !slices.Equal(notes, []string{"region EU"}) {
		t.Errorf("got %+v, notes %v", q, notes)
	}
	if _, _, err := Query(wstk.QueryTemplate{Keywords: []string{"x"},
		Filters: wstk.TemplateFilters{DateAfter: "{TODAY}"}}, 0); wstk.CodeOf(err) != wstk.Internal {
		t.Errorf("not expanded: %v", err)
	}
}

func TestMerge(t *testing.T) {
	found, refused := Merge([]Found{
		{Provider: "a", Results: []wstk.SearchResult{
			{URL: "https://X.example/p?utm_source=a", Rank: 2, Title: "P"}, {URL: "https://x.example/p", Rank: 3}, {URL: "https://y.example/", Rank: 1}}},
		{Provider: "b", Results: []wstk.SearchResult{{URL: "https://x.example/p#top", Rank: 1},
			{URL: "https://x.example/p/", Rank: 2}, {URL: "http://192.168.1.1/", Rank: 3}, {URL: "not an address", Rank: 4}}},
	}, inside)
	if refused != 1 || len(found) != 3 {
		t.Fatalf("got %+v, %d refused", found, refused)
	}
	if u := found[0]; u.URL != "https://X.example/p?utm_source=a" || u.Confidence != 2 ||
		!slices.Equal(u.Providers, []string{"a", "b"}) || u.BestRank != 1 ||
		u.Title == nil || *u.Title != "P" ||
		!slices.Equal(u.Aliases, []string{"https://x.example/p", "https://x.example/p#top"}) {
		t.Errorf("got %+v", u)
	}
	if found[1].URL != "https://y.example/" || found[2].URL != "https://x.example/p/" || found[1].DedupeHash == found[2].DedupeHash {
		t.Errorf("got %+v", found[1:])
	}
	if all, _ := Merge([]Found{{Provider: "a",
		Results: []wstk.SearchResult{{URL: "http://192.168.1.1/", Rank: 1}}}},
		func(string) bool { return false }); len(all) != 1 {
		t.Error("private addresses are left out where they are open")
	}
}

func inside(host string) bool {
	return strings.HasPrefix(host, "192.168.") || strings.HasPrefix(host, "10.")
}

// What is found does not depend on the order in which results or their providers came,
// except for which spelling is an address's first. Confidence is the number of providers.
func TestMergeIsOrderIndependent(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	spellings := []string{"https://a.example/", "https://A.example", "https://a.example/?utm_medium=x", "https://a.example/#f", "https://b.example/x", "https://b.example:443/x",
		"https://c.example/%7Ex", "https://c.example/~x", "https://d.example/", "http://d.example/", "http://10.1.2.3/"}
	for range 500 {
		var list []Found
		for _, name := range []string{"a", "b", "c", "d"}[:1+random.IntN(4)] {
			f := Found{Provider: name}
			for i := range random.IntN(8) {
				f.Results = append(f.Results,
					wstk.SearchResult{URL: spellings[random.IntN(len(spellings))], Rank: i + 1})
			}
			list = append(list, f)
		}
		want, refused := Merge(list, inside)
		total := 0
		for _, f := range list {
			total += len(f.Results)
		}
		seen := map[string]bool{}
		for _, u := range want {
			if u.Confidence != len(u.Providers) || u.Confidence > len(list) || u.Confidence < 1 ||
				seen[u.DedupeHash] {
				t.Fatalf("%+v in %v", u, list)
			}
			seen[u.DedupeHash] = true
		}
		if len(want)+refused > total {
			t.Fatalf("%d results became %d", total, len(want)+refused)
		}
		for _, f := range list {
			random.Shuffle(len(f.Results), func(i, j int) {
				f.Results[i], f.Results[j] = f.Results[j], f.Results[i]
			})
		}
		if got, _ := Merge(list, inside); !same(got, want, true) {
			t.Fatalf("in another order %v, and not %v", got, want)
		}
		random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		if got, _ := Merge(list, inside); !same(got, want, false) {
			t.Fatalf("with other providers first %v, and not %v", got, want)
		}
	}
}

// same compares merged lists; except for whole, by what does not depend on who came first.
func same(a, b []wstk.FoundURL, whole bool) bool {
	key := func(list []wstk.FoundURL) (keys []string) {
		for _, u := range list {
			if !whole {
				u.URL, u.Aliases = "", nil
				slices.Sort(u.Providers)
			}
			data, _ := json.Marshal(u)
			keys = append(keys, string(data))
		}
		if !whole {
			slices.Sort(keys)
		}
		return keys
	}
	return slices.Equal(key(a), key(b))
}

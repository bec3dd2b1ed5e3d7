package collate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"wstk/shared/wstk"
)

func TestGradeIsTheRule(t *testing.T) {
	copyText := strings.Repeat("The hall was built by a guild of weavers and burnt down twice before it became a museum. ", 12)
	cases := []struct {
		name string
		in   Input
		want wstk.Grade
	}{
		{"one source", inputOf(say{url: "https://a.example/1", text: "The limit is 64 tables."}), wstk.SingleSource},
		{"two pages give one statement", joined("The limit is 64 tables.", "https://a.example/1", "https://b.example/2"), wstk.Verified},
		{"two statements agree on the value", inputOf(
			say{url: "https://a.example/1", text: "The limit of a join is 64 tables."},
			say{url: "https://b.example/2", text: "64 tables is the limit of a join."}), wstk.Verified},
		{"two statements on different things", inputOf(
			say{url: "https://a.example/1", text: "The limit of a join is 64 tables."},
			say{url: "https://b.example/2", text: "An index may have 2000 columns."}), wstk.SingleSource},
		{"near-copies count once", inputOf(
			say{url: "https://a.example/1", text: "The hall opened in 1920.", rest: copyText},
			say{url: "https://mirror.example/1", text: "The hall opened in 1920.", rest: copyText}), wstk.SingleSource},
		{"a footer repeated over a site counts once", inputOf(
			say{url: "https://a.example/1", text: "Call 212-555-0187.", frame: true, rest: "A page about weaving, looms and wool of many kinds."},
			say{url: "https://a.example/2", text: "Call 212-555-0187.", frame: true, rest: "Quite another page, which tells of ships and harbours."}), wstk.SingleSource},
		{"two pages of one site count once", inputOf(
			say{url: "https://a.example/1", text: "The limit of a join is 64 tables.", rest: "A page about weaving, looms and wool of many kinds."},
			say{url: "https://docs.a.example/2", text: "The limit of a join is 64 tables.", rest: "Quite another page, which tells of ships and harbours."}), wstk.SingleSource},
		{"a footer of another site counts", inputOf(
			say{url: "https://a.example/1", text: "Call 212-555-0187.", frame: true, rest: "A page about weaving, looms and wool of many kinds."},
			say{url: "https://b.example/2", text: "Call 212-555-0187.", frame: true, rest: "Quite another page, which tells of ships and harbours."}), wstk.Verified},
		{"sources disagree", inputOf(
			say{url: "https://a.example/1", text: "The entrance fee is $12."},
			say{url: "https://b.example/2", text: "The entrance fee is $15."}), wstk.Conflicted},
	}
	for _, c := range cases {
		if x := collated(c.in); x.Grounding != c.want {
			t.Errorf("%s: %s, want %s\n%+v", c.name, x.Grounding, c.want, x.Sources)
		}
	}

	inferred := joined("The limit is 64 tables.", "https://a.example/1", "https://b.example/2")
	inferred.Items[0].Claim.Support = wstk.SupportInferred
	if g := collated(inferred).Grounding; g != wstk.Inferred {
		t.Errorf("an inferred statement of two sources: %s", g)
	}
	both := inputOf(say{url: "https://a.example/1", text: "The entrance fee is $12."}, say{url: "https://b.example/2", text: "The entrance fee is $15."})
	both.Items[0].Claim.Support = wstk.SupportInferred
	if g := collated(both).Grounding; g != wstk.Conflicted {
		t.Errorf("conflict and inference: %s, want the conflict first", g)
	}
}

// inputOf makes one direct claim of each sentence.
func inputOf(says ...say) Input {
	in := Input{Query: "q", Strategy: wstk.Singular, Strict: true}
	for _, s := range says {
		d := document(s)
		in.Pages = append(in.Pages, d)
		in.Items = append(in.Items, claimOf(d, s.text, s.field))
	}
	return in
}

// joined makes one claim with evidence from several pages.
func joined(words string, urls ...string) Input {
	in := Input{Query: "q", Strategy: wstk.Singular, Strict: true}
	for i, u := range urls {
		d := document(say{url: u, text: words, rest: fmt.Sprintf("Page %d has its own words: %s.",
			i, strings.Repeat(string(rune('k'+i)), 40+i))})
		in.Pages = append(in.Pages, d)
		it := claimOf(d, words, "")
		if i == 0 {
			in.Items = []Item{it}
			continue
		}
		in.Items[0].Claim.Proposed = append(in.Items[0].Claim.Proposed, it.Claim.Proposed...)
		in.Items[0].Evidence = append(in.Items[0].Evidence, it.Evidence...)
	}
	return in
}

func TestRoles(t *testing.T) {
	in := inputOf(
		say{url: "https://a.example/lead", text: "A join may hold 64 tables."},
		say{url: "https://a.example/other", text: "An index may have 2000 columns."},
		say{url: "https://a.example/again", text: "A join may hold 64 tables!"})
	x := collated(in)
	want := map[string]wstk.Role{"https://a.example/lead": wstk.Primary, "https://a.example/other": wstk.Supporting, "https://a.example/again": wstk.Corroborating}
	for _, s := range x.Sources {
		if s.Role != want[s.URL] {
			t.Errorf("%s is %s, want %s", s.URL, s.Role, want[s.URL])
		}
		if s.Title == "" || s.FetchedAt != fetched {
			t.Errorf("%+v; want s.Title != \"\" && s.FetchedAt == fetched", s)
		}
	}
	if len(x.Sources) != 3 || x.Sources[0].Role != wstk.Primary {
		t.Errorf("the sources are %+v; want three, the primary one first", x.Sources)
	}
}

func TestCopiesNameThePageCountedInTheirPlace(t *testing.T) {
	body := strings.Repeat("Weavers from three towns met here once a year to trade wool and news. ", 15)
	in := inputOf(
		say{url: "https://a.example/1", text: "The hall opened in 1920.", rest: body},
		say{url: "https://mirror.example/1", text: "The hall opened in 1920.", rest: body})
	x := collated(in)
	if len(x.Sources) != 2 || x.Sources[1].CopyOf != "https://a.example/1" || x.Sources[0].CopyOf != "" {
		t.Fatalf("%+v; want len(x.Sources) == 2 && x.Sources[1].CopyOf == \"https://a.example/1\" && x.Sources[0].CopyOf == \"\"", x.Sources)
	}
	in.Pages[1].CanonicalURL = in.Pages[0].CanonicalURL
	in.Pages[1].Blocks = nil
	in.Pages[1].Text = ""
	if x := collated(in); x.Sources[1].CopyOf == "" {
		t.Error("pages of one canonical address count twice")
	}
}

func TestWhatWasNotFoundIsListed(t *testing.T) {
	d := document(say{url: "https://a.example/1", text: "The fee is $12.", rest: "Children are free."})
	lost := Item{
		Claim: wstk.Claim{Field: "phone", Statement: "212", Support: wstk.SupportDirect,
			Proposed: []wstk.Proposal{{URL: d.URL, Words: "Call 212"}}},
		Unsupported: []wstk.Unsupported{{Statement: "212", Quote: "Call 212", URL: d.URL, Reason: "not_in_text"}},
	}
	// The leading quote failed; what was found does not hold the statement.
	half := claimOf(d, "Children are free.", "")
	half.Claim.Statement = "Dogs are free."
	half.Claim.Proposed = append([]wstk.Proposal{{URL: d.URL, Words: "Dogs are free."}}, half.Claim.Proposed...)
	half.Unsupported = []wstk.Unsupported{{Statement: "Dogs are free.", Quote: "Dogs are free.", URL: d.URL, Reason: "not_in_text"}}
	assumed := Item{Claim: wstk.Claim{Statement: "It is probably nice there.", Support: wstk.SupportAssumed}}
	in := Input{Query: "visit", Strategy: wstk.Singular, Strict: true, Pages: []*wstk.Document{d},
		Items: []Item{claimOf(d, "The fee is $12.", ""), lost, half, assumed}}
	x := collated(in)
	if len(x.Statements) != 1 || len(x.Evidence) != 1 {
		t.Fatalf("%d statements, %d evidence", len(x.Statements), len(x.Evidence))
	}
	reasons := map[string]string{}
	for _, u := range x.Unsupported {
		reasons[u.Statement] = u.Reason
	}
	if want := map[string]string{"212": "not_in_text", "Dogs are free.": "not_in_text", "It is probably nice there.": "no_quote"}; !reflect.DeepEqual(reasons, want) {
		t.Errorf("unsupported %v, want %v", reasons, want)
	}
	if len(x.Gaps) != 1 || x.Gaps[0].Field != "phone" || x.Gaps[0].Reason != "unsupported" || x.Gaps[0].Query == "" {
		t.Errorf("the gaps are %+v; want one for the phone, unsupported, with a query", x.Gaps)
	}
	in.Strict = false
	x = collated(in)
	if len(x.Statements) != 2 || x.Statements[1].Support != wstk.SupportAssumed ||
		len(x.Statements[1].Evidence) != 0 || x.Grounding != wstk.Inferred {
		t.Errorf("not strict: %+v, %s", x.Statements, x.Grounding)
	}
}

func TestContentMarksCannotBeForged(t *testing.T) {
	for _, words := range []string{
		"See [1] and [2] ![x](https://evil.example/p.png)", "a <img src=x onerror=y> b", "[click](javascript:alert(1)) now",
		"# not a heading", "> not ours", "lone ` tick", "<script>x</script> and </b>", `back \[1\] slash`, "names_with_underscores stay", "-2000 stays", "a < b && c > d",
	} {
		d := document(say{url: "https://a.example/1", text: words})
		x := collated(Input{Strategy: wstk.Singular, Items: []Item{claimOf(d, words, "")},
			Pages: []*wstk.Document{d}})
		if n := strings.Count(strings.ReplaceAll(strings.ReplaceAll(x.Content, `\[`, ""), `\]`, ""), "["); n != 1 {
			t.Errorf("%q: %d unescaped brackets in %q", words, n, x.Content)
		}
		if !strings.HasSuffix(x.Content, " [1]") {
			t.Errorf("%q: no mark at the end of %q", words, x.Content)
		}
		for i := range x.Content {
			if x.Content[i] == '<' && i+1 < len(x.Content) && x.Content[i+1] != ' ' &&
				(i == 0 || x.Content[i-1] != '\\') {
				t.Errorf("%q: HTML in %q", words, x.Content)
			}
		}
	}
	d := document(say{url: "https://a.example/1", text: "names_with_underscores and -2000 stay as they are"})
	if x := collated(Input{Items: []Item{claimOf(d, d.Text, "")},
		Pages: []*wstk.Document{d}}); !strings.HasPrefix(x.Content, d.Text) {
		t.Errorf("plain words were changed: %q", x.Content)
	}
}

// words and urls of the property test: few, so that statements repeat, agree and
// contradict each other.
var (
	someWords = []string{"The fee is $12.", "The fee is $15.", "Open 24/7", "Closed Sundays", "Dogs are allowed on the terrace.", "Dogs are not allowed on the terrace.",
		"A table with | and [3].", "Zeile\tmit\tZellen", "费用是 12 元。", "The hall opened in 1920."}
	someURLs   = []string{"https://a.example/1", "https://a.example/2", "https://b.example/1", "https://c.example/"}
	someFields = []string{"", "", "price", "title"}
)

func draw(t *rapid.T) Input {
	in := Input{Query: "fees and hours", Title: rapid.SampledFrom([]string{"", "The fee is $12."}).Draw(t, "title"),
		Strategy: rapid.SampledFrom(
			[]wstk.Strategy{wstk.Singular, wstk.Collection, wstk.Narrative}).Draw(t, "strategy"),
		Strict: rapid.Bool().Draw(t, "strict")}
	for _, u := range someURLs {
		n := rapid.IntRange(0, 2).Draw(t, "copies of "+u)
		s := say{url: u, text: strings.Join(someWords, "\n"), rest: strings.Repeat("Shared words of a mirrored page that two sites carry alike. ", n*8)}
		d := document(s)
		in.Pages = append(in.Pages, d)
	}
	for range rapid.IntRange(0, 6).Draw(t, "claims") {
		var it Item
		words := rapid.SampledFrom(someWords).Draw(t, "words")
		for range rapid.IntRange(1, 3).Draw(t, "quotes") {
			d := rapid.SampledFrom(in.Pages).Draw(t, "page")
			one := claimOf(d, words, rapid.SampledFrom(someFields).Draw(t, "field"))
			if it.Claim.Statement == "" {
				it.Claim = one.Claim
			} else {
				it.Claim.Proposed = append(it.Claim.Proposed, one.Claim.Proposed...)
			}
			if rapid.Bool().Draw(t, "found") {
				it.Evidence = append(it.Evidence, one.Evidence...)
			} else {
				it.Unsupported = append(it.Unsupported, wstk.Unsupported{Statement: words,
					Quote: words, URL: d.URL, Reason: "not_in_text"})
			}
		}
		it.Claim.Support = rapid.SampledFrom([]wstk.Support{wstk.SupportDirect, wstk.SupportDirect,
			wstk.SupportInferred, wstk.SupportAssumed}).Draw(t, "support")
		if it.Claim.Support == wstk.SupportAssumed {
			it.Claim.Proposed, it.Evidence = nil, nil
		}
		in.Items = append(in.Items, it)
	}
	return in
}

func TestLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := draw(t)
		x := collated(in)
		data, err := json.Marshal(x)
		if err != nil {
			t.Fatal(err)
		}
		var m map[string]any
		if err := json.Unmarshal(data, &m); err != nil {
			t.Fatal(err)
		}
		for _, k := range []string{"statements", "evidence", "sources", "gaps", "conflicts", "unsupported"} {
			if m[k] == nil {
				t.Fatalf("%s is null, want an empty list", k)
			}
		}
		if bytes.Contains(data, []byte(`"evidence":null`)) || bytes.Contains(data, []byte(`"section_path":null`)) {
			t.Fatalf("a null slice in %s", data)
		}
		checkIndexes(t, x)
		checkGrade(t, x)
		checkNothingLost(t, in, x)

		again, _ := json.Marshal(collated(in))
		if !bytes.Equal(data, again) {
			t.Fatal("two runs differ")
		}
		shuffled := in
		shuffled.Pages = append([]*wstk.Document(nil), in.Pages...)
		rand.Shuffle(len(shuffled.Pages), func(i, j int) {
			shuffled.Pages[i], shuffled.Pages[j] = shuffled.Pages[j], shuffled.Pages[i]
		})
		other, _ := json.Marshal(collated(shuffled))
		if !bytes.Equal(data, other) {
			t.Fatal("the order of the pages changes the output")
		}
	})
}

func checkIndexes(t *rapid.T, x wstk.Extraction) {
	used := map[int]bool{}
	ids := map[string]bool{}
	for _, e := range x.Evidence {
		if ids[e.ID] {
			t.Fatalf("%s is listed twice", e.ID)
		}
		ids[e.ID] = true
	}
	check := func(ns []int) {
		for _, n := range ns {
			if n < 0 || n >= len(x.Evidence) {
				t.Fatalf("the index %d is outside of %d pieces of evidence", n, len(x.Evidence))
			}
			used[n] = true
		}
	}
	for _, s := range x.Statements {
		check(s.Evidence)
		if len(s.Evidence) == 0 && s.Support != wstk.SupportAssumed {
			t.Fatalf("%q stands without evidence", s.Statement)
		}
	}
	for _, c := range x.Conflicts {
		norms := map[string]bool{}
		for _, s := range c.Claims {
			check(s.Evidence)
			norms[s.Norm] = true
			if len(s.Evidence) == 0 || x.Evidence[s.Evidence[0]].URL != s.SourceURL {
				t.Fatalf("conflicting claim %+v", s)
			}
		}
		if len(norms) < 2 {
			t.Fatalf("a conflict with one side: %+v", c)
		}
	}
	if len(used) != len(x.Evidence) {
		t.Fatalf("%d of %d evidence belong to a statement", len(used), len(x.Evidence))
	}
	urls := map[string]bool{}
	primaries := 0
	for _, s := range x.Sources {
		if urls[s.URL] {
			t.Fatalf("source %s twice", s.URL)
		}
		urls[s.URL] = true
		if s.Role == wstk.Primary {
			primaries++
		}
		if s.CopyOf != "" && !slices.Contains(urlsOf(x), s.CopyOf) {
			t.Fatalf("%s is a copy of %s, which is no source", s.URL, s.CopyOf)
		}
	}
	for _, e := range x.Evidence {
		if !urls[e.URL] {
			t.Fatalf("%s is no source", e.URL)
		}
	}
	if len(x.Evidence) > 0 && primaries != 1 {
		t.Fatalf("%d primary sources", primaries)
	}
}

func urlsOf(x wstk.Extraction) []string {
	var out []string
	for _, s := range x.Sources {
		out = append(out, s.URL)
	}
	return out
}

func checkGrade(t *rapid.T, x wstk.Extraction) {
	inferred := false
	for _, s := range x.Statements {
		inferred = inferred || s.Support != wstk.SupportDirect
	}
	independent := 0
	for _, s := range x.Sources {
		if s.CopyOf == "" {
			independent++
		}
	}
	switch {
	case len(x.Conflicts) > 0:
		if x.Grounding != wstk.Conflicted {
			t.Fatalf("conflicts and %s", x.Grounding)
		}
	case inferred:
		if x.Grounding != wstk.Inferred {
			t.Fatalf("inference and %s", x.Grounding)
		}
	case x.Grounding == wstk.Verified:
		if independent < 2 {
			t.Fatalf("verified by %d independent sources", independent)
		}
	case x.Grounding != wstk.SingleSource:
		t.Fatalf("the grade is %s, want single_source", x.Grounding)
	}
}

// checkNothingLost holds that every claim ends as a statement or as unsupported.
func checkNothingLost(t *rapid.T, in Input, x wstk.Extraction) {
	for _, it := range in.Items {
		found := false
		for _, s := range x.Statements {
			found = found || s.Statement == it.Claim.Statement
		}
		for _, u := range x.Unsupported {
			found = found || u.Statement == it.Claim.Statement
		}
		if !found {
			t.Fatalf("%q is neither stated nor listed", it.Claim.Statement)
		}
		for _, u := range it.Unsupported {
			listed := false
			for _, v := range x.Unsupported {
				listed = listed || u == v
			}
			if !listed {
				t.Fatalf("%+v was dropped in silence", u)
			}
		}
	}
}

package collate_test

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"wstk/shared/stage/collate"
	"wstk/shared/stage/read"
	"wstk/shared/stage/verify"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

const testdata = "../../../testdata/"

// grounded is a case of testdata/eval/grounding.
type grounded struct {
	ID, Page, Claim, Field, Want string
	Quotes, Open                 []string
	OutputLanguage               string `json:"output_language"`
	Language                     string
}

// library reads pages of the bundled site and of the made cases of agreement.
type library struct {
	made map[string][]struct{ URL, Title, HTML string }
	docs map[string]*wstk.Document
}

// kept is what a caller keeps of pages for several answers.
var kept = struct {
	settings map[*wstk.Document]*text.Setting
	shingles map[*wstk.Document]text.Shingles
}{map[*wstk.Document]*text.Setting{}, map[*wstk.Document]text.Shingles{}}

func setting(ctx context.Context, d *wstk.Document) *text.Setting {
	if kept.settings[d] == nil {
		kept.settings[d] = text.NewSetting(ctx, d.Text, d.Meta.Title, d.Meta.Type,
			d.Meta.Language, d.Outline)
	}
	return kept.settings[d]
}

func shingles(_ context.Context, d *wstk.Document) text.Shingles {
	s, ok := kept.shingles[d]
	if !ok {
		s = collate.ShinglesOf(d)
		kept.shingles[d] = s
	}
	return s
}

func newLibrary(t testing.TB) *library {
	t.Helper()
	l := &library{made: map[string][]struct{ URL, Title, HTML string }{},
		docs: map[string]*wstk.Document{}}
	files, err := filepath.Glob(testdata + "eval/agreement/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatal("no made pages", err)
	}
	for _, name := range files {
		eachLine(t, name, func(line []byte) {
			var c struct {
				ID    string
				Pages []struct{ URL, Title, HTML string }
			}
			if err := json.Unmarshal(line, &c); err != nil {
				t.Fatal(err)
			}
			l.made[c.ID] = c.Pages
		})
	}
	return l
}

func eachLine(t testing.TB, name string, do func(line []byte)) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		do(lines.Bytes())
	}
}

// page is "sqlite/about.html", or a made case and the number of its page.
func (l *library) page(t testing.TB, name string) *wstk.Document {
	t.Helper()
	if d := l.docs[name]; d != nil {
		return d
	}
	url, body := "https://www.sqlite.example/"+name, ""
	if before, n, made := strings.Cut(name, "/"); made && len(l.made[before]) > 0 {
		k, _ := strconv.Atoi(n)
		p := l.made[before][k]
		url, body = p.URL, "<html><head><title>"+p.Title+"</title></head><body><main>"+p.HTML+
			"</main></body></html>"
	} else {
		data, err := os.ReadFile(testdata + "sites/" + name)
		if err != nil {
			t.Fatal(err)
		}
		body = string(data)
	}
	reader := read.Stage{}
	d, err := reader.Do(context.Background(), read.Input{URL: url, Body: []byte(body),
		ContentType: "text/html; charset=utf-8"})
	if err != nil {
		t.Fatal(err)
	}
	d.URL, d.CanonicalURL = url, url
	d.TextSHA256, d.SnapshotSHA256 = wstk.HashOf([]byte(d.Text)), wstk.HashOf([]byte(body))
	d.FetchedAt = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	l.docs[name] = d
	return d
}

// answer verifies and joins claims over pages.
func answer(t testing.TB, in collate.Input, pages []*wstk.Document, claims []wstk.Claim,
) wstk.Extraction {
	t.Helper()
	ctx := context.Background()
	stage := &verify.Stage{Whole: true, Document: func(_ context.Context, url string) (
		*wstk.Document, bool, error) {
		for _, d := range pages {
			if d.URL == url {
				return d, false, nil
			}
		}
		return nil, false, wstk.Errorf(wstk.NotFound, "reading", "no page %s", url)
	}}
	results, err := stage.Do(ctx, claims)
	if err != nil {
		t.Fatal(err)
	}
	in.Strategy, in.Strict, in.Pages = wstk.Singular, true, pages
	in.Setting, in.Shingles = setting, shingles
	for _, r := range results {
		in.Items = append(in.Items,
			collate.Item{Claim: r.Claim, Evidence: r.Evidence, Unsupported: r.Unsupported})
	}
	x, err := collate.Collate(ctx, in)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func claimed(d *wstk.Document, field, statement string, quotes ...string) wstk.Claim {
	c := wstk.Claim{Field: field, Statement: statement, Support: wstk.SupportDirect}
	for _, q := range quotes {
		c.Proposed = append(c.Proposed, wstk.Proposal{Kind: wstk.EvidenceText, URL: d.URL,
			Words: q, ByteStart: -1})
	}
	return c
}

// Hand-written claims, half of them lies: no lie is shown as it is worded, and of the honest ones
// as many are shown, as they are worded or in the words of their page, as the table says. The cases
// of test.jsonl were written before the rules.
func TestGroundingCases(t *testing.T) {
	for file, least := range map[string]int{"fit": 29, "test": 29} {
		l := newLibrary(t)
		honest, kept, inPage := 0, 0, 0
		eachLine(t, testdata+"eval/grounding/"+file+".jsonl", func(line []byte) {
			var c grounded
			if err := json.Unmarshal(line, &c); err != nil {
				t.Fatal(err)
			}
			d := l.page(t, c.Page)
			x := answer(t, collate.Input{Query: "q", Language: c.OutputLanguage, Named: true},
				[]*wstk.Document{d}, []wstk.Claim{claimed(d, c.Field, c.Claim, c.Quotes...)})
			got := outcomeOf(x, c.Claim)
			for _, s := range x.Statements {
				if s.Statement == c.Claim && c.Language != s.Language {
					t.Errorf("%s: the language is %q, want %q", c.ID, s.Language, c.Language)
				}
			}
			for _, u := range x.Unsupported {
				if u.Reason == "not_in_text" {
					t.Errorf("%s: the page does not hold %q", c.ID, u.Quote)
				}
			}
			if c.Want == "unsupported" {
				if got == asWorded {
					t.Errorf("%s: a lie is shown as it is worded: %s", c.ID, c.Claim)
				}
				return
			}
			honest++
			switch got {
			case asWorded:
				kept++
			case inPageWords:
				inPage++
			default:
				t.Logf("%s: lost: %s; %+v", c.ID, c.Claim, x.Unsupported)
			}
		})
		t.Logf("%s: of %d honest claims %d are shown as worded, %d in the words of their page", file,
			honest, kept, inPage)
		if kept+inPage < least {
			t.Errorf("%s: %d honest claims are shown, want %d", file, kept+inPage, least)
		}
	}
}

// What becomes of a claim in an answer.
const (
	asWorded    = "as worded"
	inPageWords = "page"
	notShown    = "not shown"
)

func outcomeOf(x wstk.Extraction, claim string) string {
	switch {
	case slices.ContainsFunc(x.Statements, func(s wstk.Statement) bool {
		return s.Statement == claim
	}):
		return asWorded
	case len(x.Statements) > 0:
		return inPageWords
	}
	return notShown
}

// A model may give words any name; they keep it only where their place names it.
func TestAFieldThatNoPlaceNames(t *testing.T) {
	l := newLibrary(t)
	l.made["staff"] = []struct{ URL, Title, HTML string }{{"https://a.example/staff", "Staff",
		`<h1>Staff of the museum</h1><table><tr><th>Name</th><th>Role</th><th>Phone</th></tr>
<tr><td>Mara Linden</td><td>Director</td><td>555-0101</td></tr></table>
<p>The museum has 3,400 objects in its store and shows 200 of them.</p>`}}
	d := l.page(t, "staff/0")
	for _, c := range []struct {
		field, words string
		named, kept  bool
	}{
		{"phone", "555-0101", true, true},
		{"objects", "The museum has 3,400 objects in its store and shows 200 of them.", true, true},
		{"convicted of fraud", "Mara Linden", true, false},
		{"price", "555-0101", true, false},
		{"convicted of fraud", "Mara Linden", false, true}, // rules bind fields themselves
	} {
		x := answer(t, collate.Input{Query: "q", Named: c.named}, []*wstk.Document{d},
			[]wstk.Claim{claimed(d, c.field, c.words, c.words)})
		if kept := len(x.Statements) == 1; kept != c.kept {
			t.Errorf("%s: %q, asked that it be named: %t; statements %+v, want one: %t", c.field,
				c.words, c.named, x.Statements, c.kept)
		}
	}
}

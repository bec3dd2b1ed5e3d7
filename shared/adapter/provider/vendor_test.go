package provider

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"wstk/shared/adapter/webapi"
	"wstk/shared/wstk"
)

// service answers one request after the other, and keeps what it was asked.
type service struct {
	t       *testing.T
	answers []answer
	seen    []seen
}

type answer struct {
	status int
	file   string // in testdata/providers
	header http.Header
}

type seen struct {
	url    *url.URL
	header http.Header
	body   string
}

func (v *service) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		body, _ = io.ReadAll(r.Body)
	}
	v.seen = append(v.seen, seen{r.URL, r.Header, string(body)})
	a := v.answers[min(len(v.seen), len(v.answers))-1]
	data, err := os.ReadFile(filepath.Join("../../../testdata/providers", a.file))
	if err != nil {
		v.t.Fatal(err)
	}
	header := a.header
	if header == nil {
		header = http.Header{}
	}
	return &http.Response{StatusCode: a.status, Header: header,
		Body: io.NopCloser(bytes.NewReader(data)), Request: r}, nil
}

func answers(t *testing.T, list ...answer) *service { return &service{t: t, answers: list} }

func TestBraveSaysDaysByFreshness(t *testing.T) {
	for want, q := range map[string]wstk.SearchQuery{
		"pw": {TimeRange: wstk.LastWeek},
		"2026-01-02to2026-02-03": {After: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC),
			Before: time.Date(2026, 2, 3, 0, 0, 0, 0, time.UTC)},
		"2026-01-02to2026-03-07": {After: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)},
		"1970-01-01to2026-02-03": {Before: time.Date(2026, 2, 3, 0, 0, 0, 0, time.UTC)},
		// a day to come
		"2026-04-01to2026-04-01": {After: time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC)},
		"1960-01-01to1960-01-01": {Before: time.Date(1960, 1, 1, 0, 0, 0, 0, time.UTC)},
	} {
		v := answers(t, answer{200, "brave_api/ordinary.json", nil})
		q.Words, q.Sites, q.Exclude, q.Region = "tide", []string{".eu", "b.example"}, []string{"c.example"}, "uk-en"
		p := Brave{options(v)}
		if _, err := p.Search(t.Context(), q); err != nil {
			t.Fatal(err)
		}
		got := v.seen[0]
		if f := got.url.Query().Get("freshness"); f != want {
			t.Errorf("freshness is %q, want %q", f, want)
		}
		if s := got.url.Query().Get("q"); s != "tide (site:.eu OR site:b.example) -site:c.example" {
			t.Errorf("q is %q", s)
		}
		if got.url.Query().Get("country") != "GB" || got.url.Query().Get("search_lang") != "en" || got.header.Get("X-Subscription-Token") != key {
			t.Errorf("sent %v %v", got.url, got.header)
		}
	}
}

// Vendors refuse codes that are not on their lists, so those are not sent, and said.
func TestPlacesAsVendorsWriteThem(t *testing.T) {
	for _, c := range []struct {
		region, language            string
		country, searchLang, gl, lr string
		braveCannot, googleCannot   []string
	}{
		{"", "", "", "", "", "", nil, nil},
		{"de-wt", "de", "DE", "de", "de", "lang_de", nil, nil},
		{"ie-wt", "", "", "", "ie", "", []string{"region ie-wt"}, nil},
		{"cz-cs", "", "", "cs", "cz", "lang_cs", []string{"region cz-cs"}, nil},
		{"jp-jp", "", "JP", "jp", "jp", "lang_ja", nil, nil},
		{"", "zh", "", "zh-hans", "", "lang_zh-CN", nil, nil},
		{"tw-tzh", "", "TW", "zh-hant", "tw", "lang_zh-TW", nil, nil},
		{"pt-wt", "pt", "PT", "pt-pt", "pt", "lang_pt", nil, nil},
		{"", "pt", "", "pt-br", "", "lang_pt", nil, nil},
		{"", "no", "", "nb", "", "lang_no", nil, nil},
		{"", "he", "", "he", "", "lang_iw", nil, nil},
		{"", "hi", "", "hi", "", "", nil, []string{"language hi"}},
		{"va-la", "", "", "", "va", "", []string{"region va-la", "language la"}, []string{"language la"}},
	} {
		q := wstk.SearchQuery{Words: "tide", Region: c.region, Language: c.language}
		v := answers(t, answer{200, "brave_api/ordinary.json", nil})
		if _, err := (Brave{options(v)}).Search(t.Context(), q); err != nil {
			t.Fatal(err)
		}
		if sent := v.seen[0].url.Query(); sent.Get("country") != c.country || sent.Get("search_lang") != c.searchLang {
			t.Errorf("%q %q: Brave is sent %v", c.region, c.language, sent)
		}
		v = answers(t, answer{200, "google_cse/ordinary.json", nil})
		if _, err := (Google{options(v)}).Search(t.Context(), q); err != nil {
			t.Fatal(err)
		}
		if sent := v.seen[0].url.Query(); sent.Get("gl") != c.gl || sent.Get("lr") != c.lr {
			t.Errorf("%q %q: Google is sent %v", c.region, c.language, sent)
		}
		if got := (Brave{}).Compile(q).Unsupported; !slices.Equal(got, c.braveCannot) {
			t.Errorf("%q %q: Brave cannot be told %q", c.region, c.language, got)
		}
		if got := (Google{}).Compile(q).Unsupported; !slices.Equal(got, c.googleCannot) {
			t.Errorf("%q %q: Google cannot be told %q", c.region, c.language, got)
		}
	}
}

// What a vendor says is kept as it was said, or the reply tells that it was not; a key that
// it repeats is not kept.
func TestRowsAreWhole(t *testing.T) {
	long := strings.Repeat("x", maxRaw)
	body := `{"type": "search", "web": {"results": [
		{"title": "Tide", "url": "https://a.example/?k=` + key + `", "description": "` + key + ` is yours"},
		{"title": "Low \ud83c water", "url": "https://b.example/", "description": "of ` + "\xff" + `old", "extra": "kept"},
		{"title": "High water", "url": "https://c.example/", "description": "` + long + `"}]}}`
	got, err := Brave{options(saying(body))}.Search(t.Context(),
		wstk.SearchQuery{Words: "tide", Raw: true})
	if err != nil || len(got.Results) != 3 {
		t.Fatalf("%+v, %v", got, err)
	}
	if all := fmt.Sprintf("%+v %s", got, got.Results[0].Raw); strings.Contains(all, key) {
		t.Errorf("the key stands in %s", all)
	}
	if raw := got.Results[1].Raw; !json.Valid(raw) || !strings.Contains(string(raw), "kept") {
		t.Errorf("raw is %s", raw)
	}
	if got.Results[2].Raw != nil || len(got.Warnings) != 1 ||
		got.Warnings[0].Code != "results_shortened" || !strings.HasPrefix(got.Warnings[0].Message, "One entry in the reply") {
		t.Errorf("warnings are %+v", got.Warnings)
	}
}

// saying is a vendor that answers with a body.
type saying string

func (s saying) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: 200, Header: http.Header{},
		Body: io.NopCloser(strings.NewReader(string(s)))}, nil
}

func TestGoogleAndSerperSayDaysByOperators(t *testing.T) {
	q := wstk.SearchQuery{Words: `("AI regulation" OR "AI Act")`, Sites: []string{".eu"},
		After:  time.Date(2025, 9, 5, 0, 0, 0, 0, time.UTC),
		Before: time.Date(2025, 9, 12, 0, 0, 0, 0, time.UTC)}
	const want = `("AI regulation" OR "AI Act") site:.eu after:2025-09-05 before:2025-09-12`
	for _, p := range []wstk.SearchProvider{Serper{}, Google{}} {
		if got := p.Compile(q); got.Query != want || got.Unsupported != nil {
			t.Errorf("got %+v", got)
		}
	}
	if got := (Brave{}).Compile(q).Query; got != `("AI regulation" OR "AI Act") site:.eu` {
		t.Errorf("brave is sent %q", got)
	}
}

func TestVendorsOwnWaysToFail(t *testing.T) {
	brave := func(o Options) wstk.SearchProvider { return Brave{o} }
	google := func(o Options) wstk.SearchProvider { return Google{o} }
	for _, c := range []struct {
		name string
		answer
		provider func(Options) wstk.SearchProvider
		code     wstk.Code
		wait     time.Duration
	}{
		{"a wrong key is 422", answer{422, "brave_api/bad_key.json", nil}, brave, wstk.Unauthorized, 0},
		{"the window of a second", answer{429, "brave_api/rate_limited.json", http.Header{
			"X-Ratelimit-Remaining": {"0, 1500"}, "X-Ratelimit-Reset": {"1, 1419704"}}}, brave, wstk.RateLimited, time.Second},
		{"the window of a month", answer{429, "brave_api/rate_limited.json", http.Header{
			"X-Ratelimit-Remaining": {"0, 0"}, "X-Ratelimit-Reset": {"1, 1419704"}}}, brave, wstk.RateLimited, 24 * time.Hour},
		{"a wrong key is 400", answer{400, "google_cse/bad_key.json", nil}, google, wstk.Unauthorized, 0},
		{"a quota", answer{429, "google_cse/quota.json", nil}, google, wstk.RateLimited, 0},
		{"a quota is 403", answer{403, "google_cse/daily_limit.json", nil}, google, wstk.RateLimited, 0},
		{"no credits is 400", answer{400, "serper/no_credits.json", nil},
			func(o Options) wstk.SearchProvider { return Serper{o} }, wstk.RateLimited, 0},
		{"a used-up plan is 432", answer{432, "tavily/bad_key.json", nil},
			func(o Options) wstk.SearchProvider { return Tavily{o} }, wstk.RateLimited, 0},
		{"a failure is 200", answer{200, "firecrawl_endpoint/failed.json", nil},
			func(o Options) wstk.SearchProvider {
				return Firecrawl{Options: o}
			}, wstk.HTTPError, 0},
		{"a challenge", answer{200, "ddgs/challenge.html", nil},
			func(o Options) wstk.SearchProvider { return DDGS{o} }, wstk.Blocked, 0},
		{"a challenge is 202", answer{202, "ddgs/challenge.html", nil},
			func(o Options) wstk.SearchProvider { return DDGS{o} }, wstk.Blocked, 0},
	} {
		_, err := c.provider(options(answers(t, c.answer))).
			Search(t.Context(), wstk.SearchQuery{Words: "tide"})
		if wstk.CodeOf(err) != c.code || wstk.RetryAfterOf(err) != c.wait {
			t.Errorf("%s: got %s after %s: %v", c.name, wstk.CodeOf(err), wstk.RetryAfterOf(err), err)
		}
	}
}

// A provider that lacks a setting it needs is disabled, says what to set, and sends nothing.
func TestWithoutWhatIsNeededNoRequestIsSent(t *testing.T) {
	v := answers(t, answer{200, "brave_api/ordinary.json", nil})
	for _, row := range Table {
		for _, need := range row.Needs {
			o := options(v)
			switch need {
			case wstk.SettingKey:
				o.Key = nil
			case wstk.SettingBaseURL:
				o.BaseURL = ""
			case wstk.SettingEngine:
				o.Engine = ""
			}
			p := row.New(o)
			info := p.Info()
			_, err := p.Search(t.Context(), wstk.SearchQuery{Words: "tide"})
			if info.Enabled || info.Auto || info.Reason == "" ||
				wstk.CodeOf(err) != wstk.Unauthorized || len(v.seen) > 0 {
				t.Errorf("%s without %s: %+v, %v", row.ID, need, info, err)
			}
			if next := wstk.StepsOf(err); len(next) == 0 ||
				next[0].Variable != row.Variables(need)[0] {
				t.Errorf("%s without %s: the next step names no variable: %v", row.ID, need, next)
			}
		}
	}
}

// However a provider is printed, its key does not show.
func TestNoKeyInPrint(t *testing.T) {
	for _, p := range []wstk.SearchProvider{Brave{options(nil)}, Google{options(nil)}} {
		data, _ := json.Marshal(p.Info())
		if s := fmt.Sprintf("%v %+v %#v %s", p, p, p, data); strings.Contains(s, key) {
			t.Errorf("shows the key: %s", s)
		}
	}
}

func TestGooglePages(t *testing.T) {
	v := answers(t, answer{200, "google_cse/full.json", nil}, answer{200, "google_cse/ordinary.json", nil})
	reply, err := (Google{options(v)}).Search(t.Context(), wstk.SearchQuery{Words: "tide", Max: 25})
	if err != nil || len(reply.Results) != 13 || reply.Tries != 2 {
		t.Fatalf("got %d results of %d requests, %v", len(reply.Results), reply.Tries, err)
	}
	if a, b := v.seen[0].url.Query(), v.seen[1].url.Query(); a.Get("start") != "1" ||
		a.Get("num") != "10" || b.Get("start") != "11" || b.Get("num") != "10" {
		t.Errorf("asked %v, then %v", a, b)
	}
	if d := reply.Results[10].PublishedAt; d == nil ||
		!d.Equal(time.Date(2026, 3, 4, 9, 30, 0, 0, time.UTC)) {
		t.Errorf("published at %v", d)
	}

	v = answers(t, answer{200, "google_cse/full.json", nil}, answer{429, "google_cse/quota.json", nil})
	reply, err = (Google{options(v)}).Search(t.Context(), wstk.SearchQuery{Words: "tide", Max: 25})
	if err != nil || len(reply.Results) != 10 || len(reply.Warnings) != 1 ||
		reply.Warnings[0].Code != "results_cut" {
		t.Errorf("a page that is missing is not told: %d results, %v, %v", len(reply.Results), reply.Warnings, err)
	}
}

func TestFirecrawlVersions(t *testing.T) {
	for base, path := range map[string]string{"http://127.0.0.1:3002": "/v1/search", "http://127.0.0.1:3002/v1/": "/v1/search", "http://fire/v2": "/v2/search"} {
		v := answers(t, answer{200, "firecrawl_endpoint/v2.json", nil})
		o := options(v)
		o.BaseURL = base
		reply, err := (Firecrawl{Options: o}).Search(t.Context(),
			wstk.SearchQuery{Words: "tide", Before: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC),
				Region: "us-en"})
		if err != nil || len(reply.Results) != 3 || v.seen[0].url.Path != path {
			t.Errorf("%s: asked %s, got %d results, %v", base, v.seen[0].url, len(reply.Results), err)
		}
		var body map[string]any
		if json.Unmarshal([]byte(v.seen[0].body), &body); body["tbs"] != "cdr:1,cd_max:3/1/2026" ||
			body["country"] != "us" || (body["lang"] == "en") != (path[2] == '1') {
			t.Errorf("%s: sent %v", base, body)
		}
	}
	reply, err := (Firecrawl{Options: options(
		answers(t, answer{200, "firecrawl_endpoint/v2_empty.json", nil}))}).Search(t.Context(), wstk.SearchQuery{Words: "tide"})
	if err != nil || len(reply.Results) != 0 {
		t.Errorf("got %v, %v", reply.Results, err)
	}
}

func TestAutoChoosesFirecrawlOnlyWhereItIsSelfHosted(t *testing.T) {
	for base, auto := range map[string]bool{"http://localhost:3002": true, "http://127.0.0.1": true, "http://10.1.2.3": true, "http://firecrawl:3002": true,
		"http://[::1]:3002": true, "http://fire.internal": true, "https://api.firecrawl.dev": false, "http://127.0.0.1.example.com": false, "http://8.8.8.8": false} {
		o := Options{Client: webapi.Client{BaseURL: base}}
		info := Firecrawl{Options: o}.Info()
		if info.Auto != auto || info.Remote == auto || !info.Enabled ||
			(info.Privacy == "") != auto || (info.Reason == "") != auto {
			t.Errorf("%s: %+v", base, info)
		}
		o.AllowAuto = true
		if !(Firecrawl{o}).Info().Auto {
			t.Errorf("%s is not chosen although it is allowed", base)
		}
	}
}

func TestSearXNG(t *testing.T) {
	v := answers(t, answer{200, "searxng_local/ordinary.json", nil})
	reply, err := SearXNG{options(v)}.Search(t.Context(),
		wstk.SearchQuery{Words: "tide", Region: "us-en", TimeRange: wstk.LastMonth})
	if err != nil {
		t.Fatal(err)
	}
	if q := v.seen[0].url.Query(); q.Get("language") != "en-US" || q.Get("time_range") != "month" || q.Get("safesearch") != "1" || q.Get("format") != "json" {
		t.Errorf("asked %v", q)
	}
	var scores []float64
	for _, r := range reply.Results {
		scores = append(scores, *r.Score)
	}
	if !slices.Equal(scores, []float64{1, 0.375, 0.0625}) {
		t.Errorf("scores are %v", scores)
	}
	if len(reply.Warnings) != 2 || !strings.Contains(reply.Warnings[0].Message, "google, Suspended: CAPTCHA") {
		t.Errorf("warnings are %v", reply.Warnings)
	}

	_, err = SearXNG{options(answers(t, answer{403, "searxng_local/README.md", nil}))}.Search(
		t.Context(), wstk.SearchQuery{Words: "tide"})
	if next := wstk.StepsOf(err); len(next) != 1 || !strings.Contains(next[0].Say, "search.formats") {
		t.Errorf("next steps are %v", next)
	}
	if err := (SearXNG{options(answers(t, answer{404, "searxng_local/README.md", nil}))}).
		Reachable(t.Context()); err != nil {
		t.Errorf("an instance that answers is not reachable: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := (SearXNG{options(silent{})}).Reachable(ctx); err == nil {
		t.Error("an instance that does not answer is reachable")
	}
}

type silent struct{}

func (silent) RoundTrip(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

func TestDuckDuckGoLayouts(t *testing.T) {
	full, err := DDGS{options(answers(t, answer{200, "ddgs/ordinary.html", nil}))}.Search(
		t.Context(), wstk.SearchQuery{Words: "tide"})
	if err != nil {
		t.Fatal(err)
	}
	v := answers(t, answer{200, "ddgs/README.md", nil}, answer{200, "ddgs/lite.html", nil})
	lite, err := DDGS{options(v)}.Search(t.Context(), wstk.SearchQuery{Words: "tide", Region: "de-de",
		After: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)})
	if err != nil {
		t.Fatal(err)
	}
	if v.seen[0].url.Path != "/html/" || v.seen[1].url.Path != "/lite/" || lite.Tries != 2 {
		t.Errorf("asked %v", v.seen)
	}
	if form, _ := url.ParseQuery(v.seen[1].body); form.Get("kl") != "de-de" ||
		form.Get("df") != "2026-01-02..2026-03-07" || form.Get("kp") != "-1" {
		t.Errorf("sent %v", form)
	}
	for _, results := range [][]wstk.SearchResult{full.Results, lite.Results} {
		if len(results) != 3 || results[1].URL != "https://harbour.example/guide?chapter=2" || results[0].Title != "Tide tables for Bristol" ||
			results[0].Snippet != "High and low water at Avonmouth for the next seven days." || results[2].PublishedAt != nil {
			t.Errorf("got %+v", results)
		}
		if d := results[0].PublishedAt; d == nil ||
			!d.Equal(time.Date(2026, 3, 4, 9, 30, 0, 0, time.UTC)) {
			t.Errorf("published at %v", d)
		}
	}
}

func TestDates(t *testing.T) {
	for s, want := range map[string]string{
		"3 days ago": "2026-03-04T00:00:00Z", "1 hour ago": "2026-03-07T14:04:00Z", "5 mins ago": "2026-03-07T14:59:00Z", "Yesterday": "2026-03-06T00:00:00Z",
		"2 weeks ago": "2026-02-21T00:00:00Z", "Nov 20, 2025": "2025-11-20T00:00:00Z", "20 Nov 2025": "2025-11-20T00:00:00Z",
		"Wed, 04 Mar 2026 09:30:00 GMT": "2026-03-04T09:30:00Z", "2026-03-04T09:30:00+02:00": "2026-03-04T07:30:00Z", "2024-05-02T00:00:00.0000000": "2024-05-02T00:00:00Z",
		"": "", "soon": "", "99999999999999999999 days ago": "", "999999 years ago": "", "-3 days ago": "", "0001-01-01T00:00:00": "", "2099-01-01": "", "vor 3 Tagen": "",
	} {
		got := ""
		if d := date(s, now); d != nil {
			got = d.Format(time.RFC3339)
		}
		if got != want {
			t.Errorf("%q is %q, want %q", s, got, want)
		}
	}
}

// What the vendor lists twice, and beyond what was asked for, stands among the rows.
func TestRowsAreAllThatWasListed(t *testing.T) {
	v := answers(t, answer{200, "brave_api/ordinary.json", nil})
	whole, err := Brave{options(v)}.Search(t.Context(), wstk.SearchQuery{Words: "tide"})
	if err != nil || len(whole.Results) < 2 || whole.Rows != nil {
		t.Fatalf("%d results, %d rows, %v", len(whole.Results), len(whole.Rows), err)
	}
	v = answers(t, answer{200, "brave_api/ordinary.json", nil})
	one, err := Brave{options(v)}.Search(t.Context(), wstk.SearchQuery{Words: "tide", Max: 1, Raw: true})
	if err != nil || len(one.Results) != 1 || len(one.Rows) != len(whole.Results) ||
		one.Rows[1].Rank != 2 || one.Rows[1].Raw == nil {
		t.Errorf("%d results, rows %+v, %v", len(one.Results), one.Rows, err)
	}
	v = answers(t, answer{200, "brave_api/hostile.json", nil})
	twice, err := Brave{options(v)}.Search(t.Context(), wstk.SearchQuery{Words: "tide"})
	if err != nil || len(twice.Rows) <= len(twice.Results) {
		t.Errorf("of a page that is listed twice there are %d results and %d rows: %v", len(twice.Results), len(twice.Rows), err)
	}
}

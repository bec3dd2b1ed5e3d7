package local_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"wstk/shared/app"
	"wstk/shared/app/local"
	"wstk/shared/app/reading"
	"wstk/shared/config"
	"wstk/shared/wstk"
)

// cookieSecret is made up.
const cookieSecret = "made-up" + "-session-" + "0001"

// members is a site with pages behind a cookie, an API, and a note of who sent the cookie.
type members struct {
	*httptest.Server
	mu   sync.Mutex
	sent []string // paths that were asked for with the cookie
	all  []string
}

func newMembers(t *testing.T) *members {
	t.Helper()
	m := &members{}
	m.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		member := strings.Contains(r.Header.Get("Cookie"), cookieSecret)
		m.mu.Lock()
		if m.all = append(m.all, r.URL.Path); member {
			m.sent = append(m.sent, r.URL.Path)
		}
		m.mu.Unlock()
		switch {
		case strings.HasPrefix(r.URL.Path, "/api/"):
			fmt.Fprint(w, `<html><title>Pump</title><p>The pump of the API holds forty litres.`+
				` <a href="Valve">Valve</a>`)
		case strings.HasPrefix(r.URL.Path, "/team/") && member:
			fmt.Fprint(w, "<title>Ours</title><p>The plan of the team is to build ninety pumps.")
		case strings.HasPrefix(r.URL.Path, "/team/"):
			w.WriteHeader(http.StatusForbidden)
		case r.URL.Path == "/robots.txt", r.URL.Path == "/sitemap.xml":
			w.WriteHeader(http.StatusNotFound)
		default:
			fmt.Fprint(w, `<title>Open</title><p>Everyone reads this page about pumps. <a href="/team/a">a</a>`)
		}
	}))
	t.Cleanup(m.Close)
	return m
}

// byRules is a configuration with rules for the site, and access switched on.
func (m *members) byRules(t *testing.T, more ...string) config.Config {
	t.Helper()
	dir := t.TempDir()
	flags := []config.Flag{}
	for key, value := range map[string]string{
		"access.rules.team.kind": "headers", "access.rules.team.pages": m.URL + "/team/",
		"access.rules.team.headers.Cookie": "TEAM_COOKIE",
		"access.rules.wiki.kind":           "api", "access.rules.wiki.pages": m.URL + "/wiki/",
		"access.rules.wiki.address": "/api/{page}",
		"fetch.allow_private":       "true", "data_dir": filepath.Join(dir, "data"),
		"cache_dir": filepath.Join(dir, "cache"), "log_level": "debug",
	} {
		flags = append(flags, config.Flag{Name: key, Key: key, Value: value})
	}
	for i := 0; i < len(more); i += 2 {
		flags = append(flags, config.Flag{Name: more[i], Key: more[i], Value: more[i+1]})
	}
	c, err := local.Settings().Load(func(name string) string {
		return map[string]string{"TEAM_COOKIE": "sid=" + cookieSecret, "WSTK_ACCESS": "1"}[name]
	}, dir, flags...)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func transient(t *testing.T, c config.Config, log *slog.Logger) *app.App {
	t.Helper()
	a, err := local.OpenTransient(context.Background(), c, log)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a
}

func extract(t *testing.T, a *app.App, url string, byRule bool) reading.ExtractResult {
	t.Helper()
	res, err := a.Looking.ExtractPage(t.Context(), reading.ExtractRequest{Target: url,
		Page: reading.PageRequest{ByRule: byRule}})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// D12, law 9: a page is read with a user's cookie, and the secret is in no reply, log or file;
// neither cache nor evidence keeps what was read; robots.txt is asked for without it.
func TestPagesByRulesLeaveNothingBehind(t *testing.T) {
	m := newMembers(t)
	var logs bytes.Buffer
	log := slog.New(slog.NewTextHandler(&logs, &slog.HandlerOptions{Level: slog.LevelDebug}))
	c := m.byRules(t)
	a := transient(t, c, log)
	res := extract(t, a, m.URL+"/team/plan", true)
	if !strings.Contains(res.Extracted.Content(), "ninety pumps") || res.Access == nil ||
		*res.Access != (wstk.Permit{Kind: wstk.AccessHeaders, Rule: "team",
			Page: m.URL + "/team/plan", Private: true}) || res.Evidence != nil || res.Body.Path != nil {
		t.Errorf("the page is %+v, %+v", res.Extracted, res.Access)
	}
	warned := false
	for _, w := range res.Warnings {
		warned = warned || w.Code == "access"
	}
	if !warned {
		t.Errorf("the reply has the warnings %v", res.Warnings)
	}
	again := extract(t, a, m.URL+"/team/plan", true)
	if again.CacheHit || again.Previous != nil {
		t.Error("the page was taken from the cache")
	}
	d, _, err := a.Looking.ReadPage(t.Context(), m.URL+"/team/never")
	if err == nil {
		t.Errorf("a page is stored: %+v", d)
	}
	data, _ := json.Marshal(res)
	steps := fmt.Sprint(res.Steps, res.Warnings)
	for _, said := range []string{string(data), fmt.Sprintf("%+v", res), logs.String(), steps} {
		if strings.Contains(said, cookieSecret) {
			t.Errorf("the secret is shown: %.400s", said)
		}
	}
	for name, data := range files(t, filepath.Dir(c.CacheDir)) {
		if bytes.Contains(data, []byte(cookieSecret)) || bytes.Contains(data, []byte("ninety")) {
			t.Errorf("%s holds the secret or the page", name)
		}
	}
	if got := strings.Join(m.sent, " "); got != "/team/plan /team/plan" {
		t.Errorf("the cookie was sent to %q of %q", got, m.all)
	}
	if !strings.Contains(strings.Join(m.all, " "), "/robots.txt") {
		t.Errorf("robots.txt was not asked for: %q", m.all)
	}

	// a folder that the command names keeps the page, with its mark and without the secret
	dir := filepath.Join(t.TempDir(), "kept")
	c = m.byRules(t, "evidence_dir", dir)
	extract(t, transient(t, c, log), m.URL+"/team/plan", true)
	kept := ""
	for name, data := range files(t, dir) {
		kept += string(data)
		if bytes.Contains(data, []byte(cookieSecret)) {
			t.Errorf("%s holds the secret", name)
		}
	}
	if !strings.Contains(kept, "ninety pumps") || !strings.Contains(kept, `"rule": "team"`) &&
		!strings.Contains(kept, `"rule":"team"`) {
		t.Errorf("the folder holds %s", kept)
	}
}

// D12: a rule is for the pages that the user names. Nothing that others name goes by it: no
// link, no question, no crawl, no request without the mark, no other home.
func TestOnlyNamedPagesGoByRules(t *testing.T) {
	m := newMembers(t)
	log := slog.New(slog.DiscardHandler)
	a := transient(t, m.byRules(t), log)
	if res := extract(t, a, m.URL+"/team/plan", false); res.Access != nil ||
		res.Verdict != wstk.VerdictBlocked {
		t.Errorf("a request without the mark: %s, %+v", res.Verdict, res.Access)
	}
	if res := extract(t, a, m.URL+"/open", true); res.Access != nil ||
		!res.Verdict.Readable() {
		t.Errorf("a page without a rule: %s, %+v", res.Verdict, res.Access)
	}
	off := m.byRules(t, "access.on", "false")
	if res := extract(t, transient(t, off, log), m.URL+"/team/plan", true); res.Access != nil {
		t.Errorf("switched off: %+v", res.Access)
	}
	stores, err := local.Open(t.Context(), m.byRules(t), log)
	if err != nil {
		t.Fatal(err)
	}
	defer stores.Close()
	_, err = stores.Looking.ExtractPage(t.Context(), reading.ExtractRequest{
		Target: m.URL + "/team/plan", Page: reading.PageRequest{ByRule: true}})
	if wstk.CodeOf(err) != wstk.Unprocessable {
		t.Errorf("a home that stores what it reads: %v", err)
	}
	_, err = stores.Answering.Ask(t.Context(), wstk.AskQuery{Query: "How many pumps?",
		From: []string{m.URL + "/team/plan"}})
	if wstk.CodeOf(err) != wstk.Blocked {
		t.Errorf("a question: %v", err)
	}
	if list := stores.Looking.NotByRule(m.URL+"/team/plan", m.URL+"/open"); len(list) != 1 ||
		list[0].Code != "access_not_used" {
		t.Errorf("warnings: %v", list)
	}
	if len(m.sent) > 0 {
		t.Errorf("the cookie was sent to %q", m.sent)
	}
}

// D12: what an API gave is of the API's address, and says which page it stands for: no proof
// says that the page's own address sent these bytes. Links are the page's.
func TestAnAPIIsNamedAsItIs(t *testing.T) {
	m := newMembers(t)
	a := transient(t, m.byRules(t), slog.New(slog.DiscardHandler))
	res := extract(t, a, m.URL+"/wiki/Pump", true)
	api, page := m.URL+"/api/Pump", m.URL+"/wiki/Pump"
	if res.URL != api || res.HTTP.FinalURL != api || res.CanonicalURL != api ||
		res.Document.URL != api || *res.Access != (wstk.Permit{Kind: wstk.AccessAPI, Rule: "wiki",
		Page: page}) {
		t.Errorf("the page is %s, %s, %s, %+v", res.URL, res.HTTP.FinalURL, res.CanonicalURL, res.Access)
	}
	if len(res.Links) != 1 || res.Links[0].URL != m.URL+"/wiki/Valve" {
		t.Errorf("links: %+v", res.Links)
	}
	if len(m.sent) > 0 || strings.Contains(strings.Join(m.all, " "), "/wiki/") {
		t.Errorf("asked for %q", m.all)
	}
}

// D12: what is missing or forbidden is said before anything is fetched.
func TestRulesThatDoNotWorkAskNothing(t *testing.T) {
	m := newMembers(t)
	log := slog.New(slog.DiscardHandler)
	for name, c := range map[string]struct {
		code   wstk.Code
		config config.Config
		method string
	}{
		"a variable that is not set": {wstk.Unprocessable,
			m.byRules(t, "access.rules.team.headers.X-Key", "TEAM_KEY"), ""},
		"policy strict": {wstk.RefusedPolicy, m.byRules(t, "policy", "strict"), ""},
		"a browser":     {wstk.Invalid, m.byRules(t), "browser"},
		"a service":     {wstk.Invalid, m.byRules(t), "remote"},
	} {
		a := transient(t, c.config, log)
		_, err := a.Looking.ExtractPage(t.Context(), reading.ExtractRequest{
			Target: m.URL + "/team/plan", Method: c.method,
			Page: reading.PageRequest{ByRule: true}})
		if wstk.CodeOf(err) != c.code || len(wstk.StepsOf(err)) == 0 {
			t.Errorf("%s: %v, steps %v", name, err, wstk.StepsOf(err))
		}
	}
	for name, c := range map[string]config.Config{
		"every host": m.byRules(t, "access.rules.all.kind", "headers", "access.rules.all.pages",
			"https://*/", "access.rules.all.headers.Cookie", "TEAM_COOKIE"),
		"no kind": m.byRules(t, "access.rules.none.pages", m.URL),
	} {
		if _, err := local.OpenTransient(t.Context(), c, log); wstk.CodeOf(err) != wstk.Invalid ||
			len(wstk.StepsOf(err)) == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(m.all) > 0 {
		t.Errorf("asked for %q", m.all)
	}
}

// D12: auto stays with HTTP for a page that has a rule: what a browser gets is another page.
func TestAutoGoesByTheRule(t *testing.T) {
	m := newMembers(t)
	a := transient(t, m.byRules(t, "extract.method", "auto"), slog.New(slog.DiscardHandler))
	if res := extract(t, a, m.URL+"/team/plan", true); res.FetchMethod != wstk.MethodHTTP ||
		res.Access == nil {
		t.Errorf("fetched by %s, %+v", res.FetchMethod, res.Access)
	}
}

// D12: doctor says what is on, for which pages, and what is missing, without a secret.
func TestDoctorNamesRules(t *testing.T) {
	m := newMembers(t)
	c := m.byRules(t, "access.rules.team.headers.X-Key", "TEAM_KEY")
	open := func(ctx context.Context) (*app.App, error) {
		return local.OpenTransient(ctx, c, slog.New(slog.DiscardHandler))
	}
	said := map[string]app.Check{}
	for _, check := range app.Doctor(t.Context(), c, open, open) {
		said[check.Name] = check
	}
	want := "headers, for " + m.URL + "/team/; sends Cookie, X-Key from TEAM_COOKIE, TEAM_KEY; " +
		"not set: TEAM_KEY"
	if k := said["access: team"]; k.OK || k.Detail != want || len(k.Steps) == 0 {
		t.Errorf("the rule team: %+v, want %q", k, want)
	}
	if k := said["access: wiki"]; !k.OK || !strings.HasSuffix(k.Detail, "asks "+m.URL+"/api/{page}") {
		t.Errorf("the rule wiki: %+v", k)
	}
	if text := fmt.Sprint(said); strings.Contains(text, cookieSecret) || len(m.all) > 0 {
		t.Errorf("doctor shows the secret, or asked for %q: %s", m.all, text)
	}
	c.Access.On = false
	for _, check := range app.Doctor(t.Context(), c, open, open) {
		if check.Name == "access" && (!check.OK ||
			!strings.Contains(check.Detail, "off") || !strings.Contains(check.Detail, "2 rules")) {
			t.Errorf("switched off: %+v", check)
		}
	}
}

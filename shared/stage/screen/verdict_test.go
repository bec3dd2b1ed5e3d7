package screen

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"wstk/shared/wstk"
)

// samplePage is a page of testdata with what it says about its fetch.
type samplePage struct {
	name string
	snap wstk.Snapshot
	body []byte
}

func (s samplePage) input(t testing.TB) Input {
	in := Input{Snapshot: s.snap, Body: s.body}
	if s.snap.ContentType == "text/html" {
		in.Document = readHTML(t, s.snap.URL, s.body)
	} else {
		in.Document = &wstk.Document{URL: s.snap.URL, Text: strings.TrimSpace(string(s.body))}
	}
	return in
}

func samples(t testing.TB, file string) []samplePage {
	t.Helper()
	a, err := txtar.ParseFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var out []samplePage
	for _, f := range a.Files {
		s := samplePage{name: f.Name, body: f.Data, snap: wstk.Snapshot{URL: "https://site.example/page", Status: 200, ContentType: "text/html", Verdict: wstk.VerdictOK}}
		for {
			line, rest, ok := bytes.Cut(s.body, []byte("\n"))
			key, value, isPair := strings.Cut(string(line), ": ")
			if !ok || !isPair || strings.HasPrefix(key, "<") {
				break
			}
			switch key {
			case "status":
				s.snap.Status, err = strconv.Atoi(value)
				if err != nil {
					t.Fatal(err)
				}
			case "url":
				s.snap.URL = value
			case "final":
				s.snap.FinalURL = value
			case "type":
				s.snap.ContentType = value
			default:
				t.Fatalf("%s: unknown key %q", f.Name, key)
			}
			s.body = rest
		}
		if s.snap.FinalURL == "" {
			s.snap.FinalURL = s.snap.URL
		}
		// What stage fetch makes of the status.
		switch s.snap.Status {
		case 401, 403, 405, 429, 451:
			s.snap.Verdict, s.snap.Reason = wstk.VerdictBlocked, "the site answered "+strconv.Itoa(s.snap.Status)
		case 503:
			s.snap.Verdict, s.snap.Reason = wstk.VerdictHTTPError, "the site answered 503"
		}
		out = append(out, s)
	}
	return out
}

func screen(t testing.TB, in Input) wstk.Screening {
	t.Helper()
	s, err := Stage{}.Do(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestWallsAreNoSuccess(t *testing.T) {
	n := 0
	for _, s := range samples(t, "walls.txtar") {
		n++
		want, _, _ := strings.Cut(s.name, "/")
		got := screen(t, s.input(t))
		if string(got.Verdict) != want {
			t.Errorf("%s: verdict %s (%s)", s.name, got.Verdict, got.Reason)
		}
		if got.Reason == "" || strings.HasPrefix(got.Reason, "the site answered") && !strings.Contains(s.name, "token-script") && !strings.Contains(s.name, "whoa") {
			t.Errorf("%s: reason %q says nothing of the page", s.name, got.Reason)
		}
		// The same page under a good status must not pass either.
		if s.snap.Status != 200 && strings.HasPrefix(s.name, "blocked/") {
			s.snap.Status, s.snap.Verdict = 200, wstk.VerdictOK
			if got := screen(t, s.input(t)); got.Verdict != wstk.VerdictBlocked {
				t.Errorf("%s with status 200: verdict %s (%s)", s.name, got.Verdict, got.Reason)
			}
		}
	}
	if n < 90 {
		t.Errorf("only %d walls", n)
	}
}

func TestPagesAreNoWalls(t *testing.T) {
	for _, s := range samples(t, "pages.txtar") {
		if got := screen(t, s.input(t)); got.Verdict != wstk.VerdictOK {
			t.Errorf("%s: verdict %s (%s)", s.name, got.Verdict, got.Reason)
		}
	}
}

package web

import (
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/net/html"

	"wstk/shared/app/crawling"
)

// The page of a quote shows the version that was quoted, whatever its page says today, and
// says what became of the words since.
func TestTheQuotedVersionAndWhatChangedSince(t *testing.T) {
	const page = `<title>Mark 3</title><h1>Mark 3</h1><p>The Mark 3 pump reaches a working pressure of 9 bar. It weighs 14 kg.</p>`
	const gone = "The page has changed since, and no longer has these words: see what changed"
	const altered = "The page has changed since, and no longer has these words, but others in their place: see what changed"
	for name, c := range map[string]struct {
		today string // "" is not found
		words []string
		del   string
		ins   string

		answer string // what the page of the answer says of the quote; "" nothing
	}{
		"same":     {page, []string{"The page still has the same text"}, "", "", ""},
		"still":    {page + "<p>Made in 2026.</p>", []string{"The page has changed, but still has these words", "at the same place"}, "", "", "The page has changed since, but still has these words: see what changed"},
		"moved":    {strings.Replace(page, "<p>", "<p>A word about all our pumps comes first here.</p><p>", 1), []string{"still has these words", "at another place"}, "", "", "still has these words, at another place: see what changed"},
		"gone":     {strings.Replace(page, "9 bar", "12 bar", 1), []string{"no longer has these words, but others in their place", "The version that was quoted", "Struck out: as it was quoted"}, "9", "12", altered},
		"struck":   {strings.Replace(page, "The Mark 3 pump reaches a working pressure of 9 bar.", "<s>The Mark 3 pump reaches a working pressure of 9 bar.</s>", 1), []string{"marks these words otherwise struck"}, "", "", "The page has changed since, and marks these words otherwise struck : see what changed"},
		"left out": {`<title>Mark 3</title><h1>Mark 3</h1><p>It weighs 14 kg.</p>`, []string{"no longer has these words, nor a similar sentence"}, "", "", gone},
		// the words of the quote as a part of others are not the quote
		"other number": {strings.Replace(page, "The Mark", "NotThe Mark", 1), []string{"no longer has these words"}, "The", "NotThe", altered},
		"lost":         {"", []string{"The page is gone (not found)", "It was last asked for"}, "", "", "The page is gone (not found): see what changed"},
	} {
		t.Run(name, func(t *testing.T) {
			var today atomic.Value
			today.Store(page)
			h := newHome(t).login()
			root := h.ingest(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if body := today.Load().(string); r.URL.Path == "/" && body != "" {
					w.Header().Set("Content-Type", "text/html; charset=utf-8")
					io.WriteString(w, body)
					return
				}
				http.NotFound(w, r)
			}))
			at, answer := h.answered("What working pressure does the Mark 3 pump reach?")
			link := regexp.MustCompile(`/web/evidence/ev_[0-9a-f]{24}`).FindString(answer)
			if link == "" {
				t.Fatalf("no quote on %s", answer)
			}
			today.Store(c.today)
			if _, err := h.app.Crawling.Ingest(t.Context(),
				crawling.IngestRequest{URL: root + "/", Refresh: true}); err != nil && c.today != "" {
				t.Fatal(err)
			}
			again := h.page(200, at)
			if mark := c.answer; mark != "" {
				wantWords(t, again, mark)
				if !strings.Contains(again, link+`#h-since`) {
					t.Errorf("the answer leads to no %s#h-since", link)
				}
			} else if strings.Contains(again, "#h-since") {
				t.Errorf("the answer says that its page changed:\n%s", words(again))
			}
			shown := h.page(200, link)
			wantWords(t, shown, append(c.words, "The Mark 3 pump reaches a working pressure of 9 bar.", "as it was when it was quoted")...)
			for element, want := range map[string]string{"del": c.del, "ins": c.ins} {
				got := ""
				if m := regexp.MustCompile(`(?s)<` + element + `>(.*?)</` + element + `>`).
					FindStringSubmatch(shown); m != nil {
					got = strings.TrimSpace(words(m[1]))
				}
				if got != want {
					t.Errorf("<%s> holds %q, want %q", element, got, want)
				}
			}
			frame := html.UnescapeString(regexp.MustCompile(`src="(/web/pages/[^"]+)`).FindStringSubmatch(shown)[1])
			w := h.call(strings.TrimSuffix(frame, "#quote"), nil)
			if got := marked(w.Body.Bytes()); w.Code != 200 || got != "TheMark3pumpreachesaworkingpressureof9bar." {
				t.Errorf("%d, marked is %q", w.Code, got)
			}
		})
	}
}

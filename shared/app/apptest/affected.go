package apptest

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"wstk/shared/app"
	"wstk/shared/app/answering"
	"wstk/shared/wstk"
)

// Affected checks what is promised of answers whose pages change, in either home. open makes an App
// of empty stores that may fetch from this machine.
func Affected(t *testing.T, open func(t *testing.T) *app.App) {
	for name, promise := range map[string]func(*remembered){
		"WhatBecameOfAQuote":              becameOf,
		"EachAnswerIsLookedAtOnce":        eachOnce,
		"ACallerSeesItsOwnAnswers":        ownAnswers,
		"AnAddressThatLeadsElsewhere":     ledElsewhere,
		"AnotherReaderIsNoChange":         otherReader,
		"WhatCannotBeComparedIsUnchecked": incomparable,
		"AnswersThatFailedCiteNothing":    failedAnswers,
	} {
		t.Run(name, func(t *testing.T) {
			w := &remembered{asked: &asked{T: t, app: open(t), pages: map[string]string{}}}
			w.site = httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
				if to := w.moved[r.URL.Path]; to != "" {
					http.Redirect(out, r, to, http.StatusMovedPermanently)
				} else if w.broken {
					out.WriteHeader(http.StatusServiceUnavailable)
				} else {
					w.serve(out, r)
				}
			}))
			t.Cleanup(w.site.Close)
			promise(w)
		})
	}
}

// remembered is an App and pages that change.
type remembered struct {
	*asked
	moved  map[string]string // targets by path
	broken bool
}

// pump puts up a page about one pump, and asks for its pressure.
func (w *remembered) pump(ctx context.Context, path, pressure string) wstk.Evidence {
	w.Helper()
	w.pages[path] = document("Mark "+path[1:], "It stands at Bremen.",
		"The pump reaches a working pressure of "+pressure+".")
	res, err := w.app.Answering.Ask(ctx, wstk.AskQuery{Strict: true,
		Query: "What working pressure does the pump reach?", From: []string{w.site.URL + path}})
	if err != nil || len(res.Extractions) != 1 || !strings.Contains(res.Extractions[0].Evidence[0].Quote, pressure) {
		w.Fatalf("%+v %v; want an answer with %s", res.Extractions, err, pressure)
	}
	return res.Extractions[0].Evidence[0]
}

// read reads a page again.
func (w *remembered) read(path string) {
	w.Helper()
	if _, err := w.app.Reading.FetchAndRead(w.Context(),
		wstk.FetchTask{URL: w.site.URL + path, Follow: 3}); err != nil {
		w.Fatal(err)
	}
}

func (w *remembered) now(e wstk.Evidence) wstk.Relocation {
	w.Helper()
	out, err := w.app.Answering.Relocate(w.Context(), []wstk.Evidence{e})
	if err != nil || len(out) != 1 {
		w.Fatal(out, err)
	}
	return out[0]
}

func (w *remembered) affected(ctx context.Context, q answering.AffectedQuery) answering.Affected {
	w.Helper()
	out, err := w.app.Answering.Affected(ctx, q)
	if err != nil {
		w.Fatal(err)
	}
	return out
}

func (w *remembered) want(e wstk.Evidence, s wstk.RelocationState, why wstk.RelocationReason) {
	w.Helper()
	if r := w.now(e); r.State != s || r.Reason != why {
		w.Errorf("%s (%s) %+v, want %s (%s)", r.State, r.Reason, r.Now, s, why)
	}
}

func becameOf(w *remembered) {
	e := w.pump(w.Context(), "/a", "9 bar")
	w.want(e, wstk.RelocationIntact, "")
	first := w.pages["/a"]
	for _, c := range []struct {
		old, new string
		state    wstk.RelocationState
		why      wstk.RelocationReason
	}{
		{"</main>", "<p>More.</p></main>", wstk.RelocationIntact, ""},
		{"<p>It", "<p>First.</p><p>It", wstk.RelocationMoved, ""},
		{"9 bar", "8 bar", wstk.RelocationAltered, wstk.ReasonWords},
		{"<p>The pump reaches a working pressure of 9 bar.</p>", "", wstk.RelocationGone, wstk.ReasonNotInText},
	} {
		w.pages["/a"] = strings.Replace(first, c.old, c.new, 1)
		w.read("/a")
		w.want(e, c.state, c.why)
	}
	// the text is the same, and a mark-up takes it back
	w.pages["/a"] = strings.Replace(first, "The pump reaches a working pressure of 9 bar.",
		"<s>The pump reaches a working pressure of 9 bar.</s>", 1)
	w.read("/a")
	w.want(e, wstk.RelocationAltered, wstk.ReasonFlags)
	w.pages["/a"] = first
	w.read("/a")
	w.want(e, wstk.RelocationIntact, "")
	delete(w.pages, "/a")
	w.read("/a")
	w.want(e, wstk.RelocationGone, wstk.ReasonPageGone)
}

func eachOnce(w *remembered) {
	for _, path := range []string{"/a", "/b", "/c", "/d", "/e"} {
		w.pump(w.Context(), path, "9 bar")
	}
	for _, path := range []string{"/b", "/d"} {
		w.pages[path] = strings.Replace(w.pages[path], "9 bar", "8 bar", 1)
		w.read(path)
	}
	seen, looked := map[wstk.RunID]bool{}, 0
	for cursor, n := "", 0; n == 0 || cursor != ""; n++ {
		out := w.affected(w.Context(), answering.AffectedQuery{Limit: 2, Cursor: cursor})
		for _, x := range out.Answers {
			if seen[x.Run] || len(x.Changed) != 1 || x.Changed[0].State != wstk.RelocationAltered {
				w.Errorf("%+v", x)
			}
			seen[x.Run] = true
		}
		if looked += out.Looked; n > 5 {
			w.Fatal("it does not end")
		}
		cursor = out.Next
	}
	if len(seen) != 2 || looked != 5 {
		w.Errorf("%d of %d answers, want 2 of 5", len(seen), looked)
	}
	one := w.affected(w.Context(), answering.AffectedQuery{Limit: 10, Of: w.site.URL + "/d"})
	if len(one.Answers) != 1 || one.Looked != 1 || one.Answers[0].Changed[0].URL != w.site.URL+"/d" {
		w.Errorf("of one page: %+v", one)
	}
}

func ownAnswers(w *remembered) {
	mine := wstk.WithCaller(w.Context(), wstk.Caller{Name: "mine", Scope: wstk.ScopeWrite})
	w.pump(mine, "/a", "9 bar")
	w.pages["/a"] = strings.Replace(w.pages["/a"], "9 bar", "8 bar", 1)
	w.read("/a")
	theirs := wstk.WithCaller(w.Context(), wstk.Caller{Name: "theirs", Scope: wstk.ScopeWrite})
	q := answering.AffectedQuery{Limit: 10}
	if n := len(w.affected(mine, q).Answers); n != 1 {
		w.Errorf("%d of mine, want 1", n)
	}
	if n := w.affected(theirs, q); n.Looked != 0 || len(n.Answers) != 0 {
		w.Errorf("of mine the other sees %+v", n)
	}
}

func ledElsewhere(w *remembered) {
	e := w.pump(w.Context(), "/a", "9 bar")
	w.pages["/b"] = strings.Replace(w.pages["/a"], "<p>It", "<p>First.</p><p>It", 1)
	w.moved = map[string]string{"/a": "/b"}
	w.read("/a")
	if r := w.now(e); r.State != wstk.RelocationMoved || r.Now.URL != w.site.URL+"/b" || r.Now.Words != e.Quote {
		w.Errorf("%+v %+v; want it moved to /b", r, r.Now)
	}
	w.pages["/b"] = document("Mark b", "It stands at Bremen.")
	w.read("/a")
	w.want(e, wstk.RelocationGone, wstk.ReasonNotInText)
}

// otherReader: what a newer reader reads otherwise is no change of the page.
func otherReader(w *remembered) {
	e := w.pump(w.Context(), "/a", "9 bar")
	ctx, url := w.Context(), w.site.URL+"/a"
	was := w.page(url)
	// an older reader is made up, which saw other words in the same body
	d, err := wstk.LoadDocument(ctx, w.app.Blobs, was.Document)
	if err != nil {
		w.Fatal(err)
	}
	old := *d
	old.Reader, old.Text = "html/0", strings.Replace(d.Text, "a working pressure", "an old pressure", 1)
	shift := len(d.Text) - len(old.Text)
	old.TextSHA256 = wstk.HashOf([]byte(old.Text))
	last := &old.Blocks[len(old.Blocks)-1]
	last.ByteEnd, last.CharEnd = last.ByteEnd-shift, last.CharEnd-shift
	h, err := wstk.SaveDocument(ctx, w.app.Blobs, &old)
	if err != nil {
		w.Fatal(err)
	}
	byOld := was
	byOld.Document, byOld.TextSHA256 = h, old.TextSHA256
	byOld.CheckedAt = was.CheckedAt.Add(1)
	if err := w.app.Pages.Put(ctx, byOld); err != nil {
		w.Fatal(err)
	}
	quoted := e
	end, chars := *e.ByteEnd-shift, *e.CharEnd-shift
	quoted.Quote, quoted.TextSHA256 = old.Text[*e.ByteStart:end], old.TextSHA256
	quoted.ByteEnd, quoted.CharEnd = &end, &chars
	w.want(quoted, wstk.RelocationIntact, "") // the page is held as it was quoted
	w.pages["/a"] += "<p>More.</p>"
	w.read("/a")
	w.want(quoted, wstk.RelocationUnchecked, wstk.ReasonReader)
	// what the reader of today finds in the quoted body is compared
	w.want(e, wstk.RelocationIntact, "")
	w.pages["/a"] = strings.Replace(w.pages["/a"], "9 bar", "8 bar", 1)
	w.read("/a")
	w.want(e, wstk.RelocationAltered, wstk.ReasonWords)
}

func (w *remembered) page(url string) wstk.Page {
	w.Helper()
	p, err := w.app.Pages.Get(w.Context(), url)
	if err != nil {
		w.Fatal(err)
	}
	return p
}

func incomparable(w *remembered) {
	e := w.pump(w.Context(), "/a", "9 bar")
	w.broken = true
	w.read("/a")
	w.want(e, wstk.RelocationUnchecked, wstk.ReasonNotFetched)
	w.broken = false
	w.pages["/a"] = strings.Replace(w.pages["/a"], "9 bar", "8 bar", 1)
	w.read("/a")
	w.want(e, wstk.RelocationAltered, wstk.ReasonWords)
	w.pages["/a"] = strings.Replace(w.pages["/a"], "8 bar", "7 bar", 1)
	w.read("/a")
	if err := w.app.Blobs.Delete(w.Context(), w.page(w.site.URL+"/a").TextSHA256); err != nil {
		w.Fatal(err)
	}
	w.want(e, wstk.RelocationUnchecked, wstk.ReasonNoText)
	elsewhere := e
	elsewhere.URL = w.site.URL + "/never"
	w.want(elsewhere, wstk.RelocationUnchecked, wstk.ReasonNoCopy)
}

// Questions and answers about pages that cannot be had leave runs without a result.
func failedAnswers(w *remembered) {
	e := w.pump(w.Context(), "/a", "9 bar")
	for _, ask := range []func(url string) error{
		func(url string) error {
			_, err := w.app.Answering.Ask(w.Context(), wstk.AskQuery{Query: "What pressure?", From: []string{url}})
			return err
		},
		func(url string) error {
			_, err := w.app.Answering.FollowAnswer(w.Context(),
				wstk.AnswerQuery{Question: "What pressure?", URL: url}, answering.Following{})
			return err
		},
	} {
		if err := ask(w.site.URL + "/nowhere"); wstk.CodeOf(err) != wstk.NotFound {
			w.Fatalf("%v, want that there is no page", err)
		}
	}
	got := w.affected(w.Context(), answering.AffectedQuery{Limit: 10})
	if got.Looked != 1 || got.Quotes.Intact != 1 || len(got.Answers) > 0 {
		w.Errorf("%+v, want the one answer that cites %s", got, e.ID)
	}
}

package crawl

import (
	"strings"
	"testing"
	"time"

	"wstk/shared/wstk"
)

func TestSameButForm(t *testing.T) {
	for _, c := range []struct {
		x, y string
		want bool
	}{
		{"http://h.test/a", "http://h.test/a?b", true},
		{"http://h.test/a?c", "http://h.test/a?b", true},
		{"http://h.test/a", "http://h.test/a/", true},
		{"http://h.test/a", "https://h.test/a", true},
		{"http://h.test/a", "https://www.h.test/a/?x", true},
		{"http://h.test/", "http://h.test/?x", true},
		{"http://h.test/a", "http://h.test/b", false},
		{"http://h.test/a", "http://h.test/A", false},
		{"http://h.test/a", "http://h.test/", false},
		{"http://h.test:81/a", "http://h.test/a", false},
		{"http://h.test:81/a", "https://h.test:81/a", false},
		{"http://h.test:81/a", "http://www.h.test:81/a?", true},
		{"http://h.test/a", "http://other.test/a", false},
	} {
		if sameButForm(c.x, c.y) != c.want || sameButForm(c.y, c.x) != c.want {
			t.Errorf("%s and %s: want %v", c.x, c.y, c.want)
		}
	}
}

func TestMostlyIn(t *testing.T) {
	doc := func(text string) *wstk.Document { return page("http://h.test/", text, "") }
	chinese := "今天天气很好我们去公园散步吧明天可能会下雨记得带伞"
	for _, c := range []struct {
		name, x, y string
		want       bool
	}{
		{"the same", prose(1, 40), prose(1, 40), true},
		{"a bit more", prose(1, 40) + " and a little more of it", prose(1, 40), true},
		{"another order of parts", prose(2, 40) + " " + prose(1, 40), prose(1, 40) + " " + prose(2, 40), true},
		{"a part", prose(1, 40), prose(1, 40) + " " + prose(2, 400), true},
		{"much more", prose(1, 40) + " " + prose(2, 60), prose(1, 40), false},
		{"something else", prose(1, 40), prose(2, 40), false},
		{"next to nothing", "just three words", prose(2, 40), true},
		{"case and punctuation", strings.ToUpper(prose(1, 40)), strings.ReplaceAll(prose(1, 40), " ", ", "), true},
		{"Chinese", chinese, chinese + "好", true},
		{"other Chinese", chinese, "完全不同的一段文字讲的是另外一件事情和天气没有关系", false},
	} {
		if got := mostlyIn(doc(c.x), doc(c.y)); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	// Menus that stand on every page do not make pages alike.
	menu := prose(7, 200)
	x, y := doc(prose(1, 20)+"\n"+menu), doc(prose(2, 20)+"\n"+menu)
	n := len(prose(1, 20))
	x.Blocks = []wstk.Block{{Main: true, Span: wstk.Span{ByteEnd: n}},
		{Span: wstk.Span{ByteStart: n + 1, ByteEnd: len(x.Text)}}}
	if mostlyIn(x, y) {
		t.Error("pages with one menu are taken for one")
	}
}

func named(words, canonical string) func(*Fetched) {
	return func(in *Fetched) { in.Document = page(in.Task.URL, words, canonical) }
}

// D9: a variant that names the plain URL is joined to it, whichever comes first.
func TestCanonicalJoins(t *testing.T) {
	for _, plainFirst := range []bool{true, false} {
		r := newRig(t, "http://h.test/", nil)
		tasks := r.open(a+"?x", a)
		variant, plain := tasks[0], tasks[1]
		if plainFirst {
			r.settle(plain, text30)
			r.acknowledge(a)
		}
		out := r.settle(variant, named(prose(1, 30)+" more", a))
		if plainFirst {
			if out.Outcome != wstk.OutcomeDuplicateOf || out.Target != a || len(out.Drop) != 1 ||
				len(out.Index) != 0 {
				t.Errorf("%+v; want out.Outcome == wstk.OutcomeDuplicateOf && out.Target == a && len(out.Drop) == 1 && len(out.Index) == 0", out)
			}
		} else {
			if out.Outcome != wstk.OutcomeOpen || out.Held != a || len(out.Index) != 0 {
				t.Errorf("%+v; want out.Outcome == wstk.OutcomeOpen && out.Held == a && len(out.Index) == 0", out)
			}
			if _, why, _ := r.stage.Why(t.Context(), r.run.ID, a+"?x", true); !strings.Contains(why,
				"waits for "+a) {
				t.Error(why)
			}
			r.settle(plain, text30)
			if next := r.acknowledge(a); len(next.Drop) != 1 || len(next.Index) != 0 {
				t.Errorf("%+v; want len(next.Drop) == 1 && len(next.Index) == 0", next)
			}
		}
		if u := r.is(a+"?x", wstk.OutcomeDuplicateOf, "canonical"); u.Target != a {
			t.Errorf("target %s", u.Target)
		}
		r.is(a, wstk.OutcomeFetched, "")
		if p, err := r.m.Pages.Get(t.Context(), a+"?x"); err != nil || p.DuplicateOf != a {
			t.Errorf("page %+v, %v", p, err)
		}
	}
}

// A plain text is joined to the HTML page that links to it and shows its words, whichever is
// stored first. A text of other words, and one that another text names, are pages.
func TestASourceIsJoinedToItsPage(t *testing.T) {
	source, other := "http://h.test/_sources/a.rst.txt", "http://h.test/notes.txt"
	as := func(reader, words string, links ...string) func(*Fetched) {
		return func(in *Fetched) {
			in.Document = page(in.Task.URL, words, "", links...)
			in.Document.Reader = reader
		}
	}
	for _, c := range []struct {
		reader string // of the page that links
		joined bool
	}{{"html/1", true}, {"text/1", false}} {
		for _, pageFirst := range []bool{true, false} {
			r := newRig(t, "http://h.test/", nil)
			task := r.open(a)[0]
			r.settle(task, as(c.reader, "Shown: "+prose(1, 30), source, other))
			if pageFirst {
				r.acknowledge(a)
			}
			for _, task := range r.release(2) {
				words := "Title ===== " + prose(1, 30)
				if task.URL == other {
					words = prose(2, 30)
				}
				r.settle(task, as("text/1", words))
			}
			if !pageFirst {
				r.acknowledge(a)
			}
			if c.joined {
				u := r.is(source, wstk.OutcomeDuplicateOf, "shows the same words")
				if u.Target != a {
					t.Errorf("joined to %q", u.Target)
				}
			} else {
				r.acknowledge(source)
				r.is(source, wstk.OutcomeFetched, "")
			}
			r.acknowledge(other)
			r.is(other, wstk.OutcomeFetched, "")
		}
	}
}

// A named URL without links to it is discovered.
func TestCanonicalIsDiscovered(t *testing.T) {
	r := newRig(t, "http://h.test/", nil)
	task := r.open(a + "?x")[0]
	if out := r.settle(task, named(prose(1, 30), a)); out.Held != a {
		t.Errorf("%+v, want %v", out, a)
	}
	if u := r.is(a, wstk.OutcomeOpen, ""); u.Via != wstk.ViaCanonical || u.Depth != 1 ||
		u.FoundOn != a+"?x" {
		t.Errorf("%+v; want u.Via == wstk.ViaCanonical && u.Depth == 1 && u.FoundOn == a+\"?x\"", u)
	}
	plain := r.release(1)[0]
	r.settle(plain, status(404, wstk.VerdictNotFound, "status 404"))
	// It is not there: the page that named it is kept.
	u := r.is(a+"?x", wstk.OutcomeOpen, "")
	if u.State != wstk.URLStored {
		t.Errorf("%+v; want u.State == wstk.URLStored", u)
	}
	r.acknowledge(a + "?x")
	r.is(a+"?x", wstk.OutcomeFetched, "")
}

// What pages claim falsely costs no page.
func TestCanonicalLies(t *testing.T) {
	r := newRig(t, "http://h.test/", nil)
	tasks := r.open(a, b, "http://h.test/list?page=2", "http://h.test/list", "http://h.test/loop?x", "http://h.test/out")
	kept := func(task wstk.FetchTask, in func(*Fetched)) {
		t.Helper()
		if out := r.settle(task, in); len(out.Index) != 1 || out.Outcome != wstk.OutcomeOpen {
			t.Errorf("%s: %+v; want len(out.Index) == 1 && out.Outcome == wstk.OutcomeOpen", task.URL, out)
		}
		r.acknowledge(task.URL)
	}
	kept(tasks[0], named(prose(1, 30), "http://h.test/")) // the home page
	kept(tasks[1], named(prose(2, 30), "http://elsewhere.test/b"))
	kept(tasks[3], named(prose(3, 30), ""))
	kept(tasks[2], named(prose(4, 30), "http://h.test/list")) // page 2 is not page 1
	// The named URL redirects to the page that names it.
	if out := r.settle(tasks[4], named(prose(5, 30), "http://h.test/loop")); out.Held == "" {
		t.Errorf("%+v; want out.Held != \"\"", out)
	}
	plain := r.release(1)[0]
	out := r.settle(plain, func(in *Fetched) {
		in.Snapshot.Status, in.Snapshot.Verdict, in.Snapshot.FinalURL = 301, wstk.VerdictHTTPError, "http://h.test/loop?x"
		in.Snapshot.Redirects = []wstk.Redirect{{URL: in.Task.URL, Status: 301}}
	})
	if len(out.Index) != 1 || out.Index[0].URL != "http://h.test/loop?x" {
		t.Errorf("%+v; want len(out.Index) == 1 && out.Index[0].URL == \"http://h.test/loop?x\"", out)
	}
	// another path: kept, and that one is discovered
	kept(tasks[5], named(prose(6, 30), "http://h.test/elsewhere"))
	if u := r.is("http://h.test/elsewhere", wstk.OutcomeOpen, ""); u.Via != wstk.ViaCanonical {
		t.Errorf("%+v; want u.Via == wstk.ViaCanonical", u)
	}
}

// Pages that name each other come apart: one of them is kept.
func TestCanonicalRing(t *testing.T) {
	r := newRig(t, "http://h.test/", nil)
	tasks := r.open(a+"?1", a+"?2", a+"?3")
	for i, task := range tasks {
		r.settle(task, named(prose(1, 30)+strings.Repeat(" x", i), tasks[(i+1)%3].URL))
	}
	for range 3 {
		rel := must[Released](t)(r.stage.Release(t.Context(), r.run, r.site))
		for _, u := range rel.Index {
			r.acknowledge(u.URL)
		}
	}
	acc := r.accounting()
	if acc.Of(wstk.OutcomeFetched) != 2 || acc.Of(wstk.OutcomeDuplicateOf) != 2 ||
		acc.Of(wstk.OutcomeOpen) != 0 {
		t.Error(r.picture(), "want acc.Of(wstk.OutcomeFetched) == 2 && acc.Of(wstk.OutcomeDuplicateOf) == 2 && acc.Of(wstk.OutcomeOpen) == 0")
	}
}

// A held page does not wait for a URL that the budget will never let through.
func TestCanonicalBeyondTheBudget(t *testing.T) {
	r := newRig(t, "http://h.test/", func(o *wstk.CrawlOptions) { o.MaxPages = 2 })
	root := r.seeded()
	r.settle(root, func(in *Fetched) { in.Document = page(root.URL, prose(9, 20), "", a+"?x", a) })
	r.acknowledge(root.URL)
	task := r.release(1)[0]
	if out := r.settle(task, named(prose(1, 30), a)); out.Held != a {
		t.Errorf("%+v, want %v", out, a)
	}
	rel := must[Released](t)(r.stage.Release(t.Context(), r.run, r.site))
	if len(rel.Index) != 1 || len(rel.Tasks) != 0 {
		t.Fatalf("%+v; want len(rel.Index) == 1 && len(rel.Tasks) == 0", rel)
	}
	r.acknowledge(a + "?x")
	r.release(0)
	r.is(a, wstk.OutcomeOverBudget, "2 pages are stored")
	if ended := must[bool](t)(r.stage.Finish(t.Context(), r.run, r.site)); !ended {
		t.Error("the run does not end")
	}
}

func unchanged(in *Fetched) { status(304, wstk.VerdictNotModified, "")(in) }

// hold puts a page of an earlier run into the store.
func (r rig) hold(url, words string, change func(*wstk.Page), links ...string) wstk.Page {
	r.t.Helper()
	doc := page(url, words, "", links...)
	p := wstk.Page{URL: url, Site: r.site.ID,
		Document:   must[wstk.Hash](r.t)(wstk.SaveDocument(r.t.Context(), r.m.Blobs, doc)),
		TextSHA256: doc.TextSHA256,
		Verdict:    wstk.VerdictOK, ETag: "e", FetchedAt: r.clock.now().Add(-time.Hour),
		CheckedAt: r.clock.now().Add(-time.Hour), IndexedAt: r.clock.now().Add(-time.Hour)}
	if change != nil {
		change(&p)
	}
	if err := r.m.Pages.Put(r.t.Context(), p); err != nil {
		r.t.Fatal(err)
	}
	return p
}

func TestUnchangedPages(t *testing.T) {
	r := newRig(t, "http://h.test/", nil)
	r.hold("http://h.test/", prose(0, 30), nil, a, b, "http://h.test/c", "http://h.test/d", "http://h.test/e", "http://h.test/f")
	r.hold(a, prose(1, 30), nil)
	// a run was killed before index
	r.hold(b, prose(2, 30), func(p *wstk.Page) { p.IndexedAt = time.Time{} })
	// a copy, as before
	r.hold("http://h.test/c", prose(1, 30), func(p *wstk.Page) { p.DuplicateOf = a })
	r.hold("http://h.test/d", prose(3, 30), func(p *wstk.Page) { p.DuplicateOf = "http://h.test/lost" })
	r.hold("http://h.test/e", prose(4, 30), nil)
	r.hold("http://h.test/f", "", nil)

	root := r.seeded()
	if out := r.settle(root, unchanged); out.Outcome != wstk.OutcomeNotModified ||
		out.Links.New != 6 {
		t.Fatalf("%+v; want out.Outcome == wstk.OutcomeNotModified && out.Links.New == 6", out)
	}
	tasks := r.release(6)
	if out := r.settle(tasks[0], unchanged); out.Outcome != wstk.OutcomeNotModified ||
		!strings.Contains(out.Reason, "2026-11-01") {
		t.Errorf("%+v; want out.Outcome == wstk.OutcomeNotModified && strings.Contains(out.Reason, \"2026-11-01\")", out)
	}
	if out := r.settle(tasks[1], unchanged); len(out.Index) != 1 {
		t.Errorf("text that was never indexed: %+v", out)
	}
	if out := r.settle(tasks[2], unchanged); out.Outcome != wstk.OutcomeDuplicateOf ||
		out.Target != a {
		t.Errorf("a copy: %+v", out)
	}
	if out := r.settle(tasks[3], unchanged); len(out.Index) != 1 {
		t.Errorf("a copy of what is gone: %+v", out)
	}
	if p, _ := r.m.Pages.Get(t.Context(), "http://h.test/d"); p.DuplicateOf != "" {
		t.Errorf("it is still marked as a copy of %s", p.DuplicateOf)
	}
	r.settle(tasks[4], named(prose(5, 30), "")) // changed
	r.is("http://h.test/e", wstk.OutcomeOpen, "")
	if out := r.settle(tasks[5], unchanged); out.Outcome != wstk.OutcomeNotModified {
		t.Errorf("a page without text: %+v", out)
	}
}

// A text that moved: the old place still says 304, the new one came first.
func TestUnchangedPageWhoseTextIsElsewhereNow(t *testing.T) {
	r := newRig(t, "http://h.test/", nil)
	r.hold(b, prose(1, 30), nil)
	tasks := r.open(a, b)
	r.settle(tasks[0], text30)
	out := r.settle(tasks[1], unchanged)
	if out.Outcome != wstk.OutcomeDuplicateOf || out.Target != a || len(out.Drop) != 1 {
		t.Errorf("%+v; want out.Outcome == wstk.OutcomeDuplicateOf && out.Target == a && len(out.Drop) == 1", out)
	}
	if p, _ := r.m.Pages.Get(t.Context(), b); p.DuplicateOf != a {
		t.Errorf("%+v, want %v", p, a)
	}
}

func TestUnchangedNoindex(t *testing.T) {
	r := newRig(t, "http://h.test/", nil)
	r.hold(a, prose(1, 30), nil)
	task := r.open(a)[0]
	out := r.settle(task, func(in *Fetched) {
		unchanged(in)
		in.Snapshot.Headers = map[string]string{"x-robots-tag": "noindex"}
	})
	if out.Outcome != wstk.OutcomeRefusedRobots || len(out.Drop) != 1 {
		t.Errorf("%+v; want out.Outcome == wstk.OutcomeRefusedRobots && len(out.Drop) == 1", out)
	}
	if p, _ := r.m.Pages.Get(t.Context(), a); p.Document != "" || p.ETag != "" {
		t.Errorf("%+v; want p.Document == \"\" && p.ETag == \"\"", p)
	}
}

package local_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"wstk/shared/app"
	"wstk/shared/app/answering"
	"wstk/shared/stage/collate"
	"wstk/shared/wstk"
)

// A result of each kind is forged in each way that is known, in its JSON and in its
// bundle. What verify says is all that a stranger has: each forgery fails, or what it
// changed is named as unchecked.

// witness is a genuine result.
type witness struct {
	name   string
	result []byte
}

// witnesses asks for a result of each kind.
func witnesses(t *testing.T) (*app.App, []witness) {
	t.Helper()
	ctx := context.Background()
	a := open(t, testConfig(t))
	pdf, err := os.ReadFile("../../../testdata/sites/skill/notes.pdf")
	if err != nil {
		t.Fatal(err)
	}
	site := quick()
	site.pages["/"] += `<p><a href="/spare">Spare</a> <a href="/items">Items</a> <a href="/old">Old</a></p>`
	site.pages["/spare"] = `<!doctype html><html lang="en"><head><title>The S-4 filter</title><link rel="canonical" href="https://acme.example/s4">
<meta property="article:published_time" content="2024-03-05T10:00:00Z">
<script type="application/ld+json">{"@type":"Product","name":"S-4","weight":"2.5 kg"}</script></head><body><main><h1>The S-4 filter</h1><h2>Use</h2>
<p>The S-4 filter keeps “coarse sand” out of the pump. It is not made for salt water, and its mesh is 0.8 mm wide.</p></main></body></html>`
	site.pages["/items"] = page("Hoses",
		`<p>All hoses that Acme sells stand in this table, with the price and the length of each of them.</p>
<table><tr><th>Hose</th><th>Price</th><th>Length</th></tr><tr><td>Garden hose</td><td>12 €</td><td>10 m</td></tr>
<tr><td>Farm hose</td><td>48 €</td><td>50 m</td></tr><tr><td>Fire hose</td><td>95 €</td><td>30 m</td></tr></table>`)
	site.pages["/old"] = page("The museum", `<p>The museum has 45 employees.</p>`)
	root := serve(t, site)
	other := &web{pages: map[string]string{
		"/":       page("Other", `<p>Letters about the works of old, as they were printed.</p><p><a href="/boiler">Boiler</a> <a href="/p9">P-9</a> <a href="/again">Again</a></p>`),
		"/again":  site.pages["/p9"],
		"/boiler": page("The museum", `<p>Much was written about these works.</p><p>The museum has 60 employees.</p>`),
		"/p9":     page("A test", `<p>We tried small pumps for a month.</p><p>The maximum pressure of the P-9 is 9 bar.</p>`),
	}}
	second := strings.Replace(serve(t, other), "127.0.0.1", "localhost", 1)
	papers := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		w.Write(pdf)
	}))
	t.Cleanup(papers.Close)
	ingest(t, a, root+"/")
	ingest(t, a, second+"/")
	var out []witness
	add := func(name string, res wstk.AskResult) {
		t.Helper()
		if len(res.Extractions) == 0 {
			t.Fatalf("%s: no answer", name)
		}
		data, err := json.Marshal(res)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, witness{name, data})
	}
	from := func(q string, hints []string, urls ...string) wstk.AskResult {
		t.Helper()
		res, err := a.Answering.Ask(ctx,
			wstk.AskQuery{Query: q, From: urls, Hints: hints, Strict: true})
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	add("single", from("What is the maximum pressure of the P-9?", nil, root+"/p9"))
	add("pages", from("What is the maximum pressure of the P-9?", nil, root+"/p9", second+"/again", second+"/p9"))
	add("data", from("What does the S-4 filter keep out?", []string{"weight"}, root+"/spare"))
	add("collection", from("List all hoses", []string{"price"}, root+"/items"))
	add("narrative", from("How does the P-9 pump work and what is it made for?", nil, root+"/p9", root+"/p12", root+"/spare"))
	add("conflict", from("How many employees has the museum?", nil, root+"/old", second+"/boiler"))
	add("pdf", from("How often must the seal be changed?", nil, papers.URL+"/report.pdf"))
	quote := func(words string, urls ...string) (out []wstk.Proposal) {
		for _, u := range urls {
			out = append(out, wstk.Proposal{Kind: wstk.EvidenceText, URL: u,
				Words: words, ByteStart: -1})
		}
		return out
	}
	said := func(words string, urls ...string) wstk.Claim {
		return wstk.Claim{Statement: words, Support: wstk.SupportDirect,
			Proposed: quote(words, urls...)}
	}
	add("made", made(t, a, "What does the S-4 filter keep out?",
		said(`The S-4 filter keeps "coarse sand" out of the pump.`, root+"/spare"),
		wstk.Claim{Statement: "S-4 filter keeps “coarse sand” out of pump.", Support: wstk.SupportInferred,
			Proposed: quote("The S-4 filter keeps “coarse sand” out of the pump.", root+"/spare")},
		wstk.Claim{Statement: "The filter is sold in shops.", Support: wstk.SupportAssumed},
		said("The filter is blue.", root+"/spare")))
	add("translated", madeIn(t, a, "de", "What does the S-4 filter keep out?",
		said(`The S-4 filter keeps "coarse sand" out of the pump.`, root+"/spare"),
		wstk.Claim{Statement: "Das Netz des Filters ist 0,8 mm weit, er ist nicht für Salzwasser gemacht.",
			Support: wstk.SupportInferred, Proposed: quote("It is not made for salt water, and its mesh is 0.8 mm wide.", root+"/spare")}))
	add("disputed", made(t, a, "How many employees has the museum?",
		said("The museum has 45 employees.", root+"/old"), said("The museum has 60 employees.", second+"/boiler")))
	add("copied", made(t, a, "What is the maximum pressure of the P-9?", said("The maximum pressure of the P-9 is 9 bar.", root+"/p9", second+"/again")))
	return a, out
}

// made is a result of claims, with what rules seldom propose: a quote found by the fold
// table, a statement that follows, an assumed one, words that were not found.
func made(t *testing.T, a *app.App, q string, claims ...wstk.Claim) wstk.AskResult {
	t.Helper()
	return madeIn(t, a, "", q, claims...)
}

// madeIn is made for an answer that was asked for in a language.
func madeIn(t *testing.T, a *app.App, lang, q string, claims ...wstk.Claim) wstk.AskResult {
	t.Helper()
	ctx := context.Background()
	results, err := a.Verify.Do(ctx, claims)
	if err != nil {
		t.Fatal(err)
	}
	strict := false
	in := collate.Input{Query: q, Strategy: wstk.Singular, Language: lang}
	for _, r := range results {
		in.Items = append(in.Items,
			collate.Item{Claim: r.Claim, Evidence: r.Evidence, Unsupported: r.Unsupported})
		for _, e := range r.Evidence {
			d, _, err := a.Looking.ReadPage(ctx, e.URL)
			if err != nil {
				t.Fatal(err)
			}
			in.Pages = append(in.Pages, d.Document)
		}
	}
	x, err := collate.Collate(ctx, in)
	if err != nil {
		t.Fatal(err)
	}
	return wstk.AskResult{Query: q, Strategy: wstk.Singular, Strict: &strict, Rules: collate.Rules,
		OutputLanguage: lang, Extractions: []wstk.Extraction{x}, Gaps: []wstk.Gap{}}
}

// m is a JSON object on its way to be forged.
type m = map[string]any

// forgery changes a reply, and reports whether it could. named is what must stand under
// unchecked where it passes; "" where it must fail.
type forgery struct {
	name  string
	do    func(r m) bool
	named string
}

func answerOf(r m) m { return r["extractions"].([]any)[0].(m) }

// item is the i-th object in a list of the first answer; nil without one.
func item(r m, list string, i int) m {
	l, _ := answerOf(r)[list].([]any)
	if i >= len(l) {
		return nil
	}
	return l[i].(m)
}

func quoteOf(r m, kind string) m {
	l, _ := answerOf(r)["evidence"].([]any)
	for _, e := range l {
		if e.(m)["kind"] == kind {
			return e.(m)
		}
	}
	return nil
}

// seal makes id and link of a quote again, as who forges it would.
func seal(e m) {
	raw, _ := json.Marshal(e)
	var ev wstk.Evidence
	if json.Unmarshal(raw, &ev) != nil {
		return
	}
	link := ev.Link
	if _, fragment, ok := strings.Cut(link, "#"); ok {
		link = strings.Split(ev.URL, "#")[0] + "#" + fragment
	} else {
		link = ev.URL
	}
	e["link"] = link
	if s, ok := ev.Span(); ok {
		e["id"] = wstk.TextEvidenceID(ev.TextSHA256, s, ev.URL)
	} else if ev.Element != nil {
		e["id"] = wstk.DataEvidenceID(ev.SnapshotSHA256, *ev.Element, ev.Pointer, ev.URL)
	}
}

// retell writes the content of the first answer again, as the program would.
func retell(r m) {
	raw, _ := json.Marshal(answerOf(r))
	var x wstk.Extraction
	if json.Unmarshal(raw, &x) != nil {
		return
	}
	defer func() { recover() }()
	answerOf(r)["content"] = collate.Content(wstk.Strategy(fmt.Sprint(r["strategy"])), x)
}

func clone(v any) any {
	raw, _ := json.Marshal(v)
	var out any
	json.Unmarshal(raw, &out)
	return out
}

// ofQuote forges the first quote of a kind and seals it.
func ofQuote(name, kind string, do func(e m) bool) forgery {
	return forgery{name: kind + ": " + name, do: func(r m) bool {
		e := quoteOf(r, kind)
		if e == nil || !do(e) {
			return false
		}
		seal(e)
		retell(r)
		return true
	}}
}

func set(key string, v any) func(m) bool {
	return func(o m) bool {
		if fmt.Sprint(o[key]) == fmt.Sprint(v) {
			return false
		}
		o[key] = v
		return true
	}
}

func shift(keys ...string) func(m) bool {
	return func(e m) bool {
		for _, k := range keys {
			n, ok := e[k].(float64)
			if !ok {
				return false
			}
			e[k] = n + 1
		}
		return true
	}
}

// ofStatement forges the first statement and retells the content.
func ofStatement(name, named string, do func(s m) bool) forgery {
	return forgery{name: "statement: " + name, named: named, do: func(r m) bool {
		s := item(r, "statements", 0)
		if s == nil || !do(s) {
			return false
		}
		retell(r)
		return true
	}}
}

func reword(old, new string) func(s m) bool {
	return func(s m) bool {
		was := s["statement"].(string)
		s["statement"] = strings.Replace(was, old, new, 1)
		return s["statement"] != was
	}
}

func ofAnswer(name, named string, do func(x m) bool) forgery {
	return forgery{name: "answer: " + name, named: named, do: func(r m) bool { return do(answerOf(r)) }}
}

func ofList(list, name, named string, i int, do func(o m) bool) forgery {
	return forgery{name: list + ": " + name, named: named, do: func(r m) bool {
		o := item(r, list, i)
		return o != nil && do(o)
	}}
}

func drop(key string) func(m) bool {
	return func(o m) bool {
		_, ok := o[key]
		delete(o, key)
		return ok
	}
}

// evil is an address that no witness was fetched from, and longAgo a time when none was.
const (
	evil    = "http://evil.example/x"
	longAgo = "2001-02-03T04:05:06Z"
)

// forgeriesOfJSON are changes of a reply, by the part of it that they change.
func forgeriesOfJSON() []forgery {
	return slices.Concat(forgeriesOfQuotes("text"), forgeriesOfQuotes("data"),
		forgeriesOfSeals("text"), forgeriesOfSeals("data"), forgeriesOfPlace(),
		forgeriesOfData(), forgeriesOfStatements(), forgeriesOfGround(), forgeriesOfValues(),
		forgeriesOfGrades(), forgeriesOfContent(), forgeriesOfLists(),
		forgeriesOfGaps(), forgeriesOfConflicts(), forgeriesOfSources(),
		forgeriesOfRules(), forgeriesOfQuestions(), forgeriesOfAnswers(),
		forgeriesOfReplies())
}

// forgeriesOfQuotes are changes of a quote of a kind, which is sealed again.
func forgeriesOfQuotes(kind string) (out []forgery) {
	add := func(name string, do func(e m) bool) { out = append(out, ofQuote(name, kind, do)) }
	add("another url", set("url", evil))
	add("another url and canonical url", func(e m) bool { e["url"], e["canonical_url"] = evil, evil; return true })
	add("url of another port", func(e m) bool { e["url"] = strings.Replace(e["url"].(string), ":", ":8", 2); return true })
	add("url with a query", func(e m) bool { e["url"] = e["url"].(string) + "?x=1"; return true })
	add("canonical url", set("canonical_url", evil))
	add("no canonical url", set("canonical_url", ""))
	add("fetched at", set("fetched_at", longAgo))
	add("fetched a second later", func(e m) bool {
		at, err := time.Parse(time.RFC3339, e["fetched_at"].(string))
		e["fetched_at"] = at.Add(time.Second).Format(time.RFC3339Nano)
		return err == nil
	})
	add("published at", set("published_at", longAgo))
	add("not published", drop("published_at"))
	for _, key := range []string{"fetched_at", "published_at"} {
		add(key+" in another zone", func(e m) bool {
			was, _ := e[key].(string)
			at, err := time.Parse(time.RFC3339, was)
			e[key] = at.In(time.FixedZone("", -23*60*60)).Format(time.RFC3339Nano)
			return err == nil
		})
	}
	add("section path", set("section_path", []any{"Law"}))
	add("section path of nothing", set("section_path", nil))
	add("status", set("status", "certain"))
	add("kind", set("kind", map[string]string{"text": "data", "data": "text"}[kind]))
	add("unknown kind", set("kind", "truth"))
	add("text hash", set("text_sha256", wstk.HashOf([]byte("x"))))
	add("snapshot hash", set("snapshot_sha256", wstk.HashOf([]byte("x"))))
	add("no text hash", drop("text_sha256"))
	add("no snapshot hash", drop("snapshot_sha256"))
	add("text and snapshot swapped", func(e m) bool {
		e["text_sha256"], e["snapshot_sha256"] = e["snapshot_sha256"], e["text_sha256"]
		return true
	})
	add("hash in upper case", func(e m) bool { e["text_sha256"] = strings.ToUpper(e["text_sha256"].(string)); return true })
	add("quote", set("quote", "It is free."))
	add("no quote", drop("quote"))
	add("a digit of the quote", func(e m) bool {
		was := e["quote"].(string)
		e["quote"] = strings.NewReplacer("9", "8", "2", "3", "0", "1").Replace(was)
		return was != e["quote"]
	})
	add("a blank more", func(e m) bool { e["quote"] = e["quote"].(string) + " "; return true })
	add("page", set("page", 99))
	add("page zero", set("page", 0))
	add("flags", set("flags", []any{"comment"}))
	add("sentence", set("sentence", "It is not true that it is so."))
	add("unknown key", set("note", "it is free"))
	add("answers in a quote", set("extractions", []any{m{"content": "It is free."}}))
	add("null", set("fetched_at", nil))
	return out
}

// forgeriesOfSeals are changes of a quote of a kind that is not sealed again.
func forgeriesOfSeals(kind string) (out []forgery) {
	add := func(name string, do func(e m) bool) {
		out = append(out, forgery{name: kind + ": " + name, do: func(r m) bool {
			e := quoteOf(r, kind)
			return e != nil && do(e)
		}})
	}
	add("link", set("link", evil))
	add("no link", drop("link"))
	add("id", set("id", "ev_000000000000000000000000"))
	add("no id", drop("id"))
	add("id of another case", func(e m) bool { return set("id", strings.ToUpper(e["id"].(string)))(e) })
	add("key in upper case", func(e m) bool { e["QUOTE"] = "It is free."; return true })
	add("key with a long s", func(e m) bool {
		e["text_\u017fha256"] = e["text_sha256"]
		delete(e, "text_sha256")
		return true
	})
	return out
}

// forgeriesOfPlace are changes of where a quote of text says that it is.
func forgeriesOfPlace() []forgery {
	return []forgery{
		ofQuote("byte offsets one further", "text", shift("byte_start", "byte_end")),
		ofQuote("char offsets one further", "text", shift("char_start", "char_end")),
		ofQuote("all offsets one further", "text", shift("byte_start", "byte_end", "char_start", "char_end")),
		ofQuote("end one further", "text", shift("byte_end", "char_end")),
		ofQuote("start behind the end", "text", func(e m) bool { e["byte_start"], e["byte_end"] = e["byte_end"], e["byte_start"]; return true }),
		ofQuote("negative", "text", func(e m) bool { e["byte_start"], e["char_start"] = -1, -1; return true }),
		ofQuote("no offsets", "text", func(e m) bool { e["byte_start"], e["byte_end"] = nil, nil; return true }),
		ofQuote("offsets as words", "text", set("char_start", "here")),
		ofQuote("a literal as well", "text", set("literal", "free")),
		ofQuote("a cut word", "text", func(e m) bool {
			q := e["quote"].(string)
			e["quote"], e["byte_end"], e["char_end"] = q[:len(q)-2], e["byte_end"].(float64)-2, e["char_end"].(float64)-2
			return q[len(q)-1] < 0x80 && q[len(q)-2] < 0x80 &&
				q[len(q)-2] != ' ' && q[len(q)-3] != ' '
		}),
	}
}

// forgeriesOfData are changes of a quote of structured data.
func forgeriesOfData() []forgery {
	return []forgery{
		ofQuote("literal", "data", set("literal", "9.9 kg")),
		ofQuote("literal and quote", "data", func(e m) bool { e["literal"], e["quote"] = "9.9 kg", "9.9 kg"; return true }),
		ofQuote("pointer", "data", set("pointer", "/name")),
		ofQuote("no pointer", "data", drop("pointer")),
		ofQuote("element", "data", shift("element")),
		ofQuote("element before the first", "data", set("element", -1)),
		ofQuote("a place in the text", "data", func(e m) bool {
			e["byte_start"], e["byte_end"], e["char_start"], e["char_end"] = 0, 3, 0, 3
			return true
		}),
	}
}

// ofBorne forges the first statement that has a key, and retells the content.
func ofBorne(name, key string, do func(s m) bool) forgery {
	return forgery{name: "statement: " + name, do: func(r m) bool {
		for i := range 9 {
			if s := item(r, "statements", i); s != nil && s[key] != nil {
				did := do(s)
				retell(r)
				return did
			}
		}
		return false
	}}
}

// forgeriesOfGround are changes of what a statement says that its quotes do not bear.
func forgeriesOfGround() []forgery {
	return []forgery{
		{name: "statement: other words than its quote has", do: func(r m) bool {
			return r["rules"] == collate.Rules &&
				ofStatement("", "", reword("S-4 filter keeps", "filter S-4 keeps")).do(r)
		}},
		ofStatement("words open that are borne", "", set("open", []any{"pump"})),
		ofStatement("a language", "", set("language", "de")),
		ofBorne("no language", "language", drop("language")),
		ofBorne("another language", "language", set("language", "fr")),
		ofBorne("a direct translation", "language", set("support", "direct")),
		ofBorne("another number in translation", "language", reword("0,8", "0,9")),
		ofBorne("a denial cut in translation", "language", reword(" nicht ", " ")),
		{name: "no language asked for", do: func(r m) bool { return drop("output_language")(r) }},
		{name: "another language asked for", do: func(r m) bool {
			return r["output_language"] != nil && set("output_language", "fr")(r)
		}},
	}
}

// forgeriesOfStatements are changes of the first statement.
func forgeriesOfStatements() []forgery {
	return []forgery{
		ofStatement("a digit", "", func(s m) bool {
			was := s["statement"].(string)
			s["statement"] = strings.NewReplacer("9", "8", "4", "5").Replace(was)
			return was != s["statement"]
		}),
		ofStatement("denied", "", reword(" is ", " is not ")),
		ofStatement("denied in another way", "", reword(" keeps ", " never keeps ")),
		ofStatement("added to", "", func(s m) bool { s["statement"] = s["statement"].(string) + " It is free."; return true }),
		ofStatement("a Cyrillic letter", "", reword("e", "е")),
		ofStatement("a full-width digit of another value", "", reword("9", "８")),
		ofStatement("a superscript", "", reword("9", "9⁹")),
		ofStatement("a mark that shows nothing", "", func(s m) bool { s["statement"] = "\u2063" + s["statement"].(string); return true }),
		ofStatement("turned by a bidi mark", "", func(s m) bool { s["statement"] = "\u202e" + s["statement"].(string) + " free"; return true }),
		ofStatement("a number cut out of its quote", "", func(s m) bool {
			was := s["statement"].(string)
			i := strings.Index(was, "500 hours")
			if i < 0 {
				return false
			}
			s["statement"] = was[i+1:]
			delete(s, "value")
			return true
		}),
		ofStatement("a word cut out of its quote", "", func(s m) bool {
			was := s["statement"].(string)
			s["statement"] = was[2:]
			return was[1] < 0x80 && was[1] != ' ' && was[2] < 0x80 && was[2] != ' '
		}),
		ofStatement("empty", "", func(s m) bool { s["statement"] = ""; return true }),
		ofStatement("only blanks", "", func(s m) bool { s["statement"] = "  "; return true }),
		ofStatement("another support", "", set("support", "certain")),
		ofStatement("assumed", "", set("support", "assumed")),
		ofStatement("follows, with the old grade", "inferred or assumed statements", func(s m) bool { s["support"] = "inferred"; return true }),
		ofStatement("no evidence", "", func(s m) bool { s["evidence"] = []any{}; return true }),
		ofStatement("evidence of nothing", "", func(s m) bool { s["evidence"] = nil; return true }),
		ofStatement("evidence beyond the list", "", func(s m) bool { s["evidence"] = []any{99}; return true }),
		ofStatement("evidence before the list", "", func(s m) bool { s["evidence"] = []any{-1}; return true }),
		ofStatement("evidence and a half", "", func(s m) bool { s["evidence"] = []any{0.5}; return true }),
		ofStatement("evidence twice", "", func(s m) bool { e := s["evidence"].([]any); s["evidence"] = append(e, e[0]); return true }),
		ofStatement("evidence in place", "", func(s m) bool {
			s["evidence"] = []any{m{"kind": "text", "quote": s["statement"]}}
			return true
		}),
		ofStatement("evidence as text", "", func(s m) bool { s["evidence"] = "0"; return true }),
		ofStatement("field", "field", set("field", "price of gold")),
		{name: "a field of two columns", named: "field", do: func(r m) bool {
			for i := range 3 {
				if s := item(r, "statements", i); s != nil && s["field"] == "price" {
					s["field"] = "length price"
					retell(r)
					return true
				}
			}
			return false
		}},
		ofStatement("unknown key", "", set("note", "free")),
		ofStatement("said by another quote", "", func(s m) bool {
			e, ok := s["evidence"].([]any)
			if !ok || len(e) == 0 || e[0].(float64) == 0 {
				s["evidence"] = []any{1}
				return true
			}
			return false
		}),
		{name: "statement: follows, and the grade says so", named: "inferred or assumed statements", do: func(r m) bool {
			s := item(r, "statements", 0)
			if s == nil || s["support"] != "direct" || answerOf(r)["grounding"] == "conflicted" {
				return false
			}
			s["statement"], s["support"] = "It is free for all.", "inferred"
			delete(s, "value")
			answerOf(r)["grounding"] = "inferred"
			retell(r)
			return true
		}},
		{name: "a title by its field", named: "title", do: func(r m) bool {
			s := item(r, "statements", 0)
			if s["field"] == "title" || s["support"] != "direct" || len(s["evidence"].([]any)) == 0 {
				return false
			}
			s["field"], answerOf(r)["title"] = "title", s["statement"]
			retell(r)
			return true
		}},
		{name: "another quote cited as well", named: "citation",
			do: citing(func(own []any, n int) []any { return append(own, n) })},
		{name: "another quote cited first", named: "citation",
			do: citing(func(own []any, n int) []any { return append([]any{n}, own...) })},
		{name: "a statement twice", do: func(r m) bool {
			answerOf(r)["statements"] = append(answerOf(r)["statements"].([]any), item(r, "statements", 0))
			retell(r)
			return true
		}},
		{name: "a blank behind a statement", do: func(r m) bool {
			s := item(r, "statements", 0)
			s["statement"] = s["statement"].(string) + " "
			retell(r)
			return true
		}},
	}
}

// forgeriesOfValues are changes of the value of a statement.
func forgeriesOfValues() []forgery {
	return []forgery{
		ofStatement("value", "", func(s m) bool {
			v, ok := s["value"].(m)
			return ok && set("number", 1e9)(v)
		}),
		ofStatement("text of the value", "", func(s m) bool {
			v, ok := s["value"].(m)
			return ok && set("text", "99 bar")(v)
		}),
		ofStatement("norm of the value", "", func(s m) bool {
			v, ok := s["value"].(m)
			return ok && set("norm", "99 bar")(v)
		}),
		ofStatement("unit of the value", "", func(s m) bool {
			v, ok := s["value"].(m)
			return ok && set("unit", "EUR")(v)
		}),
		ofStatement("type of the value", "", func(s m) bool {
			v, ok := s["value"].(m)
			return ok && set("type", "place")(v)
		}),
		ofStatement("time of the value", "", func(s m) bool {
			v, ok := s["value"].(m)
			return ok && set("time", longAgo)(v)
		}),
		ofStatement("a value that is none", "", func(s m) bool {
			s["value"] = m{"type": "money", "text": "5 EUR", "number": 5, "unit": "EUR", "norm": "5 EUR"}
			return true
		}),
		{name: "a person who is none", do: valued("person", func(words string) string { return words })},
		{name: "a place that is none", do: valued("place", func(words string) string { return words })},
		{name: "a text cut out of a word", do: valued("text", func(words string) string { return words[1:4] })},
		{name: "a text", named: "value", do: valued("text", func(words string) string { return words })},
		{name: "a value of what is not direct", do: func(r m) bool {
			for i := range 5 {
				if s := item(r, "statements", i); s != nil && s["support"] != "direct" {
					s["value"] = m{"type": "text", "text": "free", "norm": "free"}
					return true
				}
			}
			return false
		}},
		{name: "a value of no data", do: func(r m) bool {
			e, words := quoteOf(r, "data"), "The S-4 filter"
			if e == nil {
				return false
			}
			for i := range 5 {
				if s := item(r, "statements", i); s != nil && s["statement"] == e["literal"] {
					s["statement"] = words
					delete(s, "value")
				}
			}
			e["element"], e["pointer"], e["literal"], e["quote"] = 2, "/#text", words, words
			seal(e)
			retell(r)
			return true
		}},
	}
}

// forgeriesOfGrades are changes of a grade and of what it says was counted.
func forgeriesOfGrades() []forgery {
	return []forgery{
		{name: "grade verified", do: func(r m) bool { return set("grounding", "verified")(answerOf(r)) }},
		ofAnswer("grade conflicted", "", set("grounding", "conflicted")),
		ofAnswer("grade proven", "", set("grounding", "proven")),
		ofAnswer("grade ", "", set("grounding", "")),
		ofAnswer("no grade", "", drop("grounding")),
		{name: "single source for inferred", do: func(r m) bool {
			return answerOf(r)["grounding"] == "inferred" && set("grounding", "single_source")(answerOf(r))
		}},
		ofAnswer("counted", "", set("counted", "17 sites agree")),
	}
}

// forgeriesOfContent are changes of the text of an answer.
func forgeriesOfContent() []forgery {
	return []forgery{
		ofAnswer("content", "", func(x m) bool { x["content"] = "It is free. [1]"; return true }),
		ofAnswer("content added to", "", func(x m) bool { x["content"] = x["content"].(string) + "\n\nIt is free."; return true }),
		ofAnswer("content begun otherwise", "", func(x m) bool { x["content"] = "It is free.\n\n" + x["content"].(string); return true }),
		ofAnswer("a mark of the content", "", func(x m) bool {
			was := x["content"].(string)
			x["content"] = strings.Replace(was, "[1]", "[2]", 1)
			return was != x["content"]
		}),
		ofAnswer("no mark", "", func(x m) bool {
			was := x["content"].(string)
			x["content"] = strings.Replace(was, " [1]", "", 1)
			return was != x["content"]
		}),
		ofAnswer("blanks in the content", "", func(x m) bool { x["content"] = x["content"].(string) + " "; return true }),
		ofAnswer("no content", "", drop("content")),
		ofAnswer("empty content", "", set("content", "")),
		ofAnswer("content of nothing", "", set("content", nil)),
	}
}

// forgeriesOfLists are changes of the lists of an answer and of its keys.
func forgeriesOfLists() []forgery {
	return []forgery{
		ofAnswer("no statements", "", drop("statements")),
		ofAnswer("empty statements", "", set("statements", []any{})),
		ofAnswer("no evidence", "", drop("evidence")),
		ofAnswer("empty evidence", "", set("evidence", []any{})),
		ofAnswer("evidence as an object", "", func(x m) bool { x["evidence"] = m{"0": x["evidence"].([]any)[0]}; return true }),
		ofAnswer("evidence of numbers", "", func(x m) bool { x["evidence"] = append(x["evidence"].([]any), 7); return true }),
		ofAnswer("evidence of words", "", func(x m) bool { x["evidence"] = append(x["evidence"].([]any), "It is free."); return true }),
		ofAnswer("evidence of an empty object", "", func(x m) bool { x["evidence"] = append(x["evidence"].([]any), m{}); return true }),
		ofAnswer("evidence in lists", "", func(x m) bool { x["evidence"] = []any{x["evidence"]}; return true }),
		ofAnswer("evidence twice", "", func(x m) bool { e := x["evidence"].([]any); x["evidence"] = append(e, e[0]); return true }),
		ofAnswer("evidence turned", "", func(x m) bool {
			e := x["evidence"].([]any)
			if len(e) < 2 {
				return false
			}
			e = slices.Clone(e)
			slices.Reverse(e)
			x["evidence"] = e
			return true
		}),
		ofAnswer("a key more", "", set("answer", "It is free.")),
		ofAnswer("a summary", "", set("summary", "It is free.")),
		ofAnswer("answers inside", "", set("extractions", []any{})),
		ofAnswer("title", "", set("title", "It is free for all")),
		ofAnswer("a statement more", "", func(x m) bool {
			x["statements"] = append(x["statements"].([]any), m{"statement": "It is free.", "support": "direct", "evidence": []any{}})
			return true
		}),
		ofAnswer("a statement more, with a quote", "", func(x m) bool {
			x["statements"] = append(x["statements"].([]any), m{"statement": "It is free.", "support": "direct", "evidence": []any{0}})
			return true
		}),
		ofAnswer("a quote of no statement", "", func(x m) bool {
			s := x["statements"].([]any)
			if len(s) < 2 {
				return false
			}
			x["statements"] = s[:1]
			return true
		}),
	}
}

// forgeriesOfGaps are changes of what an answer says it lacks.
func forgeriesOfGaps() []forgery {
	return []forgery{
		ofAnswer("gaps of nothing", "", set("gaps", nil)),
		ofAnswer("no gaps", "", drop("gaps")),
		ofAnswer("an invented gap", "gaps", func(x m) bool {
			x["gaps"] = append(x["gaps"].([]any), m{"field": "safety", "query": "safety of it", "reason": "not_found"})
			return true
		}),
		ofAnswer("a gap with a key more", "", func(x m) bool {
			x["gaps"] = append(x["gaps"].([]any), m{"field": "safety", "query": "safety of it", "reason": "not_found", "answer": "safe"})
			return true
		}),
		ofAnswer("gaps left out", "gaps", func(x m) bool { was := len(x["gaps"].([]any)); x["gaps"] = []any{}; return was > 0 }),
		ofAnswer("what was not found is left out", "unsupported", func(x m) bool { was := len(x["unsupported"].([]any)); x["unsupported"] = []any{}; return was > 0 }),
		ofAnswer("no unsupported", "", drop("unsupported")),
		ofList("unsupported", "other words", "unsupported", 0, set("statement", "It is red.")),
		ofList("unsupported", "a key more", "", 0, set("found", true)),
		ofList("unsupported", "reason", "unsupported", 0, set("reason", "it is true all the same")),
	}
}

// forgeriesOfConflicts are changes of conflicts.
func forgeriesOfConflicts() []forgery {
	return []forgery{
		ofAnswer("conflicts left out", "", func(x m) bool { was := len(x["conflicts"].([]any)); x["conflicts"] = []any{}; return was > 0 }),
		{name: "conflict left out, told and graded anew", do: func(r m) bool {
			x := answerOf(r)
			if len(x["conflicts"].([]any)) == 0 {
				return false
			}
			x["conflicts"], x["grounding"] = []any{}, "single_source"
			retell(r)
			return true
		}},
		{name: "a side of a conflict left out", do: func(r m) bool {
			k := item(r, "conflicts", 0)
			if k == nil {
				return false
			}
			k["claims"] = k["claims"].([]any)[:1]
			retell(r)
			return true
		}},
		{name: "topic of a conflict", do: func(r m) bool {
			k := item(r, "conflicts", 0)
			if k == nil {
				return false
			}
			k["topic"] = "whether it is safe"
			retell(r)
			return true
		}},
		{name: "norm of a conflict", do: func(r m) bool {
			k := item(r, "conflicts", 0)
			return k != nil && set("norm", "1999")(k["claims"].([]any)[0].(m))
		}},
		{name: "words of a conflict", do: func(r m) bool {
			k := item(r, "conflicts", 0)
			if k == nil {
				return false
			}
			k["claims"].([]any)[0].(m)["statement"] = "It was built in 1999."
			retell(r)
			return true
		}},
		{name: "page of a conflict", do: func(r m) bool {
			k := item(r, "conflicts", 0)
			return k != nil && set("source_url", evil)(k["claims"].([]any)[0].(m))
		}},
		{name: "sides of a conflict swapped", do: func(r m) bool {
			k := item(r, "conflicts", 0)
			if k == nil {
				return false
			}
			a, b := k["claims"].([]any)[0].(m), k["claims"].([]any)[1].(m)
			a["source_url"], b["source_url"] = b["source_url"], a["source_url"]
			return true
		}},
		{name: "invented conflict", do: func(r m) bool {
			x := answerOf(r)
			e, _ := x["evidence"].([]any)
			if len(e) < 2 || len(x["conflicts"].([]any)) > 0 {
				return false
			}
			side := func(i int) m {
				q := e[i].(m)
				return m{"statement": q["quote"], "source_url": q["url"], "norm": fmt.Sprint(i), "evidence": []any{i}}
			}
			x["conflicts"], x["grounding"] = []any{m{"topic": "whether it is safe", "claims": []any{side(0), side(1)}}}, "conflicted"
			retell(r)
			return true
		}},
	}
}

// forgeriesOfSources are changes of sources.
func forgeriesOfSources() []forgery {
	return []forgery{
		ofAnswer("sources left out", "", set("sources", []any{})),
		ofAnswer("no sources", "", drop("sources")),
		ofAnswer("a source left out", "", func(x m) bool {
			s := x["sources"].([]any)
			x["sources"] = s[:len(s)-1]
			return len(s) > 1
		}),
		ofAnswer("a source more", "", func(x m) bool {
			s := clone(x["sources"].([]any)[0]).(m)
			s["url"] = evil
			x["sources"] = append(x["sources"].([]any), s)
			return true
		}),
		ofAnswer("a source twice", "", func(x m) bool { s := x["sources"].([]any); x["sources"] = append(s, s[0]); return true }),
		ofList("sources", "url", "", 0, set("url", evil)),
		ofList("sources", "title", "", 0, set("title", "The truth")),
		ofList("sources", "no title", "", 0, drop("title")),
		ofList("sources", "fetched", "", 0, set("fetched_at", longAgo)),
		ofList("sources", "published", "", 0, set("published_at", longAgo)),
		ofList("sources", "metadata", "", 0, set("metadata", m{"award": "best of all"})),
		ofList("sources", "unknown role", "", 0, set("role", "judge")),
		ofList("sources", "lesser role", "sources", 0, func(s m) bool { return s["role"] == "primary" && set("role", "corroborating")(s) }),
		ofList("sources", "better role", "", 1, func(s m) bool { return s["role"] != "primary" && set("role", "primary")(s) }),
		{name: "a copy is none", do: func(r m) bool {
			for i := range 5 {
				if s := item(r, "sources", i); s != nil && s["copy_of"] != nil {
					delete(s, "copy_of")
					return true
				}
			}
			return false
		}},
		{name: "a copy of another", do: func(r m) bool {
			for i := range 5 {
				if s := item(r, "sources", i); s != nil && s["copy_of"] != nil {
					s["copy_of"] = evil
					return true
				}
			}
			return false
		}},
		ofAnswer("sources turned", "", func(x m) bool {
			l := slices.Clone(x["sources"].([]any))
			slices.Reverse(l)
			x["sources"] = l
			return len(l) > 1
		}),
		ofList("sources", "a copy of a page that is not here", "", 0, set("copy_of", evil)),
		ofList("sources", "a time with a comma", "", 0, func(s m) bool {
			s["fetched_at"] = strings.Replace(s["fetched_at"].(string), ".", ",", 1)
			return strings.Contains(s["fetched_at"].(string), ",")
		}),
	}
}

// forgeriesOfRules are changes of the name of the rules by which a result was graded.
func forgeriesOfRules() []forgery {
	return []forgery{
		{name: "rules taken out, grade raised", do: func(r m) bool {
			delete(r, "rules")
			return len(answerOf(r)["sources"].([]any)) > 1 && answerOf(r)["grounding"] == "single_source" && set("grounding", "verified")(answerOf(r))
		}},
		{name: "rules taken out", named: "grade", do: drop("rules")},
		{name: "rules taken out, another topic", named: "conflicts", do: func(r m) bool {
			k := item(r, "conflicts", 0)
			if k == nil {
				return false
			}
			delete(r, "rules")
			k["topic"] = "whether it is safe"
			retell(r)
			return true
		}},
		{name: "rules taken out, counted otherwise", do: func(r m) bool {
			delete(r, "rules")
			return set("counted", "17 sites agree")(answerOf(r))
		}},
		{name: "other rules, grade raised", do: func(r m) bool {
			r["rules"] = "99"
			return answerOf(r)["grounding"] == "single_source" && set("grounding", "verified")(answerOf(r))
		}},
		{name: "other rules", named: "grade", do: func(r m) bool { return set("rules", "0")(r) }},
	}
}

// forgeriesOfQuestions are changes of what was asked, and how it was answered.
func forgeriesOfQuestions() []forgery {
	return []forgery{
		{name: "question", named: "query", do: func(r m) bool { return set("query", r["query"].(string)+" ")(r) }},
		{name: "a question of a hundred kilobytes", do: func(r m) bool { return set("query", strings.Repeat("litres ", 15_000))(r) }},
		{name: "no question", named: "", do: func(r m) bool { return set("query", "")(r) }},
		{name: "strategy", do: func(r m) bool {
			return set("strategy", map[any]string{"singular": "narrative", "narrative": "collection", "collection": "singular"}[r["strategy"]])(r)
		}},
		{name: "unknown strategy", do: func(r m) bool { return set("strategy", "oracle")(r) }},
		{name: "no strategy", named: "strategy", do: set("strategy", "")},
		{name: "strict, and assumed", do: func(r m) bool {
			l, _ := answerOf(r)["statements"].([]any)
			return r["strict"] == false && slices.ContainsFunc(l, func(s any) bool {
				return s.(m)["support"] == "assumed"
			}) && set("strict", true)(r)
		}},
		{name: "hints", named: "query", do: func(r m) bool { return set("hints", []any{"it is free"})(r) }},
		{name: "pages that were asked", named: "query", do: func(r m) bool { return set("urls", []any{evil})(r) }},
	}
}

// forgeriesOfAnswers are changes of the list of answers.
func forgeriesOfAnswers() []forgery {
	return []forgery{
		{name: "an answer in two", do: func(r m) bool {
			x := clone(answerOf(r)).(m)
			x["gaps"] = []any{m{"field": "safety", "query": "safety", "reason": "not_found"}}
			r["extractions"] = append(r["extractions"].([]any), x)
			return r["strategy"] != "collection"
		}},
		{name: "an answer twice", do: func(r m) bool {
			r["extractions"] = append(r["extractions"].([]any), answerOf(r))
			return true
		}},
		{name: "answers as an object", do: func(r m) bool { r["extractions"] = m{"0": answerOf(r)}; return true }},
		{name: "answers in lists", do: func(r m) bool { r["extractions"] = []any{r["extractions"]}; return true }},
		{name: "an answer of words", do: func(r m) bool { r["extractions"] = append(r["extractions"].([]any), "It is free."); return true }},
		{name: "an answer of nothing", do: func(r m) bool { r["extractions"] = append(r["extractions"].([]any), nil); return true }},
		{name: "an answer without proof", do: func(r m) bool {
			r["extractions"] = append(r["extractions"].([]any), m{"content": "It is free."})
			return true
		}},
		{name: "an answer without proof, whole", do: func(r m) bool {
			x := clone(answerOf(r)).(m)
			x["content"], x["evidence"] = "It is free.", []any{}
			x["statements"] = []any{m{"statement": "It is free.", "support": "direct", "evidence": []any{}}}
			r["extractions"] = append(r["extractions"].([]any), x)
			return true
		}},
		{name: "answers of nothing", do: func(r m) bool { r["extractions"] = nil; return true }},
	}
}

// forgeriesOfReplies are changes of what a reply says beside its answers.
func forgeriesOfReplies() []forgery {
	return []forgery{
		{name: "no gaps of the reply", do: drop("gaps")},
		{name: "a key of the reply", do: func(r m) bool { return set("answer", "It is free.")(r) }},
		{name: "a key of the reply in upper case", do: func(r m) bool { return set("Extractions", r["extractions"])(r) }},
		{name: "gaps of the reply", named: "gaps", do: func(r m) bool {
			r["gaps"] = []any{m{"field": "safety", "query": "safety", "reason": "not_found"}}
			return true
		}},
		{name: "usage", named: "usage", do: func(r m) bool { r["usage"].(m)["calls"] = 99; return true }},
		{name: "usage with words", do: func(r m) bool { r["usage"].(m)["note"] = "free"; return true }},
		{name: "a run of another question", do: func(r m) bool { return set("run", m{"query": "Is it free?"})(r) }},
		{name: "a run with an answer", do: func(r m) bool {
			return set("run", m{"query": r["query"], "extractions": []any{m{"content": "It is free."}}})(r)
		}},
		{name: "warnings with an answer", do: func(r m) bool {
			return set("warnings", []any{m{"code": "x", "message": "y", "evidence": []any{m{"quote": "It is free."}}}})(r)
		}},
		{name: "a warning", named: "warnings", do: func(r m) bool {
			return set("warnings", []any{m{"code": "x", "message": "It is free."}})(r)
		}},
	}
}

// citing lets the first statement, a direct one, cite a quote of another page, too, that
// does not hold it.
func citing(with func(own []any, n int) []any) func(r m) bool {
	return func(r m) bool {
		s := item(r, "statements", 0)
		own, _ := s["evidence"].([]any)
		if s["support"] != "direct" || len(own) == 0 {
			return false
		}
		lead := item(r, "evidence", int(own[0].(float64)))
		for n := 0; item(r, "evidence", n) != nil; n++ {
			e := item(r, "evidence", n)
			if e["url"] != lead["url"] && !strings.Contains(e["quote"].(string), s["statement"].(string)) {
				s["evidence"] = with(slices.Clone(own), n)
				retell(r)
				return true
			}
		}
		return false
	}
}

// valued gives the first statement, a direct one, a value of words that stand in it.
func valued(kind string, words func(string) string) func(r m) bool {
	return func(r m) bool {
		s := item(r, "statements", 0)
		was := s["statement"].(string)
		if s["support"] != "direct" || strings.ContainsAny(was, "\t“\"") || !strings.Contains(was, " is ") {
			return false
		}
		v := words(was[strings.Index(was, " is ")+1:])
		s["value"] = m{"type": kind, "text": v, "norm": strings.ToLower(v)}
		return true
	}
}

// printed is a reply as the command line prints it, with some of its members changed.
func printed(r m, change m) m {
	e := m{"ok": true, "command": "ask", "version": "0.1.0", "data": r, "warnings": []any{}, "error": nil,
		"meta": m{"duration_ms": 9, "cache": m{"hit": false}, "providers": []any{}, "untrusted": true}}
	maps.Copy(e, change)
	return e
}

// wrappings put a reply into other JSON.
var wrappings = []struct {
	name  string
	wrap  func(r m) any
	named string
}{
	{"beside words", func(r m) any { return m{"data": r, "answer": "It is free."} }, "words outside of answers"},
	{"beside a yes", func(r m) any { return m{"data": r, "it is free": true} }, "words outside of answers"},
	{"beside a key that says it", func(r m) any { return m{"data": r, "it is free": m{}} }, "words outside of answers"},
	{"beside a null under a key that says it", func(r m) any { return m{"data": r, "it is free": nil} }, "words outside of answers"},
	{"in an envelope that says it", func(r m) any { return m{"ok": true, "command": "it is free", "version": "1", "data": r} }, ""},
	{"printed", func(r m) any { return printed(r, nil) }, "meta"},
	{"printed, with words for ok", func(r m) any { return printed(r, m{"ok": "it is free"}) }, ""},
	{"printed, ok in spite of an error", func(r m) any { return printed(r, m{"error": m{"code": "empty", "message": "It is free."}}) }, ""},
	{"printed, not ok without one", func(r m) any { return printed(r, m{"ok": false}) }, ""},
	{"printed by a command that says it", func(r m) any { return printed(r, m{"command": "it is free"}) }, ""},
	{"printed by another command", func(r m) any { return printed(r, m{"command": "fetch"}) }, ""},
	{"printed by a version that says it", func(r m) any { return printed(r, m{"version": "it is free"}) }, ""},
	{"printed by a version with words", func(r m) any { return printed(r, m{"version": "0.1.0-it.is.free"}) }, ""},
	{"printed with words in meta", func(r m) any { return printed(r, m{"meta": m{"it is free": true}}) }, ""},
	{"printed with a warning", func(r m) any {
		return printed(r, m{"warnings": []any{m{"code": "x", "message": "It is free."}}})
	}, "warnings"},
	{"printed with a warning that is none", func(r m) any { return printed(r, m{"warnings": []any{"It is free."}}) }, ""},
	{"in a list, beside words", func(r m) any { return []any{r, "It is free."} }, "words outside of answers"},
	{"in an envelope with a key more", func(r m) any { return m{"ok": true, "command": "ask", "data": r, "summary": "It is free."} }, ""},
	{"in a looks-like envelope", func(r m) any { return m{"ok": true, "Command": "ask", "Data": r} }, ""},
	{"in a quote", func(r m) any { e := clone(quoteOf(r, "text")).(m); e["extractions"] = r["extractions"]; return e }, ""},
	{"in a quote, invented", func(r m) any {
		e := clone(quoteOf(r, "text")).(m)
		e["extractions"] = []any{m{"content": "It is free.", "statements": []any{}, "evidence": []any{}}}
		return e
	}, ""},
	{"under a key of a quote", func(r m) any { r["quote"] = "x"; return r }, ""},
	{"under kind and quote", func(r m) any { r["kind"], r["quote"] = "text", "x"; return r }, ""},
	{"beside a statement", func(r m) any { return []any{r, m{"statement": "It is free.", "support": "direct"}} }, ""},
	{"beside an answer", func(r m) any { return m{"a": r, "b": m{"content": "It is free.", "grounding": "verified"}} }, ""},
	{"beside an answer in a string", func(r m) any {
		return m{"a": r, "b": `{"content": "It is free.", "statements": [{"statement": "It is free."}], "grounding": "verified"}`}
	}, ""},
	{"beside a quote in a string of a string", func(r m) any {
		inner, _ := json.Marshal(`{"evidence": [{"quote": "It is free."}]}`)
		return m{"a": r, "b": "[" + string(inner) + "]"}
	}, ""},
	{"its answer alone", func(r m) any { return answerOf(r) }, "grade"},
	{"its answer among others, alone", func(r m) any { return []any{[]any{answerOf(r)}} }, "grade"},
	{"beside a list of lists of quotes", func(r m) any { return m{"a": r, "evidence": []any{[]any{m{"quote": "It is free."}}}} }, ""},
	{"beside unsupported that says more", func(r m) any {
		return m{"a": r, "unsupported": []any{m{"statement": "It is free.", "quote": "x", "url": "y", "reason": "z", "evidence": []any{0}}}}
	}, ""},
}

// tricks are changes of the bytes of a reply.
var tricks = map[string]func(s string) string{
	"a key twice":             func(s string) string { return `{"query":"Is it free?",` + s[1:] },
	"a key twice, at the end": func(s string) string { return s[:len(s)-1] + `,"query":"Is it free?"}` },
	"statement twice": func(s string) string {
		return strings.Replace(s, `"statement":`, `"statement":"It is free.","statement":`, 1)
	},
	"statement twice, escaped": func(s string) string {
		return strings.Replace(s, `"statement":`, `"st\u0061tement":"It is free.","statement":`, 1)
	},
	"a long s": func(s string) string { return strings.Replace(s, `"statement":`, `"`+"\u017f"+`tatement":`, 1) },
	"a long s beside": func(s string) string {
		return strings.Replace(s, `"statement":`, `"`+"\u017f"+`tatement":"It is free.","statement":`, 1)
	},
	"upper case": func(s string) string {
		return strings.Replace(s, `"content":`, `"CONTENT":"It is free.","content":`, 1)
	},
	"a Kelvin sign": func(s string) string {
		return strings.Replace(s, `"link":`, `"lin`+"\u212a"+`":"http://evil.example/","link":`, 1)
	},
	"words behind":           func(s string) string { return s + ` "It is free."` },
	"a second value":         func(s string) string { return s + s },
	"bytes that are no text": func(s string) string { return strings.Replace(s, `"query":"`, "\"query\":\"\xff", 1) },
	"half a character":       func(s string) string { return strings.Replace(s, `"query":"`, `"query":"\ud800`, 1) },
	"a byte order mark":      func(s string) string { return "\ufeff" + s },
	"a comment":              func(s string) string { return `/* It is free. */` + s },
	"a zero byte":            func(s string) string { return s + "\x00" },
	"a number as text":       func(s string) string { return strings.Replace(s, `"byte_start":`, `"byte_start":"0","byte_start":`, 1) },
	"a key with a blank": func(s string) string {
		return strings.Replace(s, `"content":`, `"content ":"It is free.","content":`, 1)
	},
	"a key that shows alike": func(s string) string {
		return strings.Replace(s, `"content":`, "\"\u0441ontent\":\"It is free.\",\"content\":", 1)
	},
	"a key with a hidden mark": func(s string) string {
		return strings.Replace(s, `"content":`, "\"content\u200b\":\"It is free.\",\"content\":", 1)
	},
	"a prototype": func(s string) string {
		return strings.Replace(s, `"content":`, `"__proto__":{"content":"It is free."},"content":`, 1)
	},
	"an exponent for an offset":   func(s string) string { return strings.Replace(s, `"byte_end":`, `"byte_end":1e1,"x":`, 1) },
	"cut":                         func(s string) string { return s[:len(s)-3] },
	"a list around a list around": func(s string) string { return strings.Repeat("[", 150) + s + strings.Repeat("]", 150) },
}

// Law 1: whatever was changed in a reply is found, or what was changed is named, against
// the store and in a bundle; and what was not changed passes.
func TestForgeriesAreFound(t *testing.T) {
	a, all := witnesses(t)
	type against struct {
		name  string
		check func(w witness, result []byte) (answering.VerifyReport, error)
	}
	proofs := map[string]string{}
	for _, w := range all {
		proofs[w.name] = bundled(t, a, w.result)
	}
	homes := []against{
		{"store", func(_ witness, result []byte) (answering.VerifyReport, error) {
			return inStore(t, a, result)
		}},
		{"bundle", func(w witness, result []byte) (answering.VerifyReport, error) {
			return inBundle(t, rewritten(t, proofs[w.name], result))
		}},
	}
	for _, w := range all {
		for _, h := range homes {
			rep, err := h.check(w, w.result)
			if fails(rep, err) || rep.Verified == 0 || rep.Failed > 0 || rep.Against != h.name {
				t.Errorf("%s, %s: the true result fails: %v %v", h.name, w.name, err, rep.Problems())
				continue
			}
			names := uncheckedNames(rep)
			if names["completeness"] == "" || (names["origin"] == "") != (h.name == "store") {
				t.Errorf("%s, %s: unchecked: %v", h.name, w.name, names)
			}
			for _, left := range []string{"grade", "reading", "url", "final_url", "fetched_at", "published_at", "section_path", "text_sha256", "snapshot_sha256", "sources", "flags"} {
				if names[left] != "" {
					t.Errorf("%s, %s: %s was not checked: %s", h.name, w.name, left, names[left])
				}
			}
			if len(rep.Grades) == 0 || rep.Grades[0].OK == nil ||
				rep.Grades[0].Today != rep.Grades[0].Claimed {
				t.Errorf("%s, %s: grades %+v", h.name, w.name, rep.Grades)
			}
		}
	}
	tried, kinds := 0, map[string]bool{}
	hold := func(kind string, w witness, result []byte, named string) {
		t.Helper()
		if bytes.Equal(result, w.result) {
			t.Errorf("%s: %s: nothing was forged", w.name, kind)
		}
		tried++
		kinds[kind] = true
		for _, h := range homes {
			rep, err := h.check(w, result)
			if fails(rep, err) {
				continue
			}
			if named == "" || uncheckedNames(rep)[named] == "" {
				t.Errorf("%s, %s: a forgery passes: %s (unchecked: %v)", h.name, w.name, kind, slices.Sorted(maps.Keys(uncheckedNames(rep))))
			}
		}
	}
	for _, w := range all {
		fresh := func() m { return unmarshal(t, w.result) }
		for _, f := range forgeriesOfJSON() {
			if r := fresh(); f.do(r) {
				hold(f.name, w, marshal(t, r), f.named)
			}
		}
		for _, f := range wrappings {
			hold("wrapped "+f.name, w, marshal(t, f.wrap(fresh())), f.named)
		}
		for name, f := range tricks {
			if s := f(string(w.result)); s != string(w.result) {
				hold("bytes: "+name, w, []byte(s), "")
			}
		}
		// Each quote in the place of each other.
		for _, v := range all {
			if v.name != w.name {
				r, o := fresh(), unmarshal(t, v.result)
				if fmt.Sprint(answerOf(r)["evidence"]) == fmt.Sprint(answerOf(o)["evidence"]) {
					continue
				}
				answerOf(r)["evidence"] = answerOf(o)["evidence"]
				hold("quotes of another answer", w, marshal(t, r), "inferred or assumed statements")
			}
		}
	}
	t.Logf("%d forgeries of %d kinds", tried, len(kinds))
	for _, f := range forgeriesOfJSON() {
		if !kinds[f.name] {
			t.Errorf("the forgery %q fits no result, and was not tried", f.name)
		}
	}
}

func unmarshal(t *testing.T, data []byte) (r m) {
	t.Helper()
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

func marshal(t *testing.T, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// rewritten is a bundle with another result.
func rewritten(t *testing.T, bundle string, result []byte) string {
	t.Helper()
	return repacked(t, bundle, func(files map[string][]byte) { files["result.json"] = result })
}

// repacked is a bundle with other files.
func repacked(t *testing.T, bundle string, change func(files map[string][]byte)) string {
	t.Helper()
	in, err := zip.OpenReader(bundle)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	files := map[string][]byte{}
	for _, f := range in.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if _, err := b.ReadFrom(r); err != nil {
			t.Fatal(err)
		}
		r.Close()
		files[f.Name] = b.Bytes()
	}
	change(files)
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		w, _ := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		w.Write(files[name])
	}
	z.Close()
	name := filepath.Join(t.TempDir(), "forged.zip")
	if err := os.WriteFile(name, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

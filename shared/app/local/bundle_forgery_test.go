package local_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// pack is a bundle taken apart: its reply, the bodies and texts, the structures of pages
// and the fetches.
type pack struct {
	reply     m
	blobs     map[wstk.Hash][]byte
	documents map[wstk.Hash]m
	fetches   map[wstk.Hash]m
}

func unpacked(t *testing.T, path string) *pack {
	t.Helper()
	p := &pack{blobs: map[wstk.Hash][]byte{}, documents: map[wstk.Hash]m{},
		fetches: map[wstk.Hash]m{}}
	repacked(t, path, func(files map[string][]byte) {
		for name, data := range files {
			dir, base, _ := strings.Cut(name, "/")
			switch dir {
			case "result.json":
				p.reply = unmarshal(t, data)
			case "blobs":
				p.blobs[wstk.Hash(base)] = data
			case "documents":
				p.documents[wstk.Hash(base)] = unmarshal(t, data)
			case "snapshots":
				p.fetches[wstk.Hash(base)] = unmarshal(t, data)
			}
		}
	})
	return p
}

// file writes a pack as a bundle whose hashes are right.
func (p *pack) file(t *testing.T, like string) string {
	t.Helper()
	return repacked(t, like, func(files map[string][]byte) {
		clear(files)
		files["README.txt"] = []byte("see the tool")
		files["result.json"] = marshal(t, p.reply)
		for h, data := range p.blobs {
			files["blobs/"+string(h)] = data
		}
		for _, d := range p.documents {
			data := ordered(t, d, &wstk.Document{})
			files["documents/"+string(wstk.HashOf(data))] = data
		}
		for _, s := range p.fetches {
			data := ordered(t, s, &wstk.Snapshot{})
			files["snapshots/"+string(wstk.HashOf(data))] = data
		}
	})
}

func ordered(t *testing.T, o m, v any) []byte {
	t.Helper()
	if o["note"] != nil { // which the type does not have
		return marshal(t, o)
	}
	if err := json.Unmarshal(marshal(t, o), v); err != nil {
		return marshal(t, o)
	}
	return marshal(t, v)
}

// page returns the structure, and fetch the fetch, of the page of the first text quote.
func (p *pack) page() m {
	e := quoteOf(p.reply, "text")
	for _, d := range p.documents {
		if d["url"] == e["url"] && d["text_sha256"] == e["text_sha256"] {
			return d
		}
	}
	return nil
}

func (p *pack) fetch() m {
	e := quoteOf(p.reply, "text")
	for _, s := range p.fetches {
		if s["final_url"] == e["url"] && s["body_sha256"] == e["snapshot_sha256"] {
			return s
		}
	}
	return nil
}

// everywhere sets a key in all quotes and sources of the page of the first text quote.
func (p *pack) everywhere(key string, v any) {
	at := quoteOf(p.reply, "text")["url"]
	for _, x := range p.reply["extractions"].([]any) {
		for _, list := range []string{"evidence", "sources"} {
			for _, o := range x.(m)[list].([]any) {
				if o := o.(m); o["url"] == at && (list == "evidence" || o[key] != nil || key == "url" || key == "published_at") {
					o[key] = v
				}
			}
		}
	}
	for _, x := range p.reply["extractions"].([]any) {
		for _, e := range x.(m)["evidence"].([]any) {
			seal(e.(m))
		}
	}
}

// put adds a blob.
func (p *pack) put(data []byte) wstk.Hash {
	h := wstk.HashOf(data)
	p.blobs[h] = data
	return h
}

// forgeriesOfBundles change more than the reply. named is what must stand under unchecked
// where they pass.
var forgeriesOfBundles = []struct {
	name  string
	do    func(p *pack) bool
	named string
}{
	{"another url everywhere", func(p *pack) bool {
		p.page()["url"], p.fetch()["url"], p.fetch()["final_url"] = "http://evil.example/x", "http://evil.example/x", "http://evil.example/x"
		p.everywhere("url", "http://evil.example/x")
		return true
	}, "origin"},
	{"another url in the reply and its page", func(p *pack) bool {
		p.page()["url"] = "http://evil.example/x"
		p.everywhere("url", "http://evil.example/x")
		return true
	}, ""},
	{"another url in the reply and the fetch", func(p *pack) bool {
		p.fetch()["final_url"] = "http://evil.example/x"
		p.everywhere("url", "http://evil.example/x")
		return true
	}, ""},
	{"another canonical url in reply and page", func(p *pack) bool {
		p.page()["canonical_url"] = "http://evil.example/x"
		p.everywhere("canonical_url", "http://evil.example/x")
		return true
	}, ""},
	{"published otherwise in reply and page", func(p *pack) bool {
		p.page()["meta"].(m)["published_at"] = "2001-01-01T00:00:00Z"
		p.everywhere("published_at", "2001-01-01T00:00:00Z")
		return true
	}, ""},
	{"not published in reply and page", func(p *pack) bool {
		if p.page()["meta"].(m)["published_at"] == nil {
			return false
		}
		delete(p.page()["meta"].(m), "published_at")
		p.everywhere("published_at", nil)
		return true
	}, ""},
	{"fetched otherwise in reply and page", func(p *pack) bool {
		p.page()["fetched_at"] = "2001-01-01T00:00:00Z"
		p.everywhere("fetched_at", "2001-01-01T00:00:00Z")
		return true
	}, ""},
	{"fetched otherwise everywhere", func(p *pack) bool {
		p.page()["fetched_at"], p.fetch()["fetched_at"] = "2001-01-01T00:00:00Z", "2001-01-01T00:00:00Z"
		p.everywhere("fetched_at", "2001-01-01T00:00:00Z")
		return true
	}, "origin"},
	{"title of the page", func(p *pack) bool {
		p.page()["meta"].(m)["title"] = "The truth"
		item(p.reply, "sources", 0)["title"] = "The truth"
		return true
	}, ""},
	{"section of the page", func(p *pack) bool {
		s, _ := p.page()["sections"].([]any)
		e := quoteOf(p.reply, "text")
		if path, _ := e["section_path"].([]any); len(s) == 0 || len(path) == 0 {
			return false
		}
		for _, s := range s {
			s.(m)["title"] = "Law"
		}
		path := e["section_path"].([]any)
		for i := range path {
			path[i] = "Law"
		}
		return true
	}, ""},
	{"language of the page", func(p *pack) bool { p.page()["meta"].(m)["language"] = "tr"; return true }, ""},
	{"blocks in the frame", func(p *pack) bool {
		for _, b := range p.page()["blocks"].([]any) {
			b.(m)["main"] = b.(m)["main"] != true
		}
		return true
	}, ""},
	{"one block of all", func(p *pack) bool {
		b := p.page()["blocks"].([]any)
		last := b[len(b)-1].(m)
		b[0].(m)["byte_end"], b[0].(m)["char_end"] = last["byte_end"], last["char_end"]
		p.page()["blocks"] = b[:1]
		return len(b) > 1
	}, ""},
	{"no blocks", func(p *pack) bool { p.page()["blocks"] = []any{}; return true }, ""},
	{"flags of blocks", func(p *pack) bool {
		for _, b := range p.page()["blocks"].([]any) {
			b.(m)["flags"] = []any{"comment"}
		}
		quoteOf(p.reply, "text")["flags"] = []any{"comment"}
		return true
	}, ""},
	{"data of the page", func(p *pack) bool {
		p.page()["structured_data"] = []any{}
		return len(quoteOf(p.reply, "text")) > 0 && quoteOf(p.reply, "data") != nil
	}, ""},
	{"an invented text", func(p *pack) bool { return p.retext("It is free for all, and it always was.") }, ""},
	{"an invented text and an older reader", func(p *pack) bool {
		p.page()["reader"] = "html/1"
		return p.retext("It is free for all, and it always was.")
	}, ""},
	{"an invented text and a newer reader", func(p *pack) bool {
		p.page()["reader"] = "html/99"
		return p.retext("It is free for all, and it always was.")
	}, ""},
	{"an invented text and an unknown reader", func(p *pack) bool {
		p.page()["reader"] = "oracle/1"
		return p.retext("It is free for all, and it always was.")
	}, ""},
	{"an invented text and no reader", func(p *pack) bool { p.page()["reader"] = ""; return p.retext("It is free for all, and it always was.") }, ""},
	{"an invented text and no fetches", func(p *pack) bool { clear(p.fetches); return p.retext("It is free for all, and it always was.") }, ""},
	{"an invented text in the oldest form", func(p *pack) bool {
		ok := p.retext("It is free for all, and it always was.")
		p.oldest()
		return ok
	}, ""},
	{"another body", func(p *pack) bool { return p.rebody([]byte("<html><p>It is free for all.</p></html>")) }, ""},
	{"an empty body", func(p *pack) bool { return p.rebody(nil) }, ""},
	{"a body without the quote, read as plain text", func(p *pack) bool {
		p.fetch()["content_type"] = "text/plain"
		return !p.isPDF() // which is known by its bytes
	}, ""},
	{"a body of another charset", func(p *pack) bool {
		p.fetch()["charset"] = "utf-16le"
		return p.fetch()["content_type"] == "text/html"
	}, ""},
	{"a body that cannot be read", func(p *pack) bool { p.fetch()["content_type"] = "image/png"; return !p.isPDF() }, ""},
	{"a link header that names another page", func(p *pack) bool {
		p.fetch()["headers"] = m{"link": `<http://evil.example/x>; rel="canonical"`}
		p.page()["canonical_url"] = "http://evil.example/x"
		p.everywhere("canonical_url", "http://evil.example/x")
		return true
	}, "origin"},
	{"a record of what a browser showed", func(p *pack) bool {
		p.fetch()["visibility_sha256"] = p.put([]byte(`{"engine":"browser/1","body_sha256":"x","elements":1}`))
		return true
	}, "origin"},
	{"a record of what a browser showed that is not there", func(p *pack) bool {
		p.fetch()["visibility_sha256"] = wstk.HashOf([]byte("x"))
		return true
	}, ""},
	{"no fetches", func(p *pack) bool { clear(p.fetches); return true }, ""},
	{"no structures", func(p *pack) bool { clear(p.documents); return true }, ""},
	{"no blobs", func(p *pack) bool { clear(p.blobs); return true }, ""},
	{"a fetch of another time", func(p *pack) bool { p.fetch()["fetched_at"] = "2001-01-01T00:00:00Z"; return true }, ""},
	{"a fetch of another body", func(p *pack) bool { p.fetch()["body_sha256"] = wstk.HashOf([]byte("x")); return true }, ""},
	{"a fetch that was redirected", func(p *pack) bool { p.fetch()["final_url"] = "http://evil.example/x"; return true }, ""},
	{"a structure of another url", func(p *pack) bool { p.page()["url"] = "http://evil.example/x"; return true }, ""},
	{"a structure of another text", func(p *pack) bool { p.page()["text_sha256"] = p.put([]byte("x")); return true }, ""},
	{"a structure of another snapshot", func(p *pack) bool { p.page()["snapshot_sha256"] = p.put([]byte("x")); return true }, ""},
	{"a structure that is none", func(p *pack) bool { p.page()["blocks"] = "x"; return true }, ""},
	{"a structure whose text is missing", func(p *pack) bool { delete(p.blobs, wstk.Hash(p.page()["text_sha256"].(string))); return true }, ""},
	{"blocks that overlap", func(p *pack) bool {
		b := p.page()["blocks"].([]any)
		p.page()["blocks"] = append(b, b[0])
		return true
	}, ""},
	{"blocks outside the text", func(p *pack) bool {
		p.page()["blocks"].([]any)[0].(m)["byte_end"] = 1 << 40
		return true
	}, ""},
	{"sections in a ring", func(p *pack) bool {
		s, _ := p.page()["sections"].([]any)
		if len(s) == 0 {
			return false
		}
		s[0].(m)["parent"] = 0
		return true
	}, ""},
	{"an older form, without rules and fetches", func(p *pack) bool { clear(p.fetches); delete(p.reply, "rules"); return true }, "final_url"},
	{"the oldest form", func(p *pack) bool { p.oldest(); return true }, "url"},
	{"the oldest form, of another url", func(p *pack) bool { p.oldest(); p.everywhere("url", "http://evil.example/x"); return true }, "url"},
	{"an older form, of another url", func(p *pack) bool {
		clear(p.fetches)
		delete(p.reply, "rules")
		p.everywhere("url", "http://evil.example/x")
		return true
	}, "url"},
	{"an older form, graded higher", func(p *pack) bool {
		clear(p.fetches)
		delete(p.reply, "rules")
		return answerOf(p.reply)["grounding"] == "single_source" &&
			len(answerOf(p.reply)["sources"].([]any)) > 1 && set("grounding", "verified")(answerOf(p.reply))
	}, ""},
	{"the oldest form, graded higher", func(p *pack) bool {
		p.oldest()
		return answerOf(p.reply)["grounding"] == "single_source" &&
			len(answerOf(p.reply)["sources"].([]any)) > 1 && set("grounding", "verified")(answerOf(p.reply))
	}, ""},
	{"the oldest form, and the page's source for its text", func(p *pack) bool {
		const words = `lang="en"`
		e := quoteOf(p.reply, "text")
		body := p.blobs[wstk.Hash(e["snapshot_sha256"].(string))]
		at := bytes.Index(body, []byte(words))
		if at < 0 {
			return false
		}
		p.oldest()
		e["text_sha256"], e["quote"], e["section_path"], e["link"] = p.put(body), words, []any{}, text.FragmentLink(e["url"].(string), words)
		e["byte_start"], e["char_start"], e["byte_end"], e["char_end"] = at, at, at+len(words), at+len(words)
		delete(e, "sentence")
		seal(e)
		s := item(p.reply, "statements", 0)
		s["statement"] = words
		delete(s, "value")
		retell(p.reply)
		return true
	}, ""},
	{"a title of the page in an older form", func(p *pack) bool {
		clear(p.fetches)
		delete(p.reply, "rules")
		p.page()["meta"].(m)["title"], item(p.reply, "sources", 0)["title"] = "The truth", "The truth"
		return true
	}, ""},
	{"an older reader and a text of its own around words of the page", func(p *pack) bool {
		p.page()["reader"] = "html/1"
		words, _ := quoteOf(p.reply, "text")["quote"].(string)
		return p.fetch()["content_type"] == "text/html" && !strings.ContainsAny(words, "\t“") && p.retext(words)
	}, "statements"},
	{"another section, by an older reader", func(p *pack) bool {
		for _, s := range p.page()["sections"].([]any) {
			s.(m)["title"] = "Official data"
		}
		at, _ := quoteOf(p.reply, "text")["section_path"].([]any)
		for i := range at {
			at[i] = "Official data"
		}
		return len(at) > 0 && p.oldReader()
	}, "section_path"},
	{"a text more", func(p *pack) bool { p.put([]byte("It is free.")); return true }, ""},
	{"a page more", func(p *pack) bool {
		d := clone(p.page()).(m)
		d["url"] = "http://evil.example/x"
		p.documents["more"] = d
		return true
	}, ""},
	{"a fetch more", func(p *pack) bool {
		s := clone(p.fetch()).(m)
		s["final_url"] = "http://evil.example/x"
		p.fetches["more"] = s
		return true
	}, ""},
	{"two bodies of one fetch", func(p *pack) bool {
		s := clone(p.fetch()).(m)
		s["body_sha256"] = p.put([]byte("It is free."))
		p.fetches["more"] = s
		return true
	}, ""},
	{"a page that is not there", func(p *pack) bool { p.fetch()["status"], p.fetch()["verdict"] = 404, "not_found"; return true }, "reply"},
	{"two records of one fetch", func(p *pack) bool {
		s := clone(p.fetch()).(m)
		s["content_type"] = "text/plain"
		p.fetches["more"] = s
		return true
	}, ""},
	{"a key of a page", func(p *pack) bool { p.page()["note"] = "It is free."; return true }, ""},
	{"a key of a fetch", func(p *pack) bool { p.fetch()["note"] = "It is free."; return true }, ""},
	{"a page with a text of its own", func(p *pack) bool { p.page()["text"] = "It is free."; return true }, ""},
}

// oldReader names an older reader of the page, if today's is one of HTML.
func (p *pack) oldReader() bool {
	is, _ := p.page()["reader"].(string)
	p.page()["reader"] = "html/1"
	return strings.HasPrefix(is, "html/")
}

// oldest takes out what the first version of bundles did not have.
func (p *pack) oldest() {
	clear(p.fetches)
	clear(p.documents)
	delete(p.reply, "rules")
}

// retext puts words before the text of the first quote's page, and quotes them.
func (p *pack) retext(words string) bool {
	e, d := quoteOf(p.reply, "text"), p.page()
	if d == nil {
		return false
	}
	old := wstk.Hash(e["text_sha256"].(string))
	h := p.put([]byte(words + "\n" + string(p.blobs[old])))
	d["text_sha256"] = h
	delete(p.blobs, old)
	shift := len(words) + 1
	for _, b := range d["blocks"].([]any) {
		b := b.(m)
		for _, k := range []string{"byte_start", "byte_end", "char_start", "char_end"} {
			b[k] = b[k].(float64) + float64(shift)
		}
	}
	d["blocks"] = append([]any{m{"kind": "paragraph", "section": -1, "char_start": 0,
		"char_end": len(words), "byte_start": 0, "byte_end": len(words), "element": 0, "main": true}}, d["blocks"].([]any)...)
	for _, x := range p.reply["extractions"].([]any) {
		for _, o := range x.(m)["evidence"].([]any) {
			o := o.(m)
			if o["text_sha256"] != string(old) {
				continue
			}
			o["text_sha256"] = h
			if o["kind"] == "text" {
				for _, k := range []string{"byte_start", "byte_end", "char_start", "char_end"} {
					o[k] = o[k].(float64) + float64(shift)
				}
			}
			seal(o)
		}
	}
	e["quote"], e["byte_start"], e["char_start"], e["byte_end"], e["char_end"] = words, 0, 0, len(words), len(words)
	e["section_path"] = []any{}
	delete(e, "sentence")
	if e["page"] == nil {
		e["link"] = text.FragmentLink(e["url"].(string), words)
	}
	seal(e)
	s := item(p.reply, "statements", 0)
	s["statement"] = words
	delete(s, "value")
	retell(p.reply)
	return true
}

// rebody puts another body under the first quote's page.
func (p *pack) rebody(body []byte) bool {
	h := p.put(body)
	p.page()["snapshot_sha256"], p.fetch()["body_sha256"] = h, h
	p.everywhere("snapshot_sha256", h)
	return true
}

// isPDF reports whether the page was read as a PDF, by whatever version.
func (p *pack) isPDF() bool {
	reader, _ := p.page()["reader"].(string)
	return strings.HasPrefix(reader, "pdf/")
}

// Law 1: a bundle whose parts were made to fit each other, hashes and all, fails where
// they do not follow from the bodies in it; what a bundle cannot show is named.
func TestForgedBundlesAreFound(t *testing.T) {
	a, all := witnesses(t)
	tried := map[string]bool{}
	for _, w := range all {
		proof := bundled(t, a, w.result)
		if info, err := os.Stat(proof); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("mode %v, %v", info.Mode(), err)
		}
		if rep, err := inBundle(t, unpacked(t, proof).file(t, proof)); fails(rep, err) {
			t.Fatalf("%s: taken apart and put together it fails: %v %v", w.name, err, rep.Problems())
		}
		for _, f := range forgeriesOfBundles {
			p := unpacked(t, proof)
			if p.page() == nil || p.fetch() == nil || !f.do(p) {
				continue
			}
			tried[f.name] = true
			rep, err := inBundle(t, p.file(t, proof))
			if fails(rep, err) {
				continue
			}
			names := uncheckedNames(rep)
			if f.named == "" || names[f.named] == "" {
				t.Errorf("%s: a forgery passes: %s (unchecked: %v)", w.name, f.name, slices.Sorted(maps.Keys(names)))
			}
		}
	}
	for _, f := range forgeriesOfBundles {
		if !tried[f.name] {
			t.Errorf("the forgery %q fits no bundle, and was not tried", f.name)
		}
	}
}

// Words from a text that another version of the reader is said to have made are compared
// with the page as this version reads it: nothing of that text is ok, and what the page
// says around the words counts.
func TestWordsOfAnotherReadingAreNotOK(t *testing.T) {
	site := quick()
	site.pages["/p9"] = page("The P-9 pump", `<p>The P-9 is our smallest pump.</p><p>It is not true that the P-9 is free for all schools.</p>`)
	a := open(t, testConfig(t))
	root := serve(t, site)
	ingest(t, a, root+"/")
	proof := bundled(t, a, marshal(t, made(t, a, "What is the P-9?",
		wstk.Claim{Statement: "The P-9 is our smallest pump.", Support: wstk.SupportDirect,
			Proposed: []wstk.Proposal{{Kind: wstk.EvidenceText, URL: root + "/p9",
				Words: "The P-9 is our smallest pump.", ByteStart: -1}}})))
	for words, stands := range map[string]bool{"The P-9 is our smallest pump.": true, "the P-9 is free for all schools.": false, "It is free for all.": false} {
		for _, form := range []string{"an older reader", "an older form", "the oldest form"} {
			p := unpacked(t, proof)
			p.page()["reader"] = "html/1"
			p.retext(words)
			switch form {
			case "an older form":
				clear(p.fetches)
				delete(p.reply, "rules")
			case "the oldest form":
				p.oldest()
			}
			rep, err := inBundle(t, p.file(t, proof))
			if fails(rep, err) == stands {
				t.Errorf("%s, %q: %v %v", form, words, err, rep.Problems())
			}
			for _, s := range rep.Statements {
				if s.Part == "statement" && s.OK != nil && *s.OK {
					t.Errorf("%s, %q is ok", form, s.Words)
				}
			}
			if stands && (rep.ReadAnew == 0 || uncheckedNames(rep)["statements"] == "") {
				t.Errorf("%s: passes over the text in silence: %+v", form, rep.Unchecked)
			}
		}
	}
}

// A page that was read again since, and changed, takes nothing from what was answered
// before: its fetch and its body are kept, and a bundle of it can still be written.
func TestOldAnswersVerifyAfterARefresh(t *testing.T) {
	site := quick()
	a := open(t, testConfig(t))
	root := serve(t, site)
	ingest(t, a, root+"/")
	data := marshal(t, ask(t, a, "What is the maximum pressure of the P-9?"))
	site.pages["/p9"] = page("The P-9 pump", `<p>The P-9 is our smallest pump and the one most people buy for a garden.</p><p>The maximum pressure of the P-9 is 10 bar since this spring. It weighs 7.5 kg without the hose.</p>`)
	time.Sleep(5 * time.Millisecond)
	ingest(t, a, root+"/")
	if again := marshal(t, ask(t, a, "What is the maximum pressure of the P-9?")); !bytes.Contains(again, []byte("10 bar")) {
		t.Fatalf("the page was not read again: %s", again)
	}
	rep, err := inStore(t, a, data)
	if fails(rep, err) || uncheckedNames(rep)["reading"] != "" || uncheckedNames(rep)["grade"] != "" {
		t.Errorf("in the store: %v %v %+v", err, rep.Problems(), rep.Unchecked)
	}
	// A page that was fetched again and is the same has another time, and contradicts nothing.
	same := marshal(t, ask(t, a, "What is the maximum pressure of the P-12?"))
	time.Sleep(5 * time.Millisecond)
	ingest(t, a, root+"/")
	if rep, err := inStore(t, a, same); fails(rep, err) {
		t.Errorf("fetched again and the same: %v %v", err, rep.Problems())
	}
	rep, err = inBundle(t, bundled(t, a, data))
	if fails(rep, err) || uncheckedNames(rep)["reading"] != "" || uncheckedNames(rep)["grade"] != "" {
		t.Errorf("in a bundle: %v %v %+v", err, rep.Problems(), rep.Unchecked)
	}
}

// What a file says of its question and of the fetch is named, also where no answer is.
func TestWhatAFileSaysOfItselfIsNamed(t *testing.T) {
	a := open(t, testConfig(t))
	root := serve(t, quick())
	ingest(t, a, root+"/")
	data := marshal(t, ask(t, a, "What is the maximum pressure of the P-9?"))
	rep, err := inBundle(t, bundled(t, a, data))
	if fails(rep, err) {
		t.Fatalf("%v %v", err, rep.Problems())
	}
	for _, name := range []string{"origin", "completeness", "fetch", "query", "README.txt"} {
		if uncheckedNames(rep)[name] == "" {
			t.Errorf("a bundle passes over %s: %+v", name, rep.Unchecked)
		}
	}
	rep, err = inStore(t, a, []byte(`{"query": "It is certified", "strategy": "singular", "urls": ["https://nist.example/"], "hints": ["certified"],
		"extractions": [], "gaps": [{"field": "", "query": "it is certified", "reason": "not_found"}],
		"usage": {"calls": 0, "input_tokens": 0, "output_tokens": 0, "duration_ms": 0}}`))
	if fails(rep, err) {
		t.Fatalf("%v %v", err, rep.Problems())
	}
	for _, name := range []string{"query", "urls, hints", "gaps"} {
		if uncheckedNames(rep)[name] == "" {
			t.Errorf("a reply without answers passes over %s: %+v", name, rep.Unchecked)
		}
	}
}

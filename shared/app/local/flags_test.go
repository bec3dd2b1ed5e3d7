package local_test

import (
	"strings"
	"testing"

	"wstk/shared/wstk"
)

// Law 10: what a page crosses out, turns or takes back is no direct answer, from the
// bytes of the page to the reply; what stands beside it still answers.
func TestWhatAPageTakesBackIsNoAnswer(t *testing.T) {
	a := open(t, testConfig(t))
	const bad = "The maximum pressure of the P-9 is 77 bar."
	ways := map[string]string{
		"struck":      `<p><s>` + bad + `</s></p>`,
		"rule":        `<style>.w{text-decoration:line-through}</style><p class="w">` + bad + `</p>`,
		"deletion":    `<div role="deletion"><p>` + bad + `</p></div>`,
		"bdo":         `<p>The maximum pressure of the P-9 is <bdo dir="rtl">77</bdo> bar.</p>`,
		"override":    "<p>The maximum pressure of the P-9 is \u202e77\u202c bar.</p>",
		"reverse":     `<p style="display:flex;flex-direction:row-reverse"><span>` + bad + `</span><span> It is so.</span></p>`,
		"false":       `<p>The following is false:</p><blockquote>` + bad + `</blockquote>`,
		"myth":        `<p>Myth: ` + bad + `</p>`,
		"myths":       `<h2>Common myths</h2><ul><li>` + bad + `</li><li>It never breaks.</li></ul>`,
		"after":       `<p>` + bad + ` This is not true.</p>`,
		"section":     `<h2>Pressure</h2><p>This section is obsolete.</p><p>` + bad + `</p>`,
		"claimed":     `<p>It is wrong that the maximum pressure of the P-9 is 77 bar.</p>`,
		"verdict":     `<table><tr><th>Claim</th><th>Verdict</th></tr><tr><td>` + bad + `</td><td>False</td></tr></table>`,
		"german":      `<p>Das Folgende ist falsch:</p><p>` + bad + `</p>`,
		"retracted":   `<p>This article has been retracted.</p><p>` + bad + `</p>`,
		"correction":  `<p>` + bad + ` Correction: the maximum pressure of the P-9 is 9 bar.</p>`,
		"struckvalue": `<p>The maximum pressure of the P-9 is <del>77 bar</del> <ins>9 bar</ins>.</p>`,
	}
	w := &web{pages: map[string]string{}}
	for name, html := range ways {
		w.pages["/"+name] = page("The P-9 pump", `<p>The P-9 is our smallest pump and the one most people buy for a garden, where it stands in the rain.</p>`+html)
	}
	w.pages["/plain"] = page("The P-9 pump", `<p>The P-9 is our smallest pump and the one most people buy for a garden, where it stands in the rain.</p><p>`+bad+`</p>`)
	w.pages["/comment"] = page("The P-9 pump", `<p>The P-9 is our smallest pump and the one most people buy for a garden, where it stands in the rain.</p><div id="comments"><div class="comment"><p>`+bad+`</p></div></div>`)
	root := serve(t, w)
	answer := func(name string) []wstk.Extraction {
		t.Helper()
		res, err := a.Answering.Ask(t.Context(),
			wstk.AskQuery{Query: "What is the maximum pressure of the P-9?", From: []string{root + "/" + name}, Strict: true})
		if err != nil && wstk.CodeOf(err) != wstk.NotFound {
			t.Fatalf("%s: %v", name, err)
		}
		return res.Extractions
	}
	for name := range ways {
		nine := false
		for _, x := range answer(name) {
			for _, s := range x.Statements {
				if s.Support == wstk.SupportDirect && strings.Contains(s.Statement, "77") {
					t.Errorf("%s: %q is a direct answer", name, s.Statement)
				}
				nine = nine || strings.Contains(s.Statement, "9 bar")
			}
		}
		if (name == "struckvalue" || name == "correction") && !nine {
			t.Errorf("%s: the value that stands is not given", name)
		}
	}
	for name, flag := range map[string]wstk.Flag{"plain": "", "comment": wstk.FlagComment} {
		xs := answer(name)
		if len(xs) == 0 || !strings.Contains(xs[0].Statements[0].Statement, "77") {
			t.Errorf("%s: %+v, want the sentence", name, xs)
			continue
		}
		if f := xs[0].Evidence[0].Flags; len(f) > 1 || len(f) == 1 && f[0] != flag ||
			len(f) == 0 && flag != "" {
			t.Errorf("%s: flags %v, want %q", name, f, flag)
		}
	}
}

// A forger who takes a flag off a quote and off its page names another reader, or an older form.
// The page is read again all the same, and its flag must be on the quote.
func TestNoReaderTakesAFlagOff(t *testing.T) {
	words := "The pump P-9 runs on sea water, too."
	site := quick()
	site.pages["/said"] = page("The P-9 pump", `<p>The P-9 is our smallest pump.</p>`+
		`<section id="comments"><h2>Comments</h2><article class="comment"><p>`+words+
		`</p></article></section>`)
	site.pages["/"] += `<p><a href="/said">What is said</a></p>`
	a := open(t, testConfig(t))
	root := serve(t, site)
	ingest(t, a, root+"/")
	proof := bundled(t, a, marshal(t, made(t, a, "What does the P-9 run on?",
		wstk.Claim{Statement: words, Support: wstk.SupportDirect, Proposed: []wstk.Proposal{
			{Kind: wstk.EvidenceText, URL: root + "/said", Words: words, ByteStart: -1}}})))
	for name, forge := range map[string]func(p *pack){
		"an older reader": func(p *pack) { p.page()["reader"] = "html/1" },
		"a newer reader":  func(p *pack) { p.page()["reader"] = "html/99" },
		"another text": func(p *pack) {
			p.page()["reader"] = "html/1"
			p.retext(words)
		},
		"an older form": func(p *pack) {
			clear(p.fetches)
			delete(p.reply, "rules")
		},
		"the oldest form": (*pack).oldest,
	} {
		for _, off := range []bool{false, true} {
			p := unpacked(t, proof)
			e := quoteOf(p.reply, "text")
			if e["flags"] == nil {
				t.Fatalf("the quote has no flag: %v", e)
			}
			if off {
				p.unflag()
			}
			forge(p)
			off := off || name == "another text" // in which the flag is at another place
			rep, err := inBundle(t, p.file(t, proof))
			if fails(rep, err) != off {
				t.Errorf("%s, flags taken off %v: %v %v", name, off, err, rep.Problems())
			}
		}
	}
}

// unflag takes the flags off all quotes, and off the page of the first one.
func (p *pack) unflag() {
	delete(quoteOf(p.reply, "text"), "flags")
	delete(p.page(), "flagged")
	for _, b := range p.page()["blocks"].([]any) {
		delete(b.(m), "flags")
	}
}

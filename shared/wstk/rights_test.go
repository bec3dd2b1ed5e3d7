package wstk

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

func TestProductToken(t *testing.T) {
	for ua, want := range map[string]string{
		"wstk/1.0 (+https://example.com/bot)":                                          "wstk",
		"Mozilla/5.0 (compatible; ExampleBot/0.1; https://www.example.com/bot.html)":   "ExampleBot",
		"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; X) Chrome/1":   "Mozilla",
		"Mozilla/5.0 AppleWebKit/537.36 (compatible; GPTBot/1.1; +https://x) Chrome/1": "GPTBot",
		"Mozilla/5.0 (X11; Linux x86_64)":                                              "Mozilla",
		"Mozilla/5.0 (compatible; )":                                                   "Mozilla",
		"my-bot_2 x":                                                                   "my-bot_2",
		"":                                                                             "",
		"/1.0":                                                                         "",
	} {
		if got := ProductToken(ua); got != want {
			t.Errorf("ProductToken(%q) = %q, want %q", ua, got, want)
		}
	}
}

// said writes signals as source, purpose, allowed.
func said(signals []UsageSignal) string {
	var out []string
	for _, s := range signals {
		switch {
		case s.Allowed == nil && s.Purpose == "":
			out = append(out, "nothing")
		case s.Allowed == nil || s.Purpose == "":
			out = append(out, "half a signal")
		default:
			out = append(out, fmt.Sprintf("%s %v", s.Purpose, *s.Allowed))
		}
	}
	return strings.Join(out, ", ")
}

func TestRobotsSignals(t *testing.T) {
	const none, input = "nothing", "ai_input false"
	for _, c := range []struct{ key, value, want string }{
		{"Content-Signal", "search=yes, ai-train=no", "search true, ai_train false"},
		{"content-signal", "ai-input=no", input},
		{"content-signal", " Search = YES ,AI-Input=No", "search true, ai_input false"},
		{"content-signal", "search=yes,ai-train=no,use=reference", "search true, ai_train false"},
		{"content-signal", "ai-input", none}, {"content-signal", "ai-input=maybe", none}, {"content-signal", "", none},
		{"Content-Usage", "train-ai=n", "ai_train false"},
		{"Content-Usage", "train-ai=y, search=n", "ai_train true, search false"},
		{"Content-Usage", "ai-use=n", input}, {"Content-Usage", "ai-output=n", input}, {"Content-Usage", "ai-input=n", input},
		{"Content-Usage", "bots=n", "search false, ai_input false, ai_train false"},
		{"Content-Usage", "train-ai=y, train-ai=n", "ai_train false"},
		{"Content-Usage", "train-ai=n, train-ai", none}, {"Content-Usage", `search=n, search="n"`, none},
		{"Content-Usage", "train-ai;allow=n, train-ai=y", "ai_train true"}, {"Content-Usage", `train-ai;has;parameters="?"`, none},
		{"Content-Usage", `ai-use=n;x="a\"b";y=?1, z=(a "b" 1.5;q=2), u=:YQ==:, d=@12, t`, input},
		{"Content-Usage", "Train-AI=n", none}, {"Content-Usage", "train-ai=N", none}, {"Content-Usage", "train-ai=no", none},
		{"Content-Usage", "train-ai=n,", none}, {"Content-Usage", "train-ai=n;;", none}, {"Content-Usage", "train-ai=n ai-use=n", none}, {"Content-Usage", `a="`, none}, {"Content-Usage", "a=(b", none},
	} {
		got := RobotsSignals(c.key, c.value, c.key+": "+c.value, 3)
		if said(got) != c.want {
			t.Errorf("%s: %s: %s, want %s", c.key, c.value, said(got), c.want)
		}
		if len(got) == 0 || got[0].Line != 3 || got[0].Text != c.key+": "+c.value {
			t.Errorf("%s: %s: %+v; want len(got) != 0 && got[0].Line == 3 && got[0].Text == c.key+\": \"+c.value", c.key, c.value, got)
		}
	}
}

func TestHeaderSignals(t *testing.T) {
	for _, c := range []struct{ header, want string }{
		{"X-Robots-Tag: noai", "ai_input false, ai_train false"},
		{"X-Robots-Tag: noimageai", "nothing"},
		{"X-Robots-Tag: noindex, nofollow", "search false"},
		{"X-Robots-Tag: none", "search false"},
		{"X-Robots-Tag: index, follow", "search true"},
		{"X-Robots-Tag: nosnippet", "ai_input false"},
		{"X-Robots-Tag: max-snippet:0", "ai_input false"},
		{"X-Robots-Tag: max-snippet: -1", ""},
		{"X-Robots-Tag: googlebot: noai", ""},
		{"X-Robots-Tag: googlebot: noai, noindex", ""},
		{"X-Robots-Tag: googlebot: noai, WSTK: noindex", "search false"},
		{"X-Robots-Tag: wstk: noai", "ai_input false, ai_train false"},
		{"X-Robots-Tag: *: noai", "ai_input false, ai_train false"},
		{"X-Robots-Tag: unavailable_after: Friday, 25-Jun-10 15:00:00 UTC, noindex", "search false"},
		{"X-Robots-Tag: googlebot: noindex|X-Robots-Tag: noai", "ai_input false, ai_train false"},
		{"Content-Usage: train-ai=n", "ai_train false"},
		{"Content-Usage: train-ai=n|Content-Usage: ai-use=y", "ai_train false, ai_input true"},
		{"Tdm-Reservation: 1", "ai_input false, ai_train false"},
		{"Tdm-Reservation: 0", "ai_input true, ai_train true"},
		{"Tdm-Reservation: yes", "nothing"},
		{"Server: noai", ""},
	} {
		h := http.Header{}
		for line := range strings.SplitSeq(c.header, "|") {
			name, value, _ := strings.Cut(line, ": ")
			h.Add(name, value)
		}
		if got := said(HeaderSignals(h, "wstk")); got != c.want {
			t.Errorf("%s: %s, want %s", c.header, got, c.want)
		}
	}
}

func TestMetaSignals(t *testing.T) {
	for _, c := range []struct{ name, content, want string }{
		{"robots", "noai, noimageai", "ai_input false, ai_train false, nothing"},
		{"robots", "noindex nofollow", "search false"},
		{"robots", "NOINDEX;NOAI", "search false, ai_input false, ai_train false"},
		{"wstk", "nosnippet", "ai_input false"},
		{"googlebot", "noindex", ""},
		{"tdm-reservation", "1", "ai_input false, ai_train false"},
		{"robots", "max-snippet:0", "ai_input false"},
		{"robots", "all", ""},
	} {
		m := Metadata{Robots: []RobotsMeta{{c.name, c.content}}}
		if got := said(MetaSignals(m, "wstk")); got != c.want {
			t.Errorf("%s=%s: %s, want %s", c.name, c.content, got, c.want)
		}
	}
	for meta, want := range map[string]bool{"robots=anything": true, "tdm-reservation=1": true, "googlebot=noindex,nofollow": true, "somebot=noai": true, "somebot=noindex nofollow": true,
		"description=noindex is a rule": false, "keywords=none, all, other": false, "viewport=width=device-width": false, "=noindex": false} {
		name, content, _ := strings.Cut(meta, "=")
		if IsRobotsMeta(name, content) != want {
			t.Errorf("IsRobotsMeta(%q, %q) is %v", name, content, !want)
		}
	}
}

// One no is a no, even if others say yes before or after; nothing said is null.
func TestRightsCombine(t *testing.T) {
	yes, no := RobotsSignals("content-usage", "ai-use=y", "a", 1), RobotsSignals("content-signal", "ai-input=no", "Content-Signal: ai-input=no", 7)
	for _, r := range []Rights{NewRights(append(yes, no...)...), NewRights(append(no, yes...)...),
		NewRights(no...).With(yes...).With(no...), NewRights(yes...).With(no...)} {
		if r.AIInput == nil || *r.AIInput || r.AITrain != nil || r.Search != nil ||
			len(r.Signals) != 2 {
			t.Errorf("%+v; want r.AIInput != nil && !*r.AIInput && r.AITrain == nil && r.Search == nil && len(r.Signals) == 2", r)
		}
		reason, refused := r.Refuses(PurposeAIInput)
		if want := "the site does not want it used as input of AI: robots.txt line 7, Content-Signal: ai-input=no"; !refused || reason != want {
			t.Errorf("%v %q; want refused && reason == want", refused, reason)
		}
		w, ok := r.Warning("https://a.example/", PurposeAIInput)
		if !ok || w.Code != "usage" || w.URL == "" || !strings.Contains(w.Message, "line 7") {
			t.Errorf("%+v; want ok && w.Code == \"usage\" && w.URL != \"\" && strings.Contains(w.Message, \"line 7\")", w)
		}
	}
	r := NewRights(yes...)
	if _, refused := r.Refuses(PurposeAIInput); refused || *r.AIInput != true {
		t.Error("a yes refuses")
	}
	if _, refused := r.Refuses(PurposeAITrain); refused {
		t.Error("silence refuses")
	}
	data, _ := json.Marshal(NewRights())
	if want := `{"search":null,"ai_input":null,"ai_train":null,"signals":[]}`; string(data) != want {
		t.Errorf("%s, want %v", data, want)
	}
	many := NewRights()
	for i := range 500 {
		many = many.With(RobotsSignals("content-usage", "ai-use=y", fmt.Sprint(strings.Repeat("é", 400), i), i)...)
	}
	if len(many.Signals) != maxSignals || len(many.Signals[0].Text) > maxSignalText {
		t.Errorf("%d signals of %d bytes", len(many.Signals), len(many.Signals[0].Text))
	}
}

func TestPageRights(t *testing.T) {
	fetched := NewRights(RobotsSignals("content-signal", "search=yes", "x", 2)...)
	doc := &Document{Meta: Metadata{Robots: []RobotsMeta{{"robots", "noai"}}}}
	r := PageRights(Snapshot{Rights: &fetched}, doc, "wstk")
	if said(r.Signals) != "search true, ai_input false, ai_train false" {
		t.Error(said(r.Signals), `want said(r.Signals) == "search true, ai_input false, ai_train false"`)
	}
	if r := PageRights(Snapshot{}, nil, "wstk"); len(r.Signals) != 0 || r.Search != nil {
		t.Errorf("%+v; want len(r.Signals) == 0 && r.Search == nil", r)
	}
}

func FuzzRights(f *testing.F) {
	f.Add("content-usage", `train-ai=n;a="x", ai-use=(y n);q`, "googlebot: noai, wstk: noindex")
	f.Fuzz(func(t *testing.T, key, value, tag string) {
		h := http.Header{"X-Robots-Tag": {tag}, "Content-Usage": {value}, "Tdm-Reservation": {key}}
		r := NewRights(RobotsSignals(key, value, value, 1)...).With(HeaderSignals(h, "wstk")...).
			With(MetaSignals(Metadata{Robots: []RobotsMeta{{"robots", tag}}}, "wstk")...)
		for _, s := range r.Signals {
			if (s.Purpose == "") != (s.Allowed == nil) || len(s.Text) > maxSignalText {
				t.Fatalf("%+v; want (s.Purpose == \"\") == (s.Allowed == nil) && len(s.Text) <= maxSignalText", s)
			}
		}
		for _, p := range Purposes() {
			reason, refused := r.Refuses(p)
			if v := *r.of(p); refused != (v != nil && !*v) || refused != (reason != "") {
				t.Fatalf("%s: %v %q beside %v", p, refused, reason, v)
			}
		}
	})
}

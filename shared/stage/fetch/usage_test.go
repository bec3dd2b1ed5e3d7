package fetch_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"wstk/shared/stage/fetch"
	"wstk/shared/wstk"
)

// A page that is not to be input of a model is refused under respect: by robots.txt
// before it is asked for, by a header without its body being kept. What was said is in
// the Snapshot under every policy.
func TestUsage(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/tag":
			w.Header().Add("X-Robots-Tag", "otherbot: noindex")
			w.Header().Add("X-Robots-Tag", "noai")
		case "/usage":
			w.Header().Set("Content-Usage", "ai-use=n, search=y")
		case "/allowed":
			w.Header().Set("Content-Usage", "ai-use=y")
		case "/gone":
			w.Header().Set("X-Robots-Tag", "noai")
			w.WriteHeader(http.StatusGone)
			return
		case "/from":
			http.Redirect(w, r, "/robots", http.StatusFound)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		w.Write([]byte("<p>Text.</p>"))
	}))
	defer site.Close()
	no := wstk.NewRights(wstk.RobotsSignals("Content-Signal", "ai-input=no", "Content-Signal: ai-input=no", 4)...)
	for _, c := range []struct {
		path    string
		usage   wstk.UsagePolicy
		robots  wstk.RobotsPolicy
		verdict wstk.Verdict
		reason  string
		asked   bool
		input   string // what the Snapshot's rights say of ai_input
	}{
		{"/robots", wstk.UsageRespect, "", wstk.VerdictRefusedPolicy, "robots.txt line 4", false, "no"},
		{"/robots", wstk.UsageRespect, wstk.RobotsWarn, wstk.VerdictRefusedPolicy, "robots.txt line 4", false, "no"},
		{"/robots", wstk.UsageRespect, wstk.RobotsIgnore, wstk.VerdictRefusedPolicy, "robots.txt line 4", false, "no"},
		{"/robots", wstk.UsageWarn, "", wstk.VerdictOK, "", true, "no"},
		{"/robots", "", "", wstk.VerdictOK, "", true, "no"},
		{"/robots", wstk.UsageIgnore, "", wstk.VerdictOK, "", true, "no"},
		{"/robots", wstk.UsageWarn, wstk.RobotsIgnore, wstk.VerdictOK, "", true, ""},
		{"/from", wstk.UsageRespect, "", wstk.VerdictRefusedPolicy, "robots.txt line 4", true, "no"},
		{"/private", wstk.UsageRespect, "", wstk.VerdictRefusedRobots, "robots.txt line 9", false, ""},
		{"/tag", wstk.UsageRespect, "", wstk.VerdictRefusedPolicy, "X-Robots-Tag: noai", true, "no"},
		{"/tag", wstk.UsageWarn, "", wstk.VerdictOK, "", true, "no"},
		{"/usage", wstk.UsageRespect, "", wstk.VerdictRefusedPolicy, "Content-Usage: ai-use=n", true, "no"},
		{"/usage", wstk.UsageRespect, wstk.RobotsIgnore, wstk.VerdictRefusedPolicy, "Content-Usage: ai-use=n", true, "no"},
		{"/allowed", wstk.UsageRespect, "", wstk.VerdictOK, "", true, "yes"},
		{"/gone", wstk.UsageRespect, "", wstk.VerdictGone, "410", true, "no"},
		{"/plain", wstk.UsageRespect, "", wstk.VerdictOK, "", true, ""},
	} {
		w := newWorld(t)
		w.UserAgent = "wstk/1.0"
		w.Robots = func(
			_ context.Context, url, _ string, policy wstk.RobotsPolicy,
		) (fetch.RobotsDecision, error) {
			switch {
			case policy == wstk.RobotsIgnore:
				t.Errorf("%s: robots.txt is asked to be ignored", url)
			case strings.HasSuffix(url, "/robots"):
				return fetch.RobotsDecision{Allowed: true, Rights: no}, nil
			case strings.HasSuffix(url, "/private"):
				return fetch.RobotsDecision{Reason: "robots.txt line 9: Disallow: /private", Rights: no}, nil
			}
			return fetch.RobotsDecision{Allowed: true}, nil
		}
		name := c.path + " " + string(c.usage) + " " + string(c.robots)
		res := w.do(t, wstk.FetchTask{URL: site.URL + c.path, Usage: c.usage,
			Robots: c.robots, Follow: 2})
		if res.Snapshot.Verdict != c.verdict || !strings.Contains(res.Snapshot.Reason, c.reason) {
			t.Errorf("%s: %s %q; want res.Snapshot.Verdict == c.verdict && strings.Contains(res.Snapshot.Reason, c.reason)", name, res.Snapshot.Verdict, res.Snapshot.Reason)
		}
		if asked := strings.Contains(strings.Join(w.gated, " "), "ask "); asked != c.asked {
			t.Errorf("%s: asked %v", name, asked)
		}
		if kept := res.Body != nil; kept != (c.verdict == wstk.VerdictOK ||
			c.verdict == wstk.VerdictGone) {
			t.Errorf("%s: body %q", name, res.Body)
		}
		input := ""
		if r := res.Snapshot.Rights; r != nil && r.AIInput != nil {
			input = map[bool]string{true: "yes", false: "no"}[*r.AIInput]
		}
		if input != c.input {
			t.Errorf("%s: ai_input %q, want %q", name, input, c.input)
		}
	}
}

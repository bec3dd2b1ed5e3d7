package rest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"wstk/shared/entry/codes"
	"wstk/shared/wstk"
)

// TestDocs runs the examples of docs/http.md, in their order, on the bundled site. What
// a reply shows must stand in the real one; an ellipsis stands for anything.
func TestDocs(t *testing.T) {
	web := httptest.NewServer(http.FileServer(http.Dir("../../../testdata/sites/sqlite")))
	defer web.Close()
	h := open(t, Options{})
	seen := map[string]string{} // by their beginnings: the newest id of each kind, and hashes
	real := func(s string) string {
		s = strings.ReplaceAll(s, "http://127.0.0.1:8000", web.URL)
		s = strings.ReplaceAll(s, "127.0.0.1:8000", strings.TrimPrefix(web.URL, "http://"))
		return regexp.MustCompile(`(site_|run_|ev_|[0-9a-f]{12})…`).
			ReplaceAllStringFunc(s, func(m string) string { return seen[strings.TrimSuffix(m, "…")] })
	}
	examples := regexp.MustCompile("(?s)```http\n(.*?)\n```").FindAllStringSubmatch(manual(t), -1)
	if len(examples) < 15 {
		t.Errorf("only %d examples", len(examples))
	}
	for _, example := range examples {
		request, reply, ok := strings.Cut(example[1], "\n\n")
		if !ok {
			t.Fatalf("no reply:\n%s", example[1])
		}
		line, headers, body := parts(real(request))
		status, wantHeaders, want := parts(reply)
		method, target, _ := strings.Cut(line, " ")
		code, err := strconv.Atoi(status)
		if err != nil {
			t.Fatalf("%q is no status:\n%s", status, example[1])
		}
		var send any
		if body != "" {
			send = body
		}
		var w *httptest.ResponseRecorder
		var got any
		for range 500 { // until the run of the example before has ended
			w = h.patient(code, method, target, send, headers...)
			got = nil
			json.Unmarshal(w.Body.Bytes(), &got)
			if method != "GET" || get(got, "run.state") != "running" {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		if w.Code != code {
			t.Errorf("status %d %s\n%s", w.Code, w.Body, example[1])
		}
		for i := 0; i < len(wantHeaders); i += 2 {
			if got := w.Header().Get(wantHeaders[i]); !fits(wantHeaders[i+1], got) {
				t.Errorf("%s is %q\n%s", wantHeaders[i], got, example[1])
			}
		}
		if want != "" {
			var shown any
			if err := json.Unmarshal([]byte(
				strings.ReplaceAll(want, "http://127.0.0.1:8000", web.URL)), &shown); err != nil {
				t.Fatalf("%v\n%s; want err == nil", err, want)
			}
			for _, p := range missing("the reply", shown, got) {
				t.Errorf("%s\n%s", p, example[1])
			}
		}
		ids := regexp.MustCompile(`site_[0-9a-f]{16}|run_[0-9a-z]{26}|ev_[0-9a-f]{24}|[0-9a-f]{64}`).FindAllString(w.Body.String(), -1)
		for _, id := range slices.Backward(ids) { // so that the first of a reply stays
			kind, _, named := strings.Cut(id, "_")
			if named {
				kind += "_"
			} else {
				kind = id[:12]
			}
			seen[kind] = id
		}
	}
}

func manual(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../../../docs/http.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

var header = regexp.MustCompile(`^([A-Z][A-Za-z-]+): (.*)$`)

// parts are the first line of a message, its headers as pairs, and its body.
func parts(s string) (line string, headers []string, body string) {
	lines := strings.Split(s, "\n")
	n := 1
	for ; n < len(lines); n++ {
		m := header.FindStringSubmatch(lines[n])
		if m == nil {
			break
		}
		headers = append(headers, m[1], m[2])
	}
	return lines[0], headers, strings.Join(lines[n:], "\n")
}

// fits reports whether a text is as shown.
func fits(shown, got string) bool {
	return regexp.MustCompile("(?s)^" + strings.ReplaceAll(regexp.QuoteMeta(shown), "…", ".*") +
		"$").MatchString(got)
}

// missing lists what is shown and is not there.
func missing(at string, shown, got any) (out []string) {
	switch shown := shown.(type) {
	case map[string]any:
		m, ok := got.(map[string]any)
		if !ok {
			return []string{fmt.Sprintf("%s is %v", at, got)}
		}
		for name, v := range shown {
			out = append(out, missing(at+"."+name, v, m[name])...)
		}
	case []any:
		list, ok := got.([]any)
		if !ok || len(list) < len(shown) || len(shown) == 0 && len(list) > 0 {
			return []string{fmt.Sprintf("%s is %v", at, got)}
		}
		for i, v := range shown {
			out = append(out, missing(fmt.Sprintf("%s[%d]", at, i), v, list[i])...)
		}
	case string:
		if s, ok := got.(string); !ok || !fits(shown, s) {
			out = append(out, fmt.Sprintf("%s is %v", at, got))
		}
	default:
		if shown != got {
			out = append(out, fmt.Sprintf("%s is %v", at, got))
		}
	}
	return out
}

// The tables of docs/http.md name every route, and every code beside its status.
func TestDocsNameEveryRouteAndCode(t *testing.T) {
	page := manual(t)
	var listed, served []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([A-Z]+ /[^`]*)` \\|").FindAllStringSubmatch(page, -1) {
		listed = append(listed, m[1])
	}
	for _, rt := range (&handler{}).routes() {
		served = append(served, rt.method+" "+rt.path)
	}
	slices.Sort(listed)
	slices.Sort(served)
	if !slices.Equal(listed, served) {
		t.Errorf("listed are %v, served %v", listed, served)
	}
	for _, c := range wstk.Codes() {
		if !regexp.MustCompile(fmt.Sprintf("(?m)^\\| %d \\|.*`%s`", codes.Status(c), c)).MatchString(page) {
			t.Errorf("no row for %d %s", codes.Status(c), c)
		}
	}
}

package safehttp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"wstk/shared/wstk"
)

func TestTransportCarriesWhatAnAPINeeds(t *testing.T) {
	site := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Set("X-Ratelimit-Remaining-Tokens", "7")
		w.WriteHeader(http.StatusTooManyRequests)
		w.Write(packed(t, "gzip", fmt.Appendf(nil, "%s %s %s %s %q", r.Method, r.RequestURI, r.Host,
			r.Header.Get("Authorization"), body)))
	})
	at := strings.TrimPrefix(site.URL, "http://")
	client := open(t, Config{Exceptions: []string{at}})
	req, _ := http.NewRequest("PUT", site.URL+"/v1/search?q=a%2Fb&n=2", strings.NewReader(`{"q":"x"}`))
	req.Header.Set("Authorization", "Bearer k")
	resp, err := (&http.Client{Transport: client.Transport()}).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	got, _ := io.ReadAll(resp.Body)
	want := "PUT /v1/search?q=a%2Fb&n=2 " + at + ` Bearer k "{\"q\":\"x\"}"`
	if string(got) != want || resp.StatusCode != 429 || resp.ContentLength != int64(len(want)) ||
		resp.Header.Get("X-Ratelimit-Remaining-Tokens") != "7" {
		t.Errorf("got %d %v %s, want %s", resp.StatusCode, resp.Header, got, want)
	}
	if req.Header.Get("User-Agent") != "" || req.Header.Get("Accept-Encoding") != "" {
		t.Error("the caller's request was changed")
	}
}

func TestTransportFollowsNothing(t *testing.T) {
	asked := 0
	site := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked++
		http.Redirect(w, r, "/elsewhere", http.StatusFound)
	})
	client := open(t, Config{AllowPrivate: true})
	resp, err := (&http.Client{Transport: client.Transport()}).Get(site.URL)
	if err != nil || resp.StatusCode != http.StatusFound || asked != 1 {
		t.Errorf("asked %d times: %v, %v", asked, resp, err)
	}
}

// closing notes whether a request's body was closed, which a RoundTripper owes.
type closing struct {
	io.Reader
	closed bool
}

func (c *closing) Close() error { c.closed = true; return nil }

func TestTransportRefuses(t *testing.T) {
	site := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/large":
			w.Write(make([]byte, 1001))
		case "/slow":
			w.(http.Flusher).Flush()
			select {
			case <-r.Context().Done():
			case <-time.After(10 * time.Second):
			}
		case "/cut":
			w.Header().Set("Content-Length", "100")
			w.Write([]byte("cut"))
		case "/headers":
			w.Header().Set("X-Large", strings.Repeat("h", 100<<10))
		}
	})
	at := strings.TrimPrefix(site.URL, "http://")
	plain := Config{MaxReply: 1000, Timeout: 300 * time.Millisecond,
		Resolver: names(func(string) []netip.Addr { return addrs("10.0.0.1") })}
	excepted := plain
	excepted.Exceptions = []string{at}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	const secret = "sEcReT"
	for _, c := range []struct {
		cfg    Config
		url    string
		header http.Header
		ctx    context.Context
		want   wstk.Code
	}{
		{cfg: excepted, url: site.URL + "/large", want: wstk.TooLarge},
		{cfg: excepted, url: site.URL + "/slow", want: wstk.Timeout},
		{cfg: excepted, url: site.URL + "/cut", want: wstk.Network},
		{cfg: excepted, url: site.URL + "/headers", want: wstk.TooLarge},
		{cfg: excepted, url: site.URL + "/", ctx: stopped, want: wstk.Cancelled},
		{cfg: plain, url: site.URL + "/", want: wstk.RefusedAddress},
		{cfg: excepted, url: "http://127.0.0.1:1234/", want: wstk.RefusedAddress},
		{cfg: excepted, url: "https://api.example/", want: wstk.RefusedAddress},
		{cfg: excepted, url: "http://169.254.169.254/", want: wstk.RefusedAddress},
		{cfg: excepted, url: "http://0x7f.1/", want: wstk.RefusedAddress},
		{cfg: excepted, url: "https://api.example:25/", want: wstk.RefusedPolicy},
		{cfg: excepted, url: "ftp://api.example/", want: wstk.RefusedPolicy},
		{cfg: excepted, url: "https://me:" + secret + "@api.example/", want: wstk.RefusedPolicy},
		{cfg: excepted, url: site.URL, header: http.Header{"Upgrade": {secret}}, want: wstk.RefusedPolicy},
		{cfg: excepted, url: site.URL, header: http.Header{"Proxy-Authorization": {secret}}, want: wstk.RefusedPolicy},
		{cfg: excepted, url: site.URL, header: http.Header{"Authorization": {secret + "\r\nX: y"}},
			want: wstk.RefusedPolicy},
		{cfg: excepted, url: site.URL, header: http.Header{"Metadata-Flavor": {secret}}, want: wstk.RefusedPolicy},
	} {
		body := &closing{Reader: strings.NewReader(secret)}
		ctx := c.ctx
		if ctx == nil {
			ctx = t.Context()
		}
		req, err := http.NewRequestWithContext(ctx, "POST", c.url, body)
		if err != nil {
			t.Fatal(err)
		}
		if req.URL.RawQuery = "key=" + secret; c.header != nil {
			req.Header = c.header
		}
		resp, err := open(t, c.cfg).Transport().RoundTrip(req)
		var coded *wstk.Error
		if resp != nil || wstk.CodeOf(err) != c.want || !errors.As(err, &coded) {
			t.Errorf("%s %v: got %v, %v (%s), want %s", c.url, c.header, resp, err, wstk.CodeOf(err), c.want)
		} else if strings.Contains(err.Error(), secret) {
			t.Errorf("%s: the error tells a secret: %v", c.url, err)
		}
		if !body.closed {
			t.Errorf("%s %v: the body of the request was left open", c.url, c.header)
		}
	}
}

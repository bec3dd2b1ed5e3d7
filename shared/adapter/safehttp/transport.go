package safehttp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"wstk/shared/wstk"
)

// Transport returns the way out for APIs that an operator configured: search
// services, models, a SearXNG of one's own. It takes any method, body and headers,
// Authorization among them, and goes through the same dialer as Do, so that an API on
// a closed address needs its entry in Config.Exceptions.
//
// A reply is handed out only when all of it arrived, decoded, within the time of
// Config.Timeout and the cap of Config.MaxReply. Redirects are not followed, by no
// http.Client around it either: a reply with a status of 3xx comes without its
// Location. Other headers are left as they are. A request's Host is that of its URL.
//
// Errors have the codes of wstk.Client and name at most scheme, host and port: no
// path, no query, no header. An http.Client around it puts the whole URL into its
// own error, with a key that stands in the query; the *wstk.Error inside is safe to
// print.
//
// The RoundTripper is safe for concurrent use and shares its connections with the Client.
func (c *Client) Transport() http.RoundTripper { return transport{c} }

type transport struct{ *Client }

func (t transport) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := t.send(req)
	if err != nil && req.Body != nil {
		req.Body.Close() // also where no byte of it was sent
	}
	return resp, err
}

func (t transport) send(req *http.Request) (*http.Response, error) {
	parent := req.Context()
	if err := parent.Err(); err != nil {
		return nil, wstk.Wrap(wstk.Cancelled, "asking", err)
	}
	if req.URL == nil {
		return nil, wstk.Errorf(wstk.RefusedPolicy, "asking", "the request has no URL")
	}
	to, err := parseTarget(req.URL.String())
	if errors.Is(err, errOddAddress) {
		return nil, wstk.Errorf(wstk.RefusedAddress, "asking", "%w", err)
	}
	if err != nil {
		return nil, wstk.Errorf(wstk.RefusedPolicy, "asking", "%w", err)
	}
	op := "asking " + to.origin()
	if err := t.checkPort(to); err != nil {
		return nil, wstk.Errorf(wstk.RefusedPolicy, op, "%w", err)
	}
	if err := checkOwnHeaders(req.Header); err != nil {
		return nil, wstk.Errorf(wstk.RefusedPolicy, op, "%w", err)
	}
	ctx, cancel := context.WithTimeoutCause(parent, t.timeout, errTotalTime)
	defer cancel()
	out := req.Clone(ctx)
	out.URL, out.Host = to.url(), to.hostHeader()
	if out.Header == nil {
		out.Header = http.Header{}
	}
	out.Header.Set("Accept-Encoding", acceptEncoding)
	if out.Header.Get("User-Agent") == "" {
		out.Header.Set("User-Agent", t.userAgent)
	}
	resp, err := t.transport.RoundTrip(out)
	if err != nil {
		return nil, t.failure(parent, ctx, op, t.maxReply, err)
	}
	defer resp.Body.Close()
	if req.Method == http.MethodHead {
		resp.ContentLength = 0 // it tells of a body that does not come
	}
	body, _, err := readBody(resp, &wire{r: resp.Body}, t.maxReply, false)
	if err != nil {
		return nil, t.failure(parent, ctx, op, t.maxReply, err)
	}
	resp.Header.Del("Content-Encoding")
	resp.Header.Del("Content-Length")
	if resp.StatusCode/100 == 3 {
		resp.Header.Del("Location")
	}
	resp.Body, resp.ContentLength, resp.Request = io.NopCloser(bytes.NewReader(body)),
		int64(len(body)), req
	return resp, nil
}

// hopHeaders frame the message or the connection, or open the doors of metadata
// services: no API needs them from a caller.
var hopHeaders = headerNames("Connection", "Keep-Alive", "Transfer-Encoding", "Te", "Trailer",
	"Upgrade", "Http2-Settings", "Expect",
	"Metadata", "Metadata-Flavor", "X-Aws-Ec2-Metadata-Token",
	"X-Aws-Ec2-Metadata-Token-Ttl-Seconds")

// checkOwnHeaders refuses what may not be sent even to an API of one's own. The error
// names the header, never its value.
func checkOwnHeaders(h http.Header) error {
	for name, values := range h {
		key := http.CanonicalHeaderKey(name)
		if hopHeaders[key] || strings.HasPrefix(key, "Proxy-") {
			return fmt.Errorf("the header %s may not be set", key)
		}
		for _, v := range append([]string{""}, values...) {
			if err := wstk.CheckHeaderForm(key, v); err != nil {
				return err
			}
		}
	}
	return nil
}

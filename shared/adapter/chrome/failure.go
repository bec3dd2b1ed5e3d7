package chrome

import (
	"context"
	"errors"
	"strings"

	"wstk/shared/wstk"
)

// broken gives an error of a call its code: the context's, the page's own, or that of a
// browser that does not do what it is asked.
func (p *page) broken(ctx context.Context, err error) error {
	var coded *wstk.Error
	switch {
	case errors.As(err, &coded):
		return err
	case ctx.Err() != nil:
		return wstk.Wrap(wstk.Timeout, p.op, ctx.Err())
	case errors.Is(err, errGone):
		return wstk.Errorf(wstk.Unavailable, p.op, "the browser ended while it showed the page").
			Try(wstk.Retry(""))
	}
	return wstk.Errorf(wstk.Unavailable, p.op, "the browser did not carry out a command: %w", err).
		Try(wstk.Retry(""))
}

// unanswered is the error of a page of which nothing came in time.
func (p *page) unanswered() error {
	// A slow browser may not have asked for anything yet.
	if asked := p.known().FinalURL; asked != "" {
		if err := p.gate.Failure(asked); err != nil {
			return err
		}
	}
	return wstk.Errorf(wstk.Timeout, p.op, "the site did not answer in time").
		Try(wstk.Retry("later"))
}

// notShown explains why the browser did not show a document, by its name for that. nil
// means that a document, or the reply's want of one, can still be told of.
func (p *page) notShown(netError string) error {
	p.mu.Lock()
	failure, url, status := p.failure, p.url, p.status
	p.mu.Unlock()
	if failure != nil {
		return failure
	}
	if netError == "net::ERR_HTTP_RESPONSE_CODE_FAILURE" ||
		netError == "net::ERR_ABORTED" && (status == 204 || status == 205) {
		p.change(func() { p.empty = true })
		return nil
	}
	if netError == "net::ERR_ABORTED" {
		return nil // another document took its place
	}
	if err := p.gate.Failure(url); err != nil {
		return err
	}
	name := strings.TrimPrefix(netError, "net::")
	code, what := wstk.Network, "the connection failed ("+name+")"
	for _, f := range []struct {
		names, what string
		code        wstk.Code
	}{
		{"ERR_TIMED_OUT ERR_CONNECTION_TIMED_OUT", "the site did not answer in time", wstk.Timeout},
		{"ERR_CERT_", "the site's certificate is not valid", wstk.Network},
		{"ERR_SSL_", "no secure connection could be agreed on", wstk.Network},
		{"ERR_TOO_MANY_REDIRECTS", "it redirects in a circle, or without end", wstk.Network},
		{"ERR_EMPTY_RESPONSE ERR_CONNECTION_CLOSED",
			"the site closed the connection without a reply", wstk.Network},
		{"ERR_CONNECTION_RESET", "the connection broke off", wstk.Network},
		{"ERR_CONTENT_DECODING_FAILED", "the body's compression is broken or cut off",
			wstk.Network},
		{"ERR_INCOMPLETE_CHUNKED_ENCODING ERR_CONTENT_LENGTH_MISMATCH",
			"the reply was cut off before its end", wstk.Network},
		{"ERR_INVALID_HTTP_RESPONSE ERR_INVALID_CHUNKED_ENCODING ERR_HTTP2_PROTOCOL_ERROR",
			"the reply is not proper HTTP", wstk.Network},
		{"ERR_RESPONSE_HEADERS_TOO_BIG", "the response headers are too large", wstk.TooLarge},
		{"ERR_UNSAFE_REDIRECT ERR_UNKNOWN_URL_SCHEME ERR_DISALLOWED_URL_SCHEME",
			"it leads to a URL that is not http or https", wstk.RefusedPolicy},
		{"ERR_UNSAFE_PORT", "the port belongs to another protocol", wstk.RefusedPolicy},
		{"ERR_BLOCKED_BY_", "the browser refuses to show it", wstk.RefusedPolicy},
	} {
		for n := range strings.FieldsSeq(f.names) {
			if name == n || strings.HasSuffix(n, "_") && strings.HasPrefix(name, n) {
				code, what = f.code, f.what
			}
		}
	}
	return wstk.Errorf(code, p.op, "%s", what)
}

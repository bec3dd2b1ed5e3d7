package wstk

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Request asks for one URL over HTTP, one hop: redirects are never followed by
// an adapter; the fetch stage follows them and checks each hop.
type Request struct {
	URL       string      // absolute http or https, in the form text.Canonical gives
	Header    http.Header // extra headers; those that CheckHeader refuses are refused
	UserAgent string      // "" means the client's own
	MaxBytes  int64       // cap on the decoded body; 0 means the client's own
	Cut       bool        // a body over the cap is cut there, instead of TooLarge
	ETag      string      // validator of the copy held: If-None-Match
	Modified  string      // validator of the copy held: If-Modified-Since, as received

	// Credential is sent too, if it covers URL; if it does not, the request is refused.
	Credential *Credential
}

// Response is what came back, body read whole and decoded (gzip, br, zstd,
// deflate undone; the charset is untouched).
type Response struct {
	Status   int
	Header   http.Header // Set-Cookie and the like removed
	Body     []byte
	Cut      bool          // the body goes on behind MaxBytes; only where the Request allows it
	Remote   string        // address and port that were dialled
	Duration time.Duration // from the call to the last byte
}

// Client does one guarded request. Its errors carry these codes:
// RefusedPolicy (scheme, bad port, credentials in the URL, a forbidden header, a Credential
// that does not cover the URL, or that a proxy would see),
// RefusedAddress (the resolved address is closed), TooLarge (body or headers
// over the cap), Timeout (whole time or minimum rate), Network (name,
// connection, TLS, truncated body, broken compression), Cancelled. A Response
// is returned only when the whole body was read, or all that a Request with Cut asks
// for: a truncated one is an error.
// A Client is safe for concurrent use.
type Client interface {
	Do(ctx context.Context, r Request) (Response, error)
}

// ownHeaders are request headers that a caller may not set: credentials, what frames
// the message or the connection, what the client sets itself, and what metadata services
// ask for before they hand out credentials.
var ownHeaders = strings.Fields(`
	Authorization Proxy-Authorization Proxy-Authenticate Cookie Cookie2 Set-Cookie Set-Cookie2
	Host Connection Keep-Alive Proxy-Connection Transfer-Encoding Content-Length Content-Encoding
	Te Trailer Upgrade Http2-Settings Expect Via
	User-Agent Accept-Encoding If-None-Match If-Modified-Since If-Match If-Unmodified-Since If-Range Range
	Forwarded X-Forwarded-For X-Forwarded-Host X-Forwarded-Proto X-Real-Ip
	X-Http-Method X-Http-Method-Override X-Method-Override
	Metadata Metadata-Flavor X-Aws-Ec2-Metadata-Token X-Aws-Ec2-Metadata-Token-Ttl-Seconds`)

// maxHeaderValue bounds the value of one request header, in bytes.
const maxHeaderValue = 8 << 10

// CheckHeader returns an error with the code Invalid where a caller may not send this
// request header, or where it is malformed. The error names the header, never its value.
func CheckHeader(name, value string) error {
	key := http.CanonicalHeaderKey(name)
	if slices.Contains(ownHeaders, key) || strings.HasPrefix(key, "Proxy-") ||
		strings.HasPrefix(key, "Sec-") {
		return Errorf(Invalid, "", "the header %s may not be set", key)
	}
	return CheckHeaderForm(key, value)
}

// CheckCredential is CheckHeader for headers of a Credential, which may be Authorization and
// Cookie, too.
func CheckCredential(name, value string) error {
	if key := http.CanonicalHeaderKey(name); key == "Authorization" || key == "Cookie" {
		return CheckHeaderForm(key, value)
	}
	return CheckHeader(name, value)
}

// CheckHeaderForm returns an error with the code Invalid where a header's name is no
// token of HTTP, its value holds control characters, or is longer than 8 KiB.
func CheckHeaderForm(name, value string) error {
	odd := func(r rune) bool {
		return r <= ' ' || r > '~' || strings.ContainsRune("\"(),/:;<=>?@[\\]{}", r)
	}
	switch {
	case name == "" || strings.ContainsFunc(name, odd):
		return Errorf(Invalid, "", "a header name is malformed")
	case strings.ContainsFunc(value, func(r rune) bool {
		return r < ' ' && r != '\t' || r == 0x7f
	}):
		return Errorf(Invalid, "", "the value of the header %s is malformed", name)
	case len(value) > maxHeaderValue:
		return Errorf(Invalid, "", "the value of the header %s is longer than 8 KiB", name)
	}
	return nil
}

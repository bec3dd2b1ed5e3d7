package safehttp

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"golang.org/x/net/http/httpguts"
)

// forbidden are request headers that a caller may not set: credentials, what
// frames the message or the connection, and what this package sets itself.
var forbidden = headerNames(
	"Authorization", "Proxy-Authorization", "Proxy-Authenticate", "Cookie", "Cookie2", "Set-Cookie", "Set-Cookie2",
	"Host", "Connection", "Keep-Alive", "Proxy-Connection", "Transfer-Encoding", "Content-Length", "Content-Encoding",
	"Te", "Trailer", "Upgrade", "Http2-Settings", "Expect", "Via",
	"User-Agent", "Accept-Encoding", "If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range", "Range",
	"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-Ip",
	"X-Http-Method", "X-Http-Method-Override", "X-Method-Override",
	// What metadata services ask for before they hand out credentials.
	"Metadata", "Metadata-Flavor", "X-Aws-Ec2-Metadata-Token", "X-Aws-Ec2-Metadata-Token-Ttl-Seconds",
)

// secretHeaders are response headers that hold credentials or sessions.
var secretHeaders = headerNames("Authorization", "Proxy-Authorization", "Proxy-Authenticate", "Authentication-Info",
	"Proxy-Authentication-Info", "X-Auth", "X-Session", "X-Session-Id")

func headerNames(list ...string) map[string]bool {
	m := make(map[string]bool, len(list))
	for _, name := range list {
		m[http.CanonicalHeaderKey(name)] = true
	}
	return m
}

// checkHeaders refuses forbidden and malformed headers. The error names the
// header, never its value.
func checkHeaders(h http.Header) error {
	lines := 0
	for name, values := range h {
		key := http.CanonicalHeaderKey(name)
		switch {
		case !httpguts.ValidHeaderFieldName(name):
			return errors.New("a header name is malformed")
		case forbidden[key], strings.HasPrefix(key, "Proxy-"), strings.HasPrefix(key, "Sec-"):
			return fmt.Errorf("the header %s may not be set", key)
		}
		for _, v := range values {
			if err := checkValue(key, v); err != nil {
				return err
			}
			if lines++; lines > 100 {
				return errors.New("there are more than 100 headers")
			}
		}
	}
	return nil
}

func checkValue(name, value string) error {
	if !httpguts.ValidHeaderFieldValue(value) {
		return fmt.Errorf("the value of the header %s is malformed", name)
	}
	if len(value) > 8<<10 {
		return fmt.Errorf("the value of the header %s is longer than 8 KiB", name)
	}
	return nil
}

// dropSecrets removes what no caller should store or print.
func dropSecrets(h http.Header) {
	for name := range h {
		low := strings.ToLower(name)
		secret := secretHeaders[http.CanonicalHeaderKey(name)]
		for _, word := range []string{"cookie", "token", "secret", "password", "api-key", "apikey"} {
			secret = secret || strings.Contains(low, word)
		}
		if secret {
			delete(h, name)
		}
	}
}

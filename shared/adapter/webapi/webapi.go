// Package webapi calls services that take JSON or forms and answer with JSON: search engines
// and models. It sends one request and gives every failure a code. The adapters know what
// the request and the reply look like.
package webapi

import (
	"net/http"
	"strings"
	"time"
)

// Client is what every adapter needs. It is safe for concurrent use.
type Client struct {
	// Transport is the way out. It follows no redirects.
	Transport http.RoundTripper

	// BaseURL stands in front of the vendor's paths, without a slash at its end; ""
	// means the vendor's own address, where there is one.
	BaseURL string

	// Key reveals the vendor's key; nil, or a key that is "", means that there is none.
	// It is a function so that no way of printing a Client shows the key.
	Key func() string

	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// Secret is the key, for the header it goes into; "" when there is none.
func (o Client) Secret() string {
	if o.Key == nil {
		return ""
	}
	return o.Key()
}

// Clock is the time now.
func (o Client) Clock() time.Time {
	if o.Now == nil {
		return time.Now()
	}
	return o.Now()
}

// Base is the address in front of the vendor's paths; own is the vendor's.
func (o Client) Base(own string) string {
	if o.BaseURL != "" {
		return strings.TrimRight(o.BaseURL, "/")
	}
	return own
}

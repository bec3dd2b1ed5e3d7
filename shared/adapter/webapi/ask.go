package webapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// maxReply bounds a reply, in bytes: some hundred results take less than one tenth.
const maxReply = 8 << 20

// Call is one request to a vendor.
type Call struct {
	Vendor string // as errors name it
	Method string
	URL    string // without parameters
	Params url.Values
	Header map[string]string
	JSON   any        // body, or
	Form   url.Values // body

	// Failure gives a reply that is not 200 its code, where the vendor has ways of its
	// own; "" leaves it to the status. message is what the vendor says.
	Failure func(status int, message string) wstk.Code
}

// Ask sends c and returns the body of a reply with status 200. It tries once.
func (o Client) Ask(ctx context.Context, c Call) ([]byte, error) {
	req, err := c.request(ctx)
	if err != nil {
		return nil, o.Fail(c.Vendor, wstk.Invalid, "the address configured for it is not a URL")
	}
	resp, err := o.Transport.RoundTrip(req)
	if err != nil {
		return nil, o.broken(ctx, c.Vendor, err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxReply+1))
	if err != nil {
		return nil, o.broken(ctx, c.Vendor, err)
	}
	if len(body) > maxReply {
		return nil, o.Fail(c.Vendor, wstk.TooLarge,
			"its reply is larger than "+strconv.Itoa(maxReply>>20)+" MiB")
	}
	if resp.StatusCode != http.StatusOK {
		return nil, o.refused(c, resp, body)
	}
	return body, nil
}

// Answers asks for a sign of life: any answer will do, also a refusal. Its errors carry
// the codes Timeout, Network, Cancelled and RefusedAddress.
func (o Client) Answers(ctx context.Context, c Call) error {
	_, err := o.Ask(ctx, c)
	switch wstk.CodeOf(err) {
	case wstk.Timeout, wstk.Network, wstk.Cancelled, wstk.RefusedAddress:
		return err
	}
	return nil
}

// AskJSON asks and decodes the reply into v.
func (o Client) AskJSON(ctx context.Context, c Call, v any) error {
	body, err := o.Ask(ctx, c)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(body, v); err != nil {
		return o.Garbled(c.Vendor)
	}
	return nil
}

// Garbled is the error for a reply that is not in the vendor's shape.
func (o Client) Garbled(vendor string) *wstk.Error {
	return o.Fail(vendor, wstk.HTTPError, "its reply does not have the documented form")
}

func (c Call) request(ctx context.Context) (*http.Request, error) {
	var body io.Reader
	contentType := ""
	switch {
	case c.JSON != nil:
		data, err := json.Marshal(c.JSON)
		if err != nil {
			return nil, err
		}
		body, contentType = bytes.NewReader(data), "application/json"
	case c.Form != nil:
		body, contentType = strings.NewReader(c.Form.Encode()), "application/x-www-form-urlencoded"
	}
	address := c.URL
	if len(c.Params) > 0 {
		address += "?" + c.Params.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, c.Method, address, body)
	if err != nil {
		return nil, err
	}
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	req.Header.Set("Accept", "application/json, text/html;q=0.5")
	for name, value := range c.Header {
		req.Header.Set(name, value)
	}
	return req, nil
}

// broken is the error for a request that got no whole reply.
func (o Client) broken(ctx context.Context, vendor string, err error) error {
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	var known *wstk.Error
	var timeout net.Error
	switch {
	case errors.As(err, &known): // its text names no more than the host
		e := o.Fail(vendor, known.Code, known.Error()).Try(wstk.StepsOf(err)...)
		if errors.Is(err, wstk.ErrNotListening) {
			e.Err = &Cause{said: e.Err.Error(), cause: wstk.ErrNotListening}
		}
		return e
	case errors.Is(err, context.Canceled):
		return o.Fail(vendor, wstk.Cancelled, "it was cancelled")
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return o.Fail(vendor, wstk.Timeout, "it did not answer in time")
	}
	// errors of others may repeat the URL
	return o.Fail(vendor, wstk.Network, "no connection, or it was cut off")
}

// refused is the error for a reply whose status is not 200.
func (o Client) refused(c Call, resp *http.Response, body []byte) error {
	status := resp.StatusCode
	message := messageOf(body)
	code := wstk.Code("")
	if c.Failure != nil {
		code = c.Failure(status, message)
	}
	if code == "" {
		code = codeOf(status)
	}
	text := "it answered " + strconv.Itoa(status)
	if message != "" {
		text += ": " + message
	}
	e := o.Fail(c.Vendor, code, text)
	e.Err = &Cause{Status: status, said: e.Err.Error()}
	if code == wstk.RateLimited || code == wstk.Unavailable || code == wstk.Blocked {
		e.RetryAfter = retryAfter(resp.Header, o.Clock())
	}
	return e
}

// Cause is why a vendor gave no reply, in the tree of the error that Ask returns.
type Cause struct {
	Status int // that the vendor answered with; 0 where it did not answer
	said   string
	cause  error
}

// Error is what is said to users: the status and the vendor's words, without the key.
func (c *Cause) Error() string { return c.said }

// Unwrap returns wstk.ErrNotListening where nothing takes connections; else nil.
func (c *Cause) Unwrap() error { return c.cause }

// codeOf is what a status means, unless the vendor says otherwise.
func codeOf(status int) wstk.Code {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return wstk.Unauthorized
	case http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusRequestURITooLong:
		return wstk.Invalid
	// 402: what was paid for is used up
	case http.StatusTooManyRequests, http.StatusPaymentRequired:
		return wstk.RateLimited
	case http.StatusRequestTimeout:
		return wstk.Timeout
	}
	if status >= 500 {
		return wstk.Unavailable
	}
	return wstk.HTTPError
}

// Fail makes an error about a vendor. Whatever its text comes from, the key is not in it.
func (o Client) Fail(vendor string, code wstk.Code, said string) *wstk.Error {
	return wstk.Errorf(code, "asking "+vendor, "%s", text.Shorten(o.WithoutKey(said), 300))
}

// hidden stands for a key.
const hidden = "***"

// WithoutKey hides the key in a text, also as it is written in a URL.
func (o Client) WithoutKey(s string) string {
	if key := o.Secret(); key != "" {
		for _, form := range []string{key, url.QueryEscape(key), url.PathEscape(key)} {
			s = strings.ReplaceAll(s, form, hidden)
		}
	}
	return s
}

// WithoutKeyJSON hides the key in a piece of JSON that a vendor said, also as JSON may
// write it. A key of less than 8 bytes is left: it is no secret, and may be a part of any
// word.
func (o Client) WithoutKeyJSON(raw json.RawMessage) json.RawMessage {
	key := o.Secret()
	if len(key) < 8 {
		return raw
	}
	return json.RawMessage(o.WithoutKey(
		strings.ReplaceAll(string(raw), strings.ReplaceAll(key, "/", `\/`), hidden)))
}

// messageOf is what an error reply says, in the places where vendors put it.
func messageOf(body []byte) string {
	var v struct {
		Message string
		Detail  json.RawMessage
		Error   json.RawMessage
	}
	if json.Unmarshal(body, &v) != nil {
		return ""
	}
	if v.Message != "" {
		return Plain(v.Message)
	}
	for _, raw := range []json.RawMessage{v.Error, v.Detail} {
		var text string
		var inner struct {
			Message, Detail, Code, Error string
			Errors                       []struct{ Reason string }
		}
		if json.Unmarshal(raw, &text) == nil && text != "" {
			return Plain(text)
		}
		json.Unmarshal(raw, &inner) // what fits; a code that is a number does not
		words := []string{inner.Code, inner.Message, inner.Detail, inner.Error}
		for _, e := range inner.Errors {
			words = append(words, e.Reason)
		}
		if s := Plain(strings.Join(words, " ")); s != "" {
			return s
		}
	}
	return ""
}

// longestRest bounds what a vendor may ask for, so that a slip in a header does not
// switch it off for ever.
const longestRest = 24 * time.Hour

// retryAfter reads how long the vendor wants to be left alone; 0 when it does not say.
func retryAfter(h http.Header, now time.Time) time.Duration {
	var wait time.Duration
	if v := h.Get("Retry-After"); v != "" {
		if n, err := strconv.ParseFloat(v, 64); err == nil && n >= 0 {
			wait = time.Duration(min(n, longestRest.Seconds()) * float64(time.Second))
		} else if at, err := http.ParseTime(v); err == nil {
			wait = at.Sub(now)
		}
	} else {
		wait = windows(h.Get("X-RateLimit-Remaining"), h.Get("X-RateLimit-Reset"))
	}
	return max(0, min(wait, longestRest))
}

// windows reads Brave's two lists, a number per window: the wait is that of the longest
// window of which nothing remains.
func windows(remaining, reset string) (wait time.Duration) {
	left, seconds := strings.Split(remaining, ","), strings.Split(reset, ",")
	for i := range min(len(left), len(seconds)) {
		n, err := strconv.Atoi(strings.TrimSpace(seconds[i]))
		if err == nil && n > 0 && strings.TrimSpace(left[i]) == "0" {
			wait = max(wait, time.Duration(min(n, int(longestRest.Seconds())))*time.Second)
		}
	}
	return wait
}

// Package bedrock asks the models of Amazon Bedrock. It tries each call once; what tries again
// is a wrapper around the port, which knows the deadline of the run.
package bedrock

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Vendor is the id of Bedrock among the vendors of models.
const Vendor = "bedrock"

// maxReply bounds a reply, in bytes. The largest that is asked for, 96 vectors of 1,536
// numbers, takes about a quarter.
const maxReply = 8 << 20

// Client asks Bedrock. It is safe for concurrent use.
type Client struct {
	api *bedrockruntime.Client
	now func() time.Time
}

// New returns a client with the region, the credentials and the HTTP client of cfg. It sends
// no request. The SDK's own retries are off.
func New(cfg aws.Config) *Client {
	inner := cfg.HTTPClient
	if inner == nil {
		inner = awshttp.NewBuildableClient()
	}
	return &Client{now: time.Now,
		api: bedrockruntime.NewFromConfig(cfg, func(o *bedrockruntime.Options) {
			o.HTTPClient = bounded{inner}
			o.Retryer = aws.NopRetryer{}
		})}
}

// bounded cuts off replies that are too large.
type bounded struct{ inner aws.HTTPClient }

func (b bounded) Do(r *http.Request) (*http.Response, error) {
	resp, err := b.inner.Do(r)
	if err == nil {
		resp.Body = &limitedBody{ReadCloser: resp.Body, left: maxReply}
	}
	return resp, err
}

type limitedBody struct {
	io.ReadCloser
	left int
}

func (b *limitedBody) Read(p []byte) (int, error) {
	if b.left == 0 {
		// One more byte is asked for, so that a reply of just this size is no error.
		if n, err := b.ReadCloser.Read(make([]byte, 1)); n == 0 {
			return 0, err
		}
		return 0, fault(wstk.TooLarge,
			"its reply is larger than "+strconv.Itoa(maxReply>>20)+" MiB")
	}
	n, err := b.ReadCloser.Read(p[:min(len(p), b.left)])
	b.left -= n
	if err != nil && !errors.Is(err, io.EOF) {
		err = fault(wstk.Network, cutOff)
	}
	return n, err
}

const op = "asking " + Vendor

const cutOff = "no connection, or it was cut off"

// unnamed is what the SDK calls a failure to which the reply gives no name.
const unnamed = "UnknownError"

// fault is an error about Bedrock.
func fault(code wstk.Code, said string) *wstk.Error {
	return wstk.Errorf(code, op, "%s", text.Shorten(said, 300))
}

// garbled is the error for a reply without what it should hold.
func garbled() *wstk.Error {
	return fault(wstk.HTTPError, "its reply does not have the documented form")
}

// exceptions are the names that Bedrock and what signs requests give to failures.
var exceptions = map[string]wstk.Code{
	"AccessDeniedException":         wstk.Unauthorized,
	"ExpiredTokenException":         wstk.Unauthorized,
	"UnrecognizedClientException":   wstk.Unauthorized,
	"InvalidSignatureException":     wstk.Unauthorized,
	"IncompleteSignatureException":  wstk.Unauthorized,
	"MissingAuthenticationToken":    wstk.Unauthorized,
	"ThrottlingException":           wstk.RateLimited,
	"TooManyRequestsException":      wstk.RateLimited,
	"ServiceQuotaExceededException": wstk.RateLimited,
	"ValidationException":           wstk.Invalid,
	"ResourceNotFoundException":     wstk.Invalid,
	"ModelTimeoutException":         wstk.Timeout,
	"ModelNotReadyException":        wstk.Unavailable,
	"ServiceUnavailableException":   wstk.Unavailable,
	"InternalServerException":       wstk.Unavailable,
	"ModelErrorException":           wstk.Unavailable,
}

// steps are what an operator may do about a failure of a name.
var steps = map[string]wstk.Step{
	"AccessDeniedException": wstk.Advice("allow bedrock:InvokeModel on this model, and on the " +
		"models that its inference profile leads to; for some makers' models, ask for access " +
		"in the console of Bedrock first"),
	"ResourceNotFoundException": wstk.Advice("use the id of a model, or of an inference " +
		"profile, that Bedrock has in this region"),
}

// failed is the error for a call without a reply. What the context says goes before what the
// SDK makes of it.
func failed(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil && errors.Is(ctx.Err(), context.Canceled):
		return fault(wstk.Cancelled, "it was cancelled")
	case ctx.Err() != nil:
		return fault(wstk.Timeout, "it did not answer in time")
	}
	var known *wstk.Error
	if errors.As(err, &known) {
		return known
	}
	var resp *awshttp.ResponseError
	if !errors.As(err, &resp) || resp.HTTPStatusCode() == 0 { // there was no reply
		// errors of others may repeat what was sent
		return fault(wstk.Network, cutOff)
	}
	return refused(resp.HTTPResponse(), err)
}

// refused is the error for a reply with a status, which may be 200 if the SDK could not read
// its body.
func refused(resp *smithyhttp.Response, err error) error {
	status := resp.StatusCode
	if status/100 == 2 {
		return garbled()
	}
	var api smithy.APIError
	name, said := "", ""
	if errors.As(err, &api) {
		name, said = api.ErrorCode(), api.ErrorMessage()
	}
	code := exceptions[name]
	if code == "" {
		name, code = "", codeOf(status)
	}
	message := "it answered " + strconv.Itoa(status)
	if name != "" {
		message += " " + name
	}
	if said != "" && said != unnamed {
		message += ": " + said
	}
	e := fault(code, message)
	if code == wstk.RateLimited || code == wstk.Unavailable {
		e.RetryAfter = retryAfter(resp.Header)
	}
	if s, ok := steps[name]; ok {
		e = e.Try(s)
	}
	return e
}

// codeOf is what a status means where the failure has no name that is known.
func codeOf(status int) wstk.Code {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return wstk.Unauthorized
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
		return wstk.Invalid
	case http.StatusTooManyRequests:
		return wstk.RateLimited
	case http.StatusRequestTimeout:
		return wstk.Timeout
	}
	if status >= 500 {
		return wstk.Unavailable
	}
	return wstk.HTTPError
}

// longestRest bounds what a header may ask for, so that a slip in it does not switch the model
// off.
const longestRest = time.Hour

// retryAfter reads how long Bedrock wants to be left alone; 0 when it does not say.
func retryAfter(h http.Header) time.Duration {
	seconds, err := strconv.ParseFloat(h.Get("Retry-After"), 64)
	if err != nil || !(seconds > 0) {
		return 0
	}
	return time.Duration(min(seconds, longestRest.Seconds()) * float64(time.Second))
}

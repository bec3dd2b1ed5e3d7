package safehttp

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"
	"time"

	"wstk/shared/wstk"
)

// Causes that this package gives to contexts and readers.
var (
	errTotalTime   = errors.New("the time limit has passed")
	errConnectTime = errors.New("the time limit for connecting has passed")
	errSlow        = errors.New("slower than the minimum rate")
	errTooMuch     = errors.New("over the limit")
	// errNetwork marks errors whose text after it is a sentence of ours.
	errNetwork = errors.New("network")
)

// failure gives an error of the transport its code and a sentence of our own. The
// transport's texts are not passed on: some repeat header lines, and those may
// hold secrets. parent is the caller's context, ctx the request's.
func (c *Client) failure(parent, ctx context.Context, op string, size int64, err error) error {
	if parent.Err() != nil {
		return wstk.Wrap(wstk.Cancelled, op, parent.Err())
	}
	cause := context.Cause(ctx)
	is := func(target error) bool { return errors.Is(err, target) || errors.Is(cause, target) }
	var refused *closedAddress
	var timeout net.Error
	text := err.Error()
	switch {
	case errors.As(err, &refused):
		return refusedAddress(op, refused)
	case is(errTooMuch):
		return wstk.Errorf(wstk.TooLarge, op, "the body is larger than the limit of %d bytes", size)
	// The transport has no error values for these two.
	case strings.Contains(text, "server response headers exceeded"),
		strings.Contains(text, "response header list larger than"):
		return wstk.Errorf(wstk.TooLarge, op, "the response headers are larger than %d bytes",
			c.maxHeaderBytes)
	case is(errSlow):
		return wstk.Errorf(wstk.Timeout, op, "the body arrived at less than %d bytes/s", c.minRate).
			Try(wstk.Retry("later"))
	case is(errTotalTime):
		return wstk.Errorf(wstk.Timeout, op, "no complete reply within %s", short(c.timeout)).
			Try(wstk.Step{Do: wstk.DoOption, For: "allow more time",
				Options: []wstk.Option{wstk.OptTimeout.On()}})
	case is(errConnectTime):
		return wstk.Errorf(wstk.Timeout, op, "no connection within %s", short(c.dialTimeout)).
			Try(wstk.Retry("later"))
	case errors.Is(err, errNetwork):
		_, sentence, _ := strings.Cut(text, "network: ")
		return wstk.Errorf(wstk.Network, op, "%s", sentence)
	case errors.As(err, &timeout) && timeout.Timeout():
		return wstk.Errorf(wstk.Timeout, op, "the site did not answer in time").
			Try(wstk.Retry("later"))
	}
	if errors.Is(err, syscall.ECONNREFUSED) {
		return wstk.Errorf(wstk.Network, op, "%w", wstk.ErrNotListening)
	}
	return wstk.Errorf(wstk.Network, op, "%s", sentence(err))
}

// sentence says what went wrong on the way, in our words.
func sentence(err error) string {
	var (
		record    tls.RecordHeaderError
		verify    *tls.CertificateVerificationError
		hostname  x509.HostnameError
		authority x509.UnknownAuthorityError
		invalid   x509.CertificateInvalidError
		alert     tls.AlertError
		op        *net.OpError
	)
	text := err.Error()
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "the reply was cut off before its end"
	case errors.As(err, &record):
		return "the site does not speak TLS on this port"
	case errors.As(err, &hostname):
		return "the site's certificate is for another name"
	case errors.As(err, &authority):
		return "the site's certificate is signed by an unknown authority"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "the site's certificate has expired or is not valid yet"
	case errors.As(err, &verify), errors.As(err, &invalid):
		return "the site's certificate is not valid"
	case errors.As(err, &alert), strings.HasPrefix(text, "tls: "),
		strings.HasPrefix(text, "remote error: tls:"):
		return "no secure connection could be agreed on"
	case errors.As(err, &op) && op.Op == "dial":
		return wstk.ErrNotListening.Error()
	case errors.Is(err, io.EOF), strings.Contains(text, "server closed"):
		return "the site closed the connection without a reply"
	case strings.Contains(text, "malformed HTTP"), strings.Contains(text, "malformed MIME"),
		strings.Contains(text, "malformed chunk"),
		strings.Contains(text, "transfer encoding"), strings.Contains(text, "Content-Length"),
		// HTTP/2; also headers so far over the cap that the transport hangs up
		strings.Contains(text, "connection error: "):
		return "the reply is not proper HTTP"
	case strings.Contains(text, "connection reset"), strings.Contains(text, "broken pipe"),
		strings.Contains(text, "stream error"):
		return "the connection broke off"
	}
	return "the connection failed"
}

// short prints a duration without trailing zero units.
func short(d time.Duration) string {
	if d >= time.Second && d%time.Second == 0 {
		return fmt.Sprintf("%d s", d/time.Second)
	}
	return d.String()
}

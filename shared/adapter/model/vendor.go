// Package model calls language models: one file for each kind of interface, each a
// wstk.Model, and Checked, which mends and checks their replies.
package model

import (
	"context"
	"net/http"
	"strings"
	"sync/atomic"

	"wstk/shared/adapter/webapi"
	"wstk/shared/wstk"
)

// Options are what every model of a vendor needs.
type Options struct {
	webapi.Client
	Model string // the vendor's name for it
}

// vendor is one model at one address: what the interfaces have in common. It believes
// nothing that the server promises, and remembers what the server refused.
type vendor struct {
	Options
	api

	learned atomic.Uint32 // the form that the server took last
}

var _ wstk.Model = (*vendor)(nil)

// api is one kind of interface.
type api struct {
	id       string // of the vendor
	variable string // that holds the key
	call     func(o Options, r wstk.ModelRequest, f form) webapi.Call
	read     func(body []byte) (answer, error)
	refusals []refusal        // words of refusals, the more special ones first
	ends     map[string]ended // reasons why a reply ends
}

// form is how a request is written: what is left out since the server refused it.
type form uint32

const (
	noTemperature form = 1 << iota
	noSchema           // the schema stands in the instructions
	otherLimit         // the limit of tokens goes by its other name
	noChoice           // the tool is offered, and its use not demanded
	thinks             // the limit of tokens has room for thoughts
)

// refusal are words of a refused request, and the form in which it may be taken.
type refusal struct {
	words string // lower case
	form  form
}

// ended is what a reason says about a reply.
type ended int

const (
	unknown ended = iota
	whole
	cut
	withheld
)

// answer is a reply that was in the vendor's shape.
type answer struct {
	text          *string // nil if there is none
	reason        string  // why it ends; "" if the vendor does not say
	withheld      bool    // the model refuses, whatever reason stands there
	thought       bool    // some tokens were spent on thoughts
	input, output int     // tokens
}

const (
	// maxText bounds the text of a reply, in bytes.
	maxText = 4 << 20

	// thinkingRoom is how many tokens a model that thinks gets for that.
	thinkingRoom = 4096
)

// Info names the model.
func (v *vendor) Info() wstk.ModelInfo { return wstk.ModelInfo{Provider: v.id, Model: v.Model} }

// Complete asks once, and again for each parameter that the server refuses, without it. A
// model that used up its tokens for thoughts gets more of them, once. Such a server is asked
// in the form that it took from then on.
func (v *vendor) Complete(
	ctx context.Context, r wstk.ModelRequest,
) (reply wstk.ModelReply, err error) {
	if v.Secret() == "" && v.BaseURL == "" {
		return reply, noKey(v.Client, v.id, v.variable)
	}
	var usage wstk.Usage
	for f := form(v.learned.Load()); ; {
		var wanted form
		reply, wanted, err = v.once(ctx, r, f)
		usage.Add(reply.Usage)
		reply.Usage = usage
		if wanted &^= f; wanted != 0 && ctx.Err() == nil {
			f |= wanted
			continue
		}
		if err == nil || wstk.CodeOf(err) == wstk.ModelFailed {
			v.learned.Or(uint32(f))
		}
		return reply, err
	}
}

// once sends one request. wanted is what the form lacks, for the server to take it.
func (v *vendor) once(
	ctx context.Context, r wstk.ModelRequest, f form,
) (reply wstk.ModelReply, wanted form, err error) {
	if f&noSchema != 0 && r.Schema != nil {
		r.System += "\n\nThe reply is one JSON value and nothing else. It fits this JSON " +
			"Schema:\n" +
			string(r.Schema)
		r.Schema = nil
	}
	if f&thinks != 0 {
		r.MaxTokens += thinkingRoom
	}
	call := v.call(v.Options, r, f)
	call.Vendor, call.Method = v.id, http.MethodPost
	call.Failure = func(status int, message string) wstk.Code {
		message = strings.ToLower(message)
		wanted = v.humbler(status, message, r)
		return refusedAs(status, message)
	}
	started := v.Clock()
	body, err := v.Ask(ctx, call)
	if err != nil {
		return reply, wanted, err
	}
	a, err := v.read(body)
	if err != nil {
		return reply, 0, v.Garbled(v.id)
	}
	reply.Usage = wstk.Usage{Calls: 1, InputTokens: max(a.input, 0), OutputTokens: max(a.output, 0),
		DurationMS: v.Clock().Sub(started).Milliseconds()}
	if err := v.judge(a); err != nil {
		if a.thought && v.ends[a.reason] == cut {
			wanted = thinks
		}
		return reply, wanted, err
	}
	reply.Text = *a.text
	return reply, 0, nil
}

// judge returns why an answer is no reply, or nil.
func (v *vendor) judge(a answer) error {
	end := v.ends[a.reason]
	switch {
	case a.withheld || end == withheld:
		return v.Fail(v.id, wstk.ModelFailed, "it refused to answer")
	case end == cut:
		return v.Fail(v.id, wstk.ModelFailed, "its reply was cut off at the limit of tokens")
	case a.text == nil:
		return v.Garbled(v.id)
	case a.reason == "":
		return v.Fail(v.id, wstk.ModelFailed, "its reply does not say why it ends, so that it "+
			"may have been cut off")
	case end != whole:
		return v.Fail(v.id, wstk.ModelFailed, "its reply ends for a reason that is not known: "+
			webapi.Plain(a.reason))
	case len(*a.text) > maxText:
		return v.Fail(v.id, wstk.TooLarge, "its reply is larger than 4 MiB")
	}
	return nil
}

// humbler is what a request has to do without after a refusal. Some servers refuse a schema
// with status 500, so there it is always tried without one.
func (v *vendor) humbler(status int, message string, r wstk.ModelRequest) form {
	switch status {
	case http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusInternalServerError,
		http.StatusNotImplemented:
	default:
		return 0
	}
	for _, known := range v.refusals {
		if strings.Contains(message, known.words) && (known.form != noSchema || r.Schema != nil) {
			return known.form
		}
	}
	if status >= http.StatusInternalServerError && r.Schema != nil {
		return noSchema
	}
	return 0
}

// badRequest are words by which a refusal is known that has the status of a failure.
var badRequest = []string{"invalid request", "invalid_request", "bad request", "unsupported",
	"not supported", "context length", "context size", "too many tokens"}

// refusedAs is the code of a failure where its status does not say it; "" elsewhere.
func refusedAs(status int, message string) wstk.Code {
	switch {
	case status == http.StatusRequestEntityTooLarge:
		return wstk.Invalid
	case status == http.StatusBadRequest && strings.Contains(message, "api key not valid"):
		return wstk.Unauthorized
	case status == http.StatusInternalServerError || status == http.StatusNotImplemented:
		for _, words := range badRequest {
			if strings.Contains(message, words) {
				return wstk.Invalid
			}
		}
	}
	return ""
}

// under is the address of a path below a base that may end in a version or not.
func under(base, version, path string) string {
	if strings.HasSuffix(base, version) {
		return base + path
	}
	return base + version + path
}

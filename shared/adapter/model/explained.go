package model

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"wstk/shared/adapter/webapi"
	"wstk/shared/wstk"
)

// Named is how an operator named a model of a service, for the sentences of its errors.
type Named struct {
	Vendor  string // "openai"
	Model   string // the vendor's name for it
	Address string // that the operator set; "" for the vendor's own

	// The settings of its key, its name and its address, by variable or by key of the settings;
	// the zero value where there is none.
	Key, Name, At Setting
}

// Setting is a setting of an operator.
type Setting struct{ Key, Variable string }

// to is the step that gives the setting another value; say continues "set NAME".
func (s Setting) to(say string) []wstk.Step {
	if s == (Setting{}) {
		return nil
	}
	return []wstk.Step{{Do: wstk.DoConfigure, Setting: s.Key, Variable: s.Variable, Say: say}}
}

// Explained is a wstk.Model whose errors say in one sentence what happened and why, and what to
// do as steps. An error that only an operator can mend is ModelFailed with the cause
// wstk.ErrUnusable: a refused key, an account without credit, an unknown model, an address where
// nothing listens, a reply that is not of the vendor's form. So is, without that cause, a request
// that is too long. What may pass keeps its code. It is safe for concurrent use.
type Explained struct {
	wstk.Model
	Named
}

// Complete asks once.
func (e Explained) Complete(
	ctx context.Context, r wstk.ModelRequest,
) (wstk.ModelReply, error) {
	reply, err := e.Model.Complete(ctx, r)
	return reply, e.Explain(err)
}

// ExplainedEmbedder is an embedder with the errors of Explained.
type ExplainedEmbedder struct {
	wstk.Embedder
	Named
}

// Embed asks once.
func (e ExplainedEmbedder) Embed(
	ctx context.Context, purpose wstk.EmbedPurpose, texts ...string,
) (wstk.EmbedReply, error) {
	reply, err := e.Embedder.Embed(ctx, purpose, texts...)
	return reply, e.Explain(err)
}

// ExplainedReranker is a reranker with the errors of Explained.
type ExplainedReranker struct {
	wstk.Reranker
	Named
}

// Rerank asks once.
func (e ExplainedReranker) Rerank(
	ctx context.Context, query string, texts ...string,
) (wstk.RerankReply, error) {
	reply, err := e.Reranker.Rerank(ctx, query, texts...)
	return reply, e.Explain(err)
}

// Explain returns err in the words of Explained; nil stays nil.
func (n Named) Explain(err error) error {
	var known *wstk.Error
	if !errors.As(err, &known) || known.Err == nil {
		return err
	}
	var cause *webapi.Cause
	status := 0
	if errors.As(err, &cause) {
		status = cause.Status
	}
	why := known.Err.Error()
	sentence, steps, verdict := n.reason(err, status, strings.ToLower(why))
	if sentence == "" {
		return err
	}
	out := wstk.Errorf(known.Code, "", "%s: %s", sentence, why)
	out.RetryAfter = wstk.RetryAfterOf(err)
	switch verdict {
	case forAll:
		out.Code, out.Err = wstk.ModelFailed, mendable{out.Err}
	case forThis:
		out.Code = wstk.ModelFailed
	}
	if own := wstk.StepsOf(err); len(own) > 0 { // the vendor's adapter knows better
		steps = own
	}
	return out.Try(steps...)
}

// mendable is the cause of an error that an operator has to mend.
type mendable struct{ error }

// Is reports whether that is asked for.
func (mendable) Is(target error) bool { return target == wstk.ErrUnusable }

// Words of vendors. The status says it, too, but not alone: 400 and 429 mean many things.
var (
	creditWords = []string{"quota", "credit", "billing", "balance", "payment"}
	longWords   = []string{"context length", "context_length", "context window", "context size",
		"too many tokens", "prompt is too long", "input is too long", "maximum number of tokens",
		"input token count", "exceeds the model's", "request too large", "too large"}
	modelWords = []string{"model_not_found", "unknown model", "no such model", "is not a model",
		"not a valid model", "invalid model", "model not found"}
)

func holdsAny(said string, words []string) bool {
	for _, w := range words {
		if strings.Contains(said, w) {
			return true
		}
	}
	return false
}

// verdict is what a failure says about further calls.
type verdict int

const (
	mayPass verdict = iota // or no more is known than the code
	forThis                // this request fails each time
	forAll                 // every request does, until an operator has mended it
)

// reason is what happened, what may be done, and what follows from it; "" for an error that speaks
// for itself. said is in lower case.
func (n Named) reason(err error, status int, said string) (string, []wstk.Step, verdict) {
	if sentence, steps, verdict := n.lasting(err, status, said); sentence != "" {
		return sentence, steps, verdict
	}
	sentence, steps := n.passing(wstk.CodeOf(err))
	return sentence, steps, mayPass
}

// lasting is the reason of an error that comes again with the same request.
func (n Named) lasting(
	err error, status int, said string,
) (string, []wstk.Step, verdict) {
	code := wstk.CodeOf(err)
	another := n.Name.to("to another model")
	switch {
	case errors.Is(err, wstk.ErrNotListening):
		return fmt.Sprintf("nothing listens where %s was expected", n.place()),
			append(wstk.Advices("start the server of the model"), n.At.to("to its address")...), forAll
	case status == http.StatusPaymentRequired,
		code == wstk.RateLimited && holdsAny(said, creditWords):
		return "the account at " + n.Vendor + " has no credit or quota left",
			append(wstk.Advices("add credit to the account at "+n.Vendor+", or raise its limit"),
				another...), forAll
	case code == wstk.Unauthorized && status == http.StatusForbidden:
		return fmt.Sprintf("%s does not let this key use the model %q", n.Vendor, n.Model),
			append(n.Key.to("to a key that may use this model"), another...), forAll
	case code == wstk.Unauthorized:
		return n.Vendor + " refused the key", n.Key.to("to a key that " + n.Vendor + " takes"), forAll
	case status == http.StatusNotFound, holdsAny(said, modelWords):
		return fmt.Sprintf("%s has no model %q, or not at this address", n.place(), n.Model),
			append(n.Name.to("to a model that "+n.Vendor+" has"), n.checkAddress()...), forAll
	case status == http.StatusRequestEntityTooLarge, code == wstk.Invalid && holdsAny(said, longWords):
		return fmt.Sprintf("what was sent is longer than the model %q of %s takes", n.Model,
			n.Vendor), append(wstk.Advices("ask of fewer pages"), another...), forThis
	case code == wstk.HTTPError && status == 0:
		return n.place() + " gave no reply that can be used", n.checkAddress(), forAll
	}
	return "", nil, mayPass
}

// passing is the reason of an error that may be another one next time.
func (n Named) passing(code wstk.Code) (string, []wstk.Step) {
	later, another := []wstk.Step{wstk.Retry("later")}, n.Name.to("to another model")
	switch code {
	case wstk.RateLimited:
		return n.Vendor + " takes no more requests just now", later
	case wstk.Unavailable:
		return n.Vendor + " does not work just now", later
	case wstk.Timeout:
		return n.Vendor + " took too long", append(later, another...)
	case wstk.Network:
		return "the connection to " + n.place() + " failed", n.checkAddress()
	case wstk.Invalid:
		return n.Vendor + " refused the request", another
	}
	return "", nil
}

// place is the vendor, with the address that the operator set.
func (n Named) place() string {
	if n.Address == "" {
		return n.Vendor
	}
	return n.Vendor + " at " + n.Address
}

// checkAddress is the step for an address that may be another program's, or lacks its version.
func (n Named) checkAddress() []wstk.Step {
	if n.Address == "" {
		return nil
	}
	return []wstk.Step{{Do: wstk.DoCheck,
		Say: "the address " + n.Address + " (most end in a version, such as /v1)"}}
}

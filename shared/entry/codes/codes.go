// Package codes turns error codes into what each door shows: exit codes and HTTP
// statuses. It is the only place that knows them.
package codes

import (
	"net/http"
	"slices"
	"strings"

	"wstk/shared/wstk"
)

// Exit codes of the command line.
const (
	ExitOK          = 0
	ExitFailure     = 1   // something went wrong on the way
	ExitUsage       = 2   // the words of the command are off
	ExitEmpty       = 3   // everything worked, and there is nothing, or nothing that was verified
	ExitBlocked     = 4   // the site or a policy does not let us in
	ExitNeedsRender = 5   // the page needs a browser
	ExitInterrupt   = 130 // Ctrl-C
)

var table = map[wstk.Code]struct{ exit, status int }{
	wstk.Invalid:              {ExitUsage, http.StatusBadRequest},
	wstk.Unauthorized:         {ExitFailure, http.StatusUnauthorized},
	wstk.NotFound:             {ExitEmpty, http.StatusNotFound},
	wstk.Gone:                 {ExitEmpty, http.StatusNotFound},
	wstk.Empty:                {ExitEmpty, http.StatusNotFound},
	wstk.MethodNotAllowed:     {ExitFailure, http.StatusMethodNotAllowed},
	wstk.Conflict:             {ExitFailure, http.StatusConflict},
	wstk.TooLarge:             {ExitFailure, http.StatusRequestEntityTooLarge},
	wstk.UnsupportedMediaType: {ExitFailure, http.StatusUnsupportedMediaType},
	wstk.Unprocessable:        {ExitUsage, http.StatusUnprocessableEntity},
	wstk.RateLimited:          {ExitFailure, http.StatusTooManyRequests},
	wstk.Blocked:              {ExitBlocked, http.StatusForbidden},
	wstk.Consent:              {ExitBlocked, http.StatusForbidden},
	wstk.RefusedRobots:        {ExitBlocked, http.StatusForbidden},
	wstk.RefusedPolicy:        {ExitBlocked, http.StatusForbidden},
	wstk.RefusedAddress:       {ExitBlocked, http.StatusForbidden},
	wstk.NeedsRender:          {ExitNeedsRender, http.StatusConflict},
	wstk.HTTPError:            {ExitFailure, http.StatusBadGateway},
	wstk.ModelFailed:          {ExitFailure, http.StatusBadGateway},
	wstk.ProvidersFailed:      {ExitFailure, http.StatusBadGateway},
	wstk.Timeout:              {ExitFailure, http.StatusGatewayTimeout},
	wstk.Network:              {ExitFailure, http.StatusBadGateway},
	wstk.Unavailable:          {ExitFailure, http.StatusServiceUnavailable},
	wstk.Cancelled:            {ExitFailure, http.StatusConflict},
	wstk.Internal:             {ExitFailure, http.StatusInternalServerError},
}

// Exit returns the exit code for a code; 0 for "".
func Exit(c wstk.Code) int {
	if c == "" {
		return ExitOK
	}
	if row, ok := table[c]; ok {
		return row.exit
	}
	return ExitFailure
}

// Status returns the HTTP status for a code; 200 for "".
func Status(c wstk.Code) int {
	if c == "" {
		return http.StatusOK
	}
	if row, ok := table[c]; ok {
		return row.status
	}
	return http.StatusInternalServerError
}

// OfRun returns the error with which a run of an answer failed or was cancelled: the code of its
// first reason, and where what was done can be seen.
func OfRun(run wstk.Run) error {
	reason := "it gave no reason"
	if len(run.Reasons) > 0 {
		reason = run.Reasons[0]
	}
	name, _, _ := strings.Cut(reason, ":")
	code := wstk.Code(name)
	switch {
	case run.State == wstk.RunCancelled:
		code = wstk.Cancelled
	case !slices.Contains(wstk.Codes(), code):
		code = wstk.Internal
	}
	return wstk.Errorf(code, "", "the run %s ended as %s: %s", run.ID, run.State, reason).
		Try(wstk.Step{Do: wstk.DoShowRun, For: "to see what was done", Run: run.ID, Kind: run.Kind})
}

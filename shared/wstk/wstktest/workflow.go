package wstktest

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"wstk/shared/wstk"
)

// Workflows checks the promises of wstk.Workflows. The machine called extract has to be
// there; what it makes of its input does not matter.
func Workflows(
	t *testing.T, open func(t *testing.T) wstk.Workflows, features ...Features[wstk.Workflows],
) {
	s := newSuite(t, open, features)
	const machine = "extract"
	newRun := func() wstk.RunID { return wstk.NewRunID(time.Now(), nil) }

	s.run("StartingTheSameAgainIsOnce", func(t *testing.T, w wstk.Workflows) {
		run := newRun()
		for range 3 {
			must(t, w.Start(bg, machine, run, json.RawMessage(`{"run_id": "r"}`)))
		}
		must(t, w.Start(bg, machine, run, json.RawMessage(`{"run_id":"r"}`)))
		must(t, w.Start(bg, machine, newRun(), json.RawMessage(`{"run_id":"other"}`)))
	})

	s.run("AnotherInputIsConflict", func(t *testing.T, w wstk.Workflows) {
		run := newRun()
		must(t, w.Start(bg, machine, run, json.RawMessage(`{"run_id":"r"}`)))
		wantCode(t, "another input", w.Start(bg, machine, run, json.RawMessage(`{"run_id":"s"}`)),
			wstk.Conflict)
	})

	s.run("WhatMakesNoSenseIsRefused", func(t *testing.T, w wstk.Workflows) {
		wantCode(t, "an unknown machine", w.Start(bg, "nothing", newRun(), json.RawMessage(`{}`)),
			wstk.Invalid)
		wantCode(t, "no JSON", w.Start(bg, machine, newRun(), json.RawMessage(`{`)), wstk.Invalid)
		input := json.RawMessage(`{"x":"` + strings.Repeat("x", wstk.MaxPayload) + `"}`)
		wantCode(t, "too much", w.Start(bg, machine, newRun(), input), wstk.TooLarge)
	})

	s.run("CancelledStartsNothing", func(t *testing.T, w wstk.Workflows) {
		run := newRun()
		wantCode(t, "Start", w.Start(cancelled(), machine, run, json.RawMessage(`{"run_id":"r"}`)),
			wstk.Cancelled)
		must(t, w.Start(bg, machine, run, json.RawMessage(`{"run_id":"another"}`)))
	})

	s.pair("OfManyStartsOneInputWins", func(t *testing.T, a, b wstk.Workflows) {
		run := newRun()
		codes := make([]wstk.Code, 8)
		together(t, len(codes), func(i int) error {
			input := []string{`{"run_id":"even"}`, `{"run_id":"odd"}`}[i%2]
			codes[i] = wstk.CodeOf([]wstk.Workflows{a, b}[i%2].Start(bg, machine, run,
				json.RawMessage(input)))
			return nil
		})
		for i, c := range codes {
			if want := codes[i%2]; c != want || c != "" && c != wstk.Conflict ||
				codes[0] == codes[1] {
				t.Fatalf("%v; want c == want && (c == \"\" || c == wstk.Conflict) && codes[0] != "+
					"codes[1]", codes)
			}
		}
	})
}

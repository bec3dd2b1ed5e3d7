package infra

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"wstk/shared/wstk"
)

var machines = []string{"answer", "extract", "refresh"}

// functions are the resources a machine may name.
var functions = []string{"AnswerFunction", "RecallFunction", "ExtractFunction", "VerifyFunction", "CollateFunction", "RefreshFunction"}

type state struct {
	Type, Resource string
	TimeoutSeconds int
	Retry          []struct {
		ErrorEquals                               []string
		IntervalSeconds, MaxAttempts, BackoffRate float64
		JitterStrategy                            string
	}
	Catch         []struct{ ErrorEquals []string }
	States        map[string]state
	ItemProcessor *state
	Branches      []state
}

// walk visits the states of a machine, those within others too.
func (s state) walk(visit func(name string, s state)) {
	for name, inner := range s.States {
		visit(name, inner)
		inner.walk(visit)
	}
	if s.ItemProcessor != nil {
		s.ItemProcessor.walk(visit)
	}
	for _, b := range s.Branches {
		b.walk(visit)
	}
}

// Every task is retried where that can help, and nothing it does ends a run unseen.
func TestEveryTaskIsGuarded(t *testing.T) {
	for _, name := range machines {
		data, err := Machine(name)
		if err != nil {
			t.Fatal(err)
		}
		var m state
		if err := json.Unmarshal(data, &m); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if m.TimeoutSeconds <= 0 {
			t.Errorf("%s may run for ever", name)
		}
		tasks := 0
		m.walk(func(at string, s state) {
			if s.Type != "Task" && s.Type != "Map" && s.Type != "Parallel" {
				return
			}
			var caught []string
			for _, c := range s.Catch {
				caught = append(caught, c.ErrorEquals...)
			}
			for _, want := range []string{"States.ALL", "States.DataLimitExceeded"} {
				if !slices.Contains(caught, want) {
					t.Errorf("%s: %s does not catch %s", name, at, want)
				}
			}
			if s.Type != "Task" {
				return
			}
			tasks++
			fn, ok := strings.CutPrefix(strings.TrimSuffix(s.Resource, "}"), "${")
			if !ok || !slices.Contains(functions, fn) {
				t.Errorf("%s: %s calls %q, which is none of %v", name, at, s.Resource, functions)
			}
			if s.TimeoutSeconds <= 0 {
				t.Errorf("%s: %s has no TimeoutSeconds", name, at)
			}
			var retried []string
			for _, r := range s.Retry {
				if r.JitterStrategy != "FULL" || r.MaxAttempts < 1 || r.IntervalSeconds < 1 ||
					r.BackoffRate <= 1 {
					t.Errorf("%s: %s retries without JitterStrategy FULL, MaxAttempts, IntervalSeconds or a growing BackoffRate", name, at)
				}
				retried = append(retried, r.ErrorEquals...)
			}
			for _, want := range []string{"Lambda.ServiceException", "Lambda.TooManyRequestsException", "Lambda.SdkClientException", "Lambda.Unknown", "States.Timeout"} {
				if !slices.Contains(retried, want) {
					t.Errorf("%s: %s does not retry %s", name, at, want)
				}
			}
			for _, c := range wstk.Codes() {
				if got, want := slices.Contains(retried, string(c)),
					wstk.IsTransient(&wstk.Error{Code: c}); got != want {
					t.Errorf("%s: %s retries %s: %v, want %v", name, at, c, got, want)
				}
			}
		})
		if tasks == 0 {
			t.Errorf("%s has no task", name)
		}
	}
}

func TestAnUnknownMachineIsNotFound(t *testing.T) {
	if _, err := Machine("answers"); wstk.CodeOf(err) != wstk.NotFound {
		t.Error(err)
	}
}

// From the ranked passages on, an answer about a page is an extraction: its states are those of
// extract, word for word.
func TestAnAnswerEndsAsAnExtraction(t *testing.T) {
	states := func(name string) map[string]json.RawMessage {
		data, err := Machine(name)
		if err != nil {
			t.Fatal(err)
		}
		var m struct{ States map[string]json.RawMessage }
		if err := json.Unmarshal(data, &m); err != nil {
			t.Fatal(err)
		}
		return m.States
	}
	answer, extract := states("answer"), states("extract")
	delete(extract, "Recall") // in its place stands the loop
	for name, s := range extract {
		if string(answer[name]) != string(s) {
			t.Errorf("the state %s of answer is another than that of extract", name)
		}
	}
	if len(extract) < 8 {
		t.Errorf("extract has %d states", len(extract))
	}
}

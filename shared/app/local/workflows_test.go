package local_test

import (
	"encoding/json"
	"runtime"
	"strings"
	"testing"
	"time"

	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
)

func TestWorkflows(t *testing.T) {
	wstktest.Workflows(t, func(t *testing.T) wstk.Workflows {
		return open(t, testConfig(t)).Machines
	})
}

// A server that starts runs for months does not keep their inputs.
func TestInputsOfEndedRunsAreNotKept(t *testing.T) {
	const runs, size = 100, 190 << 10
	a := open(t, testConfig(t))
	before := heap()
	for range runs {
		input := json.RawMessage(`{"x":"` + strings.Repeat("x", size) + `"}`)
		if err := a.Machines.Start(t.Context(), "extract", wstk.NewRunID(time.Now(), nil),
			input); err != nil {
			t.Fatal(err)
		}
	}
	machines := a.Machines
	if err := a.Close(); err != nil { // all have ended
		t.Fatal(err)
	}
	if after := heap(); after > before+runs*size/2 {
		t.Errorf("%d runs with inputs of %d KB left %d KB, want less than half of their inputs",
			runs, size>>10, (after-before)>>10)
	}
	runtime.KeepAlive(machines)
}

// heap returns how many bytes are in use.
func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

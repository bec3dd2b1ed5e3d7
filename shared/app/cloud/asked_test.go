package cloud_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"

	"wstk/infra"
	"wstk/shared/adapter/asl"
	"wstk/shared/adapter/memory"
	"wstk/shared/app"
	"wstk/shared/app/answering"
	"wstk/shared/app/apptest"
	"wstk/shared/app/cloud"
	"wstk/shared/stage/recall"
	"wstk/shared/wstk"
)

// inProcess runs the state machines that answer questions here, so that a test can wait for them.
// The tasks are those of the functions.
type inProcess struct {
	answering.Machines
	machines map[string]*asl.Machine
}

func (m inProcess) Run(
	ctx context.Context, machine string, run wstk.RunID, input json.RawMessage,
) error {
	_, err := m.machines[machine].Run(ctx, string(run), input)
	return err
}

// answersHere gives an App the state machines that answer questions, in this process.
func answersHere(t *testing.T, a *app.App) *app.App {
	t.Helper()
	machines := map[string]*asl.Machine{}
	for _, name := range []string{"extract", "answer"} {
		data, err := infra.Machine(name)
		must(t, err)
		machines[name], err = asl.Parse(name, data, func(resource string) (asl.Task, error) {
			word, _ := strings.CutSuffix(strings.TrimPrefix(resource, "${"), "Function}")
			return asl.Task(a.Task(strings.ToLower(word))), nil
		})
		must(t, err)
	}
	apptest.Change(a, func(h *app.Home) { h.Machines = inProcess{h.Machines, machines} })
	return a
}

func TestModels(t *testing.T) {
	apptest.Models(t, func(t *testing.T) *app.App {
		s := deploy(t)
		system, err := cloud.New(s.config, s.cfg, slog.New(slog.DiscardHandler))
		must(t, err)
		apptest.Change(system.App, func(h *app.Home) {
			h.Index = memory.NewIndex()
			h.Indexing.Index, h.Recalling = h.Index, recall.New(h.Index, h.Blobs)
		})
		return answersHere(t, system.App)
	})
}

package cloud_test

import (
	"log/slog"
	"testing"

	"wstk/shared/adapter/memory"
	"wstk/shared/app"
	"wstk/shared/app/apptest"
	"wstk/shared/app/cloud"
	"wstk/shared/stage/recall"
)

// D10: evidence of stored answers is located again, and answers touched by a change are listed.
func TestAffected(t *testing.T) {
	apptest.Affected(t, func(t *testing.T) *app.App {
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

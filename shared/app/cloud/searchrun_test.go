package cloud_test

import (
	"log/slog"
	"testing"

	"wstk/shared/app"
	"wstk/shared/app/apptest"
	"wstk/shared/app/cloud"
	"wstk/shared/app/stages"
)

func TestSearchRuns(t *testing.T) {
	apptest.SearchRuns(t, func(t *testing.T, getenv func(string) string) *app.App {
		s := deploy(t)
		c, err := stages.Settings().Load(getenv, t.TempDir())
		must(t, err)
		c.Cloud = s.config.Cloud
		system, err := cloud.New(c, s.cfg, slog.New(slog.DiscardHandler))
		must(t, err)
		return system.App
	})
}

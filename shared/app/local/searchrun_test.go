package local_test

import (
	"log/slog"
	"testing"

	"wstk/shared/app"
	"wstk/shared/app/apptest"
	"wstk/shared/app/local"
)

func TestSearchRuns(t *testing.T) {
	apptest.SearchRuns(t, func(t *testing.T, getenv func(string) string) *app.App {
		dir := t.TempDir()
		c, err := local.Settings().Load(func(name string) string {
			switch name {
			case "HOME", "WSTK_DATA_DIR":
				return dir
			}
			return getenv(name)
		}, dir)
		if err != nil {
			t.Fatal(err)
		}
		a, err := local.Open(t.Context(), c, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { a.Close() })
		return a
	})
}

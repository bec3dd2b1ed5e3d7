package cloud_test

import (
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"wstk/shared/app"
	"wstk/shared/app/apptest"
	"wstk/shared/app/cloud"
	"wstk/shared/app/local"
	"wstk/shared/wstk/wstktest"
)

// With the same embedder, one machine and AWS find the same passages and give the same answers.
// The index is a real OpenSearch with k-NN.
func TestMeaningInBothHomes(t *testing.T) {
	search := os.Getenv("WSTK_OPENSEARCH")
	if search == "" {
		wstktest.Skip(t, "WSTK_OPENSEARCH names no server; make test starts one")
	}
	forget := func() {
		req, err := http.NewRequest(http.MethodDelete, search+"/wstk*", nil)
		must(t, err)
		res, err := http.DefaultClient.Do(req)
		must(t, err)
		res.Body.Close()
	}
	forget()
	t.Cleanup(forget)
	apptest.Meaning(t, func(t *testing.T, settings map[string]string) *app.App {
		c, err := local.Settings().Load(func(string) string { return "" }, t.TempDir())
		must(t, err)
		for key, value := range settings {
			must(t, c.Set(key, value, "test"))
		}
		must(t, c.Set("fetch.allow_private", "true", "test"))
		c.DataDir, c.CacheDir = filepath.Join(t.TempDir(), "data"), filepath.Join(t.TempDir(), "cache")
		a, err := local.Open(t.Context(), c, slog.New(slog.DiscardHandler))
		must(t, err)
		t.Cleanup(func() { a.Close() })
		return a
	}, func(t *testing.T, settings map[string]string) *app.App {
		s := deploy(t)
		s.config.Cloud.Search, s.config.Cloud.SearchMode, s.config.Cloud.Engine = search, "domain", "lucene"
		for key, value := range settings {
			must(t, s.config.Set(key, value, "test"))
		}
		system, err := cloud.New(s.config, s.cfg, slog.New(slog.DiscardHandler))
		must(t, err)
		return answersHere(t, system.App)
	})
}

package cloud_test

import (
	"log/slog"
	"testing"

	"wstk/shared/app"
	"wstk/shared/app/apptest"
	"wstk/shared/app/cloud"
)

// With the same embedder, one machine and AWS find the same passages and give the same answers.
// The index is a real OpenSearch with k-NN.
func TestMeaningInBothHomes(t *testing.T) {
	search := openSearch(t, false)
	apptest.Meaning(t, oneMachine, func(t *testing.T, settings map[string]string) *app.App {
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

package stages

import (
	"os"
	"path/filepath"
	"testing"

	"wstk/shared/config"
	"wstk/shared/wstk"
)

func TestPromptsOfTheOperator(t *testing.T) {
	dir := t.TempDir()
	mine, empty := filepath.Join(dir, "mine.txt"), filepath.Join(dir, "empty.txt")
	for file, words := range map[string]string{mine: "Mine.", empty: ""} {
		if err := os.WriteFile(file, []byte(words), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	env := map[string]string{"WSTK_MODEL_EXTRACT_PROMPT": mine,
		"WSTK_MODEL_SUMMARIZE_PROMPT": empty,
		"WSTK_MODEL_CLASSIFY_PROMPT":  filepath.Join(dir, "none.txt")}
	c, err := Settings().Load(func(name string) string { return env[name] }, dir)
	if err != nil {
		t.Fatal(err)
	}
	for op, want := range map[wstk.Operation]struct {
		words  string
		failed bool
	}{wstk.OpExtract: {"Mine.", false}, wstk.OpPartition: {"", false},
		wstk.OpSummarize: {"", true}, wstk.OpClassify: {"", true}} {
		got, err := prompts(c)(op)
		if got != want.words || (err != nil) != want.failed {
			t.Errorf("%s: %q, %v; want %q, failed %v", op, got, err, want.words, want.failed)
		}
	}
	if got, err := prompts(config.Config{})(wstk.OpExtract); got != "" || err != nil {
		t.Errorf("without settings: %q, %v", got, err)
	}
}

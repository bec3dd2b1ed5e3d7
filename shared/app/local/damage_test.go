package local_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"wstk/shared/wstk"
)

// Law 4: a page whose stored bytes are damaged is left out with a warning; what the
// other pages say is still answered, and nothing to read is not the same as no answer.
func TestDamagedPagesAreTold(t *testing.T) {
	ctx := context.Background()
	c := testConfig(t)
	a := open(t, c)
	root := serve(t, quick())
	ingest(t, a, root+"/")
	p, err := a.Pages.Get(ctx, root+"/p12")
	if err != nil {
		t.Fatal(err)
	}
	damaged := 0
	filepath.WalkDir(c.DataDir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && len(d.Name()) >= 64 && d.Name()[:64] == string(p.Document) {
			damaged++
			return os.WriteFile(path, []byte("something else"), 0o600)
		}
		return nil
	})
	if damaged != 1 {
		t.Fatalf("%d files were damaged", damaged)
	}
	a = open(t, c) // nothing is kept in memory
	answer, err := a.Answering.Ask(ctx, wstk.AskQuery{Query: "What is the maximum pressure of the P-9?", From: []string{root + "/p9", root + "/p12"}})
	if err != nil || len(answer.Extractions) == 0 || !coded(answer.Warnings, "text_damaged", "/p12") {
		t.Errorf("%d extractions, %v, %v", len(answer.Extractions), answer.Warnings, err)
	}
}

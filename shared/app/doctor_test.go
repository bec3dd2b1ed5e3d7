package app

import (
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"

	"wstk/shared/config"
	"wstk/shared/wstk/wstktest"
)

// Doctor names the services that see words of pages, and says if a key is missing.
func TestDoctorNamesServicesOfModels(t *testing.T) {
	if c := services(config.Config{Embedder: config.EmbedderOptions{
		ServiceOptions: config.ServiceOptions{Provider: config.Local}}}); len(c) != 0 {
		t.Errorf("without services: %+v", c)
	}
	c := config.Config{
		Embedder: config.EmbedderOptions{ServiceOptions: config.ServiceOptions{Provider: "openai",
			Model: "bge-m3", BaseURL: "http://127.0.0.1:11434/v1"}},
		Reranker: config.RerankerOptions{ServiceOptions: config.ServiceOptions{Provider: "jina"}},
	}
	got := services(c)
	if len(got) != 2 || !got[0].OK || !strings.Contains(got[0].Detail, "openai, bge-m3 at http") ||
		!strings.Contains(got[0].Detail, "every page") || got[1].OK || len(got[1].Steps) != 1 {
		t.Errorf("%+v", got)
	}
	c.Reranker.Keys = map[string]config.Secret{"jina": config.Secret("made" + "-up")}
	if got := services(c); !got[1].OK || strings.Contains(got[1].Detail, "made") {
		t.Errorf("with a key: %+v", got[1])
	}
}

// An empty file fits on a full disk: doctor writes some bytes.
func TestDoctorWritesToTheDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		wstktest.Skip(t, "there is no /dev/full here: ", err)
	}
	if err := fill(full); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("a full disk takes it: %v", err)
	}
	dir := t.TempDir()
	if c := folder("data directory", dir+"/later"); !c.OK ||
		!strings.HasPrefix(c.Detail, dir+"/later (") || !strings.HasSuffix(c.Detail, " MB free)") {
		t.Errorf("%+v", c)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("it leaves %v, %v", left, err)
	}
}

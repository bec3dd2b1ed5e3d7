package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"wstk/shared/app"
	"wstk/shared/app/apptest"
	"wstk/shared/app/crawling"
	"wstk/shared/app/local"
	"wstk/shared/config"
	"wstk/shared/stage/read"
	"wstk/shared/wstk"
)

// setup is how the program is set up.
type setup struct {
	set   settings
	shelf string // folder of models, as in a data folder; "" means none
}

// newSetup adds the model in a file, if there is one, to the shelf in the folder of the options.
func newSetup(ctx context.Context, o options) (setup, error) {
	s := setup{set: o.set}
	if o.model == "" {
		return s, nil
	}
	dir, err := filepath.Abs(filepath.Join(o.data, "shelf"))
	if err != nil {
		return s, err
	}
	a, err := openApp(ctx, dir, nil, s)
	if err != nil {
		return s, err
	}
	defer a.Close()
	s.shelf = filepath.Join(dir, "data", "models")
	_, err = a.ModelFiles.Add(ctx, o.model)
	return s, err
}

// String names what differs from the default.
func (s setup) String() string {
	if s.shelf != "" {
		return s.set.String() + " model"
	}
	return s.set.String()
}

// openApp opens the program over a data folder, with a client that has only these pages.
func openApp(ctx context.Context, dir string, c client, s setup) (*app.App, error) {
	conf, err := local.Settings().Load(func(string) string { return "" }, dir, s.set...)
	if err != nil {
		return nil, err
	}
	conf.DataDir, conf.CacheDir = filepath.Join(dir, "data"), filepath.Join(dir, "cache")
	conf.Crawl.RateLimit, conf.Crawl.MaxPages, conf.Crawl.MaxDepth = 0, 100_000, 1
	conf.Origin["crawl.rate_limit_ms"], conf.Origin["crawl.max_pages"],
		conf.Origin["crawl.max_depth"] = "flag", "flag", "flag"
	if s.shelf != "" {
		err := os.MkdirAll(conf.DataDir, 0o700)
		if err == nil {
			err = os.Symlink(s.shelf, filepath.Join(conf.DataDir, "models"))
		}
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
	}
	a, err := local.Open(ctx, conf, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	apptest.Change(a, func(h *app.Home) {
		h.Fetch.Client, h.Crawl.Client, h.Crawl.Robots.Client = c, c, c
	})
	return a, nil
}

// siteOf is the made-up root of a manual's site.
func siteOf(name string) string { return "https://" + name + ".example/" }

// openManual returns the program over a manual. What an earlier call ingested into dir is used
// again if the pages and the code that stores them are the same.
func openManual(
	ctx context.Context, dir, name string, files pages, code string, s setup,
) (*app.App, error) {
	key := keyOf(files, code+s.String())
	keyFile := filepath.Join(dir, "key")
	held, err := os.ReadFile(keyFile)
	fresh := err != nil || string(held) != key
	if fresh {
		if err := os.RemoveAll(dir); err != nil {
			return nil, err
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
	}
	a, err := openApp(ctx, dir, newClient(siteOf(name), files), s)
	if err != nil || !fresh {
		return a, err
	}
	if err := ingest(ctx, a, name, files); err != nil {
		a.Close()
		return nil, err
	}
	return a, os.WriteFile(keyFile, []byte(key), 0o644)
}

func ingest(ctx context.Context, a *app.App, name string, files pages) error {
	res, err := a.Crawling.Ingest(ctx, crawling.IngestRequest{URL: siteOf(name)})
	if err != nil {
		return err
	}
	if 10*res.Pages < 9*len(files) || res.Accounting.Of(wstk.OutcomeOpen) > 0 {
		return fmt.Errorf("of the %d pages of %s %d were stored: %+v", len(files), name,
			res.Pages, res.Accounting)
	}
	return nil
}

// settings are those of the program that are not the default: -set KEY=VALUE.
type settings []config.Flag

// Set implements flag.Value.
func (s *settings) Set(v string) error {
	key, value, ok := strings.Cut(v, "=")
	if !ok {
		return errors.New("write KEY=VALUE, with a setting of docs/operations.md")
	}
	*s = append(*s, config.Flag{Name: "set " + key, Key: key, Value: value})
	return nil
}

func (s *settings) String() string {
	var out []string
	for _, one := range *s {
		out = append(out, one.Key+"="+one.Value)
	}
	return strings.Join(out, " ")
}

// keyOf names what is stored: the pages, and the code that reads and indexes them.
func keyOf(files pages, code string) string {
	h := sha256.New()
	fmt.Fprintln(h, read.Reader, code)
	for _, name := range files.paths() {
		fmt.Fprintf(h, "%s %x\n", name, sha256.Sum256(files[name]))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// storing are the packages that decide what is stored of a page.
var storing = []string{"shared/lexicon", "shared/text", "shared/value", "shared/wstk",
	"shared/stage/read", "shared/stage/screen", "shared/stage/summarize", "shared/stage/chunk",
	"shared/stage/index", "shared/adapter/sqlite", "shared/app/reading"}

// codeOf returns a hash of the files of storing, tests left out. root is the folder of the
// repository.
func codeOf(root string) (string, error) {
	h := sha256.New()
	for _, dir := range storing {
		err := filepath.WalkDir(filepath.Join(root, dir), func(
			path string, d fs.DirEntry, err error,
		) error {
			if err != nil {
				return err
			}
			if d.IsDir() {
				if slices.Contains([]string{"testdata", "wstktest"}, d.Name()) {
					return fs.SkipDir
				}
				return nil
			}
			if strings.HasSuffix(path, "_test.go") {
				return nil
			}
			f, err := os.Open(path)
			if err != nil {
				return err
			}
			defer f.Close()
			fmt.Fprintln(h, filepath.ToSlash(path))
			_, err = io.Copy(h, f)
			return err
		})
		if err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

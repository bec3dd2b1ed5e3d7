package local

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"wstk/shared/adapter/model/minilm"
	"wstk/shared/adapter/vector"
	"wstk/shared/app"
	"wstk/shared/app/stages"
	"wstk/shared/config"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// modelShelf keeps models in the data directory.
type modelShelf struct {
	minilm.Shelf
	app *app.App

	// stored opens what is stored in the data directory; nil and no error where that is nothing.
	stored func(ctx context.Context) (*app.App, error)
	pages  *vector.Index // nil where there was no embedder when the store was opened
}

func models(a *app.App) *modelShelf {
	return &modelShelf{Shelf: minilm.Shelf{Dir: filepath.Join(a.Config.DataDir, "models"),
		Known: minilm.Known}, app: a}
}

// open opens the first model of a kind that was added; nil where none was.
func (m *modelShelf) open(kind minilm.Kind) (*minilm.Model, error) {
	for i, f := range m.List() {
		if spec := minilm.Known[i]; f.Path != "" && spec.Kind == kind {
			return minilm.Open(spec, f.Path)
		}
	}
	return nil, nil
}

// meaning is what compares texts by what they mean.
type meaning struct {
	sentences wstk.Embedder // in answers: the one that was added; nil where none was
	own       stages.OwnModels
	opened    []*minilm.Model
}

// meaning opens the embedder that was added, and opens a reranker when it is asked for one. The
// caller closes it, after an error too.
func (m *modelShelf) meaning() (*meaning, error) {
	out := &meaning{}
	if m.app.Config.Embedder.Provider != config.None {
		model, err := m.open(minilm.Embeds)
		if err != nil {
			return out, err
		}
		if model != nil {
			out.sentences = minilm.Embedder{Model: model}
			out.opened = append(out.opened, model)
		}
	}
	out.own = stages.OwnModels{
		Embedders: map[string]func(config.EmbedderOptions) (wstk.Embedder, error){
			config.Local: func(config.EmbedderOptions) (wstk.Embedder, error) {
				return out.sentences, nil
			}},
		Rerankers: map[string]func(config.RerankerOptions) (wstk.Reranker, error){
			config.Local: func(config.RerankerOptions) (wstk.Reranker, error) {
				model, err := m.open(minilm.Reranks)
				if err != nil {
					return nil, err
				}
				if model == nil {
					return nil, wstk.Errorf(wstk.Unprocessable, "opening the reranker",
						"reranker.provider is local, and no reranker was added").
						Try(wstk.Step{Do: wstk.DoListModels, For: "see which models can be used"})
				}
				out.opened = append(out.opened, model)
				return minilm.Reranker{Model: model}, nil
			}},
	}
	return out, nil
}

// close gives the memory of models back.
func (m *meaning) close() error {
	var err error
	for _, model := range m.opened {
		err = errors.Join(err, model.Close())
	}
	return err
}

const (
	// maxModelDownload is how many bytes a download may have, held in memory: a known model
	// and what an archive adds.
	maxModelDownload  = 128 << 20
	maxModelRedirects = 5
)

// Add takes a path, or an http address.
func (m *modelShelf) Add(ctx context.Context, source string) (wstk.ModelFile, error) {
	if strings.HasPrefix(source, "http://") || strings.HasPrefix(source, "https://") {
		body, err := m.download(ctx, source)
		if err != nil {
			return wstk.ModelFile{}, err
		}
		return m.Shelf.Add(ctx, bytes.NewReader(body), int64(len(body)))
	}
	// Opening a named pipe would wait for a writer, so what is no file is refused before.
	info, err := os.Stat(source)
	if err == nil && !info.Mode().IsRegular() {
		return wstk.ModelFile{}, wstk.Errorf(wstk.Invalid, "adding model",
			"%s is not a regular file; nothing was added", source).
			Try(wstk.Step{Do: wstk.DoCheck, Say: "the path"})
	}
	f, err := os.Open(source)
	if err != nil {
		return wstk.ModelFile{}, wstk.Errorf(wstk.Invalid, "adding model", "%w; nothing was added",
			err).Try(wstk.Step{Do: wstk.DoCheck, Say: "the path"})
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil {
		return wstk.ModelFile{}, wstk.Wrap(wstk.Invalid, "adding model", err)
	}
	return m.Shelf.Add(ctx, f, info.Size())
}

// download gets a file through the guarded client, over redirects.
func (m *modelShelf) download(ctx context.Context, address string) ([]byte, error) {
	const op = "downloading model"
	client, err := stages.Downloads(m.app.Config, maxModelDownload)
	if err != nil {
		return nil, err
	}
	for range maxModelRedirects {
		if address, err = text.Canonical(address); err != nil {
			return nil, wstk.Wrap(wstk.Invalid, op, err)
		}
		if admit := m.app.Fetch.Admit; admit != nil {
			if err := admit(address); err != nil {
				return nil, err
			}
		}
		r, err := client.Do(ctx, wstk.Request{URL: address, MaxBytes: maxModelDownload})
		if err != nil {
			return nil, err
		}
		to := r.Header.Get("Location")
		switch {
		case r.Status == http.StatusOK:
			return r.Body, nil
		case r.Status/100 != 3 || to == "":
			return nil, wstk.Errorf(wstk.HTTPError, op, "%s answered with the status %d",
				text.HostOf(address), r.Status)
		}
		if address, err = text.Resolve(address, to); err != nil {
			return nil, wstk.Wrap(wstk.Invalid, op, err)
		}
	}
	return nil, wstk.Errorf(wstk.HTTPError, op, "%s redirects more than %d times",
		text.HostOf(address), maxModelRedirects)
}

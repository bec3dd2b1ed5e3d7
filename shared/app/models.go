package app

import (
	"context"
	"fmt"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// ModelFiles keeps the models that a person added.
type ModelFiles interface {
	// List returns all models that can be used, added or not.
	List() []wstk.ModelFile

	// Add stores the weights of a model from a file or an http address: safetensors, or an
	// archive that holds such a file. Codes: Invalid for a file that holds no known model,
	// Unavailable for a folder that takes nothing, and those of wstk.Client.
	Add(ctx context.Context, source string) (wstk.ModelFile, error)

	// Remove deletes the weights of a model, by its name or hash; NotFound if it was not added.
	Remove(name string) (wstk.ModelFile, error)

	// Lacking counts the pages in the index of which the embedder has made no vectors: those
	// that were indexed before it, or with another one. 0 where there is none, or nothing is
	// stored.
	Lacking(ctx context.Context) (int, error)

	// Index makes the vectors that Lacking counts, page by page, and calls progress, which may
	// be nil, before each of them. What is made stays when it is stopped, and the next call goes
	// on. Codes: Unprocessable if no embedder was added or configured, Cancelled, and of a service
	// that fails for all pages Unauthorized, RateLimited, ModelFailed.
	Index(ctx context.Context, progress func(done, of int)) (ModelIndexing, error)

	// Check compares the hash of a model that was added.
	Check(ctx context.Context, name string) error
}

// ModelIndexing is what Index of ModelFiles did.
type ModelIndexing struct {
	Model    string         `json:"model"`
	Pages    int            `json:"pages"`   // of which vectors were made now
	Lacking  int            `json:"lacking"` // that have none still
	Usage    wstk.Usage     `json:"-"`       // of a service that made them
	Warnings []wstk.Warning `json:"-"`       // why some have none
}

// LacksVectors says that so many pages have no vectors.
func LacksVectors(pages int) string {
	have, they := "has", "it is"
	if pages != 1 {
		have, they = "have", "they are"
	}
	return fmt.Sprintf("%s %s no vectors, so %s found by words alone", text.Count(pages, "page"),
		have, they)
}

// MakeVectors is what gives pages their vectors.
var MakeVectors = wstk.Step{Do: wstk.DoIndexModels, For: "make the vectors of stored pages"}

// NoModelFiles is a home that keeps none.
type NoModelFiles struct{}

// List returns nothing.
func (NoModelFiles) List() []wstk.ModelFile { return nil }

// Add refuses.
func (NoModelFiles) Add(context.Context, string) (wstk.ModelFile, error) {
	return wstk.ModelFile{}, errNoModelFiles
}

// Remove refuses.
func (NoModelFiles) Remove(string) (wstk.ModelFile, error) { return wstk.ModelFile{}, errNoModelFiles }

// Lacking returns 0.
func (NoModelFiles) Lacking(context.Context) (int, error) { return 0, nil }

// Index refuses.
func (NoModelFiles) Index(context.Context, func(done, of int)) (ModelIndexing, error) {
	return ModelIndexing{}, errNoModelFiles
}

// Check refuses.
func (NoModelFiles) Check(context.Context, string) error { return errNoModelFiles }

var errNoModelFiles = wstk.Errorf(wstk.NotFound, "", "models are kept on one machine only")

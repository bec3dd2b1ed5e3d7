package app

import (
	"context"

	"wstk/shared/wstk"
)

// Models keeps the models that a person added.
type Models interface {
	// List returns all models that can be used, added or not.
	List() []wstk.ModelFile

	// Add stores the weights of a model from a file or an http address: safetensors, or an
	// archive that holds such a file. Codes: Invalid for a file that holds no known model,
	// Unavailable for a folder that takes nothing, and those of wstk.Client.
	Add(ctx context.Context, source string) (wstk.ModelFile, error)

	// Remove deletes the weights of a model, by its name or hash; NotFound if it was not added.
	Remove(name string) (wstk.ModelFile, error)

	// Check compares the hash of a model that was added.
	Check(ctx context.Context, name string) error
}

// NoModels is a home that keeps none.
type NoModels struct{}

// List returns nothing.
func (NoModels) List() []wstk.ModelFile { return nil }

// Add refuses.
func (NoModels) Add(context.Context, string) (wstk.ModelFile, error) {
	return wstk.ModelFile{}, errNoModels
}

// Remove refuses.
func (NoModels) Remove(string) (wstk.ModelFile, error) { return wstk.ModelFile{}, errNoModels }

// Check refuses.
func (NoModels) Check(context.Context, string) error { return errNoModels }

var errNoModels = wstk.Errorf(wstk.NotFound, "", "models are kept on one machine only")

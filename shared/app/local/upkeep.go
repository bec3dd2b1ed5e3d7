package local

import (
	"context"
	"errors"

	"wstk/shared/adapter/chrome"
	"wstk/shared/adapter/files"
	"wstk/shared/adapter/sqlite"
	"wstk/shared/app"
)

// upkeep looks after the data directory of this machine.
type upkeep struct {
	db         *sqlite.DB
	blobs      files.Blobs
	workflows  *workflows
	background *background
	renderer   *chrome.Renderer
	meaning    *meaning
}

var _ app.Upkeep = upkeep{}

func (u upkeep) Recover(ctx context.Context) error { return u.workflows.recover(ctx) }

func (u upkeep) CheckStore(ctx context.Context) ([]string, error) { return u.db.Check(ctx) }

func (u upkeep) CanWrite(ctx context.Context) error { return u.blobs.CanWrite(ctx) }

// Close ends the browser and what works in the background before it closes the database.
func (u upkeep) Close() error {
	err := u.renderer.Close()
	u.background.close()
	return errors.Join(err, u.meaning.close(), u.db.Close())
}

// transientUpkeep closes what commands about single pages opened. Their own stores are in
// memory and need no care.
type transientUpkeep struct {
	app.NoUpkeep
	data     *lazyApp
	renderer *chrome.Renderer
}

func (u transientUpkeep) Close() error { return errors.Join(u.renderer.Close(), u.data.close()) }

package app

import (
	"context"
	"sync"

	"wstk/shared/wstk"
)

// documents keeps the Documents read last, by hash. They never change, and nobody
// changes what is here; the tasks of one extraction read the same few.
type documents struct {
	mu    sync.Mutex
	m     map[wstk.Hash]*wstk.Document
	order []wstk.Hash
	bytes int
}

// maxDocuments bounds the text of the Documents kept, in bytes; with their blocks they
// take several times that.
const maxDocuments = 8 << 20

// document reads a Document by the hash of its structure.
func (a *App) document(ctx context.Context, h wstk.Hash) (*wstk.Document, error) {
	c := &a.documents
	c.mu.Lock()
	d := c.m[h]
	c.mu.Unlock()
	if d != nil {
		return d, nil
	}
	d, err := wstk.LoadDocument(ctx, a.Blobs, h)
	if err != nil || len(d.Text) > maxDocuments/4 {
		return d, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.m == nil {
		c.m = map[wstk.Hash]*wstk.Document{}
	}
	if c.m[h] == nil {
		c.m[h] = d
		c.order = append(c.order, h)
		for c.bytes += len(d.Text); c.bytes > maxDocuments; c.order = c.order[1:] {
			c.bytes -= len(c.m[c.order[0]].Text)
			delete(c.m, c.order[0])
		}
	}
	return d, nil
}

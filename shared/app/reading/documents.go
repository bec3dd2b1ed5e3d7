package reading

import (
	"context"
	"sync"
	"weak"

	"wstk/shared/wstk"
)

// documents keeps the Documents read last, by hash. They never change, and no caller
// changes what is here; the tasks of one extraction read the same few. One that is too
// large to be kept is shared by those who hold it at the same time.
type documents struct {
	mu      sync.Mutex
	m       map[wstk.Hash]*wstk.Document
	order   []wstk.Hash
	bytes   int
	large   map[wstk.Hash]weak.Pointer[wstk.Document]
	loading map[wstk.Hash]chan struct{} // closed when a reading has ended
}

// maxDocuments bounds the text of the Documents kept, in bytes; with their blocks they
// take several times that.
const maxDocuments = 8 << 20

// Document reads a Document by the hash of its structure, once however many ask for it at
// the same time.
func (r *Room) Document(ctx context.Context, h wstk.Hash) (*wstk.Document, error) {
	c := &r.documents
	for {
		d, wait := c.take(h)
		if d != nil {
			return d, nil
		}
		if wait == nil {
			break
		}
		select {
		case <-wait:
		case <-ctx.Done():
			return nil, wstk.Wrap(wstk.Cancelled, "reading a document", ctx.Err())
		}
	}
	d, err := wstk.LoadDocument(ctx, r.Blobs, h)
	c.put(h, d, err)
	return d, err
}

// take returns a Document that another caller has, or what to wait for before asking again;
// neither means that the caller reads it, and must put it.
func (c *documents) take(h wstk.Hash) (*wstk.Document, <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if d := c.m[h]; d != nil {
		return d, nil
	}
	if d := c.large[h].Value(); d != nil {
		return d, nil
	}
	if wait := c.loading[h]; wait != nil {
		return nil, wait
	}
	if c.loading == nil {
		c.m, c.large, c.loading = map[wstk.Hash]*wstk.Document{},
			map[wstk.Hash]weak.Pointer[wstk.Document]{}, map[wstk.Hash]chan struct{}{}
	}
	c.loading[h] = make(chan struct{})
	return nil, nil
}

// put ends a reading, and keeps what it gave.
func (c *documents) put(h wstk.Hash, d *wstk.Document, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	close(c.loading[h])
	delete(c.loading, h)
	if err != nil {
		return
	}
	if len(d.Text) > maxDocuments/4 {
		for k, p := range c.large {
			if p.Value() == nil {
				delete(c.large, k)
			}
		}
		c.large[h] = weak.Make(d)
		return
	}
	c.m[h] = d
	c.order = append(c.order, h)
	for c.bytes += len(d.Text); c.bytes > maxDocuments; c.order = c.order[1:] {
		c.bytes -= len(c.m[c.order[0]].Text)
		delete(c.m, c.order[0])
	}
}

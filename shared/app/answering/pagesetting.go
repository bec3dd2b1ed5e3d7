package answering

import (
	"context"
	"slices"
	"sync"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// pageSettings keeps what pages take back of their text, of those asked for last: finding that
// out takes longer than reading a page, and all tasks of an extraction ask. Pages have a
// key; the same key is the same page.
type pageSettings[K comparable] struct {
	mu    sync.Mutex
	m     map[K]*settingRead
	order []K
}

// settingRead is a reading that goes on until done is closed.
type settingRead struct {
	done    chan struct{}
	setting *text.Setting // nil where it ended early
}

// maxPageSettings bounds what is kept: some 3 MB each at worst.
const maxPageSettings = 16

// of returns what d takes back, read once however many ask for it at the same time; nil
// when ctx ended before.
func (c *pageSettings[K]) of(ctx context.Context, key K, d *wstk.Document) *text.Setting {
	for ctx.Err() == nil {
		one, mine := c.take(key)
		if mine {
			c.read(ctx, key, one, d)
			return one.setting
		}
		select {
		case <-one.done:
			if one.setting != nil {
				return one.setting
			}
		case <-ctx.Done():
		}
	}
	return nil
}

// take returns the reading of a page, and whether the caller is to do it.
func (c *pageSettings[K]) take(key K) (one *settingRead, mine bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if one := c.m[key]; one != nil {
		return one, false
	}
	if c.m == nil {
		c.m = map[K]*settingRead{}
	}
	one = &settingRead{done: make(chan struct{})}
	c.m[key] = one
	c.order = append(c.order, key)
	if len(c.order) > maxPageSettings {
		delete(c.m, c.order[0])
		c.order = c.order[1:]
	}
	return one, true
}

func (c *pageSettings[K]) read(ctx context.Context, key K, one *settingRead, d *wstk.Document) {
	defer close(one.done)
	s := text.NewSetting(ctx, d.Text, d.Meta.Title, d.Meta.Type, d.Meta.Language, d.Outline)
	if ctx.Err() == nil {
		one.setting = s
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.m[key] == one {
		delete(c.m, key)
		c.order = slices.DeleteFunc(c.order, func(k K) bool { return k == key })
	}
}

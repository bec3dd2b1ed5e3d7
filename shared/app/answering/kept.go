package answering

import (
	"context"
	"slices"
	"sync"

	"wstk/shared/stage/collate"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// kept keeps what was computed from a page, of those asked for last: computing it takes longer
// than reading the page, and all tasks of an extraction ask for it. Pages have a key; the same
// key is the same page. The zero value is ready; its method of may be called concurrently.
type kept[K comparable, V any] struct {
	mu    sync.Mutex
	m     map[K]*computed[V]
	order []K
}

// computed is a computation that goes on until done is closed.
type computed[V any] struct {
	done  chan struct{}
	value *V // nil where it ended early
}

// maxKept bounds what is kept: some 3 MB each at worst.
const maxKept = 16

// compute is what is kept of a Document. What it returns after ctx ended is not used.
type compute[V any] func(ctx context.Context, d *wstk.Document) *V

// of returns what by makes of d, computed once however many ask for it at the same time; nil
// when ctx ended before.
func (c *kept[K, V]) of(ctx context.Context, key K, d *wstk.Document, by compute[V]) *V {
	for ctx.Err() == nil {
		one, mine := c.take(key)
		if mine {
			c.compute(ctx, key, one, d, by)
			return one.value
		}
		select {
		case <-one.done:
			if one.value != nil {
				return one.value
			}
		case <-ctx.Done():
		}
	}
	return nil
}

// take returns the computation for a page, and whether the caller is to do it.
func (c *kept[K, V]) take(key K) (one *computed[V], mine bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if one := c.m[key]; one != nil {
		return one, false
	}
	if c.m == nil {
		c.m = map[K]*computed[V]{}
	}
	one = &computed[V]{done: make(chan struct{})}
	c.m[key] = one
	c.order = append(c.order, key)
	if len(c.order) > maxKept {
		delete(c.m, c.order[0])
		c.order = c.order[1:]
	}
	return one, true
}

func (c *kept[K, V]) compute(
	ctx context.Context, key K, one *computed[V], d *wstk.Document, by compute[V],
) {
	defer close(one.done)
	v := by(ctx, d)
	if ctx.Err() == nil {
		one.value = v
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.m[key] == one {
		delete(c.m, key)
		c.order = slices.DeleteFunc(c.order, func(k K) bool { return k == key })
	}
}

// pages keeps what answers ask of a page again and again.
type pages[K comparable] struct {
	settings kept[K, text.Setting]
	shingles kept[K, text.Shingles]
}

// setting is what d takes back of its text; nil when ctx ended before.
func (p *pages[K]) setting(ctx context.Context, key K, d *wstk.Document) *text.Setting {
	return p.settings.of(ctx, key, d, settingOf)
}

// shinglesOf are the shingles by which copies of d are known.
func (p *pages[K]) shinglesOf(ctx context.Context, key K, d *wstk.Document) text.Shingles {
	s := p.shingles.of(ctx, key, d, func(_ context.Context, d *wstk.Document) *text.Shingles {
		s := collate.ShinglesOf(d)
		return &s
	})
	if s == nil {
		return text.Shingles{}
	}
	return *s
}

func settingOf(ctx context.Context, d *wstk.Document) *text.Setting {
	return text.NewSetting(ctx, d.Text, d.Meta.Title, d.Meta.Type, d.Meta.Language, d.Outline)
}

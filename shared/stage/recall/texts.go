package recall

import (
	"container/list"
	"context"
	"sync"

	"wstk/shared/wstk"
)

// texts is a cache of Document texts that drops the least recently used text first. Its
// zero value is ready to use, and its methods may be called concurrently.
type texts struct {
	mu    sync.Mutex
	byKey map[wstk.Hash]*list.Element
	order *list.List // of cached, newest in front
	size  int
}

type cached struct {
	hash wstk.Hash
	text string
}

// get returns the text of hash h, from the cache or else from the store. limit is how many
// bytes the cache may hold; a text of more than a quarter of it is not kept.
func (t *texts) get(
	ctx context.Context, from wstk.BlobStore, h wstk.Hash, limit int,
) (string, error) {
	t.mu.Lock()
	if e := t.byKey[h]; e != nil {
		t.order.MoveToFront(e)
		t.mu.Unlock()
		return e.Value.(cached).text, nil
	}
	t.mu.Unlock()
	data, err := from.Get(ctx, h)
	if err != nil {
		return "", err
	}
	s := string(data)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.byKey == nil {
		t.byKey, t.order = map[wstk.Hash]*list.Element{}, list.New()
	}
	if t.byKey[h] == nil && len(s) <= limit/4 {
		t.byKey[h] = t.order.PushFront(cached{h, s})
		t.size += len(s)
		for t.size > limit {
			last := t.order.Back()
			old := t.order.Remove(last).(cached)
			delete(t.byKey, old.hash)
			t.size -= len(old.text)
		}
	}
	return s, nil
}

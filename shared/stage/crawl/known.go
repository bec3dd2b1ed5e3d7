package crawl

import (
	"crypto/sha256"
	"sync"

	"wstk/shared/wstk"
)

// known remembers URLs that this process has added, so that the links that every page of a
// site repeats are not written again. It only saves work: a URL that is forgotten is added
// once more, which changes nothing in the frontier.
type known struct {
	mu   sync.Mutex
	urls map[[16]byte]struct{}
}

// maxKnown bounds the memory to about 10 MB.
const maxKnown = 200_000

func knownKey(run wstk.RunID, url string) [16]byte {
	sum := sha256.Sum256([]byte(string(run) + " " + url))
	return [16]byte(sum[:16])
}

func (k *known) has(run wstk.RunID, url string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	_, ok := k.urls[knownKey(run, url)]
	return ok
}

func (k *known) add(run wstk.RunID, urls []wstk.FrontierURL) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.urls == nil || len(k.urls)+len(urls) > maxKnown {
		k.urls = map[[16]byte]struct{}{}
	}
	for _, u := range urls {
		k.urls[knownKey(run, u.URL)] = struct{}{}
	}
}

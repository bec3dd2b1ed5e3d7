package wstk

import (
	"context"
	"time"
)

// CacheEntry is what a Cache kept.
type CacheEntry struct {
	Value     []byte
	StoredAt  time.Time
	ExpiresAt time.Time
}

// Cache keeps what may be made again, for a time. Any entry may vanish at any moment:
// nothing that evidence refers to is kept in one.
type Cache interface {
	// Get returns the entry under key. A missing, expired or damaged one is NotFound, and so
	// is one stored over ClockSkew in the future, and one that another user of this machine
	// may have written.
	Get(ctx context.Context, key string) (CacheEntry, error)

	// Put keeps value under key for ttl, instead of what was there. A reader sees the
	// old value or the new one, never half of one.
	Put(ctx context.Context, key string, value []byte, ttl time.Duration) error

	// Delete forgets key; it is no error when there is nothing to forget.
	Delete(ctx context.Context, key string) error
}

// ClockSkew is how far ahead the clock of another process that stored an entry of a Cache may be.
const ClockSkew = 5 * time.Second

// CacheUse is what a cache holds, and what was just removed from it.
type CacheUse struct {
	Entries int   `json:"entries"` // copies of pages and replies
	Folders int   `json:"folders"` // of evidence
	Bytes   int64 `json:"bytes"`
	Removed int   `json:"removed"`
	Freed   int64 `json:"freed_bytes"`
}

// CacheUpkeep is what a Cache on a disk of one's own can do besides.
type CacheUpkeep interface {
	// Use counts what is there and removes nothing.
	Use(ctx context.Context) (CacheUse, error)

	// Prune removes expired entries, and what was used longest ago while there is too much.
	Prune(ctx context.Context) (CacheUse, error)

	// Clear removes everything.
	Clear(ctx context.Context) (CacheUse, error)
}

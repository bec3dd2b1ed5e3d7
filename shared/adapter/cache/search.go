// Package cache stores replies, so that the same question is not paid for twice. Its types
// wrap a port and implement it. They are the outermost wrappers.
package cache

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"

	"wstk/shared/wstk"
)

// Bounds of how long a reply is kept, whatever TTL says.
const (
	recent = time.Hour        // to a question about the last day, week …, which moves on
	thin   = 10 * time.Minute // without results, or with a warning: soon there may be more
)

// Search is a wstk.SearchProvider that gives a kept reply where it has one. Queries that
// differ in anything but Fresh are different questions. Failures are not kept. It may be
// used concurrently.
type Search struct {
	wstk.SearchProvider

	Cache wstk.Cache
	Scope string           // the same provider with another address or key is another one
	TTL   time.Duration    // how old a reply may be, also one that was kept for longer
	Now   func() time.Time // nil means time.Now
}

var _ wstk.SearchProvider = Search{}

// entry is how a reply is kept.
type entry struct {
	Query    string              `json:"query"`
	Results  []wstk.SearchResult `json:"results"`
	Warnings []wstk.Warning      `json:"warnings,omitempty"`
}

// Search gives what is kept, or asks and keeps what comes.
func (s Search) Search(ctx context.Context, q wstk.SearchQuery) (wstk.SearchReply, error) {
	if err := ctx.Err(); err != nil {
		return wstk.SearchReply{}, wstk.Wrap(wstk.Cancelled, "asking "+s.Info().ID, err)
	}
	key := s.key(q)
	if !q.Fresh {
		var kept entry
		if e, err := s.Cache.Get(ctx, key); err == nil && s.now().
			Sub(e.StoredAt) < s.TTL && json.Unmarshal(e.Value, &kept) == nil &&
			kept.Results != nil {
			return wstk.SearchReply{Query: kept.Query, Results: kept.Results,
				Warnings: kept.Warnings, Cached: true}, nil
		}
	}
	reply, err := s.SearchProvider.Search(ctx, q)
	if err != nil || q.Unkept {
		return reply, err
	}
	ttl := s.TTL
	if q.TimeRange != "" {
		ttl = min(ttl, recent)
	}
	if len(reply.Results) == 0 || len(reply.Warnings) > 0 {
		ttl = min(ttl, thin)
	}
	if data, err := json.Marshal(entry{reply.Query, reply.Results, reply.Warnings}); err == nil &&
		ttl > 0 {
		s.Cache.Put(context.WithoutCancel(ctx), key, data, ttl) // an entry may vanish at any moment
	}
	return reply, nil
}

func (s Search) now() time.Time {
	if s.Now == nil {
		return time.Now()
	}
	return s.Now()
}

// key names the question: everything that changes the answer.
func (s Search) key(q wstk.SearchQuery) string {
	q.Fresh, q.Unkept = false, false
	q.Max = q.Limit()
	h := sha256.New()
	// texts, numbers and times always encode
	json.NewEncoder(h).Encode([]any{s.Info().ID, s.Scope, s.Compile(q).Query, q})
	return "search/" + s.Info().ID + "/" + hex.EncodeToString(h.Sum(nil))
}

package dynamodb

import (
	"context"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"wstk/shared/wstk"
)

var _ wstk.Cache = Cache{}

// Cache is a wstk.Cache that the processes of a stack share. An entry is one item, named
// by the hash of its key, since keys hold what users ask. A value that is over 400 KB
// when compressed is TooLarge, and what was there stays. Expired entries are gone at
// once, though DynamoDB removes them up to some days later.
type Cache struct{ *DB }

func cacheKey(k string) key { return key{"cache " + string(wstk.HashOf([]byte(k))), "cache"} }

func (c Cache) Get(ctx context.Context, k string) (wstk.CacheEntry, error) {
	const op = "reading the cache"
	it, err := c.get(ctx, op, c.Tables.Records, cacheKey(k))
	if err != nil {
		return wstk.CacheEntry{}, err
	}
	e := wstk.CacheEntry{StoredAt: time.Unix(0, numOf(it, "stored")).UTC(),
		ExpiresAt: time.Unix(0, numOf(it, "until")).UTC()}
	now := c.now()
	if it == nil || !now.Before(e.ExpiresAt) || e.StoredAt.After(now.Add(wstk.ClockSkew)) {
		return wstk.CacheEntry{}, wstk.Errorf(wstk.NotFound, op, "nothing is kept under this key")
	}
	if e.Value, err = decompress(binOf(it, "value")); err != nil {
		return wstk.CacheEntry{}, wstk.Errorf(wstk.NotFound, op, "the entry is damaged: %w", err)
	}
	return e, nil
}

func (c Cache) Put(ctx context.Context, k string, value []byte, ttl time.Duration) error {
	const op = "writing to the cache"
	now := c.now()
	until := now.Add(ttl)
	it := cacheKey(k).item()
	it["value"], it["stored"], it["until"] = bin(compress(value)), num(now.UnixNano()),
		num(until.UnixNano())
	it["expires"] = num(until.Unix() + 1) // in seconds, and not before until
	return c.store(ctx, op, c.Tables.Records, it)
}

func (c Cache) Delete(ctx context.Context, k string) error {
	_, err := c.Client.DeleteItem(ctx,
		&dynamodb.DeleteItemInput{TableName: &c.Tables.Records, Key: cacheKey(k).item()})
	if err != nil {
		return failed(ctx, "removing from the cache", err)
	}
	return nil
}

package dynamodb

import (
	"context"
	"errors"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"wstk/shared/wstk"
)

var _ wstk.PageStore = Pages{}

// Pages is a wstk.PageStore. A page has two pointers, in the list of its site and in
// a shard of the list of all pages, and is counted in its site's counters while it
// holds a Document. Each state in which it held one is a version: an item in the list of
// its URL, and pointers in the lists of the blobs that it names.
type Pages struct{ *DB }

const listShards = 8

func pageKey(url string) key { return key{"page " + string(wstk.HashOf([]byte(url))), "page"} }

func ofSite(site wstk.SiteID, url string) key { return key{"pages " + string(site), urlKey(url)} }

func inShard(url string) key {
	h := fnv.New32a()
	h.Write([]byte(url))
	return key{allShard(int(h.Sum32() % listShards)), urlKey(url)}
}

func allShard(n int) string { return "pages all " + strconv.Itoa(n) }

func versionsOf(url string) string { return "versions " + string(wstk.HashOf([]byte(url))) }

// versionsNaming is the list of versions that name a blob.
func versionsNaming(h wstk.Hash) string { return "versions of " + string(h) }

// namings are the pointers to a version: sorted by URL, as far as a sort key reaches.
func namings(p wstk.Page) (keys []key) {
	url := urlKey(p.URL)
	for _, h := range []wstk.Hash{p.TextSHA256, p.Screening, p.Document} {
		if k := (key{versionsNaming(h), url + " " +
			string(p.Document)[:min(20, len(p.Document))]}); h != "" && !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	return keys
}

func countOf(site wstk.SiteID) string { return "count pages " + string(site) }

func (s Pages) Put(ctx context.Context, p wstk.Page) error {
	const op = "storing page"
	if p.URL == "" {
		return wstk.Errorf(wstk.Invalid, op, "a page needs a URL")
	}
	return s.change(ctx, op, p.URL, func(old *wstk.Page) (*wstk.Page, error) {
		if old != nil && p.CheckedAt.Before(old.CheckedAt) {
			return nil, nil
		}
		return &p, nil
	})
}

func (s Pages) MarkIndexed(ctx context.Context, url string, text wstk.Hash, at time.Time) error {
	return s.change(ctx, "marking page as indexed", url, func(old *wstk.Page) (*wstk.Page, error) {
		if old == nil || old.TextSHA256 != text {
			return nil, nil
		}
		p := *old
		p.IndexedAt = at
		return &p, nil
	})
}

// change replaces the page of url by what f makes of it, unless that is nil. Where
// another writer was faster, f sees what that one wrote.
func (s Pages) change(
	ctx context.Context, op, url string, f func(old *wstk.Page) (*wstk.Page, error),
) error {
	for try := 1; ; try++ {
		it, err := s.get(ctx, op, s.Tables.Records, pageKey(url))
		if err != nil {
			return err
		}
		var old *wstk.Page
		if it != nil {
			p, err := decode[wstk.Page](op, it)
			if err != nil {
				return err
			}
			old = &p
		}
		p, err := f(old)
		if err != nil || p == nil {
			return err
		}
		writes, err := s.writes(op, old, *p, numOf(it, "v"))
		if err != nil {
			return err
		}
		err = s.write(ctx, op, writes...)
		if !errors.As(err, new(refused)) || try > maxTries {
			return err
		}
		if err := rest(ctx, op, try); err != nil {
			return err
		}
	}
}

// writes are what makes p the page, where version v of old stood.
func (s Pages) writes(
	op string, old *wstk.Page, p wstk.Page, v int64,
) ([]types.TransactWriteItem, error) {
	it, err := record(op, pageKey(p.URL), p)
	if err != nil {
		return nil, err
	}
	it["v"] = num(v + 1)
	table := s.Tables.Records
	var writes []types.TransactWriteItem
	counts := map[wstk.SiteID]int{}
	if old == nil {
		writes = append(writes, put(table, it, isNew, nil),
			put(table, pointer(inShard(p.URL), p.URL), "", nil),
			put(table, pointer(ofSite(p.Site, p.URL), p.URL), "", nil))
	} else {
		writes = append(writes, put(table, it, isUnchanged, item{":v": num(v)}))
		if old.Site != p.Site {
			writes = append(writes, remove(table, ofSite(old.Site, p.URL)),
				put(table, pointer(ofSite(p.Site, p.URL), p.URL), "", nil))
		}
		if old.Document != "" {
			counts[old.Site]--
			counts[everySite]--
		}
	}
	if p.Document != "" {
		counts[p.Site]++
		counts[everySite]++
		if old == nil || old.Document != p.Document {
			version, err := record(op, key{versionsOf(p.URL), string(p.Document)}, p)
			if err != nil {
				return nil, err
			}
			writes = append(writes, put(table, version, "", nil))
			for _, k := range namings(p) {
				to := pointer(k, p.URL)
				to["document"] = str(string(p.Document))
				writes = append(writes, put(table, to, "", nil))
			}
		}
	}
	for site, n := range counts {
		if w, ok := counter(table, key{countOf(site), shard()}, map[string]int{"held": n}); ok {
			writes = append(writes, w)
		}
	}
	return writes, nil
}

func (s Pages) Empty(ctx context.Context, url string, site wstk.SiteID) error {
	return s.change(ctx, "emptying page", url, func(old *wstk.Page) (*wstk.Page, error) {
		if old == nil || old.Site != site {
			return nil, nil
		}
		p := old.Emptied()
		return &p, nil
	})
}

func (s Pages) Versions(ctx context.Context, url string) (out []wstk.Page, err error) {
	const op = "reading versions of page"
	err = s.each(ctx, op, span{table: s.Tables.Records, pk: versionsOf(url)}, 0,
		func(it item) (bool, error) {
			p, err := decode[wstk.Page](op, it)
			out = append(out, p)
			return true, err
		})
	wstk.SortVersions(out)
	return out, err
}

func (s Pages) Naming(ctx context.Context, h wstk.Hash, limit int) (out []wstk.Page, err error) {
	const op = "listing pages by hash"
	if h == "" {
		return nil, nil
	}
	err = s.each(ctx, op, span{table: s.Tables.Records, pk: versionsNaming(h)}, 0,
		func(it item) (bool, error) {
			found, err := s.get(ctx, op, s.Tables.Records,
				key{versionsOf(strOf(it, "url")), strOf(it, "document")})
			if err != nil || found == nil { // a pointer that is left leads nowhere
				return true, err
			}
			p, err := decode[wstk.Page](op, found)
			if err == nil && p.Names(h) {
				out = append(out, p)
			}
			return len(out) < wstk.Limit(limit), err
		})
	return out, err
}

// Remove deletes the versions, then their pointers, and the page last, so that a removal
// that was cut off can be done again: a pointer that is left leads nowhere.
func (s Pages) Remove(ctx context.Context, url string, site wstk.SiteID) error {
	const op = "removing page"
	table := s.Tables.Records
	for try := 1; ; try++ {
		it, err := s.get(ctx, op, table, pageKey(url))
		if err != nil || it == nil {
			return err
		}
		p, err := decode[wstk.Page](op, it)
		if err != nil || p.Site != site {
			return err
		}
		versions, err := s.Versions(ctx, url)
		if err != nil {
			return err
		}
		for _, v := range versions {
			if err := s.removeKeys(ctx, op, table,
				append(namings(v), key{versionsOf(url), string(v.Document)})); err != nil {
				return err
			}
		}
		whole := types.TransactWriteItem{
			Delete: &types.Delete{TableName: &table, Key: pageKey(url).item(),
				ConditionExpression:       aws.String(isUnchanged),
				ExpressionAttributeValues: item{":v": num(numOf(it, "v"))}}}
		writes := []types.TransactWriteItem{whole, remove(table, inShard(url)),
			remove(table, ofSite(site, url))}
		if p.Document != "" {
			for _, of := range []wstk.SiteID{site, everySite} {
				w, _ := counter(table, key{countOf(of), shard()}, map[string]int{"held": -1})
				writes = append(writes, w)
			}
		}
		err = s.write(ctx, op, writes...)
		if !errors.As(err, new(refused)) || try > maxTries {
			return err
		}
		if err := rest(ctx, op, try); err != nil {
			return err
		}
	}
}

// pointer is an item that leads to the page of url.
func pointer(k key, url string) item {
	it := k.item()
	it["url"] = str(url)
	return it
}

func (s Pages) Get(ctx context.Context, url string) (wstk.Page, error) {
	return find[wstk.Page](ctx, s.DB, "reading page", s.Tables.Records,
		pageKey(url), "no page "+url)
}

// Texts returns the hash of the text that each page holds now; pages that are unknown
// or hold none are left out.
func (s Pages) Texts(ctx context.Context, urls []string) (map[string]wstk.Hash, error) {
	const op = "reading pages"
	keys := make([]key, len(urls))
	for i, u := range urls {
		keys[i] = pageKey(u)
	}
	slices.SortFunc(keys, func(a, b key) int { return strings.Compare(a.pk, b.pk) })
	items, err := s.getAll(ctx, op, s.Tables.Records, slices.Compact(keys))
	if err != nil {
		return nil, err
	}
	texts := make(map[string]wstk.Hash, len(items))
	for _, it := range items {
		p, err := decode[wstk.Page](op, it)
		if err != nil {
			return nil, err
		}
		if p.TextSHA256 != "" {
			texts[p.URL] = p.TextSHA256
		}
	}
	return texts, nil
}

func (s Pages) List(
	ctx context.Context, site wstk.SiteID, cursor string, limit int,
) ([]wstk.Page, string, error) {
	const op = "listing pages"
	n := wstk.Limit(limit)
	partitions := []string{ofSite(site, "").pk}
	if site == "" {
		partitions = nil
		for i := range listShards {
			partitions = append(partitions, allShard(i))
		}
	}
	var pointers []item
	for _, pk := range partitions {
		some, err := s.first(ctx, op, span{table: s.Tables.Records, pk: pk, from: cursor}, n+1)
		if err != nil {
			return nil, "", err
		}
		pointers = append(pointers, some...)
	}
	slices.SortFunc(pointers, bySortKey)
	pointers, next := cut(pointers[:min(len(pointers), n+1)], n)
	keys := make([]key, len(pointers))
	for i, p := range pointers {
		keys[i] = pageKey(strOf(p, "url"))
	}
	items, err := s.getAll(ctx, op, s.Tables.Records, keys)
	if err != nil {
		return nil, "", err
	}
	var out []wstk.Page
	for _, it := range items {
		p, err := decode[wstk.Page](op, it)
		if err != nil {
			return nil, "", err
		}
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b wstk.Page) int {
		return strings.Compare(urlKey(a.URL), urlKey(b.URL))
	})
	return out, next, nil
}

func bySortKey(a, b item) int { return strings.Compare(strOf(a, "sk"), strOf(b, "sk")) }

func (s Pages) Count(ctx context.Context, site wstk.SiteID) (int, error) {
	const op = "counting pages"
	pk := countOf(site)
	if site == "" {
		pk = countOf(everySite)
	}
	sum, err := s.counters(ctx, op, s.Tables.Records, pk)
	return sum["held"], err
}

// everySite counts the pages of all sites.
const everySite wstk.SiteID = "*"

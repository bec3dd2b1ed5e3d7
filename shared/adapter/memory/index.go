package memory

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"sync"
	"time"

	"wstk/shared/wstk"
)

var _ wstk.Index = (*Index)(nil)

// Index is a wstk.Index with the BM25 of SQLite's FTS5: k1 = 1.2, b = 0.75, a
// term's frequency is the sum over the fields of their weight times its count
// there, a text's length is its number of tokens in all fields, and
//
//	idf = ln((N - n + 0.5) / (n + 0.5)), but never below 0.000001
//
// with N the number of entries, chunks and summaries together, and n of those
// that hold the term. Filters narrow what is returned, not what is counted.
type Index struct {
	mu       sync.RWMutex
	pages    map[string]*indexPage
	entries  map[string]*indexEntry          // by id
	postings map[string]map[string]frequency // token, entry id
	tokens   int                             // length of all entries
	inLinks  map[string]map[string]bool      // target, pages that link to it
}

type frequency float64

type indexPage struct {
	wstk.PageIndex // its Entries are kept in entries
	ids            []string
}

type indexEntry struct {
	page   *indexPage
	id     string
	kind   wstk.EntryKind
	data   []byte // the Chunk or Summary
	length int
	tokens []string // distinct
	seq    int      // of a chunk in main content; -1 for any other entry
}

// NewIndex returns an empty index.
func NewIndex() *Index {
	return &Index{pages: map[string]*indexPage{}, entries: map[string]*indexEntry{},
		postings: map[string]map[string]frequency{}, inLinks: map[string]map[string]bool{}}
}

func (x *Index) Replace(ctx context.Context, p wstk.PageIndex) error {
	const op = "indexing page"
	if err := alive(ctx, op); err != nil {
		return err
	}
	page := &indexPage{PageIndex: p}
	page.Entries, page.Links, page.PublishedAt = nil, slices.Clone(p.Links), copyTime(p.PublishedAt)
	entries, err := newEntries(op, page, p)
	if err != nil {
		return err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if old := x.pages[p.URL]; old != nil && p.FetchedAt.Before(old.FetchedAt) {
		return nil
	}
	for id := range entries {
		if e := x.entries[id]; e != nil && e.page.URL != p.URL {
			return wstk.Errorf(wstk.Invalid, op, "%s: entry %s belongs to %s",
				p.URL, id, e.page.URL)
		}
	}
	x.remove(p.URL)
	x.pages[p.URL] = page
	for _, l := range page.Links {
		if x.inLinks[l.URL] == nil {
			x.inLinks[l.URL] = map[string]bool{}
		}
		x.inLinks[l.URL][p.URL] = true
	}
	for _, e := range p.Entries {
		if x.entries[e.ID] == nil { // an id that comes twice counts once
			page.ids = append(page.ids, e.ID)
			x.entries[e.ID] = entries[e.ID]
			x.add(entries[e.ID], e)
		}
	}
	return nil
}

// newEntries checks the entries of p and copies what hits show.
func newEntries(op string, page *indexPage, p wstk.PageIndex) (map[string]*indexEntry, error) {
	if p.URL == "" {
		return nil, wstk.Errorf(wstk.Invalid, op, "a page needs a URL")
	}
	out := map[string]*indexEntry{}
	for _, e := range p.Entries {
		n := &indexEntry{page: page, id: e.ID, kind: e.Kind, seq: -1}
		var err error
		switch {
		case e.ID == "":
			err = wstk.Errorf(wstk.Invalid, op, "%s: an entry has no id", p.URL)
		case e.Kind == wstk.KindChunk && e.Chunk != nil:
			n.data, err = encode(op, e.Chunk)
			if e.Chunk.Main {
				n.seq = e.Chunk.Seq
			}
		case e.Kind == wstk.KindSummary && e.Summary != nil:
			n.data, err = encode(op, e.Summary)
		default:
			err = wstk.Errorf(wstk.Invalid, op, "%s: entry %s has the kind %q, "+
				"but no chunk or summary of that kind", p.URL, e.ID, e.Kind)
		}
		if err != nil {
			return nil, err
		}
		if out[e.ID] == nil {
			out[e.ID] = n
		}
	}
	return out, nil
}

func (x *Index) add(n *indexEntry, e wstk.Entry) {
	tf := map[string]frequency{}
	for _, field := range []struct {
		tokens []string
		weight frequency
	}{{e.Title, wstk.TitleWeight}, {e.Heading, wstk.HeadingWeight}, {e.Body, wstk.BodyWeight}} {
		for _, t := range field.tokens {
			if t != "" {
				tf[t] += field.weight
				n.length++
			}
		}
	}
	for t, f := range tf {
		if x.postings[t] == nil {
			x.postings[t] = map[string]frequency{}
		}
		x.postings[t][n.id] = f
		n.tokens = append(n.tokens, t)
	}
	x.tokens += n.length
}

func (x *Index) Remove(ctx context.Context, url string) error {
	if err := alive(ctx, "removing page from index"); err != nil {
		return err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.remove(url)
	return nil
}

func (x *Index) remove(url string) {
	page := x.pages[url]
	if page == nil {
		return
	}
	for _, id := range page.ids {
		e := x.entries[id]
		for _, t := range e.tokens {
			if delete(x.postings[t], id); len(x.postings[t]) == 0 {
				delete(x.postings, t)
			}
		}
		x.tokens -= e.length
		delete(x.entries, id)
	}
	for _, l := range page.Links {
		if delete(x.inLinks[l.URL], url); len(x.inLinks[l.URL]) == 0 {
			delete(x.inLinks, l.URL)
		}
	}
	delete(x.pages, url)
}

func (x *Index) Search(ctx context.Context, q wstk.IndexQuery) ([]wstk.IndexHit, error) {
	const op = "searching index"
	if err := alive(ctx, op); err != nil {
		return nil, err
	}
	x.mu.RLock()
	defer x.mu.RUnlock()
	average := float64(x.tokens) / float64(max(len(x.entries), 1))
	scores := map[string]float64{}
	terms := weights(q.Terms)
	// in order, so that equal texts get equal sums
	for _, token := range slices.Sorted(maps.Keys(terms)) {
		weight := terms[token]
		n := float64(len(x.postings[token]))
		idf := max(math.Log((float64(len(x.entries))-n+0.5)/(n+0.5)), 1e-6)
		for id, f := range x.postings[token] {
			e, tf := x.entries[id], float64(f)
			scores[id] += weight * idf * tf * 2.2 / (tf + 1.2*(0.25+0.75*float64(e.length)/average))
		}
	}
	allowed := map[*indexPage]bool{}
	for url, p := range x.pages {
		allowed[p] = (len(q.Pages) == 0 || slices.Contains(q.Pages, url)) &&
			q.Filter.Match(p.Site, url, p.FetchedAt)
	}
	var ids []string
	for id := range scores {
		if e := x.entries[id]; allowed[e.page] && (q.Kind == "" || q.Kind == e.kind) {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b string) int {
		return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b))
	})
	limit := q.Limit
	if limit < 1 {
		limit = 50
	}
	var out []wstk.IndexHit
	for _, id := range ids[:min(limit, len(ids))] {
		h, err := x.entries[id].hit(op)
		if err != nil {
			return nil, err
		}
		h.Score = scores[id]
		out = append(out, h)
	}
	return out, nil
}

// weights sums the weights of each token; what is not positive says nothing.
func weights(terms []wstk.QueryTerm) map[string]float64 {
	m := map[string]float64{}
	for _, t := range terms {
		if t.Token != "" && t.Weight > 0 {
			m[t.Token] += t.Weight
		}
	}
	return m
}

func (e *indexEntry) hit(op string) (wstk.IndexHit, error) {
	p := e.page
	h := wstk.IndexHit{ID: e.id, Kind: e.kind, URL: p.URL, Site: p.Site,
		CanonicalURL: p.CanonicalURL,
		Title:        p.Title, FetchedAt: p.FetchedAt, PublishedAt: copyTime(p.PublishedAt)}
	var err error
	if e.kind == wstk.KindChunk {
		var c wstk.Chunk
		c, err = decode[wstk.Chunk](op, e.data)
		h.Chunk = &c
	} else {
		var s wstk.Summary
		s, err = decode[wstk.Summary](op, e.data)
		h.Summary = &s
	}
	return h, err
}

func copyTime(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	c := *t
	return &c
}

func (x *Index) Entry(ctx context.Context, id string) (wstk.IndexHit, error) {
	const op = "reading entry"
	if err := alive(ctx, op); err != nil {
		return wstk.IndexHit{}, err
	}
	x.mu.RLock()
	defer x.mu.RUnlock()
	e := x.entries[id]
	if e == nil {
		return wstk.IndexHit{}, wstk.Errorf(wstk.NotFound, op, "no entry %s", id)
	}
	return e.hit(op)
}

func (x *Index) Links(ctx context.Context, url string, limit int) ([]wstk.LinkTo, error) {
	if err := alive(ctx, "reading links"); err != nil {
		return nil, err
	}
	x.mu.RLock()
	defer x.mu.RUnlock()
	from := x.pages[url]
	if from == nil {
		return nil, nil
	}
	pages := map[wstk.SiteID]int{}
	for _, p := range x.pages {
		pages[p.Site]++
	}
	var out []wstk.LinkTo
	for _, l := range from.Links {
		target := x.pages[l.URL]
		if target == nil {
			continue
		}
		if len(out) == wstk.Limit(limit) {
			break
		}
		in := 0
		for page := range x.inLinks[l.URL] {
			if x.pages[page].Site == target.Site {
				in++
			}
		}
		out = append(out, wstk.LinkTo{URL: l.URL, Text: l.Text, Main: l.Main,
			InShare: float64(in) / float64(pages[target.Site]), TargetID: x.firstMain(target)})
	}
	return out, nil
}

func (x *Index) firstMain(p *indexPage) string {
	var first *indexEntry
	for _, id := range p.ids {
		if e := x.entries[id]; e.seq >= 0 && (first == nil || e.seq < first.seq) {
			first = e
		}
	}
	if first == nil {
		return ""
	}
	return first.id
}

func (x *Index) Stats(ctx context.Context) (wstk.IndexStats, error) {
	if err := alive(ctx, "counting index"); err != nil {
		return wstk.IndexStats{}, err
	}
	x.mu.RLock()
	defer x.mu.RUnlock()
	s := wstk.IndexStats{Pages: len(x.pages)}
	for _, p := range x.pages {
		s.Links += len(p.Links)
	}
	for _, e := range x.entries {
		if e.kind == wstk.KindChunk {
			s.Chunks++
		} else {
			s.Summaries++
		}
	}
	return s, nil
}

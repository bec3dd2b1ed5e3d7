package opensearch

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	infra "wstk/infra/opensearch"
	"wstk/shared/wstk"
)

var _ wstk.VectorIndex = (*Vectors)(nil)

// Vectors is a wstk.VectorIndex in indexes of its own beside an Index: one for each model and
// dimension, which the first write makes, so that the vectors of a model that is used no more can
// be deleted at once. It may be used by many at once; its fields are set before.
//
// OpenSearch finds the neighbours of a vector in a graph (HNSW), at least two for each hit and a
// hundred in all; up to that many vectors, or that many that a filter leaves, all are compared.
// Among more it may miss a neighbour. The cosine of those it finds is computed here from all
// digits of the vectors, and so is the same as on one machine.
//
// Pages are replaced and removed as those of Index, and on Serverless as late: what is left of an
// older text is a hit until then, whose chunk the Index does not have.
type Vectors struct {
	// Index says where, and how to ask. The names of the indexes begin with its own.
	Index *Index

	// Engine searches: faiss on Serverless, lucene or faiss on a domain. Default faiss.
	Engine string

	made sync.Map // names of indexes that exist
}

// kindVector is the kind of a document with a vector.
const kindVector wstk.EntryKind = "vector"

// maxSlug bounds the readable part of the name of an index, which has at most 255 bytes.
const maxSlug = 60

// prefix begins the names of the indexes of a model: its name as far as the name of an index can
// say it, and a hash of it.
func (v *Vectors) prefix(model string) string {
	slug := strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
			return r
		case 'A' <= r && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '-'
	}, model)
	return v.Index.name() + "-vectors-" + slug[:min(len(slug), maxSlug)] + "-" +
		hash(model)[:12] + "-"
}

// of is the index of a model's vectors with this many numbers; 0 is that of the pages that have
// none.
func (v *Vectors) of(model string, dimension int) *Index {
	return v.Index.named(fmt.Sprint(v.prefix(model), dimension))
}

// body makes the index of vectors with this many numbers.
func (v *Vectors) body(op string, dimension int) (mapping, error) {
	var m mapping
	if err := json.Unmarshal(infra.Vectors, &m); err != nil {
		return m, wstk.Wrap(wstk.Internal, op, err)
	}
	if dimension > 0 {
		m.Mappings.Properties["vector"] = map[string]any{"type": "knn_vector",
			"dimension": dimension, "method": map[string]any{"name": "hnsw",
				"engine": cmp.Or(v.Engine, "faiss"), "space_type": "l2"}}
	}
	return m, nil
}

// Replace writes the new vectors and then deletes every older one.
func (v *Vectors) Replace(ctx context.Context, p wstk.PageVectors) error {
	const op = "indexing vectors"
	if err := wstk.CheckPageVectors(op, p); err != nil {
		return err
	}
	dimension := 0
	base := about(p.URL, p.Site, p.FetchedAt)
	base.Model, base.Kind = p.Model, kindPage
	docs := []document{base}
	for i, numbers := range p.Vectors {
		dimension = len(numbers)
		d := base
		d.Kind, d.ID, d.Vector, d.Packed = kindVector, p.Chunks[i], numbers,
			wstk.PackVector(numbers)
		docs = append(docs, d)
	}
	body, err := v.body(op, dimension)
	if err != nil {
		return err
	}
	return shelf{Index: v.of(p.Model, dimension), all: v.Index.named(v.prefix(p.Model) + "*"),
		body: body, made: &v.made}.replace(ctx, op, p.URL, p.FetchedAt, docs)
}

// Remove forgets a page by every model.
func (v *Vectors) Remove(ctx context.Context, url string) error {
	const op = "removing vectors"
	all := v.Index.named(v.Index.name() + "-vectors-*")
	held, _, err := all.held(ctx, op, key(url))
	if err != nil {
		return err
	}
	return all.delete(ctx, op, held)
}

// Held asks for a thousand pages at once.
func (v *Vectors) Held(
	ctx context.Context, model string, urls ...string,
) (map[string]time.Time, error) {
	keys := make([]string, len(urls))
	for i, url := range urls {
		keys[i] = key(url)
	}
	held, err := v.Index.named(v.prefix(model)+"*").
		pages(ctx, "reading vectors", keys, "fetched_at")
	if err != nil {
		return nil, err
	}
	out := make(map[string]time.Time, len(held))
	for i, url := range urls {
		if d, ok := held[keys[i]]; ok {
			out[url] = time.Unix(0, d.FetchedAt).UTC()
		}
	}
	return out, nil
}

// Nearest makes one request.
func (v *Vectors) Nearest(ctx context.Context, q wstk.VectorQuery) ([]wstk.VectorHit, error) {
	const op = "searching vectors"
	best := wstk.Nearer{Limit: q.Limit}
	window := min(max(overfetch*cmp.Or(max(q.Limit, 0), 50), least), most)
	knn := map[string]any{"vector": q.Vector, "k": window}
	if narrow := narrowed(q.Filter, q.Pages); len(narrow) > 0 {
		knn["filter"] = map[string]any{"bool": map[string]any{"filter": narrow}}
	}
	f, err := search[found](ctx, v.of(q.Model, len(q.Vector)), op, map[string]any{"size": window,
		"track_total_hits": false, "_source": []string{"id", "url", "site", "version", "packed"},
		"query": map[string]any{"knn": map[string]any{"vector": knn}}})
	if err != nil {
		return nil, err
	}
	for _, c := range latest(q.Filter, f.list()) {
		numbers, err := wstk.UnpackVector(op, c.Packed)
		if err != nil {
			return nil, err
		}
		if len(numbers) != len(q.Vector) {
			return nil, wstk.Errorf(wstk.Internal, op, "the index holds %d numbers of %s, not %d",
				len(numbers), c.ID, len(q.Vector))
		}
		best.Add(c.ID, wstk.Cosine(numbers, q.Vector))
	}
	return best.Best(), nil
}

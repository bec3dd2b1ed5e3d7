// Package opensearch is the search index on OpenSearch: a domain of one's own or a
// vector collection of OpenSearch Serverless. OpenSearch finds and filters; what
// ranks is the BM25 of wstk.Index, computed here from counts that come with the
// hits, so that both homes rank alike.
package opensearch

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"net/http"
	neturl "net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"

	infra "wstk/infra/opensearch"
	"wstk/shared/wstk"
)

var _ wstk.Index = (*Index)(nil)

// Index is a wstk.Index in one index of OpenSearch, which the first write makes.
// It may be used by many at once; its fields are set before.
//
// A page is replaced by writing its new documents and then deleting every older one.
// Each document carries a version, by time of fetch and then of writing, and a client that
// has written deletes what is older than the newest it sees, be it its own: of
// several writers at once the newest fetch is left. In between, readers may see
// both, or, after a write was cut off, parts; Current keeps those out of hits.
//
// On Serverless writes show up to a minute late. A page that is replaced or removed
// within that time after another write keeps documents of that write until it is
// written again: Current keeps them out of hits, but they count in the frequencies
// behind scores, in Stats and in shares of links.
type Index struct {
	Endpoint string // URL of the domain or collection, or http://127.0.0.1:9200
	Name     string // of the index; default wstk

	// Serverless leaves out of requests what vector collections refuse: ids of our
	// own, which are never sent, and refreshing, with which a domain shows a write
	// as soon as it returns.
	Serverless bool

	// Credentials sign each request for Region with the service's name, aoss when
	// Serverless, else es; nil signs nothing.
	Credentials aws.CredentialsProvider
	Region      string

	// Client sends requests; nil is the SDK's own with its time-outs.
	Client aws.HTTPClient

	// Current returns the hash of the text that each page has now; a page that it
	// leaves out has none. Hits of another text are dropped. nil checks nothing.
	Current func(ctx context.Context, urls []string) (map[string]wstk.Hash, error)

	// Pause is the first pause before a failed request is sent again; each further
	// one is twice as long. Default 100 ms.
	Pause time.Duration
}

var plainClient aws.HTTPClient = awshttp.NewBuildableClient()

func (x *Index) client() aws.HTTPClient {
	if x.Client != nil {
		return x.Client
	}
	return plainClient
}

// name is that of the index, or a pattern of several names, see named.
func (x *Index) name() string { return cmp.Or(x.Name, "wstk") }

// named is x for another index, or for all those whose names fit a pattern with a star.
func (x *Index) named(name string) *Index {
	other := *x
	other.Name = name
	return &other
}

func (x *Index) path(rest string) string {
	// a star stays as it is: signers and servers agree on how to write that
	return "/" + strings.ReplaceAll(neturl.PathEscape(x.name()), "%2A", "*") + rest
}

// mapping is the body that makes an index.
type mapping struct {
	Settings map[string]any `json:"settings"`
	Mappings struct {
		Dynamic    string         `json:"dynamic"`
		Source     any            `json:"_source"`
		Properties map[string]any `json:"properties"`
	} `json:"mappings"`
}

// create makes the index; one that is there is left as it is.
func (x *Index) create(ctx context.Context, op string, body any) error {
	data, err := json.Marshal(body)
	if err != nil {
		return wstk.Wrap(wstk.Internal, op, err)
	}
	return x.again(ctx, op, func() error {
		r, err := x.send(ctx, op, http.MethodPut, x.path(""), data, "application/json")
		if err != nil {
			return err
		}
		var said struct{ Error problem }
		if r.status == http.StatusBadRequest && json.Unmarshal(r.body, &said) == nil &&
			said.Error.Type == "resource_already_exists_exception" {
			return nil
		}
		return written(op, r)
	})
}

// holding is a document of a page, by its index and the id that OpenSearch gave it.
type holding struct{ index, document, version, entry string }

type heldReply struct {
	answered
	Hits struct {
		Hits []struct {
			Index  string              `json:"_index"`
			ID     string              `json:"_id"`
			Fields map[string][]string `json:"fields"`
			Sort   []any               `json:"sort"`
		} `json:"hits"`
	} `json:"hits"`
}

// held lists the documents of a page, newest first. exists is false when there is
// no index yet.
func (x *Index) held(ctx context.Context, op, page string) (all []holding, exists bool, err error) {
	const most = 10_000
	query := map[string]any{"query": term("page", page), "size": most, "_source": false,
		"track_total_hits": false,
		"docvalue_fields":  []string{"version", "id"},
		"sort":             []any{by("version", "desc"), by("id", "asc")}}
	for {
		found, err := search[heldReply](ctx, x, op, query)
		if err != nil || found.Shards == nil {
			return nil, false, err
		}
		for _, h := range found.Hits.Hits {
			all = append(all, holding{h.Index, h.ID, one(h.Fields["version"]), one(h.Fields["id"])})
			query["search_after"] = h.Sort
		}
		if len(found.Hits.Hits) < most {
			return all, true, nil
		}
	}
}

func one(values []string) string {
	if len(values) == 0 {
		return ""
	}
	return values[0]
}

func term(field string, value any) map[string]any {
	return map[string]any{"term": map[string]any{field: map[string]any{"value": value}}}
}

func by(field, order string) map[string]any {
	return map[string]any{field: map[string]any{"order": order}}
}

func (x *Index) Replace(ctx context.Context, p wstk.PageIndex) error {
	const op = "indexing page"
	docs, err := documents(op, p)
	if err != nil {
		return err
	}
	return shelf{Index: x, all: x, body: json.RawMessage(infra.Index)}.
		replace(ctx, op, p.URL, p.FetchedAt, docs)
}

// shelf is where the documents of pages lie.
type shelf struct {
	*Index           // the index that takes documents
	all    *Index    // that of which it is one: what a page had in any of them is forgotten
	body   any       // makes the index
	made   *sync.Map // names of indexes that this process has seen or made; may be nil
}

// replace makes docs all that is held of a page, unless what is held was fetched later.
func (s shelf) replace(
	ctx context.Context, op, url string, fetched time.Time, docs []document,
) error {
	before, exists, err := s.all.held(ctx, op, key(url))
	if err != nil {
		return err
	}
	newest := ""
	if len(before) > 0 {
		newest = before[0].version
	}
	if fetchedPart(fetched) < newest[:min(len(newest), fetchedLen)] {
		return nil
	}
	if err := s.ensure(ctx, op, exists && s.all == s.Index); err != nil {
		return err
	}
	own := version(fetched, time.Now(), newest)
	var all []action
	for _, d := range docs {
		d.Version = own
		a, err := create(op, d)
		if err != nil {
			return err
		}
		all = append(all, a)
	}
	if err := s.bulk(ctx, op, all); err != nil {
		return err
	}
	after, _, err := s.all.held(ctx, op, key(url))
	if err != nil {
		return err
	}
	// A tie of versions is one document that was written twice, because the reply to
	// the first time was lost.
	slices.SortStableFunc(after, func(a, b holding) int {
		return cmp.Compare(b.version, a.version)
	})
	if len(after) > 0 {
		newest = max(own, after[0].version)
	} else {
		newest = own
	}
	var doomed []holding
	kept := map[string]bool{}
	for _, h := range append(before, after...) {
		if h.version == newest && !kept[h.entry] {
			kept[h.entry] = true
			continue
		}
		doomed = append(doomed, h)
	}
	return s.all.delete(ctx, op, doomed)
}

// ensure makes the index where it is not known to exist.
func (s shelf) ensure(ctx context.Context, op string, exists bool) error {
	if s.made != nil {
		_, exists = s.made.Load(s.name())
	}
	if exists {
		return nil
	}
	if err := s.create(ctx, op, s.body); err != nil || s.made == nil {
		return err
	}
	s.made.Store(s.name(), true)
	return nil
}

// delete deletes documents, each where it lies.
func (x *Index) delete(ctx context.Context, op string, doomed []holding) error {
	ids := map[string][]string{}
	for _, h := range doomed {
		ids[h.index] = append(ids[h.index], h.document)
	}
	for _, index := range slices.Sorted(maps.Keys(ids)) {
		slices.Sort(ids[index])
		var all []action
		for _, id := range slices.Compact(ids[index]) {
			a, err := remove(op, id)
			if err != nil {
				return err
			}
			all = append(all, a)
		}
		if err := x.named(index).bulk(ctx, op, all); err != nil {
			return err
		}
	}
	return nil
}

func (x *Index) Remove(ctx context.Context, url string) error {
	const op = "removing page from index"
	held, _, err := x.held(ctx, op, key(url))
	if err != nil {
		return err
	}
	return x.delete(ctx, op, held)
}

// Entry returns the newest stored entry with this id.
func (x *Index) Entry(ctx context.Context, id string) (wstk.IndexHit, error) {
	const op = "reading entry"
	f, err := search[found](ctx, x, op,
		map[string]any{"query": term("id", id), "size": 1, "sort": []any{by("version", "desc")}})
	if err != nil {
		return wstk.IndexHit{}, err
	}
	hits, err := x.current(ctx, op, f.list(), 1)
	if err != nil {
		return wstk.IndexHit{}, err
	}
	if len(hits) == 0 {
		return wstk.IndexHit{}, wstk.Errorf(wstk.NotFound, op, "no entry %s", id)
	}
	return hits[0], nil
}

type statsReply struct {
	answered
	Aggregations struct {
		Kinds struct {
			Buckets map[wstk.EntryKind]struct {
				Count int `json:"doc_count"`
			} `json:"buckets"`
		} `json:"kinds"`
		Links struct {
			Value float64 `json:"value"`
		} `json:"links"`
	} `json:"aggregations"`
}

// Stats counts what the index holds, in one request. It visits every document.
func (x *Index) Stats(ctx context.Context) (wstk.IndexStats, error) {
	kinds := map[string]any{}
	for _, k := range []wstk.EntryKind{kindPage, wstk.KindChunk, wstk.KindSummary} {
		kinds[string(k)] = term("kind", k)
	}
	found, err := search[statsReply](ctx, x, "counting index",
		map[string]any{"size": 0, "track_total_hits": false, "aggs": map[string]any{
			"kinds": map[string]any{"filters": map[string]any{"filters": kinds}},
			"links": map[string]any{"sum": map[string]any{"field": "links"}}}})
	a := found.Aggregations
	return wstk.IndexStats{Pages: a.Kinds.Buckets[kindPage].Count,
		Chunks:    a.Kinds.Buckets[wstk.KindChunk].Count,
		Summaries: a.Kinds.Buckets[wstk.KindSummary].Count, Links: int(a.Links.Value)}, err
}

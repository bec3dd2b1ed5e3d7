package wstk

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// Page is one URL in its newest state: which Snapshot, Document and Screening
// stand for it now. The nouns it points to never change; the Page does.
type Page struct {
	URL            string `json:"url"` // canonical, see text.Canonical
	Site           SiteID `json:"site_id,omitempty"`
	CanonicalURL   string `json:"canonical_url"`
	DuplicateOf    string `json:"duplicate_of,omitempty"`
	Title          string `json:"title,omitempty"`
	Language       string `json:"language,omitempty"`
	SnapshotSHA256 Hash   `json:"snapshot_sha256,omitempty"` // body
	TextSHA256     Hash   `json:"text_sha256,omitempty"`
	Document       Hash   `json:"document,omitempty"`  // structure blob, see LoadDocument
	Screening      Hash   `json:"screening,omitempty"` // JSON blob; "" when nothing was found
	// the text held now is a teaser: the page breaks off behind a paywall
	Partial      bool      `json:"partial,omitempty"`
	Verdict      Verdict   `json:"verdict"` // of the newest fetch
	Reason       string    `json:"reason,omitempty"`
	ETag         string    `json:"etag,omitempty"`
	LastModified string    `json:"last_modified,omitempty"`
	FetchedAt    time.Time `json:"fetched_at"` // when the text held now was fetched
	CheckedAt    time.Time `json:"checked_at"` // newest fetch, also when not modified
	// when index acknowledged the text held now
	IndexedAt   time.Time  `json:"indexed_at,omitzero"`
	PublishedAt *time.Time `json:"published_at,omitempty"`
	ModifiedAt  *time.Time `json:"modified_at,omitempty"`
}

// PageStore keeps the newest state of every URL.
type PageStore interface {
	// Put stores p under its URL, replacing what was there. An older fetch never
	// replaces a newer one: a p whose CheckedAt is before the stored one's is
	// ignored without error, so that a late duplicate message does no harm.
	Put(ctx context.Context, p Page) error

	// Get returns the page of this URL or NotFound.
	Get(ctx context.Context, url string) (Page, error)

	// List returns pages of a site ("" for all) in order of URL, at most limit,
	// starting after the cursor; next is "" at the end.
	List(ctx context.Context, site SiteID, cursor string, limit int) (pages []Page,
		next string, err error)

	// Count returns the number of pages of a site that hold a Document.
	Count(ctx context.Context, site SiteID) (int, error)

	// Versions returns every state in which the page held a Document, one for each Document,
	// newest first, whatever the page holds now; an unknown page has none.
	Versions(ctx context.Context, url string) ([]Page, error)

	// Naming returns versions of pages whose text, Screening or Document is h, in order of
	// URL, at most limit; none is an empty list.
	Naming(ctx context.Context, h Hash, limit int) ([]Page, error)

	// Empty takes from the page of this URL what it names (SnapshotSHA256, TextSHA256,
	// Document, Screening, ETag, LastModified, IndexedAt), if it belongs to this site. Its
	// Versions stay. It is a no-op otherwise.
	Empty(ctx context.Context, url string, site SiteID) error

	// Remove forgets the page of this URL and its versions, if it belongs to this site; it
	// is a no-op otherwise.
	Remove(ctx context.Context, url string, site SiteID) error

	// MarkIndexed sets IndexedAt of the page if it still holds this text; it is a
	// no-op otherwise.
	MarkIndexed(ctx context.Context, url string, text Hash, at time.Time) error
}

// Emptied is p without what it names: the page is known, and nothing of it is held.
func (p Page) Emptied() Page {
	p.SnapshotSHA256, p.TextSHA256, p.Document, p.Screening = "", "", "", ""
	p.ETag, p.LastModified, p.IndexedAt = "", "", time.Time{}
	return p
}

// Names reports whether p names h as its text, Screening or Document.
func (p Page) Names(h Hash) bool {
	return h != "" && (p.TextSHA256 == h || p.Screening == h || p.Document == h)
}

// SortVersions puts states of one page in the order of PageStore.Versions.
func SortVersions(all []Page) {
	slices.SortFunc(all, func(a, b Page) int {
		return cmp.Or(b.CheckedAt.Compare(a.CheckedAt), cmp.Compare(a.Document, b.Document))
	})
}

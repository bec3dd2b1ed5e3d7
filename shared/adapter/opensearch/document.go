package opensearch

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	neturl "net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"wstk/shared/wstk"
)

// document is what the index holds: a page, or an entry of a page. The mapping
// says how each field is indexed.
type document struct {
	Kind       wstk.EntryKind `json:"kind"` // kindPage for the page itself
	ID         string         `json:"id,omitempty"`
	Page       string         `json:"page"`    // key of its URL
	Version    string         `json:"version"` // see version
	URL        string         `json:"url"`
	Site       wstk.SiteID    `json:"site"`
	Scheme     string         `json:"scheme,omitempty"`
	Host       string         `json:"host,omitempty"`
	Hosts      []string       `json:"hosts,omitempty"` // host and every domain it is in
	Port       string         `json:"port,omitempty"`
	Path       string         `json:"path,omitempty"`
	TextSHA256 wstk.Hash      `json:"text_sha256"`
	FetchedAt  int64          `json:"fetched_at"` // nanoseconds

	// of an entry
	// each as often as its frequency, rounded up
	Words  string `json:"words,omitempty"`
	Length int    `json:"length,omitempty"` // tokens in all fields
	// of each word, weighted by field: a newline, the word, a space, the number
	Frequencies string `json:"frequencies,omitempty"`

	// of a vector; its id is that of its chunk
	Model  string    `json:"model,omitempty"`
	Vector []float32 `json:"vector,omitempty"`
	Packed []byte    `json:"packed,omitempty"` // the same, to compute with

	// of a page
	Targets   []string    `json:"targets,omitempty"` // keys of the URLs it links to
	Links     int         `json:"links,omitempty"`
	FirstMain string      `json:"first_main,omitempty"`
	LinkList  []wstk.Link `json:"link_list,omitempty"`

	Data json.RawMessage `json:"data,omitempty"` // of an entry: what a hit shows
}

const kindPage wstk.EntryKind = "page"

// shown is what a hit shows beside its score.
type shown struct {
	CanonicalURL string        `json:"canonical_url"`
	Title        string        `json:"title"`
	FetchedAt    time.Time     `json:"fetched_at"`
	PublishedAt  *time.Time    `json:"published_at,omitempty"`
	Chunk        *wstk.Chunk   `json:"chunk,omitempty"`
	Summary      *wstk.Summary `json:"summary,omitempty"`
}

// maxPath bounds the indexed part of a path, and with it a rule's prefix, of which
// OpenSearch takes 1,000 bytes.
const maxPath = 900

// about is what all documents of a page say.
func about(url string, site wstk.SiteID, fetched time.Time) document {
	d := document{Page: key(url), URL: url, Site: site, FetchedAt: nanos(fetched)}
	if u, err := neturl.Parse(url); err == nil { // what is no URL matches no rule
		r := wstk.ParseSiteRule(url) // for the port that is not written
		d.Scheme, d.Host, d.Port, d.Path = u.Scheme, strings.ToLower(u.Hostname()),
			r.Port, u.EscapedPath()
		if u.RawQuery != "" {
			d.Path += "?" + u.RawQuery
		}
		d.Path = d.Path[:min(len(d.Path), maxPath)]
		d.Hosts = domains(d.Host)
	}
	return d
}

// documents makes of a page what the index holds of it, the page itself last. An
// entry whose id comes twice counts once.
func documents(op string, p wstk.PageIndex) ([]document, error) {
	if p.URL == "" {
		return nil, wstk.Errorf(wstk.Invalid, op, "a page needs a URL")
	}
	base := about(p.URL, p.Site, p.FetchedAt)
	base.TextSHA256 = p.TextSHA256
	page := base
	page.Kind, page.LinkList, page.Links = kindPage, p.Links, len(p.Links)
	for _, l := range p.Links {
		page.Targets = append(page.Targets, key(l.URL))
	}
	slices.Sort(page.Targets)
	page.Targets = slices.Compact(page.Targets)

	var docs []document
	seen, firstSeq := map[string]bool{}, 0
	for _, e := range p.Entries {
		d := base
		d.Kind, d.ID = e.Kind, e.ID
		show := shown{CanonicalURL: p.CanonicalURL, Title: p.Title, FetchedAt: p.FetchedAt,
			PublishedAt: p.PublishedAt}
		switch {
		case e.ID == "":
			return nil, wstk.Errorf(wstk.Invalid, op, "%s: an entry has no id", p.URL)
		case e.Kind == wstk.KindChunk && e.Chunk != nil:
			show.Chunk = e.Chunk
		case e.Kind == wstk.KindSummary && e.Summary != nil:
			show.Summary = e.Summary
		default:
			return nil, wstk.Errorf(wstk.Invalid, op, "%s: entry %s has the kind %q, "+
				"but no chunk or summary of that kind", p.URL, e.ID, e.Kind)
		}
		if seen[e.ID] {
			continue
		}
		seen[e.ID] = true
		var err error
		if d.Data, err = json.Marshal(show); err != nil {
			return nil, wstk.Wrap(wstk.Internal, op, err)
		}
		d.addWords(e)
		if e.Chunk != nil && e.Chunk.Main && (page.FirstMain == "" || e.Chunk.Seq < firstSeq) {
			page.FirstMain, firstSeq = e.ID, e.Chunk.Seq
		}
		docs = append(docs, d)
	}
	return append(docs, page), nil
}

func (d *document) addWords(e wstk.Entry) {
	sum := map[string]float64{}
	for _, field := range []struct {
		tokens []string
		weight float64
	}{{e.Title, wstk.TitleWeight}, {e.Heading, wstk.HeadingWeight}, {e.Body, wstk.BodyWeight}} {
		for _, t := range field.tokens {
			if t != "" {
				sum[word(t)] += field.weight
				d.Length++
			}
		}
	}
	var words, frequencies strings.Builder
	for w, f := range sum {
		words.WriteString(strings.Repeat(w+" ", int(math.Ceil(f))))
		fmt.Fprintf(&frequencies, "\n%s %g", w, f)
	}
	d.Words, d.Frequencies = words.String(), frequencies.String()
}

// frequency is that of a word in an entry, weighted by field.
func (d document) frequency(word string) float64 {
	_, rest, ok := strings.Cut(d.Frequencies, "\n"+word+" ")
	if !ok {
		return 0
	}
	number, _, _ := strings.Cut(rest, "\n")
	f, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return 0
	}
	return f
}

// word is a token as the index holds it: itself where the plainest tokeniser leaves
// it whole, else a hash of it.
func word(token string) string {
	plain := len(token) <= 200 && token[0] != '~' && utf8.ValidString(token) &&
		!strings.ContainsFunc(token, func(r rune) bool {
			return unicode.IsSpace(r) || unicode.IsControl(r)
		})
	if plain {
		return token
	}
	return "~" + hash(token)
}

// key names a URL, however long it is.
func key(url string) string { return hash(url) }

func hash(s string) string { return string(wstk.HashOf([]byte(s)))[:32] }

// domains are host and all it is a subdomain of; an address has none.
func domains(host string) []string {
	all := []string{host}
	for {
		_, rest, ok := strings.Cut(host, ".")
		if !ok {
			return all
		}
		all, host = append(all, rest), rest
	}
}

// version orders what is written for one page: by when it was fetched, then by
// when it was written. It is later than any version in held of the same fetch.
func version(fetched time.Time, now time.Time, held string) string {
	written := uint64(now.UnixNano())
	if prefix := fetchedPart(fetched); strings.HasPrefix(held, prefix) {
		var last uint64
		if _, err := fmt.Sscanf(held[len(prefix):], "%016x", &last); err == nil {
			written = max(written, last+1)
		}
	}
	var tail [4]byte
	rand.Read(tail[:])
	return fetchedPart(fetched) + fmt.Sprintf("%016x", written) + hex.EncodeToString(tail[:])
}

// fetchedPart is a time so that the order of strings is the order of times. It is
// the first fetchedLen digits of a version.
func fetchedPart(t time.Time) string { return fmt.Sprintf("%016x", uint64(nanos(t))+1<<63) }

const fetchedLen = 16

// nanos is a time in nanoseconds since 1970. Before 1677 and after 2262, which that
// cannot say, it is the nearest that can be said.
func nanos(t time.Time) int64 {
	switch {
	case t.Before(time.Unix(0, math.MinInt64)):
		return math.MinInt64
	case t.After(time.Unix(0, math.MaxInt64)):
		return math.MaxInt64
	}
	return t.UnixNano()
}

// hit is a found document as the port gives it.
func (d document) hit(op string) (wstk.IndexHit, error) {
	var s shown
	if err := json.Unmarshal(d.Data, &s); err != nil || s.Chunk == nil && s.Summary == nil {
		return wstk.IndexHit{}, wstk.Errorf(wstk.Internal, op,
			"the index holds no content for entry %s", d.ID)
	}
	return wstk.IndexHit{ID: d.ID, Kind: d.Kind, URL: d.URL, Site: d.Site,
		CanonicalURL: s.CanonicalURL, Title: s.Title,
		FetchedAt: s.FetchedAt, PublishedAt: s.PublishedAt, Chunk: s.Chunk, Summary: s.Summary}, nil
}

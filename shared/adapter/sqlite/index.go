package sqlite

import (
	"context"
	"database/sql"
	"errors"
	neturl "net/url"

	"wstk/shared/wstk"
)

var _ wstk.Index = (*Index)(nil)

// Index is a wstk.Index: an inverted index (see postings.go), the entries, and the
// link graph.
type Index struct {
	db      *DB
	merging merging
}

// Index returns the index.
func (db *DB) Index() *Index { return &Index{db, defaultMerging} }

// prepared is a page as it is stored, made before any lock is taken.
type prepared struct {
	wstk.PageIndex
	rows           []row
	chunks, tokens int
	postings       []byte
	firstMain      string
	links          string // JSON: [[URL, text, main], …]
	data           string // JSON of the page without entries and links
	at             address
}

// row is an entry as it is stored.
type row struct {
	id      string
	summary bool
	data    string
}

// prepare checks and encodes a page. An entry whose id comes twice counts once.
func prepare(op string, page wstk.PageIndex) (*prepared, error) {
	if page.URL == "" {
		return nil, wstk.Errorf(wstk.Invalid, op, "a page needs a URL")
	}
	p := &prepared{PageIndex: page, at: parts(page.URL)}
	p.Entries = nil
	seen, firstSeq := map[string]bool{}, 0
	for _, e := range page.Entries {
		r, err := p.row(op, e)
		if err != nil {
			return nil, err
		}
		if seen[e.ID] {
			continue
		}
		seen[e.ID] = true
		p.Entries, p.rows = append(p.Entries, e), append(p.rows, r)
		p.tokens += length(e)
		p.chunks += bit(!r.summary)
		if !r.summary && e.Chunk.Main && (p.firstMain == "" || e.Chunk.Seq < firstSeq) {
			p.firstMain, firstSeq = e.ID, e.Chunk.Seq
		}
	}
	p.postings = invert(p.Entries)

	links := make([][3]any, len(page.Links))
	for i, l := range page.Links {
		links[i] = [3]any{l.URL, l.Text, bit(l.Main)}
	}
	var err error
	if p.links, err = encode(op, links); err != nil {
		return nil, err
	}
	bare := page
	bare.Entries, bare.Links = nil, nil
	p.data, err = encode(op, bare)
	return p, err
}

func (p *prepared) row(op string, e wstk.Entry) (row, error) {
	r := row{id: e.ID, summary: e.Kind == wstk.KindSummary}
	var err error
	switch {
	case e.ID == "":
		err = wstk.Errorf(wstk.Invalid, op, "%s: an entry has no id", p.URL)
	case e.Kind == wstk.KindChunk && e.Chunk != nil:
		r.data, err = encode(op, compact(*e.Chunk, p.PageIndex))
	case e.Kind == wstk.KindSummary && e.Summary != nil:
		r.data, err = encode(op, e.Summary)
	default:
		err = wstk.Errorf(wstk.Invalid, op, "%s: entry %s has the kind %q, "+
			"but no chunk or summary of that kind", p.URL, e.ID, e.Kind)
	}
	return r, err
}

// compact leaves out of a chunk what its page says too; whole puts it back.
func compact(c wstk.Chunk, p wstk.PageIndex) wstk.Chunk {
	if c.URL == p.URL {
		c.URL = ""
	}
	if c.TextSHA256 == p.TextSHA256 {
		c.TextSHA256 = ""
	}
	if c.SnapshotSHA256 == p.SnapshotSHA256 {
		c.SnapshotSHA256 = ""
	}
	return c
}

func whole(c *wstk.Chunk, p wstk.PageIndex) {
	if c.URL == "" {
		c.URL = p.URL
	}
	if c.TextSHA256 == "" {
		c.TextSHA256 = p.TextSHA256
	}
	if c.SnapshotSHA256 == "" {
		c.SnapshotSHA256 = p.SnapshotSHA256
	}
}

func (x *Index) Replace(ctx context.Context, page wstk.PageIndex) error {
	const op = "indexing page"
	p, err := prepare(op, page)
	if err != nil {
		return err
	}
	return x.db.write(ctx, op, func(t session) error {
		var id, heldAt int64
		err := t.row(`SELECT u.id, coalesce(p.fetched_at, 0) FROM index_urls u
			LEFT JOIN index_pages p USING (id) WHERE url = ?`,
			[]any{p.URL}, &id, &heldAt)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			err = t.row(`INSERT INTO index_urls (url) VALUES (?) RETURNING id`, []any{p.URL}, &id)
		case err == nil && nanos(p.FetchedAt) < heldAt:
			return nil
		case err == nil:
			err = remove(t, id)
		}
		if err != nil {
			return err
		}
		if err := p.add(t, op, id); err != nil {
			return err
		}
		return x.merging.settle(t)
	})
}

// add stores a page that the index does not hold.
func (p *prepared) add(t session, op string, id int64) error {
	var first int64
	err := t.row(`UPDATE index_totals SET next = next + ?1, pages = pages + 1,
		entries = entries + ?1, chunks = chunks + ?2,
		tokens = tokens + ?3, links = links + ?4 RETURNING next - ?1`,
		[]any{len(p.rows), p.chunks, p.tokens, len(p.Links)}, &first)
	if err != nil {
		return err
	}
	err = t.exec(`INSERT INTO index_pages (id, first, entries, tokens, links, site, scheme, host,
		port, path, fetched_at, first_main, data)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, id, first, len(p.rows), p.tokens,
		len(p.Links), p.Site,
		p.at.scheme, p.at.host, p.at.port, p.at.path, nanos(p.FetchedAt), p.firstMain, p.data)
	if err != nil {
		return err
	}
	for i, r := range p.rows {
		n, err := t.change(`INSERT INTO index_entries (number, entry, page, summary, data)
				VALUES (?, ?, ?, ?, ?) ON CONFLICT (entry) DO NOTHING`,
			first+int64(i), r.id, id, bit(r.summary), r.data)
		if err != nil {
			return err
		}
		if n == 0 {
			return wstk.Errorf(wstk.Invalid, op, "%s: entry %s belongs to another page",
				p.URL, r.id)
		}
	}
	if len(p.rows) > 0 {
		if err := t.exec(`INSERT INTO index_fresh (first, data) VALUES (?, ?)`, first,
			p.postings); err != nil {
			return err
		}
	}
	err = t.exec(`INSERT INTO index_sites (site, pages) VALUES (?, 1)
		ON CONFLICT (site) DO UPDATE SET pages = pages + 1`, p.Site)
	if err != nil || len(p.Links) == 0 {
		return err
	}
	return addLinks(t, id, string(p.Site), p.links)
}

// addLinks stores links, a JSON array of [URL, text, main], in a few statements
// however many there are.
func addLinks(t session, page int64, site, links string) error {
	if err := t.exec(`INSERT INTO index_urls (url) SELECT value ->> 0 FROM json_each(?) WHERE true
		ON CONFLICT DO NOTHING`, links); err != nil {
		return err
	}
	err := t.exec(`INSERT INTO index_links (page, seq, target, main, text)
		SELECT ?, l.key, u.id, l.value ->> 2, l.value ->> 1 FROM json_each(?) l
		CROSS JOIN index_urls u ON u.url = l.value ->> 0`, page, links)
	if err != nil {
		return err
	}
	return t.exec(`INSERT INTO index_inlinks (target, site, n) SELECT DISTINCT target, ?, 1
		FROM index_links WHERE page = ?
		ON CONFLICT (target, site) DO UPDATE SET n = n + 1`, site, page)
}

func (x *Index) Remove(ctx context.Context, url string) error {
	return x.db.write(ctx, "removing page from index", func(t session) error {
		var page int64
		err := t.row(`SELECT id FROM index_urls WHERE url = ?`, []any{url}, &page)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		return remove(t, page)
	})
}

// remove forgets a page, if the index holds it. Its URL keeps its number, since
// links may lead there.
func remove(t session, page int64) error {
	var first, entries, tokens, links int64
	var site string
	err := t.row(`SELECT first, entries, tokens, links, site FROM index_pages WHERE id = ?`,
		[]any{page}, &first, &entries, &tokens, &links, &site)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	err = t.exec(`UPDATE index_totals SET pages = pages - 1, entries = entries - ?1,
		tokens = tokens - ?2, links = links - ?3,
		chunks = chunks - (SELECT count(*) FROM index_entries
		WHERE number >= ?4 AND number < ?4 + ?1 AND NOT summary)`,
		entries, tokens, links, first)
	if err != nil {
		return err
	}
	if entries > 0 {
		n, err := t.change(`DELETE FROM index_fresh WHERE first = ?`, first)
		if err == nil && n == 0 { // its postings stand in a segment
			err = t.exec(`INSERT INTO index_dead (first, entries) VALUES (?, ?)`, first, entries)
		}
		if err == nil {
			err = t.exec(`DELETE FROM index_entries WHERE number >= ? AND number < ?`,
				first, first+entries)
		}
		if err != nil {
			return err
		}
	}
	if err := t.exec(`UPDATE index_sites SET pages = pages - 1 WHERE site = ?`, site); err != nil {
		return err
	}
	err = t.exec(`UPDATE index_inlinks SET n = n - 1
		WHERE site = ? AND target IN (SELECT target FROM index_links WHERE page = ?)`, site, page)
	if err != nil {
		return err
	}
	if err := t.exec(`DELETE FROM index_links WHERE page = ?`, page); err != nil {
		return err
	}
	return t.exec(`DELETE FROM index_pages WHERE id = ?`, page)
}

type address struct{ scheme, host, port, path string }

// parts cuts a URL into what site rules look at. What is no URL matches none.
func parts(pageURL string) address {
	u, err := neturl.Parse(pageURL)
	if err != nil {
		return address{}
	}
	r := wstk.ParseSiteRule(pageURL) // for the port that is not written
	a := address{r.Scheme, r.Host, r.Port, u.EscapedPath()}
	if u.RawQuery != "" {
		a.path += "?" + u.RawQuery
	}
	return a
}

// entryColumns are what scanEntry reads, of index_entries e and index_pages p.
const entryColumns = `e.number, e.entry, e.summary, e.data, p.data`

func scanEntry(op string, scan func(...any) error) (number int64, h wstk.IndexHit, err error) {
	var id string
	var summary bool
	var data, pageData []byte
	if err := scan(&number, &id, &summary, &data, &pageData); err != nil {
		return 0, h, err
	}
	p, err := decode[wstk.PageIndex](op, pageData)
	if err != nil {
		return 0, h, err
	}
	h = wstk.IndexHit{ID: id, Kind: wstk.KindChunk, URL: p.URL, Site: p.Site,
		CanonicalURL: p.CanonicalURL,
		Title:        p.Title, FetchedAt: p.FetchedAt, PublishedAt: p.PublishedAt}
	if summary {
		v, err := decode[wstk.Summary](op, data)
		h.Kind, h.Summary = wstk.KindSummary, &v
		return number, h, err
	}
	c, err := decode[wstk.Chunk](op, data)
	whole(&c, p)
	h.Chunk = &c
	return number, h, err
}

func (x *Index) Entry(ctx context.Context, id string) (wstk.IndexHit, error) {
	const op = "reading entry"
	var h wstk.IndexHit
	err := x.db.read(ctx, op, func(r session) (err error) {
		_, h, err = scanEntry(op, func(into ...any) error {
			return r.row(`SELECT `+entryColumns+
				` FROM index_entries e JOIN index_pages p ON p.id = e.page WHERE e.entry = ?`,
				[]any{id}, into...)
		})
		if errors.Is(err, sql.ErrNoRows) {
			return wstk.Errorf(wstk.NotFound, op, "no entry %s", id)
		}
		return err
	})
	return h, err
}

func (x *Index) Links(ctx context.Context, url string, limit int) ([]wstk.LinkTo, error) {
	const op = "reading links"
	var out []wstk.LinkTo
	err := x.db.read(ctx, op, func(r session) error {
		return r.rows(`SELECT u.url, l.text, l.main, coalesce(i.n, 0) * 1.0 / s.pages, p.first_main
			FROM index_links l
				CROSS JOIN index_pages p ON p.id = l.target
				CROSS JOIN index_urls u ON u.id = l.target
				CROSS JOIN index_sites s ON s.site = p.site
				LEFT JOIN index_inlinks i ON i.target = l.target AND i.site = p.site
			WHERE l.page = (SELECT id FROM index_urls WHERE url = ?) ORDER BY l.seq LIMIT ?`,
			[]any{url, wstk.Limit(limit)},
			func(scan func(...any) error) error {
				var l wstk.LinkTo
				err := scan(&l.URL, &l.Text, &l.Main, &l.InShare, &l.TargetID)
				out = append(out, l)
				return err
			})
	})
	return out, err
}

func (x *Index) Stats(ctx context.Context) (wstk.IndexStats, error) {
	const op = "counting index"
	var s wstk.IndexStats
	err := x.db.read(ctx, op, func(r session) error {
		return r.row(`SELECT pages, chunks, entries - chunks, links FROM index_totals`, nil,
			&s.Pages, &s.Chunks, &s.Summaries, &s.Links)
	})
	return s, err
}

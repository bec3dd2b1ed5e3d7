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

// prepared is an entry as it is stored.
type prepared struct {
	id      string
	summary bool
	data    string
}

// prepare checks the entries of p and encodes them, before any lock is taken. An
// entry whose id comes twice is left out of what it returns.
func prepare(op string, p wstk.PageIndex) (kept []wstk.Entry, rows []prepared, firstMain string, err error) {
	if p.URL == "" {
		return nil, nil, "", wstk.Errorf(wstk.Invalid, op, "a page needs a URL")
	}
	seen, firstSeq := map[string]bool{}, 0
	for _, e := range p.Entries {
		row := prepared{id: e.ID, summary: e.Kind == wstk.KindSummary}
		switch {
		case e.ID == "":
			err = wstk.Errorf(wstk.Invalid, op, "%s: an entry has no id", p.URL)
		case e.Kind == wstk.KindChunk && e.Chunk != nil:
			if e.Chunk.Main && (firstMain == "" || e.Chunk.Seq < firstSeq) {
				firstMain, firstSeq = e.ID, e.Chunk.Seq
			}
			row.data, err = encode(op, compact(*e.Chunk, p))
		case e.Kind == wstk.KindSummary && e.Summary != nil:
			row.data, err = encode(op, e.Summary)
		default:
			err = wstk.Errorf(wstk.Invalid, op, "%s: entry %s of kind %q has no such content", p.URL, e.ID, e.Kind)
		}
		if err != nil {
			return nil, nil, "", err
		}
		if !seen[e.ID] {
			seen[e.ID] = true
			kept, rows = append(kept, e), append(rows, row)
		}
	}
	return kept, rows, firstMain, nil
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

func (x *Index) Replace(ctx context.Context, p wstk.PageIndex) error {
	const op = "indexing page"
	kept, rows, firstMain, err := prepare(op, p)
	if err != nil {
		return err
	}
	links := make([][3]any, len(p.Links))
	for i, l := range p.Links {
		links[i] = [3]any{l.URL, l.Text, bit(l.Main)}
	}
	linkData, err := encode(op, links)
	if err != nil {
		return err
	}
	bare := p
	bare.Entries, bare.Links = nil, nil
	data, err := encode(op, bare)
	if err != nil {
		return err
	}
	tokens, chunks := 0, 0
	for _, e := range kept {
		tokens += length(e)
		chunks += bit(e.Kind == wstk.KindChunk)
	}
	at := parts(p.URL)

	return x.db.write(ctx, op, func(t session) error {
		var page, heldAt, first int64
		err := t.row(`SELECT u.id, coalesce(p.fetched_at, 0) FROM index_urls u LEFT JOIN index_pages p USING (id) WHERE url = ?`,
			[]any{p.URL}, &page, &heldAt)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			err = t.row(`INSERT INTO index_urls (url) VALUES (?) RETURNING id`, []any{p.URL}, &page)
		case err == nil && nanos(p.FetchedAt) < heldAt:
			return nil
		case err == nil:
			err = remove(t, page)
		}
		if err != nil {
			return err
		}
		err = t.row(`UPDATE index_totals SET next = next + ?1, pages = pages + 1, entries = entries + ?1, chunks = chunks + ?2,
			tokens = tokens + ?3, links = links + ?4 RETURNING next - ?1`, []any{len(kept), chunks, tokens, len(links)}, &first)
		if err != nil {
			return err
		}
		err = t.exec(`INSERT INTO index_pages (id, first, entries, tokens, links, site, scheme, host, port, path, fetched_at, first_main, data)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			page, first, len(kept), tokens, len(links), p.Site, at.scheme, at.host, at.port, at.path, nanos(p.FetchedAt), firstMain, data)
		if err != nil {
			return err
		}
		for i, row := range rows {
			n, err := t.change(`INSERT INTO index_entries (number, entry, page, summary, data) VALUES (?, ?, ?, ?, ?) ON CONFLICT (entry) DO NOTHING`,
				first+int64(i), row.id, page, bit(row.summary), row.data)
			if err != nil {
				return err
			}
			if n == 0 {
				return wstk.Errorf(wstk.Invalid, op, "%s: entry %s belongs to another page", p.URL, row.id)
			}
		}
		err = t.exec(`INSERT INTO index_sites (site, pages) VALUES (?, 1) ON CONFLICT (site) DO UPDATE SET pages = pages + 1`, p.Site)
		if err != nil {
			return err
		}
		if len(links) > 0 {
			if err := addLinks(t, page, string(p.Site), linkData); err != nil {
				return err
			}
		}
		if len(kept) == 0 {
			return nil
		}
		if err := t.exec(`INSERT INTO index_fresh (first, data) VALUES (?, ?)`, first, invert(kept, first)); err != nil {
			return err
		}
		return x.merging.settle(t)
	})
}

// addLinks stores links, a JSON array of [URL, text, main], in a few statements
// however many there are.
func addLinks(t session, page int64, site, links string) error {
	if err := t.exec(`INSERT INTO index_urls (url) SELECT value ->> 0 FROM json_each(?) WHERE true ON CONFLICT DO NOTHING`, links); err != nil {
		return err
	}
	err := t.exec(`INSERT INTO index_links (page, seq, target, main, text)
		SELECT ?, l.key, u.id, l.value ->> 2, l.value ->> 1 FROM json_each(?) l CROSS JOIN index_urls u ON u.url = l.value ->> 0`, page, links)
	if err != nil {
		return err
	}
	return t.exec(`INSERT INTO index_inlinks (target, site, n) SELECT DISTINCT target, ?, 1 FROM index_links WHERE page = ?
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
	err := t.row(`SELECT first, entries, tokens, links, site FROM index_pages WHERE id = ?`, []any{page}, &first, &entries, &tokens, &links, &site)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	err = t.exec(`UPDATE index_totals SET pages = pages - 1, entries = entries - ?1, tokens = tokens - ?2, links = links - ?3,
		chunks = chunks - (SELECT count(*) FROM index_entries WHERE number >= ?4 AND number < ?4 + ?1 AND NOT summary)`,
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
			err = t.exec(`DELETE FROM index_entries WHERE number >= ? AND number < ?`, first, first+entries)
		}
		if err != nil {
			return err
		}
	}
	if err := t.exec(`UPDATE index_sites SET pages = pages - 1 WHERE site = ?`, site); err != nil {
		return err
	}
	err = t.exec(`UPDATE index_inlinks SET n = n - 1 WHERE site = ? AND target IN (SELECT target FROM index_links WHERE page = ?)`, site, page)
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
	h = wstk.IndexHit{ID: id, Kind: wstk.KindChunk, URL: p.URL, Site: p.Site, CanonicalURL: p.CanonicalURL,
		Title: p.Title, FetchedAt: p.FetchedAt, PublishedAt: p.PublishedAt}
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
			return r.row(`SELECT `+entryColumns+` FROM index_entries e JOIN index_pages p ON p.id = e.page WHERE e.entry = ?`, []any{id}, into...)
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
			WHERE l.page = (SELECT id FROM index_urls WHERE url = ?) ORDER BY l.seq LIMIT ?`, []any{url, limitOf(limit)},
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
		return r.row(`SELECT pages, chunks, entries - chunks, links FROM index_totals`, nil, &s.Pages, &s.Chunks, &s.Summaries, &s.Links)
	})
	return s, err
}

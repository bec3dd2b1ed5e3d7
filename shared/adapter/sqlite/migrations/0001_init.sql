-- The records of one machine. Times are nanoseconds since 1970, 0 for none.
-- A column named data holds the noun as JSON; the others are what it is found by.

-- One row for each fetch that was ever stored.
CREATE TABLE snapshots (
    url        TEXT NOT NULL,
    fetched_at INTEGER NOT NULL,
    body       TEXT NOT NULL, -- hash, '' without a body
    data       TEXT NOT NULL,
    UNIQUE (url, fetched_at)
);
CREATE INDEX snapshots_body ON snapshots (body, fetched_at) WHERE body <> '';

CREATE TABLE pages (
    url          TEXT NOT NULL UNIQUE,
    site         TEXT NOT NULL,
    checked_at   INTEGER NOT NULL,
    text         TEXT NOT NULL, -- hash
    has_document INTEGER NOT NULL,
    data         TEXT NOT NULL
);
CREATE INDEX pages_site ON pages (site, url);
CREATE INDEX pages_with_document ON pages (site) WHERE has_document;

CREATE TABLE sites (
    id   TEXT NOT NULL UNIQUE,
    data TEXT NOT NULL
);

CREATE TABLE runs (
    id         TEXT NOT NULL UNIQUE,
    kind       TEXT NOT NULL,
    state      TEXT NOT NULL,
    site       TEXT NOT NULL,
    query      TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    data       TEXT NOT NULL
);
CREATE INDEX runs_site ON runs (site, id);
CREATE INDEX runs_query ON runs (query, id);
CREATE INDEX runs_state ON runs (state, id);

CREATE TABLE summaries (
    id   TEXT NOT NULL UNIQUE, -- of the whole key
    data TEXT NOT NULL
);

CREATE TABLE evidence (
    id   TEXT NOT NULL UNIQUE,
    data TEXT NOT NULL
);

CREATE TABLE hosts (
    host        TEXT NOT NULL UNIQUE,
    last_slot   INTEGER NOT NULL DEFAULT 0, -- when the slot reserved last begins
    paused      INTEGER NOT NULL DEFAULT 0, -- no slot before
    holder      TEXT NOT NULL DEFAULT '',   -- token of the request in flight
    lease_until INTEGER NOT NULL DEFAULT 0
);

-- The frontier names a run by a small number, since its id stands in every row.
CREATE TABLE frontier_runs (
    id  INTEGER PRIMARY KEY,
    run TEXT NOT NULL UNIQUE
);

-- seq is the order in which URLs were found.
CREATE TABLE frontier (
    seq        INTEGER PRIMARY KEY,
    run        INTEGER NOT NULL,
    url        TEXT NOT NULL,
    host       TEXT NOT NULL,
    depth      INTEGER NOT NULL,
    hops       INTEGER NOT NULL,
    via        TEXT NOT NULL,
    found_on   TEXT NOT NULL,
    lastmod    INTEGER NOT NULL,
    state      TEXT NOT NULL,
    slot       TEXT NOT NULL,
    not_before INTEGER NOT NULL,
    attempts   INTEGER NOT NULL,
    document   TEXT NOT NULL,
    outcome    TEXT NOT NULL,
    reason     TEXT NOT NULL,
    target     TEXT NOT NULL,
    found_at   INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    UNIQUE (run, url)
);
CREATE INDEX frontier_waiting ON frontier (run, host, not_before, depth) WHERE state = 'waiting';
CREATE INDEX frontier_busy ON frontier (run, state, url) WHERE state IN ('queued', 'stored');

-- discovered, state/… and outcome/… of each run: they change in the transaction
-- that changes the URL.
CREATE TABLE frontier_counts (
    run  INTEGER NOT NULL,
    name TEXT NOT NULL,
    n    INTEGER NOT NULL,
    PRIMARY KEY (run, name)
) WITHOUT ROWID;

CREATE TABLE frontier_texts (
    run  INTEGER NOT NULL,
    text TEXT NOT NULL, -- hash
    url  TEXT NOT NULL, -- its owner
    PRIMARY KEY (run, text)
) WITHOUT ROWID;

CREATE TABLE frontier_notes (
    run   INTEGER NOT NULL,
    key   TEXT NOT NULL,
    value TEXT NOT NULL,
    UNIQUE (run, key)
);

-- The index names a URL by a small number, be it a page or the target of a link.
CREATE TABLE index_urls (
    id  INTEGER PRIMARY KEY,
    url TEXT NOT NULL UNIQUE
);

-- A page's entries are numbered from first on, without gaps. A number is never
-- given twice: a page that is replaced gets new ones.
CREATE TABLE index_pages (
    id         INTEGER PRIMARY KEY, -- of index_urls
    first      INTEGER NOT NULL,
    entries    INTEGER NOT NULL,
    tokens     INTEGER NOT NULL, -- of all its entries
    links      INTEGER NOT NULL,
    site       TEXT NOT NULL,
    scheme     TEXT NOT NULL,
    host       TEXT NOT NULL,
    port       TEXT NOT NULL,
    path       TEXT NOT NULL, -- with query
    fetched_at INTEGER NOT NULL,
    first_main TEXT NOT NULL, -- id of the first chunk in main content, '' for none
    data       TEXT NOT NULL  -- PageIndex without entries and links
);

CREATE TABLE index_entries (
    number  INTEGER PRIMARY KEY,
    entry   TEXT NOT NULL UNIQUE, -- Entry.ID
    page    INTEGER NOT NULL,
    summary INTEGER NOT NULL,     -- 0 for a chunk
    data    TEXT NOT NULL         -- Chunk or Summary
);

-- Which entries hold a token, see postings.go. A page's tokens stand in
-- index_fresh until enough pages have gathered to be merged into a segment.
CREATE TABLE index_fresh (
    first INTEGER PRIMARY KEY, -- of index_pages
    data  BLOB NOT NULL
);
CREATE TABLE index_segments (
    id      INTEGER PRIMARY KEY,
    level   INTEGER NOT NULL,
    first   INTEGER NOT NULL, -- its entries have numbers from first on
    after   INTEGER NOT NULL, -- and below after
    entries INTEGER NOT NULL  -- how many were alive when it was written
);
CREATE TABLE index_postings (
    segment INTEGER NOT NULL,
    token   BLOB NOT NULL,
    data    BLOB NOT NULL,
    PRIMARY KEY (segment, token)
) WITHOUT ROWID;

-- Entries that stand in a segment and belong to a page that was replaced or removed.
CREATE TABLE index_dead (
    first   INTEGER PRIMARY KEY,
    entries INTEGER NOT NULL
);

-- One row: the next number, and what is alive.
CREATE TABLE index_totals (
    next    INTEGER NOT NULL,
    pages   INTEGER NOT NULL,
    entries INTEGER NOT NULL,
    chunks  INTEGER NOT NULL,
    tokens  INTEGER NOT NULL,
    links   INTEGER NOT NULL
);
INSERT INTO index_totals VALUES (1, 0, 0, 0, 0, 0);

CREATE TABLE index_links (
    page   INTEGER NOT NULL,
    seq    INTEGER NOT NULL, -- position on the page
    target INTEGER NOT NULL,
    main   INTEGER NOT NULL,
    text   TEXT NOT NULL,
    PRIMARY KEY (page, seq)
) WITHOUT ROWID;

-- How many pages of a site there are, and how many of them link to a target.
CREATE TABLE index_sites (
    site  TEXT PRIMARY KEY,
    pages INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE index_inlinks (
    target INTEGER NOT NULL,
    site   TEXT NOT NULL,
    n      INTEGER NOT NULL,
    PRIMARY KEY (target, site)
) WITHOUT ROWID;

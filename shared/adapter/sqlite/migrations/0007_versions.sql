-- Each state in which a page held a Document: which texts are an older version of which page.
CREATE TABLE page_versions (
	url        TEXT NOT NULL,
	document   TEXT NOT NULL, -- hash
	checked_at INTEGER NOT NULL,
	data       TEXT NOT NULL, -- Page
	PRIMARY KEY (url, document)
) WITHOUT ROWID;
INSERT INTO page_versions SELECT url, data ->> '$.document', checked_at, data FROM pages WHERE has_document;

-- Which versions name a blob.
CREATE TABLE page_blobs (
	hash     TEXT NOT NULL,
	url      TEXT NOT NULL,
	document TEXT NOT NULL,
	PRIMARY KEY (hash, url, document)
) WITHOUT ROWID;
INSERT OR IGNORE INTO page_blobs SELECT document, url, document FROM page_versions;
INSERT OR IGNORE INTO page_blobs SELECT data ->> '$.text_sha256', url, document FROM page_versions WHERE coalesce(data ->> '$.text_sha256', '') <> '';
INSERT OR IGNORE INTO page_blobs SELECT data ->> '$.screening', url, document FROM page_versions WHERE coalesce(data ->> '$.screening', '') <> '';

CREATE INDEX summaries_url ON summaries (data ->> '$.url');

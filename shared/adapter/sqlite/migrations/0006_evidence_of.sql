-- Which evidence names a text or a snapshot.
CREATE TABLE evidence_of (
	hash TEXT NOT NULL,
	id   TEXT NOT NULL, -- of evidence
	PRIMARY KEY (hash, id)
) WITHOUT ROWID;
INSERT OR IGNORE INTO evidence_of SELECT data ->> '$.text_sha256', id FROM evidence WHERE coalesce(data ->> '$.text_sha256', '') <> '';
INSERT OR IGNORE INTO evidence_of SELECT data ->> '$.snapshot_sha256', id FROM evidence WHERE coalesce(data ->> '$.snapshot_sha256', '') <> '';

-- Vectors of the chunks of a page by one model.
CREATE TABLE page_vectors (
	url        TEXT NOT NULL,
	model      TEXT NOT NULL,
	site       TEXT NOT NULL,
	fetched_at INTEGER NOT NULL, -- nanoseconds
	chunks     TEXT NOT NULL,    -- JSON: ids
	vectors    BLOB NOT NULL,    -- of chunks, one behind the other, as wstk.PackVector writes them
	PRIMARY KEY (url, model)
);

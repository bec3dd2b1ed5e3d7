-- What search runs found, by their place n in the run: each result as one provider
-- returned it, and the addresses they come to.
CREATE TABLE search_rows (
	run  TEXT    NOT NULL,
	n    INTEGER NOT NULL,
	data TEXT    NOT NULL, -- without its meta
	meta TEXT    NOT NULL, -- JSON as it came, '' for none
	UNIQUE (run, n)
);
CREATE TABLE search_found (
	run  TEXT    NOT NULL,
	n    INTEGER NOT NULL,
	data TEXT    NOT NULL,
	UNIQUE (run, n)
);

-- What users' words were rewritten to.
CREATE TABLE templates (
	id   TEXT NOT NULL UNIQUE, -- of the whole key
	data TEXT NOT NULL
);

-- Runs of one kind, by time.
CREATE INDEX runs_kind ON runs (kind, id);

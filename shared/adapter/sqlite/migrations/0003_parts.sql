-- Finished pieces of a run's result.
CREATE TABLE run_parts (
	run  TEXT    NOT NULL,
	n    INTEGER NOT NULL,
	data TEXT    NOT NULL, -- hash of a JSON blob
	PRIMARY KEY (run, n)
) WITHOUT ROWID;

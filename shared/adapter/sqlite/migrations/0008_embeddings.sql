-- Vectors of texts, as wstk.PackVector writes them.
CREATE TABLE embeddings (
	text   TEXT NOT NULL, -- hash of the words
	model  TEXT NOT NULL,
	vector BLOB NOT NULL,
	PRIMARY KEY (text, model)
) WITHOUT ROWID;

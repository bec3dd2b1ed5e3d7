-- A run whose URLs were forgotten; its counters are kept.
ALTER TABLE frontier_runs ADD COLUMN forgotten INTEGER NOT NULL DEFAULT 0;

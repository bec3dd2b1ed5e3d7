-- When the newest request to a host began.
ALTER TABLE hosts ADD COLUMN began INTEGER NOT NULL DEFAULT 0;

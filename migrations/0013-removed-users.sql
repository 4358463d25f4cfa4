-- A user who is being removed has no credential and no e-mail address any more (the column contains the id). A job deletes the
-- records and then this row.
ALTER TABLE users ADD COLUMN removed_at INTEGER;

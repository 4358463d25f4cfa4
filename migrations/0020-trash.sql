-- Records that were deleted in the console. They are restored from here, or deleted for good after a while.
CREATE TABLE trash (
  record_id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  type TEXT NOT NULL CHECK (type IN ('document', 'prompt')),
  title TEXT NOT NULL,
  deleted_at INTEGER NOT NULL
) STRICT;
CREATE INDEX trash_by_user ON trash (user_id, deleted_at);
CREATE INDEX trash_by_age ON trash (deleted_at);

-- The rows that such a record had in other tables, each as a JSON object of its columns.
CREATE TABLE trash_rows (
  record_id TEXT NOT NULL REFERENCES trash (record_id) ON DELETE CASCADE,
  table_name TEXT NOT NULL,
  row TEXT NOT NULL
) STRICT;
CREATE INDEX trash_rows_by_record ON trash_rows (record_id);

CREATE TRIGGER trash_is_erased AFTER DELETE ON trash BEGIN
  INSERT INTO instance (key, value) VALUES ('erasure', 'requested')
  ON CONFLICT (key) DO UPDATE SET value = 'requested' WHERE value <> 'requested';
END;

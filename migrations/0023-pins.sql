-- The records that a user has pinned in the console: exactly one of the three ids is set, and is `record_id`.
CREATE TABLE pins (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  record_id TEXT NOT NULL,
  document_id TEXT REFERENCES documents (id) ON DELETE CASCADE,
  prompt_id TEXT REFERENCES prompts (id) ON DELETE CASCADE,
  collection_id TEXT REFERENCES collections (id) ON DELETE CASCADE,
  pinned_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, record_id),
  CONSTRAINT record CHECK (
    record_id = coalesce(document_id, prompt_id, collection_id)
    AND (document_id IS NOT NULL) + (prompt_id IS NOT NULL) + (collection_id IS NOT NULL) = 1
  )
) STRICT, WITHOUT ROWID;
CREATE INDEX pins_of_document ON pins (document_id);
CREATE INDEX pins_of_prompt ON pins (prompt_id);
CREATE INDEX pins_of_collection ON pins (collection_id);

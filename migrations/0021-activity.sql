-- What agents have read, searched, asked and deleted: for the start page of the console, unless `--activity-log off`.
CREATE TABLE activity (
  id TEXT NOT NULL PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- The key and the program, as in document_versions; NULL for a key without a name.
  agent TEXT,
  kind TEXT NOT NULL,
  -- What was read. Deleting it deletes the entry.
  document_id TEXT REFERENCES documents (id) ON DELETE CASCADE,
  prompt_id TEXT REFERENCES prompts (id) ON DELETE CASCADE,
  -- The query or the question, shortened.
  text TEXT,
  -- The number of results of a search, or of the parts of a question that were not answered.
  count INTEGER,
  -- How often the same was done in a row.
  times INTEGER NOT NULL,
  at INTEGER NOT NULL,
  CONSTRAINT kind CHECK (kind IN ('read', 'search', 'question', 'delete'))
) STRICT;
CREATE INDEX activity_by_user ON activity (user_id, id);
CREATE INDEX activity_by_age ON activity (at);
CREATE INDEX activity_of_document ON activity (document_id);
CREATE INDEX activity_of_prompt ON activity (prompt_id);

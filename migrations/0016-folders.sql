-- The folders that `ctxrepo import` has imported, with the options of the last import: it can be repeated without arguments.
CREATE TABLE folders (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- The real path.
  path TEXT NOT NULL,
  options TEXT NOT NULL,
  added_at INTEGER NOT NULL,
  imported_at INTEGER,
  PRIMARY KEY (user_id, path)
) STRICT, WITHOUT ROWID;

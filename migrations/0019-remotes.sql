-- Other servers of the same API that this one exchanges records with. Their keys are not in the database.
CREATE TABLE remotes (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  url TEXT NOT NULL,
  added_at INTEGER NOT NULL,
  -- The end of the last run, and what it did, as JSON.
  synced_at INTEGER,
  result TEXT,
  UNIQUE (user_id, name)
) STRICT;

-- Which record here is which record there, and their state when both were last equal.
CREATE TABLE remote_links (
  id INTEGER PRIMARY KEY,
  remote_id TEXT NOT NULL REFERENCES remotes (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('document', 'prompt', 'collection')),
  -- One of the two is null while the record is being created there.
  own_id TEXT,
  other_id TEXT,
  -- Digests of what a list shows of the record; null if it has to be read.
  own_stamp TEXT,
  other_stamp TEXT,
  own_revision INTEGER,
  other_revision INTEGER,
  -- The fields when both were last equal: short values, and digests of long ones.
  base TEXT NOT NULL,
  -- Why the two differ, until that is decided.
  conflict TEXT,
  -- The side on which the record was deleted.
  gone TEXT CHECK (gone IN ('own', 'other')),
  UNIQUE (remote_id, own_id),
  UNIQUE (remote_id, other_id)
) STRICT;

CREATE INDEX remote_conflicts ON remote_links (remote_id) WHERE conflict IS NOT NULL;

-- The members of a collection when both sides were last equal.
CREATE TABLE remote_members (
  collection INTEGER NOT NULL REFERENCES remote_links (id) ON DELETE CASCADE,
  member INTEGER NOT NULL REFERENCES remote_links (id) ON DELETE CASCADE,
  PRIMARY KEY (collection, member)
) STRICT, WITHOUT ROWID;

CREATE INDEX remote_members_of ON remote_members (member);

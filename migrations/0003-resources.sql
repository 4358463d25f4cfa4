-- Prompts with their versions, collections with their items, coordination of documents, search sessions.

CREATE TABLE prompts (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id),
  title TEXT NOT NULL,
  description TEXT NOT NULL,
  content TEXT NOT NULL,
  tags TEXT NOT NULL,
  variables TEXT NOT NULL,
  parameters TEXT NOT NULL,
  is_public INTEGER NOT NULL,
  is_archived INTEGER NOT NULL,
  current_version INTEGER NOT NULL,
  views INTEGER NOT NULL,
  copies INTEGER NOT NULL,
  workspace_id TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX prompts_by_user ON prompts (user_id, created_at DESC, id DESC);
CREATE INDEX prompts_public ON prompts (created_at DESC, id DESC) WHERE is_public = 1;

CREATE TABLE prompt_versions (
  id TEXT PRIMARY KEY,
  prompt_id TEXT NOT NULL REFERENCES prompts (id) ON DELETE CASCADE,
  version INTEGER NOT NULL,
  content TEXT NOT NULL,
  variables TEXT NOT NULL,
  parameters TEXT NOT NULL,
  change_log TEXT,
  user_name TEXT,
  created_at INTEGER NOT NULL,
  UNIQUE (prompt_id, version)
) STRICT;

-- Index: one vector for each prompt, of the text whose hash stands beside it.
CREATE TABLE prompt_vectors (
  prompt_id TEXT PRIMARY KEY REFERENCES prompts (id) ON DELETE CASCADE,
  space_id INTEGER NOT NULL REFERENCES embedding_spaces (id),
  text_hash TEXT NOT NULL,
  bits BLOB NOT NULL,
  embedding BLOB NOT NULL
) STRICT;

CREATE INDEX prompt_vectors_by_space ON prompt_vectors (space_id);

CREATE TABLE collections (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id),
  name TEXT NOT NULL,
  description TEXT,
  color TEXT,
  icon TEXT,
  is_public INTEGER NOT NULL,
  parent_collection_id TEXT REFERENCES collections (id) ON DELETE SET NULL,
  tags TEXT NOT NULL,
  workspace_id TEXT,
  last_activity_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX collections_by_user ON collections (user_id, created_at DESC, id DESC);
CREATE INDEX collections_by_parent ON collections (parent_collection_id);

-- A member is a document or a prompt; it leaves with its record.
CREATE TABLE collection_items (
  id TEXT PRIMARY KEY,
  collection_id TEXT NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
  document_id TEXT REFERENCES documents (id) ON DELETE CASCADE,
  prompt_id TEXT REFERENCES prompts (id) ON DELETE CASCADE,
  added_by TEXT REFERENCES users (id) ON DELETE SET NULL,
  added_at INTEGER NOT NULL,
  CHECK ((document_id IS NULL) <> (prompt_id IS NULL)),
  UNIQUE (collection_id, document_id),
  UNIQUE (collection_id, prompt_id)
) STRICT;
CREATE INDEX collection_items_of_document ON collection_items (document_id);
CREATE INDEX collection_items_of_prompt ON collection_items (prompt_id);

-- A document without a row here is in standard mode with fence 0. Fences never fall, also when the policy goes back.
CREATE TABLE document_coordination (
  document_id TEXT PRIMARY KEY REFERENCES documents (id) ON DELETE CASCADE,
  policy TEXT NOT NULL CHECK (policy IN ('standard', 'lease_required')),
  fence INTEGER NOT NULL,
  lease_id TEXT,
  lease_credential TEXT,
  lease_expires_at INTEGER,
  lease_ttl_ms INTEGER
) STRICT;

CREATE TABLE search_sessions (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX search_sessions_by_expiry ON search_sessions (expires_at);

CREATE TABLE search_session_chunks (
  session_id TEXT NOT NULL REFERENCES search_sessions (id) ON DELETE CASCADE,
  chunk_id TEXT NOT NULL,
  PRIMARY KEY (session_id, chunk_id)
) STRICT, WITHOUT ROWID;

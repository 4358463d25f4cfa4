-- The ground: who exists, documents with their whole history, the index over them, and the jobs that keep it true.
-- Rows of users, keys, documents, bodies and versions are the truth. Everything below "Index" can be rebuilt from them.

CREATE TABLE instance (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE users (
  id TEXT PRIMARY KEY,
  email TEXT NOT NULL UNIQUE COLLATE NOCASE,
  name TEXT,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE api_keys (
  public_id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  secret_hash TEXT NOT NULL,
  name TEXT,
  scopes TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  revoked_at INTEGER
) STRICT;
CREATE INDEX api_keys_by_user ON api_keys (user_id);

-- The current state of a document. Its texts stand once each in `bodies`, under their hash.
CREATE TABLE documents (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id),
  title TEXT NOT NULL,
  status TEXT NOT NULL,
  tags TEXT NOT NULL,
  content_hash TEXT NOT NULL,
  content_html_hash TEXT,
  raw_html_hash TEXT,
  source_type TEXT NOT NULL,
  source_url TEXT,
  source TEXT NOT NULL,
  metadata TEXT NOT NULL,
  workspace_id TEXT,
  revision INTEGER NOT NULL,
  last_changed_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX documents_by_user ON documents (user_id, created_at DESC, id DESC);

CREATE TABLE bodies (
  document_id TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  hash TEXT NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (document_id, hash)
) STRICT;

-- One row for each revision. Fields that an old program never recorded are NULL in `legacy_partial` rows.
CREATE TABLE document_versions (
  id TEXT PRIMARY KEY,
  document_id TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  version INTEGER NOT NULL,
  title TEXT NOT NULL,
  content_hash TEXT NOT NULL,
  content_html_hash TEXT,
  raw_html_hash TEXT,
  source_url TEXT,
  metadata TEXT,
  tags TEXT,
  snapshot_completeness TEXT NOT NULL,
  actor_kind TEXT,
  actor_name TEXT,
  origin TEXT,
  change_log TEXT,
  created_at INTEGER NOT NULL,
  UNIQUE (document_id, version)
) STRICT;

-- Work that follows a write, enqueued in the same transaction. At most one job waits for one subject of one kind.
CREATE TABLE jobs (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  subject TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'failed')),
  attempts INTEGER NOT NULL,
  run_at INTEGER NOT NULL,
  error TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX jobs_waiting ON jobs (kind, subject) WHERE state = 'queued';
CREATE INDEX jobs_by_state ON jobs (state, run_at);

-- Index ------------------------------------------------------------------------------------------------------------

-- A space is one embedding model: vectors of different spaces cannot be compared.
CREATE TABLE embedding_spaces (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  revision TEXT NOT NULL UNIQUE,
  dimension INTEGER NOT NULL,
  directory TEXT NOT NULL
) STRICT;

-- One pass of indexing over one revision of one document. Only `live` generations are searched. There is no foreign key
-- to documents: a dead generation outlives its document until its rows are swept in slices.
CREATE TABLE index_generations (
  -- Never handed out twice: rows of a dead generation must not become another document's.
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  document_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  revision INTEGER NOT NULL,
  title TEXT NOT NULL,
  content_hash TEXT NOT NULL,
  space_id INTEGER NOT NULL REFERENCES embedding_spaces (id),
  state TEXT NOT NULL CHECK (state IN ('building', 'live', 'dead')),
  first_chunk INTEGER NOT NULL,
  chunk_count INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX generations_live ON index_generations (document_id) WHERE state = 'live';
CREATE INDEX generations_by_user ON index_generations (user_id, document_id) WHERE state = 'live';
CREATE INDEX generations_unswept ON index_generations (id) WHERE state <> 'live';

-- The next chunk key, for the same reason.
CREATE TABLE chunk_keys (
  next INTEGER NOT NULL
) STRICT;
INSERT INTO chunk_keys VALUES (1);

-- `key` runs from first_chunk to first_chunk + chunk_count - 1 in document order. `text` is what search matches and
-- shows: a paragraph whole, a section's heading, a document's title and first 4 kB. Reading slices the stored body.
CREATE TABLE chunks (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  generation_id INTEGER NOT NULL,
  level TEXT NOT NULL CHECK (level IN ('document', 'section', 'paragraph')),
  parent_key INTEGER,
  chunk_index INTEGER NOT NULL,
  start_index INTEGER NOT NULL,
  end_index INTEGER NOT NULL,
  heading_text TEXT,
  section_path TEXT NOT NULL,
  word_count INTEGER NOT NULL,
  text TEXT NOT NULL
) STRICT;
CREATE INDEX chunks_by_parent ON chunks (parent_key, chunk_index);

-- Embeddings: float32[1536], little-endian, unit length.
CREATE TABLE chunk_vectors (
  key INTEGER PRIMARY KEY,
  embedding BLOB NOT NULL
) STRICT;

-- Their sign bits, bit[1536], clustered by generation so that a filter on documents skips whole runs of them.
CREATE TABLE chunk_bits (
  generation_id INTEGER NOT NULL,
  vector_key INTEGER NOT NULL,
  chunk_key INTEGER NOT NULL,
  bits BLOB NOT NULL,
  PRIMARY KEY (generation_id, vector_key)
) STRICT, WITHOUT ROWID;

-- Words, stemmed, for ranking; `context` holds document title and section path.
CREATE VIRTUAL TABLE chunk_words USING fts5 (
  context, text, content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
);

-- Substrings of three characters and more. Rowid is the chunk's key. The text is folded before it gets here.
CREATE VIRTUAL TABLE chunk_trigrams USING fts5 (
  text, content = '', contentless_delete = 1, detail = 'none', tokenize = 'trigram case_sensitive 1'
);
CREATE VIRTUAL TABLE chunk_trigram_terms USING fts5vocab (chunk_trigrams, 'row');

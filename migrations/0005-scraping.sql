-- What fetching needs to know of a scraped document beside its row: how it was asked for, whether its first fetch has ended,
-- and what the page said of itself when it was last read.

CREATE TABLE document_fetches (
  document_id TEXT PRIMARY KEY REFERENCES documents (id) ON DELETE CASCADE,
  settled INTEGER NOT NULL,
  only_main_content INTEGER NOT NULL,
  timeout_ms INTEGER NOT NULL,
  -- Headers of the caller's own are never stored, only that there were some.
  has_headers INTEGER NOT NULL,
  actor_kind TEXT NOT NULL,
  actor_name TEXT NOT NULL,
  -- The title that the last fetch gave the document; another one was given by a person, and stays.
  title TEXT NOT NULL,
  final_url TEXT,
  etag TEXT,
  last_modified TEXT
) STRICT;

-- The next job of one kind, however many of another kind wait.
CREATE INDEX jobs_due ON jobs (kind, run_at, id) WHERE state = 'queued';

-- Jobs have an owner (- for maintenance) and a priority: 0 interactive, 1 import, 2 reindex. Users take turns.
ALTER TABLE jobs ADD COLUMN priority INTEGER NOT NULL DEFAULT 0;
ALTER TABLE jobs ADD COLUMN user_id TEXT NOT NULL DEFAULT '-';
UPDATE jobs SET user_id = coalesce(
  (SELECT user_id FROM documents WHERE id = subject AND kind LIKE 'document.%'),
  (SELECT user_id FROM prompts WHERE id = subject AND kind LIKE 'prompt.%'),
  '-');
DROP INDEX jobs_due;
CREATE INDEX jobs_due ON jobs (kind, priority, user_id, run_at, id) WHERE state = 'queued';
CREATE INDEX jobs_of_user ON jobs (user_id, kind) WHERE state <> 'failed';

-- The line of the document's text on which a chunk starts, from 1. Chunks that were indexed before have none.
ALTER TABLE chunks ADD COLUMN line INTEGER;

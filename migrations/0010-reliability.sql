-- How often the process has ended while the job was running: such a job runs apart from others, so that a crash affects only
-- the job that causes it.
ALTER TABLE jobs ADD COLUMN crashes INTEGER NOT NULL DEFAULT 0;
CREATE INDEX jobs_suspected ON jobs (run_at, id) WHERE state = 'queued' AND crashes > 0;

-- Jobs end with their record. A queued job finds that it is gone; the others would be kept or fail for ever.
CREATE TRIGGER document_jobs_end AFTER DELETE ON documents BEGIN
  DELETE FROM jobs WHERE state IN ('running', 'failed') AND subject = old.id;
END;
CREATE TRIGGER prompt_jobs_end AFTER DELETE ON prompts BEGIN
  DELETE FROM jobs WHERE state IN ('running', 'failed') AND subject = old.id;
END;
DELETE FROM jobs WHERE state = 'failed' AND kind LIKE 'document.%' AND subject NOT IN (SELECT id FROM documents);
DELETE FROM jobs WHERE state = 'failed' AND kind LIKE 'prompt.%' AND subject NOT IN (SELECT id FROM prompts);

-- "ctxr": files of other programs are recognized by not having it.
PRAGMA application_id = 0x63747872;

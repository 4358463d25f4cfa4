-- How often the process has ended while the job was running: such a job runs apart from others, so that a crash affects only
-- the job that causes it.
ALTER TABLE jobs ADD COLUMN crashes INTEGER NOT NULL DEFAULT 0;
CREATE INDEX jobs_suspected ON jobs (run_at, id) WHERE state = 'queued' AND crashes > 0;

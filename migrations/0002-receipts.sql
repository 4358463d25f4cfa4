-- Idempotency receipts: what was answered to a key, kept for 24 hours from creation.
CREATE TABLE idempotency_receipts (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  operation TEXT NOT NULL,
  key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  status INTEGER NOT NULL,
  headers TEXT NOT NULL,
  body TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, operation, key)
) STRICT;
CREATE INDEX idempotency_receipts_by_age ON idempotency_receipts (created_at);

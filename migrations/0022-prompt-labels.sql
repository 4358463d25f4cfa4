-- Names such as `production` for versions of prompts. A label is on one version of a prompt at a time.
CREATE TABLE prompt_labels (
  prompt_id TEXT NOT NULL REFERENCES prompts (id) ON DELETE CASCADE,
  label TEXT NOT NULL,
  version_id TEXT NOT NULL REFERENCES prompt_versions (id) ON DELETE CASCADE,
  PRIMARY KEY (prompt_id, label)
) STRICT, WITHOUT ROWID;
CREATE INDEX prompt_labels_by_version ON prompt_labels (version_id);

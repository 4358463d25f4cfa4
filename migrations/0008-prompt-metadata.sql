-- Prompts have metadata, as documents have.

ALTER TABLE prompts ADD COLUMN metadata TEXT NOT NULL DEFAULT '{}';

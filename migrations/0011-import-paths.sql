-- A user has one document or prompt of each import path: metadata.importPath, if it is a text.
-- src/db/import-paths.ts compares the two tables with each other.

ALTER TABLE documents ADD COLUMN import_path TEXT GENERATED ALWAYS AS (
  CASE json_type(metadata, '$.importPath') WHEN 'text' THEN metadata ->> '$.importPath' END) VIRTUAL;
ALTER TABLE prompts ADD COLUMN import_path TEXT GENERATED ALWAYS AS (
  CASE json_type(metadata, '$.importPath') WHEN 'text' THEN metadata ->> '$.importPath' END) VIRTUAL;

-- Two imports of one folder at the same time made a record each. The one that changed last is kept, unless it is archived.
CREATE TEMP TABLE import_duplicates AS
SELECT id, kept_id FROM (
  SELECT id, first_value(id) OVER (
    PARTITION BY user_id, import_path ORDER BY is_archived, updated_at DESC, created_at DESC, id DESC) AS kept_id
  FROM (
    SELECT id, user_id, import_path, created_at, updated_at, status = 'archived' AS is_archived FROM documents
    UNION ALL SELECT id, user_id, import_path, created_at, updated_at, 0 FROM prompts)
  WHERE import_path IS NOT NULL)
WHERE id <> kept_id;

-- The others stay with their versions, belong to no file any more, and name the one that is kept.
UPDATE documents SET status = 'archived', metadata = json_set(
  json_remove(metadata, '$.importPath', '$.importHash', '$.importState'), '$.importDuplicateOf', duplicate.kept_id)
FROM import_duplicates AS duplicate WHERE duplicate.id = documents.id;
UPDATE prompts SET metadata = json_set(
  json_remove(metadata, '$.importPath', '$.importHash', '$.importState'), '$.importDuplicateOf', duplicate.kept_id)
FROM import_duplicates AS duplicate WHERE duplicate.id = prompts.id;

-- In their collections, the one that is kept takes their places.
UPDATE OR IGNORE collection_items SET document_id = duplicate.kept_id
FROM import_duplicates AS duplicate JOIN documents ON documents.id = duplicate.kept_id
WHERE duplicate.id = collection_items.document_id;
UPDATE OR IGNORE collection_items SET prompt_id = duplicate.kept_id
FROM import_duplicates AS duplicate JOIN prompts ON prompts.id = duplicate.kept_id
WHERE duplicate.id = collection_items.prompt_id;
DELETE FROM collection_items
WHERE document_id IN (SELECT duplicate.id FROM import_duplicates AS duplicate JOIN documents ON documents.id = kept_id)
   OR prompt_id IN (SELECT duplicate.id FROM import_duplicates AS duplicate JOIN prompts ON prompts.id = kept_id);
DROP TABLE import_duplicates;

CREATE UNIQUE INDEX documents_by_import_path ON documents (user_id, import_path);
CREATE UNIQUE INDEX prompts_by_import_path ON prompts (user_id, import_path);

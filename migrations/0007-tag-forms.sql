-- Tags are compared in their canonical form (NFC), which SQL cannot compute: src/db/tag-column.ts stores it beside the tags.
-- src/db/migrate.ts rewrites the columns of existing rows together with this file.
SELECT 1;

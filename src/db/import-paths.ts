// The import paths of records: a user has at most one document or prompt of each path. Unique indexes of the two tables
// keep it within one kind of record, and this check across both.

import { Failure } from "../kernel/errors.ts";
import { IMPORT_PATH_TAKEN, importPathOf } from "../kernel/import-members.ts";
import { preparedSql } from "./prepared.ts";
import type { Write } from "./store.ts";

const recordOfPath = preparedSql<{ type: "document" | "prompt"; id: string }, [string, string]>(
  `SELECT 'document' AS type, id FROM documents WHERE user_id = ?1 AND import_path = ?2
   UNION ALL SELECT 'prompt', id FROM prompts WHERE user_id = ?1 AND import_path = ?2`,
);

interface Imported {
  id: string;
  userId: string;
  metadata: Readonly<Record<string, unknown>>;
}

/**
 * Throws `conflict` if another record of the user has the import path of this one. To be called before it is written.
 */
export function requireOwnImportPath(write: Write, { id, userId, metadata }: Imported): void {
  const path = importPathOf(metadata);
  if (path === undefined) return;
  const other = recordOfPath(write)
    .all(userId, path)
    .find((record) => record.id !== id);
  if (!other) return;
  throw new Failure(
    "conflict",
    `${IMPORT_PATH_TAKEN}: the ${other.type} ${other.id} has this metadata.importPath already`,
    { details: { reason: IMPORT_PATH_TAKEN, ...other } },
  );
}

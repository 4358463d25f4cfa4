// The tables of documents: the current rows, their texts by content hash, their versions.

import { and, desc, eq, getTableColumns, lt, sql } from "drizzle-orm";
import { requireOwnImportPath } from "../../db/import-paths.ts";
import { prepared } from "../../db/prepared.ts";
import type { TableReader, Write } from "../../db/store.ts";
import { bodies, documents, documentVersions } from "../../db/tables.ts";
import { contentHash } from "../../kernel/hash.ts";
import { LIMITS } from "../../kernel/limits.ts";

/** All columns but the derived one. */
const { importPath: _, ...COLUMNS } = getTableColumns(documents);
export type DocumentRow = Omit<typeof documents.$inferSelect, "importPath">;
export type VersionRow = typeof documentVersions.$inferSelect;
const documentById = prepared((tables) =>
  tables
    .select(COLUMNS)
    .from(documents)
    .where(eq(documents.id, sql.placeholder("id")))
    .prepare(),
);
const bodyByHash = prepared((tables) =>
  tables
    .select({ text: bodies.text })
    .from(bodies)
    .where(
      and(eq(bodies.documentId, sql.placeholder("documentId")), eq(bodies.hash, sql.placeholder("hash"))),
    )
    .prepare(),
);
/** At least as many bytes as the listed characters take: at most four per character, and the last one may be cut. */
const START_BYTES = LIMITS.list.contentCharacters * 4 + 4;
const startByHash = prepared((tables) =>
  tables
    // Cast to BLOB, because substr() of a TEXT ends at a NUL.
    .select({ start: sql<Uint8Array | null>`substr(CAST(${bodies.text} AS BLOB), 1, ${START_BYTES})` })
    .from(bodies)
    .where(
      and(eq(bodies.documentId, sql.placeholder("documentId")), eq(bodies.hash, sql.placeholder("hash"))),
    )
    .prepare(),
);
const versionById = prepared((tables) =>
  tables
    .select()
    .from(documentVersions)
    .where(eq(documentVersions.id, sql.placeholder("id")))
    .prepare(),
);

/** The current row, or undefined. */
export function findDocument(reader: TableReader, id: string): DocumentRow | undefined {
  return documentById(reader).get({ id });
}

/** The text with this hash; null when `hash` is null or no such text is stored. */
export function readBody(reader: TableReader, documentId: string, hash: string | null): string | null {
  if (hash === null) return null;
  return bodyByHash(reader).get({ documentId, hash })?.text ?? null;
}

/** The start of a document's content, at least as much as lists show; null when it is not stored any more. */
export function readStart(
  reader: TableReader,
  { id, contentHash: hash }: Pick<DocumentRow, "id" | "contentHash">,
): string | null {
  const row = startByHash(reader).get({ documentId: id, hash });
  // substr() of an empty BLOB is NULL.
  return row ? Buffer.from(row.start ?? []).toString() : null;
}

/** Stores a text under its hash, once per document, and returns the hash. */
export function putBody(write: Write, documentId: string, text: string): string {
  const hash = contentHash(text);
  insertBody(write, documentId, { hash, text });
  return hash;
}

/** The same with a hash that is known. Hashing a text of 5 MB takes 10 ms. */
export function insertBody(
  { tables }: Write,
  documentId: string,
  body: { hash: string; text: string },
): void {
  tables
    .insert(bodies)
    .values({ documentId, ...body })
    .onConflictDoNothing()
    .run();
}

/** Inserts a new document. Its texts are stored with `putBody`. Throws `conflict` if its import path is taken. */
export function insertDocument(write: Write, row: DocumentRow): void {
  requireOwnImportPath(write, row);
  write.tables.insert(documents).values(row).run();
}

/** Replaces all columns of the row. Throws `conflict` if its import path is taken. */
export function updateDocument(write: Write, row: DocumentRow): void {
  requireOwnImportPath(write, row);
  const { id, ...columns } = row;
  write.tables.update(documents).set(columns).where(eq(documents.id, id)).run();
}

/** A version by its own id, or undefined. */
export function findVersion(reader: TableReader, id: string): VersionRow | undefined {
  return versionById(reader).get({ id });
}

/**
 * Ids and numbers of a document's versions older than `before`, newest first. They are read one at a time, with
 * `findVersion`.
 */
export function listVersions(
  { tables }: TableReader,
  documentId: string,
  { before, limit }: { before: number; limit: number },
): Pick<VersionRow, "id" | "version">[] {
  return tables
    .select({ id: documentVersions.id, version: documentVersions.version })
    .from(documentVersions)
    .where(and(eq(documentVersions.documentId, documentId), lt(documentVersions.version, before)))
    .orderBy(desc(documentVersions.version))
    .limit(limit)
    .all();
}

/** Inserts a version of a document. The pair of document and version number must be new. */
export function insertVersion({ tables }: Write, row: VersionRow): void {
  tables.insert(documentVersions).values(row).run();
}

/** Ids of some documents of a user. */
export function documentIdsOf({ tables }: TableReader, userId: string, limit: number): string[] {
  return tables
    .select({ id: documents.id })
    .from(documents)
    .where(eq(documents.userId, userId))
    .limit(limit)
    .all()
    .map(({ id }) => id);
}

/** Deletes the row with its texts, versions and memberships in collections. */
export function deleteDocumentRow({ tables }: Write, id: string): void {
  tables.delete(documents).where(eq(documents.id, id)).run();
}

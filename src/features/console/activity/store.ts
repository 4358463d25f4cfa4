// Queries for the view Activity: failed fetches, and numbers of records and chunks.

import { and, desc, eq, sql, sum } from "drizzle-orm";
import { indexGenerations, jobs } from "../../../db/index-tables.ts";
import type { TableReader } from "../../../db/store.ts";
import { bodies, collections, documents, prompts } from "../../../db/tables.ts";

/** The user's documents whose last fetch failed, latest first. */
export function listFailedFetches({ tables }: TableReader, userId: string, limit: number) {
  return tables
    .select({
      id: documents.id,
      title: documents.title,
      sourceUrl: documents.sourceUrl,
      source: documents.source,
    })
    .from(documents)
    .where(
      and(
        eq(documents.userId, userId),
        eq(documents.sourceType, "scrape"),
        sql`${documents.source} ->> '$.lastRefreshError.at' IS NOT NULL`,
      ),
    )
    .orderBy(desc(sql`${documents.source} ->> '$.lastRefreshError.at'`))
    .limit(limit)
    .all();
}

/** The bytes of the user's documents that wait to be indexed. */
export function pendingBytes({ tables }: TableReader, userId: string): number {
  const waiting = tables
    .select({ bytes: sql<number | null>`sum(octet_length(${bodies.text}))` })
    .from(jobs)
    .innerJoin(documents, eq(documents.id, jobs.subject))
    .innerJoin(bodies, and(eq(bodies.documentId, documents.id), eq(bodies.hash, documents.contentHash)))
    .where(and(eq(jobs.userId, userId), eq(jobs.kind, "document.index"), sql`${jobs.state} <> 'failed'`))
    .get();
  return waiting?.bytes ?? 0;
}

/** Numbers of the user's records, and of all indexed documents and chunks. */
export function countAll({ tables }: TableReader, userId: string) {
  const rows = (table: typeof documents | typeof prompts | typeof collections) =>
    tables.select({ n: sql<number>`count(*)` }).from(table).where(eq(table.userId, userId)).get()?.n ?? 0;
  const indexed = tables
    .select({ documents: sql<number>`count(*)`, chunks: sum(indexGenerations.chunkCount) })
    .from(indexGenerations)
    .where(eq(indexGenerations.state, "live"))
    .get();
  return {
    documents: rows(documents),
    prompts: rows(prompts),
    collections: rows(collections),
    indexedDocuments: indexed?.documents ?? 0,
    chunks: Number(indexed?.chunks ?? 0),
  };
}

// Index generations: one pass of indexing over one revision of one document. Rows are written while the generation is
// `building`, become visible together when it is made `live`, and are swept in slices once it is `dead`.

import { and, eq, exists, inArray, ne, or } from "drizzle-orm";
import type { Store, Write } from "../db/store.ts";
import { documents, embeddingSpaces, indexGenerations, promptVectors } from "../db/tables.ts";
import type { ModelInfo } from "../engine/embedding/model.ts";
import { enqueue } from "../jobs/queue.ts";
import type { Clock } from "../kernel/clock.ts";
import { writeInSlices } from "./slices.ts";

export type Generation = typeof indexGenerations.$inferSelect;
export type Space = typeof embeddingSpaces.$inferSelect;

/** What a generation is made from; when the document still has all of it, the generation is up to date. */
export interface IndexedRevision {
  documentId: string;
  userId: string;
  revision: number;
  title: string;
  contentHash: string;
}

/** The space of a model, recorded on first use. The folder is brought up to date: a model may have moved. */
export function ensureSpace({ tables }: Write, model: ModelInfo): Space {
  return tables
    .insert(embeddingSpaces)
    .values({
      name: model.name,
      revision: model.revision,
      dimension: model.dimension,
      directory: model.directory,
    })
    .onConflictDoUpdate({ target: embeddingSpaces.revision, set: { directory: model.directory } })
    .returning()
    .get();
}

/** The generation that is searched now, or undefined. */
export function liveGeneration(
  { tables }: Pick<Store, "tables">,
  documentId: string,
): Generation | undefined {
  return tables
    .select()
    .from(indexGenerations)
    .where(and(eq(indexGenerations.documentId, documentId), eq(indexGenerations.state, "live")))
    .get();
}

/** Starts a generation of `chunkCount` chunks, whose keys run from `firstChunk` on and never belong to anybody else. */
export function beginGeneration(
  { tables, sql: database }: Write,
  source: IndexedRevision,
  spaceId: number,
  chunkCount: number,
): Generation {
  const { next } = database
    .query<{ next: number }, [number]>("UPDATE chunk_keys SET next = next + ? RETURNING next")
    .get(chunkCount)!;
  return tables
    .insert(indexGenerations)
    .values({ ...source, spaceId, state: "building", firstChunk: next - chunkCount, chunkCount })
    .returning()
    .get();
}

/**
 * False once a generation was retired, because its document was deleted or the server started again: nothing more may be
 * written into it. Asked in every transaction that writes rows.
 */
export function isBuilding({ sql: database }: Pick<Store, "sql">, generationId: number): boolean {
  return (
    database
      .query("SELECT 1 FROM index_generations WHERE id = ? AND state = 'building'")
      .get(generationId) !== null
  );
}

/**
 * Makes a generation visible and the one before it invisible, in one small write, if the document still has the revision
 * that was read. Returns false, and gives the generation up, when it has not.
 */
export function publishGeneration(write: Write, generation: Generation): boolean {
  const { tables } = write;
  const current = tables
    .select({ revision: documents.revision })
    .from(documents)
    .where(eq(documents.id, generation.documentId))
    .get();
  if (current?.revision !== generation.revision || !isBuilding(write, generation.id)) {
    abandonGeneration(write, generation.id);
    return false;
  }
  retire(
    write,
    and(eq(indexGenerations.documentId, generation.documentId), eq(indexGenerations.state, "live")),
  );
  tables.update(indexGenerations).set({ state: "live" }).where(eq(indexGenerations.id, generation.id)).run();
  return true;
}

/** The index of this revision equals what is live already: only the number moves on. */
export function carryGeneration({ tables }: Write, generationId: number, revision: number): void {
  tables.update(indexGenerations).set({ revision }).where(eq(indexGenerations.id, generationId)).run();
}

export function abandonGeneration(write: Write, generationId: number): void {
  retire(write, eq(indexGenerations.id, generationId));
}

/** Takes a document out of the index at once; its rows are swept afterwards. */
export function retireDocument(write: Write, documentId: string): void {
  retire(write, and(eq(indexGenerations.documentId, documentId), ne(indexGenerations.state, "dead")));
}

/** At start: what a killed process was building belongs to nobody. */
export function retireUnfinished(write: Write): void {
  retire(write, eq(indexGenerations.state, "building"));
  const left = write.tables
    .select({ id: indexGenerations.id })
    .from(indexGenerations)
    .where(eq(indexGenerations.state, "dead"))
    .get();
  if (left) enqueue(write, "index.sweep", "index");
}

function retire(write: Write, which: ReturnType<typeof and>): void {
  const retired = write.tables
    .update(indexGenerations)
    .set({ state: "dead" })
    .where(which)
    .returning({ id: indexGenerations.id })
    .all();
  if (retired.length > 0) enqueue(write, "index.sweep", "index");
}

/** Enqueues a new indexing of every document and prompt whose live vectors are of another space. Returns how many. */
export function reindexOtherSpaces(write: Write, spaceId: number): number {
  const stale = write.tables
    .select({ documentId: indexGenerations.documentId })
    .from(indexGenerations)
    .where(and(eq(indexGenerations.state, "live"), ne(indexGenerations.spaceId, spaceId)))
    .all();
  for (const { documentId } of stale) enqueue(write, "document.index", documentId);
  const stalePrompts = write.tables
    .select({ promptId: promptVectors.promptId })
    .from(promptVectors)
    .where(ne(promptVectors.spaceId, spaceId))
    .all();
  for (const { promptId } of stalePrompts) enqueue(write, "prompt.index", promptId);
  return stale.length + stalePrompts.length;
}

/** Spaces that live generations or prompts still use. */
export function spacesInUse({ tables }: Store): Space[] {
  const used = tables
    .selectDistinct({ id: indexGenerations.spaceId })
    .from(indexGenerations)
    .where(eq(indexGenerations.state, "live"));
  // Asked for one space at a time: rows with vectors are large, and the first one of a space is enough.
  const ofPrompts = tables
    .select({ id: promptVectors.promptId })
    .from(promptVectors)
    .where(eq(promptVectors.spaceId, embeddingSpaces.id));
  return tables
    .select()
    .from(embeddingSpaces)
    .where(or(inArray(embeddingSpaces.id, used), exists(ofPrompts)))
    .all();
}

/** Deletes the rows of dead generations, slice by slice, then the generations. */
export async function sweep(store: Store, clock: Clock, signal: AbortSignal): Promise<void> {
  const nextDead = store.sql.query<{ id: number; firstChunk: number; chunkCount: number }, []>(
    `SELECT id, first_chunk AS firstChunk, chunk_count AS chunkCount FROM index_generations
     WHERE state = 'dead' ORDER BY id LIMIT 1`,
  );
  const firstBits = store.sql.query<{ vectorKey: number }, [number]>(
    "SELECT vector_key AS vectorKey FROM chunk_bits WHERE generation_id = ? LIMIT 1",
  );
  const firstChunk = store.sql.query<{ key: number }, [number, number]>(
    "SELECT key FROM chunks WHERE key >= ? AND key < ? LIMIT 1",
  );
  await writeInSlices(store, clock, signal, ({ sql: database }) => {
    const dead = nextDead.get();
    if (!dead) return false;
    const bits = firstBits.get(dead.id);
    if (bits) {
      database.query("DELETE FROM chunk_vectors WHERE key = ?").run(bits.vectorKey);
      database
        .query("DELETE FROM chunk_bits WHERE generation_id = ? AND vector_key = ?")
        .run(dead.id, bits.vectorKey);
      return true;
    }
    const chunk = firstChunk.get(dead.firstChunk, dead.firstChunk + dead.chunkCount);
    if (chunk) {
      database.query("DELETE FROM chunk_words WHERE rowid = ?").run(chunk.key);
      database.query("DELETE FROM chunk_trigrams WHERE rowid = ?").run(chunk.key);
      database.query("DELETE FROM chunks WHERE key = ?").run(chunk.key);
      return true;
    }
    database.query("DELETE FROM index_generations WHERE id = ?").run(dead.id);
    return true;
  });
}

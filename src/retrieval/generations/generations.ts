// Index generations: one indexing pass over one revision of one document. Its rows are written while it is `building`,
// become visible together when it is made `live`, and are deleted in slices once it is `dead`.

import { preparedSql } from "../../db/prepared.ts";
import type { Store, Write } from "../../db/store.ts";
import type { ModelInfo } from "../../engine/embedding/model.ts";
import type { JobKind } from "../../jobs/kinds.ts";
import { enqueue } from "../../jobs/queue.ts";
import type { Clock } from "../../kernel/clock.ts";
import { writeInSlices } from "./slices.ts";

/**
 * How index rows are made: chunking, tokenizer, what is stored per chunk. Raise it when that changes: at the next start
 * every document is indexed again. Never reuse a number.
 */
export const INDEX_FORMAT = 2;

/** What a generation is built from. */
export interface IndexedRevision {
  documentId: string;
  userId: string;
  revision: number;
  title: string;
  contentHash: string;
  /** SHA-256 of the tags, the metadata and the place that are searched. */
  labelsHash: string;
}

/** A row of index_generations. Its chunks have `chunkCount` consecutive keys from `firstChunk` on. */
export interface Generation extends NewGeneration {
  id: number;
  firstChunk: number;
  /** How its rows were made: INDEX_FORMAT of that time. */
  format: number;
}

/** An embedding model whose vectors are stored. */
export interface Space {
  id: number;
  name: string;
  revision: string;
  dimension: number;
  /** The folder of the model's files. */
  directory: string;
}

const GENERATION = `id, document_id AS documentId, user_id AS userId, revision, title, content_hash AS contentHash,
  labels_hash AS labelsHash, space_id AS spaceId, first_chunk AS firstChunk, chunk_count AS chunkCount, format`;

/** The space of a model, inserted on first use. The folder is updated, because a model may have moved. */
export function ensureSpace({ sql }: Write, { name, revision, dimension, directory }: ModelInfo): Space {
  return sql
    .query<Space, [string, string, number, string]>(
      `INSERT INTO embedding_spaces (name, revision, dimension, directory) VALUES (?, ?, ?, ?)
       ON CONFLICT (revision) DO UPDATE SET directory = excluded.directory
       RETURNING id, name, revision, dimension, directory`,
    )
    .get(name, revision, dimension, directory)!;
}

const liveOfDocument = preparedSql<Generation, [string]>(
  `SELECT ${GENERATION} FROM index_generations WHERE document_id = ? AND state = 'live'`,
);

/** Whether any document is indexed. */
export function hasLiveGenerations({ sql }: Pick<Store, "sql">): boolean {
  return sql.query("SELECT 1 FROM index_generations WHERE state = 'live' LIMIT 1").get() !== null;
}

/** The document's generation that is searched, or undefined. */
export function liveGeneration(reader: Pick<Store, "sql">, documentId: string): Generation | undefined {
  return liveOfDocument(reader).get(documentId) ?? undefined;
}

/** Whether indexing a document like this again in this space would make the same rows. */
export function isCurrent(
  generation: Generation,
  { title, contentHash, labelsHash }: Pick<IndexedRevision, "title" | "contentHash" | "labelsHash">,
  spaceId: number,
): boolean {
  return (
    generation.format === INDEX_FORMAT &&
    generation.spaceId === spaceId &&
    generation.title === title &&
    generation.contentHash === contentHash &&
    generation.labelsHash === labelsHash
  );
}

export interface NewGeneration extends IndexedRevision {
  spaceId: number;
  chunkCount: number;
}

/**
 * Inserts a generation in state `building`. Its chunks get `chunkCount` keys from `firstChunk` on that are never
 * reused.
 */
export function beginGeneration({ sql }: Write, generation: NewGeneration): Generation {
  const { documentId, userId, revision, title, contentHash, labelsHash, spaceId, chunkCount } = generation;
  const { next } = sql
    .query<{ next: number }, [number]>("UPDATE chunk_keys SET next = next + ? RETURNING next")
    .get(chunkCount)!;
  return sql
    .query<Generation, [string, string, number, string, string, string, number, number, number, number]>(
      `INSERT INTO index_generations
         (document_id, user_id, revision, title, content_hash, labels_hash, space_id, state, first_chunk, chunk_count, format)
       VALUES (?, ?, ?, ?, ?, ?, ?, 'building', ?, ?, ?) RETURNING ${GENERATION}`,
    )
    .get(
      documentId,
      userId,
      revision,
      title,
      contentHash,
      labelsHash,
      spaceId,
      next - chunkCount,
      chunkCount,
      INDEX_FORMAT,
    )!;
}

const building = preparedSql<{ found: 1 }, [number]>(
  "SELECT 1 AS found FROM index_generations WHERE id = ? AND state = 'building'",
);

/**
 * False once a generation was retired, because its document was deleted or the server restarted: then nothing more may
 * be written into it. Checked in every transaction that writes rows.
 */
export function isBuilding(reader: Pick<Store, "sql">, generationId: number): boolean {
  return building(reader).get(generationId) !== null;
}

/**
 * Makes a generation visible and retires the previous one, in one small write, if the document still has the revision
 * that was read. Otherwise abandons the generation and returns false.
 */
export function publishGeneration(write: Write, { id, documentId, revision }: Generation): boolean {
  const current = write.sql
    .query<{ revision: number }, [string]>("SELECT revision FROM documents WHERE id = ?")
    .get(documentId);
  if (current?.revision !== revision || !isBuilding(write, id)) {
    abandonGeneration(write, id);
    return false;
  }
  retire(write, "document_id = ? AND state = 'live'", documentId);
  write.sql.query("UPDATE index_generations SET state = 'live' WHERE id = ?").run(id);
  return true;
}

/** Assigns the live generation to a newer revision that would be indexed alike. */
export function carryGeneration({ sql }: Write, generationId: number, revision: number): void {
  sql.query("UPDATE index_generations SET revision = ? WHERE id = ?").run(revision, generationId);
}

/** Retires a generation that cannot be finished. */
export function abandonGeneration(write: Write, generationId: number): void {
  retire(write, "id = ?", generationId);
}

/** Removes a document from the index at once; its rows are deleted later by a job. */
export function retireDocument(write: Write, documentId: string): void {
  retire(write, "document_id = ? AND state <> 'dead'", documentId);
}

/** Run at start: retires what a killed process was building, and schedules the deletion of all dead rows. */
export function retireUnfinished(write: Write): void {
  retire(write, "state = 'building'");
  if (write.sql.query("SELECT 1 FROM index_generations WHERE state = 'dead' LIMIT 1").get()) {
    enqueue(write, "index.sweep", "index");
  }
}

function retire(write: Write, condition: string, ...parameters: (string | number)[]): void {
  const { changes } = write.sql
    .query(`UPDATE index_generations SET state = 'dead' WHERE ${condition}`)
    .run(...parameters);
  if (changes > 0) enqueue(write, "index.sweep", "index");
}

/** The documents and prompts whose index was made by another model or in another format than `INDEX_FORMAT`. */
export function outdatedRecords(
  { sql }: Pick<Store, "sql">,
  spaceId: number,
): { kind: JobKind; subject: string; userId: string }[] {
  const documents = sql
    .query<{ subject: string; userId: string }, [number, number]>(
      `SELECT document_id AS subject, user_id AS userId FROM index_generations
       WHERE state = 'live' AND (space_id <> ? OR format <> ?)`,
    )
    .all(spaceId, INDEX_FORMAT);
  const prompts = sql
    .query<{ subject: string; userId: string }, [number]>(
      `SELECT prompt_id AS subject, prompts.user_id AS userId
       FROM prompt_vectors JOIN prompts ON prompts.id = prompt_id WHERE space_id <> ?`,
    )
    .all(spaceId);
  return [
    ...documents.map((row) => ({ kind: "document.index" as const, ...row })),
    ...prompts.map((row) => ({ kind: "prompt.index" as const, ...row })),
  ];
}

const othersInUse = preparedSql<Space, [number]>(
  `SELECT id, name, revision, dimension, directory FROM embedding_spaces AS space
   WHERE id <> ? AND (EXISTS (SELECT 1 FROM prompt_vectors WHERE space_id = space.id)
     OR EXISTS (SELECT 1 FROM index_generations WHERE state = 'live' AND space_id = space.id))`,
);

/** Spaces except this one that live generations or prompts still use. */
export function otherSpacesInUse(store: Pick<Store, "sql">, spaceId: number): Space[] {
  return othersInUse(store).all(spaceId);
}

/** Whether live generations or prompts use a space of two models, which names two folders. */
export function hasSpaceOfTwoModels(store: Pick<Store, "sql">): boolean {
  return othersInUse(store)
    .all(NO_SPACE)
    .some(({ directory }) => directory.includes("\n"));
}

const ofTwoModels = preparedSql<{ id: number }, [string]>(
  "SELECT id FROM embedding_spaces WHERE substr(revision, 1, length(?1) + 1) = ?1 || '+'",
);

/** The spaces of two models, the first of which has this revision. */
export function spacesOfTwoModels(reader: Pick<Store, "sql">, firstRevision: string): number[] {
  return ofTwoModels(reader)
    .all(firstRevision)
    .map(({ id }) => id);
}

const ofOneModel = preparedSql<{ records: number }, [string]>(
  `WITH one (id) AS (SELECT id FROM embedding_spaces WHERE instr(directory, char(10)) = 0)
   SELECT (SELECT count(*) FROM index_generations WHERE state = 'live' AND user_id = ?1 AND space_id IN one)
     + (SELECT count(*) FROM prompt_vectors JOIN prompts ON prompts.id = prompt_id
        WHERE prompts.user_id = ?1 AND space_id IN one) AS records`,
);

/** The number of a user's records that only one model has read. */
export function countOfOneModel(store: Pick<Store, "sql">, userId: string): number {
  return ofOneModel(store).get(userId)!.records;
}

/** No space has this id. */
const NO_SPACE = 0;

const firstDead = preparedSql<{ id: number; firstChunk: number; chunkCount: number }, []>(
  `SELECT id, first_chunk AS firstChunk, chunk_count AS chunkCount FROM index_generations
   WHERE state = 'dead' ORDER BY id LIMIT 1`,
);
const firstBits = preparedSql<{ vectorKey: number }, [number]>(
  "SELECT vector_key AS vectorKey FROM chunk_bits WHERE generation_id = ? LIMIT 1",
);
const firstChunkIn = preparedSql<{ key: number }, [number, number]>(
  "SELECT key FROM chunks WHERE key >= ? AND key < ? LIMIT 1",
);
const deleteVector = preparedSql<never, [number]>("DELETE FROM chunk_vectors WHERE key = ?");
const deleteBits = preparedSql<never, [number, number]>(
  "DELETE FROM chunk_bits WHERE generation_id = ? AND vector_key = ?",
);
const deleteWords = preparedSql<never, [number]>("DELETE FROM chunk_words WHERE rowid = ?");
const deleteTrigrams = preparedSql<never, [number]>("DELETE FROM chunk_trigrams WHERE rowid = ?");
const deleteChunk = preparedSql<never, [number]>("DELETE FROM chunks WHERE key = ?");
const deleteGeneration = preparedSql<never, [number]>("DELETE FROM index_generations WHERE id = ?");

/** Deletes the rows of dead generations in slices, then the generations. Throws when `signal` fires. */
export async function sweep(store: Store, clock: Clock, signal: AbortSignal): Promise<void> {
  await writeInSlices({ store, clock, signal, usesReserve: true }, (write) => {
    const dead = firstDead(write).get();
    if (!dead) return false;
    const bits = firstBits(write).get(dead.id);
    if (bits) {
      deleteVector(write).run(bits.vectorKey);
      deleteBits(write).run(dead.id, bits.vectorKey);
      return true;
    }
    const chunk = firstChunkIn(write).get(dead.firstChunk, dead.firstChunk + dead.chunkCount);
    if (chunk) {
      for (const remove of [deleteWords, deleteTrigrams, deleteChunk]) remove(write).run(chunk.key);
      return true;
    }
    deleteGeneration(write).run(dead.id);
    return true;
  });
}

// Vectors of a document's live generation for chunks that did not change. When a document is indexed again, because its
// tags, some of its paragraphs or the format of the index changed, only new texts are embedded.

import { preparedSql } from "../../db/prepared.ts";
import type { Store } from "../../db/store.ts";
import type { ChunkDraft } from "../../engine/chunking/tree.ts";
import { sha256Hex } from "../../kernel/hash.ts";
import type { Generation } from "./generations.ts";
import type { CurrentSpace } from "./spaces.ts";
import { firstAlone } from "../../engine/embedding/joined.ts";
import { floatsOf } from "../vectors/dense.ts";

/** The vectors of the windows of a chunk; undefined if there is no such chunk. */
type StoredVectors = (draft: ChunkDraft, text: string) => Float32Array[] | undefined;

/** Generations of this format and later ones cut texts into the same windows. That of `reindex` is lower. */
const SAME_WINDOWS_SINCE = 1;

interface StoredChunk {
  key: number;
  level: string;
  sectionPath: string;
  text: string;
}

const chunksIn = preparedSql<StoredChunk, [number, number]>(
  `SELECT key, level, section_path AS sectionPath, text FROM chunks WHERE key >= ? AND key < ?
   AND level <> 'document'`,
);
const vectorKeysIn = preparedSql<{ chunkKey: number; vectorKey: number }, [number]>(
  `SELECT chunk_key AS chunkKey, vector_key AS vectorKey FROM chunk_bits WHERE generation_id = ?
   ORDER BY vector_key`,
);
const vectorAt = preparedSql<{ embedding: Uint8Array }, [number]>(
  "SELECT embedding FROM chunk_vectors WHERE key = ?",
);

const identityOf = (level: string, sectionPath: string, text: string) =>
  sha256Hex(`${level}\0${sectionPath}\0${text}`);

/** What can be used again. */
export interface ReusableVectors {
  /** Vectors in the current space. */
  stored: StoredVectors;
  /** Vectors of the first model, while the current space is of two. */
  storedOfFirst: StoredVectors;
}

const NOTHING: StoredVectors = () => undefined;

/**
 * Reads what can be used again of the generation `live` for a document with this title. The title and the headings are
 * embedded with each text. A generation of two models has the vectors of the first one alone, too.
 */
export function storedVectors(
  reader: Pick<Store, "sql">,
  live: Generation | undefined,
  {
    title,
    space,
  }: { title: string; space: Pick<CurrentSpace, "id" | "firstId" | "joinedIds" | "dimension"> },
): ReusableVectors {
  const reusable: ReusableVectors = { stored: NOTHING, storedOfFirst: NOTHING };
  if (live?.title !== title || live.format < SAME_WINDOWS_SINCE) return reusable;
  if (live.spaceId === space.id) return { ...reusable, stored: vectorsOf(reader, live) };
  if (live.spaceId === space.firstId) return { ...reusable, storedOfFirst: vectorsOf(reader, live) };
  if (!space.joinedIds.includes(live.spaceId)) return reusable;
  const joined = vectorsOf(reader, live);
  const alone = firstAlone(space.dimension);
  const stored: StoredVectors = (draft, text) => {
    const vectors = joined(draft, text)?.map(alone);
    return vectors?.every((vector) => vector !== undefined) ? vectors : undefined;
  };
  return { ...reusable, stored };
}

function vectorsOf(reader: Pick<Store, "sql">, live: Generation): StoredVectors {
  const vectorKeys = new Map<number, number[]>();
  for (const { chunkKey, vectorKey } of vectorKeysIn(reader).all(live.id))
    vectorKeys.set(chunkKey, [...(vectorKeys.get(chunkKey) ?? []), vectorKey]);
  const keyOf = new Map<string, number>();
  const { firstChunk, chunkCount } = live;
  for (const { key, level, sectionPath, text } of chunksIn(reader).all(firstChunk, firstChunk + chunkCount))
    keyOf.set(identityOf(level, sectionPath, text), key);
  return ({ level, sectionPath }, text) => {
    const key = keyOf.get(identityOf(level, JSON.stringify(sectionPath), text));
    const keys = key === undefined ? undefined : vectorKeys.get(key);
    // The rows of a generation that is replaced meanwhile disappear one by one.
    const vectors = keys?.map((vectorKey) => vectorAt(reader).get(vectorKey));
    return vectors?.every((row) => row !== null) ? vectors.map((row) => floatsOf(row!.embedding)) : undefined;
  };
}

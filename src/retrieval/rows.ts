// Writes the index rows of one chunk: the row itself, its words, its trigrams, its vectors with their sign bits.

import type { Database } from "bun:sqlite";
import { signBits } from "../engine/embedding/bits.ts";
import { fold } from "../kernel/text.ts";
import { wordsToIndex } from "./words.ts";

export interface ChunkRow {
  key: number;
  id: string;
  generationId: number;
  level: "document" | "section" | "paragraph";
  parentKey: number | null;
  chunkIndex: number;
  startIndex: number;
  endIndex: number;
  headingText: string | null;
  sectionPath: string[];
  wordCount: number;
  text: string;
}

/**
 * Behind every text in the trigram index stand two line ends, so that each of its characters begins a trigram: a search
 * for one or two characters can then ask for the trigrams that begin with them.
 */
export const TRIGRAM_TAIL = "\n\n";

/** The form in which text is put into, and looked up in, the trigram index: folded, NUL as a space. */
export function foldForTrigrams(text: string): string {
  return fold(text).replaceAll("\0", " ");
}

/**
 * Writes a chunk's row and its full-text rows. `context` is the document's title and the section path. A document's own
 * chunk stands for it in the word index only where there is nothing else, and then by its title.
 */
export function insertChunk(database: Database, row: ChunkRow, context: string, standsAlone = false): void {
  database
    .query(
      `INSERT INTO chunks (key, id, generation_id, level, parent_key, chunk_index, start_index, end_index,
         heading_text, section_path, word_count, text)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      row.key,
      row.id,
      row.generationId,
      row.level,
      row.parentKey,
      row.chunkIndex,
      row.startIndex,
      row.endIndex,
      row.headingText,
      JSON.stringify(row.sectionPath),
      row.wordCount,
      row.text,
    );
  if (row.level !== "document" || standsAlone) {
    const text = row.level === "document" ? "" : row.text;
    database
      .query("INSERT INTO chunk_words (rowid, context, text) VALUES (?, ?, ?)")
      .run(row.key, wordsToIndex(context), wordsToIndex(text));
  }
  database
    .query("INSERT INTO chunk_trigrams (rowid, text) VALUES (?, ?)")
    .run(row.key, foldForTrigrams(row.text) + TRIGRAM_TAIL);
}

/** Writes one vector of a chunk: unit length, EMBEDDING_DIMENSION floats. */
export function insertVector(
  database: Database,
  generationId: number,
  chunkKey: number,
  vector: Float32Array,
): void {
  const { lastInsertRowid } = database
    .query("INSERT INTO chunk_vectors (embedding) VALUES (?)")
    .run(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength));
  database
    .query("INSERT INTO chunk_bits (generation_id, vector_key, chunk_key, bits) VALUES (?, ?, ?, ?)")
    .run(generationId, Number(lastInsertRowid), chunkKey, signBits(vector));
}

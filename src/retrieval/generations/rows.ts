// Writes the index rows of one chunk: the chunk itself, its words, its trigrams, its vectors and their sign bits.

import type { Database } from "bun:sqlite";
import { halvesInTurn, signBits } from "../../engine/embedding/bits.ts";
import { bytesOf } from "../vectors/dense.ts";
import { literalForm } from "../words/normalize.ts";
import { wordsToIndex } from "../words/words.ts";

/** A row of the table chunks; offsets are UTF-16 units of the document's content. */
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
  /** The line of the document's content on which the chunk starts, from 1. */
  line: number;
}

/**
 * Appended to every text in the trigram index, so that each of its characters is the first of a trigram. A query of one
 * or two characters is looked up as a prefix of trigrams.
 */
const TRIGRAM_TAIL = "\n\n";

export interface ChunkWords {
  /** The document's title and the section path. */
  context: string;
  /** Whether the chunk is its document's only one. */
  isOnly?: boolean;
}

/**
 * Inserts a chunk and its full-text rows. The chunk of level `document` is in the word index only if the document has
 * no other chunk, and then with its title alone.
 */
export function insertChunk(
  database: Database,
  row: ChunkRow,
  { context, isOnly = false }: ChunkWords,
): void {
  database
    .query(
      `INSERT INTO chunks (key, id, generation_id, level, parent_key, chunk_index, start_index, end_index,
         heading_text, section_path, word_count, text, line)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
      row.line,
    );
  if (row.level !== "document" || isOnly) {
    const text = row.level === "document" ? "" : row.text;
    database
      .query("INSERT INTO chunk_words (rowid, context, text) VALUES (?, ?, ?)")
      .run(row.key, wordsToIndex(context), wordsToIndex(text));
  }
  database
    .query("INSERT INTO chunk_trigrams (rowid, text) VALUES (?, ?)")
    .run(row.key, literalForm(row.text) + TRIGRAM_TAIL);
}

export interface ChunkVector {
  generationId: number;
  chunkKey: number;
  /** EMBEDDING_DIMENSION numbers, of unit length. */
  vector: Float32Array;
  /** Whether its halves are of two models: their bits are stored in turn. */
  hasTwoModels?: boolean;
}

/** Inserts a vector of a chunk and its sign bits. */
export function insertVector(
  database: Database,
  { generationId, chunkKey, vector, hasTwoModels = false }: ChunkVector,
): void {
  const bits = signBits(vector);
  const { lastInsertRowid } = database
    .query("INSERT INTO chunk_vectors (embedding) VALUES (?)")
    .run(bytesOf(vector));
  database
    .query("INSERT INTO chunk_bits (generation_id, vector_key, chunk_key, bits) VALUES (?, ?, ?, ?)")
    .run(generationId, Number(lastInsertRowid), chunkKey, hasTwoModels ? halvesInTurn(bits) : bits);
}

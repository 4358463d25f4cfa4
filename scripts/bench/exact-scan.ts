// The baseline of vector search: a vec0 table of sqlite-vec with the same vectors, in a file with the program's
// settings; and opening database files with that extension.

import type { Database } from "bun:sqlite";
import { nativeFile } from "../../src/base/assets.ts";
import { openReader } from "../../src/db/handles.ts";
import { databasePath, openDatabase } from "../../src/db/open.ts";
import { messageOf } from "../../src/kernel/errors.ts";
import { LIMITS } from "../../src/kernel/limits.ts";
import { type Bench, Missing } from "./bench.ts";

export interface ExactScan {
  /** Keys of the 256 nearest chunks by cosine, nearest first. */
  nearest(vector: Float32Array): number[];
  close(): void;
}

/** Opens a data directory as the program's search worker does. Throws Missing if sqlite-vec cannot be loaded. */
export function openWithExtension(dataDir: string): Database {
  return extended(openReader(databasePath(dataDir)));
}

/** Copies every vector of a data directory into a table of sqlite-vec 0.1.9, `float[1536]`, cosine, default chunks. */
export function openExactScan(bench: Bench, dataDir: string): ExactScan {
  const folder = bench.folder();
  const target = extended(openDatabase(folder));
  target.run("PRAGMA synchronous = OFF");
  target.run("PRAGMA cache_size = -262144");
  target.run("CREATE VIRTUAL TABLE vectors USING vec0 (embedding float[1536] distance_metric=cosine)");
  const insert = target.query("INSERT INTO vectors (rowid, embedding) VALUES (?, ?)");
  const source = openReader(databasePath(dataDir));
  const rows = source.query<{ chunkKey: number; embedding: Uint8Array }, []>(
    "SELECT b.chunk_key AS chunkKey, v.embedding FROM chunk_bits AS b JOIN chunk_vectors AS v ON v.key = b.vector_key",
  );
  target.transaction(() => {
    for (const { chunkKey, embedding } of rows.iterate()) insert.run(chunkKey, embedding);
  })();
  source.close();
  target.run("PRAGMA wal_checkpoint(TRUNCATE)");
  target.close();

  const database = openWithExtension(folder);
  const scan = database.query<{ rowid: number }, [Uint8Array, number]>(
    "SELECT rowid FROM vectors WHERE embedding MATCH ? AND k = ? ORDER BY distance",
  );
  return {
    nearest: (vector) => scan.all(bytesOf(vector), LIMITS.search.candidates).map(({ rowid }) => rowid),
    close() {
      database.close();
      bench.discard(folder);
    },
  };
}

/**
 * Loads sqlite-vec into a handle and returns the handle. Throws Missing, with the handle closed, when it cannot be
 * loaded.
 */
export function extended(database: Database): Database {
  try {
    database.loadExtension(nativeFile("vec0"));
    return database;
  } catch (error) {
    database.close();
    throw new Missing(`sqlite-vec cannot be loaded: ${messageOf(error)}`);
  }
}

function bytesOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

// The resident copy of the live index against the tables while they change.

import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { openLocalStore } from "../../../src/app.ts";
import { openReader } from "../../../src/db/handles.ts";
import { databasePath } from "../../../src/db/open.ts";
import type { Store } from "../../../src/db/store.ts";
import { ONE_MODEL } from "../../../src/retrieval/vectors/query-parts.ts";
import { hammingDistance } from "../../../src/retrieval/vectors/dense.ts";
import type { Filter } from "../../../src/retrieval/search/filter.ts";
import { type LiveIndex, openLiveIndex } from "../../../src/retrieval/search/live-index.ts";
import { makeTempDir } from "../../helpers/start.ts";
import { randomBits } from "./random-bits.ts";

describe("compared with the tables", () => {
  let dir: string;
  let store: Store;
  let reader: Database;
  let index: LiveIndex;
  let nextVector = 1;
  const rows = new Map<
    number,
    {
      vectorKey: number;
      chunkKey: number;
      documentId: string;
      userId: string;
      space: number;
      bits: Uint8Array;
    }[]
  >();

  beforeEach(() => {
    dir = makeTempDir();
    store = openLocalStore(dir);
    store.sql.run("PRAGMA foreign_keys = OFF");
    reader = openReader(databasePath(dir));
    index = openLiveIndex(reader);
    rows.clear();
  });
  afterEach(() => {
    reader.close();
    store.close();
    rmSync(dir, { recursive: true });
  });

  function addGeneration(id: number, documentId: string, userId: string, vectors: number, space = 1): void {
    store.write(({ sql }) => {
      sql
        .query(
          `INSERT INTO index_generations (id, document_id, user_id, revision, title, content_hash, space_id, state, first_chunk, chunk_count)
           VALUES (?, ?, ?, 0, '', '', ?, 'live', ?, ?)`,
        )
        .run(id, documentId, userId, space, id * 1000, vectors);
      const made = Array.from({ length: vectors }, (_, chunk) => ({
        vectorKey: nextVector++,
        chunkKey: id * 1000 + chunk,
        documentId,
        userId,
        space,
        bits: randomBits(),
      }));
      for (const { vectorKey, chunkKey, bits } of made) {
        sql.query("INSERT INTO chunk_bits VALUES (?, ?, ?, ?)").run(id, vectorKey, chunkKey, bits);
      }
      rows.set(id, made);
    });
  }
  function retire(id: number): void {
    store.sql.query("UPDATE index_generations SET state = 'dead' WHERE id = ?").run(id);
    rows.delete(id);
  }
  function expectSame(filter: Filter, space = 1, count = 10, allowed = (_documentId: string) => true): void {
    const query = randomBits();
    const expected = [...rows.values()]
      .flat()
      .filter((row) => row.userId === filter.userId && row.space === space && allowed(row.documentId))
      .map((row) => ({ ...row, distance: hammingDistance(row.bits, query) }))
      .sort((a, b) => a.distance - b.distance || a.vectorKey - b.vectorKey)
      .slice(0, count)
      .map(({ vectorKey, chunkKey, documentId }) => ({ vectorKey, chunkKey, documentId }));
    const found = index.view(filter).nearest({ bits: query, weights: ONE_MODEL, count }, space);
    expect(
      found.map(({ vectorKey, chunkKey, segment }) => ({
        vectorKey,
        chunkKey,
        documentId: segment.documentId,
      })),
    ).toEqual(expected);
  }
  const of = (userId: string): Filter => ({ userId, tags: [] });

  test("follows new, retired and replaced generations, and what another process commits", () => {
    expectSame(of("u"));
    for (let id = 1; id <= 30; id++) addGeneration(id, `d${id}`, id % 3 ? "u" : "v", 20);
    for (let id = 31; id <= 35; id++) addGeneration(id, `d${id}`, "u", 20, 2);
    expectSame(of("u"));
    expectSame(of("v"));
    expectSame(of("nobody"));
    expectSame(of("u"), 2);
    expectSame(of("u"), 1, 256);
    expectSame(of("u"), 1, 100_000);
    for (const id of [1, 2, 17]) retire(id);
    addGeneration(50, "d1", "u", 7);
    expectSame(of("u"));
    const other = new Database(databasePath(dir));
    other.run("UPDATE index_generations SET state = 'dead' WHERE id = 4");
    other.close();
    rows.delete(4);
    expectSame(of("u"), 1, 500);
  });

  test("a reader that is behind the kept changes compares everything", () => {
    for (let id = 1; id <= 5; id++) addGeneration(id, `d${id}`, "u", 5);
    expectSame(of("u"));
    retire(2);
    addGeneration(6, "d6", "u", 5);
    store.write(({ sql }) => {
      for (let change = 0; change < 10_000; change++)
        sql.run("INSERT INTO index_changes (generation_id) VALUES (3)");
    });
    const kept = reader.query<{ count: number }, []>("SELECT count(*) AS count FROM index_changes").get();
    expect(kept).toEqual({ count: 10_000 });
    expectSame(of("u"), 1, 100);
    // It follows single changes again.
    retire(3);
    addGeneration(7, "d7", "u", 5);
    expectSame(of("u"), 1, 100);
  });

  test("a filter on a document is applied before candidates are chosen", () => {
    for (let id = 1; id <= 20; id++) addGeneration(id, `d${id}`, "u", 30);
    expectSame({ ...of("u"), documentId: "d7" }, 1, 5, (documentId) => documentId === "d7");
    expectSame({ ...of("v"), documentId: "d7" }, 1, 5, () => false);
  });

  test("all vectors of chunks are found", () => {
    for (let id = 1; id <= 20; id++) addGeneration(id, `d${id}`, "u", 30);
    const wanted = new Set(
      [...rows.values()].flat().flatMap(({ chunkKey }) => (chunkKey % 3 ? [chunkKey] : [])),
    );
    expect(index.view(of("v")).vectorsOf(wanted)).toEqual([]);
    const vectors = index.view(of("u")).vectorsOf(wanted);
    expect(new Set(vectors.map(({ chunkKey }) => chunkKey))).toEqual(wanted);
  });

  test("a preloaded index equals one that the first view loads", () => {
    for (let id = 1; id <= 600; id++) addGeneration(id, `d${id}`, id % 3 ? "u" : "v", 3, id % 5 ? 1 : 2);
    const steps = index.preload()[Symbol.iterator]();
    let count = 0;
    while (!steps.next().done) {
      count++;
      // Retired before and after it is read, and added while others are read.
      if (count === 300) for (const id of [10, 590]) retire(id);
      if (count === 400) addGeneration(1_000, "d10", "u", 4);
    }
    // The page that contains 590 was read after it was retired.
    expect(count).toBe(600);
    for (const user of ["u", "v"]) for (const space of [1, 2]) expectSame(of(user), space, 5_000);
  });

  test("preloading ends with the first view", () => {
    for (let id = 1; id <= 20; id++) addGeneration(id, `d${id}`, "u", 3);
    const steps = index.preload()[Symbol.iterator]();
    for (let i = 0; i < 5; i++) steps.next();
    expectSame(of("u"));
    expect(steps.next().done).toBe(true);
    addGeneration(21, "d21", "u", 3);
    expectSame(of("u"), 1, 100);
  });

  test("dead positions are reclaimed", () => {
    for (let round = 0; round < 12; round++) {
      if (round > 0) retire(99 + round);
      addGeneration(100 + round, "d", "u", 1_000);
      expectSame(of("u"));
    }
  });
});

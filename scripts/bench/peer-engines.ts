// The engines of the group peers behind one interface. The packages in peers/ are imported when they are used, because
// they may not be installed.

import { join } from "node:path";
import { openLocalStore } from "../../src/app.ts";
import { ensureUser, LOCAL_OWNER } from "../../src/auth/users.ts";
import { openReader } from "../../src/db/handles.ts";
import { databasePath, openDatabase } from "../../src/db/open.ts";
import { ONE_MODEL } from "../../src/retrieval/vectors/query-parts.ts";
import { signBits } from "../../src/engine/embedding/bits.ts";
import { createLift, rotationSize } from "../../src/engine/embedding/lift.ts";
import { LIMITS } from "../../src/kernel/limits.ts";
import { bytesOf, openCosines } from "../../src/retrieval/vectors/dense.ts";
import { beginGeneration, ensureSpace } from "../../src/retrieval/generations/generations.ts";
import { openLiveIndex } from "../../src/retrieval/search/live-index.ts";
import { insertVector } from "../../src/retrieval/generations/rows.ts";
import { extended, openWithExtension } from "./exact-scan.ts";

/** Vectors of unit length, one after another. */
export interface VectorList {
  values: Float32Array;
  dimension: number;
}

/** Indexes of the nearest vectors by cosine, nearest first. */
type Search = (query: Float32Array) => Promise<number[]> | number[];

export interface Engine {
  /** The package in peers/ that it needs. */
  needs?: string;
  build(folder: string, vectors: VectorList): Promise<void> | void;
  open(folder: string, depth: number): Promise<Search> | Search;
}

const INSTALLED = join(import.meta.dir, "peers", "node_modules");

const VECTORS_A_GENERATION = 10;
const GENERATIONS_A_WRITE = 500;

const ctxrepo: Engine = {
  build(folder, { values, dimension }) {
    const store = openLocalStore(folder);
    store.sql.run("PRAGMA synchronous = OFF");
    const lift = createLift(dimension);
    const model = { name: "bench", revision: "bench", dimension, directory: "" };
    const { userId, spaceId } = store.write((write) => ({
      userId: ensureUser(write, LOCAL_OWNER).id,
      spaceId: ensureSpace(write, model).id,
    }));
    const count = values.length / dimension;
    for (let from = 0; from < count; from += VECTORS_A_GENERATION * GENERATIONS_A_WRITE) {
      store.write((write) => {
        const end = Math.min(count, from + VECTORS_A_GENERATION * GENERATIONS_A_WRITE);
        for (let first = from; first < end; first += VECTORS_A_GENERATION) {
          const generation = beginGeneration(write, {
            ...{
              documentId: String(first),
              userId,
              revision: 0,
              title: "",
              contentHash: "",
              labelsHash: "",
              spaceId,
            },
            chunkCount: VECTORS_A_GENERATION,
          });
          for (let index = first; index < first + VECTORS_A_GENERATION; index++) {
            const vector = lift(values.subarray(index * dimension, (index + 1) * dimension));
            const chunkKey = generation.firstChunk + index - first;
            insertVector(write.sql, { generationId: generation.id, chunkKey, vector });
          }
        }
        write.sql.run("UPDATE index_generations SET state = 'live' WHERE state <> 'live'");
      });
    }
    store.close();
  },
  open(folder, depth) {
    const database = openWithExtension(folder);
    const { userId, firstChunk, spaceId, dimension } = database
      .query<{ userId: string; firstChunk: number; spaceId: number; dimension: number }, []>(
        `SELECT g.user_id AS userId, min(g.first_chunk) AS firstChunk, space.id AS spaceId, space.dimension
         FROM index_generations AS g JOIN embedding_spaces AS space ON space.id = g.space_id`,
      )
      .get()!;
    const view = openLiveIndex(database).view({ userId, tags: [] });
    const cosines = openCosines(database, "sqlite-vec");
    const lift = createLift(dimension);
    return (query) => {
      const lifted = lift(query);
      const near = view.nearest(
        { bits: signBits(lifted), weights: ONE_MODEL, count: LIMITS.search.candidates },
        spaceId,
      );
      const keys = near.map(({ vectorKey }) => vectorKey);
      const cosineOf = cosines({ start: 0, values: lifted.subarray(0, rotationSize(dimension)) }, keys);
      return near
        .map(({ vectorKey, chunkKey }) => ({
          index: chunkKey - firstChunk,
          cosine: cosineOf.get(vectorKey)!,
        }))
        .sort((a, b) => b.cosine - a.cosine)
        .slice(0, depth)
        .map(({ index }) => index);
    };
  },
};

const vec0: Engine = {
  build(folder, { values, dimension }) {
    const database = extended(openDatabase(folder));
    database.run("PRAGMA synchronous = OFF");
    database.run("PRAGMA cache_size = -262144");
    database.run(
      `CREATE VIRTUAL TABLE vectors USING vec0 (embedding float[${dimension}] distance_metric=cosine)`,
    );
    const insert = database.query("INSERT INTO vectors (rowid, embedding) VALUES (?, ?)");
    database.transaction(() => {
      for (let index = 0; index * dimension < values.length; index++)
        insert.run(index, bytesOf(values.subarray(index * dimension, (index + 1) * dimension)));
    })();
    database.close();
  },
  open(folder, depth) {
    const database = extended(openReader(databasePath(folder)));
    const search = database.query<{ rowid: number }, [Uint8Array, number]>(
      "SELECT rowid FROM vectors WHERE embedding MATCH ? AND k = ? ORDER BY distance",
    );
    return (query) => search.all(bytesOf(query), depth).map(({ rowid }) => rowid);
  },
};

/** What is used of usearch. */
interface Usearch {
  Index: new (options: {
    metric: string;
    dimensions: number;
  }) => {
    add(keys: BigUint64Array, vectors: Float32Array): void;
    search(query: Float32Array, count: number, threads: number): { keys: BigUint64Array };
    save(path: string): void;
    load(path: string): void;
  };
}

const USEARCH_FILE = "index.usearch";
const ADDED_AT_ONCE = 10_000;
const importUsearch = () =>
  import(join(INSTALLED, "usearch", "javascript", "dist", "cjs", "usearch.js")) as Promise<Usearch>;

const usearch: Engine = {
  needs: "usearch",
  async build(folder, { values, dimension }) {
    const { Index } = await importUsearch();
    const index = new Index({ metric: "cos", dimensions: dimension });
    for (let from = 0; from * dimension < values.length; from += ADDED_AT_ONCE) {
      const part = values.subarray(from * dimension, (from + ADDED_AT_ONCE) * dimension);
      const keys = BigUint64Array.from({ length: part.length / dimension }, (_, i) => BigInt(from + i));
      index.add(keys, part);
    }
    index.save(join(folder, USEARCH_FILE));
    await Bun.write(join(folder, "dimension"), String(dimension));
  },
  async open(folder, depth) {
    const { Index } = await importUsearch();
    const dimensions = Number(await Bun.file(join(folder, "dimension")).text());
    const index = new Index({ metric: "cos", dimensions });
    index.load(join(folder, USEARCH_FILE));
    return (query) => [...index.search(query, depth, 0).keys].map(Number);
  },
};

/** What is used of LanceDB. */
interface LanceQuery {
  distanceType(type: string): LanceQuery;
  refineFactor(factor: number): LanceQuery;
  select(columns: string[]): LanceQuery;
  limit(count: number): LanceQuery;
  toArray(): Promise<{ id: number }[]>;
}
interface LanceTable {
  add(rows: object[]): Promise<unknown>;
  createIndex(column: string, options: { config: unknown }): Promise<void>;
  query(): { nearestTo(query: Float32Array): LanceQuery };
}
interface Lance {
  connect(folder: string): Promise<{
    createTable(name: string, rows: object[]): Promise<LanceTable>;
    openTable(name: string): Promise<LanceTable>;
  }>;
  Index: { ivfPq(options: { distanceType: string }): unknown };
}

const importLance = () =>
  import(join(INSTALLED, "@lancedb", "lancedb", "dist", "index.js")) as Promise<Lance>;
/** So many times the wanted vectors are compared exactly. */
const REFINED = 10;

const lance = (isIndexed: boolean): Engine => ({
  needs: "@lancedb/lancedb",
  async build(folder, { values, dimension }) {
    const { connect, Index } = await importLance();
    const database = await connect(folder);
    let table: LanceTable | undefined;
    for (let from = 0; from * dimension < values.length; from += ADDED_AT_ONCE) {
      const count = Math.min(ADDED_AT_ONCE, values.length / dimension - from);
      const rows = Array.from({ length: count }, (_, i) => ({
        id: from + i,
        vector: Array.from(values.subarray((from + i) * dimension, (from + i + 1) * dimension)),
      }));
      if (table) await table.add(rows);
      else table = await database.createTable("vectors", rows);
    }
    if (isIndexed) await table?.createIndex("vector", { config: Index.ivfPq({ distanceType: "cosine" }) });
  },
  async open(folder, depth) {
    const { connect } = await importLance();
    const table = await (await connect(folder)).openTable("vectors");
    return async (query) => {
      const search = table
        .query()
        .nearestTo(query)
        .distanceType("cosine")
        .select(["id", "_distance"])
        .limit(depth);
      return (await (isIndexed ? search.refineFactor(REFINED) : search).toArray()).map(({ id }) =>
        Number(id),
      );
    };
  },
});

/** By name; the first is the program's own search. */
export const ENGINES: Readonly<Record<string, Engine>> = {
  "ctxrepo, sign bits and exact cosines": ctxrepo,
  "sqlite-vec vec0, exact": vec0,
  "usearch, HNSW": usearch,
  "LanceDB, exact": lance(false),
  "LanceDB, IVF_PQ, refined": lance(true),
};
/** Where the packages of an engine are installed. */
export const packageFolder = (name: string) => join(INSTALLED, name);

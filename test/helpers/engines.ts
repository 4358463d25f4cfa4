// Compares the two vector engines on the same database.

import { expect } from "bun:test";
import { rmSync } from "node:fs";
import { type Client, makeTempDir, type Started, startServer } from "./start.ts";

interface Row {
  id: string;
  score?: number;
}

/**
 * Expects the same rows and scores of each search from sqlite-vec and, on a copy of the database, from the JavaScript
 * engine. Returns the rows.
 */
export async function expectSameFromBothEngines(
  started: Started,
  searchAll: (client: Client) => Promise<Row[][]>,
): Promise<Row[][]> {
  await started.settle();
  expect(await started.app.searchWorker.call.engine(null)).toBe("sqlite-vec");
  const withExtension = await searchAll(started.client);
  const dataDir = makeTempDir();
  started.app.store.sql.run(`VACUUM INTO '${dataDir}/ctxrepo.db'`);
  const plain = startServer({ realModel: true, dataDir, settings: { vectorEngine: "javascript" } });
  try {
    expect(await plain.app.searchWorker.call.engine(null)).toBe("javascript");
    const withoutExtension = await searchAll(plain.client);
    const idsOf = (searches: Row[][]) => searches.map((rows) => rows.map(({ id }) => id));
    expect(idsOf(withoutExtension)).toEqual(idsOf(withExtension));
    const scoresOf = (searches: Row[][]) => searches.flat().map(({ score = Number.NaN }) => score);
    const expected = scoresOf(withExtension);
    for (const [at, score] of scoresOf(withoutExtension).entries()) {
      expect(score).toBeCloseTo(expected[at]!, 5);
    }
  } finally {
    await plain.stop();
    rmSync(dataDir, { recursive: true });
  }
  return withExtension;
}

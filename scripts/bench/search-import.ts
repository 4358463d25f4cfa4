// Group search-import: how long semantic searches take while documents are imported, compared with the same server before.

import { copyFileSync } from "node:fs";
import { databasePath } from "../../src/db/open.ts";
import { type Bench, inLanes } from "./bench.ts";
import { clientOf, createKey, startChild } from "./child-server.ts";
import { readCollections } from "./collections.ts";
import { filledDatabase } from "./filled-database.ts";
import { type Finding, median, percentile } from "./measures.ts";
import { searchMs } from "./search-http.ts";
import { realVectors } from "./vectors.ts";

const CHUNKS = 10_000;
const DOCUMENTS = 2_000;
const LANES = 4;
const IDLE_SEARCHES = 200;
/** Pause between two searches, so that they do not take the place of the import. */
const PAUSE_MS = 20;

/** Yields the latency of searches with new queries, before and during an import of 2,000 documents. */
export async function* searchImport(bench: Bench): AsyncGenerator<Finding> {
  const { queries } = await realVectors(bench);
  const filled = await filledDatabase(bench, CHUNKS);
  const dataDir = bench.folder();
  copyFileSync(databasePath(filled.dataDir), databasePath(dataDir));
  const server = await startChild(bench, dataDir);
  const client = clientOf(server, await createKey(bench, dataDir));
  await server.idle();

  let next = 0;
  const searches = async (isDone: (count: number) => boolean): Promise<number[]> => {
    const times: number[] = [];
    while (!isDone(times.length)) {
      // A new text each time: vectors of queries are cached.
      const { text } = queries[next % queries.length]!;
      times.push(await searchMs(client, `${text} ${next++}`));
      await Bun.sleep(PAUSE_MS);
    }
    return times;
  };
  await searches((count) => count >= queries.length);
  const idle = await searches((count) => count >= IDLE_SEARCHES);

  bench.note(`search-import: importing ${DOCUMENTS} documents`);
  const documents = readCollections()
    .flatMap((collection) => collection.documents)
    .slice(0, DOCUMENTS);
  let importing = true;
  const during = searches(() => !importing);
  await inLanes(documents, LANES, ({ title, text }) =>
    client("POST", "/v1/documents", { title, content: text }),
  );
  await server.idle();
  importing = false;
  const busy = await during;
  await server.stop();
  bench.discard(dataDir);

  const compared = (value: number, baseline: number) => ({
    value,
    unit: "ms",
    baseline: { name: "the same before the import", value: baseline },
  });
  const what = `GET /v1/search during an import of ${DOCUMENTS} documents into ${CHUNKS / 1000}k chunks`;
  yield { measure: `${what}, p50`, ...compared(median(busy), median(idle)) };
  yield { measure: `${what}, p95`, ...compared(percentile(busy, 0.95), percentile(idle, 0.95)) };
  yield { measure: `${what}, slowest`, ...compared(Math.max(...busy), Math.max(...idle)) };
}

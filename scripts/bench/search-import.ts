// Group search-import: how long semantic searches take while documents are imported, compared with the same server
// before.

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

/** Yields the latency of searches before and during an import of 2,000 documents. */
export async function* searchImport(bench: Bench): AsyncGenerator<Finding> {
  const { queries } = await realVectors(bench);
  const filled = await filledDatabase(bench, CHUNKS);
  const dataDir = bench.folder();
  copyFileSync(databasePath(filled.dataDir), databasePath(dataDir));
  const server = await startChild(bench, dataDir);
  const client = clientOf(server, await createKey(bench, dataDir));
  await server.idle();

  let next = 0;
  const searches = async (isDone: (count: number) => boolean): Promise<Times> => {
    const times: Times = { fresh: [], repeated: [] };
    while (!isDone(times.fresh.length)) {
      const { text } = queries[next % queries.length]!;
      // A text with a number is new each time; the vector of one without is cached.
      times.fresh.push(await searchMs(client, `${text} ${next++}`));
      await Bun.sleep(PAUSE_MS);
      times.repeated.push(await searchMs(client, text));
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

  for (const kind of ["fresh", "repeated"] as const) {
    const compared = (value: (times: readonly number[]) => number) => ({
      value: value(busy[kind]),
      unit: "ms",
      baseline: { name: "the same before the import", value: value(idle[kind]) },
    });
    const queries = kind === "fresh" ? "new queries" : "repeated queries";
    const what = `GET /v1/search during an import into ${CHUNKS / 1000}k chunks, ${queries}`;
    yield { measure: `${what}, p50`, ...compared(median) };
    yield { measure: `${what}, p95`, ...compared((times) => percentile(times, 0.95)) };
    yield { measure: `${what}, slowest`, ...compared((times) => Math.max(...times)) };
  }
}

/**
 * Duration of searches with queries that are new, and with queries that only their words have to be looked up for, ms.
 */
interface Times {
  fresh: number[];
  repeated: number[];
}

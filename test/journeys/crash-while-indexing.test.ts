// The process is killed after it has written a part of a new generation: that part is never visible, the old generation
// is searched until the new one is complete, and nothing of either is left over.

import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { resolve } from "node:path";
import { databasePath } from "../../src/db/open.ts";
import { fakeEmbedder } from "../helpers/embedder.ts";
import { commandOf, plainEnvironment } from "../helpers/processes.ts";
import { type Client, createClient, makeTempDir, type Started, startServer } from "../helpers/start.ts";

const PROGRAM = resolve(import.meta.dir, "../helpers/interrupted-indexer.ts");

/**
 * More chunks than three groups of 48. Literal search covers the first 4 kB at once, so probes are words behind them.
 */
const NEW_TEXT = Array.from({ length: 200 }, (_, i) => {
  const probe = i === 80 ? "blueheron" : i === 190 ? "kingfisher" : "filler";
  return `Paragraph ${i} of the new text is about the ${probe} and is long enough to fill the preview.`;
}).join("\n\n");
const OLD_TEXT = "This is the old text about the aardvark.";

let dir: string;
let started: Started | undefined;
let child: Bun.Subprocess<"ignore", "pipe", "inherit"> | undefined;
beforeEach(() => {
  dir = makeTempDir();
});
afterEach(async () => {
  child?.kill("SIGKILL");
  await child?.exited;
  await started?.stop();
  started = undefined;
  rmSync(dir, { recursive: true });
});

/** Starts the server that gets stuck at a group; `stuck` resolves when it does. */
async function startInterrupted(group: number): Promise<{ url: string; stuck(): Promise<void> }> {
  child = Bun.spawn(commandOf(PROGRAM, dir, String(group)), {
    env: plainEnvironment(),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = readLines(child.stdout);
  const url = (await lines.next()).value;
  if (url === undefined) throw new Error("the server did not start");
  return {
    url,
    async stuck() {
      expect((await lines.next()).value).toBe("stuck");
    },
  };
}

async function* readLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of stream) {
    text += decoder.decode(bytes, { stream: true });
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n")) {
      yield text.slice(0, end);
      text = text.slice(end + 1);
    }
  }
}

/** Which of the words are found, by meaning and literally. */
async function visible(client: Client): Promise<string[]> {
  const found: string[] = [];
  for (const word of ["aardvark", "blueheron", "kingfisher"]) {
    for (const semantic of [true, false]) {
      const path = `/v1/search?q=${word}&semantic=${semantic}&scoreThreshold=0.2`;
      const { body } = await client("GET", path);
      const hits = body.data.documents.filter(({ highlight }: { highlight: string }) =>
        highlight.includes(word),
      );
      if (hits.length > 0) found.push(`${word}, ${semantic ? "by meaning" : "literally"}`);
    }
  }
  return found;
}

const OLD = ["aardvark, by meaning", "aardvark, literally"];
const NEW = [
  "blueheron, by meaning",
  "blueheron, literally",
  "kingfisher, by meaning",
  "kingfisher, literally",
];

/** Chunks on disk by state of their generation, read without the program. */
function chunksOnDisk(): Record<string, number> {
  const database = new Database(databasePath(dir), { readonly: true });
  const rows = database
    .query<{ state: string; chunks: number }, []>(
      `SELECT g.state, count(*) AS chunks FROM chunks AS c JOIN index_generations AS g ON g.id = c.generation_id
       GROUP BY g.state`,
    )
    .all();
  database.close();
  return Object.fromEntries(rows.map(({ state, chunks }) => [state, chunks]));
}

interface Case {
  name: string;
  /** Indexed before the crash; absent for a new document. */
  oldText?: string;
  /** What is visible until the new text is indexed completely. */
  before: string[];
  /** Chunks on disk by state before the new text. */
  live: Record<string, number>;
}

test.each<Case>([
  { name: "an update", oldText: OLD_TEXT, before: OLD, live: { live: 2 } },
  { name: "a new document", before: [], live: {} },
])("$name: killed after two of five groups", async ({ oldText, before, live }) => {
  started = startServer({ dataDir: dir });
  const { key } = started.key;
  let id: string | undefined;
  if (oldText !== undefined) {
    id = (await started.client("POST", "/v1/documents", { title: "Birds", content: oldText })).body.data.id;
    await started.settle();
    expect(await visible(started.client)).toEqual(before);
  }
  await started.stop();
  started = undefined;

  const interrupted = await startInterrupted(3);
  const client = createClient(interrupted.url, key);
  const { status } = id
    ? await client("PATCH", `/v1/documents/${id}`, { content: NEW_TEXT })
    : await client("POST", "/v1/documents", { title: "Birds", content: NEW_TEXT });
  expect(status).toBe(id ? 200 : 201);
  await interrupted.stuck();
  expect(chunksOnDisk()).toEqual({ ...live, building: 96 });
  expect(await visible(client)).toEqual(before);
  child!.kill("SIGKILL");
  await child!.exited;
  expect(chunksOnDisk()).toEqual({ ...live, building: 96 });

  // From the restart on, look at every group before it is written.
  const embedder = fakeEmbedder();
  const embedPassages = embedder.embedPassages.bind(embedder);
  const seen: string[][] = [];
  embedder.embedPassages = async (passages) => {
    seen.push(await visible(started!.client));
    return embedPassages(passages);
  };
  started = startServer({ dataDir: dir, embedder });
  expect(await visible(started.client)).toEqual(before);
  await started.settle();
  expect(seen).toEqual(Array.from({ length: 5 }, () => before));
  expect(await visible(started.client)).toEqual(NEW);

  // Everything is indexed once, and nothing of the old or the interrupted generation is left.
  expect(chunksOnDisk()).toEqual({ live: 201 });
  const count = (sql: string) => started!.app.store.sql.query<{ n: number }, []>(sql).get()!.n;
  expect(count("SELECT count(*) AS n FROM index_generations")).toBe(1);
  expect(count("SELECT count(*) AS n FROM chunk_bits")).toBe(200);
  expect(count("SELECT count(*) AS n FROM chunk_vectors")).toBe(200);
  expect(count("SELECT count(*) AS n FROM chunk_words_docsize")).toBe(200);
  expect((await started.client("GET", "/health")).body.jobs).toEqual({ queued: 0, running: 0, failed: 0 });
});

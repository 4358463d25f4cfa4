// Group replication: Litestream beside a server with `--replicated`. Both are killed while a client writes, and the
// replica is restored elsewhere: it must contain every write up to the last one that was synchronised, none by half,
// and its server works.

import type { Database } from "bun:sqlite";
import { openReader } from "../../src/db/handles.ts";
import { databasePath } from "../../src/db/open.ts";
import { type Client, clientOf, createKey, startChild } from "../bench/child-server.ts";
import { createRandom } from "../bench/random.ts";
import { type History, startHistory, wordIn } from "./replication/history.ts";
import { type Replica, replicate, restore } from "./replication/litestream.ts";
import { openBucket } from "./replication/s3.ts";
import type { Check, Torture } from "./torture.ts";

const ROUNDS = 20;
const FIRST_WRITES = 15;
/** Writes before the kill, at most. */
const MORE_WRITES = 60;
const SYNC_POLL_MS = 250;
const SYNC_WAIT_MS = 120_000;
const FLAGS = ["--replicated"];
const SYNC = { "sync-interval": "1s" };

interface Outcome {
  /** Writes that were acknowledged and are not in the replica. */
  missing: number;
  /** How long before the kill the first of them was acknowledged, ms. */
  missingMs: number;
  /**
   * Whether the replica is as the server was after some write, at least the last one that was seen to be synchronised.
   */
  isState: boolean;
  isSynchronised: boolean;
  isIntact: boolean;
  documents: number;
  notFound: number;
}

/** Yields what the replica of a folder lost in all rounds, and whether restored servers work. */
export async function* replication(torture: Torture): AsyncGenerator<Check> {
  const folder = torture.folder();
  const replica = { type: "file", path: `${folder}/replica`, ...SYNC };
  yield* replicating(torture, { kind: "folder", folder, replica });
}

/** The same with a replica in a bucket of S3. Litestream 0.3.13 finds nothing to restore in that of s3rver. */
export async function* replicationS3(torture: Torture): AsyncGenerator<Check> {
  const replica = { ...(await openBucket(torture)), ...SYNC };
  yield* replicating(torture, { kind: "bucket", folder: torture.folder(), replica });
}

interface Target {
  kind: string;
  folder: string;
  replica: Replica;
}

async function* replicating(torture: Torture, target: Target): AsyncGenerator<Check> {
  const dataDir = torture.folder();
  const rounds = torture.repetitions(ROUNDS);
  const outcomes: Outcome[] = [];
  for (let round = 0; round < rounds; round++) {
    outcomes.push(await oneRound(torture, { ...target, dataDir, seed: torture.seed + round }));
    torture.note(`replica in a ${target.kind}: round ${round + 1} of ${rounds}`);
  }
  const count = (wrong: (outcome: Outcome) => boolean) => outcomes.filter(wrong).length;
  const highest = (read: (outcome: Outcome) => number) => Math.max(...outcomes.map(read));
  const check = (text: string) => `${target.kind}: ${text}`;
  yield { check: check("server and Litestream killed"), value: rounds, unit: "times" };
  yield { check: check("damaged replicas"), value: count(({ isIntact }) => !isIntact), unit: "", atMost: 0 };
  yield {
    check: check("replicas that are no state of the server"),
    value: count(({ isState }) => !isState),
    unit: "",
    atMost: 0,
  };
  yield {
    check: check("replicas without a synchronised write"),
    value: count(({ isSynchronised }) => !isSynchronised),
    unit: "",
    atMost: 0,
  };
  const notFound = outcomes.reduce((sum, outcome) => sum + outcome.notFound, 0);
  yield {
    check: check("documents that a restored server does not find"),
    value: notFound,
    unit: "",
    atMost: 0,
  };
  yield { check: check("documents in the last replica"), value: outcomes.at(-1)!.documents, unit: "" };
  yield {
    check: check("most acknowledged writes after the last synchronisation"),
    value: highest(({ missing }) => missing),
    unit: "",
  };
  yield {
    check: check("oldest of them before the kill"),
    value: highest(({ missingMs }) => missingMs) / 1000,
    unit: "s",
  };
}

async function oneRound(
  torture: Torture,
  { folder, replica, dataDir, seed }: Target & { dataDir: string; seed: number },
): Promise<Outcome> {
  const random = createRandom(seed);
  const server = await startChild(torture, dataDir, { flags: FLAGS });
  const key = await createKey(torture, dataDir);
  const litestream = await replicate(torture, dataDir, { replica, folder });
  const reader = openReader(databasePath(dataDir));
  const history = startHistory(clientOf(server, key), reader, seed);
  reader.close();

  for (let i = 0; i < FIRST_WRITES; i++) await history.write();
  const synchronised = history.acknowledged;
  await untilSynchronised(torture, { folder, history, synchronised });
  const until = synchronised + 1 + Math.floor(random() * MORE_WRITES);
  const writing = writeUntilItFails(history);
  while (history.acknowledged < until) await Bun.sleep(1);
  const killedAt = performance.now();
  await Promise.all([litestream.kill(), server.kill()]);
  await writing;

  const restoredDir = torture.folder();
  await restore(folder, restoredDir);
  const restored = await inspect(restoredDir, (database) => ({
    index: history.find(database),
    isIntact: isIntact(database),
  }));
  const { documents, notFound } = await search(torture, restoredDir, key);
  torture.discard(restoredDir);
  const { index = 0, isIntact: intact } = restored;
  const firstMissing = history.times[index];
  return {
    missing: Math.max(0, history.acknowledged - index),
    missingMs: firstMissing === undefined ? 0 : Math.max(0, killedAt - firstMissing),
    isState: restored.index !== undefined,
    isSynchronised: index >= synchronised,
    isIntact: intact,
    documents,
    notFound,
  };
}

/** Resolves when the writes up to `synchronised` can be restored. */
async function untilSynchronised(
  torture: Torture,
  { folder, history, synchronised }: { folder: string; history: History; synchronised: number },
): Promise<void> {
  const endsAt = performance.now() + SYNC_WAIT_MS;
  while (performance.now() < endsAt) {
    const dataDir = torture.folder();
    const isThere =
      (await restore(folder, dataDir)) &&
      (await inspect(dataDir, (database) => (history.find(database) ?? -1) >= synchronised));
    torture.discard(dataDir);
    if (isThere) return;
    await Bun.sleep(SYNC_POLL_MS);
  }
  throw new Error("the replica does not contain a write after two minutes");
}

async function inspect<Value>(dataDir: string, read: (database: Database) => Value): Promise<Value> {
  const database = openReader(databasePath(dataDir));
  try {
    return read(database);
  } finally {
    database.close(true);
  }
}

function isIntact(database: Database): boolean {
  const found = database.query<{ integrity_check: string }, []>("PRAGMA integrity_check").all();
  return found.length === 1 && found[0]!.integrity_check === "ok";
}

async function writeUntilItFails(history: History): Promise<void> {
  try {
    for (;;) await history.write();
  } catch {
    // The server was killed.
  }
}

/**
 * Starts a server on a restored database, and searches for each of its documents by its text, and for one by meaning.
 */
async function search(
  torture: Torture,
  dataDir: string,
  key: string,
): Promise<{ documents: number; notFound: number }> {
  const server = await startChild(torture, dataDir);
  const client = clientOf(server, key);
  await server.idle();
  const ids = await inspect(dataDir, (database) =>
    database.query<{ id: string }, []>("SELECT id FROM documents").all(),
  );
  let notFound = 0;
  for (const [index, { id }] of ids.entries()) {
    const { data } = await client<{ data: { content: string } }>("GET", `/v1/documents/${id}`);
    const word = wordIn(data.content);
    const byText = await find(client, { q: word, semantic: "false" });
    const byMeaning = index === 0 ? await find(client, { q: word, scoreThreshold: "0" }) : [id];
    if (!byText.includes(id) || byMeaning.length === 0) notFound++;
  }
  await server.stop();
  return { documents: ids.length, notFound };
}

interface Found {
  data: { documents: { documentId: string }[] };
}

async function find(client: Client, parameters: Record<string, string>): Promise<string[]> {
  const { data } = await client<Found>("GET", `/v1/search?${new URLSearchParams(parameters)}`);
  return data.documents.map(({ documentId }) => documentId);
}

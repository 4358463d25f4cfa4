// Group power: what a server writes to its files is recorded, with the moments at which clients got their responses.
// From the recording, the disk after a loss of power at many moments is made: every acknowledged write must be there.

import { rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { databasePath } from "../../src/db/open.ts";
import { openLocalStore } from "../../src/app.ts";
import { startChild } from "../bench/child-server.ts";
import { createRandom } from "../bench/random.ts";
import { createDisk, type Disk, type DiskRecord, readRecords, writeFiles } from "./crash-images.ts";
import { brokenRules, collectFacts, type Facts, missingFacts } from "./facts.ts";
import { mixedWrites } from "./mixed-writes.ts";
import { FETCHES_LOOPBACK, servePages } from "./pages.ts";
import { openPreload, type Preload } from "./preload.ts";
import { resolveOutcomes, untilIndexed } from "./settled.ts";
import type { Check, Torture } from "./torture.ts";
import { sendTo } from "./writer.ts";

const REQUESTS = 1_200;
const IMAGES = 400;
/** Images of a disk that ignores syncs. */
const CONTROL_IMAGES = 10;
/** One image of so many is also opened by the real program. */
const SERVED_EVERY = 40;
const KEPT_SHARES = [0, 0.1, 0.5, 0.9, 1] as const;

/** Yields all checks of the group. */
export async function* power(torture: Torture): AsyncGenerator<Check> {
  const { facts, recording, isComplete, acknowledged } = await record(torture);
  const records = [...readRecords(recording)];
  const writes = records.filter(({ kind }) => kind === "write").length;
  const syncs = records.filter(({ kind }) => kind === "sync").length;
  yield {
    check: "recorded writes",
    value: writes,
    unit: `${syncs} syncs, ${Math.round(recording.length / 1e6)} MB`,
  };
  yield { check: "files that differ from the recording", value: isComplete ? 0 : 1, unit: "", atMost: 0 };
  yield { check: "acknowledged requests", value: acknowledged, unit: `and ${facts.size} facts of them` };

  const images = torture.repetitions(IMAGES);
  const lossy = await examineImages(torture, { facts, records, images, honoursSync: true });
  for (const text of lossy.problems.slice(0, 20)) torture.note(`power: ${text}`);
  yield {
    check: "images",
    value: images,
    unit: `${lossy.unsynced} with unsynced changes, ${lossy.served} served`,
  };
  yield { check: "facts compared", value: lossy.compared, unit: "" };
  yield { check: "acknowledged writes lost", value: lossy.lost, unit: "", atMost: 0 };
  yield { check: "images with damage or partial effects", value: lossy.broken, unit: "", atMost: 0 };

  const control = await examineImages(torture, {
    facts,
    records,
    images: CONTROL_IMAGES,
    honoursSync: false,
  });
  const noticed = control.lost + control.broken;
  yield { check: "losses noticed on a disk that ignores syncs", value: noticed, unit: "", atLeast: 1 };
}

/** The lock of the server needs the file before SQLite opens it. */
const CREATED = [databasePath("")];

interface Recorded {
  facts: Facts;
  recording: Buffer;
  /** Whether the files are exactly what the recording says. */
  isComplete: boolean;
  acknowledged: number;
}

/**
 * Resolves when nothing has been written for a second: a thread copies the log after the last request and the last job.
 */
async function untilWritten({ recorded }: Preload): Promise<void> {
  for (let before = -1; before !== recorded(); ) {
    before = recorded();
    await Bun.sleep(1_000);
  }
}

/** Two servers, one after another: the first ends gracefully, the second is killed when it has nothing to do. */
async function record(torture: Torture): Promise<Recorded> {
  const dataDir = join(torture.folder(), "data");
  const recordPath = join(torture.folder(), "recording");
  const preload = await openPreload(torture, dataDir, recordPath);
  const facts = collectFacts(preload.recorded);
  const pagesUrl = await servePages(torture);
  const { shared, writers } = mixedWrites({ facts, seed: torture.seed, pagesUrl });
  const address = { url: "" };
  const requests = torture.repetitions(REQUESTS);
  let key: string | undefined;
  for (const until of [requests / 2, requests]) {
    const server = await startChild(torture, dataDir, { flags: FETCHES_LOOPBACK, env: preload.env });
    // In the process of the server: what other processes write is not recorded.
    key ??= welcomeKey(server.output());
    address.url = server.url;
    const send = sendTo(address, key);
    await Promise.all(
      writers.map(async (writer) => {
        while (shared.counts.acknowledged < until && shared.wrong.length === 0) await writer.step(send);
      }),
    );
    await resolveOutcomes(writers, send);
    await untilIndexed(server);
    if (until === requests) {
      await untilWritten(preload);
      await server.kill();
    } else await server.stop();
  }
  if (shared.wrong.length > 0) throw new Error(shared.wrong[0]);
  const recording = await readFile(recordPath);
  const disk = createDisk({ created: CREATED });
  for (const record of readRecords(recording)) disk.apply(record);
  const files = [...disk.complete()];
  const same = await Promise.all(
    files.map(async ([name, content]) => (await readFile(join(dataDir, name))).equals(content)),
  );
  torture.discard(dataDir);
  const isComplete = files.length === 2 && same.every(Boolean);
  return { facts, recording, isComplete, acknowledged: shared.counts.acknowledged };
}

/** The key that a server prints at its first start. */
function welcomeKey(output: string): string {
  const [key] = /gm_\S+/.exec(output) ?? [];
  if (key === undefined) throw new Error(`the server printed no key: ${output}`);
  return key;
}

interface Examined {
  lost: number;
  broken: number;
  compared: number;
  unsynced: number;
  served: number;
  problems: string[];
}

async function examineImages(
  torture: Torture,
  {
    facts,
    records,
    images,
    honoursSync,
  }: { facts: Facts; records: DiskRecord[]; images: number; honoursSync: boolean },
): Promise<Examined> {
  const random = createRandom(torture.seed);
  const moments = momentsOf(records, images, random);
  const result: Examined = { lost: 0, broken: 0, compared: 0, unsynced: 0, served: 0, problems: [] };
  const disk: Disk = createDisk({ honoursSync, created: CREATED });
  let image = 0;
  for (const [index, record] of records.entries()) {
    disk.apply(record);
    for (; moments[image] === index; image++) {
      if (disk.hasChanges()) result.unsynced++;
      const folder = join(torture.folder(), "data");
      const keep = KEPT_SHARES[Math.floor(random() * KEPT_SHARES.length)]!;
      writeFiles(folder, disk.afterPowerLoss(keep, random));
      const isServed = honoursSync && image % SERVED_EVERY === 0;
      if (isServed) {
        result.served++;
        const server = await startChild(torture, folder, { flags: FETCHES_LOOPBACK });
        await server.stop();
      }
      const expected = facts.at(record.end);
      const problems = examineImage(folder, expected);
      result.compared += expected.length;
      const lost = problems.filter((text) => text.startsWith("lost")).length;
      result.lost += lost;
      if (problems.length > lost) result.broken++;
      for (const text of problems) result.problems.push(`image ${image} at record ${index}: ${text}`);
      rmSync(folder, { recursive: true });
    }
  }
  return result;
}

/** Opens the files as the program does, and compares them. */
function examineImage(folder: string, expected: ReturnType<Facts["at"]>): string[] {
  try {
    const store = openLocalStore(folder);
    const problems = [...missingFacts(store.sql, expected), ...brokenRules(store.sql, { isThorough: true })];
    store.close();
    return problems;
  } catch (error) {
    return [`cannot be opened: ${error}`];
  }
}

/** The records after which power is lost, ascending: half of them anywhere, half of them beside a sync. */
function momentsOf(records: readonly DiskRecord[], count: number, random: () => number): number[] {
  const syncs = records.flatMap(({ kind }, index) => (kind === "sync" ? [index] : []));
  const moments = Array.from({ length: count }, (_, n) => {
    const sync = syncs[Math.floor(random() * syncs.length)];
    if (n % 2 === 0 || sync === undefined) return Math.floor(random() * records.length);
    // Just before it, or when it has ended.
    return Math.max(0, sync - (random() < 0.5 ? 1 : 0));
  });
  return moments.sort((a, b) => a - b);
}

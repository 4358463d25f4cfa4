// Group kill: a server is killed with SIGKILL again and again, at any time of its start and of its work, while clients
// write. Nothing that was acknowledged may be lost, nothing may be half done, and everything must be found in the end.

import { Database } from "bun:sqlite";
import { join } from "node:path";
import type { Subprocess } from "bun";
import { cpuMs, createKey, startChild } from "../bench/child-server.ts";
import { median } from "../bench/measures.ts";
import { brokenRules, collectFacts, missingFacts } from "./facts.ts";
import { mixedWrites } from "./mixed-writes.ts";
import { FETCHES_LOOPBACK, servePages } from "./pages.ts";
import { findUnsearchable, resolveOutcomes, untilIndexed } from "./settled.ts";
import type { Check, Torture } from "./torture.ts";
import { type Send, sendTo, type Writer } from "./writer.ts";

const KILLS = 300;
const MAX_READY_MS = 2_000;
/** A server lives this long at most, counted from its start or from the moment when it is ready. */
const MAX_LIFE_MS = 2_500;
const START_KILL_SHARE = 0.25;

/** Yields all checks of the group. */
export async function* kill(torture: Torture): AsyncGenerator<Check> {
  const dataDir = join(torture.folder(), "data");
  const path = join(dataDir, "ctxrepo.db");
  let position = 0;
  const facts = collectFacts(() => ++position);
  const { shared, writers, searchable, scraped } = mixedWrites({
    facts,
    seed: torture.seed,
    pagesUrl: await servePages(torture),
  });
  const { random, wrong, counts } = shared;
  const broken = new Set<string>();
  const readyMs: number[] = [];
  const start = async (spawned?: (child: Subprocess) => void) =>
    startChild(torture, dataDir, { flags: FETCHES_LOOPBACK, spawned });
  const examine = (isThorough: boolean) => {
    const database = new Database(path, { readonly: true });
    for (const text of [...brokenRules(database, { isThorough }), ...missingFacts(database, facts.at())])
      broken.add(text);
    database.close();
  };

  const first = await start();
  const key = await createKey(torture, dataDir);
  await first.stop();
  const address = { url: "" };
  const send = sendTo(address, key);
  const kills = torture.repetitions(KILLS);
  let startKills = 0;
  for (let round = 1; round <= kills; round++) {
    const lifeMs = random() * MAX_LIFE_MS;
    if (random() < START_KILL_SHARE) {
      startKills++;
      await start((child) => setTimeout(() => child.kill("SIGKILL"), lifeMs / 3)).then(
        (server) => server.kill(),
        () => {},
      );
      continue;
    }
    const server = await start();
    readyMs.push(server.readyMs);
    if (server.readyMs > MAX_READY_MS) {
      const [used, ready] = [cpuMs(server.pid), server.readyMs].map(Math.round);
      torture.note(`kill: round ${round} was ready after ${ready} ms, of which it had a core for ${used} ms`);
    }
    address.url = server.url;
    examine(false);
    const writing = writeUntilKilled(writers, send);
    await Bun.sleep(lifeMs);
    await server.kill();
    await writing;
    if (round % 25 === 0)
      torture.note(
        `kill: ${round} of ${kills}, ${counts.acknowledged} writes, ${broken.size + wrong.length} problems`,
      );
  }

  const server = await start();
  readyMs.push(server.readyMs);
  address.url = server.url;
  const failedSettling = await resolveOutcomes(writers, send);
  await untilIndexed(server);
  const unsearchable = await findUnsearchable(send, searchable);
  await server.stop();
  examine(true);
  const unfetched = unfetchedPages(path, scraped);
  const failed = failedJobs(path);

  for (const text of [...broken, ...wrong, ...unsearchable, ...failed].slice(0, 20))
    torture.note(`kill: ${text}`);
  yield { check: "kills", value: kills, unit: `of which ${startKills} during the start` };
  yield {
    check: "acknowledged requests",
    value: counts.acknowledged,
    unit: `and ${facts.size} facts of them`,
  };
  yield {
    check: "unknown outcomes",
    value: counts.unknown,
    unit: `of which ${counts.repeated} were resolved by a repetition (${counts.replayed} had been executed) and ${counts.lookedUp} looked up`,
  };
  const lost = [...broken].filter((text) => text.startsWith("lost"));
  yield { check: "acknowledged writes lost", value: lost.length + wrong.length, unit: "", atMost: 0 };
  yield { check: "partial effects", value: broken.size - lost.length, unit: "", atMost: 0 };
  yield { check: "outcomes that stay unknown", value: failedSettling, unit: "", atMost: 0 };
  yield {
    check: "documents that are not found",
    value: unsearchable.length,
    unit: `of ${searchable.size}`,
    atMost: 0,
  };
  yield { check: "pages that were not fetched", value: unfetched, unit: `of ${scraped.length}`, atMost: 0 };
  yield { check: "failed jobs", value: failed.length, unit: "", atMost: 0 };
  yield { check: "ready after a kill, median", value: median(readyMs), unit: "ms" };
  // The short share runs beside other tests.
  const limit = torture.isLong ? { atMost: MAX_READY_MS } : {};
  yield { check: "ready after a kill, longest", value: Math.max(...readyMs), unit: "ms", ...limit };
  torture.discard(dataDir);
}

/** Lets every writer send requests until one has no response. */
async function writeUntilKilled(writers: readonly Writer[], send: Send): Promise<void> {
  await Promise.all(
    writers.map(async (writer) => {
      while (await writer.step(send));
    }),
  );
}

function unfetchedPages(path: string, scraped: readonly string[]): number {
  const database = new Database(path, { readonly: true });
  const status = database.query<{ status: string }, [string]>("SELECT status FROM documents WHERE id = ?");
  const unfetched = scraped.filter((id) => status.get(id)?.status !== "completed");
  database.close();
  return unfetched.length;
}

function failedJobs(path: string): string[] {
  const database = new Database(path, { readonly: true });
  const failed = database
    .query<{ text: string }, []>(
      "SELECT kind || ' of ' || subject || ', ' || crashes || ' crashes: ' || coalesce(error, '') AS text FROM jobs WHERE state = 'failed'",
    )
    .all();
  database.close();
  return failed.map(({ text }) => `failed job: ${text}`);
}

// Group sync: two servers whose users edit the same records, and a client between them that is killed at random
// requests. In the end both must hold the same records, every conflict must have been reported, and no edit may be lost
// and no record doubled.

import { Database } from "bun:sqlite";
import { join } from "node:path";
import { cleanEnvironment } from "../bench/bench.ts";
import {
  cacheFolder,
  type ChildServer,
  createKey,
  headersOf,
  REPOSITORY,
  startChild,
} from "../bench/child-server.ts";
import { createRandom } from "../bench/random.ts";
import { type Api, editOnce, type Held, heldBy, type Journal, resolve } from "./sync/editor.ts";
import type { Check, Torture } from "./torture.ts";

const RUNS = 200;
/** Edits of each user before a run. */
const EDITS = 6;
/** The last request at which a run may be killed; a shorter run may end before. */
const MAX_REQUEST = 120;
const EDITS_MEANWHILE_SHARE = 0.5;
const MAX_FINAL_RUNS = 6;

interface Line {
  action: string;
  kind: "document" | "prompt" | "collection";
  id: string;
  reason?: string;
}

interface RunReport {
  counts: Record<string, number>;
  lines: Line[];
}

/** Yields all checks of the group. */
export async function* sync(torture: Torture): AsyncGenerator<Check> {
  const random = createRandom(torture.seed);
  const [hereDir, thereDir] = [join(torture.folder(), "here"), join(torture.folder(), "there")];
  const [here, there] = [await startChild(torture, hereDir), await startChild(torture, thereDir)];
  const [ownKey, otherKey] = [await createKey(torture, hereDir), await createKey(torture, thereDir)];
  const apis: [Api, Api] = [apiOf(here, ownKey), apiOf(there, otherKey)];
  const journal: Journal = { edits: new Map(), deleted: new Set() };
  const env = {
    ...cleanEnvironment(await cacheFolder(torture)),
    DESK_KEY: otherKey,
    CTXREPO_CONFIG_DIR: torture.folder(),
  };
  const added =
    await Bun.$`${REPOSITORY} remote add desk ${there.url} --key-env DESK_KEY --data-dir ${hereDir} --json`
      .env(env)
      .quiet()
      .json();

  /** One run; undefined if it was killed. */
  const runOnce = async (at: number, options: object = {}): Promise<RunReport | undefined> => {
    const moment = random() < 0.5 ? "before" : "after";
    const args = [hereDir, added.id, there.url, otherKey, String(at), moment, JSON.stringify(options)];
    const child = torture.own(
      Bun.spawn([process.execPath, join(import.meta.dir, "sync", "client.ts"), ...args], {
        env,
        stdout: "pipe",
        stderr: "pipe",
      }),
    );
    const [output, errors, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    if (child.signalCode === "SIGKILL") return undefined;
    if (code !== 0) throw new Error(`the client ended with ${code}: ${errors.slice(-2_000)}`);
    return JSON.parse(output);
  };

  const runs = torture.repetitions(RUNS);
  const failures: string[] = [];
  let kills = 0;
  for (let round = 1; round <= runs; round++) {
    for (let edit = 0; edit < EDITS; edit++)
      for (const api of apis) await editOnce({ api, journal, random }, false);
    let isRunning = true;
    const running = runOnce(1 + Math.floor(random() * MAX_REQUEST), { deletes: random() < 0.3 }).finally(
      () => {
        isRunning = false;
      },
    );
    // Only documents have a precondition that lets a user and the client edit at the same time.
    if (random() < EDITS_MEANWHILE_SHARE) {
      while (isRunning) {
        for (const api of apis) await editOnce({ api, journal, random }, true);
        await Bun.sleep(10);
      }
    }
    const report = await running;
    if (report === undefined) kills++;
    else failures.push(...failuresIn(report));
    if (round % 20 === 0) torture.note(`sync: ${round} of ${runs}, ${kills} killed`);
  }

  const problems = await settleAll(apis, runOnce, hereDir);
  failures.push(...problems.failures);
  const [own, other] = [await heldBy(apis[0]), await heldBy(apis[1])];
  const findings = compare(own, other, journal);
  for (const text of [
    ...failures,
    ...problems.unreported,
    ...findings.lost,
    ...findings.doubled,
    ...findings.differing,
  ].slice(0, 20))
    torture.note(`sync: ${text}`);
  await Promise.all([here.stop(), there.stop()]);

  yield { check: "runs", value: runs, unit: `of which ${kills} were killed`, atLeast: 1 };
  yield { check: "records on each side", value: own.length, unit: `and ${other.length}` };
  const edits = [...journal.edits.values()].reduce((sum, set) => sum + set.size, 0);
  yield { check: "acknowledged edits", value: edits, unit: "edits", atLeast: 1 };
  yield { check: "conflicts in the end", value: problems.conflicts, unit: "conflicts" };
  yield { check: "records that failed", value: failures.length, unit: "", atMost: 0 };
  yield {
    check: "differences that were not reported",
    value: problems.unreported.length,
    unit: "",
    atMost: 0,
  };
  yield { check: "edits and records lost", value: findings.lost.length, unit: "", atMost: 0 };
  yield { check: "records doubled", value: findings.doubled.length, unit: "", atMost: 0 };
  yield { check: "records that differ in the end", value: findings.differing.length, unit: "", atMost: 0 };
}

function apiOf({ url }: ChildServer, key: string): Api {
  return async (method, path, body, headers = {}) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...headersOf(key),
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
}

const failuresIn = ({ lines }: RunReport) =>
  lines
    .filter(({ action }) => action === "failed")
    .map(({ kind, id, reason }) => `failed: ${kind} ${id}: ${reason}`);

interface Settled {
  failures: string[];
  /** Records that differ although no conflict was reported. */
  unreported: string[];
  conflicts: number;
}

/** Runs to the end, checks that exactly the conflicts differ, resolves them, and runs until nothing changes. */
async function settleAll(
  apis: [Api, Api],
  runOnce: (at: number, options?: object) => Promise<RunReport | undefined>,
  dataDir: string,
): Promise<Settled> {
  await runOnce(0);
  const report = (await runOnce(0))!;
  const conflicts = report.lines.filter(({ action }) => action === "conflict");
  const failures = failuresIn(report);
  const inConflict = new Set(conflicts.map(({ id }) => id));
  const [own, other] = [await heldBy(apis[0]), await heldBy(apis[1])];
  const states = new Map(other.map(({ name, state }) => [name, state]));
  // A record that is not there was deleted there, which travels only if it is wanted.
  const unreported = own
    .filter(({ id, name, state }) => states.has(name) && states.get(name) !== state && !inConflict.has(id))
    .filter(({ kind }) => kind !== "collection")
    .map(({ kind, name, state }) => `${kind} ${name} differs unreported: ${state} and ${states.get(name)}`);
  const pairs = pairsIn(dataDir);
  for (const { kind, id, reason } of conflicts) {
    const otherId = pairs.get(id);
    if (otherId !== undefined && !reason?.startsWith("deleted")) await resolve(apis, kind, [id, otherId]);
  }
  for (let round = 0; round < MAX_FINAL_RUNS; round++) {
    const { counts } = (await runOnce(0, { deletes: true, prefer: "ours" }))!;
    const changed = ["created", "updated", "merged", "archived", "deleted", "conflict"];
    if (changed.every((action) => counts[action] === 0)) break;
  }
  return { failures, unreported, conflicts: conflicts.length };
}

/** The ids there of records here, from the database of the server here. */
function pairsIn(dataDir: string): Map<string, string> {
  const database = new Database(join(dataDir, "ctxrepo.db"), { readonly: true });
  const rows = database
    .query<{ own: string; other: string }, []>(
      "SELECT own_id AS own, other_id AS other FROM remote_links WHERE own_id IS NOT NULL AND other_id IS NOT NULL",
    )
    .all();
  database.close();
  return new Map(rows.map(({ own, other }) => [own, other]));
}

function compare(own: readonly Held[], other: readonly Held[], { edits, deleted }: Journal) {
  const doubled: string[] = [];
  const lost: string[] = [];
  for (const held of [own, other]) {
    const names = new Set<string>();
    for (const { kind, name } of held) {
      if (names.has(name)) doubled.push(`${kind} ${name} occurs twice`);
      names.add(name);
    }
    for (const [name, made] of edits) {
      if (deleted.has(name)) continue;
      const record = held.find((one) => one.name === name);
      if (record === undefined) lost.push(`record ${name} is lost`);
      else for (const edit of made) if (!record.edits.has(edit)) lost.push(`${edit} of ${name} is lost`);
    }
  }
  const states = new Map(other.map(({ name, state, isArchived }) => [name, `${state} ${isArchived}`]));
  const differing = own
    .filter(({ name, state, isArchived }) => states.get(name) !== `${state} ${isArchived}`)
    .map(({ kind, name, state }) => `${kind} ${name} differs: ${state} and ${states.get(name)}`);
  const names = new Set(own.map(({ name }) => name));
  differing.push(...other.filter(({ name }) => !names.has(name)).map(({ name }) => `${name} is only there`));
  return { doubled, lost, differing };
}

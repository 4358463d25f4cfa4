// Parts of the group disk: pages of each kind that contain something else, and a write-ahead log that is cut, scrambled
// or gone. The program must say so, build the index again where only that is damaged, and never return wrong data.

import { Database } from "bun:sqlite";
import {
  closeSync,
  cpSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { messageOf } from "../../src/kernel/errors.ts";
import { REPOSITORY } from "../bench/child-server.ts";
import { createRandom } from "../bench/random.ts";
import { brokenRules, missingFacts } from "./facts.ts";
import { type Outage, openOutage, tryStart } from "./outage.ts";
import { findUnsearchable, untilIndexed } from "./settled.ts";
import type { Check, Torture } from "./torture.ts";

const FILE = "ctxrepo.db";
const POLL_MS = 100;
const MAX_POLLS = 600;
const LOG_ROUNDS = 12;
const READY = /cannot (use|open)|damaged|not a database/;

/** What is damaged, and the tables or indexes of which one page is overwritten. */
const KINDS: readonly { kind: string; names: readonly string[]; isIndex: boolean }[] = [
  { kind: "table of records", names: ["bodies", "document_versions"], isIndex: false },
  { kind: "index of records", names: ["documents_by_user", "sqlite_autoindex_documents_1"], isIndex: false },
  { kind: "full text", names: ["chunk_words_data", "chunk_trigrams_data"], isIndex: true },
  { kind: "chunks", names: ["chunks", "chunks_by_parent"], isIndex: true },
  { kind: "vectors", names: ["chunk_vectors", "chunk_bits"], isIndex: true },
];

/** A data directory with a database that is closed. */
async function prepare(torture: Torture): Promise<Outage> {
  const outage = await openOutage(torture, torture.folder());
  await outage.start();
  await outage.write(torture.isLong ? 30 : 4);
  // Frees pages.
  for (let n = 0; n < 3; n++) {
    const body = { title: "removed", content: "A long text. ".repeat(5_000) };
    const created = await outage.send({ method: "POST", path: "/v1/documents", body });
    await outage.send({ method: "DELETE", path: `/v1/documents/${created?.body.data.id}` });
  }
  await untilIndexed(outage.server());
  await outage.server().stop();
  return outage;
}

/** Yields the checks of damaged pages. */
export async function* damagedPages(torture: Torture): AsyncGenerator<Check> {
  const outage = await prepare(torture);
  const path = join(outage.dataDir, FILE);
  const intact = join(torture.folder(), FILE);
  cpSync(path, intact);
  const cases = KINDS.flatMap(({ kind, names, isIndex }) => names.map((name) => ({ kind, name, isIndex })));
  const chosen = torture.isLong ? cases : cases.filter((_, n) => n === torture.seed % cases.length);
  for (const { kind, name, isIndex } of chosen) {
    const page = pageOf(path, name);
    if (page === undefined) {
      torture.note(`disk: ${name} has no page`);
      continue;
    }
    overwrite(path, page);
    yield* damagedPage(torture, outage, { label: `${kind} (${name})`, isIndex });
    replace(path, intact);
  }
  const free = freePage(path);
  if (free !== undefined) {
    overwrite(path, free);
    yield* damagedPage(torture, outage, { label: "free list", isIndex: false });
    replace(path, intact);
  }
}

interface Damaged {
  label: string;
  /** Whether it can be built again. */
  isIndex: boolean;
}

async function* damagedPage(
  torture: Torture,
  outage: Outage,
  { label, isIndex }: Damaged,
): AsyncGenerator<Check> {
  const result = await tryStart(outage, {});
  if ("message" in result) {
    const isClear = result.code === 1 && READY.test(result.message);
    if (!isClear) torture.note(`disk: damaged ${label}: ${result.message}`);
    yield {
      check: `damaged ${label}: starts without a clear message`,
      value: isClear ? 0 : 1,
      unit: "",
      atMost: 0,
    };
    return;
  }
  const { server } = result;
  const isRebuilt = () => server.output().includes("built again from the records");
  let problems: string[] = [];
  for (let polls = 0; polls < MAX_POLLS && problems.length === 0 && !isRebuilt(); polls++) {
    await Bun.sleep(POLL_MS);
    // While the index is replaced, the server does not listen.
    problems = await outage.health().then(
      (health) => health.problems ?? [],
      () => [],
    );
    if (isIndex) problems = [];
  }
  const shown = isRebuilt() ? "built again" : problems.join("; ");
  yield { check: `damaged ${label}: noticed`, value: shown === "" ? 0 : 1, unit: shown, atLeast: 1 };
  if (!isRebuilt()) return server.kill();
  for (let polls = 0; polls < MAX_POLLS; polls++) {
    if (
      await outage.health().then(
        () => true,
        () => false,
      )
    )
      break;
    await Bun.sleep(POLL_MS);
  }
  await untilIndexed(server);
  const unsearchable = await findUnsearchable(outage.send, outage.searchable);
  await server.stop();
  const database = new Database(join(outage.dataDir, FILE), { readonly: true });
  const bad = [
    ...missingFacts(database, outage.facts.at()),
    ...brokenRules(database, { isThorough: true }),
    ...unsearchable,
  ];
  database.close();
  for (const text of bad.slice(0, 5)) torture.note(`disk: damaged ${label}: ${text}`);
  yield {
    check: `damaged ${label}: lost, broken or not found after that`,
    value: bad.length,
    unit: "",
    atMost: 0,
  };
}

/**
 * Yields the checks of a damaged log. If nothing of it was copied into the database file before, the result is an
 * earlier state. Otherwise the file can be damaged by that, which `doctor` must notice.
 */
export async function* damagedLogs(torture: Torture): AsyncGenerator<Check> {
  const outage = await openOutage(torture, torture.folder());
  const random = createRandom(torture.seed);
  const path = join(outage.dataDir, FILE);
  await outage.start();
  await outage.write(8);
  // All of it is in the database file now, and what follows is in the log.
  await outage.server().stop();
  const settled = outage.facts.at();
  const before = readFileSync(path);
  for (const requests of torture.isLong ? [1, 25] : [1]) {
    await outage.start();
    await outage.write(requests);
    await outage.server().kill();
    const isCopied = !readFileSync(path).equals(before);
    const kept = torture.folder();
    cpSync(outage.dataDir, kept, { recursive: true });
    const logBytes = statSync(`${path}-wal`).size;
    const found = { damaged: 0, unnoticed: 0, lost: 0 };
    const rounds = torture.repetitions(LOG_ROUNDS);
    for (let round = 0; round < rounds; round++) {
      restore(outage.dataDir, kept);
      damageLog(`${path}-wal`, round, random);
      const result = await tryStart(outage, {});
      if ("message" in result) {
        found.damaged++;
        if (result.code !== 1 || !READY.test(result.message)) found.unnoticed++;
        continue;
      }
      await untilIndexed(result.server, { orDamaged: true });
      await result.server.stop();
      const broken = examine(path);
      if (broken.length > 0) found.damaged++;
      if (broken.length > 0 && !(await isFoundByDoctor(outage))) {
        found.unnoticed++;
        for (const text of broken.slice(0, 3)) torture.note(`disk: damaged log, round ${round}: ${text}`);
      }
      if (!isCopied)
        found.lost += lostOf(
          path,
          settled.filter((fact) => outage.facts.at().includes(fact)),
        );
    }
    const name = `damaged log, ${isCopied ? "partly" : "not"} copied`;
    const unit = `of ${Math.round(logBytes / 1e3)} kB: cut, scrambled, removed`;
    yield { check: `${name}: rounds`, value: rounds, unit };
    const limit = isCopied ? {} : { atMost: 0 };
    yield { check: `${name}: files damaged by that`, value: found.damaged, unit: "", ...limit };
    yield { check: `${name}: damage that nothing reports`, value: found.unnoticed, unit: "", atMost: 0 };
    yield { check: `${name}: writes lost that were in the file`, value: found.lost, unit: "", atMost: 0 };
    restore(outage.dataDir, kept);
  }
}

function restore(dataDir: string, kept: string): void {
  rmSync(dataDir, { recursive: true });
  cpSync(kept, dataDir, { recursive: true });
}

function damageLog(path: string, round: number, random: () => number): void {
  const at = Math.floor(random() * statSync(path).size);
  if (round % 4 === 0) truncateSync(path, at);
  else if (round % 4 === 1) scramble(path, at, random);
  else if (round % 4 === 2) scramble(path, 0, random);
  else rmSync(path);
}

function examine(path: string): string[] {
  const database = new Database(path, { readonly: true });
  try {
    return brokenRules(database, { isThorough: true });
  } catch (error) {
    return [`cannot be read: ${messageOf(error)}`];
  } finally {
    database.close();
  }
}

function lostOf(path: string, facts: Parameters<typeof missingFacts>[1]): number {
  const database = new Database(path, { readonly: true });
  const lost = missingFacts(database, facts).length;
  database.close();
  return lost;
}

async function isFoundByDoctor({ dataDir }: Outage): Promise<boolean> {
  const checks: { name: string; status: string }[] =
    await Bun.$`${REPOSITORY} doctor --data-dir ${dataDir} --port 0 --json`.quiet().nothrow().json();
  return checks.some(({ name, status }) => name === "integrity" && status === "fail");
}

/** The last leaf page of a table or index. */
function pageOf(path: string, name: string): number | undefined {
  const database = new Database(path, { readonly: true });
  const row = database
    .query<{ page: number | null }, [string]>(
      "SELECT max(pageno) AS page FROM dbstat WHERE name = ? AND pagetype = 'leaf'",
    )
    .get(name);
  database.close();
  return row?.page ?? undefined;
}

/** The first page of the free list, from the header of the file. */
function freePage(path: string): number | undefined {
  const header = Buffer.alloc(100);
  const descriptor = openSync(path, "r");
  readSync(descriptor, header, 0, 100, 0);
  closeSync(descriptor);
  return header.readUInt32BE(32) || undefined;
}

function overwrite(path: string, page: number): void {
  const header = Buffer.alloc(100);
  const descriptor = openSync(path, "r+");
  readSync(descriptor, header, 0, 100, 0);
  const pageBytes = header.readUInt16BE(16);
  writeSync(descriptor, Buffer.alloc(pageBytes, 0xa5), 0, pageBytes, (page - 1) * pageBytes);
  closeSync(descriptor);
}

function replace(path: string, intact: string): void {
  for (const suffix of ["-wal", "-shm"]) rmSync(path + suffix, { force: true });
  cpSync(intact, path);
}

function scramble(path: string, at: number, random: () => number): void {
  const noise = Buffer.from(Array.from({ length: 64 }, () => Math.floor(random() * 256)));
  const descriptor = openSync(path, "r+");
  writeSync(descriptor, noise, 0, noise.length, at);
  closeSync(descriptor);
}

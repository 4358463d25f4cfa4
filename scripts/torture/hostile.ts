// Hostile input: generated requests, hostile files, hostile texts through the whole server, imports of hostile folders,
// slow questions, expensive requests, slow clients and header floods.

import { readdirSync } from "node:fs";
import { inLanes } from "../bench/bench.ts";
import { type ChildServer, createKey, startChild } from "../bench/child-server.ts";
import { percentile } from "../bench/measures.ts";
import { HOSTILE_FILES } from "./hostile/files.ts";
import { sendGenerated } from "./hostile/generated.ts";
import { exchangeBytes, oddRequests, problemWith } from "./hostile/headers.ts";
import { hostileFolders } from "./hostile/folders.ts";
import { exportAll, retrieve, type Stored, store } from "./hostile/journey.ts";
import { overload } from "./hostile/overload.ts";
import { readFiles } from "./hostile/reading.ts";
import { floodHeaders, openSlow } from "./hostile/sockets.ts";
import { type Caller, callerOf, newTally, type Tally, watchHealth } from "./hostile/tally.ts";
import { HOSTILE_TEXTS, SLOW_QUESTIONS } from "./hostile/texts.ts";
import type { Check, Torture } from "./torture.ts";

/** How much the long run does. */
export interface Amounts {
  /** Generated requests of each kind to each operation. */
  perOperation: number;
  /** Kinds of text, and the UTF-16 units of each. */
  texts: number;
  textUnits: number;
  /** Units of the one text that is much larger: one token. */
  largestUnits: number;
  files: number;
  questions: number;
  slowClients: number;
  slowSeconds: number;
  floods: number;
  /** Of the requests with an odd header, one of `headerStep` is sent. */
  headerStep: number;
  /** The size of expensive requests as a share of the largest, and how long clients write. */
  overload: { share: number; seconds: number };
}

const LONG: Amounts = {
  perOperation: 150,
  texts: HOSTILE_TEXTS.length,
  textUnits: 12_000,
  largestUnits: 5_000_000,
  files: HOSTILE_FILES.length,
  questions: SLOW_QUESTIONS.length,
  slowClients: 400,
  slowSeconds: 45,
  floods: 5,
  headerStep: 1,
  overload: { share: 1, seconds: 10 },
};

const LANES = 4;
const IDLE_MS = 1_000;

interface Setting {
  torture: Torture;
  server: ChildServer;
  dataDir: string;
  key: string;
  call: Caller;
  tally: Tally;
}

export async function* hostile(torture: Torture, amounts: Partial<Amounts> = {}): AsyncGenerator<Check> {
  const scaled = { ...LONG, perOperation: torture.repetitions(LONG.perOperation) };
  const wanted: Amounts = { ...scaled, texts: torture.repetitions(LONG.texts), ...amounts };
  yield* generated(torture, wanted);

  const dataDir = torture.folder();
  const server = await startChild(torture, dataDir);
  const key = await createKey(torture, dataDir);
  const tally = newTally();
  const setting: Setting = {
    ...{ torture, server, dataDir, key, tally },
    call: callerOf({ url: server.url, key, tally }),
  };
  yield* withoutWork(setting);
  yield* besideHealth(setting, "hostile files", () =>
    readFiles(torture, {
      call: setting.call,
      tally,
      pid: server.pid,
      files: HOSTILE_FILES.slice(0, wanted.files),
    }),
  );
  yield* texts(setting, wanted);
  yield* besideHealth(setting, "imports of hostile folders", () =>
    hostileFolders(torture, { dataDir, call: setting.call }),
  );
  yield* questions(setting, wanted);
  yield* overloads(setting, wanted);
  yield* badClients(setting, wanted);
  note(torture, tally);
  yield { check: "replies to hostile texts and questions", value: tally.replies, unit: "replies" };
  yield { check: "of these 5xx", value: tally.serverErrors.length, unit: "replies", atMost: 0 };
  yield { check: "of these wrong in another way", value: tally.problems.length, unit: "replies", atMost: 0 };
  await server.idle();
  const { jobs } = await server.health();
  yield { check: "jobs that are not settled", value: jobs.queued + jobs.running, unit: "jobs", atMost: 0 };
  yield { check: "failed jobs", value: jobs.failed, unit: "jobs", atMost: 0 };
  await server.stop();
}

function note(torture: Torture, { serverErrors, problems }: Tally): void {
  for (const text of [...serverErrors, ...problems].slice(0, 20)) torture.note(`hostile: ${text}`);
}

async function* generated(torture: Torture, { perOperation }: Amounts): AsyncGenerator<Check> {
  const tally = newTally();
  const dataDir = torture.folder();
  const sent = await sendGenerated(tally, { perOperation, seed: torture.seed, dataDir });
  note(torture, tally);
  yield { check: "operations of the OpenAPI document", value: sent.operations, unit: "operations" };
  for (const [kind, value] of sent.requests)
    yield { check: `generated requests, ${kind}`, value, unit: "requests" };
  yield { check: "of these 5xx", value: tally.serverErrors.length, unit: "replies", atMost: 0 };
  yield { check: "of these not as declared", value: tally.problems.length, unit: "replies", atMost: 0 };
  yield { check: "failed jobs", value: sent.failedJobs, unit: "jobs", atMost: 0 };
}

/** The latency of /health beside nothing, with which the others are compared. */
async function* withoutWork(setting: Setting): AsyncGenerator<Check> {
  await setting.server.idle();
  yield* besideHealth(setting, "nothing", async function* () {
    await Bun.sleep(IDLE_MS);
    yield { check: "time without requests", value: IDLE_MS / 1000, unit: "s" };
  });
}

/** Measures /health while `work` runs. */
async function* besideHealth(
  { server }: Pick<Setting, "server">,
  name: string,
  work: () => AsyncGenerator<Check>,
): AsyncGenerator<Check> {
  const watch = watchHealth(server.url);
  try {
    yield* work();
  } finally {
    const { latencies, failures } = await watch.stop();
    yield { check: `/health beside ${name}, p99`, value: percentile(latencies, 0.99), unit: "ms" };
    yield { check: `/health beside ${name}, slowest`, value: Math.max(...latencies), unit: "ms" };
    yield { check: `/health beside ${name}, not 200`, value: failures, unit: "replies", atMost: 0 };
  }
}

async function* texts(setting: Setting, wanted: Amounts): AsyncGenerator<Check> {
  const { torture, server, dataDir, tally } = setting;
  yield* besideHealth(setting, "hostile texts", async function* () {
    const step = HOSTILE_TEXTS.length / Math.min(wanted.texts, HOSTILE_TEXTS.length);
    const kinds = HOSTILE_TEXTS.filter((_, index) => Math.floor(index % step) === 0);
    const stored: Stored[] = [];
    await inLanes(kinds, LANES, async (kind) => {
      const size = kind.name === "one token" ? wanted.largestUnits : wanted.textUnits;
      const one = await store(setting, kind, size);
      if (one) stored.push(one);
    });
    const indexingAt = performance.now();
    await server.idle();
    const indexingMs = performance.now() - indexingAt;
    torture.note(`hostile: ${stored.length} texts are indexed`);
    await inLanes(stored, LANES, (one) => retrieve(setting, one));
    await exportAll(torture, { dataDir, stored, tally });
    yield { check: "kinds of hostile text", value: kinds.length, unit: "kinds" };
    yield { check: "indexing of them", value: indexingMs / 1000, unit: "s" };
    yield {
      check: "slowest diff of two versions",
      value: slowest(tally, "diff of two versions"),
      unit: "ms",
    };
    yield { check: "slowest answer about one", value: slowest(tally, "reason"), unit: "ms" };
  });
}

const slowest = ({ latencies }: Tally, kind: string) => Math.max(0, ...(latencies.get(kind) ?? []));

async function* questions(setting: Setting, wanted: Amounts): AsyncGenerator<Check> {
  const { call, tally } = setting;
  const asked: [string, (query: string) => ReturnType<Caller>][] = [
    [
      "slow question, reason",
      (query) => call("POST", "/v1/reason", { body: { query }, kind: "slow question, reason" }),
    ],
    ...(["semantic=false", "semantic=true&explain=true"] as const).map(
      (mode): [string, (query: string) => ReturnType<Caller>] => {
        const kind = `slow question, search ${mode}`;
        return [
          kind,
          (query) => call("GET", `/v1/search?q=${encodeURIComponent(query)}&limit=50&${mode}`, { kind }),
        ];
      },
    ),
    [
      "slow question, chunks",
      (query) =>
        call("POST", "/v1/pd/search", {
          body: { query, limit: 50, scoreThreshold: 0, detailLevel: "full" },
          kind: "slow question, chunks",
        }),
    ],
  ];
  yield* besideHealth(setting, "slow questions", async function* () {
    const all = SLOW_QUESTIONS.slice(0, wanted.questions).flatMap(([name, query]) =>
      asked.map(([kind, ask]) => ({ name: `${kind}: ${name}`, ask: () => ask(query) })),
    );
    await inLanes(all, LANES, async ({ name, ask }) => {
      const { status, text } = await ask();
      if (status !== 200) tally.problems.push(`${name}: ${status} ${text.slice(0, 300)}`);
    });
    yield { check: "questions built to be slow", value: all.length, unit: "requests" };
    for (const [kind] of asked) yield { check: `${kind}, slowest`, value: slowest(tally, kind), unit: "ms" };
  });
}

/** In a server of its own: its documents would slow the other checks down. */
async function* overloads({ torture, tally }: Setting, wanted: Amounts): AsyncGenerator<Check> {
  const dataDir = torture.folder();
  const server = await startChild(torture, dataDir);
  const call = callerOf({ url: server.url, tally, key: await createKey(torture, dataDir) });
  const other = callerOf({
    url: server.url,
    tally,
    key: await createKey(torture, dataDir, "other@localhost"),
  });
  await other("POST", "/v1/documents", { body: { title: "Lamp", content: "The lamp is lit at nine." } });
  await server.idle();
  const search = () =>
    other("GET", "/v1/search?q=when%20is%20the%20lamp%20lit", { kind: "search of another" });
  const beside = (name: string, work: () => AsyncGenerator<Check>) => besideHealth({ server }, name, work);
  yield* overload({ call, tally, search, beside }, wanted.overload);
  await server.kill();
}

async function* badClients(setting: Setting, wanted: Amounts): AsyncGenerator<Check> {
  const { server, key, call, tally } = setting;
  const port = Number(new URL(server.url).port);
  const handles = openHandles(server.pid);
  yield* besideHealth(setting, "slow clients", async function* () {
    const slow = await openSlow({ port, key }, wanted.slowClients);
    const until = performance.now() + wanted.slowSeconds * 1000;
    let writes = 0;
    do {
      const { status } = await call("POST", "/v1/documents", {
        body: { title: `beside slow clients ${writes++}`, content: "text" },
        kind: "write beside slow clients",
      });
      if (status !== 201) tally.problems.push(`a write beside slow clients gives ${status}`);
    } while (performance.now() < until);
    yield { check: "slow clients", value: wanted.slowClients, unit: "connections" };
    yield {
      check: "of these open in the headers at the end",
      value: slow.openInHeaders(),
      unit: "connections",
    };
    yield { check: "of these open in the body at the end", value: slow.openInBody(), unit: "connections" };
    yield { check: "of these with a 5xx", value: slow.serverErrors(), unit: "connections", atMost: 0 };
    yield { check: "writes beside them", value: writes, unit: "writes", atLeast: 1 };
    yield {
      check: "slowest write beside them",
      value: slowest(tally, "write beside slow clients"),
      unit: "ms",
    };
    slow.stop();
  });
  yield* besideHealth(setting, "header floods", async function* () {
    const statuses = await floodHeaders({ port, key }, wanted.floods);
    const wrong = statuses.filter(([, status]) => status >= 500 || (status >= 200 && status < 300));
    for (const [name, status] of wrong) setting.torture.note(`hostile: ${name} gives ${status}`);
    yield { check: "header floods", value: statuses.length, unit: "requests" };
    yield { check: "header floods with 2xx or 5xx", value: wrong.length, unit: "requests", atMost: 0 };
  });
  yield* besideHealth(setting, "odd headers", async function* () {
    const requests = [...oddRequests({ port, key, step: wanted.headerStep })];
    const problems: string[] = [];
    await inLanes(requests, LANES, async (request) => {
      const problem = problemWith(request, await exchangeBytes(port, request));
      if (problem !== undefined) problems.push(problem);
    });
    for (const problem of problems.slice(0, 20)) setting.torture.note(`hostile: ${problem}`);
    yield { check: "requests with an odd value of a header", value: requests.length, unit: "requests" };
    yield {
      check: "of these 5xx or without an envelope",
      value: problems.length,
      unit: "requests",
      atMost: 0,
    };
  });
  if (handles === undefined) return;
  const left = await settled(() => openHandles(server.pid)! - handles);
  yield { check: "file descriptors left open", value: left, unit: "", atMost: ALLOWED_HANDLES };
}

/** Keep-alive connections of this process may differ by as many. */
const ALLOWED_HANDLES = 12;
const SETTLE_MS = 10_000;

/** Open file descriptors of a process; undefined on systems without /proc. */
function openHandles(pid: number): number | undefined {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return undefined;
  }
}

async function settled(measure: () => number): Promise<number> {
  const deadline = performance.now() + SETTLE_MS;
  while (measure() > ALLOWED_HANDLES && performance.now() < deadline) await Bun.sleep(50);
  return measure();
}

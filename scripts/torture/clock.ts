// Group clock: the wall clock of a server jumps, from seconds to months in both directions, and its process is stopped
// for a while. Leases, receipts, jobs, tokens, sessions and rate limits must behave as promised after each jump.

import { join } from "node:path";
import { cleanEnvironment } from "../bench/bench.ts";
import { type ChildServer, cacheFolder, createKey, REPOSITORY, startChild } from "../bench/child-server.ts";
import { openPreload } from "./preload.ts";
import { untilIndexed } from "./settled.ts";
import type { Check, Torture } from "./torture.ts";
import { type Received, sendTo } from "./writer.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MONTH = 30 * DAY;
const JUMPS = [
  5 * SECOND,
  MINUTE,
  59 * MINUTE,
  2 * HOUR,
  25 * HOUR,
  26 * DAY,
  3 * MONTH,
  11 * MONTH,
] as const;
/** Longer than the shortest lease, and the limits of the two cases. */
const STOPPED_MS = [1_500, 20_000] as const;
const RECEIPT_LIFE_MS = DAY;
const LEASE_MS = 30 * MINUTE;
const TOKEN_LIFE_MS = 3 * HOUR;
const WRITE_LIMIT = 12;
const MAX_HEALTH_MS = 2_000;

/** Yields all checks of the group. */
export async function* clock(torture: Torture): AsyncGenerator<Check> {
  const jumps = torture.isLong ? JUMPS : [25 * HOUR];
  const signed = jumps.flatMap((ms) => [ms, -ms]);
  const wrong: string[] = [];
  const session = await openSession(torture);
  let comparisons = 0;
  const expect = (what: string, actual: unknown, expected: unknown) => {
    comparisons++;
    if (actual !== expected) wrong.push(`${what}: ${actual} instead of ${expected}`);
  };

  for (const [n, jumpMs] of signed.entries()) {
    const label = `a jump of ${duration(jumpMs)}`;
    await afterJump(session, { jumpMs, label, expect });
    // Every second jump also happens while no server runs.
    if (n % 2 === 0)
      await restartedAfterJump(session, { jumpMs: -jumpMs, label: `${label}, back while stopped`, expect });
    await session.restart({ meanwhile: () => session.setNow(0) });
  }
  yield { check: "jumps", value: signed.length, unit: `${comparisons} comparisons`, atLeast: 1 };
  yield { check: "wrong after a jump", value: wrong.length, unit: "", atMost: 0 };

  const limits = await rateLimits(session, jumps);
  yield {
    check: "writes beyond the rate limit",
    value: limits.beyond,
    unit: `in ${limits.jumps} jumps`,
    atMost: 0,
  };
  yield { check: "rate limits that do not end", value: limits.endless, unit: "", atMost: 0 };

  const pauses = torture.isLong ? STOPPED_MS : STOPPED_MS.slice(0, 1);
  const stopped: string[] = [];
  let slowest = 0;
  for (const pauseMs of pauses) {
    const result = await afterPause(session, pauseMs);
    stopped.push(...result.wrong);
    slowest = Math.max(slowest, result.healthMs);
  }
  const limit = torture.isLong ? { atMost: MAX_HEALTH_MS } : {};
  yield {
    check: "wrong after SIGSTOP and SIGCONT",
    value: stopped.length,
    unit: `${pauses.length} pauses`,
    atMost: 0,
  };
  yield { check: "/health after SIGCONT, slowest", value: slowest, unit: "ms", ...limit };
  const health = await session.server().health();
  yield {
    check: "jobs that stay running or have failed",
    value: health.jobs.running + health.jobs.failed,
    unit: "",
    atMost: 0,
  };
  await session.server().stop();
  for (const text of [...wrong, ...stopped]) torture.note(`clock: ${text}`);
}

interface Session {
  server(): ChildServer;
  /** Kills the server and starts it again. `meanwhile` is called in between. */
  restart(options?: { flags?: readonly string[]; meanwhile?: () => void }): Promise<void>;
  request(method: string, path: string, given?: Given): Promise<Received>;
  /** Sets the clock of the server to the real time plus this. */
  setNow(offsetMs: number): void;
  /** Valid for TOKEN_LIFE_MS by the real clock. */
  token: string;
}

interface Given {
  body?: unknown;
  headers?: Record<string, string>;
}

async function openSession(torture: Torture): Promise<Session> {
  const dataDir = join(torture.folder(), "data");
  const preload = await openPreload(torture, dataDir);
  const address = { url: "" };
  const key = await createKey(torture, dataDir);
  const send = sendTo(address, key);
  const env = cleanEnvironment(await cacheFolder(torture));
  const ttl = String(TOKEN_LIFE_MS / SECOND);
  const { token } =
    await Bun.$`${REPOSITORY} tokens create --kind oauth --ttl ${ttl} --data-dir ${dataDir} --json`
      .env(env)
      .json();
  let server = await startChild(torture, dataDir, { env: preload.env });
  address.url = server.url;
  return {
    token,
    server: () => server,
    async restart({ flags = [], meanwhile = () => {} } = {}) {
      await server.kill();
      meanwhile();
      server = await startChild(torture, dataDir, { env: preload.env, flags });
      address.url = server.url;
    },
    async request(method, path, { body, headers = {} } = {}) {
      const received = await send({ method, path, body, headers });
      if (!received) throw new Error(`${method} ${path}: no response`);
      return received;
    },
    setNow: preload.setClock,
  };
}

let unique = 0;
const newKey = () => `clock-${++unique}`;

interface Jump {
  jumpMs: number;
  label: string;
  expect(what: string, actual: unknown, expected: unknown): void;
}

/** A document in the mode lease_required, and its lease. */
async function leased(
  { request }: Session,
  ttlMs: number,
): Promise<{ path: string; headers: Record<string, string> }> {
  const created = await request("POST", "/v1/documents", {
    body: { title: newKey(), content: "The kettle whistles." },
  });
  const path = `/v1/documents/${created.body.data.id}`;
  const etag = created.headers.get("ETag") ?? (await request("GET", path)).headers.get("ETag")!;
  await request("PUT", `${path}/coordination`, { headers: { "If-Match": etag } });
  const lease = await request("POST", `${path}/coordination/lease`, {
    body: { action: "acquire", ttlMs },
    headers: { "Idempotency-Key": newKey() },
  });
  const { leaseId, fence } = lease.body.data;
  return {
    path,
    headers: { "If-Match": etag, "X-Service-Lease-Id": leaseId, "X-Service-Lease-Fence": String(fence) },
  };
}

async function afterJump(session: Session, { jumpMs, label, expect }: Jump): Promise<void> {
  const { request } = session;
  const { path, headers } = await leased(session, LEASE_MS);
  const edit = (content: string) =>
    request("PATCH", path, { body: { content }, headers: { ...headers, "Idempotency-Key": newKey() } });
  const keyed = { body: { title: "Once", content: "A text." }, headers: { "Idempotency-Key": newKey() } };
  const first = await request("POST", "/v1/documents", keyed);
  const { body: opened } = await request("POST", "/v1/pd/session", { body: { ttl: 1_800 } });
  const search = { body: { query: "kettle", sessionId: opened.data.sessionId } };

  session.setNow(jumpMs);
  const isLeaseOver = jumpMs >= LEASE_MS;
  expect(`${label}: edit under the lease`, (await edit("An edit.")).status, isLeaseOver ? 409 : 200);
  const repeated = await request("POST", "/v1/documents", keyed);
  const isReplayed = repeated.body.data?.id === first.body.data.id;
  expect(`${label}: receipt is replayed`, isReplayed, jumpMs < RECEIPT_LIFE_MS);
  const signed = await request("GET", "/v1/user/me", {
    headers: { Authorization: `Bearer ${session.token}` },
  });
  // A token that is not valid yet by the clock is none of ours to reject: it has no such claim.
  expect(`${label}: token`, signed.status, jumpMs > TOKEN_LIFE_MS ? 401 : 200);
  const searched = await request("POST", "/v1/pd/search", search);
  expect(`${label}: search session`, searched.status, jumpMs > 1_800 * SECOND ? 404 : 200);
  await request("POST", "/v1/documents", { body: { title: "New", content: `A windmill ${newKey()}.` } });
  await untilIndexed(session.server());

  // And back: what has ended stays ended.
  session.setNow(0);
  const again = await request("POST", `${path}/coordination/lease`, {
    body: { action: "renew", ttlMs: LEASE_MS },
    headers: { ...headers, "Idempotency-Key": newKey() },
  });
  expect(`${label}, and back: renewal of the lease`, again.status, isLeaseOver ? 409 : 200);
  await request("POST", "/v1/documents", { body: { title: "New", content: `A harbour ${newKey()}.` } });
  await untilIndexed(session.server());
}

/** The clock jumps while the server is stopped. */
async function restartedAfterJump(session: Session, { jumpMs, label, expect }: Jump): Promise<void> {
  const { request } = session;
  const { path, headers } = await leased(session, LEASE_MS);
  const body = { title: "Queued", content: `An orchard ${newKey()}.` };
  await request("POST", "/v1/documents", { body });
  await session.restart({ meanwhile: () => session.setNow(jumpMs) });
  await untilIndexed(session.server());
  const edited = await request("PATCH", path, {
    body: { content: "An edit." },
    headers: { ...headers, "Idempotency-Key": newKey() },
  });
  expect(`${label}: edit under the lease`, edited.status, jumpMs >= LEASE_MS ? 409 : 200);
  await request("POST", "/v1/documents", { body: { title: "New", content: `A ledger ${newKey()}.` } });
  await untilIndexed(session.server());
}

/** No jump lets more writes through within a minute, and none makes the limit last. */
async function rateLimits(
  session: Session,
  jumps: readonly number[],
): Promise<{ beyond: number; endless: number; jumps: number }> {
  await session.restart({ flags: ["--rate-limit-write", String(WRITE_LIMIT)] });
  const write = () => session.request("POST", "/v1/pd/session", { body: {} });
  const startedAt = performance.now();
  let accepted = 0;
  let done = 0;
  for (; accepted < WRITE_LIMIT; accepted++) if ((await write()).status !== 201) break;
  let beyond = 0;
  let last: Received | undefined;
  for (const jumpMs of jumps.flatMap((ms) => [ms, -ms])) {
    session.setNow(jumpMs);
    last = await write();
    const isWithinMinute = performance.now() - startedAt < MINUTE;
    if (isWithinMinute && last.status !== 429) beyond++;
    done++;
  }
  const retryAfterS = Number(last?.headers.get("Retry-After") ?? 0);
  session.setNow(0);
  await session.restart();
  return {
    beyond: beyond + (accepted < WRITE_LIMIT ? 1 : 0),
    endless: retryAfterS > 60 ? 1 : 0,
    jumps: done,
  };
}

/** The process does not run for a while, as on a laptop that sleeps. */
async function afterPause(session: Session, pauseMs: number): Promise<{ wrong: string[]; healthMs: number }> {
  const { request } = session;
  const wrong: string[] = [];
  const long = await leased(session, LEASE_MS);
  const short = await leased(session, SECOND);
  await request("POST", "/v1/documents", { body: { title: "Paused", content: "A text. ".repeat(2_000) } });
  const { pid } = session.server();
  process.kill(pid, "SIGSTOP");
  await Bun.sleep(pauseMs);
  process.kill(pid, "SIGCONT");
  const resumedAt = performance.now();
  await session.server().health();
  const healthMs = performance.now() - resumedAt;
  for (const [name, { path, headers }, expected] of [
    ["a lease of 30 minutes", long, 200],
    ["a lease of a second", short, 409],
  ] as const) {
    const edited = await request("PATCH", path, {
      body: { content: "An edit." },
      headers: { ...headers, "Idempotency-Key": newKey() },
    });
    if (edited.status !== expected)
      wrong.push(`${name} after ${pauseMs} ms: ${edited.status} instead of ${expected}`);
  }
  await untilIndexed(session.server());
  return { wrong, healthMs };
}

function duration(ms: number): string {
  const sign = ms < 0 ? "-" : "+";
  const size = Math.abs(ms);
  if (size < HOUR) return `${sign}${size / SECOND} s`;
  return size < DAY ? `${sign}${size / HOUR} h` : `${sign}${Math.round(size / DAY)} days`;
}

// One client that changes shared documents with leases of its own, stale ones of its past, and none, and records what
// it is told.

import { headersOf } from "../../bench/child-server.ts";
import type { AcceptedWrite, Grant, Log } from "./log.ts";

const MIN_TTL_MS = 1_000;
/** The longest pause after a rejection, so that the holder of a lease gets on. */
const MAX_PAUSE_MS = 300;
/** Some requests are given up before the reply, and sent again with the same key. */
const GIVE_UP_MS = 3;

export interface WriterOptions {
  name: string;
  url: string;
  key: string;
  /** Coordinated documents, and one in standard mode. */
  coordinated: readonly string[];
  standard: string;
  operations: number;
  random: () => number;
  log: Log;
  /** The latest lease of each document, for all clients: whoever knows its id and fence may use it. */
  shared: Map<string, Grant>;
}

interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: bodies are read, not stored
  body: any;
  sentAt: number;
  answeredAt: number;
  /** It was sent before, and given up. */
  isRetry: boolean;
}

/** Sends `operations` requests one after another. Throws only if the server cannot be reached. */
export async function runWriter(options: WriterOptions): Promise<void> {
  const writer = createWriter(options);
  for (let done = 0; done < options.operations; done++) await writer.next();
}

/** The statuses that each kind of request may give. Anything else is recorded as unexpected. */
const ALLOWED: Record<string, readonly number[]> = {
  acquire: [200, 409],
  renew: [200, 409],
  release: [200, 409],
  write: [200, 409, 412],
  "write under another client's lease": [200, 409, 412],
  "write under an old lease": [409],
  "write without a lease": [428],
  "write in standard mode": [200, 412],
  read: [200],
};

function createWriter({ name, url, key, coordinated, standard, random, log, shared }: WriterOptions) {
  /** The live lease of each document, as far as this client knows, and a former one. */
  const leases = new Map<string, Grant>();
  const former = new Map<string, Grant>();
  let counter = 0;
  const unique = () => `${name}-${++counter}`;

  const record = (kind: string, answer: Answer): Answer => {
    const reason = answer.body?.error?.details?.reason ?? "";
    const label = `${kind}: ${answer.status} ${reason}`.trim();
    log.replies.set(label, (log.replies.get(label) ?? 0) + 1);
    if (!ALLOWED[kind]!.includes(answer.status))
      log.unexpected.push(`${label} ${JSON.stringify(answer.body).slice(0, 300)}`);
    return answer;
  };
  const once = async (target: string, init: RequestInit): Promise<Omit<Answer, "isRetry">> => {
    const sentAt = Date.now();
    const response = await fetch(url + target, init);
    const body = await response.json();
    return { status: response.status, headers: response.headers, body, sentAt, answeredAt: Date.now() };
  };
  const send = async (
    kind: string,
    target: string,
    { method, body, headers = {} }: { method: string; body?: object; headers?: Record<string, string> },
  ): Promise<Answer> => {
    const init = {
      method,
      headers: { ...headersOf(key), "Content-Type": "application/json", ...headers },
      ...(body && { body: JSON.stringify(body) }),
    };
    const isGivenUp = "Idempotency-Key" in headers && random() < 0.05;
    const firstSentAt = Date.now();
    if (isGivenUp) await once(target, { ...init, signal: AbortSignal.timeout(GIVE_UP_MS) }).catch(() => {});
    let answer = await once(target, init);
    // The given up request is still being worked on: its receipt says so until it is done.
    while (isGivenUp && answer.status === 409 && answer.body.error.details?.reason === undefined)
      answer = await once(target, init);
    return record(kind, { ...answer, sentAt: firstSentAt, isRetry: isGivenUp });
  };

  const read = async (document: string) => {
    const { headers, body } = await send("read", `/v1/documents/${document}?includeContent=false`, {
      method: "GET",
    });
    return { etag: headers.get("etag")!, revision: body.data.revision as number };
  };
  const leaseHeaders = ({ leaseId, fence }: Grant) => ({
    "X-Service-Lease-Id": leaseId,
    "X-Service-Lease-Fence": String(fence),
  });
  const changeLease = (document: string, action: string, grant?: Grant) =>
    send(action, `/v1/documents/${document}/coordination/lease`, {
      method: "POST",
      body: { action, ...(action !== "release" && { ttlMs: MIN_TTL_MS + Math.floor(random() * 500) }) },
      headers: { "Idempotency-Key": unique(), ...(grant && leaseHeaders(grant)) },
    });
  const forget = (document: string) => {
    const lease = leases.get(document);
    if (lease) former.set(document, lease);
    leases.delete(document);
  };
  const backOff = () => Bun.sleep(MAX_PAUSE_MS * random());

  async function acquire(document: string) {
    const { status, body, sentAt, answeredAt, isRetry } = await changeLease(document, "acquire");
    if (status !== 200 && isRetry) log.unknownGrants.push(document);
    if (status !== 200) return backOff();
    const { fence, leaseId, expiresAt } = body.data;
    const grant = { document, fence, leaseId, expiresAt, sentAt, answeredAt };
    log.grants.push(grant);
    leases.set(document, grant);
    shared.set(document, grant);
  }
  async function renew(document: string, grant: Grant) {
    const { status, body } = await changeLease(document, "renew", grant);
    if (status === 200) grant.expiresAt = body.data.expiresAt;
    else forget(document);
  }
  async function release(document: string, grant: Grant) {
    const { status, answeredAt } = await changeLease(document, "release", grant);
    if (status === 200) grant.releasedAt = answeredAt;
    forget(document);
  }
  async function write(kind: string, document: string, grant: Grant) {
    const { etag, revision } = await read(document);
    const content = `# ${unique()}`;
    const isByTag = random() < 0.7;
    const { status, body, sentAt, answeredAt } = await send(kind, `/v1/documents/${document}`, {
      method: "PATCH",
      body: { content, ...(!isByTag && { expectedRevision: revision }) },
      headers: { "Idempotency-Key": unique(), ...leaseHeaders(grant), ...(isByTag && { "If-Match": etag }) },
    });
    const accepted: AcceptedWrite = {
      ...{ document, revision: body.data?.revision, content, base: revision },
      ...{ fence: grant.fence, sentAt, answeredAt },
    };
    if (status === 200) log.writes.push(accepted);
    else if (status === 409 && leases.get(document) === grant) forget(document);
  }
  async function writeInStandardMode() {
    const { etag, revision } = await read(standard);
    const content = `# ${unique()}`;
    const isConditional = random() < 0.5;
    const { status, body, sentAt, answeredAt } = await send(
      "write in standard mode",
      `/v1/documents/${standard}`,
      {
        method: "PATCH",
        body: { content },
        headers: { "Idempotency-Key": unique(), ...(isConditional && { "If-Match": etag }) },
      },
    );
    const base = isConditional ? revision : undefined;
    if (status === 200)
      log.writes.push({
        document: standard,
        revision: body.data.revision,
        content,
        base,
        sentAt,
        answeredAt,
      });
  }

  return {
    /** One operation on a random document. */
    async next(): Promise<void> {
      const choice = random();
      if (choice < 0.08) return writeInStandardMode();
      // A client with a lease uses it most of the time.
      const any = coordinated[Math.floor(random() * coordinated.length)]!;
      const document = random() < 0.9 ? (leases.keys().next().value ?? any) : any;
      const lease = leases.get(document);
      const old = former.get(document);
      if (choice < 0.12) {
        const body = { content: unique() };
        await send("write without a lease", `/v1/documents/${document}`, { method: "PATCH", body });
        return;
      }
      if (old && choice < 0.22 && isOver(old)) return write("write under an old lease", document, old);
      const other = shared.get(document);
      if (other && other !== lease && !isOver(other) && choice < 0.3)
        return write("write under another client's lease", document, other);
      if (!lease) return acquire(document);
      if (choice < 0.3) return renew(document, lease);
      if (choice < 0.42) return release(document, lease);
      // The lease is kept without a release: others get it when it has expired, and this client has an old one.
      if (choice < 0.44) return forget(document);
      return write("write", document, lease);
    },
  };
}

/** Whether a lease has certainly ended. */
const isOver = ({ releasedAt, expiresAt }: Grant) => releasedAt !== undefined || Date.now() >= expiresAt;

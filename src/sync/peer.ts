// Sends requests to another server: waits where it asks to wait, repeats what failed for a moment, follows no redirect
// and reads no more than a bounded body. Nothing that it answers is trusted.

import type { Clock } from "../kernel/clock.ts";
import { Failure, messageOf } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";
import { shorten } from "../kernel/text.ts";
import { queryText, type Reply, type RequestOptions, type Requests } from "../requests/reply.ts";

export interface PeerOptions {
  /** As `remoteUrl` returns it. */
  url: string;
  /** The value of the Authorization header. */
  authorization: string;
  userAgent: string;
  clock: Clock;
  signal: AbortSignal;
  /** Called before a wait of more than a few seconds: the other server asked for it, or did not answer. */
  onWait?: (seconds: number, wasAsked: boolean) => void;
}

/** The limits that the other server has named, in requests per minute; undefined before the first answer of a tier. */
interface PeerLimits {
  read: number | undefined;
  write: number | undefined;
}

export interface Peer extends Requests {
  readonly limits: PeerLimits;
  request(method: string, path: string, options?: PeerRequest): Promise<Reply>;
}

interface PeerRequest extends RequestOptions {
  /** Whether the request may be sent again if it is not known whether it was executed; default true. */
  isRepeatable?: boolean;
}

type Tier = keyof PeerLimits;

/** Time for one request with its answer. */
const TIMEOUT_MS = 120_000;
const MAX_ATTEMPTS = 6;
const FIRST_PAUSE_MS = 500;
/** No window is longer than a minute, so a longer wait is not believed. */
const MAX_WAIT_MS = 90_000;
/** Waits of this length are reported. */
const REPORTED_MS = 3_000;
const MAX_RATE_LIMITED = 20;
const { bytes: MAX_BYTES } = LIMITS.body;

/** Opens the connection to another server; nothing is sent before the first request. */
export function openPeer(options: PeerOptions): Peer {
  const { url, authorization, userAgent, clock, signal, onWait } = options;
  const limits: PeerLimits = { read: undefined, write: undefined };
  /** Monotonic times before which no request of the tier is sent. */
  const blockedUntil: Record<Tier, number> = { read: 0, write: 0 };

  const pause = async (ms: number, wasAsked: boolean) => {
    if (ms >= REPORTED_MS) onWait?.(Math.ceil(ms / 1_000), wasAsked);
    await clock.sleep(ms, signal);
  };

  /** Notes what the headers say about the limits. */
  const observe = (tier: Tier, headers: Headers) => {
    const named = (name: string) => headers.get(`ratelimit-${name}`) ?? headers.get(`x-ratelimit-${name}`);
    const limit = wholeNumber(named("limit"));
    if (limit !== undefined) limits[tier] = limit;
    if (wholeNumber(named("remaining")) !== 0) return;
    // Both times are those of the other server's clock, which may differ from the one here.
    const reset = Date.parse(named("reset") ?? "");
    const sentAt = Date.parse(headers.get("date") ?? "");
    const waitMs = reset - (Number.isNaN(sentAt) ? clock.now() : sentAt);
    if (waitMs > 0) blockedUntil[tier] = clock.monotonic() + Math.min(waitMs, MAX_WAIT_MS);
  };

  const send = async (method: string, path: string, given: PeerRequest): Promise<Reply> => {
    const { body, query, headers } = given;
    const ended = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const response = await fetch(url + path + queryText(query), {
      method,
      body: body === undefined ? undefined : JSON.stringify(body),
      headers: {
        "User-Agent": userAgent,
        Authorization: authorization,
        Accept: "application/json",
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...headers,
      },
      redirect: "manual",
      signal: ended,
    });
    const { status } = response;
    if (status >= 300 && status < 400) {
      await response.body?.cancel();
      const target = shorten(response.headers.get("location") ?? "another address", 200);
      throw new Failure("unavailable", `${url} redirects to ${target}: add the remote with its final URL`);
    }
    return { status, headers: response.headers, body: parsed(await boundedText(response, url)) };
  };

  const request = async (method: string, path: string, given: PeerRequest = {}): Promise<Reply> => {
    const tier: Tier = method === "GET" ? "read" : "write";
    const isRepeatable = given.isRepeatable ?? true;
    let rateLimited = 0;
    for (let attempt = 1; ; attempt++) {
      const waitMs = blockedUntil[tier] - clock.monotonic();
      if (waitMs > 0) await pause(waitMs, true);
      signal.throwIfAborted();
      let problem: unknown;
      try {
        const reply = await send(method, path, given);
        observe(tier, reply.headers);
        if (reply.status === 429) {
          const seconds = wholeNumber(reply.headers.get("retry-after")) ?? 1;
          if (++rateLimited > MAX_RATE_LIMITED || seconds * 1_000 > MAX_WAIT_MS) return reply;
          blockedUntil[tier] = clock.monotonic() + Math.max(1, seconds) * 1_000;
          attempt--;
          continue;
        }
        // The first try of this request may still be under way there.
        const isUnderWay =
          reply.status === 409 && attempt > 1 && given.headers?.["Idempotency-Key"] !== undefined;
        const isPassing = reply.status >= 500 || isUnderWay;
        if (!isPassing || !isRepeatable || attempt >= MAX_ATTEMPTS) return reply;
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof Failure) throw error;
        problem = error;
      }
      const isFinal = !isRepeatable || attempt >= MAX_ATTEMPTS || isCertificateError(problem);
      if (problem !== undefined && isFinal) {
        throw new Failure("unavailable", `${url} cannot be reached: ${messageOf(problem)}`, {
          cause: problem,
        });
      }
      await pause(FIRST_PAUSE_MS * 2 ** (attempt - 1), false);
    }
  };

  return { limits, request };
}

/** Whether the certificate is the problem: it will be the same at the next try. */
function isCertificateError(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === "string" && /CERT|SIGNATURE/.test(code);
}

function wholeNumber(text: string | null): number | undefined {
  return text !== null && /^\d{1,9}$/.test(text.trim()) ? Number(text) : undefined;
}

/** The body as text. Throws `too-large` as soon as more than MAX_BYTES have arrived. */
async function boundedText(response: Response, url: string): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.byteLength;
    if (bytes > MAX_BYTES)
      throw new Failure("too-large", `${url} sent an answer of more than ${MAX_BYTES} bytes`);
    text += decoder.decode(part, { stream: true });
  }
  return text + decoder.decode();
}

/** Parsed JSON, or the text if it is none. */
function parsed(text: string): unknown {
  if (text === "") return null;
  try {
    return JSON.parse(text);
  } catch {
    return shorten(text, LIMITS.error.messageCharacters);
  }
}

// Exactly once: a request with an Idempotency-Key is done once, and its answer is repeated to every retry. Effect and
// receipt commit in one transaction; what a crash interrupts has neither.

import { findReceipt, type ReceiptKey, storeReceipt } from "../db/receipts.ts";
import type { Store, Write } from "../db/store.ts";
import { canonicalJson } from "../kernel/canonical-json.ts";
import { badRequest, Failure, reasoned } from "../kernel/errors.ts";
import { sha256Hex } from "../kernel/hash.ts";
import type { Answer } from "./respond.ts";

/** What an Idempotency-Key may be. */
export const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/;
/** Answers that depend on the request alone. The others depend on the moment or the caller: a retry is fresh. */
const KEPT = new Set([400, 404, 412, 413]);
const KEPT_HEADERS = /^(location|etag|x-service-.*)$/i;

/** One keyed request on its way. */
export interface Keyed {
  /** The stored answer of an earlier request with this key, to be repeated as it is. */
  replay: Answer | undefined;
  /** Keeps an answer with the effect it answers for, if answers like it are kept. */
  keep(write: Write, answer: Answer): void;
  /** Keeps a refusal, in a write of its own. */
  keepRefusal(answer: Answer): void;
  /** The request has ended, well or badly. */
  end(): void;
}

/** The key of a request, or undefined. Throws `bad-request` for one that is empty, too long or not printable ASCII. */
export function readIdempotencyKey(headers: Headers): string | undefined {
  const key = headers.get("idempotency-key");
  if (key === null) return undefined;
  if (!IDEMPOTENCY_KEY.test(key)) {
    throw badRequest({ path: "Idempotency-Key", message: "must be 1 to 255 printable ASCII characters" });
  }
  return key;
}

/**
 * What a retry must repeat: path, body (as canonical JSON where it is JSON), If-Match, lease id and fence, and the
 * credential where the operation gives something to it alone.
 */
export function fingerprintOf(
  path: string,
  body: unknown,
  bytes: Uint8Array,
  headers: Headers,
  credentialId: string | undefined,
): string {
  const content = body === undefined ? sha256Hex(bytes) : canonicalJson(body);
  const conditions = ["if-match", "x-service-lease-id", "x-service-lease-fence"].map((name) =>
    headers.get(name),
  );
  return sha256Hex(JSON.stringify([path, content, ...conditions, credentialId ?? null]));
}

/** Requests with a key that are being worked on in this process: a process that died leaves none. */
export type InFlight = Set<string>;

/**
 * Begins a keyed request. Throws `unprocessable` when the key was used for another request, `conflict` while the first
 * one is still being worked on.
 */
export function beginKeyed(
  store: Store,
  inFlight: InFlight,
  receiptKey: ReceiptKey,
  fingerprint: string,
  now: number,
): Keyed {
  const found = findReceipt(store, receiptKey, now);
  if (found && found.fingerprint !== fingerprint) {
    throw reasoned("unprocessable", "IDEMPOTENCY_KEY_REUSED", "this key was used for another request");
  }
  if (found) {
    const headers = { ...found.headers, "Idempotent-Replayed": "true" };
    const replay: Answer = { status: found.status, headers, text: found.body };
    return { replay, keep() {}, keepRefusal() {}, end() {} };
  }
  const name = JSON.stringify([receiptKey.userId, receiptKey.operation, receiptKey.key]);
  if (inFlight.has(name))
    throw new Failure("conflict", "the first request with this key is still being worked on");
  inFlight.add(name);

  const keep = (write: Write, answer: Answer) => {
    if (answer.status >= 300 && !KEPT.has(answer.status)) return;
    const headers = Object.fromEntries(
      Object.entries(answer.headers ?? {}).filter(([header]) => KEPT_HEADERS.test(header)),
    );
    storeReceipt(write, receiptKey, {
      fingerprint,
      status: answer.status,
      headers,
      body: JSON.stringify(answer.body),
    });
  };
  return {
    replay: undefined,
    keep,
    keepRefusal(answer) {
      if (KEPT.has(answer.status)) store.write((write) => keep(write, answer));
    },
    end: () => void inFlight.delete(name),
  };
}

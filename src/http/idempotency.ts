// Idempotency-Key: a request is executed once, and retries get its response. Effect and receipt commit in one transaction,
// so an interrupted request leaves neither.

import { findReceipt, type ReceiptKey, storeReceipt } from "../db/receipts.ts";
import type { Store, Write } from "../db/store.ts";
import { canonicalJson } from "../kernel/canonical-json.ts";
import { badRequest, Failure, failureWithReason } from "../kernel/errors.ts";
import { sha256Hex } from "../kernel/hash.ts";
import type { Reply } from "./respond.ts";

/** A legal Idempotency-Key. */
export const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/;
/** Rejections that depend only on the request are stored. Others depend on the time or the caller: a retry is executed. */
const STORED_STATUSES = new Set([400, 404, 412, 413]);
const STORED_HEADERS = /^(location|etag|x-service-.*)$/i;

/** A request with an Idempotency-Key. */
export interface KeyedRequest {
  /** The stored response to an earlier request with this key. */
  replay: Reply | undefined;
  /** Stores a response in the transaction of its effect, if responses with its status are stored. */
  store(write: Write, reply: Reply): void;
  /** Stores a rejection in a separate write, if responses with its status are stored. */
  storeRejection(reply: Reply): Promise<void>;
  /** Marks the request as finished, successfully or not. */
  finish(): void;
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

interface Fingerprinted {
  path: string;
  /** The parsed body; undefined if it is not JSON. */
  body: unknown;
  bytes: Uint8Array;
  headers: Headers;
  credentialId: string | undefined;
}

/**
 * A digest of what a retry must repeat: path, body (as canonical JSON if it is JSON), If-Match, lease id and fence, and the
 * credential if one is passed.
 */
export function fingerprintOf({ path, body, bytes, headers, credentialId }: Fingerprinted): string {
  const content = body === undefined ? sha256Hex(bytes) : canonicalJson(body);
  const conditions = ["if-match", "x-service-lease-id", "x-service-lease-fence"].map((name) =>
    headers.get(name),
  );
  return sha256Hex(JSON.stringify([path, content, ...conditions, credentialId ?? null]));
}

/** Requests with a key that this process is executing. */
export type InFlight = Set<string>;

/**
 * Starts a request with a key. Throws `unprocessable` if the key was used for another request, `conflict` while the first one
 * is being executed.
 */
export function startKeyed(
  store: Store,
  inFlight: InFlight,
  { receiptKey, fingerprint, now }: { receiptKey: ReceiptKey; fingerprint: string; now: number },
): KeyedRequest {
  const found = findReceipt(store, receiptKey, now);
  if (found && found.fingerprint !== fingerprint) {
    throw failureWithReason(
      "unprocessable",
      "IDEMPOTENCY_KEY_REUSED",
      "this key was used for another request",
    );
  }
  if (found) {
    const headers = { ...found.headers, "Idempotent-Replayed": "true" };
    const replay: Reply = { status: found.status, headers, text: found.body };
    return { replay, store() {}, async storeRejection() {}, finish() {} };
  }
  const id = JSON.stringify([receiptKey.userId, receiptKey.operation, receiptKey.key]);
  if (inFlight.has(id))
    throw new Failure("conflict", "the first request with this key is still being worked on");
  inFlight.add(id);

  const storeWith = (write: Write, reply: Reply) => {
    if (reply.status >= 300 && !STORED_STATUSES.has(reply.status)) return;
    const headers = Object.fromEntries(
      Object.entries(reply.headers ?? {}).filter(([header]) => STORED_HEADERS.test(header)),
    );
    storeReceipt(write, receiptKey, {
      fingerprint,
      status: reply.status,
      headers,
      body: JSON.stringify(reply.body),
    });
  };
  return {
    replay: undefined,
    store: storeWith,
    async storeRejection(reply) {
      if (STORED_STATUSES.has(reply.status)) await store.writeWhenFree((write) => storeWith(write, reply));
    },
    finish: () => void inFlight.delete(id),
  };
}

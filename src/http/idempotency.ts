// Idempotency-Key: a request is executed once, and retries get its response. Effect and receipt commit in one
// transaction, so an interrupted request leaves neither.

import { findReceipt, type ReceiptKey, storeReceipt } from "../db/receipts.ts";
import type { Store, Write } from "../db/store.ts";
import { badRequest, Failure, failureWithReason } from "../kernel/errors.ts";
import { sha256Hex } from "../kernel/hash.ts";
import { LIMITS } from "../kernel/limits.ts";
import { utf8Length } from "../kernel/text.ts";
import type { Reply } from "./respond.ts";

/** A legal Idempotency-Key. */
export const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/;
/**
 * Rejections that depend only on the request are stored. Others depend on the time or the caller: a retry is executed.
 */
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

/** What a retry must repeat besides the body. */
export interface Repeated {
  path: string;
  /** If-Match, lease id and fence, or null. */
  conditions: (string | null)[];
  /** Null if another credential may send the retry. */
  credentialId: string | null;
  /** What counts as its body, if that is not what was sent. */
  body?: object;
}

/** What a retry of a request must repeat besides its body. */
export function repeatedBy(path: string, headers: Headers, credentialId: string | null): Repeated {
  const names = ["if-match", "x-service-lease-id", "x-service-lease-fence"];
  return { path, conditions: names.map((name) => headers.get(name)), credentialId };
}

/**
 * A digest of what a retry must repeat. `body` is the body as canonical JSON, or the digest of its bytes if it is not
 * JSON.
 */
export function fingerprintOf({ path, conditions, credentialId }: Repeated, body: string): string {
  return sha256Hex(JSON.stringify([path, body, ...conditions, credentialId]));
}

/** Requests with a key that this process is executing. */
export type InFlight = Set<string>;

/**
 * Starts a request with a key. Throws `unprocessable` if the key was used for another request, `conflict` while the
 * first one is being executed.
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
      body: receiptBody(reply.body),
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

/** A member of a short body is at most this long, as JSON. */
const MAX_SHORT_MEMBER_CHARACTERS = 512;

/** The body as it is stored: the whole one, or if that is too large its short members and `meta.shortened`. */
function receiptBody(body: unknown): string {
  const text = JSON.stringify(body);
  if (utf8Length(text) <= LIMITS.receipt.bodyBytes) return text;
  const { data = {}, ...others } = JSON.parse(text);
  return JSON.stringify({ ...shortMembers(others), data: shortMembers(data), meta: { shortened: true } });
}

const shortMembers = (body: object): object =>
  Object.fromEntries(
    Object.entries(body).filter(([, value]) => JSON.stringify(value).length <= MAX_SHORT_MEMBER_CHARACTERS),
  );

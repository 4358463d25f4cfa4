// KSUID identifiers: 27 characters of base 62, sortable by creation to the second (https://github.com/segmentio/ksuid).
// The ids of one process increase strictly, also within a second, so (createdAt, id) is a total order.

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const KSUID_EPOCH_S = 1_400_000_000;
const PAYLOAD_BITS = 128n;
const PAYLOAD_END = 1n << PAYLOAD_BITS;
const LENGTH = 27;

/** Matches exactly the ids that this server creates; a path id of another form is a 400. */
export const ID_PATTERN = /^[0-9A-Za-z]{27}$/;

/** Bytes as base 62, most significant digit first, left-padded with `0` to `length`. */
export function base62(value: bigint, length: number): string {
  let digits = "";
  for (let rest = value; digits.length < length; rest /= 62n) {
    digits = ALPHABET[Number(rest % 62n)] + digits;
  }
  return digits;
}

/** An unsigned integer from its bytes, most significant first. */
export function bytesToBigInt(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return value;
}

/** Returns a new id for something created at `nowMs` (epoch ms). */
export type IdSource = (nowMs: number) => string;

/** A source of ids. Within a second, or when the clock steps back, the last payload is increased by a random step. */
export function createIdSource(): IdSource {
  let lastSecond = -1;
  let payload = 0n;
  return (nowMs) => {
    const second = Math.floor(nowMs / 1000) - KSUID_EPOCH_S;
    const step = bytesToBigInt(crypto.getRandomValues(new Uint8Array(8))) + 1n;
    if (second > lastSecond) {
      lastSecond = second;
      // The top bit is zero, so that increasing the payload within the second does not overflow.
      payload = bytesToBigInt(crypto.getRandomValues(new Uint8Array(16))) >> 1n;
    } else {
      payload += step;
      if (payload >= PAYLOAD_END) {
        lastSecond += 1;
        payload = step;
      }
    }
    return base62((BigInt(lastSecond) << PAYLOAD_BITS) | payload, LENGTH);
  };
}

const LAST_SECOND = 2 ** 32 - 1;

/** The smallest id that something created at `ms` (epoch ms) or later can have. */
export function firstIdAt(ms: number): string {
  const second = Math.min(LAST_SECOND, Math.max(0, Math.floor(ms / 1000) - KSUID_EPOCH_S));
  return base62(BigInt(second) << PAYLOAD_BITS, LENGTH);
}

/**
 * A source of request ids: ten random characters, the same for all of one process, a hyphen and a counter. They name
 * requests in the log only, so they are cheaper than a KSUID.
 */
export function createRequestIds(): () => string {
  const prefix = base62(bytesToBigInt(crypto.getRandomValues(new Uint8Array(8))), 10);
  let count = 0;
  return () => `${prefix}-${(++count).toString(36)}`;
}

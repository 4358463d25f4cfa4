// The bytes of request bodies: at most 40 MB, read without trusting Content-Length, and the headers that describe them.

import { badRequest, Failure } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { HeldBody } from "./body-room.ts";
import { parseMediaType } from "./media-type.ts";

const tooLarge = () => new Failure("too-large", `the body is larger than ${LIMITS.body.bytes} bytes`);

const inTooManyPieces = () =>
  badRequest({ path: "body", message: `arrives in more than ${LIMITS.body.pieces} pieces` });

/** Pieces are joined to blocks while they arrive: at the end, 40 MB would take tens of milliseconds. */
const BLOCK_BYTES = 1024 ** 2;

/**
 * The bytes of the body in blocks, each with memory of its own; `held` counts them. Throws `too-large` at the first
 * byte over the limit, `bad-request` for a body in very many pieces, and what `held` throws; the rest is not read.
 */
export async function readBlocks(
  request: Pick<Request, "headers" | "body">,
  held: Pick<HeldBody, "add">,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const declared = Number(request.headers.get("content-length") ?? "0");
  if (declared > LIMITS.body.bytes) throw tooLarge();
  const stream: ReadableStream<Uint8Array> | null = request.body;
  if (!stream) return [];
  const blocks: Uint8Array<ArrayBuffer>[] = [];
  let parts: Uint8Array[] = [];
  let partBytes = 0;
  let length = 0;
  let pieces = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw badRequest({ path: "body", message: "ended before it was complete" });
    });
    if (!done) {
      length += value.byteLength;
      partBytes += value.byteLength;
      parts.push(value);
      pieces++;
      try {
        if (length > LIMITS.body.bytes) throw tooLarge();
        if (pieces > LIMITS.body.pieces) throw inTooManyPieces();
        held.add(value.byteLength);
      } catch (error) {
        // Not awaited: a client that never stops sending must not delay the response.
        void reader.cancel().catch(() => {});
        throw error;
      }
    }
    if (partBytes >= BLOCK_BYTES || (done && partBytes > 0)) {
      blocks.push(joined(parts, partBytes));
      parts = [];
      partBytes = 0;
    }
    if (done) return blocks;
  }
}

/** The bytes of blocks that are `length` bytes together, in new memory. */
export function joined(blocks: readonly Uint8Array[], length = lengthOf(blocks)): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const block of blocks) {
    bytes.set(block, at);
    at += block.length;
  }
  return bytes;
}

/** The number of bytes in blocks. */
export const lengthOf = (blocks: readonly Uint8Array[]): number =>
  blocks.reduce((sum, { length }) => sum + length, 0);

/** Checks the headers that describe the body. Content-Type may be missing only if the body may be missing. */
export function checkContentHeaders(headers: Headers, isTypeOptional: boolean): void {
  const encoding = headers.get("content-encoding");
  if (encoding !== null) {
    throw badRequest({ path: "Content-Encoding", message: "is not supported: send the body uncompressed" });
  }
  const type = headers.get("content-type");
  if (isTypeOptional && type === null) return;
  if (type === null || !isJsonInUtf8(type)) {
    throw badRequest({ path: "Content-Type", message: "must be application/json in UTF-8" });
  }
}

function isJsonInUtf8(contentType: string): boolean {
  const media = parseMediaType(contentType);
  if (media?.type !== "application/json") return false;
  return media.parameters.every(([name, value]) => name !== "charset" || value.toLowerCase() === "utf-8");
}

// The body of a response: decompressed and counted while it streams, so that a large page or a decompression bomb does
// not fill the memory.

import type { IncomingMessage } from "node:http";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress, createGunzip, createZstdDecompress } from "node:zlib";
import { LIMITS } from "../../kernel/limits.ts";
import { FetchError, fetchErrorOf } from "./errors.ts";

const { wireBytes, decodedBytes, ratio, ratioAboveBytes, pieces } = LIMITS.fetch;

/** The value of Accept-Encoding. */
export const ENCODINGS = "gzip, br, zstd";
const DECODERS: Record<string, () => NodeJS.ReadWriteStream> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

const tooLarge = (bytes: number, form: "as transferred" | "decompressed") =>
  new FetchError("RESPONSE_TOO_LARGE", `the page is larger than ${bytes / 1024 ** 2} MB ${form}`);

/**
 * Reads a whole body and decodes it. Throws FetchError when it is too large, incomplete, or has an encoding that is not
 * supported; see its codes.
 */
export async function readBody(response: IncomingMessage, signal: AbortSignal): Promise<Uint8Array> {
  const decoder = decoderOf(response.headers["content-encoding"] ?? "");
  if (Number(response.headers["content-length"] ?? 0) > wireBytes)
    throw tooLarge(wireBytes, "as transferred");
  const parts: Uint8Array[] = [];
  let received = 0;
  let decoded = 0;
  const counted = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      received += chunk.length;
      if (received > wireBytes) throw tooLarge(wireBytes, "as transferred");
      yield chunk;
    }
  };
  const collected = async (chunks: AsyncIterable<Uint8Array>) => {
    for await (const chunk of chunks) {
      decoded += chunk.length;
      if (decoded > decodedBytes) throw tooLarge(decodedBytes, "decompressed");
      if (decoded > ratioAboveBytes && decoded > ratio * received) {
        throw new FetchError("COMPRESSION_RATIO", `the page is more than ${ratio} times larger decompressed`);
      }
      parts.push(chunk);
      // Each takes memory, however short it is.
      if (parts.length > pieces)
        throw new FetchError("RESPONSE_TOO_LARGE", `the page arrives in more than ${pieces} pieces`);
    }
  };
  try {
    if (decoder) await pipeline(response, counted, decoder, collected, { signal });
    else await pipeline(response, counted, collected, { signal });
  } catch (error) {
    const { code = "" } = error as { code?: string };
    if (/^(Z_|ERR_BROTLI|ERR__?BROTLI|ERR_ZSTD|ZSTD_|ERR_PADDING|ERR__ERROR)/.test(code)) {
      throw new FetchError("CORRUPT_ENCODING", "the page cannot be decompressed", { cause: error });
    }
    throw fetchErrorOf(error);
  }
  return Buffer.concat(parts, decoded);
}

/** The decoder for the only encoding of a body; undefined if it has none. */
function decoderOf(header: string): NodeJS.ReadWriteStream | undefined {
  const names = header
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "" && name !== "identity");
  if (names.length === 0) return undefined;
  const [name = "", ...others] = names;
  const decoder = others.length === 0 ? DECODERS[name] : undefined;
  if (!decoder) {
    throw new FetchError("UNSUPPORTED_ENCODING", `the page is encoded as ${names.join(", ").slice(0, 100)}`);
  }
  return decoder();
}

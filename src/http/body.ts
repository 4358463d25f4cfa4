// Request bodies: JSON in UTF-8, at most 40 MB, read without trusting Content-Length, parsed without coercion.

import { badRequest, Failure } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";
import { findChangedInteger } from "./json-integers.ts";
import { checkStructure } from "./json-structure.ts";
import { parseMediaType } from "./media-type.ts";

const tooLarge = () => new Failure("too-large", `the body is larger than ${LIMITS.body.bytes} bytes`);

const inTooManyPieces = () =>
  badRequest({ path: "body", message: `arrives in more than ${LIMITS.body.pieces} pieces` });

/**
 * The bytes of the body. Throws `too-large` at the first byte over the limit, and `bad-request` for a body in very many pieces,
 * each of which takes about 120 bytes of memory; the rest is not read.
 */
export async function readBytes(request: Request): Promise<Uint8Array> {
  const declared = Number(request.headers.get("content-length") ?? "0");
  if (declared > LIMITS.body.bytes) throw tooLarge();
  const stream: ReadableStream<Uint8Array> | null = request.body;
  if (!stream) return new Uint8Array();
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw badRequest({ path: "body", message: "ended before it was complete" });
    });
    if (done) break;
    length += value.byteLength;
    parts.push(value);
    if (length <= LIMITS.body.bytes && parts.length <= LIMITS.body.pieces) continue;
    // Not awaited: a client that never stops sending must not delay the response.
    void reader.cancel().catch(() => {});
    throw length > LIMITS.body.bytes ? tooLarge() : inTooManyPieces();
  }
  const [only, ...others] = parts;
  return only && others.length === 0 ? only : Buffer.concat(parts, length);
}

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

/** Parses a body that must be a JSON object. Throws `bad-request` naming the path of what cannot be stored as sent. */
export function parseJson(bytes: Uint8Array): Record<string, unknown> {
  const value = parseJsonValue(bytes);
  if (Array.isArray(value)) throw notAnObject();
  return value as Record<string, unknown>;
}

const notAnObject = () => badRequest({ path: "body", message: "must be a JSON object" });

/** Parses a JSON object or array, with the same checks. */
export function parseJsonValue(bytes: Uint8Array): object {
  checkStructure(bytes);
  let text: string;
  let value: unknown;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    value = JSON.parse(text);
  } catch {
    throw badRequest({ path: "body", message: "is not valid JSON in UTF-8" });
  }
  if (typeof value !== "object" || value === null) throw notAnObject();
  checkValues(value);
  const path = findChangedInteger(text);
  if (path !== undefined) {
    throw badRequest({ path, message: "is an integer that cannot be represented exactly" });
  }
  return value;
}

/** Rejects lone surrogates and infinite numbers. */
function checkValues(root: object): void {
  // The names that lead to the value being checked.
  const path: (string | number)[] = [];
  const problem = (message: string) => badRequest({ path: path.join(".") || "body", message });
  const checkMember = (name: string | number, member: unknown) => {
    path.push(name);
    if (typeof member === "string") {
      if (!member.isWellFormed()) throw problem("contains a lone surrogate");
    } else if (typeof member === "number") {
      if (!Number.isFinite(member)) throw problem("is not a finite number");
    } else if (typeof member === "object" && member !== null) checkMembers(member);
    path.pop();
  };
  const checkMembers = (value: object) => {
    // By index: Object.entries is slow for large arrays.
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index++) checkMember(index, value[index]);
      return;
    }
    for (const name in value) {
      if (!name.isWellFormed()) throw problem("contains a lone surrogate in a name");
      checkMember(name, (value as Record<string, unknown>)[name]);
    }
  };
  checkMembers(root);
}

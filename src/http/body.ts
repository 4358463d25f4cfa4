// Request bodies: JSON in UTF-8, at most 40 MB, read without trusting Content-Length, parsed without coercion.

import { badRequest, Failure } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";

const CONTENT_TYPE = /^application\/json(\s*;\s*charset\s*=\s*"?utf-8"?)?\s*;?\s*$/i;

const tooLarge = () => new Failure("too-large", `the body is larger than ${LIMITS.body.bytes} bytes`);

/** The bytes of the body. Throws `too-large` as soon as it is known to be, without reading the rest. */
export async function readBytes(request: Request): Promise<Uint8Array> {
  const announced = Number(request.headers.get("content-length") ?? "0");
  if (announced > LIMITS.body.bytes) throw tooLarge();
  const stream: ReadableStream<Uint8Array> | null = request.body;
  if (!stream) return new Uint8Array();
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw badRequest({ path: "body", message: "broke off before its end" });
    });
    if (done) break;
    length += value.byteLength;
    if (length > LIMITS.body.bytes) {
      // Not awaited: a sender that never ends must not hold up the answer.
      void reader.cancel().catch(() => {});
      throw tooLarge();
    }
    parts.push(value);
  }
  return parts.length === 1 ? parts[0] : Buffer.concat(parts, length);
}

/** Checks the headers that speak of the body. Only where it may be left out, its type may be left out too. */
export function checkContentHeaders(headers: Headers, mayLackType: boolean): void {
  const encoding = headers.get("content-encoding");
  if (encoding !== null && encoding.toLowerCase() !== "identity") {
    throw badRequest({ path: "Content-Encoding", message: "is not supported: send the body as it is" });
  }
  const type = headers.get("content-type");
  if (mayLackType && type === null) return;
  if (type === null || !CONTENT_TYPE.test(type)) {
    throw badRequest({ path: "Content-Type", message: "must be application/json in UTF-8" });
  }
}

/** Parses a body that must be a JSON object. Throws `bad-request` for anything else. */
export function parseJson(bytes: Uint8Array): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw badRequest({ path: "body", message: "is not valid JSON in UTF-8" });
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw badRequest({ path: "body", message: "must be a JSON object" });
  }
  checkValues(value);
  return value as Record<string, unknown>;
}

/** Refuses what could not be stored faithfully: lone surrogates, infinite numbers, nesting without measure. */
function checkValues(root: object): void {
  const waiting: { value: object; depth: number }[] = [{ value: root, depth: 0 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (next.depth > LIMITS.body.depth) {
      throw badRequest({ path: "body", message: `is nested deeper than ${LIMITS.body.depth} levels` });
    }
    for (const [name, member] of Object.entries(next.value)) {
      if (typeof member === "object" && member !== null)
        waiting.push({ value: member, depth: next.depth + 1 });
      else if (typeof member === "number" && !Number.isFinite(member)) {
        throw badRequest({ path: name, message: "is not a finite number" });
      } else if (typeof member === "string" && !member.isWellFormed()) {
        throw badRequest({ path: name, message: "holds a lone surrogate" });
      }
      if (!name.isWellFormed())
        throw badRequest({ path: "body", message: "holds a lone surrogate in a name" });
    }
  }
}

// From the bytes of a body to the value that an operation receives: syntax, structure and shape, and the fingerprint of
// a request with an idempotency key. It runs in the thread that serves requests for small bodies, and in a worker for
// others, so everything here is plain data.

import type { TObject } from "@sinclair/typebox";
import { canonicalJson } from "../kernel/canonical-json.ts";
import { Failure, type FailureKind } from "../kernel/errors.ts";
import { sha256Hex } from "../kernel/hash.ts";
import { fingerprintOf, type Repeated } from "./idempotency.ts";
import { parseJson } from "./json-body.ts";
import { checkShape, fieldSizes } from "./shape.ts";

export interface SentBody {
  bytes: Uint8Array;
  /** What a retry must repeat; absent for a request without an idempotency key. */
  repeated?: Repeated;
}

/** The shape of a body, and whether one without bytes counts as `{}`. */
export interface BodyRules {
  body: TObject;
  bodyMayBeEmpty?: boolean;
}

export interface ParsedBody {
  /** The members that the shape declares; absent if the body is rejected. */
  value?: object;
  /** Why the body is rejected. */
  problem?: BodyProblem;
  fingerprint?: string;
}

/** A Failure as data. */
export interface BodyProblem {
  kind: FailureKind;
  message: string;
  details: unknown;
}

/** Parses a body. Never throws for what the body contains: that is `problem`. */
export function parseBody(
  { body, bodyMayBeEmpty = false }: BodyRules,
  { bytes, repeated }: SentBody,
): ParsedBody {
  let sent: object | undefined;
  let parsed: ParsedBody;
  try {
    sent = bytes.length === 0 && bodyMayBeEmpty ? {} : parseJson(bytes, fieldSizes(body));
    parsed = { value: declaredMembers(body, checkShape(body, sent)) };
  } catch (error) {
    parsed = { problem: problemOf(error) };
  }
  if (!repeated) return parsed;
  const compared = repeated.body ?? sent;
  return {
    ...parsed,
    fingerprint: fingerprintOf(repeated, compared ? canonicalJson(compared) : sha256Hex(bytes)),
  };
}

/** The value of a parsed body. Throws the Failure of one that is rejected. */
export function bodyOf({ value, problem }: ParsedBody): object {
  if (problem) throw failureOf(problem);
  return value ?? {};
}

/** Without the members that nothing reads, which may be large. */
function declaredMembers({ properties }: TObject, value: Record<string, unknown>): object {
  return Object.fromEntries(Object.entries(value).filter(([name]) => Object.hasOwn(properties, name)));
}

/** A Failure as data. Throws everything else. */
export function problemOf(error: unknown): BodyProblem {
  if (!(error instanceof Failure)) throw error;
  const { kind, message, details } = error;
  return { kind, message, details };
}

/** The Failure that `problemOf` was given. */
export function failureOf({ kind, message, details }: BodyProblem): Failure {
  return new Failure(kind, message, { details });
}

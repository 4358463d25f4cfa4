// What a tool is: its description for agents, the operation of the API that it corresponds to, and what it does with
// it.

import type { Clock } from "../../kernel/clock.ts";
import type { OperationCall, OperationResult } from "../calls.ts";
import type { ChangedRecord, DocumentFacts } from "../store.ts";
import type { Place } from "./document-heading.ts";

/** A text, number or flag. Limits are checked by the operation: they are described only where agents need them. */
export type SimpleSchema = {
  type: "string" | "integer" | "boolean";
  description?: string;
  enum?: string[];
};

/** JSON Schema of the items of a list. */
type ItemSchema =
  | { type: "string" }
  | {
      type: "object";
      properties: Record<string, SimpleSchema>;
      required: string[];
      additionalProperties: false;
    };

/** JSON Schema of a list. */
type ListSchema = {
  type: "array";
  description?: string;
  items: ItemSchema;
};

/** JSON Schema of an argument. */
export type ArgumentSchema = SimpleSchema | ListSchema;

/** The arguments of a call, whose names and JSON types have been checked. */
// biome-ignore lint/suspicious/noExplicitAny: each tool knows the types that its schema declares
export type Arguments = Record<string, any>;

/** How a tool behaves, for clients that ask before dangerous calls. */
interface Behaviour {
  /** Changes nothing. */
  readOnly?: true;
  /** Deletes or overwrites something that cannot be restored by another tool. */
  destructive?: true;
  /** A repetition with the same arguments changes nothing more. */
  idempotent?: true;
  /** Reads pages of the internet. */
  openWorld?: true;
}

/** What a tool returns: Markdown, and the same facts as data if they are few. */
export interface ToolResult {
  text: string;
  data?: Record<string, unknown>;
}

/** One call of a tool. Both functions throw ToolFailure if the operation fails. */
export interface ToolCall {
  arguments: Arguments;
  isDetailed: boolean;
  /** Characters of the result, without its last line. */
  room: number;
  /** What is known of the caller's documents with these ids. */
  documentFacts(ids: readonly string[]): Map<string, DocumentFacts>;
  /** Where a document, or a chunk of it, comes from. */
  placeOf(documentId: string, chunkId?: string): Place | undefined;
  /** Runs the tool's own operation; the first run counts in its rate limit. */
  run(call: OperationCall): Promise<OperationResult>;
  /** Runs another operation in place of the tool's own. Counts as `run` does. */
  runInstead(operation: string, call: OperationCall): Promise<OperationResult>;
  /** Runs another operation for the same call. It does not count, but requires its scope. */
  also(operation: string, call: OperationCall): Promise<OperationResult>;
  /** The caller's documents and prompts that were changed since a time, the last change first. */
  changedSince(since: number, limit: number): ChangedRecord[];
  /** When the caller's visit before this one ended, epoch ms; undefined if that is not known. */
  endOfLastVisit(): number | undefined;
  /** Waits. Rejects if the client cancels the call or its time is over. */
  sleep(ms: number): Promise<void>;
  /** The time at which the call must have a result, of `clock.monotonic()`. */
  endsAt: number;
  clock: Clock;
}

export interface Tool {
  name: string;
  title: string;
  /** When to use it, and which tool to use instead or next. */
  description: string;
  arguments: Record<string, ArgumentSchema>;
  /** Names of arguments that must be sent. */
  required: readonly string[];
  /** Optional arguments in which "" is a value. In all others it counts as absent. */
  mayBeEmpty?: readonly string[];
  /** The members of `data`, for tools that return it. */
  returns?: Readonly<Record<string, { type: "string" | "integer" | "boolean" }>>;
  behaviour: Behaviour;
  /** The name of the corresponding operation: its scopes and its rate limit apply. */
  operation: string;
  /** What to do if there is no result in time. */
  whenSlow?: string;
  handle(call: ToolCall): Promise<ToolResult>;
}

/** A failed call: the response of an operation, or a problem with the arguments (400). */
export class ToolFailure extends Error {
  override readonly name = "ToolFailure";
  readonly status: number;
  /** The spec's reason name, such as REVISION_MISMATCH. */
  readonly reason: string | undefined;
  readonly retryAfterS: string | undefined;

  constructor(status: number, message: string, more: { reason?: string; retryAfterS?: string } = {}) {
    super(message);
    this.status = status;
    this.reason = more.reason;
    this.retryAfterS = more.retryAfterS;
  }
}

/**
 * The result of an operation. Throws ToolFailure for an error status, in which `nameOf` names the fields, and for the
 * replay of a result that was too large to be stored.
 */
export function requireSuccess(
  result: OperationResult,
  nameOf: (path: string) => string = (path) => path,
): OperationResult {
  const { status, headers, body } = result;
  if (status < 400 && !body.meta?.shortened) return result;
  if (status < 400)
    throw new ToolFailure(
      status,
      `the call was executed before, and its result is too large to be repeated: read the record ${body.data?.id ?? "instead"}`,
    );
  const { message, details } = body.error;
  const fields = Array.isArray(details)
    ? details.map(({ path, message }) => `${nameOf(path)}: ${message}`)
    : [];
  throw new ToolFailure(status, fields.length > 0 ? fields.join("; ") : message, {
    reason: details?.reason,
    retryAfterS: headers["Retry-After"],
  });
}

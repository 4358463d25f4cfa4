// Expected failures. A failure has a kind, never an HTTP status: http/errors.ts maps kinds to statuses, the command
// line maps them to exit codes. Any other error is a bug and is reported as "internal".

import { LIMITS } from "./limits.ts";
import { shorten } from "./text.ts";

/** What went wrong, for the caller; see the HTTP statuses in http/errors.ts. */
export type FailureKind =
  | "bad-request"
  | "unauthenticated"
  | "forbidden"
  | "not-found"
  | "method-not-allowed"
  | "conflict"
  | "precondition-failed"
  | "too-large"
  | "unprocessable"
  | "precondition-required"
  | "rate-limited"
  | "unavailable"
  | "internal";

/** A wrong field of the input. `path` is its name, with dots before members and indexes: `limit`, `tags.0`. */
export interface FieldProblem {
  path: string;
  message: string;
}

/** A failure that may be shown to the caller: `message` and `details` must not reveal internals. */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly kind: FailureKind;
  readonly details: unknown;
  /** After how many seconds the caller may try again; undefined if that is not known. */
  readonly retryAfterS: number | undefined;
  /** For a kind whose message is not shown, such as `unavailable`: what callers may know of it. */
  readonly publicMessage: string | undefined;

  constructor(kind: FailureKind, message: string, options: FailureOptions = {}) {
    const { details, retryAfterS, publicMessage, ...others } = options;
    super(message, others);
    this.kind = kind;
    this.details = details;
    this.retryAfterS = retryAfterS;
    this.publicMessage = publicMessage;
  }
}

interface FailureOptions extends ErrorOptions {
  details?: unknown;
  retryAfterS?: number;
  publicMessage?: string;
}

/** 400 with field problems; the message describes the first one. Long paths are cut: names can be as long as a body. */
export function badRequest(...problems: FieldProblem[]): Failure {
  const details = problems.map(({ path, message }) => ({
    path: shorten(path, LIMITS.error.pathCharacters),
    message,
  }));
  const [first] = details;
  return new Failure("bad-request", first ? `${first.path}: ${first.message}` : "bad request", { details });
}

/** 404, for what does not exist and for what the caller may not see, so that callers cannot distinguish them. */
export function notFound(what: string): Failure {
  return new Failure("not-found", `${what} not found`);
}

/** The start of `details.reason` if the disk or the file of the database is the cause. */
export const STORAGE_REASON = "STORAGE_";

/** A failure with one of the spec's reason names, which starts the message and is `details.reason`. */
export function failureWithReason(kind: FailureKind, reason: string, message: string): Failure {
  return new Failure(kind, `${reason}: ${message}`, { details: { reason } });
}

/** The message of any thrown value, for people, logs and job rows. An error of a file starts with its path. */
export function messageOf(error: unknown): string {
  const reason = reasonOf(error);
  if (!isSystemError(error) || error.path === undefined) return reason;
  const { path, dest } = error;
  return `${path}${dest === undefined ? "" : ` -> ${dest}`}: ${reason}`;
}

/** The message of any thrown value. Of an error of a file only the reason: `no such file or directory`. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!isSystemError(error)) return error.message;
  return /^E[A-Z0-9]+: (.+?), \w+/.exec(error.message)?.[1] ?? error.message;
}

/** An error of a system call of Bun or Node. `path` and `dest` are those that the call was given. */
interface SystemError extends Error {
  syscall: string;
  path?: string;
  dest?: string;
}

function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && typeof (error as Partial<SystemError>).syscall === "string";
}

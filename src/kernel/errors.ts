// The failures this program can name. A failure carries a kind, never an HTTP status: http/errors.ts maps kinds to
// statuses, the command line maps them to exit codes. Whatever is not a Failure is a bug and is reported as "internal".

/** Every kind of failure, once. */
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

/** One field of the input that is wrong, and how. `path` is a JSON pointer-like path: `tags.0`, `limit`. */
export interface FieldProblem {
  path: string;
  message: string;
}

/** A failure that may be shown to the caller: `message` and `details` must not name the inside. */
export class Failure extends Error {
  override readonly name = "Failure";

  constructor(
    readonly kind: FailureKind,
    message: string,
    readonly details?: unknown,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** 400 with field problems; the first one is the headline. */
export function badRequest(...problems: FieldProblem[]): Failure {
  const [first] = problems;
  return new Failure("bad-request", first ? `${first.path}: ${first.message}` : "bad request", problems);
}

/** 404: missing and not visible are one answer, so that nobody can tell them apart. */
export function notFound(what: string): Failure {
  return new Failure("not-found", `${what} not found`);
}

/** A failure with one of the spec's reason names: the name begins the message and stands in `details.reason`. */
export function reasoned(kind: FailureKind, reason: string, message: string, details: object = {}): Failure {
  return new Failure(kind, `${reason}: ${message}`, { reason, ...details });
}

/** The message of anything thrown, for logs and job rows. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

// The errors of a fetch: one stable code for each cause, and whether a retry may succeed.

import type { FailureCodeOf } from "../../kernel/failure-codes.ts";

/** `HTTP_404` and the like contain the status of a response. */
export type FetchErrorCode = FailureCodeOf<"fetching">;

interface FetchErrorOptions extends ErrorOptions {
  /** Whether the same fetch may succeed later. */
  retryable?: boolean;
  /** The delay in the server's Retry-After. */
  retryAfterMs?: number;
}

/** A fetch that failed. The message is shown to the user who requested the page. */
export class FetchError extends Error {
  override readonly name = "FetchError";
  readonly retryable: boolean;
  readonly retryAfterMs: number;

  constructor(
    readonly code: FetchErrorCode,
    message: string,
    { retryable = false, retryAfterMs = 0, ...options }: FetchErrorOptions = {},
  ) {
    super(message, options);
    this.retryable = retryable;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Converts an error of the runtime to a FetchError, by its system, HTTP parser or TLS code. */
export function fetchErrorOf(error: unknown): FetchError {
  if (error instanceof FetchError) return error;
  const { code = "", message = String(error) } = error as { code?: string; message?: string };
  if (code.startsWith("HPE_")) {
    return new FetchError("INVALID_RESPONSE", "the server did not send a valid HTTP response", {
      cause: error,
    });
  }
  if (/^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH)/.test(code)) {
    return new FetchError("TLS_FAILURE", `the connection is not secure: ${message}`, { cause: error });
  }
  return new FetchError("CONNECTION_FAILED", `the connection failed: ${message}`, {
    retryable: true,
    cause: error,
  });
}

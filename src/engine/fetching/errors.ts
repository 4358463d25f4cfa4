// What can go wrong with a fetch: one code for each cause, the same in every release, and whether another try may help.

import type { FailureCodeOf } from "../../kernel/failure-codes.ts";

/** `HTTP_404` and the like contain the status of a response. */
export type FetchErrorCode = FailureCodeOf<"fetching">;

interface FetchErrorOptions extends ErrorOptions {
  /** Whether the same fetch may succeed a little later. */
  retryable?: boolean;
  /** How long the server asked to be left alone. */
  retryAfterMs?: number;
}

/** A fetch that failed. The message is for the person who named the page. */
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

/** What the runtime threw, as a FetchError: by the code of the system, of the parser or of TLS. */
export function fetchErrorOf(error: unknown): FetchError {
  if (error instanceof FetchError) return error;
  const { code = "", message = String(error) } = error as { code?: string; message?: string };
  if (code.startsWith("HPE_")) {
    return new FetchError("INVALID_RESPONSE", "the server does not answer in HTTP", { cause: error });
  }
  if (/^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH)/.test(code)) {
    return new FetchError("TLS_FAILURE", `the connection is not secure: ${message}`, { cause: error });
  }
  return new FetchError("CONNECTION_FAILED", `the connection failed: ${message}`, {
    retryable: true,
    cause: error,
  });
}

// The codes of failures that are reported as data, not as the status of a response. Each code is defined here, once;
// the types of the error classes are derived from this table, and docs/api-notes.md lists it. Codes never change.

import { LIMITS } from "./limits.ts";

const { document, fetch, reason } = LIMITS;
const inMb = (bytes: number) => `${bytes / 1024 ** 2} MB`;

/** The part of the program that reports a code. */
type FailureSource = "fetching" | "extraction" | "scraping" | "model";

export interface FailureCode {
  /**
   * A page that cannot be read is reported by `fetching` if its headers say so and by `extraction` if its content does.
   */
  from: readonly FailureSource[];
  /**
   * `automatic`: the server has tried again before it reports this, and a later attempt may succeed.
   * `manual`: the server does not try again; another scrape, refresh or question may succeed.
   * `useless`: the same request fails again until the page, the request or a setting changes.
   */
  retry: "automatic" | "manual" | "useless";
  meaning: string;
}

/** Where the codes of each part appear in the API. */
export const FAILURE_CODES_APPEAR_IN: Readonly<Record<FailureSource, string>> = {
  fetching: "`source.lastRefreshError.code` of a document",
  extraction: "`source.lastRefreshError.code` of a document",
  scraping: "`source.lastRefreshError.code` of a document",
  model: "`meta.fallback` of a cited answer",
};

/** All codes. A `*` stands for a number. */
export const FAILURE_CODES = {
  URL_REFUSED: {
    from: ["fetching"],
    retry: "useless",
    meaning: "The URL, or a redirect, is not an http or https URL or contains a user name or password.",
  },
  PORT_REFUSED: {
    from: ["fetching"],
    retry: "useless",
    meaning: "The port is neither 80, 443 nor one above 1023, or it belongs to another protocol.",
  },
  ADDRESS_REFUSED: {
    from: ["fetching"],
    retry: "useless",
    meaning: "The host is in a private network, is this server, or is reserved.",
  },
  DNS_FAILURE: { from: ["fetching"], retry: "automatic", meaning: "The host name could not be resolved." },
  CONNECT_TIMEOUT: {
    from: ["fetching"],
    retry: "automatic",
    meaning: "No connection was established in time.",
  },
  CONNECTION_FAILED: {
    from: ["fetching"],
    retry: "automatic",
    meaning: "The connection was rejected or broke.",
  },
  TLS_FAILURE: {
    from: ["fetching"],
    retry: "useless",
    meaning: "The server's certificate is invalid, or no secure connection was possible.",
  },
  HEADERS_TIMEOUT: {
    from: ["fetching"],
    retry: "automatic",
    meaning: "The server did not start its response in time.",
  },
  TIMEOUT: {
    from: ["fetching"],
    retry: "automatic",
    meaning: "The page was not transferred within the timeout of the request.",
  },
  INVALID_RESPONSE: {
    from: ["fetching"],
    retry: "useless",
    meaning: "The response was not valid HTTP, or the connection was closed before it.",
  },
  TOO_MANY_REDIRECTS: { from: ["fetching"], retry: "useless", meaning: "There were too many redirects." },
  REDIRECT_DOWNGRADE: {
    from: ["fetching"],
    retry: "useless",
    meaning: "The page redirects from https to http.",
  },
  RESPONSE_TOO_LARGE: {
    from: ["fetching"],
    retry: "useless",
    meaning: `The page is larger than ${inMb(fetch.wireBytes)} as transferred or ${inMb(fetch.decodedBytes)} decompressed.`,
  },
  COMPRESSION_RATIO: {
    from: ["fetching"],
    retry: "useless",
    meaning: `The page is more than ${fetch.ratio} times larger decompressed than as transferred.`,
  },
  UNSUPPORTED_ENCODING: {
    from: ["fetching"],
    retry: "useless",
    meaning: "The Content-Encoding of the page is not supported.",
  },
  CORRUPT_ENCODING: {
    from: ["fetching"],
    retry: "useless",
    meaning: "The page could not be decompressed.",
  },
  "HTTP_*": {
    from: ["fetching"],
    retry: "useless",
    meaning:
      "The server responded with this status, such as HTTP_404. HTTP_429 and HTTP_500 to HTTP_599 are retried.",
  },
  UNSUPPORTED_CONTENT_TYPE: {
    from: ["fetching", "extraction"],
    retry: "useless",
    meaning: "The page is neither HTML, Markdown, plain text nor JSON.",
  },
  NOT_TEXT: { from: ["extraction"], retry: "useless", meaning: "The page contains binary data." },
  TOO_LARGE: { from: ["extraction"], retry: "useless", meaning: "The page is too large to be read." },
  TOO_MANY_NODES: {
    from: ["extraction"],
    retry: "useless",
    meaning: "The page has too many elements.",
  },
  EXTRACTION_TIMEOUT: {
    from: ["extraction"],
    retry: "manual",
    meaning: "Reading the page took too long.",
  },
  EXTRACTION_FAILED: {
    from: ["extraction"],
    retry: "manual",
    meaning: "The page could not be read, or the server was stopping.",
  },
  EXTRACTOR_BUSY: {
    from: ["extraction"],
    retry: "automatic",
    meaning: "Too many pages were waiting to be read.",
  },
  CONTENT_TOO_LARGE: {
    from: ["scraping"],
    retry: "useless",
    meaning: `The text of the page is larger than ${inMb(document.textBytes)}.`,
  },
  EMPTY_CONTENT: {
    from: ["scraping"],
    retry: "useless",
    meaning: "The page contains no text; it may be built by scripts, which are not run.",
  },
  HEADERS_LOST: {
    from: ["scraping"],
    retry: "manual",
    meaning: "The server was restarted, and the headers of the scrape are not stored.",
  },
  INTERRUPTED: {
    from: ["scraping"],
    retry: "manual",
    meaning: "The server gave up the fetch after repeated internal errors or restarts.",
  },
  INTERNAL: { from: ["scraping"], retry: "manual", meaning: "An internal error; the log has details." },
  SUPERSEDED: {
    from: ["scraping"],
    retry: "manual",
    meaning: "The document was edited while its page was being fetched; the edit was stored.",
  },
  llm_unreachable: {
    from: ["model"],
    retry: "manual",
    meaning: "The language model's server could not be reached.",
  },
  llm_timeout: { from: ["model"], retry: "manual", meaning: "The language model did not respond in time." },
  llm_status: {
    from: ["model"],
    retry: "manual",
    meaning: "The language model's server responded with an error status.",
  },
  llm_answer_too_large: {
    from: ["model"],
    retry: "manual",
    meaning: `The language model's response is larger than ${reason.modelAnswerBytes / 1024} kB.`,
  },
  llm_answer_invalid: {
    from: ["model"],
    retry: "manual",
    meaning: "The language model's response is not the requested JSON.",
  },
  llm_answer_uncited: {
    from: ["model"],
    retry: "manual",
    meaning: "The language model's response cites none of the gathered chunks.",
  },
} as const satisfies Record<string, FailureCode>;

type Table = typeof FAILURE_CODES;
type WithNumber<Code extends string> = Code extends `${infer Prefix}*` ? `${Prefix}${number}` : Code;

/** The codes that a part of the program reports. */
export type FailureCodeOf<Source extends FailureSource> = {
  [Code in keyof Table]: Source extends Table[Code]["from"][number] ? WithNumber<Code> : never;
}[keyof Table];

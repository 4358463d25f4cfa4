// One HTTP request with time limits for the connection and the headers. It follows no redirect and does not read the
// body. The caller's lookup decides which addresses may be connected to.

import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import type { LookupFunction } from "node:net";
import { LIMITS } from "../../kernel/limits.ts";
import { FetchError, fetchErrorOf } from "./errors.ts";

export interface RequestOptions {
  headers: Record<string, string>;
  lookup: LookupFunction;
  /** PEM; trusted instead of the system's authorities. */
  certificateAuthority?: string;
  /** Maximum time until the connection exists, with name resolution. */
  connectMs: number;
  /** Maximum time from the connection to the response headers. */
  headersMs: number;
  signal: AbortSignal;
}

/**
 * Sends a GET and resolves with the response once its headers are read; the caller must read or destroy the body.
 * Throws FetchError. Node's client is used because only it connects to the addresses of `lookup`, ignores proxy
 * variables and follows no redirect.
 */
export function request(
  url: URL,
  { headers, lookup, certificateAuthority, connectMs, headersMs, signal }: RequestOptions,
): Promise<IncomingMessage> {
  const isSecure = url.protocol === "https:";
  return new Promise((resolve, reject) => {
    const sent = (isSecure ? https : http).get(url, {
      agent: false,
      headers,
      lookup,
      signal,
      maxHeaderSize: LIMITS.headers.bytes,
      ...(certificateAuthority !== undefined && { ca: certificateAuthority }),
    });
    const failAfter = (ms: number, code: "CONNECT_TIMEOUT" | "HEADERS_TIMEOUT", what: string) =>
      setTimeout(() => {
        sent.destroy(new FetchError(code, `${what} within ${ms / 1000} s`, { retryable: true }));
      }, ms);
    let timer = failAfter(connectMs, "CONNECT_TIMEOUT", "no connection");
    sent.once("socket", (socket) =>
      socket.once(isSecure ? "secureConnect" : "connect", () => {
        clearTimeout(timer);
        timer = failAfter(headersMs, "HEADERS_TIMEOUT", "no response");
      }),
    );
    sent.once("response", (response) => {
      clearTimeout(timer);
      resolve(response);
    });
    sent.on("error", (error) => {
      clearTimeout(timer);
      reject(fetchErrorOf(error));
    });
    // For a response that switches protocols, Bun 1.4 emits neither a response nor an error.
    sent.once("close", () => {
      clearTimeout(timer);
      reject(new FetchError("INVALID_RESPONSE", "the connection was closed without a response"));
    });
  });
}

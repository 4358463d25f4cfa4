// Fetches one page that a person named: from redirect to redirect, each checked like the first, under limits of time and size.
// It knows neither documents nor what a page says.

import type { IncomingMessage } from "node:http";
import { networkInterfaces } from "node:os";
import { LIMITS } from "../../kernel/limits.ts";
import { isLoopback, reachOf } from "./addresses.ts";
import { ENCODINGS, readBody } from "./body.ts";
import { FetchError, type FetchErrorCode } from "./errors.ts";
import { request } from "./request.ts";
import { checkedLookup, type Resolve, systemResolve } from "./resolve.ts";
import { checkReach, checkUrl, isInsideName, isLiteral, portOf } from "./scrape-url.ts";

/** What an earlier answer of a URL said of itself. */
export interface Validators {
  /** They are sent to this URL alone. */
  url: string;
  etag?: string;
  lastModified?: string;
}

export interface PageRequest {
  url: string;
  /** The caller's own; they go to the origin of `url` and to no other. */
  headers?: Readonly<Record<string, string>>;
  /** For all of it, redirects too. */
  timeoutMs: number;
  /** How long a server that is connected may say nothing; 10 seconds where nothing is said. */
  headersMs?: number;
  validators?: Validators;
}

interface FetchedPage {
  notModified: false;
  body: Uint8Array;
  /** As the header says it; empty where there is none. */
  contentType: string;
  finalUrl: string;
  etag?: string;
  lastModified?: string;
}

export interface Fetcher {
  /** Throws FetchError; or the reason of `signal` when that is what ended it. */
  fetch(page: PageRequest, signal: AbortSignal): Promise<FetchedPage | { notModified: true }>;
  /** Names a port of this machine that is never dialled: our own. */
  avoid(port: number): void;
}

export interface FetcherOptions {
  userAgent: string;
  /** Whether this machine and the networks around it may be dialled. */
  allowPrivate: boolean;
  resolve?: Resolve;
  /** The addresses of this machine. */
  ownAddresses?: () => string[];
  /** PEM; trusted instead of the system's authorities. */
  certificateAuthority?: string;
}

const HEADERS_MS = 10_000;
const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Answers without a page, although they are successes. */
const WITHOUT_PAGE = new Set([204, 205, 206]);
const ACCEPT =
  "text/html,application/xhtml+xml,text/markdown;q=0.9,text/plain;q=0.8,application/json;q=0.7,*/*;q=0.1";
const CONTENT_TYPES = /^(text\/(html|plain|markdown|x-markdown)|application\/(xhtml\+xml|json))$/;
/** Of the caller's headers, those that say nothing about who asks. */
const IMPERSONAL = new Set(["accept", "accept-language", "user-agent"]);

/** A fetcher for the life of the program; it keeps no connection. */
export function openFetcher(options: FetcherOptions): Fetcher {
  const {
    userAgent,
    allowPrivate,
    resolve = systemResolve,
    ownAddresses = interfaceAddresses,
    certificateAuthority,
  } = options;
  let ownPort: number | undefined;

  /** Throws unless this address may be dialled at this port. */
  const checkAddress = (address: string, hostname: string, port: number) => {
    checkReach(reachOf(address), hostname, allowPrivate);
    const isHere = () => isLoopback(address) || ownAddresses().includes(address.replace(/^\[|\]$/g, ""));
    if (port === ownPort && isHere()) {
      throw new FetchError("ADDRESS_REFUSED", `${hostname} is this server`);
    }
  };

  const send = (url: URL, headers: Record<string, string>, headersMs: number, signal: AbortSignal) => {
    const { hostname } = url;
    checkUrl(url, allowPrivate);
    const port = portOf(url);
    if (isInsideName(hostname)) checkReach("private", hostname, allowPrivate);
    if (isLiteral(hostname)) checkAddress(hostname, hostname, port);
    const lookup = checkedLookup(resolve, (address) => checkAddress(address, hostname, port));
    return request(url, { headers, lookup, certificateAuthority, headersMs, signal });
  };

  const follow = async (page: PageRequest, signal: AbortSignal) => {
    let url = new URL(page.url);
    let own = lowerCased(page.headers ?? {});
    for (let redirects = 0; ; redirects++) {
      url.hash = "";
      const conditions = page.validators?.url === url.href ? conditionsOf(page.validators) : {};
      const common = { "user-agent": userAgent, accept: ACCEPT };
      const headers = { ...common, ...own, ...conditions, "accept-encoding": ENCODINGS, connection: "close" };
      const response = await send(url, headers, page.headersMs ?? HEADERS_MS, signal);
      try {
        const { statusCode = 0 } = response;
        const { location } = response.headers;
        if (!REDIRECTS.has(statusCode) || location === undefined) {
          if (statusCode === 304 && Object.keys(conditions).length > 0) return { notModified: true } as const;
          return await readPage(response, url, signal);
        }
        if (redirects === MAX_REDIRECTS) {
          throw new FetchError("TOO_MANY_REDIRECTS", `more than ${MAX_REDIRECTS} redirects`);
        }
        const next = redirectTarget(url, location);
        if (next.origin !== url.origin) own = impersonal(own);
        url = next;
      } finally {
        response.destroy();
      }
    }
  };

  return {
    async fetch(page, signal) {
      const total = new AbortController();
      const timer = setTimeout(() => {
        const message = `not fetched within ${Math.round(page.timeoutMs / 100) / 10} s`;
        total.abort(new FetchError("TIMEOUT", message, { retryable: true }));
      }, page.timeoutMs);
      const either = AbortSignal.any([signal, total.signal]);
      // Whatever the connection does or leaves undone, nobody waits longer.
      const ended = Promise.withResolvers<never>();
      either.addEventListener("abort", () => ended.reject(either.reason), { once: true });
      try {
        return await Promise.race([follow(page, either), ended.promise]);
      } catch (error) {
        signal.throwIfAborted();
        total.signal.throwIfAborted();
        throw error;
      } finally {
        clearTimeout(timer);
      }
    },
    avoid(port) {
      ownPort = port;
    },
  };
}

async function readPage(response: IncomingMessage, url: URL, signal: AbortSignal): Promise<FetchedPage> {
  const { statusCode = 0, headers } = response;
  if (statusCode < 200 || statusCode > 299 || WITHOUT_PAGE.has(statusCode)) {
    const code: FetchErrorCode = `HTTP_${statusCode}`;
    throw new FetchError(code, `the server answered ${statusCode}`, {
      retryable: statusCode === 429 || statusCode >= 500,
      retryAfterMs: 1000 * Number(/^\d{1,4}$/.exec(headers["retry-after"] ?? "")?.[0] ?? 0),
    });
  }
  const contentType = headers["content-type"] ?? "";
  const mediaType = contentType.split(";", 1)[0].trim().toLowerCase();
  if (mediaType !== "" && !CONTENT_TYPES.test(mediaType)) {
    const message = `the page is ${mediaType.slice(0, 100)}: only HTML, Markdown, plain text and JSON are read`;
    throw new FetchError("UNSUPPORTED_CONTENT_TYPE", message);
  }
  const body = await readBody(response, signal);
  return {
    notModified: false,
    body,
    contentType,
    finalUrl: url.href,
    etag: headers.etag,
    lastModified: headers["last-modified"],
  };
}

/** Where a redirect leads. Throws FetchError for what is no URL, too long, or leaves encryption behind. */
function redirectTarget(from: URL, location: string): URL {
  // Header bytes come as Latin-1; servers write UTF-8.
  const target = Buffer.from(location, "latin1").toString("utf8");
  if (target.length > LIMITS.uri.bytes || !URL.canParse(target, from.href)) {
    throw new FetchError("URL_REFUSED", "the page redirects to something that is no URL");
  }
  const next = new URL(target, from);
  if (from.protocol === "https:" && next.protocol === "http:") {
    throw new FetchError("REDIRECT_DOWNGRADE", "the page redirects from https to http");
  }
  return next;
}

function conditionsOf({ etag, lastModified }: Validators): Record<string, string> {
  return {
    ...(etag !== undefined && { "if-none-match": etag }),
    ...(lastModified !== undefined && { "if-modified-since": lastModified }),
  };
}

const lowerCased = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const impersonal = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => IMPERSONAL.has(name)));

const interfaceAddresses = () =>
  Object.values(networkInterfaces()).flatMap((given) => (given ?? []).map(({ address }) => address));

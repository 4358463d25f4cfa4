// Fetches one page: follows redirects, checks every address, and enforces time and size limits. It does not read the
// page's content.

import type { IncomingMessage } from "node:http";
import { openJar } from "./cookies.ts";
import { networkInterfaces } from "node:os";
import { unlessAborted, withAnySignal } from "../../kernel/abort.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { addressKindOf, isLoopback, withoutBrackets } from "./addresses.ts";
import { ENCODINGS, readBody } from "./body.ts";
import { FetchError, type FetchErrorCode } from "./errors.ts";
import { type RequestOptions, request } from "./request.ts";
import { checkedLookup, type Resolve, systemResolve } from "./resolve.ts";
import { checkAddressKind, checkUrl, isInternalName, isLiteral, portOf } from "./scrape-url.ts";

/** The validators of an earlier response of a URL. */
export interface Validators {
  /** They are sent to this URL only. */
  url: string;
  etag?: string;
  lastModified?: string;
}

export interface PageRequest {
  url: string;
  /** The caller's headers; only the origin of `url` receives all of them. */
  headers?: Readonly<Record<string, string>>;
  /** Maximum duration of the whole fetch, with redirects. */
  timeoutMs: number;
  /** Maximum time until the connection exists, with name resolution; 5 seconds by default. */
  connectMs?: number;
  /** Maximum time from the connection to the response headers; 10 seconds by default. */
  headersMs?: number;
  validators?: Validators;
  /**
   * What the body must be: text that becomes a document (the default), an image that a browser can show, or a file of
   * any type that is only read, such as robots.txt.
   */
  expects?: keyof typeof EXPECTED;
}

interface FetchedPage {
  notModified: false;
  body: Uint8Array;
  /** The value of the header; "" if there is none. */
  contentType: string;
  finalUrl: string;
  etag?: string;
  lastModified?: string;
}

export interface Fetcher {
  /** Fetches a page. Throws FetchError, or the reason of `signal` if that aborted the fetch. */
  fetch(page: PageRequest, signal: AbortSignal): Promise<FetchedPage | { notModified: true }>;
  /** Sets the port of this server. Addresses of this machine with this port are rejected. */
  setOwnPort(port: number): void;
}

export interface FetcherOptions {
  userAgent: string;
  /** Whether this machine and local networks may be connected to. */
  allowPrivate: boolean;
  resolve?: Resolve;
  /** The addresses of this machine. */
  ownAddresses?: () => string[];
  /** PEM; trusted instead of the system's authorities. */
  certificateAuthority?: string;
}

const DEFAULT_CONNECT_MS = 5_000;
const DEFAULT_HEADERS_MS = 10_000;
const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Successful statuses without a complete page. */
const WITHOUT_PAGE = new Set([204, 205, 206]);
/** What is asked for and accepted. SVG is left out of images: it is a document that can contain scripts. */
const EXPECTED = {
  page: {
    accept:
      "text/html,application/xhtml+xml,text/markdown;q=0.9,text/plain;q=0.8,application/json;q=0.7,*/*;q=0.1",
    types: /^(text\/(html|plain|markdown|x-markdown)|application\/(xhtml\+xml|json)|)$/,
    message: "only HTML, Markdown, plain text and JSON are read",
  },
  image: {
    accept: "image/avif,image/webp,image/png,image/jpeg,image/gif;q=0.9",
    types: /^image\/(avif|webp|png|jpeg|gif)$/,
    message: "only AVIF, WebP, PNG, JPEG and GIF images are shown",
  },
  file: { accept: "text/plain,application/xml,text/xml,*/*;q=0.5", types: /^/, message: "" },
} as const;
/** The caller's headers that cannot identify the caller, and may be sent to other origins. */
const ANONYMOUS_HEADERS = new Set(["accept", "accept-language", "user-agent"]);

/** Creates a fetcher. It reuses no connections. */
export function openFetcher(options: FetcherOptions): Fetcher {
  const {
    userAgent,
    allowPrivate,
    resolve = systemResolve,
    ownAddresses = interfaceAddresses,
    certificateAuthority,
  } = options;
  let ownPort: number | undefined;

  /** Throws unless this address may be connected to at this port. */
  const checkAddress = (address: string, hostname: string, port: number) => {
    checkAddressKind(addressKindOf(address), hostname, allowPrivate);
    const isThisMachine = () => isLoopback(address) || ownAddresses().includes(withoutBrackets(address));
    if (port === ownPort && isThisMachine()) {
      throw new FetchError("ADDRESS_REFUSED", `${hostname} is this server`);
    }
  };

  const send = (
    url: URL,
    options: Pick<RequestOptions, "headers" | "connectMs" | "headersMs" | "signal">,
  ) => {
    const { hostname } = url;
    checkUrl(url, allowPrivate);
    const port = portOf(url);
    if (isInternalName(hostname)) checkAddressKind("private", hostname, allowPrivate);
    if (isLiteral(hostname)) checkAddress(hostname, hostname, port);
    const lookup = checkedLookup(resolve, (address) => checkAddress(address, hostname, port));
    return request(url, { ...options, lookup, certificateAuthority });
  };

  const follow = async (page: PageRequest, signal: AbortSignal) => {
    let url = new URL(page.url);
    let callerHeaders = lowerCased(page.headers ?? {});
    const jar = openJar();
    for (let redirects = 0; ; redirects++) {
      url.hash = "";
      const conditions = page.validators?.url === url.href ? conditionsOf(page.validators) : {};
      const headers = {
        "user-agent": userAgent,
        accept: EXPECTED[page.expects ?? "page"].accept,
        ...callerHeaders,
        ...jar.headersFor(url, callerHeaders.cookie),
        ...conditions,
        "accept-encoding": ENCODINGS,
        connection: "close",
      };
      const { connectMs = DEFAULT_CONNECT_MS, headersMs = DEFAULT_HEADERS_MS } = page;
      const response = await send(url, { headers, connectMs, headersMs, signal });
      try {
        const { statusCode = 0 } = response;
        const { location } = response.headers;
        if (!REDIRECTS.has(statusCode) || location === undefined) {
          if (statusCode === 304 && Object.keys(conditions).length > 0) return { notModified: true } as const;
          return await readPage(response, { url, expects: page.expects ?? "page" }, signal);
        }
        if (redirects === MAX_REDIRECTS) {
          throw new FetchError("TOO_MANY_REDIRECTS", `more than ${MAX_REDIRECTS} redirects`);
        }
        jar.take(url, response.headers["set-cookie"] ?? []);
        const next = redirectTarget(url, location);
        if (next.origin !== url.origin) callerHeaders = onlyAnonymous(callerHeaders);
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
      try {
        // The limit applies even if the connection never settles.
        return await withAnySignal([signal, total.signal], (any) => unlessAborted(follow(page, any), any));
      } catch (error) {
        signal.throwIfAborted();
        total.signal.throwIfAborted();
        throw error;
      } finally {
        clearTimeout(timer);
      }
    },
    setOwnPort(port) {
      ownPort = port;
    },
  };
}

async function readPage(
  response: IncomingMessage,
  { url, expects }: { url: URL; expects: keyof typeof EXPECTED },
  signal: AbortSignal,
): Promise<FetchedPage> {
  const { statusCode = 0, headers } = response;
  if (statusCode < 200 || statusCode > 299 || WITHOUT_PAGE.has(statusCode)) {
    const code: FetchErrorCode = `HTTP_${statusCode}`;
    throw new FetchError(code, `the server responded with status ${statusCode}`, {
      retryable: statusCode === 429 || statusCode >= 500,
      retryAfterMs: 1000 * Number(/^\d{1,4}$/.exec(headers["retry-after"] ?? "")?.[0] ?? 0),
    });
  }
  const contentType = headers["content-type"] ?? "";
  const mediaType = (contentType.split(";", 1)[0] ?? "").trim().toLowerCase();
  const { types, message: rule } = EXPECTED[expects];
  if (!types.test(mediaType)) {
    const message = `the ${expects} is ${mediaType.slice(0, 100) || "of an unknown type"}: ${rule}`;
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

/** The target of a redirect. Throws FetchError if it is invalid, too long, or goes from https to http. */
function redirectTarget(from: URL, location: string): URL {
  // Node decodes header bytes as Latin-1; servers write UTF-8.
  const target = Buffer.from(location, "latin1").toString("utf8");
  if (target.length > LIMITS.uri.bytes || !URL.canParse(target, from.href)) {
    throw new FetchError("URL_REFUSED", "the page redirects to an invalid URL");
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

const onlyAnonymous = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => ANONYMOUS_HEADERS.has(name)));

const interfaceAddresses = () =>
  Object.values(networkInterfaces()).flatMap((entries) => (entries ?? []).map(({ address }) => address));

// Walks a web site: the pages of its sitemap and llms.txt and those that are linked, below the address that was named.
// One request at a time, with a pause; robots.txt decides what may be fetched. Pages that were stored not long ago are
// not fetched again, so an interrupted walk continues.

import type { Fetcher } from "../../engine/fetching/fetch-page.ts";
import { FetchError } from "../../engine/fetching/errors.ts";
import { systemClock } from "../../kernel/clock.ts";
import { contentHash } from "../../kernel/hash.ts";
import { pageAddress } from "../../kernel/uri.ts";
import { messageOf } from "../../kernel/errors.ts";
import { addItems } from "../../importing/collections.ts";
import { isStorageFailure } from "../../requests/reply.ts";
import { type StoredPage, storedPage } from "../../requests/stored-page.ts";
import { walk as walkList } from "../../requests/walk.ts";
import type { Client } from "../client.ts";
import { archiveIfGone, restore } from "./gone.ts";
import { canonicalOf, linksIn, parseSitemap } from "./links.ts";
import { readDocument, type Scraped, type ScrapedDocument, scrapeKnown } from "./page.ts";
import {
  containsPattern,
  createPacer,
  NO_ROBOTS,
  parseRobots,
  type Robots,
  UNREADABLE_ROBOTS,
} from "./robots.ts";

export interface SiteWalk {
  /** The page to start with. Other pages are below it, or in its folder. */
  url: string;
  /** How many links from the start a page may be away. Pages of the sitemap and of llms.txt are one away. */
  depth: number;
  /** Maximum number of pages. */
  maximum: number;
  /** Patterns with `*`: a page must contain one of `include`, if there are any, and none of `exclude`. */
  include: readonly string[];
  exclude: readonly string[];
  /** Pages that were fetched less than this time ago are not fetched again. */
  maxAgeMs: number;
  /** The least time between two requests to a host. */
  delayMs: number;
  keeps: boolean;
  collectionId: string;
}

export interface PageOutcome {
  url: string;
  /**
   * `recent`: it was fetched not long ago, and was not fetched again. `archived`: it does not exist any more.
   * `restored`: it exists again. `duplicate`: another page has the same text, and only that one is stored.
   */
  status:
    | Scraped["status"]
    | "recent"
    | "redirected"
    | "duplicate"
    | "archived"
    | "restored"
    | "refused"
    | "failed";
  id?: string;
  reason?: string;
}

export interface WalkDeps {
  client: Client;
  /** For robots.txt, sitemaps and llms.txt; pages are fetched by the process that serves the data directory. */
  fetcher: Fetcher;
  signal: AbortSignal;
  /** Called after each page, with the number of pages that are known by then. */
  report(outcome: PageOutcome, known: number): void;
}

/** The name in robots.txt. */
const AGENT = "ctxrepo";
const FILE_TIMEOUT_MS = 20_000;
const MAX_SITEMAPS = 50;
const MAX_SITEMAP_DEPTH = 2;
/** More addresses are not remembered. */
const MAX_KNOWN = 100_000;
/** Files that are no pages. */
const NO_PAGE =
  /\.(avif|bmp|bz2|css|csv|dmg|docx?|eot|epub|exe|gif|gz|ico|iso|jar|jpe?g|js|json|map|mjs|mov|mp[34]|ogg|pdf|png|pptx?|rar|rss|svg|tar|tgz|tiff?|ttf|wasm|wav|web[mp]|woff2?|xlsx?|xml|xz|zip)$/i;

interface Queued {
  url: string;
  depth: number;
  /** Whether another page names it as the one with its text: it is then not compared with a third. */
  isCanonical?: boolean;
}

/**
 * Walks the site until nothing is left, the maximum is reached, or `signal` fires. Throws if nothing can be stored any
 * more.
 */
export async function walkSite(deps: WalkDeps, walk: SiteWalk): Promise<PageOutcome[]> {
  const { client, signal, report } = deps;
  const pace = createPacer(signal);
  const robots = robotsReader(deps, pace, walk.delayMs);
  const start = pageAddress(walk.url) ?? walk.url;
  const roots = new Set([folderOf(start)]);
  const known = new Set<string>();
  const queue: Queued[] = [];
  const outcomes: PageOutcome[] = [];
  const add = (url: string, depth: number) => {
    const key = keyOf(url);
    if (depth > walk.depth || known.size >= MAX_KNOWN || known.has(key) || !isWanted(url, roots, walk))
      return;
    known.add(key);
    queue.push({ url, depth });
  };
  known.add(keyOf(start));
  queue.push({ url: start, depth: 0 });
  /** The first document of this walk with each title and text. */
  const byText = new Map<string, { id: string; url: string }>();
  const isRoom = () => outcomes.length < walk.maximum && !signal.aborted;
  const visit = async ({ url, depth, isCanonical }: Queued): Promise<PageOutcome> => {
    const address = new URL(url);
    const rules = await robots(address.origin);
    if (!rules.allows(address)) return { url, status: "refused", reason: "robots.txt does not allow it" };
    const stored = await storedPage(client, url);
    let status: PageOutcome["status"] = "recent";
    let document: ScrapedDocument;
    if (stored && isRecent(stored, walk.maxAgeMs)) document = await readDocument(client, stored.id);
    else {
      await pace(address.host, Math.max(walk.delayMs, rules.delayMs));
      try {
        ({ status, document } = await scrapeKnown(client, { url, keeps: walk.keeps }, stored));
      } catch (error) {
        const gone = stored && (await archiveIfGone(client, stored, error));
        if (stored === undefined || gone === undefined) throw error;
        const { reason, wasArchived } = gone;
        return { url, status: wasArchived ? "unchanged" : "archived", id: stored.id, reason };
      }
      if (stored && (await restore(client, stored))) status = "restored";
    }
    const base = finalUrlOf(document) ?? url;
    // The start may redirect to another folder or host. Another page is stored under the address to which it redirects.
    if (depth === 0) roots.add(folderOf(base));
    else if (status === "created" && keyOf(base) !== keyOf(url)) {
      await client.request("DELETE", `/v1/documents/${document.id}`);
      add(base, depth);
      return { url, status: "redirected", reason: `to ${base}` };
    }
    if (status === "created" && !isCanonical) await takeCanonical(document, base, depth);
    const text = contentHash(`${document.title}\n${document.content}`);
    const same = byText.get(text);
    if (same && same.id !== document.id && status === "created") {
      await client.request("DELETE", `/v1/documents/${document.id}`);
      return { url, status: "duplicate", reason: `of ${same.url}` };
    }
    byText.set(text, { id: document.id, url });
    await addItems(client, walk.collectionId, [{ id: document.id, kind: "document" }]);
    for (const link of linksIn(textOf(document), base)) add(link, depth + 1);
    if (depth === 0 && walk.depth > 0)
      for (const page of await listedPages({ ...deps, pace, robots }, walk.delayMs, [...roots])) add(page, 1);
    return { url, status, id: document.id };
  };
  const take = async (next: Queued): Promise<void> => {
    try {
      outcomes.push(await visit(next));
    } catch (error) {
      if (signal.aborted) return;
      if (isStorageFailure(error)) throw error;
      outcomes.push({ url: next.url, status: "failed", reason: messageOf(error) });
    }
    report(outcomes.at(-1)!, Math.min(walk.maximum, outcomes.length + queue.length));
  };
  /** Stores the page first that another one names as the page with its text. */
  const takeCanonical = async ({ rawHtml }: ScrapedDocument, base: string, depth: number) => {
    const canonical = canonicalOf(rawHtml ?? "", base);
    if (canonical === undefined) return;
    add(canonical, depth);
    const index = queue.findIndex(({ url }) => url === canonical);
    if (index < 0 || !isRoom()) return;
    queue.splice(index, 1);
    await take({ url: canonical, depth, isCanonical: true });
  };
  const takeAll = async () => {
    for (let next = queue.shift(); next && isRoom(); next = queue.shift()) await take(next);
  };
  await takeAll();
  // Pages that are stored and that nothing leads to any more: they may be gone.
  if (walk.depth > 0 && isRoom())
    for (const url of await storedUrls(client, walk.collectionId)) add(url, walk.depth);
  await takeAll();
  return outcomes;
}

/** The addresses of the documents in a collection that are not archived. */
async function storedUrls(client: Client, collectionId: string): Promise<string[]> {
  const urls: string[] = [];
  for await (const { sourceUrl } of walkList(client, "/v1/documents", { query: { collectionId } })) {
    const address = typeof sourceUrl === "string" ? pageAddress(sourceUrl) : undefined;
    if (address !== undefined && urls.length < MAX_KNOWN) urls.push(address);
  }
  return urls;
}

/** By which two addresses of a page are compared. */
const keyOf = (url: string) => url.replace(/\/$/, "");

/** Whether a walk is complete although a page failed: it does not exist. */
export const isMissing = ({ reason = "" }: PageOutcome) => /^HTTP_(404|410)\b/.test(reason);

function isRecent({ status, checkedAt }: StoredPage, maxAgeMs: number): boolean {
  return /^(?:completed|published)$/.test(status) && systemClock.now() - checkedAt < maxAgeMs;
}

const finalUrlOf = ({ metadata: { finalUrl } }: ScrapedDocument) =>
  typeof finalUrl === "string" ? pageAddress(finalUrl) : undefined;

/** All that may contain links: navigation is only in the HTML of the page. */
const textOf = ({ rawHtml, contentHtml, content }: ScrapedDocument) =>
  [rawHtml ?? contentHtml ?? "", content].join("\n");

/** The address below which pages belong to the site: the page itself, or the folder of a page with an ending. */
function folderOf(address: string): string {
  const { origin, pathname } = new URL(address);
  const last = pathname.slice(pathname.lastIndexOf("/") + 1);
  const path =
    last === "" || last.includes(".") ? pathname.slice(0, pathname.length - last.length) : `${pathname}/`;
  return origin + path;
}

function isWanted(url: string, roots: ReadonlySet<string>, { include, exclude }: SiteWalk): boolean {
  const { pathname } = new URL(url);
  const isInside = [...roots].some((root) => url.startsWith(root) || `${url}/` === root);
  if (!isInside || NO_PAGE.test(pathname)) return false;
  const contains = (pattern: string) => containsPattern(url, pattern);
  return (include.length === 0 || include.some(contains)) && !exclude.some(contains);
}

type Pace = ReturnType<typeof createPacer>;

/** Reads robots.txt of each origin once. */
function robotsReader({ fetcher, signal }: WalkDeps, pace: Pace, delayMs: number) {
  const read = async (origin: string): Promise<Robots> => {
    await pace(new URL(origin).host, delayMs);
    try {
      const bytes = await fetchFile(fetcher, `${origin}/robots.txt`, signal);
      return parseRobots(new TextDecoder().decode(bytes), AGENT);
    } catch (error) {
      signal.throwIfAborted();
      const isAbsent = error instanceof FetchError && /^HTTP_4(?!29)/.test(error.code);
      return isAbsent ? NO_ROBOTS : UNREADABLE_ROBOTS;
    }
  };
  const known = new Map<string, Promise<Robots>>();
  return (origin: string): Promise<Robots> => {
    const robots = known.get(origin) ?? read(origin);
    known.set(origin, robots);
    return robots;
  };
}

/** The bytes of a file that describes a site, fetched by the rules for pages. Throws FetchError. */
async function fetchFile(fetcher: Fetcher, url: string, signal: AbortSignal): Promise<Uint8Array> {
  const fetched = await fetcher.fetch({ url, timeoutMs: FILE_TIMEOUT_MS, expects: "file" }, signal);
  return fetched.notModified ? new Uint8Array() : fetched.body;
}

interface ListDeps extends WalkDeps {
  pace: Pace;
  robots(origin: string): Promise<Robots>;
}

/** The pages that the sites at these folders list in sitemaps and in llms.txt. */
async function listedPages(
  { fetcher, signal, pace, robots }: ListDeps,
  delayMs: number,
  folders: string[],
): Promise<string[]> {
  const origins = [...new Set(folders.map((folder) => new URL(folder).origin))];
  const read = async <Value>(
    url: string,
    parse: (bytes: Uint8Array) => Value,
  ): Promise<Value | undefined> => {
    const address = new URL(url);
    const rules = await robots(address.origin);
    if (!rules.allows(address)) return undefined;
    await pace(address.host, Math.max(delayMs, rules.delayMs));
    try {
      return parse(await fetchFile(fetcher, url, signal));
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof FetchError) return undefined;
      throw error;
    }
  };
  const pages = new Set<string>();
  for (const origin of origins) {
    const { sitemaps } = await robots(origin);
    const named = sitemaps.length > 0 ? sitemaps : [`${origin}/sitemap.xml`];
    const waiting = named.map((url) => ({ url, depth: 0 }));
    const seen = new Set<string>();
    for (let next = waiting.shift(); next && seen.size < MAX_SITEMAPS; next = waiting.shift()) {
      const { url, depth } = next;
      if (!url.startsWith(`${origin}/`) || seen.has(url)) continue;
      seen.add(url);
      const sitemap = await read(url, (bytes) => parseSitemap(bytes, url));
      for (const page of sitemap?.pages ?? []) if (pages.size < MAX_KNOWN) pages.add(page);
      if (depth < MAX_SITEMAP_DEPTH)
        waiting.push(
          ...(sitemap?.sitemaps ?? []).slice(0, MAX_SITEMAPS).map((one) => ({ url: one, depth: depth + 1 })),
        );
    }
    const url = `${origin}/llms.txt`;
    const links = await read(url, (bytes) => linksIn(new TextDecoder().decode(bytes), url));
    for (const page of links ?? []) pages.add(page);
  }
  return [...pages];
}

// Scrapes one page: into a new document, or again into the one that has it already.

import { Failure } from "../../kernel/errors.ts";
import { dataOf } from "../../requests/reply.ts";
import { type StoredPage, storedPage } from "../../requests/stored-page.ts";
import type { Client } from "../client.ts";

const POLL_MS = 100;

export interface ScrapedDocument {
  id: string;
  title: string;
  status: string;
  content: string;
  contentHtml?: string;
  rawHtml?: string;
  metadata: Record<string, unknown>;
  source?: { lastRefreshError?: { code: string; message: string } };
}

export interface ScrapeRequest {
  url: string;
  /** Whether a document is made even if one has this page. */
  isNew?: boolean;
  /** Whether the document of a page that cannot be fetched stays. */
  keeps?: boolean;
}

export interface Scraped {
  status: "created" | "updated" | "unchanged";
  document: ScrapedDocument;
}

/** Scrapes a page and waits for it. Throws PageFailure if the page cannot be read. */
export async function scrapePage(client: Client, request: ScrapeRequest): Promise<Scraped> {
  const known = request.isNew ? undefined : await storedPage(client, request.url);
  return scrapeKnown(client, request, known);
}

/** The same with what is known of the page: the document that has it, or undefined. */
export function scrapeKnown(
  client: Client,
  request: ScrapeRequest,
  known: StoredPage | undefined,
): Promise<Scraped> {
  return known === undefined ? createPage(client, request) : refreshPage(client, known);
}

async function createPage(client: Client, { url, keeps }: ScrapeRequest): Promise<Scraped> {
  const reply = await client.request("POST", "/v1/documents/scrape", { body: { url } });
  const { documentId } = dataOf(reply);
  try {
    return { status: "created", document: await fetchedDocument(client, documentId) };
  } catch (error) {
    // After any other error the page may be stored.
    if (!keeps && error instanceof PageFailure) await client.request("DELETE", `/v1/documents/${documentId}`);
    throw error;
  }
}

/** Fetches the page of a stored document again. */
async function refreshPage(client: Client, { id, status }: StoredPage): Promise<Scraped> {
  // Somebody else scrapes it at the same time.
  if (status === "processing") return { status: "unchanged", document: await fetchedDocument(client, id) };
  const reply = await client.request("POST", `/v1/documents/${id}/refresh`);
  if (reply.status === 500) {
    const { source } = await readDocument(client, id, false);
    if (source?.lastRefreshError) throw new PageFailure(source.lastRefreshError, id);
  }
  const { changed } = dataOf(reply);
  return { status: changed ? "updated" : "unchanged", document: await readDocument(client, id) };
}

/** The document when its first fetch is finished. Throws the error of the fetch if that failed. */
async function fetchedDocument(client: Client, id: string): Promise<ScrapedDocument> {
  for (;;) {
    const { status, source } = await readDocument(client, id, false);
    if (status !== "processing") {
      if (source?.lastRefreshError) throw new PageFailure(source.lastRefreshError, id);
      return readDocument(client, id);
    }
    await Bun.sleep(POLL_MS);
  }
}

/** A document, with its texts unless `includeContent` is false. */
export async function readDocument(
  client: Client,
  id: string,
  includeContent = true,
): Promise<ScrapedDocument> {
  return dataOf(await client.request("GET", `/v1/documents/${id}`, { query: { includeContent } }));
}

/** A page that could not be fetched or read, with the code of the fetch. Its kind is `unavailable`. */
export class PageFailure extends Failure {
  readonly fetchCode: string;
  constructor({ code, message }: { code: string; message: string }, id: string) {
    super("unavailable", `${code}: ${message} (document ${id})`);
    this.fetchCode = code;
  }
}

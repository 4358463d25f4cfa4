// The tools that fetch web pages. A fetch may take longer than clients wait, so both say how to learn the outcome
// later.

import { bold, oneLine } from "./markdown.ts";
import type { OperationResult } from "../calls.ts";
import { documentHeading } from "./document-heading.ts";
import { documentId, flag, text, texts } from "./shapes.ts";
import { storedPages } from "./stored-pages.ts";
import { type Tool, type ToolCall, ToolFailure, type ToolResult } from "./tool.ts";

const POLL_MS = 200;
/** Time to send the result after the last look at the document. */
const RESERVE_MS = 1_000;

/** The document as soon as its first fetch is finished, or as it is when the time is over. */
async function whenFetched({ also, sleep, endsAt, clock }: ToolCall, documentId: string) {
  for (;;) {
    const document = (await also("documents.get", { id: documentId, query: { includeContent: false } })).body
      .data;
    if (document.status !== "processing" || clock.monotonic() + POLL_MS > endsAt - RESERVE_MS)
      return document;
    await sleep(POLL_MS);
  }
}

/** The id of the newest document that was scraped from a URL. */
async function storedPage(call: ToolCall, url: string): Promise<string | undefined> {
  for (const id of await storedPages(call, url)) {
    const { data } = (await call.also("documents.get", { id, query: { includeContent: false } })).body;
    if (data.sourceType === "scrape" && data.status !== "processing") return id;
  }
  return undefined;
}

/** Refreshes the document of a URL that is stored already, and adds it to the collections. */
async function refreshStored(call: ToolCall, documentId: string): Promise<ToolResult> {
  const result = await refresh(call, documentId, () =>
    call.runInstead("documents.refresh", { id: documentId }),
  );
  for (const id of call.arguments.collectionIds ?? []) {
    await call.also("collections.items.add", { id, body: { itemIds: [documentId], itemType: "document" } });
  }
  return result;
}

/** Fetches the page of a document again with `run`. */
async function refresh(
  { also, documentFacts, placeOf }: ToolCall,
  documentId: string,
  run: () => Promise<OperationResult>,
): Promise<ToolResult> {
  try {
    const { changed } = (await run()).body.data;
    const known = documentFacts([documentId]).get(documentId);
    const described = { documentId, title: known?.title ?? "", source: placeOf(documentId), known };
    const happened = changed
      ? "The page has changed: there is a new version of"
      : "The page has not changed since the last fetch of";
    return {
      text: `${happened} ${documentHeading(described)}.`,
      data: { documentId, changed },
    };
  } catch (error) {
    if (!(error instanceof ToolFailure && error.status === 500)) throw error;
    const found = await also("documents.get", { id: documentId, query: { includeContent: false } });
    const { code, message } = found.body.data.source?.lastRefreshError ?? {};
    if (code === undefined) throw error;
    throw new ToolFailure(
      502,
      `the page could not be fetched: ${code}: ${oneLine(message)}. The document is unchanged`,
    );
  }
}

export const scrapeUrl: Tool = {
  name: "scrape_url",
  title: "Store a web page",
  description:
    "Fetch a web page and store its text as a document, or refresh the document of that URL. Use it for pages to keep, and " +
    "cite the URL.",
  arguments: {
    url: text("http or https"),
    collectionIds: texts("ids or names"),
    new: flag("keep the document of this URL and store another"),
  },
  required: ["url"],
  behaviour: { openWorld: true },
  operation: "documents.scrape",
  async handle(call) {
    const { url, collectionIds, new: isNew } = call.arguments;
    const known = isNew ? undefined : await storedPage(call, url);
    if (known !== undefined) return refreshStored(call, known);
    const { documentId } = (await call.run({ body: { url, collectionIds } })).body.data;
    const document = await whenFetched(call, documentId).catch((error) => {
      // A credential may be allowed to scrape and not to read.
      if (error instanceof ToolFailure && error.status === 403) return { status: "processing" };
      throw error;
    });
    const data = { documentId, status: document.status };
    if (document.status === "processing") {
      const next = `Call get_document with documentId ${documentId} in 10 seconds.`;
      return { text: `The page is still being fetched. ${next}`, data: { ...data, next } };
    }
    if (document.status === "failed") {
      // Nothing was ever stored in it. A credential that must not delete leaves it.
      await call.also("documents.delete", { id: documentId }).catch(() => {});
      const { code, message } = document.source.lastRefreshError;
      throw new ToolFailure(
        502,
        `the page was not stored: ${code}: ${oneLine(message)}. Check the URL and tell the user`,
      );
    }
    const { title, revision } = document;
    const stored = `documentId: ${documentId}, url: ${oneLine(url)}, revision ${revision}`;
    return {
      text: `Stored ${bold(title)} (${stored}). It can be searched in some seconds.`,
      data: { title, revision, ...data },
    };
  },
};

export const refreshDocument: Tool = {
  name: "refresh_document",
  title: "Fetch a stored page again",
  description: "Fetch the page of a scraped document again. A changed text is stored as a new version.",
  arguments: { documentId },
  required: ["documentId"],
  behaviour: { idempotent: true, openWorld: true },
  operation: "documents.refresh",
  whenSlow: "The page is still being fetched. Call get_document with this documentId in a minute.",
  handle: (call) => {
    const { documentId } = call.arguments;
    return refresh(call, documentId, () => call.run({ id: documentId }));
  },
};

// The tools that fetch web pages. A fetch may take longer than clients wait, so both say how to learn the outcome later.

import { bold, oneLine } from "./markdown.ts";
import { documentId, text, texts } from "./shapes.ts";
import { type Tool, type ToolCall, ToolFailure } from "./tool.ts";

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

export const scrapeUrl: Tool = {
  name: "scrape_url",
  title: "Store a web page",
  description:
    "Fetch a web page and store its text as a new document. For one that is stored already use refresh_document.",
  arguments: { url: text(), collectionIds: texts() },
  required: ["url"],
  behaviour: { openWorld: true },
  operation: "documents.scrape",
  async handle(call) {
    const { url, collectionIds } = call.arguments;
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
      const { code, message } = document.source.lastRefreshError;
      throw new ToolFailure(
        502,
        `the page was not stored: ${code}: ${oneLine(message)}. Check the URL and tell the user; refresh_document fetches it again into the empty document ${documentId}`,
      );
    }
    const { title, revision } = document;
    return {
      text: `Stored ${bold(title)} (documentId: ${documentId}, revision ${revision}). It can be searched in some seconds.`,
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
  async handle({ arguments: { documentId }, run, also }) {
    try {
      const { changed } = (await run({ id: documentId })).body.data;
      return {
        text: changed
          ? `The page has changed: document ${documentId} has a new version.`
          : `The page has not changed since the last fetch of document ${documentId}.`,
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
  },
};

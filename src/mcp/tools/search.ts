// The tools that find and read passages inside documents.

import { LIMITS } from "../../kernel/limits.ts";
import { partOf } from "./budget.ts";
import { documentHeading } from "./document-heading.ts";
import { requireFilters } from "./filters.ts";
import { countOf, oneLine, paragraphs, pendingText } from "./markdown.ts";
import { type Passage, passagesText } from "./passages.ts";
import {
  chunkId,
  inCollection,
  inDocument,
  integer,
  limit,
  maxTokens,
  offset,
  oneOf,
  text,
} from "./shapes.ts";
import type { Tool } from "./tool.ts";

/** The share of a result that is for the texts of passages; the rest is for titles and ids. */
const TEXT_SHARE = 0.6;
const CHARACTERS_PER_TOKEN = 4;

export const deepSearch: Tool = {
  name: "deep_search",
  title: "Search inside documents",
  description:
    "Find passages that answer a question, each with a chunkId to cite. Use deep_read for a whole passage, deep_expand for " +
    "what surrounds it, find_items for whole documents.",
  arguments: {
    query: text("a question or keywords; operators as in find_items"),
    documentId: inDocument,
    collectionId: inCollection,
    sessionId: text('"new", or the one returned: only new passages'),
    limit: limit(LIMITS.disclosure.results, LIMITS.disclosure.defaultLimit),
    maxTokens,
    response_format: oneOf(["concise", "detailed"], "detailed: whole passages"),
  },
  required: ["query"],
  behaviour: { readOnly: true },
  operation: "pd.search",
  async handle(call) {
    const { arguments: sent, isDetailed, room, run, also } = call;
    const { query, documentId, collectionId, limit } = sent;
    let { sessionId } = sent;
    if (sessionId === "new") sessionId = (await also("pd.session", {})).body.data.sessionId;
    const detailLevel = isDetailed ? "full" : "summary";
    // A session does not return a passage again, so what does not fit must not be returned.
    const maxTokens = Math.floor((room * TEXT_SHARE) / CHARACTERS_PER_TOKEN);
    const { body } = await run({
      body: { query, documentId, collectionId, limit, sessionId, detailLevel, maxTokens },
    });
    const results: Passage[] = body.data.results;
    if (results.length === 0) await requireFilters(call);
    const { text, count } = passagesText(call, results);
    const none = sessionId
      ? "No further passages in this session."
      : "No passage matches. Try other words, or find_items.";
    const omitted = results.length - count;
    const isShortened = !isDetailed && results.some(({ content }) => content.endsWith("…"));
    return {
      text: paragraphs(
        results.length > 0 ? text : none,
        omitted > 0 && `[${countOf(omitted, "more passage")}: send a higher maxTokens.]`,
        isShortened && "[Passages that end with … are shortened: deep_read returns them whole.]",
        pendingText(body.data.meta),
        sessionId && `sessionId: ${sessionId} (send it to get only new passages)`,
      ),
    };
  },
};

export const deepRead: Tool = {
  name: "deep_read",
  title: "Read a passage",
  description: "Read the whole text of one passage, and which document and section it is in.",
  arguments: { chunkId, offset, maxTokens },
  required: ["chunkId"],
  behaviour: { readOnly: true, idempotent: true },
  operation: "pd.read",
  async handle({ arguments: { chunkId, offset }, room, run, documentFacts, placeOf }) {
    const { data } = (await run({ id: chunkId })).body;
    const { documentId, documentTitle: title, sectionPath } = data.hierarchy;
    const known = documentFacts([documentId]).get(documentId);
    const described = { documentId, title, source: placeOf(documentId, chunkId), known };
    const section = sectionPath === "" ? [] : [`› ${oneLine(sectionPath)}`];
    const heading = [documentHeading(described), ...section].join("\n");
    return {
      text: paragraphs(heading, partOf(data.content, { offset, repeat: "deep_read", heading, room })),
    };
  },
};

export const deepExpand: Tool = {
  name: "deep_expand",
  title: "Read around a passage",
  description:
    "Read what surrounds a passage: up = its section, down = its parts, next, previous, or surrounding.",
  arguments: {
    chunkId,
    direction: oneOf(["up", "down", "next", "previous", "surrounding"], "where to look"),
    count: integer("neighbours on each side of surrounding, 1-25, default 2"),
    maxTokens,
  },
  required: ["chunkId", "direction"],
  behaviour: { readOnly: true, idempotent: true },
  operation: "pd.expand",
  async handle(call) {
    const { arguments: sent, run, also } = call;
    const { chunkId, direction, count } = sent;
    const chunks: Passage[] = (await run({ body: { chunkId, direction, count } })).body.data.chunks;
    if (chunks.length === 0) {
      // Fails, with advice, if the passage does not exist or no longer exists.
      await also("pd.read", { id: chunkId });
      return { text: `There is nothing in the direction ${direction}.` };
    }
    const shown = passagesText(call, chunks);
    const omitted = chunks.length - shown.count;
    const last = chunks[shown.count - 1]!.chunkId;
    return {
      text: paragraphs(
        shown.text,
        omitted > 0 &&
          `[${countOf(omitted, "more passage")}. Continue: deep_expand of ${last} with direction "next", or "surrounding" with a lower count.]`,
      ),
    };
  },
};

// The tools that find things: items of all kinds, and passages inside documents.

import { LIMITS } from "../../kernel/limits.ts";
import { requireFilters } from "./filters.ts";
import {
  bold,
  countOf,
  facts,
  fittingCount,
  indented,
  listed,
  oneLine,
  paragraphs,
  partOf,
  pendingText,
} from "./markdown.ts";
import {
  anyTags,
  chunkId,
  collectionId,
  documentId,
  integer,
  limit,
  offset,
  oneOf,
  responseFormat,
  tagsQuery,
  text,
} from "./shapes.ts";
import type { Tool } from "./tool.ts";

/** The contents of a deep_search together; the rest of the result is for titles and ids. */
const MAX_SEARCH_TOKENS = 5_000;
const SUMMARY_CHARACTERS = 300;
/** The items of a deep_expand together; the first is returned in any case. */
const MAX_EXPANDED_CHARACTERS = 31_000;

/** Short: every session of every client pays for it. */
const OPERATORS =
  'words or a question; operators: "phrase" -word tag: path: title: in:collection after:2026-01-31 before:';

const scored = (score: number | undefined) => score !== undefined && `score ${score.toFixed(2)}`;

/** The file with its line, or the page, in which a text is. */
const placeFact = ({ path, url, line }: { path?: string; url?: string; line?: number } = {}) =>
  path === undefined
    ? url !== undefined && `url: ${oneLine(url)}`
    : `path: ${oneLine(path)}${line === undefined ? "" : `:${line}`}`;

/** A chunk as a list item: title and headings, ids, text. */
// biome-ignore lint/suspicious/noExplicitAny: a chunk on the wire
function chunkText(chunk: any, { isDetailed, content }: { isDetailed: boolean; content: string }): string {
  const heading = chunk.sectionPath ? ` › ${oneLine(chunk.sectionPath)}` : "";
  const ids = isDetailed
    ? facts(
        `chunkId: ${chunk.chunkId}`,
        `documentId: ${chunk.documentId}`,
        placeFact(chunk.source),
        chunk.level,
        `${chunk.wordCount} words`,
        scored(chunk.score),
        chunk.parentId && `parent: ${chunk.parentId}`,
        chunk.siblingIds.prev && `previous: ${chunk.siblingIds.prev}`,
        chunk.siblingIds.next && `next: ${chunk.siblingIds.next}`,
      )
    : facts(
        `chunkId: ${chunk.chunkId}`,
        `documentId: ${chunk.documentId}`,
        placeFact(chunk.source),
        scored(chunk.score),
      );
  return `- ${bold(chunk.documentTitle)}${heading}${ids}\n${indented(content)}`;
}

export const findItems: Tool = {
  name: "find_items",
  title: "Find items",
  description:
    "Find documents, prompts and collections by topic. Start here to learn what is stored and to get ids. " +
    "For facts inside documents use deep_search.",
  arguments: {
    query: text(OPERATORS),
    type: oneOf(["all", "documents", "prompts", "collections"]),
    semantic: { type: "boolean", description: "false: literal text match" },
    tags: anyTags,
    limit: limit(LIMITS.search.maxLimit, LIMITS.search.defaultLimit),
    response_format: responseFormat,
  },
  required: ["query"],
  behaviour: { readOnly: true, idempotent: true },
  operation: "search",
  async handle({ arguments: { query, type, semantic, tags, limit }, isDetailed, run }) {
    const { body } = await run({ query: { q: query, type, semantic, limit, tags: tagsQuery(tags) } });
    const { documents, prompts, collections } = body.data;
    const more = (hit: { tags: string[]; score?: number; chunkId?: string }) =>
      isDetailed
        ? [scored(hit.score), listed("tags", hit.tags), hit.chunkId && `chunkId: ${hit.chunkId}`]
        : [];
    const groups: [string, string[]][] = [
      [
        "Documents",
        // biome-ignore lint/suspicious/noExplicitAny: rows on the wire
        documents.map((hit: any) => {
          const where = placeFact(hit.source);
          const title = `- ${bold(hit.title)}${facts(`documentId: ${hit.documentId}`, where, ...more(hit))}`;
          return hit.highlight ? `${title}\n  ${oneLine(hit.highlight, SUMMARY_CHARACTERS)}` : title;
        }),
      ],
      [
        "Prompts",
        // biome-ignore lint/suspicious/noExplicitAny: rows on the wire
        prompts.map((hit: any) => {
          const title = `- ${bold(hit.title)}${facts(`promptId: ${hit.promptId}`, ...more(hit))}`;
          return hit.description ? `${title}\n  ${oneLine(hit.description, SUMMARY_CHARACTERS)}` : title;
        }),
      ],
      [
        "Collections",
        collections.map(
          // biome-ignore lint/suspicious/noExplicitAny: rows on the wire
          (hit: any) =>
            `- ${bold(hit.name)}${facts(`collectionId: ${hit.collectionId}`, countOf(hit.itemCount, "item"), ...more(hit))}`,
        ),
      ],
    ];
    const items = groups.flatMap(([name, items]) => items.map((item) => ({ name, item })));
    if (items.length === 0) {
      const none =
        semantic === false
          ? "Nothing contains this text. Try semantic: true, or fewer words."
          : "Nothing matches. Try other words, or semantic: false to match a name literally.";
      return { text: paragraphs(none, pendingText(body.meta)) };
    }
    const shown = items.slice(0, fittingCount(items.map(({ item }) => item)));
    const sections = Map.groupBy(shown, ({ name }) => name);
    const omitted = items.length - shown.length;
    const mayHaveMore = items.length >= (limit ?? LIMITS.search.defaultLimit);
    return {
      text: paragraphs(
        ...[...sections].map(([name, rows]) => `## ${name}\n${rows.map(({ item }) => item).join("\n")}`),
        omitted > 0
          ? `[${countOf(omitted, "more item")}. To see them, send type or a narrower query.]`
          : mayHaveMore &&
              `[There may be more. To see them, send a higher limit (at most ${LIMITS.search.maxLimit}), type, or a narrower query.]`,
        pendingText(body.meta),
      ),
    };
  },
};

export const deepSearch: Tool = {
  name: "deep_search",
  title: "Search inside documents",
  description:
    "Find the passages of documents that answer a question. Cite them by chunkId. Then deep_read gives the whole passage, deep_expand what surrounds it.",
  arguments: {
    query: text(OPERATORS),
    documentId,
    collectionId,
    sessionId: text('"new" starts a session; with its id, later searches return only new passages'),
    limit: limit(LIMITS.disclosure.results, LIMITS.disclosure.defaultLimit),
    response_format: responseFormat,
  },
  required: ["query"],
  behaviour: { readOnly: true },
  operation: "pd.search",
  async handle(call) {
    const { arguments: sent, isDetailed, run, also } = call;
    const { query, documentId, collectionId, limit } = sent;
    let { sessionId } = sent;
    if (sessionId === "new") sessionId = (await also("pd.session", {})).body.data.sessionId;
    const detailLevel = isDetailed ? "full" : "summary";
    const { body } = await run({
      body: { query, documentId, collectionId, limit, sessionId, detailLevel, maxTokens: MAX_SEARCH_TOKENS },
    });
    // biome-ignore lint/suspicious/noExplicitAny: chunks on the wire
    const items = body.data.results.map((chunk: any) =>
      chunkText(chunk, { isDetailed, content: partOf(chunk.content, { repeat: "deep_read" }) }),
    );
    if (items.length === 0) await requireFilters(call);
    // biome-ignore lint/suspicious/noExplicitAny: chunks on the wire
    const isShortened = !isDetailed && body.data.results.some(({ content }: any) => content.endsWith("…"));
    const session = sessionId && `sessionId: ${sessionId} (send it to get only new passages)`;
    const none = sessionId
      ? "No further passages in this session."
      : "No passage matches. Try other words, or find_items.";
    return {
      text: paragraphs(
        items.length > 0 ? items.join("\n") : none,
        isShortened && "[Passages that end with … are shortened: deep_read returns them whole.]",
        pendingText(body.data.meta),
        session,
      ),
    };
  },
};

export const deepRead: Tool = {
  name: "deep_read",
  title: "Read a passage",
  description: "Read the whole text of a passage (paragraph or section) and where it is in its document.",
  arguments: { chunkId, offset, response_format: responseFormat },
  required: ["chunkId"],
  behaviour: { readOnly: true, idempotent: true },
  operation: "pd.read",
  async handle({ arguments: { chunkId, offset }, isDetailed, run }) {
    const { data } = (await run({ id: chunkId })).body;
    const { documentId, documentTitle, sectionPath, position } = data.hierarchy;
    const { startIndex, endIndex, wordCount } = data.metadata;
    const details =
      isDetailed &&
      [
        `- level: ${data.level}, ${countOf(wordCount, "word")}, characters ${startIndex} to ${endIndex} of the document`,
        `- chunk ${position.chunkIndex}; parent: ${position.parentChunkId ?? "none"}; previous: ${position.prevSiblingId ?? "none"}; next: ${position.nextSiblingId ?? "none"}`,
      ].join("\n");
    return {
      text: paragraphs(
        `${bold(documentTitle)}${sectionPath ? ` › ${oneLine(sectionPath)}` : ""}${facts(`documentId: ${documentId}`, `chunkId: ${chunkId}`)}`,
        details,
        partOf(data.content, { offset, repeat: "deep_read" }),
      ),
    };
  },
};

export const deepExpand: Tool = {
  name: "deep_expand",
  title: "Read around a passage",
  description:
    "Read what surrounds a passage: up = its section, down = its parts, next, previous, or surrounding = count neighbours on each side.",
  arguments: {
    chunkId,
    direction: oneOf(["up", "down", "next", "previous", "surrounding"]),
    count: integer("1 to 25, default 2"),
    response_format: responseFormat,
  },
  required: ["chunkId", "direction"],
  behaviour: { readOnly: true, idempotent: true },
  operation: "pd.expand",
  async handle({ arguments: { chunkId, direction, count }, isDetailed, run, also }) {
    const { chunks } = (await run({ body: { chunkId, direction, count } })).body.data;
    if (chunks.length === 0) {
      // Fails, with advice, if the passage does not exist or no longer exists.
      await also("pd.read", { id: chunkId });
      return { text: `There is nothing in the direction ${direction}.` };
    }
    const items: string[] = [];
    let left = MAX_EXPANDED_CHARACTERS;
    for (const chunk of chunks) {
      const item = chunkText(chunk, {
        isDetailed,
        content: partOf(chunk.content, { repeat: `deep_read of ${chunk.chunkId}` }),
      });
      left -= item.length;
      if (left < 0 && items.length > 0) break;
      items.push(item);
    }
    const omitted = chunks.length - items.length;
    const last = chunks[items.length - 1].chunkId;
    return {
      text: paragraphs(
        items.join("\n"),
        omitted > 0 &&
          `[${countOf(omitted, "more passage")}. Continue: deep_expand of ${last} with direction "next", or "surrounding" with a lower count.]`,
      ),
    };
  },
};

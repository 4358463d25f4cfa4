// The tool that finds records of all kinds.

import { LIMITS } from "../../kernel/limits.ts";
import { fittingCount } from "./budget.ts";
import { documentHeading } from "./document-heading.ts";
import { requireFilters } from "./filters.ts";
import { bold, countOf, facts, oneLine, paragraphs, pendingText } from "./markdown.ts";
import { isWeak, scored } from "./passages.ts";
import { anyTags, flag, inCollection, limit, oneOf, tagsQuery, text } from "./shapes.ts";
import { storedPages } from "./stored-pages.ts";
import type { Tool, ToolCall } from "./tool.ts";

const SUMMARY_CHARACTERS = 300;
/** Cells of the line below the head of a table. */
const DASHES = /\|(?: ?:?-{2,}:? ?\|)+/g;

const QUERY =
  'keywords or a question; "phrase" -word tag: path: title: in:collection after:2026-01-31 before:';

const summary = (text: string) => oneLine(text.replaceAll(DASHES, "|"), SUMMARY_CHARACTERS);

/** The documents of a page whose URL is searched for. */
async function pagesNamed(call: ToolCall, query: string): Promise<{ documentId: string; title: string }[]> {
  const ids = await storedPages(call, query);
  return [...call.documentFacts(ids)].map(([documentId, { title }]) => ({
    documentId,
    title,
    source: call.placeOf(documentId),
  }));
}

export const findItems: Tool = {
  name: "find_items",
  title: "Find items",
  description:
    "Find documents, prompts and collections by topic, name or URL. Use it first, to learn what is stored. For facts inside " +
    "documents use deep_search.",
  arguments: {
    query: text(QUERY),
    type: oneOf(["all", "documents", "prompts", "collections"], "default all"),
    semantic: flag("false: literal text, such as code"),
    tags: anyTags,
    collectionId: inCollection,
    limit: limit(LIMITS.search.maxLimit, LIMITS.search.defaultLimit),
  },
  required: ["query"],
  behaviour: { readOnly: true, idempotent: true },
  operation: "search",
  async handle(call) {
    const { arguments: sent, run, room, documentFacts } = call;
    const { query, type, semantic, tags, limit, collectionId } = sent;
    const { body } = await run({
      query: { q: query, type, semantic, limit, collectionId, tags: tagsQuery(tags) },
    });
    const { prompts, collections } = body.data;
    const pages = await pagesNamed(call, query);
    const isPage = ({ documentId: id }: { documentId: string }) =>
      pages.some((page) => page.documentId === id);
    // biome-ignore lint/suspicious/noExplicitAny: rows on the wire
    const documents = [...pages, ...body.data.documents.filter((hit: any) => !isPage(hit))];
    const known = documentFacts(documents.map(({ documentId }: { documentId: string }) => documentId));
    const withText = (title: string, text: string | undefined) =>
      text ? `- ${title}\n  ${summary(text)}` : `- ${title}`;
    const groups: [string, string[]][] = [
      [
        "Documents",
        // biome-ignore lint/suspicious/noExplicitAny: rows on the wire
        documents.map((hit: any) => {
          const { documentId, title, source, highlight, score } = hit;
          const described = { documentId, title, source, known: known.get(documentId) };
          return withText(documentHeading(described, scored(score)), highlight);
        }),
      ],
      [
        "Prompts",
        // biome-ignore lint/suspicious/noExplicitAny: rows on the wire
        prompts.map(({ title, promptId, score, description }: any) =>
          withText(`${bold(title)}${facts(`promptId: ${promptId}`, scored(score))}`, description),
        ),
      ],
      [
        "Collections",
        // biome-ignore lint/suspicious/noExplicitAny: rows on the wire
        collections.map(({ name, collectionId, itemCount, score }: any) =>
          withText(
            `${bold(name)}${facts(`collectionId: ${collectionId}`, countOf(itemCount, "item"), scored(score))}`,
            undefined,
          ),
        ),
      ],
    ];
    const items = groups.flatMap(([name, items]) => items.map((item) => ({ name, item })));
    if (items.length === 0) {
      await requireFilters(call);
      const none =
        semantic === false
          ? "Nothing contains this text. Try semantic: true, or fewer words."
          : "Nothing matches. Try other words, or semantic: false to match a name literally.";
      return { text: paragraphs(none, pendingText(body.meta)) };
    }
    const shown = items.slice(
      0,
      fittingCount(
        items.map(({ item }) => item),
        room,
      ),
    );
    const sections = Map.groupBy(shown, ({ name }) => name);
    const omitted = items.length - shown.length;
    const mayHaveMore = items.length >= (limit ?? LIMITS.search.defaultLimit);
    // biome-ignore lint/suspicious/noExplicitAny: rows on the wire
    const areWeak = [...documents, ...prompts, ...collections].every(({ score }: any) => isWeak(score));
    return {
      text: paragraphs(
        areWeak && "[All matches are weak: perhaps nothing is stored about this.]",
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

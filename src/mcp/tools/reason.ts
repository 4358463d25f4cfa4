// The tool that answers questions.

import { LIMITS } from "../../kernel/limits.ts";
import { requireFilters } from "./filters.ts";
import { type CitedDocument, citedDocuments, textsOf } from "../../requests/answer.ts";
import { cutResult } from "./budget.ts";
import { stateFact } from "./document-heading.ts";
import { bold, day, facts, oneLine, paragraphs, pendingText } from "./markdown.ts";
import { inCollection, inDocument, limit, maxTokens, text } from "./shapes.ts";
import type { Tool, ToolCall } from "./tool.ts";

const MAX_LINE_CHARACTERS = 2_000;

const bullets = (title: string, lines: readonly string[]) =>
  lines.length > 0 &&
  `## ${title}\n${lines.map((line) => `- ${oneLine(line, MAX_LINE_CHARACTERS)}`).join("\n")}`;

/** The cited documents: title, headings, file or page, state, date and ids. */
function sourcesText({ documentFacts }: ToolCall, documents: readonly CitedDocument[]): string[] {
  const known = documentFacts(documents.map(({ documentId }) => documentId));
  return documents.map(({ documentId, title, place, headings, cited }) => {
    const { status, changedAt } = known.get(documentId) ?? {};
    const within = headings.length === 0 ? "" : ` › ${oneLine(headings.join(", "))}`;
    return `${bold(title)}${within}${facts(
      `documentId: ${documentId}`,
      place !== undefined && `source: ${oneLine(place)}`,
      stateFact(status),
      changedAt !== undefined && day(changedAt),
      ...cited.map(({ chunkId }) => `chunkId: ${chunkId}`),
    )}`;
  });
}

export const reason: Tool = {
  name: "reason",
  title: "Answer a question",
  description:
    "Answer a question from several documents: quotations with [[chunkId]], what is missing, and contradictions. For one " +
    "fact use deep_search.",
  arguments: {
    query: text("a whole question"),
    documentId: inDocument,
    collectionId: inCollection,
    limit: limit(LIMITS.reason.maxLimit, LIMITS.reason.defaultLimit),
    maxTokens,
  },
  required: ["query"],
  behaviour: { readOnly: true, idempotent: true },
  operation: "reason.answer",
  whenSlow: "Ask again with a lower limit, or search with deep_search.",
  async handle(call) {
    const { arguments: body, room, run } = call;
    const { data } = (await run({ body })).body;
    if (data.citations.length === 0) await requireFilters(call);
    const { direct, support, related, gaps, conflicts, frames } = textsOf(data);
    const { fallback } = data.meta;
    return {
      text: cutResult(
        paragraphs(
          ...(direct.length === 0 ? [frames.nothing] : direct),
          support.length > 0 && paragraphs(frames.also, ...support),
          related.length > 0 && paragraphs(frames.related, ...related),
          bullets("Not answered by the documents", gaps),
          bullets("The documents disagree", conflicts),
          bullets("Sources", sourcesText(call, citedDocuments(data.citations))),
          fallback !== undefined && `The language model was not used: ${fallback}.`,
          pendingText(data.meta),
        ),
        { room, advice: "Ask a narrower question, or send documentId." },
      ),
    };
  },
};

// The tool that answers questions.

import { LIMITS } from "../../kernel/limits.ts";
import { requireFilters } from "./filters.ts";
import { type CitedDocument, citedDocuments, NOT_ANSWERED, textsOf } from "../../requests/answer.ts";
import { bold, cutResult, facts, oneLine, paragraphs, pendingText } from "./markdown.ts";
import { collectionId, documentId, integer, limit, responseFormat, text } from "./shapes.ts";
import type { Tool } from "./tool.ts";

const MAX_LINE_CHARACTERS = 2_000;

const bullets = (title: string, lines: readonly string[]) =>
  lines.length > 0 &&
  `## ${title}\n${lines.map((line) => `- ${oneLine(line, MAX_LINE_CHARACTERS)}`).join("\n")}`;

/** A cited document: title, file or page, headings, and its ids. */
const sourceText = ({ documentId, title, place, headings, cited }: CitedDocument, isDetailed: boolean) =>
  [bold(title), ...(headings.length === 0 ? [] : [` › ${oneLine(headings.join(", "))}`])].join("") +
  facts(
    `documentId: ${documentId}`,
    place !== undefined && `source: ${oneLine(place)}`,
    ...cited.map(({ chunkId, score }) =>
      isDetailed ? `chunkId: ${chunkId} with score ${score.toFixed(2)}` : `chunkId: ${chunkId}`,
    ),
  );

export const reason: Tool = {
  name: "reason",
  title: "Answer a question",
  description:
    "Get an answer from the documents, with citations [[chunkId]], gaps and contradictions. Use it when several documents matter; to quote one fact use deep_search.",
  arguments: {
    query: text("the question"),
    documentId,
    collectionId,
    limit: limit(LIMITS.reason.maxLimit, LIMITS.reason.defaultLimit),
    maxTokens: integer("of evidence"),
    response_format: responseFormat,
  },
  required: ["query"],
  behaviour: { readOnly: true, idempotent: true },
  operation: "reason.answer",
  whenSlow: "Ask again with a lower limit, or search with deep_search.",
  async handle(call) {
    const { arguments: body, isDetailed, run } = call;
    const { data } = (await run({ body })).body;
    if (data.citations.length === 0) await requireFilters(call);
    const { direct, support, related, gaps, conflicts } = textsOf(data);
    const { chunksGathered, citationsDropped, fallback } = data.meta;
    return {
      text: cutResult(
        paragraphs(
          ...(direct.length === 0 ? [NOT_ANSWERED] : direct),
          support.length > 0 && paragraphs("Also:", ...support),
          related.length > 0 && paragraphs("Related, but not an answer:", ...related),
          bullets("Not answered by the documents", gaps),
          bullets("The documents disagree", conflicts),
          bullets(
            "Sources",
            citedDocuments(data.citations).map((document) => sourceText(document, isDetailed)),
          ),
          isDetailed &&
            `${chunksGathered} passages were read${citationsDropped > 0 ? `, ${citationsDropped} citations were removed` : ""}.`,
          fallback !== undefined && `The language model was not used: ${fallback}.`,
          pendingText(data.meta),
        ),
        "Ask a narrower question, or send documentId.",
      ),
    };
  },
};

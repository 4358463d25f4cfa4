// The tool that answers questions.

import { LIMITS } from "../../kernel/limits.ts";
import { requireFilters } from "./filters.ts";
import { bold, cutResult, facts, oneLine, paragraphs } from "./markdown.ts";
import { collectionId, documentId, integer, limit, responseFormat, text } from "./shapes.ts";
import type { Tool } from "./tool.ts";

const MAX_LINE_CHARACTERS = 2_000;

const bullets = (title: string, lines: readonly string[]) =>
  lines.length > 0 &&
  `## ${title}\n${lines.map((line) => `- ${oneLine(line, MAX_LINE_CHARACTERS)}`).join("\n")}`;

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
    // biome-ignore lint/suspicious/noExplicitAny: citations on the wire
    const sources = data.citations.map((citation: any) =>
      isDetailed
        ? `${bold(citation.documentTitle)}${facts(`chunkId: ${citation.chunkId}`, `documentId: ${citation.documentId}`, `score ${citation.score.toFixed(2)}`)}`
        : `${bold(citation.documentTitle)}${facts(`chunkId: ${citation.chunkId}`)}`,
    );
    const { chunksGathered, citationsDropped, fallback } = data.meta;
    return {
      text: cutResult(
        paragraphs(
          data.answer,
          bullets("Not answered by the documents", data.gaps),
          bullets("The documents disagree", data.conflicts),
          bullets("Sources", sources),
          isDetailed &&
            `${chunksGathered} passages were read${citationsDropped > 0 ? `, ${citationsDropped} citations were removed` : ""}.`,
          fallback !== undefined && `The language model was not used: ${fallback}.`,
        ),
        "Ask a narrower question, or send documentId.",
      ),
    };
  },
};

// The wire shapes of cited answers.

import { type Static, Type } from "@sinclair/typebox";
import { count, id, pending, place, score, text } from "../../http/response-shapes.ts";
import { filterText, recordId, searchText, tagList } from "../../http/shape.ts";
import { LIMITS } from "../../kernel/limits.ts";
import type { Place } from "../chunks/place.ts";
import type { Citation, CitedAnswer } from "./reason.ts";

const { defaultLimit, maxLimit, defaultTokens, maxTokens } = LIMITS.reason;

/** The request body. */
export const reasonBody = Type.Object(
  {
    query: searchText(),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: maxLimit,
        default: defaultLimit,
        description: "Maximum number of chunks to answer from.",
      }),
    ),
    maxTokens: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: maxTokens,
        default: defaultTokens,
        description: "Maximum size of the chunks to answer from, in tokens of 4 characters.",
      }),
    ),
    documentId: Type.Optional(recordId("Answer only from this document.")),
    collectionId: Type.Optional(recordId("Answer only from the documents of this collection.")),
    tags: Type.Optional({ ...tagList(), description: "Answer only from documents with all of these tags." }),
    path: Type.Optional({
      ...filterText("path or URL"),
      description: "Answer only from files and pages at this path, as the operator `path:` of a search.",
    }),
    explain: Type.Optional(
      Type.Boolean({ default: false, description: "Add `trace`: what each step of the answer did." }),
    ),
  },
  { $id: "ReasonRequest", examples: [{ query: "When does the kettle whistle, and how loud is it?" }] },
);

const ID = id.examples[0];
const citationShape = Type.Object(
  { chunkId: id, documentId: id, documentTitle: text("Kitchen notes"), score, source: place },
  { $id: "Citation" },
);

const BLOCK_KINDS = ["direct", "support", "computed", "conflict", "gap", "related"] as const;
const blockShape = Type.Object(
  {
    kind: Type.Union(
      BLOCK_KINDS.map((kind) => Type.Literal(kind)),
      {
        description:
          "`direct` and `computed` answer the part, `support` may add something, a `gap` is not answered, `related` is near it.",
      },
    ),
    part: Type.Integer({ minimum: 0, description: "Index of the part of the question.", examples: [0] }),
    text: Type.String({
      description: "Markdown with `[[chunkId]]` after each statement; of a gap, the part of the question.",
      examples: [`The kettle whistles when the water boils. [[${ID}]]`],
    }),
  },
  { $id: "AnswerBlock" },
);

/** `data` of the response. */
export const answerShape = Type.Object(
  {
    answer: Type.String({
      description: "Markdown. Every statement is followed by the chunk that contains it, as `[[chunkId]]`.",
      examples: [
        `The kettle whistles when the water boils. [[${ID}]]\n\nThe documents do not say: how loud is it.`,
      ],
    }),
    citations: Type.Array(citationShape, {
      description: "Every chunk that `answer` and `conflicts` cite, in order of appearance.",
    }),
    gaps: Type.Array(Type.String(), {
      description: "Parts of the question that the documents do not answer.",
      examples: [["The documents do not establish: how loud is it"]],
    }),
    conflicts: Type.Array(Type.String(), {
      description: "Pairs of statements that disagree, each citing both chunks as `[[chunkId]]`.",
      examples: [[]],
    }),
    blocks: Type.Optional(
      Type.Array(blockShape, {
        description:
          "The pieces of `answer`, `gaps` and `conflicts`; absent if a language model wrote the answer.",
      }),
    ),
    trace: Type.Optional(
      Type.Array(
        Type.Object({ step: text("4 read"), lines: Type.Array(Type.String(), { examples: [[]] }) }),
        {
          description: "What each step did, with `explain`.",
        },
      ),
    ),
    meta: Type.Object({
      language: Type.Optional(
        Type.String({
          description: "The ISO 639-1 code of the question's language, if it is known and not English.",
          examples: ["de"],
        }),
      ),
      chunksGathered: Type.Integer({
        minimum: 0,
        description: "Number of chunks that the answer could be taken from.",
        examples: [8],
      }),
      citationsDropped: Type.Integer({
        minimum: 0,
        description: "Number of citations removed because their chunk was not among them.",
        examples: [0],
      }),
      latencyMs: count(120),
      pending,
      fallback: Type.Optional(
        Type.String({
          description: "Why the configured language model was not used.",
          examples: ["llm_timeout"],
        }),
      ),
    }),
  },
  { $id: "CitedAnswer" },
);

/** What a reply says besides the answer. */
interface About {
  latencyMs: number;
  /** The number of the caller's records that are not completely indexed; undefined if there are none. */
  pending: number | undefined;
  placeOf(citation: Citation): Place | undefined;
}

/** An answer as `data` of a response. */
export function answerToWire(
  {
    answer,
    citations,
    gaps,
    conflicts,
    blocks,
    trace,
    language,
    chunksGathered,
    citationsDropped,
    fallback,
  }: CitedAnswer,
  { latencyMs, pending: waiting, placeOf }: About,
): Static<typeof answerShape> {
  return {
    answer,
    citations: citations.map((citation) => ({ ...citation, source: placeOf(citation) })),
    gaps,
    conflicts,
    ...(blocks && { blocks: blocks.map(({ kind, part, text: shown }) => ({ kind, part, text: shown })) }),
    ...(trace && { trace }),
    meta: {
      ...(language !== undefined && language !== "en" && { language }),
      chunksGathered,
      citationsDropped,
      latencyMs,
      pending: waiting,
      ...(fallback !== undefined && { fallback }),
    },
  };
}

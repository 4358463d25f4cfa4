// The wire shapes of GET /v1/search.

import { type Static, Type } from "@sinclair/typebox";
import { count, flag, id, oneOf, score, text, texts } from "../../http/answers.ts";
import { tagFilter } from "../../http/filters.ts";
import { searchText } from "../../http/shape.ts";
import { LIMITS } from "../../kernel/limits.ts";

const { defaultLimit, maxLimit, defaultThreshold } = LIMITS.search;

const QUESTION = "how do I notice that the water is hot?";

export const searchQuery = Type.Object({
  q: Type.Optional({ ...searchText(), examples: [QUESTION] }),
  query: Type.Optional(searchText()),
  type: oneOf(["prompts", "documents", "collections", "all"], { default: "all" }),
  semantic: Type.Boolean({ default: true, description: "By meaning, or else by text." }),
  limit: Type.Integer({
    minimum: 1,
    maximum: maxLimit,
    default: defaultLimit,
    description: "For each group.",
  }),
  scoreThreshold: Type.Number({
    minimum: 0,
    maximum: 1,
    default: defaultThreshold,
    description: "By meaning only.",
  }),
  explain: Type.Boolean({
    default: false,
    description: "By meaning only: each row says in `explain` how its score came to be.",
  }),
  tags: tagFilter,
});

const hitMembers = { id, tags: texts("home"), score: Type.Optional(score) };

const part = (description: string) => Type.Number({ description, examples: [0.41] });
const explainedChunkShape = Type.Object(
  {
    chunkId: Type.String({ description: "The chunk that the score is of." }),
    cosine: Type.Optional(part("Of the question and the chunk's best window, as the model gave it.")),
    dense: part("The cosine on the scale of scores."),
    lexical: part("What the chunk's words reach of what the question's words could, by BM25."),
    neighbours: part("What similar chunks that score well added."),
    denseWeight: part(
      "How much `dense` counts; `lexical` has the rest. The score is denseWeight × dense + (1 − denseWeight) × lexical + " +
        "neighbours, put on the scale where the default threshold is 0.35.",
    ),
  },
  { $id: "ExplainedScore" },
);
export type ExplainedChunk = Static<typeof explainedChunkShape>;

const documentHitShape = Type.Object(
  {
    ...hitMembers,
    type: Type.Literal("document"),
    documentId: id,
    title: text("Kitchen notes"),
    highlight: text("The kettle whistles when the water boils."),
    chunkId: Type.Optional(
      Type.String({ description: "Where the text was found, when it is in an indexed body." }),
    ),
    explain: Type.Optional(explainedChunkShape),
  },
  { $id: "DocumentHit" },
);
const promptHitShape = Type.Object(
  {
    ...hitMembers,
    type: Type.Literal("prompt"),
    promptId: id,
    title: text("Explain a noise"),
    description: text("Says what makes a sound in the kitchen"),
    explain: Type.Optional(Type.Object({ cosine: part("Of the question and the prompt.") })),
  },
  { $id: "PromptHit" },
);
const collectionHitShape = Type.Object(
  {
    ...hitMembers,
    type: Type.Literal("collection"),
    collectionId: id,
    name: text("Kitchen"),
    description: Type.Optional(text("All about cooking")),
    color: Type.Optional(text("#2f9e44")),
    icon: Type.Optional(text("🍳")),
    itemCount: count(3),
    explain: Type.Optional(
      Type.Object({ itemId: Type.String({ description: "The member that the score is of." }) }),
    ),
  },
  { $id: "CollectionHit" },
);
export type CollectionHitOnWire = Static<typeof collectionHitShape>;
export type PromptHitOnWire = Static<typeof promptHitShape>;

export const foundShape = Type.Object({
  data: Type.Object({
    documents: Type.Array(documentHitShape),
    prompts: Type.Array(promptHitShape),
    collections: Type.Array(collectionHitShape),
  }),
  meta: Type.Object({
    query: text(QUESTION),
    semantic: flag(true),
    latencyMs: Type.Optional(count(11)),
  }),
});

export interface DocumentHit {
  documentId: string;
  title: string;
  tags: string[];
  score?: number;
  highlight: string;
  chunkId?: string;
  /** How the score came to be; semantic only. */
  explain?: ExplainedChunk;
}

/** A row of the group `documents`; it also carries the generic `id` and `type`. */
export function documentHitToWire(
  { explain, ...hit }: DocumentHit,
  explained: boolean,
): Static<typeof documentHitShape> {
  return { id: hit.documentId, type: "document", ...hit, ...(explained && { explain }) };
}

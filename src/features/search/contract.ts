// The wire shapes of GET /v1/search.

import { type Static, Type } from "@sinclair/typebox";
import { tagFilter } from "../../http/filters.ts";
import {
  archivedStatus,
  count,
  flag,
  id,
  oneOf,
  pending,
  place,
  score,
  text,
  texts,
} from "../../http/response-shapes.ts";
import { searchText } from "../../http/shape.ts";
import { LIMITS } from "../../kernel/limits.ts";
import type { Place } from "../chunks/place.ts";
import type { CollectionHit } from "./collections.ts";
import type { PromptHit } from "./prompts.ts";

const { defaultLimit, maxLimit, defaultThreshold } = LIMITS.search;
const OPERATORS =
  'Operators limit the results: `"exact phrase"`, `-word`, `tag:x`, `path:x`, `title:x`, `in:collection`, `after:2026-01-31`, ' +
  "`before:2026-01-31`. Their values may be in quotes, and `-` before one excludes. What cannot be read as an operator is text.";

const QUESTION = "how do I notice that the water is hot?";

export const searchQuery = Type.Object({
  q: Type.Optional({
    ...searchText(),
    description: `What to search for. ${searchText().description} ${OPERATORS}`,
    examples: [QUESTION],
  }),
  query: Type.Optional({ ...searchText(), description: "Another name of `q`." }),
  type: oneOf(["prompts", "documents", "collections", "all"], {
    default: "all",
    description: "Which group to search. The other groups are empty.",
  }),
  semantic: Type.Boolean({
    default: true,
    description: "`true` searches by meaning, `false` for the literal text, ignoring case.",
  }),
  limit: Type.Integer({
    minimum: 1,
    maximum: maxLimit,
    default: defaultLimit,
    description: "Maximum number of results in each group.",
  }),
  scoreThreshold: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description:
        `Minimum score of the results; ${defaultThreshold} if it is absent, or 0 if \`q\` contains a phrase in quotes. ` +
        "Used in semantic search only.",
    }),
  ),
  explain: Type.Boolean({
    default: false,
    description: "Add `explain` to each result: how its score was computed. Used in semantic search only.",
  }),
  tags: tagFilter,
  collectionId: Type.Optional(
    Type.String({
      description:
        "Search only the documents and prompts of this collection; the group `collections` is then empty.",
    }),
  ),
});

const hitMembers = { id, tags: texts("home"), score: Type.Optional(score) };

const part = (description: string) => Type.Number({ description, examples: [0.41] });
const explainedChunkShape = Type.Object(
  {
    chunkId: Type.Optional(
      Type.String({
        description: "The chunk that the score was computed for; absent if the document is not indexed yet.",
      }),
    ),
    cosine: Type.Optional(part("Cosine similarity of the query and the chunk's best window.")),
    dense: part("The cosine similarity, mapped to the scale of scores."),
    lexical: part("The BM25 score of the chunk, relative to the maximum that the query's words could reach."),
    exact: part(
      "The least sum because the chunk contains all words of a short query, its phrase, or its codes; 0 otherwise.",
    ),
    neighbours: part("Added because of similar chunks with high scores."),
    denseWeight: part(
      "The weight of `dense`; `lexical` has the remaining weight. The sum is denseWeight × dense + (1 − denseWeight) × " +
        "lexical + neighbours; the score is exact + (1 − exact) × sum, mapped to the scale on which the default threshold " +
        "is 0.35.",
    ),
  },
  { $id: "ExplainedScore" },
);
type ExplainedChunk = Static<typeof explainedChunkShape>;

const documentHitShape = Type.Object(
  {
    ...hitMembers,
    type: Type.Literal("document"),
    documentId: id,
    title: text("Kitchen notes"),
    highlight: text("The kettle whistles when the water boils."),
    chunkId: Type.Optional(
      Type.String({ description: "The chunk that contains the text, if it is in an indexed document body." }),
    ),
    status: archivedStatus,
    source: place,
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
    description: text("Explains where a sound in the kitchen comes from"),
    explain: Type.Optional(Type.Object({ cosine: part("Cosine similarity of the query and the prompt.") })),
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
      Type.Object({
        itemId: Type.String({ description: "The item of the collection that the score was computed for." }),
      }),
    ),
  },
  { $id: "CollectionHit" },
);

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
    pending,
  }),
});

export interface DocumentHit {
  documentId: string;
  title: string;
  tags: string[];
  score?: number;
  highlight: string;
  chunkId?: string;
  status?: "archived";
  /** How the score was computed; semantic search only. */
  explain?: ExplainedChunk;
}

/** A result in the group `documents`; `id` and `type` are members of the results in every group. */
export function documentHitToWire(
  { explain, ...hit }: DocumentHit,
  source: Place | undefined,
  explained: boolean,
): Static<typeof documentHitShape> {
  return { id: hit.documentId, type: "document", ...hit, source, ...(explained && { explain }) };
}

/** A result in the group `prompts`. */
export function promptHitToWire(
  { cosine, ...hit }: PromptHit,
  explained: boolean,
): Static<typeof promptHitShape> {
  const explain = explained && cosine !== undefined && { explain: { cosine } };
  return { id: hit.promptId, type: "prompt", ...hit, ...explain };
}

/** A result in the group `collections`. */
export function collectionHitToWire(
  { row, itemCount, score, bestItemId }: CollectionHit,
  explained: boolean,
): Static<typeof collectionHitShape> {
  return {
    id: row.id,
    type: "collection",
    collectionId: row.id,
    name: row.name,
    description: row.description ?? undefined,
    color: row.color ?? undefined,
    icon: row.icon ?? undefined,
    tags: row.tags,
    itemCount,
    score,
    ...(explained && bestItemId !== undefined && { explain: { itemId: bestItemId } }),
  };
}

// Embeds the parts of a question and has the search worker find evidence for them.

import type { QuestionPart } from "../../engine/answers/1-question/question.ts";
import type { Condition } from "../../kernel/search-syntax.ts";
import { parseTagFilter } from "../../kernel/tags.ts";
import type { FoundEvidence } from "../../retrieval/search/evidence.ts";
import { embedQuery, type RetrievalDeps } from "../chunks/retrieve.ts";

/** A question and the document or collection to read; without either, all documents. */
export interface Question {
  query: string;
  documentId?: string;
  collectionId?: string;
  /** Only documents with all of these tags. */
  tags?: readonly string[];
  /** Only documents of files and pages at this path, as the operator `path:` of a search. */
  path?: string;
}

/** What to search for. */
interface Search extends Omit<Question, "query"> {
  parts: readonly QuestionPart[];
  /** How many chunks the answer may use. */
  limit: number;
}

/** This many times the paragraphs that an answer may use are found: reading them says more than their vectors. */
const POOL = 1.5;

/**
 * At most POOL × `limit` paragraphs of the user's documents, the best of each part of the question in turn. Rejects
 * with Failure("unavailable") while the embedder or the search worker cannot be used.
 */
export async function gatherEvidence(
  deps: Pick<RetrievalDeps, "spaces" | "searchWorker">,
  userId: string,
  { parts, limit, documentId, collectionId, tags = [], path }: Search,
): Promise<FoundEvidence> {
  const conditions: Condition[] =
    path === undefined ? [] : [{ kind: "path", value: path, isExcluded: false }];
  const filter = { userId, tags: parseTagFilter(tags.join(",")), documentId, collectionId, conditions };
  const embedded = await Promise.all(
    parts.map(async (part) => ({ part, query: await embedQuery(deps, part.search, filter) })),
  );
  return deps.searchWorker.call.evidence({ parts: embedded, filter, size: Math.ceil(limit * POOL) });
}

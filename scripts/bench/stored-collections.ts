// Collections stored in a real server through its API, one user each, and searches in them. It uses wire shapes only,
// no tables.

import { wordCount } from "../../src/kernel/text.ts";
import { type Bench, inLanes } from "./bench.ts";
import { type ChildServer, type Client, clientOf, createKey } from "./child-server.ts";
import type { Collection } from "./collections.ts";

/** So many concurrent requests keep the server busy without measuring the client's own queue. */
const LANES = 4;
/** Maximum `limit` of a search. */
export const PAGE = 50;

/**
 * Every document has a tag for each level of a tree of parts. If a page of results is full, the parts below are
 * searched.
 */
const PARTS = 4;
const LEVELS = 3;

export interface StoredCollection {
  collection: Collection;
  /** E-mail of the user who owns it. */
  email: string;
  /** The collection's own id of a stored document. */
  sourceIdOf(documentId: string): string;
  /** Document ids of the collection, best first, with their scores. */
  ranked(query: string, parameters?: Record<string, string>): Promise<{ id: string; score: number }[]>;
  /** An answer from the documents with a tag. */
  answered(question: string, tag: string): Promise<GivenAnswer>;
  /** All documents that pass the default threshold; with `wanted`, at least those of `wanted` that pass. */
  passing(query: string, wanted?: ReadonlySet<string>): Promise<Set<string>>;
  /** Number of documents that a search can find, counted part by part. */
  searchable(): Promise<number>;
}

/** Stores every document; each must be acknowledged with 201 and an id. Indexing continues afterwards. */
export async function storeCollection(
  bench: Bench,
  { server, dataDir }: { server: ChildServer; dataDir: string },
  collection: Collection,
): Promise<StoredCollection> {
  const email = `${collection.name.toLowerCase()}@localhost`;
  const key = await createKey(bench, dataDir, email);
  const client = clientOf(server, key);
  const sourceIds = new Map<string, string>();
  const partsOf = new Map<string, string[]>();
  await inLanes(collection.documents, LANES, async ({ id, title, text }, index) => {
    const tags = partTags(index);
    partsOf.set(id, tags);
    const { data } = await client<{ data: { id: string } }>("POST", "/v1/documents", {
      title,
      content: text,
      tags,
    });
    sourceIds.set(data.id, id);
  });
  if (sourceIds.size !== collection.documents.length)
    throw new Error(`${collection.name}: ${sourceIds.size} of ${collection.documents.length} acknowledged`);

  const ranked = async (query: string, parameters: Record<string, string> = {}) => {
    const found = await searchDocuments(client, query, parameters);
    return found.map(({ documentId, score }) => ({ id: sourceIds.get(documentId)!, score }));
  };
  const passing = async (query: string, wanted?: ReadonlySet<string>, part = ""): Promise<Set<string>> => {
    const page = await ranked(query, part === "" ? {} : { tags: part });
    const found = new Set(page.map(({ id }) => id));
    if (page.length < PAGE) return found;
    for (let child = 0; child < PARTS; child++) {
      const below = part === "" ? `part-${child}` : `${part}.${child}`;
      const left =
        wanted && new Set([...wanted].filter((id) => partsOf.get(id)!.includes(below))).difference(found);
      if (left?.size === 0) continue;
      for (const id of await passing(query, left, below)) found.add(id);
    }
    return found;
  };
  return {
    collection,
    email,
    sourceIdOf: (documentId) => sourceIds.get(documentId)!,
    ranked,
    async answered(question, tag) {
      const { data } = await client<{ data: WireAnswer }>("POST", "/v1/reason", {
        query: question,
        tags: [tag],
      });
      return {
        cited: data.citations.map(({ documentId }) => sourceIds.get(documentId)!),
        gaps: data.gaps.length,
        words: wordCount(data.answer.replace(/\[\[[^\]]*\]\]/g, "")),
      };
    },
    passing: (query, wanted) => passing(query, wanted),
    async searchable() {
      const leaves = new Set([...partsOf.values()].map((tags) => tags.at(-1)!));
      let found = 0;
      for (const tags of leaves) found += (await ranked("anything", { tags, scoreThreshold: "0" })).length;
      return found;
    },
  };
}

/** An answer: the collection's own ids of cited documents, the number of gaps, and its words without citations. */
interface GivenAnswer {
  cited: string[];
  gaps: number;
  words: number;
}

interface WireAnswer {
  answer: string;
  citations: { documentId: string }[];
  gaps: string[];
}

interface Hit {
  documentId: string;
  score: number;
}

async function searchDocuments(
  client: Client,
  q: string,
  parameters: Record<string, string>,
): Promise<Hit[]> {
  const query = new URLSearchParams({ q, type: "documents", limit: String(PAGE), ...parameters });
  const { data } = await client<{ data: { documents: Hit[] } }>("GET", `/v1/search?${query}`);
  return data.documents;
}

/** The tag of one half of a collection: documents at even or at odd positions. */
export const halfTag = (index: number) => `half-${index % 2}`;

/** The half, and `part-2`, `part-2.0`, `part-2.0.3`: at the last level, a part contains fewer documents than a page. */
function partTags(index: number): string[] {
  const tags: string[] = [halfTag(index)];
  let path = "part-";
  for (let level = 0, rest = index; level < LEVELS; level++, rest = Math.floor(rest / PARTS)) {
    path += level === 0 ? rest % PARTS : `.${rest % PARTS}`;
    tags.push(path);
  }
  return tags;
}

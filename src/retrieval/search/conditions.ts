// Finds the records that fulfil the operators of a query, before candidates are chosen. Words and phrases of documents
// are looked up in the word index and compared with the texts; everything else is compared with the rows.

import type { Database } from "bun:sqlite";
import { tagsFromColumn } from "../../db/tag-column.ts";
import type { Condition } from "../../kernel/search-syntax.ts";
import { parseTagFilter, tagKey } from "../../kernel/tags.ts";
import { fold } from "../../kernel/text.ts";
import { type Filter, visibleDocuments } from "./filter.ts";
import { notIndexed, TITLE_END } from "./previews.ts";
import { literalForm } from "../words/normalize.ts";
import { rowsWithWords, termPattern } from "../words/words.ts";

/** A record, as conditions see it. */
export interface Described {
  title: string;
  /** What phrases are compared with, besides the title. */
  texts: readonly string[];
  /** The path of its file and the URL of its page, if it has them. */
  places: readonly (string | null)[];
  tags: readonly string[];
  /** Epoch ms. */
  updatedAt: number;
  /** Whether it is in one of the collections with this id or name. */
  isIn(collection: string): boolean;
}

/** Whether a place is at a path: the path is its start, or starts at the border of a folder in it. Ignores case. */
export function isAtPath(place: string | null, path: string): boolean {
  if (place === null) return false;
  const [whole, part] = [place, path].map((text) => fold(text).replaceAll("\\", "/")) as [string, string];
  return whole.startsWith(part) || whole.includes(`/${part}`);
}

/** A function that says whether a record fulfils a condition. */
export function conditionTest({ kind, value, isExcluded }: Condition): (record: Described) => boolean {
  const test = (): ((record: Described) => boolean) => {
    switch (kind) {
      case "phrase": {
        const pattern = termPattern(value);
        return ({ title, texts }) => [title, ...texts].some((text) => pattern.test(literalForm(text)));
      }
      case "tag": {
        const wanted = parseTagFilter(value);
        return ({ tags }) => wanted.every((tag) => tags.some((own) => tagKey(own) === tag));
      }
      case "path":
        return ({ places }) => places.some((place) => isAtPath(place, value));
      case "title": {
        const part = fold(value);
        return ({ title }) => fold(title).includes(part);
      }
      case "in":
        return ({ isIn }) => isIn(value);
      case "after":
        return ({ updatedAt }) => updatedAt >= Date.parse(value);
      case "before":
        return ({ updatedAt }) => updatedAt < Date.parse(value);
    }
  };
  const fulfils = test();
  return isExcluded ? (record) => !fulfils(record) : fulfils;
}

interface Row {
  id: string;
  title: string;
  path: string | null;
  url: string | null;
  tags: string;
  updatedAt: number;
}

const ROW = "row.id, row.title, row.import_path AS path, row.tags, row.updated_at AS updatedAt";

/** Rows of documents or prompts as conditions see them. */
function describer(
  database: Database,
  { userId, conditions }: { userId: string; conditions: readonly Condition[] },
  member: "document_id" | "prompt_id",
): (row: Row, texts: readonly string[]) => Described {
  const membersOf = new Map<string, Set<string>>();
  for (const { kind, value } of conditions) {
    if (kind === "in") membersOf.set(value, membersIn(database, { userId, collection: value }, member));
  }
  return ({ id, title, path, url, tags, updatedAt }, texts) => ({
    title,
    texts,
    places: [path, url],
    tags: tagsFromColumn(tags),
    updatedAt,
    isIn: (collection) => membersOf.get(collection)?.has(id) ?? false,
  });
}

/** Ids of the members of the user's collections with this id or name. */
function membersIn(
  database: Database,
  { userId, collection }: { userId: string; collection: string },
  member: "document_id" | "prompt_id",
): Set<string> {
  const wanted = fold(collection);
  const named = database
    .query<{ id: string; name: string }, [string]>("SELECT id, name FROM collections WHERE user_id = ?")
    .all(userId)
    .filter(({ id, name }) => id === collection || fold(name) === wanted)
    .map(({ id }) => id);
  const members = database.query<{ id: string }, [string]>(
    `SELECT ${member} AS id FROM collection_items
     WHERE collection_id IN (SELECT value FROM json_each(?)) AND ${member} IS NOT NULL`,
  );
  return new Set(members.all(JSON.stringify(named)).map(({ id }) => id));
}

/** What conditions leave of a user's documents. */
export interface Selection {
  documentIds: string[];
  /** If the query has phrases: the only chunks that are searched, besides all chunks of the documents in `whole`. */
  passages?: { keys: ReadonlySet<number>; whole: ReadonlySet<string> };
}

/**
 * The documents that fulfil the filter with its conditions; undefined if it has none. A document that is not indexed
 * yet is compared by its title and preview. Call it inside a read transaction.
 */
export function selectDocuments(database: Database, filter: Filter): Selection | undefined {
  const { userId, conditions = [] } = filter;
  if (conditions.length === 0) return undefined;
  const { sql, parameters } = visibleDocuments(filter, "row");
  const describe = describer(database, { userId, conditions }, "document_id");
  const tests = conditions.filter(({ kind }) => kind !== "phrase").map(conditionTest);
  const titles = new Map<string, string>();
  const rows = database
    .query<Row, string[]>(`SELECT ${ROW}, row.source_url AS url FROM documents AS row WHERE ${sql}`)
    .iterate(...parameters);
  for (const row of rows) {
    const described = describe(row, []);
    if (tests.every((test) => test(described))) titles.set(row.id, row.title);
  }
  const phrases = conditions.filter(({ kind }) => kind === "phrase");
  const keys = new Set<number>();
  const whole = new Set<string>();
  for (const { value, isExcluded } of phrases) {
    const found = documentsWithTerm(database, { term: value, titles, userId, isExcluded });
    for (const id of [...titles.keys()]) if (found.has(id) === isExcluded) titles.delete(id);
    if (isExcluded) continue;
    for (const [id, chunks] of found) {
      if (chunks === "all") whole.add(id);
      else for (const key of chunks) keys.add(key);
    }
  }
  const hasPhrase = phrases.some(({ isExcluded }) => !isExcluded);
  return { documentIds: [...titles.keys()], ...(hasPhrase && { passages: { keys, whole } }) };
}

interface TermLookup {
  term: string;
  /** The documents that are looked at, by id. */
  titles: ReadonlyMap<string, string>;
  userId: string;
  /** Whether it does not matter which chunks contain the term. */
  isExcluded: boolean;
}

/** The documents with a term, of those in `titles`, each with the chunks that contain it: all if the title does. */
function documentsWithTerm(
  database: Database,
  { term, titles, userId, isExcluded }: TermLookup,
): Map<string, Set<number> | "all"> {
  const pattern = termPattern(term);
  const contains = (text: string) => pattern.test(literalForm(text));
  const found = new Map<string, Set<number> | "all">();
  for (const [id, title] of titles) if (contains(title)) found.set(id, "all");
  for (const { documentId, preview } of notIndexed(database, { userId, tags: [] })) {
    if (titles.has(documentId) && !found.has(documentId) && contains(preview()))
      found.set(documentId, new Set());
  }
  const textOf = database.query<{ text: string }, [number]>("SELECT text FROM chunks WHERE key = ?");
  const candidates = database
    .query<{ key: number; documentId: string }, [string, string]>(
      `SELECT c.key, g.document_id AS documentId FROM chunk_words CROSS JOIN chunks AS c ON c.key = chunk_words.rowid
       CROSS JOIN index_generations AS g ON g.id = c.generation_id
       WHERE chunk_words MATCH ? AND g.state = 'live' AND g.user_id = ?`,
    )
    .iterate(rowsWithWords(term), userId);
  for (const { key, documentId } of candidates) {
    const chunks = found.get(documentId);
    if (!titles.has(documentId) || chunks === "all") continue;
    const text = textOf.get(key)!.text;
    if (!contains(text.slice(text.indexOf(TITLE_END) + 1))) continue;
    if (chunks === undefined) found.set(documentId, isExcluded ? "all" : new Set([key]));
    else chunks.add(key);
  }
  return found;
}

/** Ids of the prompts that fulfil conditions, of those that fulfil `own`, which is about `prompts AS p`. */
export function selectPrompts(
  database: Database,
  { userId, conditions }: { userId: string; conditions: readonly Condition[] },
  own: { sql: string; parameters: readonly string[] },
): string[] {
  const describe = describer(database, { userId, conditions }, "prompt_id");
  const tests = conditions.map(conditionTest);
  const rows = database
    .query<Row & { description: string; content: string }, string[]>(
      `SELECT ${ROW.replaceAll("row.", "p.")}, NULL AS url, p.description, p.content FROM prompts AS p WHERE ${own.sql}`,
    )
    .iterate(...own.parameters);
  const ids: string[] = [];
  for (const row of rows) {
    const described = describe(row, [row.description, row.content]);
    if (tests.every((test) => test(described))) ids.push(row.id);
  }
  return ids;
}

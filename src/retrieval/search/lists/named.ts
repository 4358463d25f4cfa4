// Finds a user's records by what people call them: path, address, title, name, the end of a path, or the start of an
// id.

import type { Database } from "bun:sqlite";
import { type FoundNames, MAX_NAMED, type NamedRecord, type NamedType } from "../../../kernel/names.ts";
import { literalForm } from "../../words/normalize.ts";
import { countTags } from "./tags.ts";

export interface NameLookup {
  userId: string;
  /** The name as the user wrote it. */
  name: string;
  /** The same as an absolute path of the user's machine, if it can be one. */
  path?: string;
  types: readonly NamedType[];
}

/** A shorter start of an id is not looked for. */
const MIN_ID_PREFIX = 6;

/** Where records of each type are read from, newest first. */
const QUERIES: Record<NamedType, string> = {
  document: `SELECT id, title, coalesce(metadata ->> '$.importPath', source_url) AS place FROM documents
             WHERE user_id = ? ORDER BY created_at DESC, id DESC`,
  prompt: `SELECT id, title, metadata ->> '$.importPath' AS place FROM prompts
           WHERE user_id = ? ORDER BY created_at DESC, id DESC`,
  collection: `SELECT id, name AS title, NULL AS place FROM collections
               WHERE user_id = ? ORDER BY created_at DESC, id DESC`,
};

type Row = Pick<NamedRecord, "id" | "title" | "place">;

/**
 * Reads all titles and places of the user once. Of the ways to name a record, the first one that names any decides:
 * place, title, end of a place at a folder's border (with or without the ending of the file), start of an id.
 */
export function findNamed(database: Database, { userId, name, path, types }: NameLookup): FoundNames {
  const folded = literalForm(name.trim());
  const isPlace = ({ place }: Row) => place !== null && (place === name || place === path);
  const isTitle = ({ title }: Row) => literalForm(title) === folded;
  const isEndOfPlace = ({ place }: Row) => {
    const end = literalForm(place ?? "").replaceAll("\\", "/");
    return [end, end.replace(/\.\w+$/, "")].some((one) => one.endsWith(`/${folded}`));
  };
  const isStartOfId = ({ id }: Row) => name.length >= MIN_ID_PREFIX && id.startsWith(name);
  const contains = ({ title, place }: Row) =>
    literalForm(title).includes(folded) || literalForm(place ?? "").includes(folded);
  const ways = [isPlace, isTitle, isEndOfPlace, isStartOfId, contains];
  const found: NamedRecord[][] = ways.map(() => []);
  for (const type of types) {
    for (const row of database.query<Row, [string]>(QUERIES[type]).iterate(userId)) {
      const way = ways.findIndex((fits) => fits(row));
      const records = found[way];
      if (records !== undefined && records.length < MAX_NAMED) records.push({ ...row, type });
    }
  }
  const similar = found.pop()!;
  const matches = found.find((records) => records.length > 0) ?? [];
  return { matches, similar: matches.length > 0 ? [] : similar };
}

export interface NamesLookup {
  userId: string;
  kind: "records" | "documents" | "prompts" | "collections" | "tags";
  start: string;
  limit: number;
}

const TYPES_OF: Record<Exclude<NamesLookup["kind"], "tags">, readonly NamedType[]> = {
  records: ["document", "prompt", "collection"],
  documents: ["document"],
  prompts: ["prompt"],
  collections: ["collection"],
};

/**
 * Titles and names that start with a text, without regard to case, the newest first; ids, too, if enough of one is
 * there.
 */
export function listNames(database: Database, { userId, kind, start, limit }: NamesLookup): string[] {
  const folded = literalForm(start);
  const isStart = (name: string) => literalForm(name).startsWith(folded);
  if (kind === "tags") {
    const tags = countTags(database, { userId, limit: Number.MAX_SAFE_INTEGER });
    return tags
      .map(({ tag }) => tag)
      .filter(isStart)
      .slice(0, limit);
  }
  const names = new Set<string>();
  for (const type of TYPES_OF[kind]) {
    for (const { id, title } of database.query<Row, [string]>(QUERIES[type]).iterate(userId)) {
      if (isStart(title)) names.add(title);
      else if (start.length >= MIN_ID_PREFIX && id.startsWith(start)) names.add(id);
      if (names.size >= limit) return [...names];
    }
  }
  return [...names];
}

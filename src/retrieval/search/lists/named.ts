// Finds a user's records by what people call them: path, address, title, name, the end of a path, or the start of an id.

import type { Database } from "bun:sqlite";
import { type FoundNames, MAX_NAMED, type NamedRecord, type NamedType } from "../../../kernel/names.ts";
import { foldForTrigrams } from "../../generations/rows.ts";

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
 * Reads all titles and places of the user once. Of the ways to name a record, the first one that names any decides: place,
 * title, end of a place at a folder's border (with or without the ending of the file), start of an id.
 */
export function findNamed(database: Database, { userId, name, path, types }: NameLookup): FoundNames {
  const folded = foldForTrigrams(name.trim());
  const isPlace = ({ place }: Row) => place !== null && (place === name || place === path);
  const isTitle = ({ title }: Row) => foldForTrigrams(title) === folded;
  const isEndOfPlace = ({ place }: Row) => {
    const end = foldForTrigrams(place ?? "").replaceAll("\\", "/");
    return [end, end.replace(/\.\w+$/, "")].some((one) => one.endsWith(`/${folded}`));
  };
  const isStartOfId = ({ id }: Row) => name.length >= MIN_ID_PREFIX && id.startsWith(name);
  const contains = ({ title, place }: Row) =>
    foldForTrigrams(title).includes(folded) || foldForTrigrams(place ?? "").includes(folded);
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

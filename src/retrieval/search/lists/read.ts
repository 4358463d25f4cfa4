// Reads one page of a list, newest first. What is listed and how filters become conditions is in a ListSpec, one for
// each kind of record.

import type { Database } from "bun:sqlite";
import type { Conditions } from "../filter.ts";
import { isAtPath } from "../conditions.ts";
import { literalForm } from "../../words/normalize.ts";

/** A position in a list: the `createdAt` (epoch ms) and id of a row. */
export interface ListPosition {
  createdAt: number;
  id: string;
}

/** At most `count` rows after `after`; from the first row without it. */
export interface ListPage {
  after: ListPosition | undefined;
  count: number;
}

/** What the filters of all lists have in common. */
export interface ListFilter {
  /** Every one of these tags. */
  tags: string[];
  /** Only records that contain this text, without regard to case, in one of the searched columns. */
  text?: string;
  /** Only records of files and pages at this path; see isAtPath. */
  path?: string;
}

/** One kind of list. SQL names the table `row`. */
export interface ListSpec<Filter extends ListFilter, Stored, Item> {
  table: "documents" | "prompts";
  /** The columns in which `text` is searched. */
  searched: readonly string[];
  /** The columns with the path of a record's file and the URL of its page. */
  places: readonly string[];
  /** The columns of a listed record, as a select list. They are read only for records on the page. */
  columns: string;
  /** Conditions of one or more disjoint selections that together make the list. */
  selections(filter: Filter): Conditions[];
  toItem(stored: Stored): Item;
}

/**
 * Whether a page must be read in the search worker, because finding its rows may scan many records. A page without
 * these filters is a short walk along an index and may be read anywhere.
 */
export function needsScan({ text, path, tags }: ListFilter): boolean {
  return text !== undefined || path !== undefined || tags.length > 0;
}

/** Reads one page. */
export function readList<Filter extends ListFilter, Stored, Item>(
  database: Database,
  spec: ListSpec<Filter, Stored, Item>,
  { filter, page }: { filter: Filter; page: ListPage },
): Item[] {
  const { table, searched, places, columns } = spec;
  const { path } = filter;
  // Read while the scan is open, so that both see the same state of the database.
  const read = database.query<Stored, [string]>(`SELECT ${columns} FROM ${table} AS row WHERE row.id = ?`);
  const wanted = filter.text === undefined ? undefined : literalForm(filter.text);
  const items: Item[] = [];
  for (const { id, ...texts } of scan(database, spec, { filter, page })) {
    // Compared here, because SQLite folds the case of ASCII only.
    const matches =
      (path === undefined || places.some((column) => isAtPath(texts[column] ?? null, path))) &&
      (wanted === undefined || searched.some((column) => literalForm(texts[column] ?? "").includes(wanted)));
    const stored = matches ? read.get(id) : null;
    if (stored === null) continue;
    items.push(spec.toItem(stored));
    if (items.length >= page.count) break;
  }
  return items;
}

/** The id, the searched columns and the places of every record that fulfils the conditions. */
function scan<Filter extends ListFilter, Stored, Item>(
  database: Database,
  { table, searched, places, selections }: ListSpec<Filter, Stored, Item>,
  { filter, page: { after } }: { filter: Filter; page: ListPage },
): Iterable<Record<string, string | null> & { id: string }> {
  const behind = after === undefined ? "" : " AND (row.created_at, row.id) < (?, ?)";
  const texts = [...searched, ...(filter.path === undefined ? [] : places)]
    .map((column) => `, row.${column}`)
    .join("");
  const parts = selections(filter).map(({ sql, parameters }) => ({
    sql: `SELECT row.id, row.created_at${texts} FROM ${table} AS row WHERE ${sql}${behind}`,
    parameters: [...parameters, ...(after === undefined ? [] : [after.createdAt, after.id])],
  }));
  // SQLite merges the selections, each of which is a walk along an index.
  const union = parts.map(({ sql }) => sql).join(" UNION ALL ");
  return database
    .query<Record<string, string | null> & { id: string }, (string | number)[]>(
      `${union} ORDER BY created_at DESC, id DESC`,
    )
    .iterate(...parts.flatMap(({ parameters }) => parameters));
}

/** Collects conditions and their values. */
export function conditionList(first: Conditions) {
  const conditions = [first.sql];
  const parameters = [...first.parameters];
  return {
    add(sql: string, ...values: string[]) {
      conditions.push(sql);
      parameters.push(...values);
    },
    all: (): Conditions => ({ sql: conditions.join(" AND "), parameters }),
  };
}

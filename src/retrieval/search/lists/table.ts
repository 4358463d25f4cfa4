// A user's documents as a table: sorted by a column, with the number of those that match, and with how many have each
// tag, source, agent, status and folder.

import type { Database } from "bun:sqlite";
import type { DocumentStatus } from "../../../db/tables.ts";
import { tagsFromColumn } from "../../../db/tag-column.ts";
import { tagKey } from "../../../kernel/tags.ts";
import { literalForm, plainForm, wordForm } from "../../words/normalize.ts";
import { visibleDocuments } from "../filter.ts";
import { similarTo } from "./similar-titles.ts";

export const TABLE_COLUMNS = ["title", "agent", "source", "size", "created", "changed"] as const;
type TableColumn = (typeof TABLE_COLUMNS)[number];

export const SOURCES = ["manual", "scrape", "import"] as const;
type Source = (typeof SOURCES)[number];

export interface TableQuery {
  userId: string;
  /** Only titles that contain this text, without regard to case; titles that are like it if none does. */
  text?: string;
  /** Every one of these tags, in canonical form. */
  tags: string[];
  /** Documents with this status only; without it, all but archived ones. */
  status?: DocumentStatus;
  source?: Source;
  /** Who wrote the current version; "" for people. */
  agent?: string;
  /** Only documents of files in this folder of their import paths. */
  folder?: string;
  collectionId?: string;
  sort: TableColumn;
  isDescending: boolean;
  /** The number of rows before the page. */
  offset: number;
  limit: number;
}

interface TableRow {
  id: string;
  title: string;
  status: DocumentStatus;
  tags: string[];
  source: Source;
  /** Who wrote the current version; "" for people. */
  agent: string;
  /** The path of the file or the address of the page that it comes from. */
  place: string | null;
  /** The size of the text, bytes. */
  size: number;
  createdAt: number;
  updatedAt: number;
}

/** A value of a facet with the number of documents that have it. */
type FacetValue = readonly [value: string, count: number];

interface TableFacets {
  tags: FacetValue[];
  source: FacetValue[];
  agent: FacetValue[];
  status: FacetValue[];
  /** The folders on the first level on which the matching documents differ. */
  folder: FacetValue[];
}

export interface TablePage {
  rows: TableRow[];
  /** The number of all documents that match. */
  total: number;
  facets: TableFacets;
}

/** The most frequent values of a facet that are returned. */
const MAX_FACET_VALUES = 50;

type Stored = Omit<TableRow, "tags" | "size"> & { tags: string; size: number | null };

/** The texts are not read: SQLite takes their sizes from the headers of the rows. */
const ROWS = `SELECT row.id, row.title, row.status, row.tags, row.source_type AS source, row.created_at AS createdAt,
    row.updated_at AS updatedAt, coalesce(version.agent, '') AS agent, octet_length(body.text) AS size,
    coalesce(row.import_path, row.source_url) AS place
  FROM documents AS row
  LEFT JOIN document_versions AS version ON version.document_id = row.id AND version.version = row.revision
  LEFT JOIN bodies AS body ON body.document_id = row.id AND body.hash = row.content_hash`;

const KEYS: Record<TableColumn, (row: Stored) => string | number> = {
  title: ({ title }) => sortForm(title),
  agent: ({ agent }) => sortForm(agent),
  source: ({ source, place }) => sortForm(`${source} ${place ?? ""}`),
  size: ({ size }) => size ?? 0,
  created: ({ createdAt }) => createdAt,
  changed: ({ updatedAt }) => updatedAt,
};

const DIGITS = 12;

/** Without case and accents; numbers have leading zeros, so that 9 comes before 10. */
const sortForm = (text: string) =>
  wordForm(plainForm(text)).replace(/\d+/g, (number) => number.padStart(DIGITS, "0"));

/**
 * One page of the table. A facet counts what the other filters leave. If no title contains the text, titles that are
 * like it match.
 */
export function readTable(database: Database, query: TableQuery): TablePage {
  if (query.text === undefined) return readMatching(database, query, () => true);
  const text = literalForm(query.text);
  const page = readMatching(database, query, (title) => literalForm(title).includes(text));
  return page.total > 0 ? page : readMatching(database, query, similarTo(query.text));
}

function readMatching(database: Database, query: TableQuery, isTitle: (title: string) => boolean): TablePage {
  const { sql, parameters } = visibleDocuments(query, "row");
  const keyOf = KEYS[query.sort];
  const matching: { key: string | number; row: Stored }[] = [];
  const counted = { source: new Counts(), agent: new Counts(), status: new Counts() };
  const tags = new Counts();
  const folders = new Counts();
  for (const row of database.query<Stored, string[]>(`${ROWS} WHERE ${sql}`).iterate(...parameters)) {
    if (!isTitle(row.title)) continue;
    const folder = folderOf(row);
    if (query.folder !== undefined && !`${folder}/`.startsWith(`${query.folder}/`)) continue;
    const isSource = query.source === undefined || row.source === query.source;
    const isAgent = query.agent === undefined || row.agent === query.agent;
    const isStatus = query.status === undefined ? row.status !== "archived" : row.status === query.status;
    if (isAgent && isStatus) counted.source.add(row.source);
    if (isSource && isStatus) counted.agent.add(row.agent);
    if (isSource && isAgent) counted.status.add(row.status);
    if (!isSource || !isAgent || !isStatus) continue;
    tags.add(row.tags);
    if (folder !== "") folders.add(folder);
    matching.push({ key: keyOf(row), row });
  }
  const order = query.isDescending ? -1 : 1;
  matching.sort((a, b) => order * compare(a.key, b.key) || compare(b.row.id, a.row.id));
  return {
    rows: matching.slice(query.offset, query.offset + query.limit).map(({ row }) => rowOf(row)),
    total: matching.length,
    facets: {
      tags: tagsIn(tags).frequent(),
      source: counted.source.frequent(),
      agent: counted.agent.frequent(),
      status: counted.status.frequent(),
      folder: innerFolders(folders).frequent(),
    },
  };
}

const rowOf = ({ tags, size, ...row }: Stored): TableRow => ({
  ...row,
  size: size ?? 0,
  tags: tagsFromColumn(tags),
});

const compare = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0);

/** The folder of the file that a document was imported from, with slashes; "" without one. */
function folderOf({ source, place }: Stored): string {
  if (source === "scrape" || place === null) return "";
  const path = place.replaceAll("\\", "/");
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** How often texts occur. */
class Counts {
  readonly byText = new Map<string, number>();

  add(text: string, count = 1): void {
    this.byText.set(text, (this.byText.get(text) ?? 0) + count);
  }

  /** The most frequent texts, at most MAX_FACET_VALUES. */
  frequent(): FacetValue[] {
    return [...this.byText].sort(([a, m], [b, n]) => n - m || compare(a, b)).slice(0, MAX_FACET_VALUES);
  }
}

/** How often the single tags occur in columns of tags. Those with one canonical form count together. */
function tagsIn(columns: Counts): Counts {
  const tags = new Counts();
  const spellings = new Map<string, string>();
  for (const [column, count] of columns.byText) {
    for (const tag of tagsFromColumn(column)) {
      const spelling = spellings.get(tagKey(tag)) ?? tag;
      spellings.set(tagKey(tag), spelling);
      tags.add(spelling, count);
    }
  }
  return tags;
}

/** The folders on the first level on which these differ. */
function innerFolders(folders: Counts): Counts {
  const paths = [...folders.byText].map(([folder, count]) => ({ parts: folder.split("/"), count }));
  const first = paths[0]?.parts ?? [];
  let shared = 0;
  while (shared < first.length && paths.every(({ parts }) => parts[shared] === first[shared])) shared++;
  const inner = new Counts();
  for (const { parts, count } of paths) {
    if (parts.length > shared) inner.add(parts.slice(0, shared + 1).join("/"), count);
  }
  return inner;
}

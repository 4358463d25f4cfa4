// Documents as a table: a press on the name of a column sorts by it. Only the rows near the visible ones exist.

import type { ComponentChildren } from "preact";
import { may } from "../../api/session.ts";
import type { TableRow } from "../../../features/console/replies.ts";
import { tableRowHeight } from "../../frame/density.tsx";
import { setParameters } from "../../frame/location.ts";
import { Tags, Time } from "../../parts/controls.tsx";
import type { LoadedPages } from "../../parts/load.ts";
import { type Selection, SelectBox } from "../../parts/selection.tsx";
import { useWindow } from "../../parts/windowed-list.tsx";
import { bytes } from "../../text/format.ts";
import { nameOfAgent, placeOf, SOURCES } from "./names.ts";

type Column = "title" | "agent" | "source" | "size" | "created" | "changed";

/** How a list is sorted; in an address, a minus means descending. */
export interface Sorting {
  column: Column;
  isDescending: boolean;
}

interface ColumnProps {
  name: string;
  /** Whether a first press shows the largest or latest values first. */
  isDescendingFirst: boolean;
  cell(row: TableRow): ComponentChildren;
}

const COLUMNS: Record<Column, ColumnProps> = {
  title: { name: "Title", isDescendingFirst: false, cell: (row) => <Title row={row} /> },
  agent: { name: "Written by", isDescendingFirst: false, cell: ({ agent }) => nameOfAgent(agent) },
  source: {
    name: "Source",
    isDescendingFirst: false,
    cell: ({ source, place }) => (
      <span title={place ?? undefined}>{place === null ? SOURCES[source] : placeOf(place)}</span>
    ),
  },
  size: { name: "Size", isDescendingFirst: true, cell: ({ size }) => bytes(size) },
  created: { name: "Created", isDescendingFirst: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
  changed: { name: "Changed", isDescendingFirst: true, cell: ({ updatedAt }) => <Time at={updatedAt} /> },
};
const NAMES = Object.keys(COLUMNS) as Column[];

/** Reads the parameter `sort` of an address. */
export function sortingOf(text: string): Sorting {
  const name = text.replace(/^-/, "");
  const column = NAMES.find((one) => one === name);
  return column ? { column, isDescending: text.startsWith("-") } : { column: "changed", isDescending: true };
}

interface DocumentTableProps {
  list: LoadedPages<TableRow>;
  rows: readonly TableRow[];
  total: number;
  sorting: Sorting;
  selection: Selection;
}

export function DocumentTable({ list, rows, total, sorting, selection }: DocumentTableProps) {
  const rowHeight = tableRowHeight();
  const { container, range } = useWindow<HTMLTableSectionElement>({
    count: rows.length,
    rowHeight,
    hasMore: list.hasMore,
    loadMore: list.loadMore,
  });
  const canSelect = may("documents.write");
  const shown = rows.slice(range.first, range.last);
  const after = Math.max(0, rows.length - range.first - shown.length);
  return (
    <table class="records" aria-rowcount={total + 1}>
      <caption class="hidden">Documents</caption>
      <thead>
        <tr aria-rowindex={1}>
          {canSelect && (
            <td class="box-cell">
              <AllBox selection={selection} ids={rows.map(({ id }) => id)} />
            </td>
          )}
          {NAMES.map((column) => (
            <Head key={column} column={column} sorting={sorting} />
          ))}
        </tr>
      </thead>
      <tbody class="windowed" ref={container}>
        <Space rows={range.first} height={rowHeight} />
        {shown.map((row, index) => (
          <tr
            key={row.id}
            class="row"
            aria-rowindex={range.first + index + 2}
            aria-selected={selection.ids.has(row.id)}
            style={{ height: `${rowHeight}px` }}
          >
            {canSelect && (
              <td class="box-cell">
                <SelectBox selection={selection} id={row.id} title={row.title} />
              </td>
            )}
            {NAMES.map((column) => (
              <td key={column} class={`column-${column}`}>
                {COLUMNS[column].cell(row)}
              </td>
            ))}
          </tr>
        ))}
        <Space rows={after} height={rowHeight} />
      </tbody>
    </table>
  );
}

/** The room of rows that do not exist in the page. */
function Space({ rows, height }: { rows: number; height: number }) {
  return rows > 0 ? <tr class="space" style={{ height: `${rows * height}px` }} /> : null;
}

function Head({ column, sorting }: { column: Column; sorting: Sorting }) {
  const { name, isDescendingFirst } = COLUMNS[column];
  const isSorted = sorting.column === column;
  const isDescending = isSorted ? !sorting.isDescending : isDescendingFirst;
  const direction = sorting.isDescending ? "descending" : "ascending";
  return (
    <th scope="col" class={`column-${column}`} aria-sort={isSorted ? direction : undefined}>
      <button
        type="button"
        class="plain-button"
        onClick={() => setParameters({ sort: `${isDescending ? "-" : ""}${column}` })}
      >
        {name}
        <span aria-hidden="true">{isSorted ? (sorting.isDescending ? " ↓" : " ↑") : ""}</span>
      </button>
    </th>
  );
}

/** Selects all rows that are loaded, or none. */
function AllBox({ selection, ids }: { selection: Selection; ids: readonly string[] }) {
  const isAll = ids.length > 0 && selection.ids.size === ids.length;
  return (
    <input
      type="checkbox"
      aria-label="Select all that are loaded"
      checked={isAll}
      ref={(box) => {
        if (box) box.indeterminate = selection.ids.size > 0 && !isAll;
      }}
      onChange={() => (isAll ? selection.clear() : selection.select(ids))}
    />
  );
}

function Title({ row }: { row: TableRow }) {
  const { id, title, status, tags, agent, updatedAt } = row;
  return (
    <div class="title-cell">
      <a href={`/console/documents/${id}`} dir="auto" title={title}>
        {title}
      </a>
      {status !== "published" && status !== "completed" && <span class={`status ${status}`}>{status}</span>}
      <Tags tags={tags} base="/console/documents" />
      <small class="only-phone quiet">
        {nameOfAgent(agent)} · <Time at={updatedAt} />
      </small>
    </div>
  );
}

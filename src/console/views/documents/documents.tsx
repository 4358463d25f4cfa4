// The view Documents: a table with filters, and what can be done with several of its rows.

import { may } from "../../api/session.ts";
import type { TableRow, TableSummary } from "../../../features/console/replies.ts";
import { deletedIds } from "../../frame/deletions.ts";
import { BulkActions } from "../../parts/bulk-actions.tsx";
import { changesOf, usePages } from "../../parts/load.ts";
import { Icon } from "../../parts/icon.tsx";
import { Empty, Page, Problem, Waiting } from "../../parts/page.tsx";
import { filterOf } from "../../parts/record-list.tsx";
import { SelectionBar, useSelection } from "../../parts/selection.tsx";
import { plural } from "../../text/format.ts";
import { documentFilters, Facets, isFiltered } from "./facets.tsx";
import { DocumentTable, sortingOf } from "./table.tsx";

const PAGE = 100;

export function DocumentsView() {
  const sorting = sortingOf(filterOf("sort"));
  const filters = documentFilters();
  const list = usePages<TableRow>(
    "/console/api/documents",
    {
      limit: PAGE,
      ...filters,
      sort: sorting.column,
      order: sorting.isDescending ? "descending" : "ascending",
    },
    { concerns: changesOf(["document", "collection"]) },
  );
  const rows = list.items.filter(({ id }) => !deletedIds.value.has(id));
  const order = rows.map(({ id }) => id);
  const selection = useSelection(order);
  const summary = list.summary as TableSummary | undefined;
  const total = (summary?.total ?? 0) - (list.items.length - rows.length);
  const isEmpty = rows.length === 0 && list.problem === undefined;
  return (
    <Page
      title="Documents"
      actions={
        <>
          {summary && rows.length > 0 && (
            <span class="quiet" role="status">
              {plural(total, "document")}
            </span>
          )}
          <a class="button" href="/console/tags">
            <Icon name="tags" /> Tags
          </a>
          <a class="button" href="/console/map">
            <Icon name="map" /> Map
          </a>
          {may("documents.write") && (
            <a class="button" href="/console/trash">
              <Icon name="trash" /> Trash
            </a>
          )}
          {may("documents.write") && (
            <a class="button primary" href="/console/add">
              <Icon name="add" /> Add
            </a>
          )}
        </>
      }
    >
      <div class="columns facet-columns">
        <Facets facets={summary?.facets} />
        <div>
          <Problem text={list.problem} retry={list.reload} />
          {isEmpty && list.isLoading && <Waiting />}
          {isEmpty && !list.isLoading && <Nothing />}
          {rows.length > 0 && <DocumentTable {...{ list, rows, total, sorting, selection }} />}
        </div>
      </div>
      <SelectionBar selection={selection} noun="document" order={order} hasMore={list.hasMore}>
        <BulkActions
          type="document"
          selection={selection}
          from={filters.collectionId}
          isArchive={filters.status === "archived"}
        />
      </SelectionBar>
    </Page>
  );
}

function Nothing() {
  if (isFiltered()) {
    return (
      <Empty title="No documents match">
        <p>
          <a href="/console/documents">Show all documents</a>
        </p>
      </Empty>
    );
  }
  return (
    <Empty title="No documents yet">
      <p>
        <a href="/console/add">Add</a> a text, a web page or a folder of notes. Agents add theirs by the API.
      </p>
    </Empty>
  );
}

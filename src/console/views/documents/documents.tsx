// The view Documents: the list with its filters.

import type { ListedDocument } from "../../api/openapi.d.ts";
import { may } from "../../api/session.ts";
import { deletedIds } from "../../frame/deletions.ts";
import { here, setParameters } from "../../frame/location.ts";
import { CollectionSelect } from "../../parts/collection-select.tsx";
import { Field, Tags, Time } from "../../parts/controls.tsx";
import { usePages } from "../../parts/load.ts";
import { Empty, Page, Problem, Waiting } from "../../parts/page.tsx";
import { WindowedList } from "../../parts/windowed-list.tsx";
import { parseTags } from "../../text/format.ts";

const ROW_HEIGHT = 64;

export function DocumentsView() {
  const text = (name: string) => here.value.searchParams.get(name) ?? "";
  const query = {
    limit: 100,
    search: text("title"),
    tags: text("tags"),
    status: text("status"),
    collectionId: text("collection"),
  };
  const list = usePages<ListedDocument>("/v1/documents", query);
  const items = list.items.filter(({ id }) => !deletedIds.value.has(id));
  const isFiltered = [query.search, query.tags, query.status, query.collectionId].some(
    (value) => value !== "",
  );
  return (
    <Page
      title="Documents"
      actions={
        may("documents.write") && (
          <a class="button" href="/console/add">
            Add
          </a>
        )
      }
    >
      <search class="fields">
        <Field label="Title contains">
          <input
            type="search"
            value={query.search}
            onInput={({ currentTarget: { value } }) => setParameters({ title: value })}
          />
        </Field>
        <Field label="Tags">
          <input
            value={query.tags}
            onChange={({ currentTarget: { value } }) => setParameters({ tags: parseTags(value).join(",") })}
          />
        </Field>
        <Field label="Status">
          <select
            value={query.status}
            onChange={({ currentTarget: { value } }) => setParameters({ status: value })}
          >
            <option value="">All except archived</option>
            <option value="published">Published</option>
            <option value="draft">Draft</option>
            <option value="archived">Archived</option>
          </select>
        </Field>
        <CollectionSelect
          label="Collection"
          none="All"
          value={query.collectionId}
          onChange={(collection) => setParameters({ collection })}
        />
      </search>
      <Problem text={list.problem} retry={list.reload} />
      {items.length === 0 && list.isLoading && <Waiting />}
      {items.length === 0 && !list.isLoading && list.problem === undefined && (
        <Empty title={isFiltered ? "No document matches" : "No documents yet"}>
          <p>
            {isFiltered ? (
              <a href="/console/documents">Show all documents</a>
            ) : (
              <>
                <a href="/console/add">Add</a> a text, a web page or a folder of notes. Agents add theirs by
                the API.
              </>
            )}
          </p>
        </Empty>
      )}
      <WindowedList
        label="Documents"
        items={items}
        keyOf={({ id }) => id}
        rowHeight={ROW_HEIGHT}
        hasMore={list.hasMore}
        loadMore={list.loadMore}
        row={(item) => <Row item={item} />}
      />
    </Page>
  );
}

function Row({ item }: { item: ListedDocument }) {
  return (
    <div class="row">
      <a href={`/console/documents/${item.id}`} dir="auto">
        {item.title}
      </a>
      <div class="facts">
        {item.status !== "published" && item.status !== "completed" && (
          <span class={`status ${item.status}`}>{item.status}</span>
        )}
        <span>
          changed <Time at={item.updatedAt} />
        </span>
        <Tags tags={item.tags} base="/console/documents" />
      </div>
    </div>
  );
}

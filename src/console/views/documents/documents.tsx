// The view Documents: the list with its filters.

import type { ListedDocument } from "../../api/openapi.d.ts";
import { setParameters } from "../../frame/location.ts";
import { CollectionSelect } from "../../parts/collection-select.tsx";
import { Field, Tags, Time } from "../../parts/controls.tsx";
import { filterOf, RecordList, TagsFilter, TitleFilter } from "../../parts/record-list.tsx";

const ROW_HEIGHT = 64;

export function DocumentsView() {
  const filters = {
    search: filterOf("title"),
    tags: filterOf("tags"),
    status: filterOf("status"),
    collectionId: filterOf("collection"),
  };
  return (
    <RecordList<ListedDocument>
      title="Documents"
      href="/console/documents"
      path="/v1/documents"
      filters={filters}
      add={{ href: "/console/add", label: "Add", scope: "documents.write" }}
      first={
        <>
          <a href="/console/add">Add</a> a text, a web page or a folder of notes. Agents add theirs by the
          API.
        </>
      }
      rowHeight={ROW_HEIGHT}
      row={(item) => <Row item={item} />}
    >
      <TitleFilter label="Title contains" />
      <TagsFilter />
      <Field label="Status">
        <select
          value={filters.status}
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
        value={filters.collectionId}
        onChange={(collection) => setParameters({ collection })}
      />
    </RecordList>
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

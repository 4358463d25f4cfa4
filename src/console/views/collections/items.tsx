// The items of a collection: select several to remove them, or drag them to another collection.

import { useState } from "preact/hooks";
import type { Collection, CollectionItem } from "../../api/openapi.d.ts";
import type { TreeCollection } from "../../../features/console/replies.ts";
import { messageOf, send, write } from "../../api/request.ts";
import { may } from "../../api/session.ts";
import { go } from "../../frame/location.ts";
import { notify } from "../../frame/notices.tsx";
import { changesOf, usePages, useRead } from "../../parts/load.ts";
import { Empty, Problem } from "../../parts/page.tsx";
import { RecordPicker } from "../../parts/record-picker.tsx";
import { WindowedList } from "../../parts/windowed-list.tsx";
import { plural } from "../../text/format.ts";
import { dragged } from "./drag.ts";
import { CollectionForm } from "./form.tsx";
import { MoveDialog } from "./move.tsx";

const ROW_HEIGHT = 44;
/** Maximum number of ids in one request of the API. */
const BATCH = 500;

interface CollectionItemsProps {
  id: string;
  tree: readonly TreeCollection[];
  /** Called when the numbers of items have changed. */
  changed(): void;
}

export function CollectionItems({ id, tree, changed }: CollectionItemsProps) {
  const path = `/v1/collections/${id}`;
  const live = { concerns: changesOf(["collection", "document", "prompt"]) };
  const { value: collection, problem, reload } = useRead<Collection>(path, live);
  const list = usePages<CollectionItem>(`${path}/items`, { limit: 100 }, live);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [isAdding, setAdding] = useState(false);
  const [isEditing, setEditing] = useState(false);
  const [isMoving, setMoving] = useState(false);
  const inTree = tree.find((one) => one.id === id);
  const { items } = list;

  const toggle = (itemId: string) => {
    const next = new Set(selected);
    if (!next.delete(itemId)) next.add(itemId);
    setSelected(next);
  };
  const chosen = () => items.filter((item) => selected.has(item.id));
  const remove = async () => {
    try {
      for (const itemType of ["document", "prompt"] as const) {
        const ids = chosen().flatMap((item) => (item.type === itemType ? [item.id] : []));
        for (let at = 0; at < ids.length; at += BATCH) {
          await write("PUT", `${path}/items`, { body: { itemType, itemIds: ids.slice(at, at + BATCH) } });
        }
      }
      notify(`${plural(selected.size, "item")} removed from the collection. They are still stored.`);
      setSelected(new Set());
    } catch (error) {
      notify(messageOf(error), { kind: "failed" });
    }
    list.reload();
    changed();
  };
  const deleteCollection = async () => {
    try {
      await send("DELETE", path);
      changed();
      go("/console/collections");
    } catch (error) {
      notify(messageOf(error), { kind: "failed" });
    }
  };

  if (problem !== undefined) return <Problem text={problem} />;
  return (
    <section aria-label="Items">
      {collection?.description && <p dir="auto">{collection.description}</p>}
      {may("documents.write") && (
        <div class="actions">
          <button type="button" onClick={() => setAdding(true)}>
            Add items
          </button>
          <button type="button" disabled={selected.size === 0} onClick={remove}>
            Remove {selected.size > 0 ? plural(selected.size, "item") : "items"}
          </button>
          <button type="button" onClick={() => setEditing(true)}>
            Edit
          </button>
          {inTree && (
            <button type="button" onClick={() => setMoving(true)}>
              Move to…
            </button>
          )}
          <button
            type="button"
            class="danger"
            disabled={items.length > 0}
            title={items.length > 0 ? "Remove its items first" : undefined}
            onClick={deleteCollection}
          >
            Delete collection
          </button>
        </div>
      )}
      {isEditing && collection && (
        <CollectionForm
          collection={collection}
          close={() => setEditing(false)}
          saved={() => {
            setEditing(false);
            reload();
            changed();
          }}
        />
      )}
      {isMoving && inTree && (
        <MoveDialog
          tree={tree}
          collection={inTree}
          close={() => setMoving(false)}
          moved={() => {
            setMoving(false);
            changed();
          }}
        />
      )}
      {isAdding && (
        <RecordPicker
          title={`Add to ${collection?.name ?? "the collection"}`}
          close={() => setAdding(false)}
          add={async (itemType, itemIds) => {
            await write("POST", `${path}/items`, { body: { itemType, itemIds } });
            list.reload();
            changed();
          }}
        />
      )}
      <Problem text={list.problem} retry={list.reload} />
      {items.length === 0 && !list.isLoading && (
        <Empty title="This collection is empty">
          <p>Add documents and prompts, or drag them here from another collection.</p>
        </Empty>
      )}
      <WindowedList
        label="Items"
        items={items}
        keyOf={(item) => item.id}
        rowHeight={ROW_HEIGHT}
        hasMore={list.hasMore}
        loadMore={list.loadMore}
        row={(item) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: the checkbox does the same without dragging
          <div
            class="row item"
            draggable={may("documents.write")}
            onDragStart={(event) => {
              const moved = selected.has(item.id) ? chosen() : [item];
              dragged.value = { items: moved.map(({ id: itemId, type }) => ({ id: itemId, type })) };
              event.dataTransfer?.setData("text/plain", plural(moved.length, "item"));
            }}
            onDragEnd={() => {
              dragged.value = null;
            }}
          >
            <input
              type="checkbox"
              aria-label={`Select ${item.title}`}
              checked={selected.has(item.id)}
              onChange={() => toggle(item.id)}
            />
            <a href={`/console/${item.type}s/${item.id}`} dir="auto">
              {item.title}
            </a>
            <small class="quiet">{item.type}</small>
          </div>
        )}
      />
    </section>
  );
}

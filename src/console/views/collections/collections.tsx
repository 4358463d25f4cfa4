// The view Collections: the tree, and the items of the selected collection.

import { useState } from "preact/hooks";
import { messageOf, write } from "../../api/request.ts";
import { may } from "../../api/session.ts";
import type { TreeCollection } from "../../../features/console/replies.ts";
import { go } from "../../frame/location.ts";
import { notify } from "../../frame/notices.tsx";
import { changesOf, useRead } from "../../parts/load.ts";
import { Empty, Page, Problem } from "../../parts/page.tsx";
import { PinButton } from "../../parts/pins.tsx";
import { ancestorsOf } from "../../text/tree.ts";
import { CollectionForm } from "./form.tsx";
import type { Dragged } from "./drag.ts";
import { CollectionItems } from "./items.tsx";
import { move } from "./move.tsx";
import { Tree } from "./tree.tsx";

export function CollectionsView() {
  return <Collections />;
}

export function CollectionView({ id }: { id: string }) {
  return <Collections id={id} />;
}

function Collections({ id }: { id?: string }) {
  const tree = useRead<TreeCollection[]>("/console/api/collections", { concerns: changesOf(["collection"]) });
  const [isCreating, setCreating] = useState(false);
  const collections = tree.value ?? [];
  const selected = collections.find((collection) => collection.id === id);

  /** Adds what was dropped on a collection. */
  const add = async (target: TreeCollection, dragged: Dragged) => {
    try {
      for (const itemType of ["document", "prompt"] as const) {
        const itemIds = dragged.items.filter((item) => item.type === itemType).map((item) => item.id);
        if (itemIds.length === 0) continue;
        await write("POST", `/v1/collections/${target.id}/items`, { body: { itemType, itemIds } });
      }
      notify(`Added to ${target.name}.`);
    } catch (error) {
      notify(messageOf(error), { kind: "failed" });
    }
    tree.reload();
  };

  return (
    <Page
      title={selected ? selected.name : "Collections"}
      actions={
        <>
          {selected && <PinButton record={{ id: selected.id, type: "collection" }} />}
          {may("documents.write") && (
            <button type="button" onClick={() => setCreating(true)}>
              New collection
            </button>
          )}
        </>
      }
    >
      <Problem text={tree.problem} retry={tree.reload} />
      {id !== undefined && (
        <nav aria-label="Above" class="breadcrumb">
          <a href="/console/collections">Collections</a>
          {ancestorsOf(collections, id).map((parent) => (
            <span key={parent.id}>
              {" › "}
              <a href={`/console/collections/${parent.id}`} dir="auto">
                {parent.name}
              </a>
            </span>
          ))}
        </nav>
      )}
      {isCreating && (
        <CollectionForm
          parentId={id ?? ""}
          close={() => setCreating(false)}
          saved={(created) => {
            setCreating(false);
            tree.reload();
            go(`/console/collections/${created}`);
          }}
        />
      )}
      {tree.value?.length === 0 && (
        <Empty title="No collections yet">
          <p>
            A collection groups documents and prompts, for example of one project. Create one, then add items
            to it.
          </p>
        </Empty>
      )}
      <div class={`columns tree-columns ${id === undefined ? "" : "chosen"}`}>
        <Tree
          collections={collections}
          selectedId={id}
          add={add}
          move={async (collection, target) => {
            if (await move(collection, target)) tree.reload();
          }}
        />
        {id !== undefined && tree.value && (
          <CollectionItems id={id} key={id} tree={tree.value} changed={tree.reload} />
        )}
        {id === undefined && collections.length > 0 && (
          <Empty title="Choose a collection">
            <p>
              Its documents and prompts are shown here. Drag items onto a collection to add them to it, and a
              collection onto another one to move it.
            </p>
          </Empty>
        )}
      </div>
    </Page>
  );
}

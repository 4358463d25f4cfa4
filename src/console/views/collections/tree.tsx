// The tree of collections. Items are dropped on a collection, and a collection is dragged into another one.

import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import type { TreeCollection } from "../../../features/console/replies.ts";
import { may } from "../../api/session.ts";
import { Icon } from "../../parts/icon.tsx";
import { ancestorsOf, inTreeOrder } from "../../text/tree.ts";
import { type Dragged, dragged } from "./drag.ts";
import { canMove } from "./move.tsx";

/** The collections whose inner ones are not shown, for as long as the page is open. */
const closedIds = signal<ReadonlySet<string>>(new Set());

/** Deeper collections are not indented further, so that their names have room. */
const MAX_INDENT = 12;
/** Where a collection is dropped to be at the top level. */
const TOP = "top";

interface TreeProps {
  collections: readonly TreeCollection[];
  selectedId: string | undefined;
  /** Adds items to a collection. */
  add(target: TreeCollection, dragged: Dragged): void;
  /** Moves a collection; null is the top level. */
  move(collection: TreeCollection, target: TreeCollection | null): void;
}

export function Tree({ collections, selectedId, add, move }: TreeProps) {
  const [overId, setOver] = useState<string | undefined>();
  const toggle = (id: string) => {
    const next = new Set(closedIds.value);
    if (!next.delete(id)) next.add(id);
    closedIds.value = next;
  };
  // The way to the selected collection is always open.
  const above = selectedId === undefined ? [] : ancestorsOf(collections, selectedId).map(({ id }) => id);
  const closed = new Set([...closedIds.value].filter((id) => !above.includes(id)));
  const moving = dragged.value && "collection" in dragged.value ? dragged.value.collection : undefined;

  /** Whether what is dragged may be dropped on a collection, or at the top level. */
  const accepts = (target: TreeCollection | null) => {
    if (moving) return canMove(collections, moving, target?.id ?? null);
    return dragged.value !== null && target !== null;
  };
  const dropTarget = (target: TreeCollection | null) => {
    const key = target?.id ?? TOP;
    return {
      onDragOver(event: DragEvent) {
        if (!accepts(target)) return;
        event.preventDefault();
        setOver(key);
      },
      onDragLeave: () => setOver(undefined),
      onDrop(event: DragEvent) {
        event.preventDefault();
        setOver(undefined);
        if (!accepts(target)) return;
        if (moving) move(moving, target);
        else if (target && dragged.value && "items" in dragged.value) add(target, dragged.value);
        dragged.value = null;
      },
    };
  };
  return (
    <nav aria-label="Collections" class="tree">
      <ul>
        {inTreeOrder(collections, closed).map(({ item, depth, hasChildren }) => (
          <li
            key={item.id}
            style={{ "--depth": Math.min(depth, MAX_INDENT) }}
            class={overId === item.id ? "over" : ""}
            {...dropTarget(item)}
          >
            {hasChildren && (
              <button
                type="button"
                class="fold"
                aria-expanded={!closed.has(item.id)}
                aria-label={`Collections in ${item.name}`}
                onClick={() => toggle(item.id)}
              >
                {closed.has(item.id) ? "▸" : "▾"}
              </button>
            )}
            <a
              href={`/console/collections/${item.id}`}
              aria-current={item.id === selectedId ? "page" : undefined}
              dir="auto"
              draggable={may("documents.write")}
              onDragStart={(event) => {
                event.dataTransfer?.setData("text/plain", item.name);
                dragged.value = { collection: item };
              }}
              onDragEnd={() => {
                dragged.value = null;
              }}
            >
              <span
                class="dot"
                style={item.color ? { background: item.color } : undefined}
                aria-hidden="true"
              >
                {item.icon ?? <Icon name="collections" />}
              </span>
              {item.name} <small>{item.itemCount}</small>
            </a>
          </li>
        ))}
      </ul>
      {moving && moving.parentId !== null && (
        <p class={`drop-top ${overId === TOP ? "over" : ""}`} {...dropTarget(null)}>
          Drop here for the top level
        </p>
      )}
    </nav>
  );
}

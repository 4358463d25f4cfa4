// Moving a collection in the tree: by dragging, or in a dialog.

import { useState } from "preact/hooks";
import type { TreeCollection } from "../../../features/console/replies.ts";
import { messageOf, send } from "../../api/request.ts";
import { notify } from "../../frame/notices.tsx";
import { Dialog, Field } from "../../parts/controls.tsx";
import { TreeOptions } from "../../parts/collection-select.tsx";
import { ancestorsOf } from "../../text/tree.ts";

type Tree = readonly TreeCollection[];

/** Whether a collection may be put into another one: not into itself, and not where it is. */
export function canMove(tree: Tree, { id, parentId }: TreeCollection, target: string | null): boolean {
  if (target === parentId || target === id) return false;
  return target === null || !ancestorsOf(tree, target).some((ancestor) => ancestor.id === id);
}

/** Moves a collection and says so; null is the top level. Returns whether it was moved. */
export async function move({ id, name }: TreeCollection, target: TreeCollection | null): Promise<boolean> {
  try {
    await send("PUT", `/console/api/collections/${id}/parent`, { body: { parentId: target?.id ?? null } });
    notify(`${name} is ${target ? `in ${target.name}` : "at the top level"} now.`);
    return true;
  } catch (error) {
    notify(messageOf(error), { kind: "failed" });
    return false;
  }
}

interface MoveDialogProps {
  tree: Tree;
  collection: TreeCollection;
  close(): void;
  moved(): void;
}

export function MoveDialog({ tree, collection, close, moved }: MoveDialogProps) {
  const [targetId, setTarget] = useState(collection.parentId ?? "");
  const [isMoving, setMoving] = useState(false);
  const submit = async () => {
    setMoving(true);
    const isMoved = await move(collection, tree.find(({ id }) => id === targetId) ?? null);
    setMoving(false);
    if (isMoved) moved();
  };
  const offered = tree.filter(({ id }) => id === collection.parentId || canMove(tree, collection, id));
  return (
    <Dialog title={`Move ${collection.name}`} onClose={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Field label="Inside">
          <select value={targetId} onChange={({ currentTarget: { value } }) => setTarget(value)}>
            <option value="">(top level)</option>
            <TreeOptions tree={offered} />
          </select>
        </Field>
        <button
          type="submit"
          class="primary"
          disabled={isMoving || !canMove(tree, collection, targetId === "" ? null : targetId)}
        >
          Move
        </button>
      </form>
    </Dialog>
  );
}

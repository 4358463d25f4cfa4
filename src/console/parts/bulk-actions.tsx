// What can be done with several selected documents or prompts: tags, collections, archive, delete.

import { useState } from "preact/hooks";
import { messageOf, write } from "../api/request.ts";
import { may } from "../api/session.ts";
import { deleteRecords } from "../frame/deletions.ts";
import { notify } from "../frame/notices.tsx";
import { parseTags, plural } from "../text/format.ts";
import { CollectionSelect } from "./collection-select.tsx";
import { Dialog, Field } from "./controls.tsx";
import { changeDocument, retag, type TagChange } from "./retag.ts";
import type { Selection } from "./selection.tsx";
import { TagsInput } from "./tags-input.tsx";

interface BulkActionsProps {
  type: "document" | "prompt";
  selection: Selection;
  /** The collection whose records are listed, or "". */
  from?: string;
  /** Whether archived documents are listed. */
  isArchive?: boolean;
}

/** Changes that are sent at the same time. */
const AT_ONCE = 3;
/** Maximum number of ids in one request of the API. */
const BATCH = 500;

export function BulkActions({ type, selection, from = "", isArchive = false }: BulkActionsProps) {
  const [dialog, setDialog] = useState<"tags" | "collection" | undefined>();
  const [isBusy, setBusy] = useState(false);
  const [isMoving, setMoving] = useState(true);
  const ids = [...selection.ids];
  const count = plural(ids.length, type);
  const close = () => setDialog(undefined);

  /** Changes all selected records and says how that went. */
  const each = async (done: string, change: (id: string) => Promise<void>) => {
    close();
    setBusy(true);
    const reasons: string[] = [];
    const left = [...ids];
    const work = async () => {
      for (let id = left.shift(); id !== undefined; id = left.shift()) {
        await change(id).catch((error) => reasons.push(messageOf(error)));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    setBusy(false);
    if (reasons.length === 0) notify(`${count} ${done}.`);
    else notify(`${reasons.length} of ${count} failed: ${reasons[0]}`, { kind: "failed" });
  };
  const addToCollection = async (collectionId: string) => {
    close();
    const isMoved = from !== "" && isMoving && from !== collectionId;
    try {
      for (let at = 0; at < ids.length; at += BATCH) {
        const body = { itemType: type, itemIds: ids.slice(at, at + BATCH) };
        await write("POST", `/v1/collections/${collectionId}/items`, { body, waits: true });
        if (isMoved) await write("PUT", `/v1/collections/${from}/items`, { body, waits: true });
      }
      notify(isMoved ? `${count} moved.` : `${count} added to the collection.`);
    } catch (error) {
      notify(messageOf(error), { kind: "failed" });
    }
  };
  const remove = () => {
    deleteRecords({ type, ids, label: count });
    selection.clear();
  };
  const download = async () => {
    setBusy(true);
    try {
      await (await import("./export.ts")).exportRecords(type, ids);
    } catch (error) {
      notify(messageOf(error), { kind: "failed" });
    }
    setBusy(false);
  };
  return (
    <>
      <button type="button" disabled={isBusy} onClick={download}>
        Export
      </button>
      <button type="button" disabled={isBusy} onClick={() => setDialog("tags")}>
        Tags…
      </button>
      {may("documents.write") && (
        <button type="button" disabled={isBusy} onClick={() => setDialog("collection")}>
          {from === "" ? "Add to a collection…" : "Move…"}
        </button>
      )}
      {type === "document" && (
        <button
          type="button"
          disabled={isBusy}
          onClick={() =>
            each(isArchive ? "published" : "archived", (id) =>
              changeDocument(id, () => ({ status: isArchive ? "published" : "archived" })),
            )
          }
        >
          {isArchive ? "Publish again" : "Archive"}
        </button>
      )}
      <button type="button" class="danger" disabled={isBusy} onClick={remove}>
        Delete
      </button>
      {dialog === "tags" && (
        <TagsDialog
          title={`Tags of ${count}`}
          close={close}
          apply={(change) => each("changed", (id) => retag(type, id, change))}
        />
      )}
      {dialog === "collection" && (
        <Dialog title={`${from === "" ? "Add" : "Move"} ${count} to a collection`} onClose={close}>
          {from !== "" && (
            <label class="check">
              <input
                type="checkbox"
                checked={isMoving}
                onChange={({ currentTarget: { checked } }) => setMoving(checked)}
              />
              Remove from the collection that is shown
            </label>
          )}
          <CollectionSelect
            label="Collection"
            none="Choose…"
            value=""
            onChange={(collectionId) => collectionId !== "" && addToCollection(collectionId)}
          />
        </Dialog>
      )}
    </>
  );
}

interface TagsDialogProps {
  title: string;
  close(): void;
  apply(change: TagChange): void;
}

function TagsDialog({ title, close, apply }: TagsDialogProps) {
  const [added, setAdded] = useState("");
  const [removed, setRemoved] = useState("");
  return (
    <Dialog title={title} onClose={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const gone = new Set(parseTags(removed));
          const more = parseTags(added);
          apply((tags) => [...new Set([...tags.filter((tag) => !gone.has(tag)), ...more])]);
        }}
      >
        <Field label="Add tags" hint="Separated by commas">
          <TagsInput value={added} onChange={setAdded} />
        </Field>
        <Field label="Remove tags" hint="Separated by commas">
          <TagsInput value={removed} onChange={setRemoved} />
        </Field>
        <button type="submit" class="primary" disabled={added.trim() === "" && removed.trim() === ""}>
          Change the tags
        </button>
      </form>
    </Dialog>
  );
}

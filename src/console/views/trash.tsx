// The view Trash: what was deleted in the console, to be brought back or deleted for good.

import type { TrashedRecord } from "../../features/console/replies.ts";
import { messageOf, send } from "../api/request.ts";
import { restoreRecords } from "../frame/deletions.ts";
import { notify } from "../frame/notices.tsx";
import { ConfirmButton, Time } from "../parts/controls.tsx";
import { changesOf, usePages } from "../parts/load.ts";
import { Empty, Page, Problem } from "../parts/page.tsx";
import { SelectBox, SelectionBar, useSelection } from "../parts/selection.tsx";
import { WindowedList } from "../parts/windowed-list.tsx";
import { plural } from "../text/format.ts";

const ROW_HEIGHT = 56;

export function TrashView() {
  const list = usePages<TrashedRecord>(
    "/console/api/trash",
    { limit: 100 },
    { concerns: changesOf(["document", "prompt"]) },
  );
  const { items } = list;
  const order = items.map(({ id }) => id);
  const selection = useSelection(order);
  const ids = [...selection.ids];

  const restore = async () => {
    await restoreRecords(ids);
    selection.clear();
    list.reload();
  };
  const erase = async () => {
    try {
      for (const id of ids) await send("DELETE", `/console/api/trash/${id}`, { waits: true });
      notify(`${plural(ids.length, "record")} deleted for good.`);
    } catch (error) {
      notify(messageOf(error), { kind: "failed" });
    }
    selection.clear();
    list.reload();
  };
  return (
    <Page title="Trash">
      <p class="quiet">
        What is deleted here in the console stays for 30 days, with its versions. Agents, commands and
        searches do not find it. What they delete themselves does not come here.
      </p>
      <Problem text={list.problem} retry={list.reload} />
      {items.length === 0 && !list.isLoading && list.problem === undefined && (
        <Empty title="The trash is empty">
          <p>
            <a href="/console/documents">All documents</a>
          </p>
        </Empty>
      )}
      <WindowedList
        label="Trash"
        items={items}
        keyOf={({ id }) => id}
        rowHeight={ROW_HEIGHT}
        hasMore={list.hasMore}
        loadMore={list.loadMore}
        row={({ id, type, title, deletedAt, expiresAt }) => (
          <div class="selectable">
            <SelectBox selection={selection} id={id} title={title} />
            <div class="row">
              <strong class="one-line" dir="auto">
                {title}
              </strong>
              <div class="facts">
                <span>{type}</span>
                <span>
                  deleted <Time at={deletedAt} />
                </span>
                <span>
                  kept until <Time at={expiresAt} />
                </span>
              </div>
            </div>
          </div>
        )}
      />
      <SelectionBar selection={selection} noun="record" order={order} hasMore={list.hasMore}>
        <button type="button" class="primary" onClick={restore}>
          Restore
        </button>
        <ConfirmButton
          label="Delete for good"
          confirmation={`Delete ${plural(ids.length, "record")} for good?`}
          onConfirm={erase}
        />
      </SelectionBar>
    </Page>
  );
}

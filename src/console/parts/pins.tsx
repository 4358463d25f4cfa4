// Pinned records: a button to pin the record that is shown, and their list on the start page.

import type { Pin } from "../../features/console/replies.ts";
import { messageOf, send } from "../api/request.ts";
import { notify } from "../frame/notices.tsx";
import { Icon } from "./icon.tsx";
import { useKey } from "./key.ts";
import { changesOf, type Loaded, useRead } from "./load.ts";

const PATH = "/console/api/pins";

/** The pinned records of the user. */
export const usePins = (): Loaded<Pin[]> =>
  useRead<Pin[]>(PATH, { concerns: changesOf(["document", "prompt", "collection"]) });

/** Pins a record, or pins it no longer. A failure is shown. */
async function setPinned({ id, type }: Pick<Pin, "id" | "type">, isPinned: boolean): Promise<void> {
  try {
    if (isPinned) await send("PUT", `${PATH}/${id}`, { body: { type } });
    else await send("DELETE", `${PATH}/${id}`);
  } catch (error) {
    notify(messageOf(error), { kind: "failed" });
  }
}

/** Pins the record that is shown, also by a key. */
export function PinButton({ record }: { record: Pick<Pin, "id" | "type"> }) {
  const pins = usePins();
  const isPinned = pins.value?.some(({ id }) => id === record.id) ?? false;
  const toggle = async () => {
    await setPinned(record, !isPinned);
    pins.reload();
  };
  useKey("p", pins.value && toggle);
  return (
    <button
      type="button"
      class="pin"
      aria-pressed={isPinned}
      title="Shown on the start page (p)"
      disabled={!pins.value}
      onClick={toggle}
    >
      <Icon name="pin" />
      <span>{isPinned ? "Pinned" : "Pin"}</span>
    </button>
  );
}

/** The pinned records, on the start page. */
export function PinnedList({ pins }: { pins: readonly Pin[] }) {
  if (pins.length === 0) return null;
  return (
    <section class="pinned" aria-label="Pinned">
      <h2>Pinned</h2>
      <ul class="plain">
        {pins.map(({ id, type, title }) => (
          <li key={id}>
            <Icon name={`${type}s`} />
            <a href={`/console/${type}s/${id}`} dir="auto">
              {title}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

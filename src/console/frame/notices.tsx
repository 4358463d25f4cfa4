// Short messages at the edge of the page: what was done, what failed, and how to undo it.

import { signal } from "@preact/signals";

interface Notice {
  id: number;
  text: string;
  kind: "done" | "failed";
  action?: { label: string; run(): void };
}

const notices = signal<Notice[]>([]);
const SHOWN_MS = 6_000;
let lastId = 0;

/** Shows a message for a few seconds, or until the returned function is called. */
export function notify(
  text: string,
  options: Partial<Omit<Notice, "id" | "text">> & { forMs?: number } = {},
) {
  const { kind = "done", action, forMs = kind === "failed" ? 2 * SHOWN_MS : SHOWN_MS } = options;
  const id = ++lastId;
  const close = () => {
    notices.value = notices.value.filter((notice) => notice.id !== id);
  };
  notices.value = [...notices.value, { id, text, kind, action }];
  setTimeout(close, forMs);
  return close;
}

/** The messages that are shown. Screen readers read new ones. */
export function Notices() {
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.value.map(({ id, text, kind, action }) => (
        <p key={id} class={`notice ${kind}`}>
          <span>{text}</span>
          {action && (
            <button type="button" onClick={action.run}>
              {action.label}
            </button>
          )}
        </p>
      ))}
    </div>
  );
}

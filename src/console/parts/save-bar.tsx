// The bar at the lower edge of the window while something is edited: whether it is saved, and the buttons for that.

import { type DraftSubject, isRefused } from "../frame/drafts.ts";
import { ago } from "../text/format.ts";

interface SaveBarProps {
  subject: DraftSubject;
  isChanged: boolean;
  isSaving: boolean;
  /** Why the last attempt to save failed. */
  problem: string | undefined;
  /** When the text was typed that was found in the browser, epoch ms. */
  restoredFrom: number | undefined;
  /** Whether another open tab has a draft of the same record. */
  isElsewhere: boolean;
  /** What the button says. */
  save: string;
  discard(): void;
}

export function SaveBar({ subject, isChanged, isSaving, problem, ...props }: SaveBarProps) {
  const { restoredFrom, isElsewhere, save, discard } = props;
  return (
    <div class="save-bar">
      <p class={`save-state ${problem === undefined ? "" : "failed"}`} role="status">
        {problem === undefined ? (
          <>
            {isSaving ? "Saving…" : isChanged ? "Unsaved" : "Nothing changed"}
            {isChanged && !isSaving && (
              <span class="quiet">
                {isRefused(subject)
                  ? " · this browser cannot keep a copy: save before you close the tab"
                  : restoredFrom === undefined
                    ? " · a copy is kept in this browser"
                    : ` · this is what you typed ${ago(restoredFrom)}`}
              </span>
            )}
          </>
        ) : (
          <>
            <b>Not saved:</b> {problem}
          </>
        )}
        {isElsewhere && <span class="elsewhere"> Another tab has unsaved changes of it, too.</span>}
      </p>
      <div class="actions">
        <button type="button" disabled={isSaving || !isChanged} onClick={discard}>
          Discard
        </button>
        <button class="primary" type="submit" disabled={isSaving}>
          {isSaving ? "Saving…" : save}
        </button>
      </div>
    </div>
  );
}

/** Submits a form with Ctrl+S or Cmd+S. */
export function submitOnSaveKey(event: KeyboardEvent & { currentTarget: HTMLFormElement }): void {
  if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey) || event.altKey) return;
  event.preventDefault();
  event.currentTarget.requestSubmit();
}

// The view Unsaved: the texts that were typed in this browser and not saved yet.

import { useEffect, useState } from "preact/hooks";
import {
  discardDraft,
  type Draft,
  drafts,
  editAddress,
  MAX_DRAFT_DAYS,
  readDraft,
  refreshDrafts,
} from "../frame/drafts.ts";
import { notify } from "../frame/notices.tsx";
import { CopyButton, Time } from "../parts/controls.tsx";
import { Empty, Page } from "../parts/page.tsx";
import { SaveAsNew } from "../parts/save-as-new.tsx";
import { Source } from "../parts/source.tsx";

const UNDO_MS = 10_000;

export function DraftsView() {
  useEffect(() => {
    refreshDrafts();
  }, []);
  return (
    <Page title="Unsaved texts">
      {drafts.value.length === 0 ? (
        <Empty title="Everything is saved">
          <p>What you type is kept in this browser until you save or discard it, and is listed here.</p>
        </Empty>
      ) : (
        <p class="quiet">
          They are in this browser only. What you do not save is deleted after {MAX_DRAFT_DAYS} days.
        </p>
      )}
      <ul class="plain drafts">
        {drafts.value.map((draft) => (
          <li key={draft.key}>
            <h2 dir="auto">
              <a href={editAddress(draft)}>{draft.title}</a>
            </h2>
            <p class="quiet">
              {draft.kind}, typed <Time at={draft.typedAt} />
            </p>
            <DraftText draft={draft} />
          </li>
        ))}
      </ul>
    </Page>
  );
}

/** What an editor keeps: its fields, of a stored record together with the state that they were made from. */
type Kept = Readonly<Record<string, string>> | { value: Readonly<Record<string, string>> };

/** The drafts of a record that cannot be read, for example because it was deleted. */
export function OrphanedDrafts({ kind, id }: { kind: Draft["kind"]; id: string }) {
  const own = drafts.value.filter((draft) => draft.kind === kind && draft.id === id);
  return (
    <>
      {own.map((draft) => (
        <section key={draft.key} aria-label="What you typed">
          <h2>What you typed is still here</h2>
          <DraftText draft={draft} />
        </section>
      ))}
    </>
  );
}

/** The text of a draft, and what can be done with it. */
function DraftText({ draft }: { draft: Draft }) {
  const [fields, setFields] = useState<Readonly<Record<string, string>> | undefined>();
  useEffect(() => {
    readDraft(draft.key).then((kept) => setFields(fieldsOf(kept as Kept | undefined)));
  }, [draft.key]);
  if (!fields) return null;
  const text = fields.content ?? fields.url ?? "";
  const discard = async () => {
    const bringBack = await discardDraft(draft);
    const close = notify(`What you typed in “${draft.title}” is discarded.`, {
      forMs: UNDO_MS,
      action: {
        label: "Undo",
        run() {
          bringBack();
          close();
        },
      },
    });
  };
  return (
    <>
      <Source text={text} label={`What you typed in ${draft.title}`} />
      <div class="actions">
        {draft.kind !== "page" && (
          <SaveAsNew
            kind={draft.kind}
            value={{ ...fields, title: fields.title || draft.title }}
            saved={() => discardDraft(draft)}
          />
        )}
        <CopyButton text={text} label="Copy the text" />
        <button type="button" onClick={discard}>
          Discard
        </button>
      </div>
    </>
  );
}

function fieldsOf(kept: Kept | undefined): Readonly<Record<string, string>> {
  if (kept === undefined) return {};
  return typeof kept.value === "object" ? kept.value : (kept as Readonly<Record<string, string>>);
}

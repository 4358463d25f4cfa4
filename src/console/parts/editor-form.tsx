// The form in which a record is edited: its fields, what was changed, saving and discarding.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { keepDraft, readDraft } from "../frame/drafts.ts";
import { ago, now } from "../text/format.ts";
import { Field } from "./controls.tsx";
import { Problem } from "./page.tsx";

interface Kept<Value> {
  value: Value;
  /** Epoch ms. */
  typedAt: number;
}

/** What is typed, kept in this browser under `name` until it is saved or discarded. It starts as `stored`. */
export function useDraft<Value extends object>(name: string, stored: Value) {
  const [kept] = useState(() => readDraft<Kept<Value>>(name));
  const [value, setValue] = useState(kept?.value ?? stored);
  return {
    value,
    /** When the text was typed that was found in the browser; undefined if there was none. */
    restoredFrom: kept?.typedAt,
    edit(part: Partial<Value>) {
      const next = { ...value, ...part };
      setValue(next);
      const isSame = JSON.stringify(next) === JSON.stringify(stored);
      keepDraft(name, isSame ? null : ({ value: next, typedAt: now() } satisfies Kept<Value>));
    },
    forget: () => keepDraft(name, null),
  };
}

interface EditorFormProps {
  /** When the text was typed that was found in the browser, epoch ms. */
  restoredFrom: number | undefined;
  children: ComponentChildren;
  problem: string | undefined;
  isSaving: boolean;
  /** What the person says about the change; "" for nothing. */
  changeLog: string;
  onChangeLog(text: string): void;
  save(): void;
  discard(): void;
}

export function EditorForm({ restoredFrom, children, problem, isSaving, ...props }: EditorFormProps) {
  const { changeLog, onChangeLog, save, discard } = props;
  return (
    <form
      class="editor"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
      onKeyDown={(event) => {
        if (event.key !== "s" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        event.currentTarget.requestSubmit();
      }}
    >
      {restoredFrom !== undefined && (
        <p class="quiet">This is what you typed {ago(restoredFrom)}. It is not saved yet.</p>
      )}
      {children}
      <Field label="What did you change?" hint="Optional; shown in the list of versions">
        <input dir="auto" value={changeLog} onInput={({ currentTarget: { value } }) => onChangeLog(value)} />
      </Field>
      <Problem text={problem} />
      <div class="actions">
        <button class="primary" type="submit" disabled={isSaving}>
          {isSaving ? "Saving…" : "Save"}
        </button>
        <button type="button" onClick={discard}>
          Discard
        </button>
      </div>
    </form>
  );
}

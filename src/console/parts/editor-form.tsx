// The form in which a stored record is edited: its fields, what was changed by others, saving and discarding.

import type { ComponentChildren } from "preact";
import { Conflict } from "./conflict.tsx";
import { CopyButton, Field } from "./controls.tsx";
import type { Editable, Editing } from "./editing.ts";
import { SaveBar, submitOnSaveKey } from "./save-bar.tsx";
import { SaveAsNew } from "./save-as-new.tsx";

interface EditorFormProps<Value extends Record<keyof Value, string>> {
  editable: Editable<Value>;
  editing: Editing<Value>;
  /** Called to save; absent to save what is typed as it is. */
  save?: () => void;
  /** The controls of the fields. */
  children: ComponentChildren;
}

export function EditorForm<Value extends Record<keyof Value, string> & { content: string }>({
  editable,
  editing,
  save = editing.save,
  children,
}: EditorFormProps<Value>) {
  const { subject, mergedBy } = editable;
  const { value, base, theirs, newer, isDeleted, isSaving } = editing;
  if (theirs) {
    return (
      <Conflict
        noun={subject.kind}
        base={base}
        mine={value}
        theirs={theirs}
        mergedBy={mergedBy}
        isSaving={isSaving}
        save={editing.saveMerged}
        edit={editing.takeMerged}
        discard={editing.discardMine}
      />
    );
  }
  return (
    <form
      class="editor"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
      onKeyDown={submitOnSaveKey}
    >
      {isDeleted && (
        <div class="problem" role="alert">
          <span>
            This {subject.kind} was deleted while you were editing it. What you typed is still here.
          </span>
          <SaveAsNew kind={subject.kind} value={value} saved={editing.discardMine} />
          <CopyButton text={value.content} label="Copy the text" />
        </div>
      )}
      {newer && !isDeleted && (
        <p class="problem" role="status">
          <span>This {subject.kind} was changed while you are editing it.</span>
          <button type="button" onClick={editing.compare}>
            Merge
          </button>
        </p>
      )}
      {children}
      <Field label="What did you change?" hint="Optional; shown in the list of versions">
        <input
          dir="auto"
          value={editing.changeLog}
          onInput={({ currentTarget }) => editing.editChangeLog(currentTarget.value)}
        />
      </Field>
      <SaveBar
        subject={subject}
        isChanged={editing.isChanged}
        isSaving={isSaving}
        problem={editing.problem}
        restoredFrom={editing.restoredFrom}
        isElsewhere={editing.isElsewhere}
        save="Save"
        discard={editing.discard}
      />
    </form>
  );
}

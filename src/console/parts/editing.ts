// Editing a stored record: its draft, saving it, and what to do if somebody else has changed or deleted it meanwhile.

import { useEffect, useRef, useState } from "preact/hooks";
import { onChanges } from "../api/live.ts";
import { messageOf, RequestError } from "../api/request.ts";
import type { DraftSubject } from "../frame/drafts.ts";
import { notify } from "../frame/notices.tsx";
import { withoutCarriageReturns } from "../text/line-ends.ts";
import type { MergedBy } from "../../kernel/merge.ts";
import { useDraft } from "./draft.ts";

/** A state of a record, as its editor shows it. */
export interface Snapshot<Value> {
  value: Value;
  /** What names this state: a change has another one. */
  mark: string;
  /** Epoch ms. */
  changedAt: number;
}

/** How one kind of record is read and saved. */
export interface Editable<Value> {
  subject: DraftSubject;
  mergedBy: Readonly<Record<keyof Value & string, MergedBy>>;
  /** Reads the current state. Throws RequestError: 404 if the record was deleted. */
  load(): Promise<Snapshot<Value>>;
  /** Saves a change of `base`. Throws RequestError: 412 if the record has changed since, 404 if it was deleted. */
  save(value: Value, base: Snapshot<Value>, changeLog: string): Promise<void>;
}

/** What is kept in the browser: the text, and the state that it was made from. */
export interface Typed<Value> {
  value: Value;
  changeLog: string;
  base: Snapshot<Value>;
}

/** The fields as text areas contain them. */
export const asTyped = <Value extends Record<keyof Value, string>>(value: Value): Value =>
  Object.fromEntries(
    Object.entries<string>(value).map(([name, text]) => [name, withoutCarriageReturns(text)]),
  ) as Value;

const isSameValue = <Value extends object>(a: Value, b: Value) =>
  Object.entries(a).every(([name, value]) => b[name as keyof Value] === value);
const isSame = <Value extends object>(a: Typed<Value>, b: Typed<Value>) =>
  a.changeLog === b.changeLog && isSameValue(a.value, b.value);

/** The state of an editor; undefined until the draft is read. `done` is called when editing has ended. */
export function useEditing<Value extends Record<keyof Value, string>>(
  editable: Editable<Value>,
  current: Snapshot<Value>,
  done: () => void,
) {
  // The state when editing started: what others change meanwhile is merged, and does not replace it.
  const [start] = useState(current);
  const { subject } = editable;
  const draft = useDraft<Typed<Value>>(
    subject,
    { value: asTyped(start.value), changeLog: "", base: start },
    isSame,
  );
  const [theirs, setTheirs] = useState<Snapshot<Value> | undefined>();
  const [newer, setNewer] = useState<Snapshot<Value> | undefined>();
  const [problem, setProblem] = useState<string | undefined>();
  const [isDeleted, setDeleted] = useState(false);
  const [isSaving, setSaving] = useState(false);
  const isBusy = useRef(false);
  // A draft that an earlier console has kept may lack fields: those are as they were.
  const kept = draft && {
    value: { ...asTyped(start.value), ...draft.value.value },
    base: { ...draft.value.base, value: { ...start.value, ...draft.value.base.value } },
  };
  const base = kept?.base;

  useEffect(() => {
    if (!base) return;
    const check = async () => {
      if (document.hidden || isBusy.current) return;
      try {
        const current = await editable.load();
        setNewer(current.mark === base.mark ? undefined : current);
      } catch (error) {
        if (error instanceof RequestError && error.status === 404) setDeleted(true);
      }
    };
    // A kept draft may be older than the record.
    if (base.mark !== start.mark) setNewer(start);
    addEventListener("focus", check);
    const stop = onChanges((changes) => {
      if (changes === "unknown" || changes.some(({ id }) => id === subject.id)) check();
    });
    return () => {
      stop();
      removeEventListener("focus", check);
    };
  }, [base?.mark]);

  if (!draft || !kept || !base) return undefined;
  const { value } = kept;
  const { changeLog } = draft.value;

  const finish = () => {
    draft.forget();
    notify("Saved.");
    done();
  };
  const save = async (next: Value, from: Snapshot<Value>) => {
    if (isBusy.current) return;
    isBusy.current = true;
    setSaving(true);
    setProblem(undefined);
    try {
      await editable.save(next, from, changeLog);
      return finish();
    } catch (error) {
      const status = error instanceof RequestError ? error.status : undefined;
      const current = status === 412 ? await editable.load().catch(() => undefined) : undefined;
      // The answer to an earlier attempt was lost.
      if (current && isSameValue(asTyped(current.value), next)) return finish();
      if (status === 404) setDeleted(true);
      if (current) setTheirs(current);
      else setProblem(messageOf(error));
    } finally {
      isBusy.current = false;
      setSaving(false);
    }
  };
  return {
    value,
    changeLog,
    base,
    theirs,
    newer,
    isSaving,
    isDeleted,
    problem: isDeleted ? `this ${subject.kind} was deleted.` : problem,
    isChanged: draft.isChanged,
    restoredFrom: draft.restoredFrom,
    isElsewhere: draft.isElsewhere,
    edit: (part: Partial<Value>) => draft.edit({ value: { ...value, ...part } }),
    editChangeLog: (text: string) => draft.edit({ changeLog: text }),
    /** Saves what is typed. */
    save: () => save(value, base),
    /** Says why what is typed cannot be saved. */
    reject: setProblem,
    discard() {
      draft.discard();
      done();
    },
    /** Shows what the other side has changed. */
    compare: () => setTheirs(newer),
    /** Goes on with a merged value, as a change of the other side's state. */
    takeMerged(merged: Value) {
      if (!theirs) return;
      draft.edit({ value: merged, base: theirs });
      setNewer(undefined);
      setTheirs(undefined);
    },
    saveMerged(merged: Value) {
      if (!theirs) return;
      draft.edit({ value: merged, base: theirs });
      setTheirs(undefined);
      save(merged, theirs);
    },
    discardMine() {
      draft.forget();
      done();
    },
  };
}

export type Editing<Value extends Record<keyof Value, string>> = NonNullable<
  ReturnType<typeof useEditing<Value>>
>;

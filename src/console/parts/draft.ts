// What is typed in a form, kept in this browser until it is saved or discarded.

import { useEffect, useRef, useState } from "preact/hooks";
import {
  type DraftSubject,
  drafts,
  editAddress,
  findDraft,
  forgetDraft,
  isDraftedElsewhere,
  keepDraft,
} from "../frame/drafts.ts";
import { go } from "../frame/location.ts";
import { notify } from "../frame/notices.tsx";

export interface DraftState<Value> {
  value: Value;
  /** When the text was typed that was found in the browser, epoch ms; undefined if there was none. */
  restoredFrom: number | undefined;
  isChanged: boolean;
  /** Whether another open tab has a draft of the same record. */
  isElsewhere: boolean;
  edit(part: Partial<Value>): void;
  /** Forgets the text after it was saved. */
  forget(): void;
  /** Forgets the text, and offers to bring it back. */
  discard(): void;
}

const UNDO_MS = 10_000;

/**
 * The draft of a record, or `initial`; undefined until the storage of the browser is read. `isSame` compares two
 * values.
 */
export function useDraft<Value extends object>(
  subject: DraftSubject,
  initial: Value,
  isSame: (typed: Value, initial: Value) => boolean = haveSameMembers,
): DraftState<Value> | undefined {
  const [state, setState] = useState<{ value: Value; restoredFrom: number | undefined } | undefined>();
  const [isElsewhere, setElsewhere] = useState(false);
  // Events of one moment would otherwise all start from the same state.
  const latest = useRef<Value>(initial);
  const name = `${subject.kind} ${subject.id}`;
  const all = drafts.value;

  useEffect(() => {
    let isCurrent = true;
    findDraft<Value>(subject).then((kept) => {
      if (!isCurrent) return;
      latest.current = kept?.value ?? initial;
      setState({ value: latest.current, restoredFrom: kept?.typedAt });
    });
    return () => {
      isCurrent = false;
    };
  }, [name]);

  useEffect(() => {
    let isCurrent = true;
    isDraftedElsewhere(subject).then((is) => isCurrent && setElsewhere(is));
    return () => {
      isCurrent = false;
    };
  }, [name, all]);

  if (!state) return undefined;
  return {
    ...state,
    isChanged: !isSame(state.value, initial),
    isElsewhere,
    edit(part) {
      latest.current = { ...latest.current, ...part };
      setState({ ...state, value: latest.current });
      if (isSame(latest.current, initial)) forgetDraft(subject);
      else keepDraft(subject, latest.current);
    },
    forget: () => forgetDraft(subject),
    discard() {
      const typed = latest.current;
      const show = (value: Value) => {
        latest.current = value;
        setState({ value, restoredFrom: undefined });
      };
      forgetDraft(subject);
      show(initial);
      if (isSame(typed, initial)) return;
      const close = notify(`What you typed in “${subject.title}” is discarded.`, {
        forMs: UNDO_MS,
        action: {
          label: "Undo",
          run() {
            keepDraft(subject, typed);
            close();
            show(typed);
            go(editAddress(subject));
          },
        },
      });
    },
  };
}

function haveSameMembers<Value extends object>(typed: Value, initial: Value): boolean {
  return Object.entries(initial).every(([name, value]) => typed[name as keyof Value] === value);
}

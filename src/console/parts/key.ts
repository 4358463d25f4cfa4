// A key that does something in one view.

import { useEffect, useRef } from "preact/hooks";

/** The last two keys: after `g`, a key goes to another view. */
let [before, last] = ["", ""];
addEventListener(
  "keydown",
  ({ key }) => {
    [before, last] = [last, key];
  },
  { capture: true },
);

/** Calls `act` when the key is pressed outside of text fields, without a modifier; undefined does nothing. */
export function useKey(key: string, act: (() => void) | undefined): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== key || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
      if (before === "g" || event.defaultPrevented || isInField(event.target) || !latest.current) return;
      event.preventDefault();
      latest.current();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [key]);
}

const isInField = (target: EventTarget | null) =>
  target instanceof Element && target.closest("input, textarea, select, dialog") !== null;

// Selecting several records of a list, and doing something with all of them.

import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { plural } from "../text/format.ts";

export interface Selection {
  ids: ReadonlySet<string>;
  /** Selects a record or not; with Shift also those between it and the last one. */
  toggle(id: string, isRange: boolean): void;
  select(ids: readonly string[]): void;
  clear(): void;
}

/** The selection in a list of records with these ids, in their order. */
export function useSelection(order: readonly string[]): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const last = useRef<string | undefined>(undefined);
  // What is no longer in the list must not be changed unseen.
  const shown = new Set(order.filter((id) => ids.has(id)));
  return {
    ids: shown,
    toggle(id, isRange) {
      const from = isRange && last.current !== undefined ? order.indexOf(last.current) : -1;
      const to = order.indexOf(id);
      const range = from < 0 ? [id] : order.slice(Math.min(from, to), Math.max(from, to) + 1);
      const next = new Set(shown);
      const isAdding = !next.has(id);
      for (const one of range) {
        if (isAdding) next.add(one);
        else next.delete(one);
      }
      last.current = id;
      setIds(next);
    },
    select: (all) => setIds(new Set(all)),
    clear: () => setIds(new Set()),
  };
}

interface SelectBoxProps {
  selection: Selection;
  id: string;
  title: string;
}

/** The box of one row. */
export function SelectBox({ selection, id, title }: SelectBoxProps) {
  return (
    <input
      type="checkbox"
      class="select"
      aria-label={`Select ${title}`}
      checked={selection.ids.has(id)}
      onClick={(event) => {
        event.preventDefault();
        selection.toggle(id, event.shiftKey);
      }}
    />
  );
}

interface SelectionBarProps {
  selection: Selection;
  noun: string;
  /** The ids of all records of the list that were read. */
  order: readonly string[];
  hasMore: boolean;
  /** Buttons that do something with the selected records. */
  children: ComponentChildren;
}

/** The bar at the lower edge of the window while records are selected. */
export function SelectionBar({ selection, noun, order, hasMore, children }: SelectionBarProps) {
  const count = selection.ids.size;
  if (count === 0) return null;
  return (
    <section class="save-bar" aria-label="Selected">
      <p class="save-state" role="status">
        {plural(count, noun)} selected
      </p>
      <div class="actions">
        {count < order.length && (
          <button type="button" class="small" onClick={() => selection.select(order)}>
            Select {hasMore ? `the ${order.length} that are loaded` : `all ${order.length}`}
          </button>
        )}
        <button type="button" class="small" onClick={selection.clear}>
          Clear
        </button>
        {children}
      </div>
    </section>
  );
}

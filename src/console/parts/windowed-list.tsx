// A list of any length of which only the rows near the visible ones exist in the page. The window scrolls, not the
// list.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

interface WindowedListProps<Item> {
  items: readonly Item[];
  keyOf(item: Item): string;
  /** The height of every row, pixels. */
  rowHeight: number;
  row(item: Item): ComponentChildren;
  label: string;
  hasMore: boolean;
  /** Called when the end of the list is near. */
  loadMore(): void;
}

/** The next page is read when this few rows are left below the visible ones, so that scrolling does not wait. */
const AHEAD_ROWS = 60;
/** Rows above and below the visible ones. */
const MARGIN_ROWS = 12;

interface WindowOptions {
  count: number;
  rowHeight: number;
  hasMore: boolean;
  loadMore(): void;
}

/** The rows of an element that are near the visible ones; more are loaded when its end is near. */
export function useWindow<Container extends HTMLElement>({
  count,
  rowHeight,
  hasMore,
  loadMore,
}: WindowOptions) {
  const container = useRef<Container>(null);
  const [range, setRange] = useState({ first: 0, last: 40 });

  useEffect(() => {
    const measure = () => {
      if (!container.current) return;
      const { top } = container.current.getBoundingClientRect();
      const first = Math.max(0, Math.floor(-top / rowHeight) - MARGIN_ROWS);
      const last = Math.ceil((innerHeight - top) / rowHeight) + MARGIN_ROWS;
      setRange((before) => (before.first === first && before.last === last ? before : { first, last }));
    };
    measure();
    addEventListener("scroll", measure, { passive: true });
    addEventListener("resize", measure);
    return () => {
      removeEventListener("scroll", measure);
      removeEventListener("resize", measure);
    };
  }, [rowHeight, count]);

  useEffect(() => {
    if (hasMore && range.last + AHEAD_ROWS >= count) loadMore();
  }, [range.last, count, hasMore]);

  return { container, range };
}

export function WindowedList<Item>({ items, rowHeight, ...props }: WindowedListProps<Item>) {
  const { keyOf, row, label, hasMore, loadMore } = props;
  const { container, range } = useWindow<HTMLUListElement>({
    count: items.length,
    rowHeight,
    hasMore,
    loadMore,
  });
  const shown = items.slice(range.first, range.last);
  return (
    <ul
      class="windowed"
      ref={container}
      aria-label={label}
      style={{ height: `${items.length * rowHeight}px` }}
    >
      {shown.map((item, index) => (
        <li
          key={keyOf(item)}
          aria-setsize={hasMore ? -1 : items.length}
          aria-posinset={range.first + index + 1}
          style={{ height: `${rowHeight}px`, top: `${(range.first + index) * rowHeight}px` }}
        >
          {row(item)}
        </li>
      ))}
    </ul>
  );
}

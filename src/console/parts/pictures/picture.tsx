// What all pictures have in common: their width, and the same numbers as a table.

import type { ComponentChildren, RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

/** The width of an element in CSS pixels, also after it changes; 0 before it is known. */
export function useWidth<Shown extends Element>(): [RefObject<Shown | null>, number] {
  const element = useRef<Shown>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (!element.current) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(element.current);
    setWidth(Math.floor(element.current.getBoundingClientRect().width));
    return () => observer.disconnect();
  }, []);
  return [element, width];
}

interface TableProps {
  caption: string;
  /** The names of the columns; those after the first `texts` contain numbers. */
  columns: readonly string[];
  texts?: number;
  rows: readonly { key: string; cells: readonly ComponentChildren[] }[];
}

/** The numbers of a picture, for those who would rather read. */
export function PictureTable({ caption, columns, texts = 1, rows }: TableProps) {
  const classOf = (column: number) => (column < texts ? undefined : "number");
  return (
    <details class="picture-table">
      <summary>As a table</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by the keyboard */}
      <section class="table" tabIndex={0} aria-label={caption}>
        <table>
          <caption class="hidden">{caption}</caption>
          <thead>
            <tr>
              {columns.map((name, column) => (
                <th scope="col" class={classOf(column)} key={name}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, cells }) => (
              <tr key={key}>
                {cells.map((cell, column) => (
                  <td class={classOf(column)} key={columns[column]}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}

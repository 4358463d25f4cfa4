// The headings of a document. Each is a link to its section.

import { here } from "../../frame/location.ts";
import type { Heading } from "../../parts/rendered-blocks.tsx";

const MAX_HEADINGS = 500;

interface OutlineProps {
  /** The address of the document. */
  href: string;
  headings: readonly Heading[];
}

export function Outline({ href, headings }: OutlineProps) {
  if (headings.length < 2) return <div class="outline" />;
  const top = Math.min(...headings.map(({ level }) => level));
  const anchor = anchorOf(here.value);
  return (
    <details class="outline" open={matchMedia("(min-width: 78.01rem)").matches}>
      <summary>Outline</summary>
      <ol>
        {headings.slice(0, MAX_HEADINGS).map((heading) => (
          <li key={heading.anchor} style={{ "--depth": heading.level - top }}>
            <a
              href={`${href}#${encodeURIComponent(heading.anchor)}`}
              aria-current={heading.anchor === anchor ? "location" : undefined}
              dir="auto"
            >
              {heading.text}
            </a>
          </li>
        ))}
      </ol>
    </details>
  );
}

/** The anchor in an address; "" without one. */
export function anchorOf({ hash }: URL): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return hash.slice(1);
  }
}

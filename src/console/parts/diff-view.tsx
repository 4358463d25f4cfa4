// A comparison of two texts, line by line.

import { useMemo } from "preact/hooks";
import { compare, type DiffRow } from "../../kernel/compare.ts";
import { plural } from "../text/format.ts";

const NAMES = { same: "", added: "added: ", removed: "removed: " } as const;
const SIGNS = { same: " ", added: "+", removed: "−" } as const;
const MAX_ROWS = 5_000;

export interface DiffViewProps {
  before: string;
  after: string;
  label: string;
}

export function DiffView({ before, after, label }: DiffViewProps) {
  const { rows, isEqual } = useMemo(() => compare(before, after), [before, after]);
  if (isEqual) return <p class="quiet">The texts are equal.</p>;
  return (
    // A comparison is wide and scrolls by itself.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: so that it scrolls with the keyboard
    <section class="diff" tabIndex={0} aria-label={label}>
      {rows.slice(0, MAX_ROWS).map((row, index) => (
        <DiffLine key={index} row={row} />
      ))}
      {rows.length > MAX_ROWS && <p class="quiet">{plural(rows.length - MAX_ROWS, "more line")}</p>}
    </section>
  );
}

function DiffLine({ row }: { row: DiffRow }) {
  if (row.kind === "gap") return <div class="gap">{plural(row.lines, "unchanged line")}</div>;
  return (
    <div class={`line ${row.kind}`}>
      <span class="sign" aria-hidden="true">
        {SIGNS[row.kind]}
      </span>
      <span class="hidden">{NAMES[row.kind]}</span>
      {row.pieces.map(({ text, isChanged }, index) =>
        isChanged ? <b key={index}>{text}</b> : <span key={index}>{text}</span>,
      )}
    </div>
  );
}

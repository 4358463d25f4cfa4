// A comparison of two texts, line by line. Each change can be undone by itself.

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
  /** Called with the later text with one change undone; absent if nothing can be undone. */
  restore?: (text: string) => void;
}

export function DiffView({ before, after, label, restore }: DiffViewProps) {
  const { rows, isEqual, undone } = useMemo(() => compare(before, after), [before, after]);
  if (isEqual) return <p class="quiet">The texts are equal.</p>;
  const shown = rows.slice(0, MAX_ROWS);
  const changes = restore ? runsOf(shown) : [shown];
  return (
    // A comparison is wide and scrolls by itself.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: so that it scrolls with the keyboard
    <section class="diff" tabIndex={0} aria-label={label}>
      {changes.map((run, index) => {
        const change = changeOf(run[0]);
        const lines = run.map((row, line) => <DiffLine key={line} row={row} />);
        if (!restore || change === undefined) return lines;
        return (
          <div class="hunk" key={index}>
            <div>{lines}</div>
            <RestorePart restore={() => restore(undone(change))} />
          </div>
        );
      })}
      {rows.length > MAX_ROWS && <p class="quiet">{plural(rows.length - MAX_ROWS, "more line")}</p>}
    </section>
  );
}

/** Brings one part of the earlier text back. */
export function RestorePart({ restore }: { restore(): void }) {
  return (
    <button type="button" class="small" onClick={restore}>
      Restore this part
    </button>
  );
}

const changeOf = (row: DiffRow | undefined) => (row?.kind === "gap" ? undefined : row?.change);

/** The rows by change, with the unchanged ones between them. */
function runsOf(rows: readonly DiffRow[]): DiffRow[][] {
  const runs: DiffRow[][] = [];
  for (const row of rows) {
    const last = runs.at(-1);
    if (last && changeOf(last[0]) === changeOf(row)) last.push(row);
    else runs.push([row]);
  }
  return runs;
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

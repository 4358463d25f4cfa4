// A comparison of two Markdown texts as they are read: block by block, rendered.

import { useMemo } from "preact/hooks";
import { compareParts, type PartsRun } from "../../kernel/compare.ts";
import { plural } from "../text/format.ts";
import { MAX_RENDERED_UNITS } from "../text/limits.ts";
import { renderBlocks } from "../text/markdown.ts";
import { DiffView, type DiffViewProps } from "./diff-view.tsx";
import { RenderedBlocks } from "./rendered-blocks.tsx";

/** Unchanged blocks that are shown before and after a change. */
const CONTEXT = 1;

export function RenderedDiff(props: DiffViewProps) {
  const { before, after, label } = props;
  const isTooLong = before.length + after.length > MAX_RENDERED_UNITS;
  const runs = useMemo(
    () => (isTooLong ? [] : compareParts(blocksOf(before), blocksOf(after))),
    [before, after, isTooLong],
  );
  if (isTooLong) return <DiffView {...props} />;
  if (runs.every(({ kind }) => kind === "same")) return <p class="quiet">The texts read the same.</p>;
  return (
    <section class="rendered-diff" aria-label={label}>
      {runs.map((run, index) =>
        run.kind === "same" ? (
          <Unchanged key={index} run={run} isFirst={index === 0} isLast={index === runs.length - 1} />
        ) : (
          <Changed key={index} run={run} />
        ),
      )}
    </section>
  );
}

const blocksOf = (text: string) =>
  renderBlocks(text).map(({ start, end }) => text.slice(start, end).trimEnd());

function Changed({ run: { kind, parts } }: { run: PartsRun }) {
  const Element = kind === "added" ? "ins" : "del";
  return (
    <Element class={kind}>
      <RenderedBlocks text={parts.join("\n\n")} />
    </Element>
  );
}

function Unchanged({
  run: { parts },
  isFirst,
  isLast,
}: {
  run: PartsRun;
  isFirst: boolean;
  isLast: boolean;
}) {
  const head = isFirst ? 0 : CONTEXT;
  const tail = isLast ? 0 : CONTEXT;
  const hidden = parts.length - head - tail;
  if (hidden <= 1) return <RenderedBlocks text={parts.join("\n\n")} />;
  return (
    <>
      {head > 0 && <RenderedBlocks text={parts.slice(0, head).join("\n\n")} />}
      <p class="gap quiet">{plural(hidden, "unchanged block")}</p>
      {tail > 0 && <RenderedBlocks text={parts.slice(-tail).join("\n\n")} />}
    </>
  );
}

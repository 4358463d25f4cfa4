// A comparison of two Markdown texts as they are read: block by block, rendered.

import { useMemo } from "preact/hooks";
import { plural } from "../text/format.ts";
import { MAX_RENDERED_UNITS } from "../text/limits.ts";
import { compareBlocks } from "../text/block-changes.ts";
import { DiffView, type DiffViewProps, RestorePart } from "./diff-view.tsx";
import { RenderedBlocks } from "./rendered-blocks.tsx";

/** Unchanged blocks that are shown before and after a change. */
const CONTEXT = 1;

export function RenderedDiff(props: DiffViewProps) {
  const { before, after, label, restore } = props;
  const isTooLong = before.length + after.length > MAX_RENDERED_UNITS;
  const runs = useMemo(() => (isTooLong ? [] : compareBlocks(before, after)), [before, after, isTooLong]);
  if (isTooLong) return <DiffView {...props} />;
  if (runs.every(({ kind }) => kind === "same")) return <p class="quiet">The texts read the same.</p>;
  return (
    <section class="rendered-diff" aria-label={label}>
      {runs.map((run, index) =>
        run.kind === "same" ? (
          <Unchanged
            key={index}
            blocks={run.blocks}
            isFirst={index === 0}
            isLast={index === runs.length - 1}
          />
        ) : (
          <div class="hunk" key={index}>
            <div>
              <Blocks kind="removed" blocks={run.removed} />
              <Blocks kind="added" blocks={run.added} />
            </div>
            {restore && <RestorePart restore={() => restore(run.undone())} />}
          </div>
        ),
      )}
    </section>
  );
}

function Blocks({ kind, blocks }: { kind: "added" | "removed"; blocks: string[] }) {
  if (blocks.length === 0) return null;
  const Element = kind === "added" ? "ins" : "del";
  return (
    <Element class={kind}>
      <RenderedBlocks text={blocks.join("\n\n")} />
    </Element>
  );
}

function Unchanged({ blocks, isFirst, isLast }: { blocks: string[]; isFirst: boolean; isLast: boolean }) {
  const head = isFirst ? 0 : CONTEXT;
  const tail = isLast ? 0 : CONTEXT;
  const hidden = blocks.length - head - tail;
  if (hidden <= 1) return <RenderedBlocks text={blocks.join("\n\n")} />;
  return (
    <>
      {head > 0 && <RenderedBlocks text={blocks.slice(0, head).join("\n\n")} />}
      <p class="gap quiet">{plural(hidden, "unchanged block")}</p>
      {tail > 0 && <RenderedBlocks text={blocks.slice(-tail).join("\n\n")} />}
    </>
  );
}

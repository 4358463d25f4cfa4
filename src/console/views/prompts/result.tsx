// What the language model has written for a prompt. Nobody vouches for it: it is shown as any other text.

import { CopyButton } from "../../parts/controls.tsx";
import { Problem } from "../../parts/page.tsx";
import { Rendered } from "../../parts/rendered.tsx";
import { plural } from "../../text/format.ts";
import type { Run } from "./run.ts";

const wordsIn = (text: string) => text.split(/\s+/).filter((word) => word !== "").length;

function stateOf({ state, text, isCut }: Run): string {
  if (state === "running") return text === "" ? "Waiting for the model…" : "Writing…";
  const length = plural(wordsIn(text), "word");
  if (isCut) return `${length}, cut at a limit`;
  return state === "done" ? length : `${length}, not complete`;
}

export function Result({ run, label }: { run: Run; label: string }) {
  return (
    <section class="result" aria-label={label} aria-busy={run.state === "running"}>
      <header>
        <h2>{label}</h2>
        <span class="quiet" role="status">
          {stateOf(run)}
        </span>
        {run.text !== "" && <CopyButton text={run.text} />}
      </header>
      <Problem text={run.problem} />
      {run.text !== "" && <Rendered text={run.text} />}
    </section>
  );
}

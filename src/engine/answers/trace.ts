// What each step of an answer did, as lines of text: for `ctxrepo ask --explain` and benchmarks.

import { probabilityOf } from "../../kernel/logistic.ts";
import { cutUnits } from "../../kernel/text.ts";
import type { Evidence } from "./2-passages/passages.ts";
import { answerFeatures, type Models, type Ranked, type Ranking } from "./3-rank/rank.ts";
import type { Computed } from "./5-tables/tables.ts";
import type { Conflict } from "./6-conflicts.ts";
import type { Selection } from "./7-select.ts";

/** The lines of each step, in the order of the steps. */
export type Trace = { step: string; lines: string[] }[];

/** What the steps returned. */
interface Steps {
  models: Models;
  /** Before reading. */
  ranked: readonly Ranking[];
  rankings: readonly Ranking[];
  computed: ReadonlyMap<number, Computed>;
  conflicts: readonly Conflict[];
  selections: readonly Selection[];
}

/** Number of passages of a part that are listed. */
const MAX_LISTED = 5;
const MAX_UNITS = 100;

const shortened = (text: string) =>
  text.length > MAX_UNITS ? `${cutUnits(text, MAX_UNITS)} …` : text.replace(/\s+/g, " ");
const rounded = (values: Record<string, number>) =>
  Object.entries(values)
    .map(([name, value]) => `${name} ${value.toFixed(2)}`)
    .join(", ");

/** The trace of one answer. */
export function traceOf(evidence: readonly Evidence[], steps: Steps): Trace {
  const { models, ranked, rankings, computed, conflicts, selections } = steps;
  const ofParts = (lines: (ranking: Ranking) => string[]) => (all: readonly Ranking[]) =>
    all.flatMap((one) => lines(one).map((line) => `part ${one.index + 1}: ${line}`));
  const best = (describe: (one: Ranked) => string) =>
    ofParts(({ ranked: all }) =>
      all.slice(0, MAX_LISTED).map((one) => `${describe(one)} “${shortened(one.passage.plain)}”`),
    );
  return [
    {
      step: "1 question",
      lines: ofParts(({ part }) => [
        `“${part.text}”, type ${part.type.name}, searched as “${part.search}”`,
        `words: ${part.terms.map(({ word, weight }) => `${word} ${weight.toFixed(2)}`).join(", ")}`,
      ])(rankings),
    },
    { step: "2 passages", lines: [`${evidence.length} chunks, ${ranked[0]?.ranked.length ?? 0} passages`] },
    {
      step: "3 rank",
      lines: best(({ probability, features }) => `${probability.toFixed(3)} (${rounded(features)})`)(ranked),
    },
    {
      step: "4 read",
      lines: [
        ...best(
          ({ probability, answers }) =>
            `${probability.toFixed(3)} (log-odds ${answers?.toFixed(1) ?? "not read"})`,
        )(rankings),
        ...ofParts((ranking) => {
          const features = answerFeatures(ranking);
          return [
            `answered with probability ${probabilityOf(models.answered, features).toFixed(2)} (${rounded(features)})`,
          ];
        })(rankings),
      ],
    },
    {
      step: "5 tables",
      lines: [...computed].map(([part, { statement }]) => `part ${part + 1}: ${statement}`),
    },
    {
      step: "6 conflicts",
      lines: conflicts.map(
        ({ part, says, a, b }) =>
          `part ${part + 1}: ${says.join(" or ")}: “${shortened(a.plain)}” “${shortened(b.plain)}”`,
      ),
    },
    {
      step: "7 select",
      lines: selections.map(({ ranking, isOpen, direct, further }) => {
        const counts = [direct, further].map((groups) => groups.flat().length);
        return `part ${ranking.index + 1}: ${isOpen ? "not answered" : "answered"}, ${counts[0]} direct, ${counts[1]} further passages`;
      }),
    },
  ];
}

// Describes what the documents do not establish: one line for each part of the question that nothing answers.

import { asked } from "./compose.ts";
import type { Ranking } from "./select.ts";

/** The gap of an open part, with the words that were not found if there are any. */
export function gapOf({ part, scores }: Ranking, isWhole: boolean): string {
  const missing = missingOf({ part, scores });
  const text = asked(isWhole ? part.text : part.text.replace(/^(?:and|but|also)\s+/i, ""));
  const detail = missing.length > 0 ? ` (nothing found about: ${missing.map(asked).join(", ")})` : "";
  return `The documents do not establish: ${text === "" ? "what was asked" : text}${detail}`;
}

/** Words of the part that the best units do not cover. */
function missingOf({ part, scores }: Ranking): string[] {
  const own = new Set(part.terms.map(({ stem }) => stem));
  const near = scores.slice(0, 5);
  const missing = (near[0]?.covered ?? [])
    .filter(
      ({ term }, i) =>
        own.has(term.stem) && term.weight >= 1 && near.every(({ covered }) => covered[i]!.share < 0.35),
    )
    .map(({ term }) => term.word);
  return [...new Set(missing)].slice(0, 5);
}

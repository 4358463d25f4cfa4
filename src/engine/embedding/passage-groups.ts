// Splits passages into groups, one for each call of an embedding worker, and joins the results.

import type { EmbeddedPassages, Passage } from "./worker.ts";

/** Maximum size of a group: about 0.2 s of work, so that the passages of one document are distributed evenly. */
const MAX_PASSAGES = 16;
const MAX_CHARACTERS = 16_000;

export interface PassageGroup {
  group: Passage[];
  characters: number;
}

/** Groups of consecutive passages; a passage longer than the maximum is a group by itself. */
export function groupsOf(passages: readonly Passage[]): PassageGroup[] {
  const groups: PassageGroup[] = [];
  let last: PassageGroup | undefined;
  for (const passage of passages) {
    const length = passage.context.length + passage.text.length;
    if (!last || last.group.length === MAX_PASSAGES || last.characters + length > MAX_CHARACTERS) {
      last = { group: [], characters: 0 };
      groups.push(last);
    }
    last.group.push(passage);
    last.characters += length;
  }
  return groups;
}

/** The results of consecutive groups as one. */
export function joined(parts: readonly EmbeddedPassages[]): EmbeddedPassages {
  return {
    windows: parts.flatMap(({ windows }) => windows),
    tokens: parts.reduce((sum, { tokens }) => sum + tokens, 0),
  };
}

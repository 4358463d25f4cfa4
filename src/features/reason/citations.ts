// Finds citation tokens, `[[chunkId]]`, in a text, and removes those whose chunk was not gathered.

import { withoutCitations } from "../../engine/markdown/shown.ts";

const TOKEN = / ?\[\[([^[\]]{1,230})\]\]/g;

/** The ids that a text cites, in order, with repetitions. */
export function citedIn(text: string): string[] {
  return [...text.matchAll(TOKEN)].flatMap(([, inside]) => idsOf(inside!));
}

/**
 * The text with only the tokens of known chunks, one for each id; the other ids are added to `dropped`. Remaining
 * double brackets are separated, so that nothing else can be read as a token.
 */
export function keepKnown(text: string, isKnown: (id: string) => boolean, dropped: Set<string>): string {
  let kept = "";
  let at = 0;
  for (const match of text.matchAll(TOKEN)) {
    kept += withoutCitations(text.slice(at, match.index));
    at = match.index + match[0].length;
    const ids = idsOf(match[1]!);
    for (const id of ids) if (!isKnown(id)) dropped.add(id);
    const known = ids.filter(isKnown).map((id) => `[[${id}]]`);
    if (known.length > 0) kept += `${match[0].startsWith(" ") ? " " : ""}${known.join(" ")}`;
    else if (kept.endsWith("[")) kept += " ";
  }
  return kept + withoutCitations(text.slice(at));
}

/** Models often put several ids into one pair of brackets. */
const idsOf = (inside: string): string[] =>
  inside
    .split(/[,;]/)
    .map((id) => id.trim())
    .filter((id) => id !== "");

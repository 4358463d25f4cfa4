// Whether a text tells somebody to do something, by its first verb. It reads English.

import { linesOf } from "./word-lists.ts";
import actions from "./words/actions.txt" with { type: "text" };

const ACTIONS = new Set(linesOf(actions).join(" ").split(/\s+/));
const FIRST_VERB =
  /^(?:(?:to [\p{L}\s]+|if [^,]+|when [^,]+|after [^,]+|[\p{L}\s]{1,30}), )?(?:\p{L}+: )?(?:(?:then|first|next|now|please|always|never|afterwards|carefully|slowly|finally|do not|don['’]t) )*(\p{L}+)/iu;

/** `Then press the red button.` is one, `The button is red.` is none. */
export const isImperative = (text: string): boolean =>
  ACTIONS.has(FIRST_VERB.exec(text)?.[1]?.toLowerCase() ?? "");

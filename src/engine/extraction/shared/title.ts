// Titles: their maximum length and how they are compared.

import { normalized } from "../../../kernel/text.ts";

/** Maximum length of a title in characters. */
export const MAX_TITLE = 300;

/** The words of a text in lower case without punctuation, for comparison. */
export function normalizedWords(text: string): string {
  return normalized(text, "NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

// Titles: how long one may be and how two are compared.

/** Characters of a title. */
export const MAX_TITLE = 300;

/** A title's letters alone, for comparison. */
export function bareWords(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

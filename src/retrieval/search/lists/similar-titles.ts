// Titles that are like what somebody has typed: with one wrong, missing, additional or swapped letter in a word.

import { plainForm, wordForm } from "../../words/normalize.ts";

/** Shorter words must be as they are typed. */
const MIN_LETTERS = 4;

const wordsOf = (text: string): string[] => wordForm(plainForm(text)).match(/[\p{L}\p{N}]+/gu) ?? [];

/** Returns a function that says whether each word of `text` is like the start of a word of a title. */
export function similarTo(text: string): (title: string) => boolean {
  const wanted = wordsOf(text);
  return (title) => {
    const words = wordsOf(title);
    return wanted.length > 0 && wanted.every((one) => words.some((word) => startsLike(word, one)));
  };
}

/** Whether a word starts with another one, up to one edit (a distance of Damerau and Levenshtein). */
function startsLike(word: string, wanted: string): boolean {
  let same = 0;
  while (same < wanted.length && word[same] === wanted[same]) same++;
  if (same === wanted.length) return true;
  // The first letter is right, which keeps unrelated short words out.
  if (same === 0 || wanted.length < MIN_LETTERS) return false;
  const after = (letters: number) => wanted.slice(same + letters);
  return (
    word.startsWith(after(1), same + 1) ||
    word.startsWith(after(1), same) ||
    word.startsWith(after(0), same + 1) ||
    (wanted[same] === word[same + 1] &&
      wanted[same + 1] === word[same] &&
      word.startsWith(after(2), same + 2))
  );
}

// How a text's tokens are cut into windows that the model can read. Pure over token ids; it knows no tokenizer.

/**
 * Half of what all-MiniLM-L6-v2 was trained on, the two special tokens included: on five collections windows of 128 rank
 * better than windows of 256 or 160, for three vectors where there were two.
 */
export const MAX_WINDOW_TOKENS = 128;

/** At most this much of a window goes to title and headings, so that the text itself keeps the upper hand. */
export const MAX_CONTEXT_TOKENS = 48;

/** What the tokenizer puts around a text, and which tokens only continue a word. */
export interface TokenFrame {
  first: number;
  last: number;
  continuesWord(token: number): boolean;
}

/**
 * Cuts `text` into windows of at most 128 tokens: first special, the cut context, a stretch of the text, last special.
 * The stretches together are the text, in order, nothing lost or doubled; they differ little in length, and a cut goes
 * before a word, never into it, unless the word is longer than a quarter of a stretch. A text without tokens is one window.
 */
export function cutWindows(
  text: readonly number[],
  context: readonly number[],
  frame: TokenFrame,
): number[][] {
  const head = [frame.first, ...context.slice(0, wordStart(context, 0, MAX_CONTEXT_TOKENS, frame))];
  const room = MAX_WINDOW_TOKENS - head.length - 1;
  const windows: number[][] = [];
  let start = 0;
  do {
    const left = text.length - start;
    const length = Math.ceil(left / Math.max(1, Math.ceil(left / room)));
    const end = wordStart(text, start, start + length, frame);
    windows.push([...head, ...text.slice(start, end), frame.last]);
    start = end;
  } while (start < text.length);
  return windows;
}

/** The last start of a word at or before `end`, or `end` itself when there is none in the last quarter from `start`. */
function wordStart(tokens: readonly number[], start: number, end: number, frame: TokenFrame): number {
  if (end >= tokens.length) return tokens.length;
  const earliest = end - Math.floor((end - start) / 4);
  for (let cut = end; cut >= earliest && cut > start; cut--) {
    if (!frame.continuesWord(tokens[cut]!)) return cut;
  }
  return end;
}

// Splits the tokens of a text into windows that fit the model. Pure.

/**
 * Half of what all-MiniLM-L6-v2 was trained on, the two special tokens included: on five collections windows of 128
 * rank better than windows of 256 or 160, for three vectors where there were two.
 */
export const MAX_WINDOW_TOKENS = 128;

/** Maximum number of tokens of title and headings in a window, so that most of it is the text itself. @testOnly */
export const MAX_CONTEXT_TOKENS = 48;

/** The special tokens around a text, and which tokens continue a word. */
export interface TokenFrame {
  first: number;
  last: number;
  continuesWord(token: number): boolean;
}

/**
 * Splits `text` into windows of at most 128 tokens: first special token, truncated context, a part of the text, last
 * special token. The parts in order are the whole text and have similar lengths. Words are not split unless they are
 * longer than a quarter of a part. A text without tokens gives one window.
 */
export function cutWindows(
  text: readonly number[],
  context: readonly number[],
  frame: TokenFrame,
): number[][] {
  const head = [
    frame.first,
    ...context.slice(0, wordStart(context, { start: 0, end: MAX_CONTEXT_TOKENS }, frame)),
  ];
  const room = MAX_WINDOW_TOKENS - head.length - 1;
  const windows: number[][] = [];
  let start = 0;
  do {
    const left = text.length - start;
    const length = Math.ceil(left / Math.max(1, Math.ceil(left / room)));
    const end = wordStart(text, { start, end: start + length }, frame);
    windows.push([...head, ...text.slice(start, end), frame.last]);
    start = end;
  } while (start < text.length);
  return windows;
}

/** The last start of a word at or before `end`, or `end` itself if there is none in the last quarter from `start`. */
function wordStart(
  tokens: readonly number[],
  { start, end }: { start: number; end: number },
  frame: TokenFrame,
): number {
  if (end >= tokens.length) return tokens.length;
  const earliest = end - Math.floor((end - start) / 4);
  for (let cut = end; cut >= earliest && cut > start; cut--) {
    if (!frame.continuesWord(tokens[cut]!)) return cut;
  }
  return end;
}

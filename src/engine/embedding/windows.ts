// Splits the tokens of a text into windows that fit the model. Pure.

/**
 * Half of what all-MiniLM-L6-v2 was trained on, the two special tokens included: on five collections windows of 128
 * rank better than windows of 256 or 160, for three vectors where there were two.
 */
export const MAX_WINDOW_TOKENS = 128;

/** Maximum number of tokens of title and headings in a window, so that most of it is the text itself. @testOnly */
export const MAX_CONTEXT_TOKENS = 48;

/** What surrounds a text, and which tokens continue a word. */
export interface TokenFrame {
  /** Special tokens and the prompt before a text, and special tokens after it. */
  before: readonly number[];
  after: readonly number[];
  continuesWord(token: number): boolean;
  /** Tokens of a window. */
  maxTokens: number;
}

/**
 * Splits `text` into windows of at most `maxTokens`: what comes before a text, truncated context, a part of the text,
 * what comes after it. The parts in order are the whole text and have similar lengths. Words are not split unless they
 * are longer than a quarter of a part. A text without tokens gives one window.
 */
export function cutWindows(
  text: readonly number[],
  context: readonly number[],
  frame: TokenFrame,
): number[][] {
  const { before, after, maxTokens } = frame;
  const head = [
    ...before,
    ...context.slice(0, wordStart(context, { start: 0, end: MAX_CONTEXT_TOKENS }, frame)),
  ];
  const room = Math.max(1, maxTokens - head.length - after.length);
  const windows: number[][] = [];
  let start = 0;
  do {
    const left = text.length - start;
    const length = Math.ceil(left / Math.max(1, Math.ceil(left / room)));
    const end = wordStart(text, { start, end: start + length }, frame);
    windows.push([...head, ...text.slice(start, end), ...after]);
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

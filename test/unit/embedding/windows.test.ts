// Windows: every token of the text once, in order, under the bound, no cut inside a word.

import { describe, expect, test } from "bun:test";
import {
  cutWindows,
  MAX_CONTEXT_TOKENS,
  MAX_WINDOW_TOKENS,
  type TokenFrame,
} from "../../../src/engine/embedding/windows.ts";

const FIRST = 1;
const LAST = 2;

/** Ids from 1,000,000 on continue a word. */
const frame: TokenFrame = {
  before: [FIRST],
  after: [LAST],
  maxTokens: MAX_WINDOW_TOKENS,
  continuesWord: (token) => token >= 1_000_000,
};

function words(count: number, from = 1_000): number[] {
  return Array.from({ length: count }, (_, i) => from + i);
}

/** Words of five tokens each. */
function longWords(count: number): number[] {
  return Array.from({ length: count }, (_, i) => (i % 5 === 0 ? 1_000 + i : 1_000_000 + i));
}

describe("cutWindows", () => {
  test.each([
    // text, context, expected windows
    [0, 0, 1],
    [0, 10, 1],
    [1, 0, 1],
    [126, 0, 1],
    [127, 0, 2],
    [252, 0, 2],
    [253, 0, 3],
    [116, 10, 1],
    [117, 10, 2],
    [78, 48, 1],
    [79, 48, 2],
    [78, 500, 1],
    [5_000, 48, 65],
  ])("%d tokens of text under %d of context make %d windows", (text, context, expected) => {
    const windows = cutWindows(words(text), words(context, 500_000), frame);
    expect(windows.length).toBe(expected);
  });

  test.each([
    ["one-token words", words],
    ["words of five tokens", longWords],
    ["one endless word", (count: number) => longWords(count).map((token) => token + 1_000_000)],
  ])("loses and doubles nothing: %s", (_name, make) => {
    for (const length of [0, 1, 77, 78, 79, 126, 127, 128, 251, 252, 253, 1_000, 2_345]) {
      for (const contextLength of [0, 7, MAX_CONTEXT_TOKENS, 300]) {
        const text = make(length);
        const context = words(contextLength, 500_000);
        const head = [FIRST, ...context.slice(0, MAX_CONTEXT_TOKENS)];
        const windows = cutWindows(text, context, frame);
        for (const window of windows) {
          expect(window.length).toBeLessThanOrEqual(MAX_WINDOW_TOKENS);
          expect(window.slice(0, head.length)).toEqual(head);
          expect(window.at(-1)).toBe(LAST);
        }
        const stretches = windows.map((window) => window.slice(head.length, -1));
        expect(stretches.flat()).toEqual(text);
        const lengths = stretches.map((stretch) => stretch.length);
        // A cut moves by a word of five tokens at most.
        expect(Math.min(...lengths)).toBeGreaterThanOrEqual(Math.floor(Math.max(...lengths) / 2) - 5);
      }
    }
  });

  test("cuts before words, and the context too", () => {
    const windows = cutWindows(longWords(1_000), longWords(100), frame);
    for (const window of windows) {
      const context = window.slice(1, 1 + 45);
      expect(context).toEqual(longWords(45));
      expect(frame.continuesWord(window[1 + 45]!)).toBe(false);
    }
  });

  test("windows of one text differ little in length", () => {
    const lengths = cutWindows(words(1_300), [], frame).map((window) => window.length);
    expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThanOrEqual(1);
  });
});

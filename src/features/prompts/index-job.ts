// The job prompt.index: one vector of title, description and content for each prompt. Embedding happens in its thread, in
// portions, so that a book of a prompt neither holds up documents nor a server that is stopping.

import type { App } from "../../app.ts";
import { sha256Hex } from "../../kernel/hash.ts";
import { EMBEDDING_DIMENSION } from "../../kernel/limits.ts";
import { cutUnits } from "../../kernel/text.ts";
import { indexedText, putPromptVector } from "../../retrieval/prompts.ts";
import { findPrompt, type PromptRow } from "./store.ts";

/** A portion is embedded in about half a second: some 2,000 tokens, eight windows. */
const PORTION_UNITS = 8_000;

/** Embeds the prompt as it is now. Does nothing when it is gone or its text is embedded already. */
export async function indexPrompt(app: App, promptId: string, signal: AbortSignal): Promise<void> {
  const { store, spaces } = app;
  const space = await spaces.current();
  const row = findPrompt(store, promptId);
  if (!row) return;
  const textHash = hashOf(row);
  const indexed = indexedText(store.sql, promptId);
  if (indexed?.spaceId === space.id && indexed.textHash === textHash) return;
  const vector = await embed(app, row, signal);
  store.write((write) => {
    const current = findPrompt(write, promptId);
    // Another text by now: its own job waits already.
    if (!current || hashOf(current) !== textHash) return;
    putPromptVector(write.sql, promptId, space.id, textHash, vector);
  });
}

function hashOf({ title, description, content }: PromptRow): string {
  return sha256Hex(JSON.stringify([title, description, content]));
}

/** The normalised mean over all windows of the text, the title in front of each. */
async function embed({ embedder }: App, row: PromptRow, signal: AbortSignal): Promise<Float32Array> {
  const sum = new Float32Array(EMBEDDING_DIMENSION);
  for (const text of portions(`${row.description}\n\n${row.content}`)) {
    signal.throwIfAborted();
    const { windows } = await embedder.embedPassages([{ context: row.title, text }]);
    for (const vector of windows[0]) for (let i = 0; i < sum.length; i++) sum[i] += vector[i];
  }
  const norm = Math.sqrt(sum.reduce((squares, value) => squares + value * value, 0));
  return sum.map((value) => value / (norm || 1));
}

/** Cuts a text before words, into pieces of at most PORTION_UNITS. */
function* portions(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const piece = cutUnits(text.slice(start, start + PORTION_UNITS + 1), PORTION_UNITS);
    const isLast = start + piece.length >= text.length;
    const space = isLast ? -1 : piece.search(/\s\S*$/);
    const portion = space > 0 ? piece.slice(0, space) : piece;
    yield portion;
    start += portion.length;
  }
}

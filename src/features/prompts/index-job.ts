// The job prompt.index: one vector of title, description and content for each prompt. It embeds a long content in
// portions, so that it does not delay the indexing of documents or the stop of the server.

import type { Store } from "../../db/store.ts";
import { PATIENT } from "../../db/waiting-writes.ts";
import type { Embedder } from "../../engine/embedding/embedder.ts";
import { partsOfText } from "../../engine/embedding/text-parts.ts";
import type { Passage } from "../../engine/embedding/worker.ts";
import { unlessAborted } from "../../kernel/abort.ts";
import { sha256Hex } from "../../kernel/hash.ts";
import { EMBEDDING_DIMENSION } from "../../kernel/limits.ts";
import { addTo, toUnitLength } from "../../kernel/vectors.ts";
import { indexedText, putPromptVector } from "../../retrieval/search/prompts.ts";
import type { Spaces } from "../../retrieval/generations/spaces.ts";
import { findPrompt, type PromptRow } from "./store.ts";

/** UTF-16 units of a portion: about 2,000 tokens or eight windows, embedded in about half a second. */
const MAX_PORTION_UNITS = 8_000;

/** What the job needs. */
export interface IndexPromptDeps {
  store: Store;
  spaces: Spaces;
}

/** Embeds the current text of the prompt. Does nothing if it was deleted or this text is embedded already. */
export async function indexPrompt(
  { store, spaces }: IndexPromptDeps,
  promptId: string,
  signal: AbortSignal,
): Promise<void> {
  const row = findPrompt(store, promptId);
  if (!row) return;
  await unlessAborted(spaces.noticeText(`${row.title}\n${row.description}\n${row.content}`), signal);
  const space = await unlessAborted(spaces.current(), signal);
  const textHash = hashOf(row);
  const indexed = indexedText(store.sql, promptId);
  if (indexed?.spaceId === space.id && indexed.textHash === textHash) return;
  const vector = await embed(space.embedder, row, signal);
  await store.writeWhenFree((write) => {
    const current = findPrompt(write, promptId);
    // The text has changed: another job for it is queued.
    if (!current || hashOf(current) !== textHash) return;
    putPromptVector(write.sql, { promptId, spaceId: space.id, textHash, vector });
  }, PATIENT);
}

function hashOf({ title, description, content }: PromptRow): string {
  return sha256Hex(JSON.stringify([title, description, content]));
}

/**
 * The mean of two vectors: one of title and description, one of the content with title and description in front of each
 * window. In a mean over all windows, a long content would outweigh the description; docs/ranking.md has measurements.
 */
async function embed(embedder: Embedder, row: PromptRow, signal: AbortSignal): Promise<Float32Array> {
  const { title, description, content } = row;
  const heading = await meanVector(embedder, { context: "", text: `${title}\n\n${description}` }, signal);
  const body = await meanVector(embedder, { context: `${title}. ${description}`, text: content }, signal);
  addTo(heading, body);
  return toUnitLength(heading);
}

/** The normalised mean over the windows of a text of any length. */
async function meanVector(
  embedder: Embedder,
  { context, text }: Passage,
  signal: AbortSignal,
): Promise<Float32Array> {
  const sum = new Float32Array(EMBEDDING_DIMENSION);
  for (const portion of partsOfText(text, Math.ceil(text.length / MAX_PORTION_UNITS))) {
    signal.throwIfAborted();
    const { windows } = await unlessAborted(embedder.embedPassages([{ context, text: portion }]), signal);
    for (const vector of windows.flat()) addTo(sum, vector);
  }
  return toUnitLength(sum);
}

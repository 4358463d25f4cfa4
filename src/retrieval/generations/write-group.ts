// Group commit for the index rows of small documents: while several are being indexed, their rows are written in one
// transaction, because a commit writes whole pages of 32 kB: 0.8 MB for a document of three chunks, a quarter of it in
// a group.

import { storageProblemOf } from "../../db/storage-errors.ts";
import type { Store, Write } from "../../db/store.ts";
import { PATIENT } from "../../db/waiting-writes.ts";
import { beginGeneration, type Generation, type NewGeneration, publishGeneration } from "./generations.ts";
import { nextTurn } from "./slices.ts";

const MAX_DOCUMENTS = 8;
/** Chunks and vectors of a transaction: with its commit it stays under 20 ms. */
const MAX_ROWS = 32;

/** A document waits no longer for others, even if they are being embedded. */
const MAX_WAIT_MS = 100;

/** All index rows of one document. @testOnly */
export interface DocumentRows {
  generation: NewGeneration;
  /** Each writes one chunk or one vector. */
  rows: ((write: Write, generation: Generation) => void)[];
}

interface Waiting {
  document: DocumentRows;
  resolve(): void;
  reject(error: unknown): void;
}

/** A document that is being indexed and may write together with others. */
export interface GroupMember {
  /**
   * Writes and publishes the document in a transaction with others, or alone if one of these fails. Resolves after the
   * commit.
   */
  write(document: DocumentRows): Promise<void>;
  /** Must be called when the document will not write: others no longer wait for it. Calling it again does nothing. */
  leave(): void;
}

interface Group {
  store: Store;
  /** Members that have neither written nor left. */
  expected: number;
  waiting: Waiting[];
  isWriting: boolean;
  /** Ends the wait for more documents. */
  timer: Timer | undefined;
}

const groups = new WeakMap<Store, Group>();

/** Joins the group of documents that are being indexed in `store`. */
export function joinWriteGroup(store: Store): GroupMember {
  let group = groups.get(store);
  if (!group) {
    group = { store, expected: 0, waiting: [], isWriting: false, timer: undefined };
    groups.set(store, group);
  }
  const joined = group;
  joined.expected++;
  let hasLeft = false;
  const leave = () => {
    if (hasLeft) return;
    hasLeft = true;
    joined.expected--;
    writeIfDue(joined);
  };
  return {
    leave,
    write: (document) =>
      new Promise((resolve, reject) => {
        joined.waiting.push({ document, resolve, reject });
        leave();
      }),
  };
}

/** Starts writing when enough documents are waiting or no other one is expected, else after a pause. */
function writeIfDue(group: Group): void {
  if (group.isWriting || group.waiting.length === 0) return;
  if (group.expected === 0 || group.waiting.length >= MAX_DOCUMENTS) void writeAll(group);
  else group.timer ??= setTimeout(() => void writeAll(group), MAX_WAIT_MS);
}

async function writeAll(group: Group): Promise<void> {
  clearTimeout(group.timer);
  group.timer = undefined;
  group.isWriting = true;
  let left = group.waiting.splice(0);
  while (left.length > 0) {
    const together = firstOf(left);
    left = left.slice(together.length);
    await nextTurn(group.store);
    await writeTogether(group.store, together);
  }
  group.isWriting = false;
  writeIfDue(group);
}

/** The first documents that fit into one transaction. */
function firstOf(waiting: readonly Waiting[]): Waiting[] {
  let rows = 0;
  const excess = waiting.findIndex(({ document }, index) => {
    rows += document.rows.length;
    return index > 0 && (index === MAX_DOCUMENTS || rows > MAX_ROWS);
  });
  return excess < 0 ? [...waiting] : waiting.slice(0, excess);
}

async function writeTogether(store: Store, waiting: readonly Waiting[]): Promise<void> {
  try {
    const documents = waiting.map(({ document }) => document);
    await store.writeWhenFree((write) => writeDocuments(write, documents), PATIENT);
    for (const { resolve } of waiting) resolve();
  } catch (error) {
    // Nothing is written. One document must not make the others fail.
    if (waiting.length === 1 || storageProblemOf(error) === "busy")
      for (const { reject } of waiting) reject(error);
    else for (const one of waiting) await writeTogether(store, [one]);
  }
}

/**
 * First all generations, then all rows, then the states: FTS5 writes what it has collected as a new segment before each
 * statement that changes generations, because their trigger makes it a savepoint.
 */
function writeDocuments(write: Write, documents: readonly DocumentRows[]): void {
  const generations = documents.map(({ generation }) => beginGeneration(write, generation));
  for (const [index, { rows }] of documents.entries()) {
    for (const row of rows) row(write, generations[index]!);
  }
  for (const generation of generations) publishGeneration(write, generation);
}

// The job document.index: chunks, embeds and indexes the current revision of a document as a new generation. Chunking
// and embedding run in worker threads; rows are written in slices; one small write at the end makes them visible.

import type { Store, Write } from "../../db/store.ts";
import { PATIENT } from "../../db/waiting-writes.ts";
import type { ChunkDraft } from "../../engine/chunking/tree.ts";
import type { ChunkingWorker } from "../../engine/chunking/worker.ts";
import { MIN_READABLE_SHARE, readableShare } from "../../engine/embedding/calibration.ts";
import type { Passage } from "../../engine/embedding/worker.ts";
import type { Clock } from "../../kernel/clock.ts";
import { unlessAborted } from "../../kernel/abort.ts";
import { Failure } from "../../kernel/errors.ts";
import { lineCounter } from "../../kernel/lines.ts";
import { contentHash as hashOfText, sha256Hex } from "../../kernel/hash.ts";
import { cutUnits } from "../../kernel/text.ts";
import {
  abandonGeneration,
  beginGeneration,
  carryGeneration,
  type Generation,
  isBuilding,
  isCurrent,
  liveGeneration,
  publishGeneration,
} from "../../retrieval/generations/generations.ts";
import { PREVIEW_UNITS, TITLE_END } from "../../retrieval/search/previews.ts";
import { insertChunk, insertVector } from "../../retrieval/generations/rows.ts";
import { writeInSlices } from "../../retrieval/generations/slices.ts";
import type { CurrentSpace, Spaces } from "../../retrieval/generations/spaces.ts";
import { type ReusableVectors, storedVectors } from "../../retrieval/generations/stored-vectors.ts";
import { type GroupMember, joinWriteGroup } from "../../retrieval/generations/write-group.ts";
import { findDocument, readBody } from "../documents/store.ts";
import { labelsOf, type Named, otherNames } from "./labels.ts";
import { type IndexedChunk, SectionVectors } from "./section-vectors.ts";

/**
 * Maximum number of chunks that are embedded and written at a time: limits memory, and other documents can be embedded
 * in between.
 */
const MAX_GROUP = 48;

/** What the job needs. */
export interface IndexDocumentDeps {
  store: Store;
  clock: Clock;
  spaces: Spaces;
  chunkingWorker: ChunkingWorker;
}

/** The document that is being indexed. */
interface Source extends ReusableVectors {
  title: string;
  content: string;
  drafts: ChunkDraft[];
  /** The line of a position in the content. */
  lineAt(position: number): number;
}

/** Indexes the document's current revision. Does nothing if it was deleted or is indexed already. */
export async function indexDocument(
  deps: IndexDocumentDeps,
  documentId: string,
  signal: AbortSignal,
): Promise<void> {
  const member = joinWriteGroup(deps.store);
  try {
    await indexAsMember(deps, documentId, { member, signal });
  } finally {
    member.leave();
  }
}

async function indexAsMember(
  deps: IndexDocumentDeps,
  documentId: string,
  { member, signal }: { member: GroupMember; signal: AbortSignal },
): Promise<void> {
  const { store, spaces, chunkingWorker } = deps;
  const row = findDocument(store, documentId);
  if (!row) return;
  const content = readBody(store, documentId, row.contentHash);
  await unlessAborted(spaces.noticeText(`${row.title}\n${content ?? ""}`), signal);
  const space = await unlessAborted(spaces.current(), signal);
  const live = liveGeneration(store, documentId);
  const labels = labelsOf(row);
  const labelsHash = sha256Hex(labels);
  if (live && isCurrent(live, { ...row, labelsHash }, space.id)) {
    if (live.revision !== row.revision)
      await store.writeWhenFree((write) => carryGeneration(write, live.id, row.revision), PATIENT);
    return;
  }
  if (content === null || hashOfText(content) !== row.contentHash) throw damagedText();
  const drafts = await unlessAborted(chunkingWorker.call.chunk({ text: content }), signal);
  const { userId, revision, title, contentHash } = row;
  const revised = { documentId, userId, revision, title, contentHash, labelsHash };
  const hasTwoModels = space.info.second !== undefined;
  const named = { title, names: otherNames(row), labels, hasTwoModels };
  const indexed = { ...revised, spaceId: space.id, chunkCount: drafts.length };
  const reusable = storedVectors(store, live, { title, space });
  const source: Source = { title, content, drafts, lineAt: lineCounter(content), ...reusable };
  if (drafts.length <= MAX_GROUP) {
    // Most documents are small enough to be written in one transaction, even together with others.
    const rows = await unlessAborted(embedGroup(space, source, 0), signal);
    const steps = stepsOf(named, rows, { sections: new SectionVectors(), isLast: true });
    return member.write({ generation: indexed, rows: steps });
  }
  member.leave();
  const generation = await store.writeWhenFree((write) => beginGeneration(write, indexed), PATIENT);
  const sections = new SectionVectors();
  try {
    for (let from = 0; from < drafts.length; from += MAX_GROUP) {
      signal.throwIfAborted();
      if (!isBuilding(store, generation.id)) return;
      const rows = await unlessAborted(embedGroup(space, source, from), signal);
      const isLast = from + MAX_GROUP >= drafts.length;
      const steps = stepsOf(named, rows, { sections, isLast });
      await writeSteps(deps, { generation, steps }, signal);
    }
  } catch (error) {
    await store.writeWhenFree((write) => abandonGeneration(write, generation.id), PATIENT);
    throw error;
  }
  await store.writeWhenFree((write) => publishGeneration(write, generation), PATIENT);
}

/** The text was changed by something else than this program: it must not be indexed as if it were the user's. */
const damagedText = () =>
  Object.assign(new Failure("unavailable", "the stored text does not match its hash: restore a backup"), {
    code: "SQLITE_CORRUPT",
  });

/** What a document is called, and how its vectors are stored. */
interface Labelled extends Named {
  /** See ChunkVector. */
  hasTwoModels: boolean;
}

/** Writes one chunk with its vectors, or the vector of one section. */
type Step = (write: Write, generation: Generation) => void;

function stepsOf(
  named: Labelled,
  rows: IndexedChunk[],
  { sections, isLast }: { sections: SectionVectors; isLast: boolean },
): Step[] {
  const vectors = rows.flatMap((row) => sections.add(row));
  if (isLast) vectors.push(...sections.finish());
  return [
    ...rows.map(
      (row): Step =>
        (write, generation) =>
          writeChunk(write, generation, { ...named, chunk: row }),
    ),
    ...vectors.map(
      ({ position, vector }): Step =>
        (write, { id, firstChunk }) =>
          insertVector(write.sql, {
            generationId: id,
            chunkKey: firstChunk + position,
            vector,
            hasTwoModels: named.hasTwoModels,
          }),
    ),
  ];
}

/** Writes in slices until the generation is no longer being built: the document may be deleted in between. */
async function writeSteps(
  { store, clock }: IndexDocumentDeps,
  { generation, steps }: { generation: Generation; steps: Step[] },
  signal: AbortSignal,
): Promise<void> {
  let next = 0;
  await writeInSlices({ store, clock, signal }, (write) => {
    const step = steps[next++];
    if (!step || !isBuilding(write, generation.id)) return false;
    step(write, generation);
    return true;
  });
}

async function embedGroup(
  { embedder, info }: CurrentSpace,
  { title, content, drafts, lineAt, stored, storedOfFirst }: Source,
  from: number,
): Promise<IndexedChunk[]> {
  const rows = drafts.slice(from, from + MAX_GROUP).map((draft, index): IndexedChunk => {
    const position = from + index;
    const text = textOf(draft, drafts[position + 1], { title, content });
    return { draft, position, text, line: lineAt(draft.startIndex), vectors: [] };
  });
  const isReadable = ({ draft, text }: IndexedChunk) =>
    readableShare(draft.level === "document" ? title : text, info.calibration) >= MIN_READABLE_SHARE;
  const embedded = rows.filter((row) => {
    if (!isEmbedded(row, drafts[row.position + 1]) || !isReadable(row)) return false;
    row.vectors = stored(row.draft, row.text) ?? [];
    return row.vectors.length === 0;
  });
  const passages = embedded.map(({ draft, text }): Passage => {
    const known = storedOfFirst(draft, text) ?? [];
    return { ...passageOf(draft, text, title), ...(known.length > 0 && { known }) };
  });
  const { windows } = await embedder.embedPassages(passages);
  for (const [index, row] of embedded.entries()) row.vectors = windows[index] ?? [];
  return rows;
}

/**
 * The text that search matches and shows: a whole paragraph, a section's heading lines, a document's title and first 4
 * kB.
 */
function textOf(
  draft: ChunkDraft,
  next: ChunkDraft | undefined,
  { title, content }: Pick<Source, "title" | "content">,
): string {
  const { level, startIndex, endIndex } = draft;
  if (level === "paragraph") return content.slice(startIndex, endIndex);
  if (level === "document") return `${title}${TITLE_END}${cutUnits(content, PREVIEW_UNITS)}`;
  const headingEnd = next && next.startIndex < endIndex ? next.startIndex : endIndex;
  return content.slice(startIndex, headingEnd).trimEnd();
}

/** Whether a chunk is embedded itself: paragraphs are, sections and documents only if they have no children. */
function isEmbedded({ draft, position }: IndexedChunk, next: ChunkDraft | undefined): boolean {
  return draft.level === "paragraph" || next?.parent !== position;
}

function passageOf({ level, sectionPath }: ChunkDraft, text: string, title: string) {
  if (level === "document") return { context: "", text: title };
  if (level === "section") return { context: title, text: sectionPath.join(" > ") };
  return { context: [title, ...sectionPath].join(" > "), text };
}

function writeChunk(
  write: Write,
  generation: Generation,
  { title, names, labels, hasTwoModels, chunk }: Labelled & { chunk: IndexedChunk },
): void {
  const { draft, position, text, line, vectors } = chunk;
  const key = generation.firstChunk + position;
  const context = [title, ...names, ...draft.sectionPath].join(" > ");
  insertChunk(
    write.sql,
    {
      key,
      id: write.newId(),
      generationId: generation.id,
      level: draft.level,
      parentKey: draft.parent === null ? null : generation.firstChunk + draft.parent,
      chunkIndex: draft.chunkIndex,
      startIndex: draft.startIndex,
      endIndex: draft.endIndex,
      headingText: draft.headingText ?? null,
      sectionPath: draft.sectionPath,
      wordCount: draft.wordCount,
      text,
      line,
    },
    {
      // Once for each document, in its first chunk with words.
      context: position <= 1 ? `${context} ${labels}` : context,
      isOnly: generation.chunkCount === 1,
    },
  );
  for (const vector of vectors)
    insertVector(write.sql, { generationId: generation.id, chunkKey: key, vector, hasTwoModels });
}

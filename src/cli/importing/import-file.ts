// Imports one file: decides whether its record is created, updated, unchanged or in conflict with an edit in the store.

import { Failure } from "../../kernel/errors.ts";
import { dataOf } from "../api-data.ts";
import type { Reply } from "../client.ts";
import { COLLECTION_OF, type ImportClient, type KnownRecord, type KnownRecords } from "./known.ts";
import type { FileReader } from "./read-file.ts";
import {
  type Bookkeeping,
  bookkeepingOf,
  type FileRecord,
  type RecordKind,
  recordOf,
  type StoredFields,
  stateOf,
} from "./record.ts";

export interface Outcome {
  path: string;
  status: "created" | "updated" | "unchanged" | "skipped" | "conflict" | "pruned" | "failed";
  id?: string;
  reason?: string;
}

interface ImportOptions {
  /** Tags that every imported record gets. */
  tags: readonly string[];
  /** Whether files overwrite edits that were made in the store. */
  force: boolean;
  /** Whether nothing is written. */
  dryRun: boolean;
}

export interface Importer {
  client: ImportClient;
  reader: FileReader;
  /** Updated with every record that is written. */
  known: KnownRecords;
  options: ImportOptions;
}

/** Imports one file. Never throws for what is wrong with the file or its record: that is a status. */
export async function importFile(importer: Importer, path: string): Promise<Outcome> {
  try {
    const { bytes, hash } = importer.reader.read(path);
    const { document, prompt } = importer.known.byPath;
    const same = [document.get(path), prompt.get(path)].find((record) => record?.hash === hash);
    if (same) return { path, status: "unchanged", id: same.id };
    const record = recordOf(await importer.reader.textOf(path, bytes), importer.options.tags);
    const file = { path, hash, record };
    const outcome = await importRecord(importer, file, importer.known.byPath[record.kind].get(path));
    return withNotes(outcome, record.notes);
  } catch (error) {
    if (!(error instanceof Failure) && (error as Error).name !== "ExtractionError") throw error;
    return { path, status: "failed", reason: (error as Error).message };
  }
}

interface ReadFile {
  path: string;
  hash: string;
  record: FileRecord;
}

async function importRecord(
  importer: Importer,
  file: ReadFile,
  known: KnownRecord | undefined,
): Promise<Outcome> {
  const { exported, kind } = file.record;
  if (known) return updateRecord(importer, file, { id: known.id, state: known.state });
  if (exported && importer.known.kinds.get(exported.id) === kind) {
    return updateRecord(importer, file, { id: exported.id, updatedAt: exported.updatedAt });
  }
  return createRecord(importer, file);
}

async function createRecord(
  { client, known, options }: Importer,
  { path, hash, record }: ReadFile,
): Promise<Outcome> {
  if (options.dryRun) return { path, status: "created" };
  const { kind, fields, workspaceId, status, sourceType = "import" } = record;
  const state = stateOf(fields);
  const bookkeeping: Bookkeeping = { importPath: path, importHash: hash, importState: state };
  const { id } = dataOf(
    await client.request("POST", COLLECTION_OF[kind], {
      body: {
        ...fields,
        workspaceId,
        metadata: { ...fields.metadata, ...bookkeeping },
        ...(kind === "document" && { sourceType }),
      },
    }),
  );
  if (status !== undefined) {
    dataOf(await client.request("PATCH", `${COLLECTION_OF[kind]}/${id}`, { body: { status } }));
  }
  known.byPath[kind].set(path, { id, kind, hash, state });
  known.kinds.set(id, kind);
  return { path, status: "created", id };
}

/** The record of a file, and how to tell whether it was edited in the store: by its state or by the time of its last change. */
interface Target {
  id: string;
  state?: string;
  updatedAt?: string;
}

async function updateRecord(importer: Importer, file: ReadFile, target: Target): Promise<Outcome> {
  const { client, known, options } = importer;
  const { path, hash, record } = file;
  const { kind, fields, status } = record;
  const { id } = target;
  const stored = await readRecord(client, kind, id);
  if (!stored) {
    known.byPath[kind].delete(path);
    known.kinds.delete(id);
    return createRecord(importer, file);
  }
  const current = stateOf(stored.fields);
  const state = stateOf(fields);
  const statusChanges = status !== undefined && status !== stored.status;
  const isSame = current === state && !statusChanges;
  if (isSame && target.state === undefined) return { path, status: "unchanged", id };
  const isEdited =
    target.state === undefined ? stored.updatedAt !== target.updatedAt : current !== target.state;
  if (isEdited && !isSame && !options.force) {
    return { path, status: "conflict", id, reason: "was edited in the store since the last import" };
  }
  if (options.dryRun) return { path, status: isSame ? "unchanged" : "updated", id };
  const remembered = bookkeepingOf(stored.fields.metadata);
  const bookkeeping: Bookkeeping = { importPath: path, importHash: hash, importState: state };
  // A record that was exported may also belong to another file, which keeps it.
  const metadata = {
    ...fields.metadata,
    ...(target.state === undefined && remembered ? remembered : bookkeeping),
  };
  const reply = await client.request("PATCH", `${COLLECTION_OF[kind]}/${id}`, {
    headers: stored.etag === null ? {} : { "If-Match": stored.etag },
    body: { ...fields, metadata, ...(statusChanges && { status }) },
  });
  if (reply.status === 412) {
    return { path, status: "conflict", id, reason: "was edited in the store during the import" };
  }
  dataOf(reply);
  if (metadata.importPath === path) known.byPath[kind].set(path, { id, kind, hash, state });
  return { path, status: isSame ? "unchanged" : "updated", id };
}

export interface StoredRecord {
  fields: StoredFields;
  status: string | undefined;
  /** ISO 8601. */
  updatedAt: string;
  etag: string | null;
}

/** A record without the texts of a document; undefined if it does not exist. */
export async function readRecord(
  client: ImportClient,
  kind: RecordKind,
  id: string,
): Promise<StoredRecord | undefined> {
  const query = kind === "document" ? { includeContent: false } : {};
  const reply: Reply = await client.request("GET", `${COLLECTION_OF[kind]}/${id}`, { query });
  if (reply.status === 404) return undefined;
  const fields = dataOf(reply);
  return {
    fields,
    status: fields.status,
    updatedAt: new Date(fields.updatedAt).toISOString(),
    etag: reply.headers.get("etag"),
  };
}

function withNotes(outcome: Outcome, notes: readonly string[]): Outcome {
  const reasons = [...(outcome.reason === undefined ? [] : [outcome.reason]), ...notes];
  return reasons.length === 0 ? outcome : { ...outcome, reason: reasons.join("; ") };
}

// Imports the record of one file: decides whether it is created, updated, unchanged or in conflict with an edit in the store.
// Must run in a browser, too.

import { dataOf, type Requests } from "../requests/reply.ts";
import { COLLECTION_OF, type KnownRecord, type KnownRecords } from "./known.ts";
import {
  type Bookkeeping,
  bookkeepingOf,
  type Digest,
  type FileRecord,
  type RecordKind,
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
  /** Whether files overwrite edits that were made in the store. */
  force: boolean;
  /** Whether nothing is written. */
  dryRun: boolean;
}

export interface Importer {
  client: Requests;
  digest: Digest;
  /** Updated with every record that is written. */
  known: KnownRecords;
  options: ImportOptions;
}

/** What a file describes. `hash` is the digest of its bytes, with the prefix `sha256:`. */
export interface ReadFile {
  path: string;
  hash: string;
  record: FileRecord;
}

/** The record that was made from exactly these bytes of the file at `path`; undefined if there is none. */
export function unchangedRecord(known: KnownRecords, path: string, hash: string): KnownRecord | undefined {
  const { document, prompt } = known.byPath;
  return [document.get(path), prompt.get(path)].find((record) => record?.hash === hash);
}

/** Imports a file that is not unchanged. Throws the Failure of a request. */
export async function importRecord(importer: Importer, file: ReadFile): Promise<Outcome> {
  const { kind, notes } = file.record;
  const outcome = await storeRecord(importer, file, importer.known.byPath[kind].get(file.path));
  const reasons = [...(outcome.reason === undefined ? [] : [outcome.reason]), ...notes];
  return reasons.length === 0 ? outcome : { ...outcome, reason: reasons.join("; ") };
}

async function storeRecord(
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
  { client, digest, known, options }: Importer,
  { path, hash, record }: ReadFile,
): Promise<Outcome> {
  if (options.dryRun) return { path, status: "created" };
  const { kind, fields, workspaceId, status, sourceType = "import" } = record;
  const state = await stateOf(fields, digest);
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
  const { client, digest, known, options } = importer;
  const { path, hash, record } = file;
  const { kind, fields, status } = record;
  const { id } = target;
  const stored = await readRecord(client, kind, id);
  if (!stored) {
    known.byPath[kind].delete(path);
    known.kinds.delete(id);
    return createRecord(importer, file);
  }
  const current = await stateOf(stored.fields, digest);
  const state = await stateOf(fields, digest);
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
  client: Requests,
  kind: RecordKind,
  id: string,
): Promise<StoredRecord | undefined> {
  const query = kind === "document" ? { includeContent: false } : {};
  const reply = await client.request("GET", `${COLLECTION_OF[kind]}/${id}`, { query });
  if (reply.status === 404) return undefined;
  const fields = dataOf(reply);
  return {
    fields,
    status: fields.status,
    updatedAt: new Date(fields.updatedAt).toISOString(),
    etag: reply.headers.get("etag"),
  };
}

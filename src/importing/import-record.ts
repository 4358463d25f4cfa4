// Imports the record of one file: decides whether it is created, updated, unchanged or in conflict with an edit in the store.
// Must run in a browser, too.

import { Failure } from "../kernel/errors.ts";
import { IMPORT_PATH_TAKEN, withoutImportMembers } from "../kernel/import-members.ts";
import { dataOf, type Reply, type Requests } from "../requests/reply.ts";
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
  /** The folder that was named; undefined if the file was. */
  root: string | undefined;
  hash: string;
  record: FileRecord;
}

/** The record that was made from exactly these bytes of the file at `path`; undefined if there is none. */
export function unchangedRecord(known: KnownRecords, path: string, hash: string): KnownRecord | undefined {
  const record = known.byPath.get(path);
  return record?.hash === hash ? record : undefined;
}

/** Imports a file that is not unchanged. Throws the Failure of a request. */
export async function importRecord(importer: Importer, file: ReadFile): Promise<Outcome> {
  const { path, hash, record } = file;
  let outcome: Outcome;
  try {
    outcome = await storeRecord(importer, file);
  } catch (error) {
    // Another import has stored the file since this one read the list of records.
    if (!(await learnOwner(importer, path, error))) throw error;
    const same = unchangedRecord(importer.known, path, hash);
    outcome = same ? { path, status: "unchanged", id: same.id } : await storeRecord(importer, file);
  }
  const reasons = [...(outcome.reason === undefined ? [] : [outcome.reason]), ...record.notes];
  return reasons.length === 0 ? outcome : { ...outcome, reason: reasons.join("; ") };
}

/** Reads the record that has the path, if that is what an error says. Returns whether it is. */
async function learnOwner({ client, known }: Importer, path: string, error: unknown): Promise<boolean> {
  if (!(error instanceof Failure)) return false;
  const {
    reason,
    type: kind,
    id,
  } = (error.details ?? {}) as { reason?: string; type: RecordKind; id: string };
  if (reason !== IMPORT_PATH_TAKEN) return false;
  const stored = await readRecord(client, kind, id);
  const remembered = stored && bookkeepingOf(stored.fields.metadata);
  // Otherwise it was deleted or moved meanwhile.
  if (remembered?.importPath === path) {
    const { importHash: hash, importState: state } = remembered;
    known.byPath.set(path, { id, kind, hash, state });
    known.kinds.set(id, kind);
  }
  return true;
}

async function storeRecord(importer: Importer, file: ReadFile): Promise<Outcome> {
  const { exported, kind } = file.record;
  const known = importer.known.byPath.get(file.path);
  if (known?.kind === kind) return updateRecord(importer, file, { id: known.id, state: known.state });
  const detached = known && (await detach(importer, file.path, known));
  if (detached?.status === "conflict") return detached;
  const outcome =
    exported && importer.known.kinds.get(exported.id) === kind
      ? await updateRecord(importer, file, { id: exported.id, updatedAt: exported.updatedAt })
      : await createRecord(importer, file);
  return detached ? { ...outcome, reason: detached.reason } : outcome;
}

/**
 * Takes the file from its record, because it describes one of the other kind now: the record stays without a file, a document
 * in the archive. The result says so, or is a conflict if the record was edited in the store.
 */
async function detach(
  { client, digest, known, options }: Importer,
  path: string,
  { id, kind, state }: KnownRecord,
): Promise<Pick<Outcome, "path" | "status" | "id" | "reason">> {
  const stored = await readRecord(client, kind, id);
  const conflict = (reason: string) => ({ path, status: "conflict" as const, id, reason });
  if (stored && !options.force && (await stateOf(stored.fields, digest)) !== state) {
    return conflict(`describes another kind of record, but the ${kind} was edited in the store`);
  }
  if (!options.dryRun) {
    const body = {
      metadata: withoutImportMembers(stored?.fields.metadata ?? {}),
      ...(kind === "document" && { status: "archived" }),
    };
    const reply = stored && (await change(client, { kind, id, stored }, body));
    if (reply?.status === 412) return conflict(EDITED_MEANWHILE);
    if (reply && reply.status !== 404) dataOf(reply);
    known.byPath.delete(path);
  }
  const place = kind === "document" ? "is in the archive" : "stays";
  return { path, status: "updated", id, reason: `the ${kind} ${id} that the file was before ${place}` };
}

async function createRecord(importer: Importer, file: ReadFile): Promise<Outcome> {
  const { client, digest, known, options } = importer;
  const { path, root, hash, record } = file;
  if (options.dryRun) return { path, status: "created" };
  const { kind, fields, workspaceId, status, sourceType = "import" } = record;
  const state = await stateOf(fields, digest);
  const bookkeeping: Bookkeeping = {
    importPath: path,
    importRoot: root,
    importHash: hash,
    importState: state,
  };
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
  known.byPath.set(path, { id, kind, hash, state });
  known.kinds.set(id, kind);
  return { path, status: "created", id };
}

/** The record of a file, and how to tell whether it was edited in the store: by its state or by the time of its last change. */
interface Target {
  id: string;
  state?: string;
  updatedAt?: string;
  /** Whether the record was changed between reading and writing it, and is read again. */
  isRetried?: boolean;
}

const EDITED_MEANWHILE = "was edited in the store during the import";

async function updateRecord(importer: Importer, file: ReadFile, target: Target): Promise<Outcome> {
  const { client, digest, known, options } = importer;
  const { path, root, hash, record } = file;
  const { kind, fields, status } = record;
  const { id } = target;
  const stored = await readRecord(client, kind, id);
  if (!stored) {
    known.byPath.delete(path);
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
  const bookkeeping: Bookkeeping = {
    importPath: path,
    importRoot: root ?? remembered?.importRoot,
    importHash: hash,
    importState: state,
  };
  // A record that was exported may also belong to another file, which keeps it.
  const metadata = {
    ...fields.metadata,
    ...(target.state === undefined && remembered ? remembered : bookkeeping),
  };
  const body = { ...fields, metadata, ...(statusChanges && { status }) };
  const reply = await change(client, { kind, id, stored }, body);
  if (reply.status === 412) {
    // By another import of the file, or by somebody else.
    if (target.isRetried !== true) return updateRecord(importer, file, { ...target, isRetried: true });
    return { path, status: "conflict", id, reason: EDITED_MEANWHILE };
  }
  dataOf(reply);
  if (metadata.importPath === path) known.byPath.set(path, { id, kind, hash, state });
  return { path, status: isSame ? "unchanged" : "updated", id };
}

/** Sends a change of a record as it was read: the status is 412 if it is another one now. */
function change(
  client: Requests,
  { kind, id, stored }: { kind: RecordKind; id: string; stored: StoredRecord },
  body: object,
): Promise<Reply> {
  const headers = stored.etag === null ? undefined : { "If-Match": stored.etag };
  return client.request("PATCH", `${COLLECTION_OF[kind]}/${id}`, { headers, body });
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

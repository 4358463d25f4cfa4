// Imports the record of one file: decides whether it is created, updated, unchanged or in conflict with an edit in the
// store. Must run in a browser, too.

import { Failure } from "../kernel/errors.ts";
import { IMPORT_PATH_TAKEN, withoutImportMembers } from "../kernel/import-members.ts";
import { dataOf, type Reply, type Requests } from "../requests/reply.ts";
import type { LeftOut } from "../kernel/left-out.ts";
import { typeOf } from "./file-types.ts";
import { COLLECTION_OF, type KnownRecord, type KnownRecords } from "./known.ts";
import {
  type Bookkeeping,
  bookkeepingOf,
  type Digest,
  type FileRecord,
  IMPORT_RULES,
  type RecordKind,
  type StoredFields,
  stateOf,
} from "./record.ts";

export interface Outcome {
  path: string;
  status: "created" | "updated" | "unchanged" | "skipped" | "conflict" | "pruned" | "failed";
  id?: string;
  reason?: string;
  /** What the reader of the file left out; absent if that was nothing. */
  leftOut?: readonly LeftOut[];
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

/** A file that can be read again and again. */
export interface SourceFile {
  path: string;
  /** The folder that was named; undefined if the file was. */
  root: string | undefined;
  /** Where the same file was at its last import, if it was moved. */
  movedFrom?: string;
  /** Reads its bytes. `hash` is their digest, with the prefix `sha256:`; `describe` returns what they describe. */
  read(): Promise<{ hash: string; describe(): Promise<FileRecord> }>;
}

/** What was read from a file. */
interface ReadFile extends Pick<SourceFile, "path" | "root"> {
  hash: string;
  record: FileRecord;
}

/** How often a file is read because other imports change its record at the same time. */
const MAX_TRIES = 5;

/** Imports the record of a file. Throws the Failure of reading it, or of a request. */
export async function importRecord(importer: Importer, file: SourceFile): Promise<Outcome> {
  const { path, root, movedFrom, read } = file;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const { hash, describe } = await read();
    const known = importer.known.byPath.get(path);
    const isSameFile = known?.hash === hash;
    if (isSameFile && isByCurrentRules(known, path)) return { path, status: "unchanged", id: known.id };
    const record = await describe();
    if (movedFrom !== undefined && !known) {
      const moved = await moveRecord(importer, { path, root, hash, record }, movedFrom);
      if (moved === "changed") continue;
      if (moved) return moved;
    }
    // Other rules may make the same record of the same file.
    if (isSameFile && isQuick(path) && (await stateOf(record.fields, importer.digest)) === known.state)
      return { path, status: "unchanged", id: known.id };
    const outcome = await storeRecord(importer, { path, root, hash, record });
    if (!outcome) continue;
    const reasons = [...(outcome.reason === undefined ? [] : [outcome.reason]), ...record.notes];
    return {
      ...outcome,
      ...(reasons.length > 0 && { reason: reasons.join("; ") }),
      ...(record.leftOut.length > 0 && { leftOut: record.leftOut }),
    };
  }
  return { path, status: "conflict", reason: "was changed in the store again and again during the import" };
}

/**
 * Gives a record the new path of its file, and what else the file's name decides, unless the record was edited in the
 * store. Undefined if the record is not that of the moved file any more, or of another kind: the file is imported like
 * any other. "changed" if the record was changed meanwhile.
 */
async function moveRecord(
  { client, digest, known, options }: Importer,
  { path, root, hash, record }: ReadFile,
  from: string,
): Promise<Outcome | "changed" | undefined> {
  const before = known.byPath.get(from);
  if (before?.hash !== hash || before.kind !== record.kind || record.exported) return undefined;
  const { id, kind } = before;
  const stored = await readRecord(client, kind, id);
  const remembered = stored && bookkeepingOf(stored.fields.metadata);
  if (!stored || remembered?.importPath !== from || remembered.importHash !== hash) return undefined;
  const isEdited = (await stateOf(stored.fields, digest)) !== before.state;
  const fields = isEdited ? { metadata: stored.fields.metadata } : record.fields;
  const state = isEdited ? before.state : await stateOf(record.fields, digest);
  const bookkeeping: Bookkeeping = {
    importPath: path,
    importRoot: root,
    importHash: hash,
    importState: state,
    importRules: isEdited ? before.rules : IMPORT_RULES,
    ...notesOf(record),
  };
  if (!options.dryRun) {
    const metadata = { ...withoutImportMembers(fields.metadata), ...bookkeeping };
    const reply = await change(client, { kind, id, stored }, { ...fields, metadata });
    // If another import has stored the new path, creating a record finds that.
    if (reply.status === 409) return undefined;
    if (reply.status === 412) return "changed";
    dataOf(reply);
  }
  known.byPath.delete(from);
  known.byPath.set(path, { id, kind, hash, state, rules: bookkeeping.importRules });
  return { path, status: "updated", id, reason: `was moved from ${from}` };
}

/** Whether the rules by which a record was made are those of today; they have never changed for text. */
const isByCurrentRules = ({ rules }: KnownRecord, path: string) =>
  rules === IMPORT_RULES || typeOf(path) === "text";

/** Whether a file is read in no time, so that the rules by which it was read need not be stored again. */
const isQuick = (path: string) => typeOf(path) === "markdown" || typeOf(path) === "text";

/** What an import remembers of what was left out. */
const notesOf = ({ leftOut }: FileRecord) => (leftOut.length > 0 ? { importNotes: leftOut } : {});

/** The outcome; undefined if the record was changed by others meanwhile: the file may have changed before that, too. */
async function storeRecord(importer: Importer, file: ReadFile): Promise<Outcome | undefined> {
  const { exported, kind } = file.record;
  const known = importer.known.byPath.get(file.path);
  try {
    if (known?.kind === kind) return await updateRecord(importer, file, known);
    const detached = known && (await detach(importer, file.path, known));
    if (known && detached?.status !== "updated") return detached;
    const outcome =
      exported && importer.known.kinds.get(exported.id) === kind
        ? await updateRecord(importer, file, exported)
        : await createRecord(importer, file);
    return outcome && detached ? { ...outcome, reason: detached.reason } : outcome;
  } catch (error) {
    if (!(await learnOwner(importer, file.path, error))) throw error;
    return undefined;
  }
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
  // It may have been deleted or moved meanwhile.
  if (stored) learn(known, path, { id, kind, metadata: stored.fields.metadata });
  return true;
}

/** Notes what another import has remembered in the metadata of a record. */
function learn(
  known: KnownRecords,
  path: string,
  { id, kind, metadata }: { id: string; kind: RecordKind; metadata: Record<string, unknown> },
): void {
  const remembered = bookkeepingOf(metadata);
  if (remembered?.importPath !== path) return;
  const { importHash: hash, importState: state, importRules: rules } = remembered;
  known.byPath.set(path, { id, kind, hash, state, rules });
  known.kinds.set(id, kind);
}

/**
 * Takes the file from its record, because it describes one of the other kind now: the record stays without a file, a
 * document in the archive. The result is `updated` and says so, or a conflict if the record was edited in the store.
 */
async function detach(
  { client, digest, known, options }: Importer,
  path: string,
  record: KnownRecord,
): Promise<Outcome | undefined> {
  const { id, kind } = record;
  const stored = await readRecord(client, kind, id);
  if (stored && isLearned(known, path, { ...record, stored })) return undefined;
  if (stored && !options.force && (await stateOf(stored.fields, digest)) !== record.state) {
    const reason = `describes another kind of record, but the ${kind} was edited in the store`;
    return { path, status: "conflict", id, reason };
  }
  if (!options.dryRun) {
    const body = {
      metadata: withoutImportMembers(stored?.fields.metadata ?? {}),
      ...(kind === "document" && { status: "archived" }),
    };
    const reply = stored && (await change(client, { kind, id, stored }, body));
    if (reply?.status === 412) return undefined;
    if (reply && reply.status !== 404) dataOf(reply);
    known.byPath.delete(path);
  }
  const place = kind === "document" ? "is in the archive" : "stays";
  return { path, status: "updated", id, reason: `the ${kind} ${id} that the file was before ${place}` };
}

/** Whether another import has stored the file since this one read what is known of its record; it is known then. */
function isLearned(
  known: KnownRecords,
  path: string,
  { id, kind, hash, stored }: Omit<KnownRecord, "state"> & { stored: StoredRecord },
): boolean {
  const { metadata } = stored.fields;
  const remembered = bookkeepingOf(metadata);
  if (remembered?.importPath !== path || remembered.importHash === hash) return false;
  learn(known, path, { id, kind, metadata });
  return true;
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
    importRules: IMPORT_RULES,
    ...notesOf(record),
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
  known.byPath.set(path, { id, kind, hash, state, rules: IMPORT_RULES });
  known.kinds.set(id, kind);
  return { path, status: "created", id };
}

/** The record of a file as the last import left it, or as it was when it was exported. */
type Target = KnownRecord | { id: string; updatedAt: string };

async function updateRecord(
  importer: Importer,
  file: ReadFile,
  target: Target,
): Promise<Outcome | undefined> {
  const { client, digest, known, options } = importer;
  const { path, root, hash, record } = file;
  const { kind, fields, status } = record;
  const { id } = target;
  const isKnown = "hash" in target;
  const stored = await readRecord(client, kind, id);
  if (!stored) {
    known.byPath.delete(path);
    known.kinds.delete(id);
    return createRecord(importer, file);
  }
  if (isKnown && isLearned(known, path, { ...target, stored })) return undefined;
  const current = await stateOf(stored.fields, digest);
  const state = await stateOf(fields, digest);
  const statusChanges = status !== undefined && status !== stored.status;
  const isSame = current === state && !statusChanges;
  if (isSame && !isKnown) return { path, status: "unchanged", id };
  const isEdited = isKnown ? current !== target.state : stored.updatedAt !== target.updatedAt;
  // Only the rules have changed, and the edit is newer.
  if (isEdited && isKnown && target.hash === hash) return { path, status: "unchanged", id };
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
    importRules: IMPORT_RULES,
    ...notesOf(record),
  };
  // A record that was exported may also belong to another file, which keeps it.
  const metadata = { ...fields.metadata, ...(!isKnown && remembered ? remembered : bookkeeping) };
  const body = { ...fields, metadata, ...(statusChanges && { status }) };
  const reply = await change(client, { kind, id, stored }, body);
  if (reply.status === 412) return undefined;
  dataOf(reply);
  if (metadata.importPath === path) known.byPath.set(path, { id, kind, hash, state, rules: IMPORT_RULES });
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

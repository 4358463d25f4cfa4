// Imports files by the rules of `ctxrepo import`: a file that was imported before is skipped if it has not changed, and
// updates its record otherwise. It is loaded when the first file is imported.

import { addItems, type Item, restoreCollections } from "../../../../importing/collections.ts";
import {
  COMMAND_ONLY,
  isContainer,
  isLockFile,
  isPackageLock,
  LOCK_FILE,
  OTHER_TYPE,
  PACKAGE_LOCK,
  typeOf,
} from "../../../../importing/file-types.ts";
import { type Importer, importRecord, type Outcome } from "../../../../importing/import-record.ts";
import { COLLECTION_OF, noneKnown } from "../../../../importing/known.ts";
import { recordOf } from "../../../../importing/record.ts";
import { dataOf } from "../../../../requests/reply.ts";
import type { Imported } from "../../../../features/console/replies.ts";
import { messageOf, RequestError } from "../../../api/request.ts";
import { clientOf } from "../../../api/client.ts";
import type { Gathered } from "./gather.ts";
import { readText, requireSize } from "./read.ts";
import { wanted } from "./wanted.ts";

export interface ImportedFile extends Outcome {
  /** The kind of its record. */
  kind?: Item["kind"];
}

/** Maximum number of paths in one request. */
const BATCH = 500;
/** Requests in flight. */
const LANES = 4;

interface ImportOptions {
  tags: readonly string[];
  /** A collection for all records; "" for none. */
  collectionId: string;
  /** Whether files overwrite edits that were made in the store. */
  force: boolean;
  /** Ends the import. */
  signal: AbortSignal;
  /** Called before the first file, with the number of files. */
  begin(total: number): void;
  report(file: ImportedFile): void;
}

/** Imports what was gathered. Throws if the server cannot be reached or the session has ended; what is done remains. */
export async function importFiles(gathered: readonly Gathered[], options: ImportOptions): Promise<void> {
  const { signal, begin, force } = options;
  const { files, exports } = await wanted(gathered);
  begin(files.length);
  const client = clientOf(signal);
  const importer = { client, digest, known: noneKnown(), options: { force, dryRun: false } };
  const all = new Map(gathered.map((file) => [file.path, file]));
  const items = new Map<string, Item>();
  const report = (file: ImportedFile) => {
    if (file.id !== undefined && file.kind) items.set(file.path, { id: file.id, kind: file.kind });
    options.report(file);
  };
  for (let at = 0; at < files.length && !signal.aborted; at += BATCH) {
    const batch = files.slice(at, at + BATCH);
    await learn(importer, batch);
    const waiting = batch.values();
    const lane = async () => {
      for (const file of waiting) {
        if (signal.aborted) return;
        const outcome = await importFile(importer, file, { all, tags: options.tags });
        // A request that was given up says nothing about the file.
        if (signal.aborted && outcome.status === "failed") return;
        report(outcome);
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
  }
  if (signal.aborted) return;
  if (options.collectionId !== "") await addItems(client, options.collectionId, [...items.values()]);
  for (const [folder, index] of exports) {
    await restoreCollections(client, index, (path) => items.get(`${folder}/${path}`));
  }
}

/** Reads which records were imported from these files before. */
async function learn({ client, known }: Importer, batch: readonly Gathered[]): Promise<void> {
  const body = { paths: batch.map(({ path }) => path) };
  const found = dataOf(await client.request("POST", "/console/api/imported", { body }));
  for (const { type: kind, path, ...record } of found as Imported[]) {
    known.byPath.set(path, { ...record, kind });
    known.kinds.set(record.id, kind);
  }
}

async function importFile(
  importer: Importer,
  gathered: Gathered,
  { all, tags }: { all: ReadonlyMap<string, Gathered>; tags: readonly string[] },
): Promise<ImportedFile> {
  const { client, known } = importer;
  const { path, file } = gathered;
  const type = typeOf(path);
  if (type === undefined || type === "code") return { path, status: "skipped", reason: OTHER_TYPE };
  if (isContainer(type)) return { path, status: "skipped", reason: COMMAND_ONLY };
  if (isPackageLock(file.name)) return { path, status: "skipped", reason: PACKAGE_LOCK };
  if (isLockFile(file.name)) return { path, status: "skipped", reason: LOCK_FILE };
  const describe = async (bytes: ArrayBuffer) => {
    const record = await recordOf(await readText(client, gathered, { bytes, all }), tags);
    const { kind, exported } = record;
    if (exported && !known.kinds.has(exported.id)) {
      const reply = await client.request("GET", `${COLLECTION_OF[kind]}/${exported.id}`);
      if (reply.status === 200) known.kinds.set(exported.id, kind);
    }
    return record;
  };
  const read = async () => {
    const bytes = await file.arrayBuffer();
    return { hash: `sha256:${await digest(bytes)}`, describe: () => describe(bytes) };
  };
  try {
    requireSize(gathered);
    const outcome = await importRecord(importer, { path, root: rootOf(path), read });
    return { ...outcome, kind: outcome.id === undefined ? undefined : known.kinds.get(outcome.id) };
  } catch (error) {
    if (error instanceof RequestError) throw error;
    return { path, status: "failed", reason: messageOf(error) };
  }
}

/** The folder that was dropped or chosen; undefined if the file was. */
const rootOf = (path: string) => (path.includes("/") ? path.slice(0, path.indexOf("/")) : undefined);

/** Lower-case hex SHA-256 of UTF-8 text or bytes. */
async function digest(data: string | ArrayBuffer): Promise<string> {
  const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

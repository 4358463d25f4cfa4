// Imports files one after the other: a file that was imported before is skipped if it has not changed, and updates its record
// otherwise.

import { messageOf, type Reply, RequestError, send, write } from "../../../api/request.ts";
import type { Gathered } from "./gather.ts";
import { recordOf, recordOfPage } from "./record.ts";
import { type StoredRecord, sha256Hex, stateOf } from "./state.ts";

export interface Outcome {
  path: string;
  status: "created" | "updated" | "unchanged" | "conflict" | "failed";
  id?: string;
  type?: "document" | "prompt";
  reason?: string;
}

/** A record that was imported from this path before. */
interface Imported {
  id: string;
  type: "document" | "prompt";
  path: string;
  /** Digest of the file's bytes. */
  hash: string;
  /** Digest of the record's members as the last import left them. */
  state: string | null;
}

const BATCH = 500;

interface ImportOptions {
  tags: readonly string[];
  collectionId: string;
}

/** Imports the files and reports each. Stops when `signal` is aborted; what is done remains. */
export async function* importFiles(
  files: readonly Gathered[],
  options: ImportOptions,
  signal: AbortSignal,
): AsyncGenerator<Outcome> {
  for (let at = 0; at < files.length; at += BATCH) {
    const batch = files.slice(at, at + BATCH);
    const known = await write<Imported[]>("POST", "/console/api/imported", {
      body: { paths: batch.map(({ path }) => path) },
      signal,
    });
    const byPath = new Map(known.map((imported) => [imported.path, imported]));
    for (const file of batch) {
      if (signal.aborted) return;
      yield await importFile(file, byPath.get(file.path), options).catch(
        (error): Outcome => ({ path: file.path, status: "failed", reason: messageOf(error) }),
      );
    }
  }
}

async function importFile(
  { path, file }: Gathered,
  known: Imported | undefined,
  { tags, collectionId }: ImportOptions,
): Promise<Outcome> {
  const bytes = await file.arrayBuffer();
  const hash = `sha256:${await sha256Hex(bytes)}`;
  if (known?.hash === hash) return { path, status: "unchanged", id: known.id, type: known.type };
  const text = decode(bytes);
  const record = /\.html?$/i.test(path)
    ? recordOfPage(path, await readPage(text), tags)
    : await recordOf(path, text, tags);
  const { type, ...fields } = record;
  const state = await stateOf(record);
  const metadata = { ...record.metadata, importPath: path, importHash: hash, importState: state };
  if (known && known.type === type) return update(known, { ...fields, metadata });
  const body = {
    ...fields,
    metadata,
    ...(type === "document" && { sourceType: "import" }),
    ...(collectionId !== "" && { collectionIds: [collectionId] }),
  };
  const { id } = await write<{ id: string }>("POST", `/v1/${type}s`, { body });
  return { path, status: "created", id, type };
}

/** Updates a record unless somebody has edited it since the last import. */
async function update(known: Imported, fields: Record<string, unknown>): Promise<Outcome> {
  const { id, type, path } = known;
  const address = `/v1/${type}s/${id}`;
  const conflict: Outcome = {
    path,
    status: "conflict",
    id,
    type,
    reason: "It was edited here since the last import. Delete the record to import the file again.",
  };
  try {
    const stored: Reply<{ data: StoredRecord }> = await send("GET", address);
    if ((await stateOf(stored.data.data)) !== known.state) return conflict;
    const etag = stored.headers.get("ETag");
    await write("PATCH", address, { body: fields, headers: etag === null ? {} : { "If-Match": etag } });
    return { path, status: "updated", id, type };
  } catch (error) {
    if (error instanceof RequestError && error.status === 412) return conflict;
    throw error;
  }
}

async function readPage(html: string): Promise<{ title: string; markdown: string; html: string }> {
  const page = await write<{ title: string; markdown: string }>("POST", "/console/api/page", {
    body: { html },
  });
  return { ...page, html };
}

function decode(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Error("The file is not text in UTF-8.");
  }
}

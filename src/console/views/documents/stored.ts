// Reads and saves one document. What is saved names the state that it was made from, so that nobody's change is lost.

import type { Acknowledgement, Coordination, Document, DocumentUpdate, Lease } from "../../api/openapi.d.ts";
import { type Reply, RequestError, read, send, write } from "../../api/request.ts";
import type { HeldLease } from "../../../features/console/replies.ts";
import { timeOfDay } from "../../text/format.ts";

/** A document with the validator of exactly this state. */
export interface Stored {
  document: Document;
  etag: string;
}

/** Longer texts are truncated in responses; saving such a text would lose the rest. */
const TRUNCATED_BYTES = 2 * 1024 * 1024 - 4;
/** Long enough to save once. */
const LEASE_MS = 30_000;

const pathOf = (id: string) => `/v1/documents/${id}`;

/** The document as it is stored, with its entity tag. Throws RequestError. */
export async function loadDocument(id: string, signal?: AbortSignal): Promise<Stored> {
  return storedOf(await send<{ data: Document }>("GET", pathOf(id), { signal }));
}

const storedOf = ({ data, headers }: Reply<{ data: Document }>): Stored => ({
  document: data.data,
  etag: headers.get("ETag") ?? "",
});

/** Whether the response does not contain the whole text. */
export const isTruncated = ({ content = "" }: Document) =>
  content.length > TRUNCATED_BYTES / 3 && new TextEncoder().encode(content).length >= TRUNCATED_BYTES;

/**
 * Saves a change to the state that `etag` names, with a lease if the document requires one. Throws RequestError: 412 if
 * the document has changed, 409 if somebody else holds the lease.
 */
export async function saveDocument(id: string, etag: string, update: DocumentUpdate): Promise<void> {
  await coordinated(id, etag, (headers) => send("PATCH", pathOf(id), { body: update, headers }));
}

/** Makes an earlier version the current one. Throws as saveDocument does. */
export async function restoreDocument({ document: { id }, etag }: Stored, versionId: string) {
  return coordinated(id, etag, (headers) =>
    write<Acknowledgement>("POST", `${pathOf(id)}/restore`, { body: { versionId }, headers }),
  );
}

/** Fetches the page of a scraped document again; returns whether it has changed. */
export async function refreshDocument({ document: { id }, etag }: Stored): Promise<boolean> {
  const headers = { "If-Match": etag, "Idempotency-Key": crypto.randomUUID() };
  const { changed } = await write<{ changed: boolean }>("POST", `${pathOf(id)}/refresh`, { headers });
  return changed;
}

/** The policy of a document and its lease. */
export const loadCoordination = (id: string, signal?: AbortSignal) =>
  read<Coordination>(`${pathOf(id)}/coordination`, { signal });

/** Who holds the lease of a document; null if nobody does. */
export const loadLease = (id: string, signal?: AbortSignal) =>
  read<HeldLease | null>(`/console/api/documents/${id}/lease`, { signal });

/** Who holds a lease, for people. */
export function holderOf({ isOwn, isKey, keyName }: HeldLease): string {
  if (isOwn) return "you";
  if (!isKey) return "another session or command";
  return keyName === null ? "a key without a name" : `the key ${keyName}`;
}

/** Requires a lease for changes from now on, or no longer. */
export async function setLeaseRequired(
  { document: { id }, etag }: Stored,
  isRequired: boolean,
): Promise<void> {
  await send(isRequired ? "PUT" : "DELETE", `${pathOf(id)}/coordination`, { headers: { "If-Match": etag } });
}

async function coordinated<Value>(
  id: string,
  etag: string,
  change: (headers: Record<string, string>) => Promise<Value>,
): Promise<Value> {
  const headers = { "If-Match": etag, "Idempotency-Key": crypto.randomUUID() };
  try {
    return await change(headers);
  } catch (error) {
    if (!(error instanceof RequestError && error.reason === "PRECONDITION_REQUIRED")) throw error;
  }
  const lease = await act<Lease>(id, { action: "acquire", ttlMs: LEASE_MS }).catch(async (error) => {
    if (!(error instanceof RequestError && error.reason === "LEASE_CONFLICT")) throw error;
    const held = await loadLease(id);
    if (!held) throw error;
    const until = timeOfDay(held.expiresAt);
    throw new RequestError(
      409,
      `A lease is held by ${holderOf(held)} until ${until}. Save again after that.`,
    );
  });
  const proof = { "X-Service-Lease-Id": lease.leaseId, "X-Service-Lease-Fence": String(lease.fence) };
  try {
    return await change({ ...headers, ...proof, "Idempotency-Key": crypto.randomUUID() });
  } finally {
    // If it fails, the lease expires by itself.
    await act(id, { action: "release" }, proof).catch(() => {});
  }
}

const act = <Data>(id: string, body: object, proof: Record<string, string> = {}) =>
  write<Data>("POST", `${pathOf(id)}/coordination/lease`, {
    body,
    headers: { ...proof, "Idempotency-Key": crypto.randomUUID() },
  });

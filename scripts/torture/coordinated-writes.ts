// A client that edits one document under leases.

import { createAction, type Document, patchAction, readAction, type Searchable } from "./document-writes.ts";
import { type Action, expectSame, expectStatus, type Shared } from "./writer.ts";

const LEASE_MS = 3_600_000;

/** One document in the mode lease_required: acquire, some edits, a renewal, release, and again. */
export function coordinatedActions(shared: Shared, searchable: Searchable): () => Action {
  let document: Document | undefined;
  let isEnabled = false;
  let fence = 0;
  let leaseId: string | null = null;
  let edits = 0;
  const leaseHeaders = () => ({ "X-Service-Lease-Id": leaseId!, "X-Service-Lease-Fence": String(fence) });
  const lease = (
    id: string,
    action: string,
    then: (data: { leaseId: string; fence: number }) => void,
  ): Action => {
    const key = shared.token();
    return {
      sent: {
        method: "POST",
        path: `/v1/documents/${id}/coordination/lease`,
        body: { action, ...(action !== "release" && { ttlMs: LEASE_MS }) },
        headers: { "Idempotency-Key": key, ...(action !== "acquire" && leaseHeaders()) },
      },
      begin: () => shared.facts.end(`lease ${id}`),
      done(received) {
        expectStatus(received, 200);
        then(received.body.data);
        shared.facts.add({ kind: "fence", document: id, fence, leaseId }, `lease ${id}`);
        shared.facts.add({ kind: "receipt", key });
      },
    };
  };
  return () => {
    if (!document)
      return createAction(shared, searchable, (created) => {
        document = created;
      });
    const { id, etag } = document;
    if (etag === null) return readAction(document);
    if (!isEnabled)
      return {
        sent: { method: "PUT", path: `/v1/documents/${id}/coordination`, headers: { "If-Match": etag } },
        done(received) {
          expectStatus(received, 200);
          isEnabled = true;
        },
      };
    if (leaseId === null)
      return lease(id, "acquire", (data) => {
        expectSame("fence", data.fence, fence + 1);
        ({ fence, leaseId } = data);
        edits = 1 + Math.floor(shared.random() * 5);
      });
    if (edits-- > 0) {
      if (shared.random() < 0.2) return lease(id, "renew", (data) => expectSame("fence", data.fence, fence));
      return patchAction(shared, { document, searchable, headers: { "If-Match": etag, ...leaseHeaders() } });
    }
    return lease(id, "release", () => {
      leaseId = null;
    });
  };
}

// The tool that holds the lease of a document, so that several edits are not interrupted by others.

import { bold } from "./markdown.ts";
import { documentId, integer, oneOf, TEXT, text } from "./shapes.ts";
import { type Tool, ToolFailure } from "./tool.ts";

const LEASE = /^([0-9A-Za-z]{27})\/(\d{1,15})$/;
const MS = 1000;

/** A lease as one text: its id and its fence. */
export const leaseText = ({ leaseId, fence }: { leaseId: string; fence: number }) => `${leaseId}/${fence}`;

/** The headers of a lease that was returned by `leaseText`. Throws ToolFailure (400) for another text. */
export function leaseHeaders(lease: string | undefined): Record<string, string> {
  if (lease === undefined) return {};
  const [, leaseId, fence] = LEASE.exec(lease) ?? [];
  if (leaseId === undefined || fence === undefined) {
    throw new ToolFailure(400, "lease: has the wrong form; send the one that lease_document returned");
  }
  return { "X-Service-Lease-Id": leaseId, "X-Service-Lease-Fence": fence };
}

export const leaseDocument: Tool = {
  name: "lease_document",
  title: "Hold the lease of a document",
  description:
    "Hold the right to edit a document that requires leases, for several edits in a row. Not needed for one edit: " +
    "update_document takes a lease by itself.",
  arguments: {
    documentId,
    action: oneOf(["acquire", "renew", "release"], "what to do"),
    seconds: integer("how long, 5-300, default 60"),
    lease: text("the one to renew or release"),
  },
  required: ["documentId", "action"],
  returns: { documentId: TEXT, lease: TEXT, expiresAt: TEXT },
  behaviour: {},
  operation: "coordination.lease",
  async handle({ arguments: { documentId: id, action, seconds = 60, lease }, run, also, documentFacts }) {
    if (action !== "acquire" && lease === undefined) {
      throw new ToolFailure(400, `lease must be sent to ${action} it`);
    }
    const of = `${bold(documentFacts([id]).get(id)?.title ?? id)} (documentId: ${id})`;
    const { policy } = (await also("coordination.get", { id })).body.data;
    if (policy === "standard") {
      const text = `${of} requires no lease: edit it with update_document and expectedRevision.`;
      return { text, data: { documentId: id } };
    }
    const ttlMs = action === "release" ? undefined : seconds * MS;
    const headers = { "Idempotency-Key": crypto.randomUUID(), ...leaseHeaders(lease) };
    const { data } = (await run({ id, body: { action, ttlMs }, headers })).body;
    if (action === "release") return { text: `Released the lease of ${of}.`, data: { documentId: id } };
    const held = leaseText(data);
    const until = new Date(data.expiresAt).toISOString();
    return {
      text: `You hold the lease of ${of} until ${until}. Send lease: "${held}" with each edit, and release it at the end.`,
      data: { documentId: id, lease: held, expiresAt: until },
    };
  },
};

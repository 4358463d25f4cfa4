// The tools that write a new revision of a document: edit and restore, each with the conditions of coordination.

import { sha256Hex } from "../../kernel/hash.ts";
import type { OperationCall, OperationResult } from "../calls.ts";
import { replacePassage } from "./replace-passage.ts";
import { documentId, flag, integer, oneOf, tags, text } from "./shapes.ts";
import { type Tool, type ToolCall, ToolFailure } from "./tool.ts";

/** Long enough for one edit. Without a release, the lease ends by itself. */
const LEASE_MS = 30_000;

const conditions = {
  expectedRevision: integer("revision you have read; a newer one makes the call fail"),
  acquireLease: flag("hold the lease during this call"),
  leaseId: text(),
  fence: integer(),
};

/** Runs the tool's operation with the lease that the arguments name, or with one that is held only for this. */
async function runWithLease(call: ToolCall, write: OperationCall): Promise<OperationResult> {
  const { run, also } = call;
  const { documentId, leaseId, fence, acquireLease } = call.arguments;
  const withLease = (lease: { leaseId?: string; fence?: number }) => ({
    // Required with a lease. The key of the frame, if there is one, replaces it.
    "Idempotency-Key": crypto.randomUUID(),
    ...(lease.leaseId !== undefined && { "X-Service-Lease-Id": lease.leaseId }),
    ...(lease.fence !== undefined && { "X-Service-Lease-Fence": String(lease.fence) }),
  });
  if (leaseId !== undefined || fence !== undefined) {
    return run({ ...write, headers: withLease({ leaseId, fence }) });
  }
  if (!acquireLease) return run(write);
  const state = await also("coordination.get", { id: documentId });
  if (state.body.data.policy === "standard") return run(write);
  const acquired = await also("coordination.lease", {
    id: documentId,
    body: { action: "acquire", ttlMs: LEASE_MS },
    headers: withLease({}),
  });
  const lease = acquired.body.data;
  try {
    return await run({ ...write, headers: withLease(lease) });
  } finally {
    const release = { id: documentId, body: { action: "release" }, headers: withLease(lease) };
    await also("coordination.lease", release).catch(() => {});
  }
}

/** The content in which `oldText`, which must occur once, is replaced, and the revision that it applies to. */
async function replaced({ also, arguments: sent }: ToolCall): Promise<{ content: string; revision: number }> {
  const { documentId, oldText, newText } = sent;
  if (sent.content !== undefined) throw new ToolFailure(400, "send either content or oldText, not both");
  if (newText === undefined) {
    throw new ToolFailure(400, 'newText must be sent with oldText; "" deletes the passage');
  }
  const { content = "", contentHash, revision } = (await also("documents.get", { id: documentId })).body.data;
  if (contentHash !== `sha256:${sha256Hex(content)}`) {
    throw new ToolFailure(413, "the document is too long for oldText: send its whole content");
  }
  const edit = replacePassage(content, oldText, newText);
  if ("text" in edit) return { content: edit.text, revision };
  const { expectedRevision = revision } = sent;
  if (expectedRevision !== revision) {
    throw new ToolFailure(412, `the document has revision ${revision}`, { reason: "REVISION_MISMATCH" });
  }
  throw new ToolFailure(
    400,
    edit.occurrences === 0
      ? `oldText does not occur in revision ${revision}: read it again with get_document and copy the text exactly`
      : `oldText occurs ${edit.occurrences} times: send more of the text around it, so that it occurs once`,
  );
}

export const updateDocument: Tool = {
  name: "update_document",
  title: "Change a document",
  description:
    "Change a document; each change is a version. Send content to replace everything, or oldText and newText to replace one passage that occurs once. Read it before, and send expectedRevision.",
  arguments: {
    documentId,
    title: text(),
    content: text(),
    oldText: text(),
    newText: text(),
    tags,
    status: oneOf(["draft", "published", "archived"]),
    changeLog: text("why"),
    ...conditions,
  },
  required: ["documentId"],
  // An empty one deletes the passage.
  mayBeEmpty: ["newText"],
  behaviour: {},
  operation: "documents.update",
  async handle(call) {
    const { documentId, title, content, oldText, newText, tags, status, changeLog } = call.arguments;
    const patch: Record<string, unknown> = { title, content, tags, status, changeLog };
    patch.expectedRevision = call.arguments.expectedRevision;
    if (newText && oldText === undefined) throw new ToolFailure(400, "oldText must be sent with newText");
    if (oldText !== undefined) {
      const edit = await replaced(call);
      patch.content = edit.content;
      patch.expectedRevision ??= edit.revision;
    }
    const { body } = await runWithLease(call, { id: documentId, body: patch });
    const { revision, noop } = body.data;
    return {
      text: noop
        ? `Nothing changed: document ${documentId} still has revision ${revision}.`
        : `Changed document ${documentId}: it now has revision ${revision}.`,
      data: { documentId, revision, changed: !noop },
    };
  },
};

export const restoreDocumentVersion: Tool = {
  name: "restore_document_version",
  title: "Restore a version of a document",
  description:
    "Make an earlier version of a document the current one, as a new version. get_document_versions lists the versionIds.",
  arguments: { documentId, versionId: text(), ...conditions },
  required: ["documentId", "versionId"],
  behaviour: {},
  operation: "documents.restore",
  async handle(call) {
    const { documentId, versionId, expectedRevision } = call.arguments;
    const { body } = await runWithLease(call, { id: documentId, body: { versionId, expectedRevision } });
    const { revision, noop } = body.data;
    return {
      text: noop
        ? `Nothing changed: document ${documentId} already has this content, in revision ${revision}.`
        : `Restored document ${documentId}: it now has revision ${revision}.`,
      data: { documentId, revision, changed: !noop },
    };
  },
};

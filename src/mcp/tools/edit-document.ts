// The tools that write a new revision of a document: edit and restore, each with the conditions of coordination.

import { sha256Hex } from "../../kernel/hash.ts";
import { oneAtATime } from "../../kernel/one-at-a-time.ts";
import type { OperationCall, OperationResult } from "../calls.ts";
import { replacePassage } from "./replace-passage.ts";
import { withLine } from "./append-line.ts";
import { leaseHeaders, leaseText } from "./lease.ts";
import { bold, day, oneLine } from "./markdown.ts";
import { documentId, FLAG, integer, NUMBER, TEXT, oneOf, tags, text } from "./shapes.ts";
import { type Tool, type ToolCall, ToolFailure } from "./tool.ts";
import { versionIdOf } from "./versions.ts";

/** Long enough for one edit. Without a release, the lease ends by itself. */
const LEASE_MS = 30_000;

/** How often a line is added again after somebody else's change. */
const MAX_ATTEMPTS = 20;

/** Lines that are added to one document at the same time. */
const inTurn = oneAtATime();

const WRITTEN = { documentId: TEXT, revision: NUMBER, changed: FLAG };

const conditions = {
  expectedRevision: integer("the one you have read; fails if there is a newer one"),
  lease: text("of lease_document, if you hold one"),
};

const withLease = (lease: string | undefined) => ({
  // Required with a lease. The key of the frame, if there is one, replaces it.
  "Idempotency-Key": crypto.randomUUID(),
  ...leaseHeaders(lease),
});

/**
 * Runs the tool's operation with the lease that the arguments name, or, if the document requires one, with a lease that
 * is held only for this.
 */
async function runWithLease(call: ToolCall, write: OperationCall): Promise<OperationResult> {
  const { run, also } = call;
  const { documentId: id, lease } = call.arguments;
  if (lease !== undefined) return run({ ...write, headers: withLease(lease) });
  const { policy } = (await also("coordination.get", { id })).body.data;
  if (policy === "standard") return run(write);
  const body = { action: "acquire", ttlMs: LEASE_MS };
  const { data } = (await also("coordination.lease", { id, body, headers: withLease(undefined) })).body;
  const own = leaseText(data);
  try {
    return await run({ ...write, headers: withLease(own) });
  } finally {
    const release = { id, body: { action: "release" }, headers: withLease(own) };
    await also("coordination.lease", release).catch(() => {});
  }
}

/** The current content and revision. Throws ToolFailure (413) if the API does not return all of it. */
async function wholeOf(
  { also }: ToolCall,
  documentId: string,
): Promise<{ content: string; revision: number }> {
  const { content = "", contentHash, revision } = (await also("documents.get", { id: documentId })).body.data;
  if (contentHash !== `sha256:${sha256Hex(content)}`) {
    throw new ToolFailure(413, "the document is too long to be edited in part: send its whole content");
  }
  return { content, revision };
}

/** The content in which `oldText`, which must occur once, is replaced, and the revision that it applies to. */
async function replaced(call: ToolCall): Promise<{ content: string; revision: number }> {
  const { documentId, oldText, newText, content: whole, expectedRevision } = call.arguments;
  if (whole !== undefined) throw new ToolFailure(400, "send either content or oldText, not both");
  if (newText === undefined) {
    throw new ToolFailure(400, 'newText must be sent with oldText; "" deletes the passage');
  }
  const { content, revision } = await wholeOf(call, documentId);
  const edit = replacePassage(content, oldText, newText);
  if ("text" in edit) return { content: edit.text, revision };
  if (expectedRevision !== undefined && expectedRevision !== revision) {
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
    "Change a document: one passage with oldText and newText, or everything with content. Read it first and send " +
    "expectedRevision. Each change is a version that can be restored.",
  arguments: {
    documentId,
    oldText: text("a passage that occurs once"),
    newText: text('in its place; "" deletes it'),
    content: text("the whole new text"),
    title: text("the new one"),
    tags,
    status: oneOf(["draft", "published", "archived"], "archived hides it"),
    changeLog: text("why"),
    ...conditions,
  },
  required: ["documentId"],
  // An empty one deletes the passage.
  mayBeEmpty: ["newText"],
  returns: WRITTEN,
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
    return writtenText(call, body.data, "Changed");
  },
};

/** The mark and the date of a line, which some agents write themselves. */
const OWN_MARK = /^(?:[-*+] )?(?:\d{4}-\d{2}-\d{2}:? )?/;

export const appendToDocument: Tool = {
  name: "append_to_document",
  title: "Add a dated line",
  description:
    "Add a line with today's date to a document, such as a log of decisions, without reading it. For other changes use " +
    "update_document.",
  arguments: {
    documentId,
    text: text("what to note, without the date"),
    heading: text("under which; added if missing; default: the end"),
    lease: conditions.lease,
  },
  required: ["documentId", "text"],
  returns: WRITTEN,
  behaviour: {},
  operation: "documents.update",
  async handle(call) {
    const { documentId, text, heading } = call.arguments;
    const noted = text
      .trim()
      .replace(OWN_MARK, "")
      .replaceAll(/\r\n?|[\n\u2028\u2029]/g, "\n  ");
    if (noted === "") throw new ToolFailure(400, "text: must not be blank");
    const line = `- ${day(call.clock.now())}: ${noted}`;
    const add = async (content: string, expectedRevision: number) => {
      const body = { content: withLine(content, line, heading && oneLine(heading)), expectedRevision };
      const repeated = { documentId, text, heading };
      return runWithLease(call, { id: documentId, body, repeated });
    };
    return inTurn(documentId, async () => {
      for (let attempt = 1; ; attempt++) {
        const { content, revision } = await wholeOf(call, documentId);
        try {
          const written = await add(content, revision);
          return writtenText(call, written.body.data, "Added a line to");
        } catch (error) {
          // Somebody has changed the document meanwhile.
          const isStale = error instanceof ToolFailure && error.reason === "REVISION_MISMATCH";
          if (!isStale || attempt === MAX_ATTEMPTS) throw error;
        }
      }
    });
  },
};

/** The result of a write: title, id and revision. */
function writtenText(
  { arguments: { documentId }, documentFacts }: ToolCall,
  { revision, noop }: { revision: number; noop?: boolean },
  done: string,
) {
  const { title } = documentFacts([documentId]).get(documentId) ?? {};
  const of = title === undefined ? `document ${documentId}` : `${bold(title)} (documentId: ${documentId})`;
  return {
    text: noop
      ? `Nothing changed: ${of} has this state already, in revision ${revision}.`
      : `${done} ${of}: it has revision ${revision}.`,
    data: { documentId, revision, changed: !noop },
  };
}

export const restoreDocumentVersion: Tool = {
  name: "restore_document_version",
  title: "Restore a version of a document",
  description:
    "Make an earlier version of a document the current one, as a new version. get_document_versions lists them.",
  arguments: { documentId, versionId: text("id or number of the version"), ...conditions },
  required: ["documentId", "versionId"],
  returns: WRITTEN,
  behaviour: {},
  operation: "documents.restore",
  async handle(call) {
    const { documentId, versionId: version, expectedRevision } = call.arguments;
    const named = { also: call.also, list: "documents.versions", id: documentId, version } as const;
    const versionId = await versionIdOf(named);
    const { body } = await runWithLease(call, { id: documentId, body: { versionId, expectedRevision } });
    return writtenText(call, body.data, "Restored");
  },
};

// The tools for documents, except those that edit one (edit-document.ts) and those that fetch pages (pages.ts).

import { LIMITS } from "../../kernel/limits.ts";
import { deleteRecord } from "./delete.ts";
import { requireFilters } from "./filters.ts";
import { bold, facts, listed, moment, oneLine, paragraphs, partOf } from "./markdown.ts";
import { pageText } from "./page.ts";
import {
  anyTags,
  collectionId,
  cursor,
  documentId,
  limit,
  offset,
  oneOf,
  responseFormat,
  tags,
  tagsQuery,
  text,
  texts,
} from "./shapes.ts";
import type { Tool } from "./tool.ts";
import { versionsText } from "./versions.ts";

const MAX_METADATA_CHARACTERS = 2_000;
const { maxLimit, defaultLimit } = LIMITS.list;

const NO_DOCUMENT = "No document matches. Omit filters, or use find_items.";

export const listDocuments: Tool = {
  name: "list_documents",
  title: "List documents",
  description: "List documents, newest first. To find one by topic use find_items.",
  arguments: {
    search: text("part of the title"),
    collectionId,
    tags: anyTags,
    status: oneOf(["draft", "published", "archived"]),
    limit: limit(maxLimit, defaultLimit),
    cursor,
    response_format: responseFormat,
  },
  required: [],
  behaviour: { readOnly: true, idempotent: true },
  operation: "documents.list",
  async handle(call) {
    const { arguments: sent, isDetailed, run } = call;
    const { search, collectionId, tags, status, limit, cursor } = sent;
    const query = { search, collectionId, tags: tagsQuery(tags), status, limit, cursor };
    const listing = await pageText({
      call: { query },
      run,
      toText: (row) =>
        `- ${bold(row.title)}${facts(
          `documentId: ${row.id}`,
          row.status !== "published" && row.status,
          isDetailed && listed("tags", row.tags),
          isDetailed && `updated ${moment(row.updatedAt)}`,
        )}`,
      noun: "document",
      whenEmpty: NO_DOCUMENT,
      repeat: "list_documents, same filters,",
    });
    if (listing === NO_DOCUMENT) await requireFilters(call);
    return { text: listing };
  },
};

/** What a reader must know of the state of a document, or undefined. */
// biome-ignore lint/suspicious/noExplicitAny: a document on the wire
function stateText(document: any): string | undefined {
  const error = document.source?.lastRefreshError;
  if (document.status === "processing")
    return "The page is still being fetched. Call get_document again in 10 seconds.";
  if (error) return `The last fetch of its page failed: ${error.code}: ${oneLine(error.message)}`;
  return undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: a document on the wire
function detailsText(document: any): string {
  const metadata = JSON.stringify(document.metadata);
  const lines = [
    `created ${moment(document.createdAt)}, changed ${moment(document.lastChangedAt)}`,
    `source: ${document.sourceType}${document.sourceUrl ? `, ${document.sourceUrl}` : ""}`,
    `contentHash: ${document.contentHash}`,
    document.workspaceId && `workspaceId: ${document.workspaceId}`,
    metadata !== "{}" && `metadata: ${oneLine(metadata, MAX_METADATA_CHARACTERS)}`,
  ];
  return lines
    .filter(Boolean)
    .map((line) => `- ${line}`)
    .join("\n");
}

export const getDocument: Tool = {
  name: "get_document",
  title: "Read a document",
  description:
    "Read a whole document and its revision. Long documents come in parts; to read only what matters use deep_search with documentId.",
  arguments: { documentId, offset, response_format: responseFormat },
  required: ["documentId"],
  behaviour: { readOnly: true, idempotent: true },
  operation: "documents.get",
  async handle({ arguments: { documentId, offset }, isDetailed, run, also }) {
    const document = (await run({ id: documentId })).body.data;
    const { policy } = (await also("coordination.get", { id: documentId })).body.data;
    const heading = paragraphs(
      `${bold(document.title)}${facts(`documentId: ${documentId}`, `revision ${document.revision}`, document.status, listed("tags", document.tags))}`,
      policy === "lease_required" &&
        "Edits require a lease: send acquireLease: true and expectedRevision to update_document.",
      isDetailed && detailsText(document),
      stateText(document),
    );
    const part = partOf(document.content ?? "", { offset, repeat: "get_document", heading });
    return { text: paragraphs(heading, part) };
  },
};

export const createDocument: Tool = {
  name: "create_document",
  title: "Store a document",
  description:
    "Store a new Markdown document. Search with find_items first; to change one that exists use update_document.",
  arguments: { title: text(), content: text("Markdown"), tags, collectionIds: texts() },
  required: ["title", "content"],
  behaviour: {},
  operation: "documents.create",
  async handle({ arguments: body, run }) {
    const { id, revision } = (await run({ body })).body.data;
    return {
      text: `Stored ${bold(body.title)} (documentId: ${id}, revision ${revision}). It can be searched in some seconds.`,
      data: { title: body.title, documentId: id, revision },
    };
  },
};

export const deleteDocument: Tool = {
  name: "delete_document",
  title: "Delete a document",
  description:
    "Delete a document with all its versions, permanently. To hide it, set status archived with update_document.",
  arguments: { documentId },
  required: ["documentId"],
  behaviour: { destructive: true, idempotent: true },
  operation: "documents.delete",
  handle: (call) => deleteRecord(call, { id: call.arguments.documentId, noun: "document" }),
};

export const getDocumentVersions: Tool = {
  name: "get_document_versions",
  title: "List the versions of a document",
  description: "List the versions of a document, newest first. restore_document_version brings one back.",
  arguments: {
    documentId,
    limit: limit(maxLimit, defaultLimit),
    cursor,
    response_format: responseFormat,
  },
  required: ["documentId"],
  behaviour: { readOnly: true, idempotent: true },
  operation: "documents.versions",
  async handle({ arguments: { documentId, limit = defaultLimit, cursor }, isDetailed, run }) {
    return { text: await versionsText({ run, id: documentId, limit, cursor, isDetailed, noun: "document" }) };
  },
};

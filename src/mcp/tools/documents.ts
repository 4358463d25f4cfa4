// The tools for documents, except those that edit one (edit-document.ts) and those that fetch pages (pages.ts).

import { LIMITS } from "../../kernel/limits.ts";
import { DELETED, deleteRecord } from "./delete.ts";
import { requireFilters } from "./filters.ts";
import { partOf } from "./budget.ts";
import { documentHeading } from "./document-heading.ts";
import { bold, listed, oneLine, paragraphs } from "./markdown.ts";
import { outlineOf } from "./outline.ts";
import { pageText } from "./page.ts";
import {
  anyTags,
  NUMBER,
  TEXT,
  cursor,
  documentId,
  inCollection,
  listLimit,
  maxTokens,
  offset,
  oneOf,
  tagsQuery,
  text,
  texts,
} from "./shapes.ts";
import type { Tool } from "./tool.ts";
import { versionsText } from "./versions.ts";

const MAX_METADATA_CHARACTERS = 500;

/** The part of a page that the headings of a long document may take. */
const OUTLINE_SHARE = 0.25;

const NO_DOCUMENT = "No document matches. Omit filters, or use find_items.";

export const listDocuments: Tool = {
  name: "list_documents",
  title: "List documents",
  description: "List documents, newest first, such as those with a tag. By topic use find_items.",
  arguments: {
    search: text("part of the title"),
    collectionId: inCollection,
    tags: anyTags,
    status: oneOf(["draft", "published", "archived"], "default: all but archived"),
    limit: listLimit,
    cursor,
    maxTokens,
  },
  required: [],
  behaviour: { readOnly: true, idempotent: true },
  operation: "documents.list",
  async handle(call) {
    const { arguments: sent, room, run, placeOf } = call;
    const { search, collectionId, tags, status, limit, cursor } = sent;
    const query = { search, collectionId, tags: tagsQuery(tags), status, limit, cursor };
    const listing = await pageText({
      call: { query },
      run,
      toText: ({ id, title, status, tags, updatedAt: changedAt }) => {
        const described = { documentId: id, title, source: placeOf(id), known: { title, status, changedAt } };
        return `- ${documentHeading(described, listed("tags", tags))}`;
      },
      noun: "document",
      whenEmpty: NO_DOCUMENT,
      repeat: "list_documents, same filters,",
      room,
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

/** What people have noted about a document, without what imports note. */
function metadataText(metadata: Record<string, unknown>): string | false {
  const own = Object.entries(metadata).filter(([name]) => !name.startsWith("import"));
  const text = JSON.stringify(Object.fromEntries(own));
  return own.length > 0 && `metadata: ${oneLine(text, MAX_METADATA_CHARACTERS)}`;
}

export const getDocument: Tool = {
  name: "get_document",
  title: "Read a document",
  description:
    "Read a document, in pages if it is long, and its revision. To read only what matters use deep_search with documentId.",
  arguments: { documentId, offset, maxTokens },
  required: ["documentId"],
  behaviour: { readOnly: true, idempotent: true },
  operation: "documents.get",
  async handle({ arguments: { documentId, offset }, room, run, also, placeOf }) {
    const document = (await run({ id: documentId })).body.data;
    const { policy } = (await also("coordination.get", { id: documentId })).body.data;
    const { title, revision, status, lastChangedAt: changedAt, tags, metadata, content = "" } = document;
    const described = { documentId, title, source: placeOf(documentId), known: { title, status, changedAt } };
    const heading = paragraphs(
      documentHeading(described, `revision ${revision}`, listed("tags", tags)),
      policy === "lease_required" &&
        "Edits require a lease, which update_document takes. Send expectedRevision.",
      offset === undefined && metadataText(metadata),
      stateText(document),
      offset === undefined && content.length > room && outlineOf(content, room * OUTLINE_SHARE),
    );
    return { text: paragraphs(heading, partOf(content, { offset, repeat: "get_document", heading, room })) };
  },
};

export const createDocument: Tool = {
  name: "create_document",
  title: "Store a document",
  description:
    "Store a new document, such as notes or a decision. Search with find_items first; to change one that exists use " +
    "update_document.",
  arguments: {
    title: text("what a reader would look for"),
    content: text("Markdown"),
    tags: texts("short labels"),
    collectionIds: texts("ids or names"),
  },
  required: ["title", "content"],
  returns: { title: TEXT, documentId: TEXT, revision: NUMBER },
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
  returns: DELETED,
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
    limit: listLimit,
    cursor,
  },
  required: ["documentId"],
  behaviour: { readOnly: true, idempotent: true },
  operation: "documents.versions",
  async handle({ arguments: { documentId, limit = LIMITS.list.defaultLimit, cursor }, room, run }) {
    return { text: await versionsText({ run, id: documentId, limit, cursor, room, noun: "document" }) };
  },
};

// The operations on documents: paths, shapes, scopes, statuses. No SQL and no rules.

import type { HighWater } from "../../db/high-water.ts";
import { operationOf } from "../../http/operation.ts";
import { pageOf, readCursor } from "../../http/pagination.ts";
import { recordPieces } from "../../http/pieces.ts";
import { ifMatchHeader, ifNoneMatchHeader, isNotModified, readConditions } from "../../http/preconditions.ts";
import { dataOf, deletion, pageShape } from "../../http/response-shapes.ts";
import { parseTagFilter } from "../../kernel/tags.ts";
import { needsScan } from "../../retrieval/search/lists/read.ts";
import { textFrom } from "../../kernel/text.ts";
import { ownDocument } from "./access.ts";
import {
  acknowledge,
  acknowledgement,
  createDocumentBody,
  createdHeaders,
  documentShape,
  documentToWire,
  getDocumentQuery,
  listDocumentsQuery,
  listedDocumentShape,
  listedToWire,
  patchDocumentBody,
  restoreAcknowledgement,
  restoreDocumentBody,
  revisionHeaderShape,
  revisionHeaders,
} from "./contract.ts";
import { coordinatedWriteHeaders, WRITE_PRECONDITIONS } from "./coordination/contract.ts";
import { guardWrite, requireState } from "./coordination/guard.ts";
import { createDocument } from "./create.ts";
import { deleteDocument } from "./delete.ts";
import { type DocumentLists, pageOfDocuments } from "./list.ts";
import { patchDocument } from "./patch.ts";
import { findDocument, findVersion, listVersions, readBody, readStart } from "./store.ts";
import { documentVersionShape, listVersionsQuery, versionToWire } from "./versions/contract.ts";
import { ownVersion, restoreVersion } from "./versions/restore.ts";

const reads = { anyOf: ["documents.read"] } as const;
const writes = { anyOf: ["documents.write"] } as const;

/** What the operations on documents need. */
export interface DocumentDeps extends DocumentLists {
  highWater: HighWater;
}

const operation = operationOf<DocumentDeps>();

export const documentOperations = [
  operation({
    name: "documents.list",
    method: "GET",
    path: "/v1/documents",
    summary: "List documents, newest first",
    description:
      "Returns the caller's documents. Archived ones are omitted unless `includeArchived=true` or `status=archived`.",
    requires: reads,
    query: listDocumentsQuery,
    responses: { 200: pageShape(listedDocumentShape) },
    queue: "search",
    isQueued: ({ search, path, tags }) => needsScan({ text: search, path, tags: parseTagFilter(tags) }),
    handle: async ({ caller, query }, deps) => {
      // A cursor is bound to the parameters that select rows, and not to the others.
      const { limit, cursor, includeContent, includeMetadata, tags, ...others } = query;
      const filters = { ...others, tags: parseTagFilter(tags) };
      const list = { userId: caller.userId, list: "documents", filters };
      const filter = {
        userId: caller.userId,
        tags: filters.tags,
        workspaceId: query.workspace,
        collectionId: query.collectionId,
        status: query.status,
        includeArchived: query.includeArchived,
        text: query.search,
        path: query.path,
      };
      const rows = await pageOfDocuments(deps, filter, { after: readCursor(list, cursor), count: limit + 1 });
      const pieces = pageOf(list, rows, {
        limit,
        toWire: (row) =>
          listedToWire(row, {
            content: includeContent ? readStart(deps.store, row) : null,
            metadata: includeMetadata ? findDocument(deps.store, row.id)?.metadata : undefined,
          }),
      });
      return { status: 200, pieces };
    },
  }),

  operation({
    name: "documents.create",
    method: "POST",
    path: "/v1/documents",
    summary: "Create a document",
    description:
      "Stores a Markdown text as revision 0, with status `published`. It is then indexed in the background and appears in semantic " +
      "search after that.",
    requires: writes,
    idempotency: "accepted",
    body: createDocumentBody,
    responses: { 201: dataOf(acknowledgement, createdHeaders) },
    errors: [404, 409],
    handle: ({ commit, caller, body }) =>
      commit((write) => {
        const row = createDocument(write, caller, body);
        return {
          status: 201,
          headers: { Location: `/v1/documents/${row.id}`, ...revisionHeaders(row) },
          body: { data: acknowledge(row, false) },
        };
      }),
  }),

  operation({
    name: "documents.get",
    method: "GET",
    path: "/v1/documents/:id",
    summary: "Read a document",
    description:
      "Each of the three texts is truncated at 2 MB; `textFrom` reads on. With `If-None-Match`, the response is 304 if the document has not changed.",
    requires: reads,
    query: getDocumentQuery,
    headers: ifNoneMatchHeader,
    responses: { 200: dataOf(documentShape, revisionHeaderShape), 304: { headers: revisionHeaderShape } },
    errors: [404],
    handle: ({ caller, id, query, headers }, { store }) => {
      const row = ownDocument(store, caller, id);
      const responseHeaders = revisionHeaders(row);
      if (isNotModified(headers, responseHeaders.ETag)) return { status: 304, headers: responseHeaders };
      const textOf = (hash: string | null) => () => {
        const text = readBody(store, id, hash);
        // It may have been deleted since the row was read.
        if (text === null && hash !== null) ownDocument(store, caller, id);
        return text === null ? null : textFrom(text, query.textFrom);
      };
      const texts = query.includeContent
        ? {
            content: textOf(row.contentHash),
            contentHtml: textOf(row.contentHtmlHash),
            rawHtml: textOf(row.rawHtmlHash),
          }
        : undefined;
      return {
        status: 200,
        headers: responseHeaders,
        pieces: recordPieces(() => documentToWire(row, texts)),
        noted: { kind: "read", documentId: id },
      };
    },
  }),

  operation({
    name: "documents.update",
    method: "PATCH",
    path: "/v1/documents/:id",
    summary: "Update a document",
    requires: writes,
    idempotency: "accepted",
    body: patchDocumentBody,
    description: `Changes the fields that are sent. Any change except of \`status\` is stored as a new version. ${WRITE_PRECONDITIONS}`,
    headers: coordinatedWriteHeaders,
    responses: { 200: dataOf(acknowledgement, revisionHeaderShape) },
    errors: [404, 409, 412, 428],
    handle: ({ commit, caller, id, headers, body }, { highWater }) =>
      commit((write) => {
        const conditions = readConditions(headers);
        const before = ownDocument(write, caller, id);
        const { expectedRevision } = body;
        guardWrite(write, before, { now: highWater.now(), conditions, expectedRevision });
        const { row, noop } = patchDocument(write, before, { caller, patch: body });
        return { status: 200, headers: revisionHeaders(row), body: { data: acknowledge(row, noop) } };
      }),
  }),

  operation({
    name: "documents.delete",
    method: "DELETE",
    path: "/v1/documents/:id",
    summary: "Delete a document",
    description:
      "Also deletes its versions, chunks and embeddings, and removes it from its collections. No lease is required. A stale `If-Match` " +
      "gives 412.",
    requires: writes,
    headers: ifMatchHeader,
    responses: { 200: deletion },
    errors: [404, 412],
    handle: ({ commit, caller, id, headers }) =>
      commit((write) => {
        const { ifMatch } = readConditions(headers);
        requireState(ownDocument(write, caller, id), { ifMatch });
        deleteDocument(write, id);
        return { status: 200, body: { success: true, id } };
      }),
  }),

  operation({
    name: "documents.versions",
    method: "GET",
    path: "/v1/documents/:id/versions",
    summary: "List the versions of a document, newest first",
    description: "Each version has the complete text of the document at that revision, truncated at 2 MB.",
    requires: reads,
    query: listVersionsQuery,
    responses: { 200: pageShape(documentVersionShape) },
    errors: [404],
    handle: ({ caller, id, query: { limit, cursor } }, { store }) => {
      ownDocument(store, caller, id);
      const list = { userId: caller.userId, list: `versions of ${id}`, filters: {} };
      // The list is ordered by version number, which is unique even if the clock was set back.
      const before = readCursor(list, cursor)?.createdAt ?? Number.MAX_SAFE_INTEGER;
      const rows = listVersions(store, id, { before, limit: limit + 1 }).map((row) => ({
        id: row.id,
        createdAt: row.version,
      }));
      // The bodies are read one at a time: the page may end early.
      const toWire = (row: { id: string }) => {
        const version = findVersion(store, row.id);
        return version && versionToWire(store, version);
      };
      return { status: 200, pieces: pageOf(list, rows, { limit, toWire }) };
    },
  }),

  operation({
    name: "documents.restore",
    method: "POST",
    path: "/v1/documents/:id/restore",
    summary: "Restore an earlier version of a document",
    requires: writes,
    idempotency: "accepted",
    body: restoreDocumentBody,
    description: `Stores the content of an earlier version as a new revision, unless nothing changes. ${WRITE_PRECONDITIONS}`,
    headers: coordinatedWriteHeaders,
    responses: { 200: dataOf(restoreAcknowledgement, revisionHeaderShape) },
    errors: [404, 409, 412, 428],
    handle: ({ commit, caller, id, headers, body }, { highWater }) =>
      commit((write) => {
        const conditions = readConditions(headers);
        const before = ownDocument(write, caller, id);
        const version = ownVersion(write, before, body.versionId);
        const { expectedRevision } = body;
        guardWrite(write, before, { now: highWater.now(), conditions, expectedRevision });
        const { row, noop, warnings } = restoreVersion(write, before, { caller, version });
        const data = { ...acknowledge(row, noop), ...(warnings.length > 0 && { warnings }) };
        return { status: 200, headers: revisionHeaders(row), body: { data } };
      }),
  }),
];

// The operations on documents: paths, shapes, scopes, statuses. No SQL and no rules.

import { operation } from "../../http/operation.ts";
import { isNotModified, requireMatch } from "../../http/preconditions.ts";
import { ownDocument } from "./access.ts";
import { acknowledge, createDocumentBody, documentToWire, getDocumentQuery } from "./contract.ts";
import { createDocument } from "./create.ts";
import { deleteDocument } from "./delete.ts";
import { etagOf, revisionHeaders } from "./revision.ts";
import { readBody } from "./store.ts";

export const documentOperations = [
  operation({
    name: "documents.create",
    method: "POST",
    path: "/v1/documents",
    summary: "Store a document",
    requires: { anyOf: ["documents.write"] },
    idempotency: "accepted",
    body: createDocumentBody,
    statuses: [201, 400, 413],
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
    requires: { anyOf: ["documents.read"] },
    query: getDocumentQuery,
    statuses: [200, 304, 400, 404],
    handle: ({ app: { store }, caller, id, query, headers }) => {
      const row = ownDocument(store, caller, id);
      if (isNotModified(headers, etagOf(row))) return { status: 304, headers: revisionHeaders(row) };
      const texts = query.includeContent
        ? {
            content: readBody(store, id, row.contentHash),
            contentHtml: readBody(store, id, row.contentHtmlHash),
            rawHtml: readBody(store, id, row.rawHtmlHash),
          }
        : undefined;
      return { status: 200, headers: revisionHeaders(row), body: { data: documentToWire(row, texts) } };
    },
  }),

  operation({
    name: "documents.delete",
    method: "DELETE",
    path: "/v1/documents/:id",
    summary: "Delete a document with its versions, chunks and embeddings",
    requires: { anyOf: ["documents.write"] },
    statuses: [200, 400, 404, 412],
    handle: ({ commit, caller, id, headers }) =>
      commit((write) => {
        requireMatch(headers, etagOf(ownDocument(write, caller, id)));
        deleteDocument(write, id);
        return { status: 200, body: { success: true, id } };
      }),
  }),
];

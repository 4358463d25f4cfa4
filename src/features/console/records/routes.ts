// Operations of /console/api: views of records that the public API does not have.

import { hasScope } from "../../../auth/identity.ts";
import type { Store } from "../../../db/store.ts";
import type { Extractor } from "../../../engine/extraction/extractor.ts";
import type { Fetcher } from "../../../engine/fetching/fetch-page.ts";
import type { NamedType } from "../../../kernel/names.ts";
import type { SearchWorker } from "../../../retrieval/search/worker.ts";
import { badRequest } from "../../../kernel/errors.ts";
import { operationOf } from "../../../http/operation.ts";
import { pageOf, readCursor } from "../../../http/pagination.ts";
import {
  changeDaysQuery,
  changesQuery,
  common,
  fileBody,
  imageBody,
  importedBody,
  namedQuery,
  namesQuery,
  tableQuery,
} from "../contract.ts";
import { parseTagFilter } from "../../../kernel/tags.ts";
import type { ChangeDays, DocumentMap, TableRow, TableSummary, TagCount, VersionSize } from "../replies.ts";
import { readFile } from "./file.ts";
import { fetchImage } from "./image.ts";
import { listChanges, listImported, listMemberships, listTitles, listTree } from "./store.ts";

/** What these operations need. */
export interface RecordsDeps {
  store: Store;
  searchWorker: SearchWorker;
  fetcher: Fetcher;
  extractor: Extractor;
  allowsPrivateNetwork: boolean;
  stopping: AbortSignal;
}

const MAX_COLLECTIONS = 10_000;
const MAX_TAGS = 10_000;
const MAX_NAMES = 50;
/** Of each kind: enough for a person, and read within 20 ms. */
const MAX_TITLES = 10_000;

/** Stands for an empty name of an agent, because parameters without a value are left out. */
const PEOPLE = "-";

const reads = { anyOf: ["documents.read", "prompts.read"] } as const;
const readsDocuments = { anyOf: ["documents.read"] } as const;

const declare = operationOf<RecordsDeps>();

/** Of the days whose changes are counted, together, with a change of the clock. */
const MAX_DAYS_MS = 101 * 86_400_000;

export const recordsApi = [
  declare({
    ...common,
    name: "console.changes.list",
    method: "GET",
    path: "/console/api/changes",
    summary: "List the latest changes",
    requires: reads,
    query: changesQuery,
    handle({ caller, query: { limit, cursor, ...filters } }, { store }) {
      const identity = { userId: caller.userId, list: "console.changes", filters };
      const changes = listChanges(store, {
        ...filters,
        userId: caller.userId,
        documents: hasScope(caller, "documents.read"),
        prompts: hasScope(caller, "prompts.read"),
        before: readCursor(identity, cursor)?.id,
        limit: limit + 1,
      });
      return { status: 200, pieces: pageOf(identity, changes, { limit, toWire: (change) => change }) };
    },
  }),
  declare({
    ...common,
    name: "console.changes.days",
    method: "GET",
    path: "/console/api/changes/days",
    summary: "Count changes by day and author",
    requires: reads,
    query: changeDaysQuery,
    handle: async ({ caller, query }, { searchWorker }) => {
      const starts = query.starts.split(",").map(Number);
      if (starts.at(-1)! - starts[0]! > MAX_DAYS_MS) {
        throw badRequest({ path: "starts", message: "must be at most 101 days" });
      }
      const data: ChangeDays = await searchWorker.call.changeDays({
        userId: caller.userId,
        documents: hasScope(caller, "documents.read"),
        prompts: hasScope(caller, "prompts.read"),
        starts,
      });
      return { status: 200, body: { data } };
    },
  }),
  declare({
    ...common,
    name: "console.collections.tree",
    method: "GET",
    path: "/console/api/collections",
    summary: "List all collections with their parents",
    requires: readsDocuments,
    handle: ({ caller }, { store }) => ({
      status: 200,
      body: { data: listTree(store, caller.userId, MAX_COLLECTIONS) },
    }),
  }),
  declare({
    ...common,
    name: "console.memberships.list",
    method: "GET",
    path: "/console/api/records/:id/collections",
    summary: "List the collections of a document or prompt",
    requires: readsDocuments,
    handle: ({ caller, id }, { store }) => ({
      status: 200,
      body: { data: listMemberships(store, caller.userId, id) },
    }),
  }),
  declare({
    ...common,
    name: "console.versions.sizes",
    method: "GET",
    path: "/console/api/records/:id/versions",
    summary: "List the latest versions of a document or prompt with the number of changed lines",
    requires: reads,
    handle: async ({ caller, id }, { searchWorker }) => {
      const data: VersionSize[] = await searchWorker.call.versionSizes({
        userId: caller.userId,
        documents: hasScope(caller, "documents.read"),
        prompts: hasScope(caller, "prompts.read"),
        id,
      });
      return { status: 200, body: { data } };
    },
  }),
  declare({
    ...common,
    name: "console.image.fetch",
    method: "POST",
    path: "/console/api/image",
    summary: "Fetch one image that a person asked for",
    requires: { anyOf: ["documents.write", "documents.scrape"] },
    tier: "scrape",
    body: imageBody,
    handle: async ({ body: { url } }, { fetcher, allowsPrivateNetwork, stopping }) => ({
      status: 200,
      body: { data: await fetchImage(fetcher, { url, allowsPrivateNetwork }, stopping) },
    }),
  }),
  declare({
    ...common,
    name: "console.imported.list",
    method: "POST",
    path: "/console/api/imported",
    summary: "Find the records that were imported from these paths",
    requires: readsDocuments,
    body: importedBody,
    handle: ({ caller, body: { paths } }, { store }) => ({
      status: 200,
      body: { data: listImported(store, caller.userId, paths) },
    }),
  }),
  declare({
    ...common,
    name: "console.named.find",
    method: "GET",
    path: "/console/api/named",
    summary: "Find records by path, URL, title, name, or the start of an id",
    requires: reads,
    query: namedQuery,
    handle: async ({ caller, query: { name, path, types } }, { searchWorker }) => {
      const asked = types?.split(",");
      const allowed: NamedType[] = [
        ...(hasScope(caller, "documents.read") ? (["document", "collection"] as const) : []),
        ...(hasScope(caller, "prompts.read") ? (["prompt"] as const) : []),
      ];
      const lookup = { name, path, types: allowed.filter((type) => asked?.includes(type) ?? true) };
      return {
        status: 200,
        body: { data: await searchWorker.call.named({ userId: caller.userId, ...lookup }) },
      };
    },
  }),
  declare({
    ...common,
    name: "console.tags.list",
    method: "GET",
    path: "/console/api/tags",
    summary: "List the most frequent tags with the number of their records",
    requires: { anyOf: ["documents.read"] },
    handle: async ({ caller: { userId } }, { searchWorker }) => ({
      status: 200,
      body: { data: (await searchWorker.call.tags({ userId, limit: MAX_TAGS })) satisfies TagCount[] },
    }),
  }),
  declare({
    ...common,
    name: "console.documents.table",
    method: "GET",
    path: "/console/api/documents",
    summary: "List documents by a column, with numbers",
    requires: readsDocuments,
    query: tableQuery,
    handle: async ({ caller: { userId }, query }, { searchWorker }) => {
      const { title, tags, agent, sort = "changed", order, cursor = 0, ...filters } = query;
      const { rows, ...summary } = await searchWorker.call.documentTable({
        ...filters,
        userId,
        text: title,
        tags: parseTagFilter(tags),
        agent: agent === PEOPLE ? "" : agent,
        sort,
        isDescending: order === "descending",
        offset: cursor,
      });
      const next = cursor + rows.length;
      const hasMore = next < summary.total;
      return {
        status: 200,
        body: {
          data: rows satisfies TableRow[],
          summary: summary satisfies TableSummary,
          pagination: { cursor: hasMore ? String(next) : "", hasMore },
        },
      };
    },
  }),
  declare({
    ...common,
    name: "console.documents.map",
    method: "GET",
    path: "/console/api/map",
    summary: "Place documents by meaning",
    requires: readsDocuments,
    handle: async ({ caller: { userId } }, { searchWorker }) => ({
      status: 200,
      body: { data: (await searchWorker.call.documentMap({ userId })) satisfies DocumentMap },
    }),
  }),
  declare({
    ...common,
    name: "console.backlinks.list",
    method: "GET",
    path: "/console/api/documents/:id/backlinks",
    summary: "List the documents that link to a document",
    requires: readsDocuments,
    handle: async ({ caller: { userId }, id }, { searchWorker }) => ({
      status: 200,
      body: { data: await searchWorker.call.backlinks({ userId, id }) },
    }),
  }),
  declare({
    ...common,
    name: "console.titles.list",
    method: "GET",
    path: "/console/api/titles",
    summary: "List the titles of the newest records",
    requires: reads,
    handle: ({ caller }, { store }) => {
      const kinds = [
        ...(hasScope(caller, "documents.read") ? (["document", "collection"] as const) : []),
        ...(hasScope(caller, "prompts.read") ? (["prompt"] as const) : []),
      ];
      return { status: 200, body: { data: listTitles(store, caller.userId, { kinds, limit: MAX_TITLES }) } };
    },
  }),
  declare({
    ...common,
    name: "console.names.list",
    method: "GET",
    path: "/console/api/names",
    summary: "List titles, names, tags and ids that start with a text, for completion",
    requires: { anyOf: ["documents.read"] },
    query: namesQuery,
    handle: async ({ caller: { userId }, query: { kind, start = "" } }, { searchWorker }) => ({
      status: 200,
      body: { data: await searchWorker.call.names({ userId, kind, start, limit: MAX_NAMES }) },
    }),
  }),
  declare({
    ...common,
    name: "console.file.read",
    method: "POST",
    path: "/console/api/file",
    summary: "Read a file as Markdown, as `ctxrepo import` does",
    requires: { anyOf: ["documents.write"] },
    body: fileBody,
    handle: async ({ caller, body, disconnected }, { extractor }) => ({
      status: 200,
      body: { data: await readFile(extractor, body, { userId: caller.userId, cancelled: disconnected }) },
    }),
  }),
];

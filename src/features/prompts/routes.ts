// The operations on prompts: paths, shapes, scopes, statuses. No SQL and no rules.

import { operationOf } from "../../http/operation.ts";
import { pageOf, readCursor } from "../../http/pagination.ts";
import { recordPieces } from "../../http/pieces.ts";
import { sameParameter } from "../../http/query.ts";
import { dataOf, deletion, location, pageShape } from "../../http/response-shapes.ts";
import { parseTagFilter } from "../../kernel/tags.ts";
import { needsScan } from "../../retrieval/search/lists/read.ts";
import { findVisible, ownPrompt, visiblePrompt } from "./access.ts";
import {
  createPromptBody,
  getPromptQuery,
  labelledToWire,
  listedPromptShape,
  listedToWire,
  listPromptsQuery,
  listVersionsQuery,
  patchPromptBody,
  promptShape,
  promptToWire,
  promptVersionShape,
  readPromptShape,
  restoredPromptShape,
  restorePromptBody,
  versionToWire,
} from "./contract.ts";
import { createPrompt } from "./create.ts";
import { labelledVersion } from "./labels/labels.ts";
import { labelsOf } from "./labels/store.ts";
import { type PromptLists, pageOfPrompts } from "./list.ts";
import { patchPrompt } from "./patch.ts";
import { deletePrompt, findVersion, listVersions, type PromptRow } from "./store.ts";
import { restorePrompt } from "./versions.ts";
import type { Views } from "./views.ts";

const reads = { anyOf: ["prompts.read"] } as const;
const writes = { anyOf: ["prompts.write"] } as const;

const toWire = (views: Views, row: PromptRow) => promptToWire(row, views.unflushed(row.id));

/** What the operations on prompts need. */
export interface PromptDeps extends PromptLists {
  views: Views;
}

const operation = operationOf<PromptDeps>();

export const promptOperations = [
  operation({
    name: "prompts.list",
    method: "GET",
    path: "/v1/prompts",
    summary: "List prompts, newest first",
    description:
      "Returns the caller's prompts, and with `includePublic=true` also other users' public ones. `content` is truncated at 2,000 characters.",
    requires: reads,
    query: listPromptsQuery,
    responses: { 200: pageShape(listedPromptShape) },
    queue: "search",
    isQueued: ({ q, search, path, tags }) =>
      needsScan({ text: q ?? search, path, tags: parseTagFilter(tags) }),
    handle: async ({ caller, query }, deps) => {
      const { limit, cursor, workspace, includePublic, includeMetadata } = query;
      const filter = {
        userId: caller.userId,
        tags: parseTagFilter(query.tags),
        workspaceId: workspace,
        includePublic,
        text: sameParameter(["q", "search"], query.q, query.search),
        path: query.path,
      };
      const list = { userId: caller.userId, list: "prompts", filters: filter };
      const rows = await pageOfPrompts(deps, filter, { after: readCursor(list, cursor), count: limit + 1 });
      const pieces = pageOf(list, rows, {
        limit,
        toWire: (row) =>
          listedToWire(row, {
            uncounted: deps.views.unflushed(row.id),
            metadata: includeMetadata ? findVisible(deps.store, caller, row.id)?.metadata : undefined,
          }),
      });
      return { status: 200, pieces };
    },
  }),

  operation({
    name: "prompts.create",
    method: "POST",
    path: "/v1/prompts",
    summary: "Create a prompt",
    description: "Stores a template as version 1. `variables` describes the placeholders in `content`.",
    requires: writes,
    body: createPromptBody,
    responses: { 201: dataOf(promptShape, location("/v1/prompts/:id")) },
    errors: [404, 409],
    handle: ({ commit, caller, body }, { views }) =>
      commit((write) => {
        const row = createPrompt(write, caller, body);
        return {
          status: 201,
          headers: { Location: `/v1/prompts/${row.id}` },
          body: { data: toWire(views, row) },
        };
      }),
  }),

  operation({
    name: "prompts.get",
    method: "GET",
    path: "/v1/prompts/:id",
    summary: "Read a prompt",
    description:
      "Returns the current version, or with `label` the version that has this label. Public prompts of other users can also be read. " +
      "Each read counts in `stats.views`.",
    requires: reads,
    query: getPromptQuery,
    responses: { 200: dataOf(readPromptShape) },
    errors: [404],
    handle: ({ caller, id, query: { label } }, { store, views }) => {
      const prompt = () => {
        const data = toWire(views, visiblePrompt(store, caller, id));
        const labelled = label && labelledToWire(label, labelledVersion(store, id, label));
        views.count(id);
        return { ...data, ...labelled };
      };
      return { status: 200, pieces: recordPieces(prompt), noted: { kind: "read", promptId: id } };
    },
  }),

  operation({
    name: "prompts.update",
    method: "PATCH",
    path: "/v1/prompts/:id",
    summary: "Update a prompt",
    description:
      "Changes the fields that are sent. A change of content, variables or parameters stores a new version.",
    requires: writes,
    body: patchPromptBody,
    responses: { 200: dataOf(promptShape) },
    errors: [404, 409],
    handle: ({ commit, caller, id, body }, { views }) =>
      commit((write) => {
        const row = patchPrompt(write, ownPrompt(write, caller, id), { caller, patch: body });
        return { status: 200, body: { data: toWire(views, row) } };
      }),
  }),

  operation({
    name: "prompts.delete",
    method: "DELETE",
    path: "/v1/prompts/:id",
    summary: "Delete a prompt",
    description: "Also deletes its versions and its embedding, and removes it from its collections.",
    requires: writes,
    responses: { 200: deletion },
    errors: [404],
    handle: ({ commit, caller, id }) =>
      commit((write) => {
        deletePrompt(write, ownPrompt(write, caller, id).id);
        return { status: 200, body: { success: true, id } };
      }),
  }),

  operation({
    name: "prompts.versions",
    method: "GET",
    path: "/v1/prompts/:id/versions",
    summary: "List the versions of a prompt, newest first",
    description: "Only the owner can list versions. Each version has the complete content of the prompt.",
    requires: reads,
    query: listVersionsQuery,
    responses: { 200: pageShape(promptVersionShape) },
    errors: [404],
    handle: ({ caller, id, query: { limit, cursor } }, { store }) => {
      ownPrompt(store, caller, id);
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
        return version && versionToWire(version, labelsOf(store, version.id));
      };
      return { status: 200, pieces: pageOf(list, rows, { limit, toWire }) };
    },
  }),

  operation({
    name: "prompts.restore",
    method: "POST",
    path: "/v1/prompts/:id/restore",
    summary: "Restore an earlier version of a prompt",
    description:
      "Copies the earlier version into a new one, which becomes the current version. The response has no `tags`.",
    requires: writes,
    body: restorePromptBody,
    responses: { 200: dataOf(restoredPromptShape) },
    errors: [404],
    handle: ({ commit, caller, id, body }, { views }) =>
      commit((write) => {
        const row = restorePrompt(write, ownPrompt(write, caller, id), { caller, versionId: body.versionId });
        return { status: 200, body: { data: { ...toWire(views, row), tags: undefined } } };
      }),
  }),
];

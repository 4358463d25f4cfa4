// Operations of /console/api: other servers, and which record there is which record here. Only commands on the machine
// of the server change them and read the pairs; the console shows the servers and the conflicts.

import type { Identity } from "../../../auth/identity.ts";
import type { Store, TableReader } from "../../../db/store.ts";
import { operationOf } from "../../../http/operation.ts";
import { Failure, notFound } from "../../../kernel/errors.ts";
import { common } from "../contract.ts";
import type { RemoteConflict } from "../replies.ts";
import {
  conflictsQuery,
  endedBody,
  findLinksBody,
  membersQuery,
  pageOfLinksQuery,
  remoteBody,
  remoteQuery,
  storeLinksBody,
  storeMembersBody,
} from "./contract.ts";
import {
  deleteRemote,
  endRun,
  findLinks,
  findRemote,
  insertRemote,
  listLinks,
  listMembers,
  listRemotes,
  ownsLink,
  ownsRemote,
  removeLinks,
  storeLinks,
  storeMembers,
} from "./store.ts";

/** What these operations need. */
export interface RemotesDeps {
  store: Store;
}

const MAX_REMOTES = 20;
/** Pairs that one request deletes: few enough that others do not wait. */
const MAX_DELETED = 1_000;
const CONFLICTS_OF_PAGE = 20;

const reads = { anyOf: ["documents.read"] } as const;
const writes = { anyOf: ["documents.write"] } as const;

const declare = operationOf<RemotesDeps>();

export const remotesApi = [
  declare({
    ...common,
    name: "console.remotes.list",
    method: "GET",
    path: "/console/api/remotes",
    summary: "List the other servers",
    requires: reads,
    handle: ({ caller }, { store }) => ({ status: 200, body: { data: listRemotes(store, caller.userId) } }),
  }),
  declare({
    ...common,
    name: "console.remotes.conflicts",
    method: "GET",
    path: "/console/api/remotes/conflicts",
    summary: "List records that were changed on both sides",
    requires: reads,
    query: conflictsQuery,
    handle({ caller, query: { name, after } }, { store }) {
      const remoteId = findRemote(store, caller.userId, name);
      if (remoteId === undefined) throw notFound("remote");
      const page = { after, limit: CONFLICTS_OF_PAGE, inConflict: true };
      const data = listLinks(store, remoteId, page).map(
        ({ id, kind, ownId, otherId, conflict }): RemoteConflict => ({ id, kind, ownId, otherId, conflict }),
      );
      return { status: 200, body: { data } };
    },
  }),
  declare({
    ...common,
    name: "console.remotes.add",
    method: "PUT",
    path: "/console/api/remotes",
    summary: "Remember another server",
    requires: writes,
    body: remoteBody,
    handle({ caller, body: { name, url }, commit }) {
      requireCommand(caller);
      const { userId } = caller;
      return commit((write) => {
        const all = listRemotes(write, userId);
        if (all.some((one) => one.name === name)) {
          throw new Failure("conflict", `a remote ${name} exists: remove it first, or choose another name`);
        }
        if (all.length >= MAX_REMOTES)
          throw new Failure("conflict", `${MAX_REMOTES} remotes exist: remove one first`);
        return { status: 200, body: { data: { id: insertRemote(write, { userId, name, url }) } } };
      });
    },
  }),
  declare({
    ...common,
    name: "console.remotes.delete",
    method: "DELETE",
    path: "/console/api/remotes",
    summary: "Forget another server, step by step; the records stay",
    requires: writes,
    query: remoteQuery,
    handle({ caller, query: { name }, commit }) {
      requireCommand(caller);
      return commit((write) => {
        const id = findRemote(write, caller.userId, name);
        if (id === undefined) throw notFound("remote");
        return { status: 200, body: { data: { id, isDeleted: deleteRemote(write, id, MAX_DELETED) } } };
      });
    },
  }),
  declare({
    ...common,
    name: "console.remotes.ended",
    method: "POST",
    path: "/console/api/remotes/ended",
    summary: "Note that a run has ended, and what it did",
    requires: writes,
    body: endedBody,
    handle: ({ caller, body: { remoteId, result }, commit }) =>
      commit((write) => {
        requireRemote(write, caller, remoteId);
        endRun(write, remoteId, result);
        return { status: 200, body: { success: true } };
      }),
  }),
  declare({
    ...common,
    name: "console.remotes.links.find",
    method: "POST",
    path: "/console/api/remotes/links",
    summary: "Find pairs by the ids of one side",
    requires: writes,
    body: findLinksBody,
    handle({ caller, body: { remoteId, ...wanted } }, { store }) {
      requireRemote(store, caller, remoteId);
      return { status: 200, body: { data: findLinks(store, remoteId, wanted) } };
    },
  }),
  declare({
    ...common,
    name: "console.remotes.links.list",
    method: "GET",
    path: "/console/api/remotes/links",
    summary: "List pairs",
    requires: writes,
    query: pageOfLinksQuery,
    handle({ caller, query: { remoteId, ...page } }, { store }) {
      requireRemote(store, caller, remoteId);
      return { status: 200, body: { data: listLinks(store, remoteId, page) } };
    },
  }),
  declare({
    ...common,
    name: "console.remotes.links.store",
    method: "PUT",
    path: "/console/api/remotes/links",
    summary: "Store and forget pairs",
    requires: writes,
    body: storeLinksBody,
    handle: ({ caller, body: { remoteId, links, removed }, commit }) =>
      commit((write) => {
        requireRemote(write, caller, remoteId);
        removeLinks(write, remoteId, removed);
        return { status: 200, body: { data: storeLinks(write, remoteId, links) } };
      }),
  }),
  declare({
    ...common,
    name: "console.remotes.members.list",
    method: "GET",
    path: "/console/api/remotes/members",
    summary: "List the members of a collection when both sides were last equal",
    requires: writes,
    query: membersQuery,
    handle({ caller, query: { collection, after } }, { store }) {
      requireLink(store, caller, collection);
      return { status: 200, body: { data: listMembers(store, collection, after) } };
    },
  }),
  declare({
    ...common,
    name: "console.remotes.members.store",
    method: "PUT",
    path: "/console/api/remotes/members",
    summary: "Store and forget members of a collection",
    requires: writes,
    body: storeMembersBody,
    handle: ({ caller, body, commit }) =>
      commit((write) => {
        requireLink(write, caller, body.collection);
        storeMembers(write, body);
        return { status: 200, body: { success: true } };
      }),
  }),
];

/** Throws `forbidden` unless a command on this machine sent the request. */
function requireCommand({ isLocal }: Identity): void {
  if (!isLocal) throw new Failure("forbidden", "only ctxrepo remote, push, pull and sync use this operation");
}

/** Throws `forbidden` unless a command sent the request, and `not-found` unless the server is one of the caller. */
function requireRemote(reader: TableReader, caller: Identity, remoteId: string): void {
  requireCommand(caller);
  if (!ownsRemote(reader, caller.userId, remoteId)) throw notFound("remote");
}

/** The same for the pair of a collection. */
function requireLink(reader: TableReader, caller: Identity, id: number): void {
  requireCommand(caller);
  if (!ownsLink(reader, caller.userId, id)) throw notFound("pair of collections");
}

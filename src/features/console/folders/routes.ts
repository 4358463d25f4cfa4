// Operations of /console/api: the folders that imports repeat. Only commands on the machine of the server change them,
// because `serve --watch` reads what is in these folders.

import type { Identity } from "../../../auth/identity.ts";
import type { Store } from "../../../db/store.ts";
import { operationOf } from "../../../http/operation.ts";
import { Failure, notFound } from "../../../kernel/errors.ts";
import { common, folderBody, folderPathShape } from "../contract.ts";
import { countFolders, deleteFolder, hasFolder, listFolders, markImported, putFolder } from "./store.ts";

/** What these operations need. */
export interface FoldersDeps {
  store: Store;
}

const MAX_FOLDERS = 100;

const declare = operationOf<FoldersDeps>();

export const foldersApi = [
  declare({
    ...common,
    name: "console.folders.list",
    method: "GET",
    path: "/console/api/folders",
    summary: "List the remembered folders",
    requires: { anyOf: ["documents.read"] },
    handle: ({ caller }, { store }) => ({ status: 200, body: { data: listFolders(store, caller.userId) } }),
  }),
  declare({
    ...common,
    name: "console.folders.put",
    method: "PUT",
    path: "/console/api/folders",
    summary: "Remember a folder, or change its options",
    requires: { anyOf: ["documents.write"] },
    body: folderBody,
    handle({ caller, body: { path, ...options }, commit }) {
      requireCommand(caller);
      const { userId } = caller;
      return commit((write) => {
        if (!hasFolder(write, userId, path) && countFolders(write, userId) >= MAX_FOLDERS) {
          throw new Failure("conflict", `${MAX_FOLDERS} folders are remembered: remove one first`);
        }
        putFolder(write, { userId, path, options });
        return { status: 200, body: { success: true } };
      });
    },
  }),
  declare({
    ...common,
    name: "console.folders.imported",
    method: "POST",
    path: "/console/api/folders/imported",
    summary: "Note that an import of a folder has ended",
    requires: { anyOf: ["documents.write"] },
    body: folderPathShape,
    handle({ caller, body: { path }, commit }) {
      requireCommand(caller);
      return commit((write) => {
        markImported(write, caller.userId, path);
        return { status: 200, body: { success: true } };
      });
    },
  }),
  declare({
    ...common,
    name: "console.folders.delete",
    method: "DELETE",
    path: "/console/api/folders",
    summary: "Forget a folder; its records stay",
    requires: { anyOf: ["documents.write"] },
    query: folderPathShape,
    handle({ caller, query: { path }, commit }) {
      requireCommand(caller);
      return commit((write) => {
        if (!deleteFolder(write, caller.userId, path)) throw notFound("remembered folder");
        return { status: 200, body: { success: true } };
      });
    },
  }),
];

/** Throws `forbidden` unless a command on this machine sent the request. */
function requireCommand({ isLocal }: Identity): void {
  if (!isLocal)
    throw new Failure("forbidden", "only ctxrepo import and ctxrepo folders change the remembered folders");
}

// Operations of /console/api: API keys and users, for the local owner only.

import type { Credentials } from "../../../auth/credentials.ts";
import { displayName } from "../../../auth/identity.ts";
import { createKey, listKeys, renameKey, revokeKey } from "../../../auth/keys.ts";
import { countRecords, ensureUser, LOCAL_OWNER, listUsers } from "../../../auth/users.ts";
import type { Store } from "../../../db/store.ts";
import { operationOf } from "../../../http/operation.ts";
import { notFound } from "../../../kernel/errors.ts";
import { common, createKeyBody, renameKeyBody, revokeKeyBody } from "../contract.ts";
import type { Key, User } from "../replies.ts";
import { requireLocalOwner } from "../session/sign-in.ts";

/** What these operations need. */
export interface AccessDeps {
  store: Store;
  credentials: Credentials;
}

const declare = operationOf<AccessDeps>();

export const accessApi = [
  declare({
    ...common,
    name: "console.keys.list",
    method: "GET",
    path: "/console/api/keys",
    summary: "List all API keys",
    requires: "authenticated",
    handle({ caller }, { store, credentials }) {
      requireLocalOwner(caller);
      // So that the list shows the keys that were used just now.
      credentials.flush();
      return { status: 200, body: { data: listKeys(store) satisfies Key[] } };
    },
  }),
  declare({
    ...common,
    name: "console.keys.create",
    method: "POST",
    path: "/console/api/keys",
    summary: "Create an API key of the local owner",
    requires: "authenticated",
    body: createKeyBody,
    handle({ caller, body: { name = null, scopes }, commit }) {
      requireLocalOwner(caller);
      return commit((write) => ({
        status: 201,
        body: { data: createKey(write, ensureUser(write, LOCAL_OWNER), { name, scopes }) },
      }));
    },
  }),
  declare({
    ...common,
    name: "console.keys.rename",
    method: "POST",
    path: "/console/api/keys/rename",
    summary: "Rename an API key",
    requires: "authenticated",
    body: renameKeyBody,
    handle({ caller, body: { id, name }, commit }) {
      requireLocalOwner(caller);
      return commit((write) => {
        if (!renameKey(write, id, name)) throw notFound("key");
        return { status: 200, body: { success: true, id } };
      });
    },
  }),
  declare({
    ...common,
    name: "console.keys.revoke",
    method: "POST",
    path: "/console/api/keys/revoke",
    summary: "Revoke an API key",
    requires: "authenticated",
    body: revokeKeyBody,
    handle({ caller, body: { id }, commit }) {
      requireLocalOwner(caller);
      return commit((write) => {
        if (!revokeKey(write, id)) throw notFound("key");
        return { status: 200, body: { success: true, id } };
      });
    },
  }),
  declare({
    ...common,
    name: "console.users.list",
    method: "GET",
    path: "/console/api/users",
    summary: "List users",
    requires: "authenticated",
    handle({ caller }, { store }) {
      requireLocalOwner(caller);
      const data = listUsers(store).map(
        (user): User => ({
          id: user.id,
          email: user.email,
          displayName: displayName(user),
          createdAt: user.createdAt,
          records: countRecords(store, user.id),
        }),
      );
      return { status: 200, body: { data } };
    },
  }),
];

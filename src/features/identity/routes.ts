// Who am I.

import { operation } from "../../http/operation.ts";

export const identityOperations = [
  operation({
    name: "user.me",
    method: "GET",
    path: "/v1/user/me",
    summary: "The identity behind the credential",
    requires: "authenticated",
    statuses: [200],
    handle: ({ caller: { kind, userId, email, name, scopes } }) => ({
      status: 200,
      body: { data: { kind, userId, email, ...(name !== null && { name }), permissions: [...scopes] } },
    }),
  }),
];

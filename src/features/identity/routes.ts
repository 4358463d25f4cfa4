// The operation that returns the caller's identity.

import { operationOf } from "../../http/operation.ts";
import { dataOf } from "../../http/response-shapes.ts";
import { identityShape, identityToWire } from "./contract.ts";

const operation = operationOf<unknown>();

export const identityOperations = [
  operation({
    name: "user.me",
    method: "GET",
    path: "/v1/user/me",
    summary: "Get the caller's identity",
    description: "Returns the user of the credential, the kind of credential and its scopes.",
    requires: "authenticated",
    responses: { 200: dataOf(identityShape) },
    handle: ({ caller }) => ({ status: 200, body: { data: identityToWire(caller) } }),
  }),
];

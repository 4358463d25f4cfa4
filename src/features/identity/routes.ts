// Who am I.

import { dataOf } from "../../http/answers.ts";
import { operationOf } from "../../http/operation.ts";
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
    answers: { 200: dataOf(identityShape) },
    handle: ({ caller }) => ({ status: 200, body: { data: identityToWire(caller) } }),
  }),
];

// The public capability manifest.

import { operationOf } from "../../http/operation.ts";
import { CACHE_CONTROL, CAPABILITIES, manifestResponse } from "./contract.ts";

const operation = operationOf<unknown>();

export const manifestOperations = [
  operation({
    name: "mcp.capabilities",
    method: "GET",
    path: "/v1/mcp/capabilities",
    summary: "List the server's capabilities",
    description:
      "Returns which groups of operations this server supports. It needs no credential and always returns the same content.",
    requires: "public",
    responses: { 200: manifestResponse },
    handle: () => ({
      status: 200,
      headers: { "Cache-Control": CACHE_CONTROL },
      body: { version: "1.0", capabilities: CAPABILITIES },
    }),
  }),
];

// The public capability manifest.

import { operation } from "../../http/operation.ts";
import { CAPABILITIES, manifestAnswer } from "./contract.ts";

export const manifestOperations = [
  operation({
    name: "mcp.capabilities",
    method: "GET",
    path: "/v1/mcp/capabilities",
    summary: "What this server can do",
    requires: "public",
    answers: { 200: manifestAnswer },
    handle: () => ({
      status: 200,
      headers: { "Cache-Control": "public, max-age=86400, s-maxage=86400" },
      body: { version: "1.0", capabilities: CAPABILITIES },
    }),
  }),
];

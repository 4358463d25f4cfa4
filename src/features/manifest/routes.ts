// The public capability manifest: static, and true of this build.

import { operation } from "../../http/operation.ts";

const CAPABILITIES = {
  prompts: {
    rest: true,
    list: true,
    get: true,
    create: true,
    update: true,
    delete: true,
    versions: true,
    searchQueryParam: true,
  },
  documents: {
    rest: true,
    list: true,
    get: true,
    create: true,
    update: true,
    delete: true,
    versions: true,
    scrape: false,
  },
  collections: {
    rest: true,
    list: true,
    get: true,
    create: true,
    update: true,
    delete: true,
    items: true,
  },
  search: { rest: true },
  progressiveDisclosure: { search: true, expand: true, read: true, session: true },
  reason: { rest: false },
  auth: { bearer: true, apiKey: true },
};

export const manifestOperations = [
  operation({
    name: "mcp.capabilities",
    method: "GET",
    path: "/v1/mcp/capabilities",
    summary: "What this server can do",
    requires: "public",
    statuses: [200],
    handle: () => ({
      status: 200,
      headers: { "Cache-Control": "public, max-age=86400, s-maxage=86400" },
      body: { version: "1.0", capabilities: CAPABILITIES },
    }),
  }),
];

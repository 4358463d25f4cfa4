// The operations on chunks (progressive disclosure): paths, shapes, scopes, statuses.

import { operation } from "../../http/operation.ts";
import { readToWire } from "./contract.ts";
import { readChunk } from "./read.ts";

export const chunkOperations = [
  operation({
    name: "pd.read",
    method: "GET",
    path: "/v1/pd/read/:id",
    summary: "Read one chunk with its place in the document",
    requires: { anyOf: ["documents.read"] },
    statuses: [200, 400, 404],
    handle: ({ app, caller, id }) => ({
      status: 200,
      body: { data: readToWire(readChunk(app.store, caller, id)) },
    }),
  }),
];

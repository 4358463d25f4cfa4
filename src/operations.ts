// Every operation of the API, in the order of the OpenAPI document and of docs/api-notes.md, and the public paths
// outside it.

import { chunkOperations } from "./features/chunks/routes.ts";
import { collectionOperations } from "./features/collections/routes.ts";
import { coordinationOperations } from "./features/documents/coordination/routes.ts";
import { documentOperations } from "./features/documents/routes.ts";
import { scrapingOperations } from "./features/documents/scraping/routes.ts";
import { healthPath } from "./site/health/contract.ts";
import { wellKnownPaths } from "./features/identity/contract.ts";
import { identityOperations } from "./features/identity/routes.ts";
import { manifestOperations } from "./features/manifest/routes.ts";
import type { Described } from "./site/openapi/document.ts";
import { promptOperations } from "./features/prompts/routes.ts";
import { reasonOperations } from "./features/reason/routes.ts";
import { searchOperations } from "./features/search/routes.ts";
import type { Operation } from "./http/operation.ts";

export const OPERATIONS: readonly Operation[] = [
  ...manifestOperations,
  ...identityOperations,
  ...promptOperations,
  ...collectionOperations,
  ...documentOperations,
  ...scrapingOperations,
  ...coordinationOperations,
  ...chunkOperations,
  ...searchOperations,
  ...reasonOperations,
];

/** Everything that the OpenAPI document describes. */
export const DESCRIBED: Described = {
  operations: OPERATIONS,
  publicPaths: [healthPath, ...wellKnownPaths],
};

// The wire shape of GET /health, for its description.

import { Type } from "@sinclair/typebox";
import { count, instant, oneOf, type PublicPath } from "../../http/response-shapes.ts";

const STATES = ["ok", "loading", "degraded"] as const;

const members = {
  status: oneOf(STATES),
  version: Type.String({ description: "Version of the server.", examples: ["0.3.0"] }),
  uptimeMs: count(86_400_000),
  jobs: Type.Object({
    queued: Type.Integer({
      minimum: 0,
      description:
        "Jobs that wait to be run. Once `queued` and `running` are both 0, all records are indexed.",
      examples: [0],
    }),
    running: count(0),
    failed: count(0),
  }),
  database: oneOf(["ok", "degraded"]),
  embedder: oneOf(STATES, { description: "State of the embedding model." }),
  follows: Type.Optional(
    Type.Object(
      { remote: Type.String(), since: instant, pulledAt: Type.Optional(instant) },
      { description: "Present if this server is a read-only twin of a remote; `pulledAt` is its last pull." },
    ),
  ),
  problems: Type.Optional(
    Type.Array(Type.String(), {
      description:
        "What is wrong with the database, its disk or the embedding model, and what to do. Absent if nothing is.",
    }),
  ),
};
const healthShape = Type.Object(members, { $id: "Health" });
const failing = { status: "degraded", database: "degraded", embedder: "ok" };
const failingShape = Type.Object(members, {
  $id: "Health",
  examples: [
    { ...failing, version: "0.3.0", uptimeMs: 86_400_000, jobs: { queued: 0, running: 0, failed: 0 } },
  ],
});
/** GET /health in the OpenAPI document. */
export const healthPath: PublicPath = {
  name: "service.health",
  path: "/health",
  summary: "Read the state of the server",
  description:
    "Responds without waiting for other work. The status is 503 only if the database cannot be read. No credential is required.",
  responses: { 200: { body: healthShape }, 503: { body: failingShape } },
};

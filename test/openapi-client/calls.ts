// Uses the client that `bun run lint:openapi` generates from the OpenAPI document, which also type-checks this file:
// valid calls must compile, invalid ones must not. test/api/openapi/client.test.ts runs the valid calls.

import { type Client, type Config, createClient, createConfig } from "../../.cache/openapi-client/client";
import {
  coordinationEnable,
  coordinationLease,
  documentsCreate,
  documentsUpdate,
  pdRead,
  promptsCreate,
  promptsGet,
  search,
} from "../../.cache/openapi-client/sdk.gen";
import type { PromptsGetErrors } from "../../.cache/openapi-client/types.gen";

type Credential = { auth?: Config["auth"]; headers?: { Authorization: string } };

/** A client with one credential for all operations. */
export function clientFor(baseUrl: string, { auth, headers }: Credential): Client {
  const config = { baseUrl, auth, headers: { "User-Agent": "openapi-client/1.0", ...headers } };
  return createClient(createConfig(config));
}

/** Creates, coordinates, updates and finds a document. Returns what the test checks. */
export async function validCalls(client: Client) {
  const created = await documentsCreate({
    client,
    body: { title: "Tea", content: "Water boils.", tags: ["a"] },
  });
  if (!created.data) throw new Error(created.error.error.message);
  const { id, revision } = created.data.data;
  const path = { id };

  const ifMatch = created.response?.headers.get("etag") ?? "";
  const enabled = await coordinationEnable({ client, path, headers: { "If-Match": ifMatch } });
  if (!enabled.data) throw new Error(enabled.error.error.message);
  const leased = await coordinationLease({
    client,
    path,
    headers: { "Idempotency-Key": "acquire" },
    body: { action: "acquire", ttlMs: 60_000 },
  });
  if (!leased.data) throw new Error(leased.error.error.message);
  const lease = leased.data.data;
  if ("released" in lease) throw new Error("acquire returned a release");

  const updated = await documentsUpdate({
    client,
    path,
    headers: {
      "If-Match": ifMatch,
      "Idempotency-Key": "update",
      "X-Service-Lease-Id": lease.leaseId,
      "X-Service-Lease-Fence": String(lease.fence),
    },
    body: { title: "Green tea", expectedRevision: revision },
  });
  if (!updated.data) throw new Error(updated.error.error.message);
  const found = await search({ client, query: { q: "green", semantic: false, type: "documents" } });
  if (!found.data) throw new Error(found.error.error.message);
  return {
    policy: enabled.data.data.policy,
    revision: updated.data.data.revision,
    titles: found.data.data.documents.map(({ title }) => title),
  };
}

/** Each of these must be a type error. Never called. */
export async function invalidCalls(client: Client) {
  // @ts-expect-error: a title is required
  await documentsCreate({ client, body: { content: "Water boils." } });
  // @ts-expect-error: a tag is a string
  await documentsCreate({ client, body: { title: "Tea", content: "", tags: [1] } });
  // @ts-expect-error: the path has an id
  await promptsGet({ client });
  // @ts-expect-error: the chunk's id is named chunkId
  await pdRead({ client, path: { id: "2yGqQzDbdVZNFCVpSyVEFDUUbZ5" } });
  // @ts-expect-error: there is no such group
  await search({ client, query: { q: "green", type: "people" } });
  const variables = [{ name: "v", type: "date" as const }];
  // @ts-expect-error: a variable has one of three types
  await promptsCreate({ client, body: { title: "", description: "", content: "", variables } });
  // @ts-expect-error: acquiring a lease requires an Idempotency-Key
  await coordinationLease({ client, path: { id: "" }, body: { action: "acquire" } });
  const { data } = await coordinationLease({
    client,
    path: { id: "" },
    headers: { "Idempotency-Key": "release" },
    body: { action: "release" },
  });
  // @ts-expect-error: a release has no lease id
  return data?.data.leaseId;
}

/** Compiles only if every 403 is the JSON error, not a union with the plain text. */
export const codeOf = (error: PromptsGetErrors[403]): number => error.error.code;

// The introduction of the OpenAPI document: how to send requests, the credentials, and the groups of operations.

import { VERSION } from "../../base/version.ts";

const DESCRIPTION = `
Stores prompts, documents and collections for AI agents and people, and searches them by meaning.

Every request needs an \`Authorization\` header and a \`User-Agent\` that names the client. Request bodies are JSON in UTF-8. Times are epoch milliseconds in bodies and ISO 8601 in headers. Ids are opaque.

The result of a successful request is in \`data\`. Lists also have \`pagination\`: while \`hasMore\` is true, repeat the request with its \`cursor\` to get the next page. The body of an error is \`{"error": {"code", "message", "details"}}\`. Unknown query parameters and body members are ignored. A query parameter other than \`tags\` that is sent twice, NUL in a query, and numbers in other than plain decimal notation give 400.

Every response has \`X-API-Version: v1\` and \`Deprecation: ?0\`. Every response to an authenticated request also has \`Cache-Control: no-store\` and the state of the rate limit: \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` (ISO 8601), and the same three headers with the prefix \`X-\`.

GET operations also support HEAD. Another method on a known path gives 405 with \`Allow\`; an unknown path gives 404.

Operations with \`Idempotency-Key\` execute a request once: for 24 hours, a retry with the same key and content returns the first response, with \`Idempotent-Replayed: true\`.

Constraints that JSON Schema cannot express are in extension members: \`x-max-bytes\` (in UTF-8; for objects and lists, of their JSON), \`x-max-characters\`, \`x-not-blank\`, \`x-no-nul\`, \`x-no-comma\` and \`x-one-character\`. \`x-scopes\` lists the scopes of which the credential needs one. \`x-rate-limit-tier\` is the rate limit that the operation counts towards.

Generated clients: configure the scheme \`apiKey\` with the complete header, \`API-Key gm_…\`, because clients send it unchanged, and the scheme \`bearer\` with the token alone. Clients that take one string for both schemes send it as a bearer token. This works for tokens; for an API key, set the header \`Authorization: API-Key gm_…\` instead.
`.trim();

/** Title, version and licence. */
export const INFO = {
  title: "ctxrepo",
  version: VERSION,
  summary: "The Context Repository REST API, version 1",
  description: DESCRIPTION,
  contact: { name: "the ctxrepo authors" },
  license: { name: "MIT", identifier: "MIT" },
};

/** The two forms of a credential. */
export const SECURITY_SCHEMES = {
  apiKey: {
    type: "apiKey",
    in: "header",
    name: "Authorization",
    description:
      "An API key from `ctxrepo keys create`. The value is the complete header, including the scheme name: " +
      "`API-Key gm_<publicId>_<secret>`. `API-Key` is case-sensitive. The key's scopes apply.",
  },
  bearer: {
    type: "http",
    scheme: "bearer",
    description:
      "A token from `ctxrepo tokens create`, without the word `Bearer`, which clients add. Session tokens (a JWT) and OAuth " +
      "tokens (`oat_…`) have all permissions of the user. Machine tokens (`mt_…`) and managed keys (`ak_…`) have the scopes " +
      "in their claims. API keys (`gm_…`) are not accepted here.",
  },
};

/** Groups of operations, by the first part of the operation names. */
export const TAGS: Readonly<Record<string, { name: string; description: string }>> = {
  prompts: { name: "Prompts", description: "Reusable text templates with versions." },
  documents: {
    name: "Documents",
    description: "Markdown texts with versions, written directly or scraped from web pages.",
  },
  coordination: {
    name: "Coordination",
    description: "Leases that prevent several writers from overwriting each other's changes to a document.",
  },
  collections: { name: "Collections", description: "Named groups of prompts and documents." },
  search: {
    name: "Search",
    description: "Search over prompts, documents and collections, by meaning or by text.",
  },
  pd: {
    name: "Progressive disclosure",
    description:
      "Search for sections and paragraphs, and move from there to their parents, children and neighbours.",
  },
  reason: {
    name: "Reason",
    description: "Answers that quote documents, with the source of every statement.",
  },
  user: { name: "Identity", description: "The user and the scopes of the credential." },
  mcp: { name: "Manifest", description: "The capabilities of this server." },
  service: {
    name: "Service",
    description:
      "State of the server, OAuth metadata and signing keys. These paths are outside `/v1` and have none of its headers.",
  },
};

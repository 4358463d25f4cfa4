// What the document says before its operations: how to call the API at all, the credentials, the groups.

import { VERSION } from "../../version.ts";

const DESCRIPTION = `
Prompts, documents and collections for AI agents and the people beside them, searched by meaning.

Every request needs a credential in the header \`Authorization\` and a \`User-Agent\` that names the client. Bodies are JSON in UTF-8. Moments are epoch milliseconds in bodies and ISO 8601 in headers. Ids are opaque.

Success comes under \`data\`; lists add \`pagination\`: while \`hasMore\` is true, repeat the request with its \`cursor\`. Errors are \`{"error": {"code", "message", "details"}}\`. Unknown parameters and body members are ignored; a query parameter that is given twice is an error, and so are NUL in a query, and a number there in any but the plain decimal form.

Every answer carries \`X-API-Version: v1\` and \`Deprecation: ?0\`; every answer after authentication \`Cache-Control: no-store\`, and the state of the rate limit in \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` (ISO 8601), and in the same three with \`X-\` before them.

GET operations answer HEAD too. A path with another method answers 405 with \`Allow\`, an unknown path 404. Outside of \`/v1\`, without a credential: \`/health\`, \`/openapi.json\`, \`/docs\` and \`/.well-known/…\`.

Operations that take \`Idempotency-Key\` do a request once: for 24 hours a retry with the same key and content gets the first answer again, with \`Idempotent-Replayed: true\`.

What JSON Schema cannot say stands in members of its own: \`x-max-bytes\` (UTF-8; of the JSON for objects and lists), \`x-max-characters\`, \`x-not-blank\`, \`x-no-nul\`, \`x-no-comma\`, \`x-one-character\`. \`x-scopes\` names the scopes of which the credential needs one, \`x-rate-limit-tier\` the limit that counts the operation.
`.trim();

export const INFO = {
  title: "ctxrepo",
  version: VERSION,
  summary: "The Context Repository REST API, version 1",
  description: DESCRIPTION,
  license: { name: "MIT", identifier: "MIT" },
};

const bearer = (bearerFormat: string, description: string) => ({
  type: "http",
  scheme: "bearer",
  bearerFormat,
  description,
});

/** The five forms of a credential; `ctxrepo keys create` and `ctxrepo tokens create` make them. */
export const SECURITY_SCHEMES = {
  apiKey: {
    type: "apiKey",
    in: "header",
    name: "Authorization",
    description:
      "`API-Key gm_<publicId>_<secret>`; the scheme is case-sensitive. The key's own scopes count.",
  },
  sessionToken: bearer("JWT", "A session token: the whole of the user's data, scopes do not apply."),
  oauthToken: bearer("oat_ + JWT", "An OAuth token that acts for a user; scopes do not apply."),
  machineToken: bearer("mt_ + JWT", "A machine token; the scopes in its claim count."),
  managedToken: bearer("ak_ + JWT", "A managed key; the scopes in its claim count."),
};

/** Groups of operations, by the first part of their names. */
export const TAGS: Readonly<Record<string, { name: string; description: string }>> = {
  prompts: { name: "Prompts", description: "Reusable text templates, with their versions." },
  documents: { name: "Documents", description: "Reference texts, with their versions." },
  coordination: {
    name: "Coordination",
    description: "Leases, so that several writers of one document do not overwrite each other.",
  },
  collections: { name: "Collections", description: "Named groups of prompts and documents." },
  search: { name: "Search", description: "One search over everything, by meaning or by text." },
  pd: {
    name: "Progressive disclosure",
    description:
      "From a question to sections and paragraphs, and from there up, down and along the document.",
  },
  reason: {
    name: "Reason",
    description: "Answers from documents, every statement with the chunk it stands in.",
  },
  user: { name: "Identity", description: "Who the credential stands for." },
  mcp: { name: "Manifest", description: "What this server can do." },
};

// Every operation × every credential kind × every set of scopes, generated from the table of operations.

import { describe, expect, test } from "bun:test";
import { SCOPES, type Scope } from "../../../src/auth/scopes.ts";
import { TOKEN_KINDS } from "../../../src/auth/tokens.ts";
import { OPERATIONS } from "../../../src/operations.ts";
import { USER_AGENT, useServer } from "../../helpers/start.ts";
import { makeToken } from "../../helpers/tokens.ts";

const started = useServer();

const SETS: Scope[][] = [
  ...SCOPES.map((scope) => [scope]),
  ["prompts.read", "documents.read"],
  ["prompts.write", "documents.write"],
];

/** The rule of the spec's table, written a second time on purpose. */
function allowed(requires: (typeof OPERATIONS)[number]["requires"], granted: readonly string[]): boolean {
  if (typeof requires === "string") return true;
  const implied = new Set(granted);
  if (implied.has("prompts.write")) implied.add("prompts.read");
  if (implied.has("documents.write")) implied.add("documents.read");
  return requires.anyOf.some((scope) => implied.has(scope));
}

async function send(operation: (typeof OPERATIONS)[number], authorization: string | undefined) {
  const path = operation.path.replace(":id", "0".repeat(27));
  const headers = {
    "User-Agent": USER_AGENT,
    ...(authorization !== undefined && { Authorization: authorization }),
  };
  const request = new Request(started.url + path, { method: operation.method, headers });
  const response = await started.send(request);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

test("there are operations, and their names are unique", () => {
  expect(OPERATIONS.length).toBeGreaterThanOrEqual(7);
  expect(new Set(OPERATIONS.map(({ name }) => name)).size).toBe(OPERATIONS.length);
});

describe.each(OPERATIONS.map((operation) => [operation.name, operation] as const))(
  "%s",
  (_name, operation) => {
    test("without a credential", async () => {
      const { status } = await send(operation, undefined);
      if (operation.requires === "public") expect(status).toBe(200);
      else expect(status).toBe(401);
    });

    const forms: [string, (scopes: Scope[]) => Promise<string>, boolean][] = [
      [
        "gm_ key",
        async (scopes) => {
          const { createKey } = await import("../../../src/auth/keys.ts");
          const { ensureUser } = await import("../../../src/auth/users.ts");
          const make = started.write((write) =>
            createKey(write, ensureUser(write, "m@example.org"), { name: null, scopes }),
          );
          return `API-Key ${make.key}`;
        },
        true,
      ],
      ...TOKEN_KINDS.map((kind): [string, (scopes: Scope[]) => Promise<string>, boolean] => [
        `${kind} token`,
        async (scopes) => `Bearer ${await makeToken(started, kind, "m@example.org", scopes)}`,
        kind === "machine" || kind === "managed",
      ]),
    ];
    test.each(forms)("with a %s of every set of scopes", async (_form, make, scoped) => {
      for (const scopes of SETS) {
        const { status, headers, text } = await send(operation, await make(scopes));
        const passes = !scoped || allowed(operation.requires, scopes);
        expect([scopes, status === 403]).toEqual([scopes, !passes]);
        expect([401, 405, 500]).not.toContain(status);
        if (status >= 400) expect(JSON.parse(text).error.code).toBe(status);
        expect(headers.has("ratelimit-limit")).toBe(operation.requires !== "public");
      }
    });
  },
);

// A client generated from the OpenAPI document works with each form of a credential. calls.ts is checked against the
// client by `bun run lint:openapi`.

import { beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { generateClient } from "../../../scripts/lint-openapi.ts";
import { createKey } from "../../../src/auth/keys.ts";
import { ensureUser } from "../../../src/auth/users.ts";
import { useServer } from "../../helpers/start.ts";
import { makeToken } from "../../helpers/tokens.ts";

/** The generated client does not exist while this file is type-checked. */
interface Calls {
  clientFor(baseUrl: string, credential: object): unknown;
  validCalls(client: unknown): Promise<unknown>;
}

const started = useServer({ socket: true });
let calls: Calls;
beforeAll(async () => {
  await generateClient();
  calls = await import(join(import.meta.dir, "../../openapi-client/calls.ts"));
});

const EXPECTED = { policy: "lease_required", revision: 1, titles: ["Green tea"] };

const runWith = (credential: object) => calls.validCalls(calls.clientFor(started.url, credential));

test("one string for both schemes, with a token", async () => {
  const auth = await makeToken(started, "machine", "machine@example.org");
  expect(await runWith({ auth })).toEqual(EXPECTED);
});

test("the scheme bearer, with a token", async () => {
  const token = await makeToken(started, "session", "session@example.org");
  const auth = ({ scheme }: { scheme?: string }) => (scheme === "bearer" ? token : undefined);
  expect(await runWith({ auth })).toEqual(EXPECTED);
});

test("the scheme apiKey, with the complete header", async () => {
  const auth = ({ type }: { type: string }) => (type === "apiKey" ? `API-Key ${started.key.key}` : undefined);
  expect(await runWith({ auth })).toEqual(EXPECTED);
});

test("the header Authorization, with an API key", async () => {
  const { store } = started.app;
  const { key } = store.write((write) =>
    createKey(write, ensureUser(write, "header@example.org"), { name: null, scopes: ["documents.write"] }),
  );
  expect(await runWith({ headers: { Authorization: `API-Key ${key}` } })).toEqual(EXPECTED);
});

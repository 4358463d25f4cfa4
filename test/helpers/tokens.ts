// Tokens for tests: valid ones, made as `ctxrepo tokens create` makes them, and forged ones.

import { base64url, exportJWK, generateKeyPair, SignJWT } from "jose";
import { type Instance, openInstance } from "../../src/auth/instance.ts";
import type { Scope } from "../../src/auth/scopes.ts";
import { createToken, type TokenKind } from "../../src/auth/tokens.ts";
import { ensureUser } from "../../src/auth/users.ts";
import type { Started } from "./start.ts";

/** A valid token of `email`. */
export async function makeToken(
  { app: { store }, write: writeWhenFree }: Started,
  kind: TokenKind,
  email: string,
  scopes: Scope[] = ["prompts.write", "documents.write"],
  ttlSeconds = 600,
): Promise<string> {
  const instance = await openInstance(store);
  const { user, now, jti } = writeWhenFree((write) => ({
    user: ensureUser(write, email),
    now: write.now,
    jti: write.newId(),
  }));
  return (await createToken(instance, { now, newId: () => jti }, { kind, user, scopes, ttlSeconds })).token;
}

interface Forgery {
  header?: object;
  claims?: object;
  without?: string[];
  key?: CryptoKey | Uint8Array;
  algorithm?: string;
  prefix?: string;
}

/** A token that is valid except for what `forgery` changes. */
async function forge(instance: Instance, userId: string, nowMs: number, forgery: Forgery): Promise<string> {
  const now = Math.floor(nowMs / 1000);
  const claims: Record<string, unknown> = {
    kind: "session",
    iss: instance.urn,
    aud: instance.urn,
    sub: userId,
    jti: "forged",
    iat: now,
    exp: now + 600,
    ...forgery.claims,
  };
  for (const name of forgery.without ?? []) delete claims[name];
  const header = {
    alg: forgery.algorithm ?? "EdDSA",
    typ: "ctxrepo+jwt",
    kid: instance.keyId,
    ...forgery.header,
  };
  const jwt = await new SignJWT(claims).setProtectedHeader(header).sign(forgery.key ?? instance.signingKey);
  return (forgery.prefix ?? "") + jwt;
}

/** Invalid tokens with names; each differs from a valid session token in one thing. */
export async function forgedTokens(
  { app: { store, clock } }: Started,
  userId: string,
): Promise<[string, string][]> {
  const instance = await openInstance(store);
  const good = await forge(instance, userId, clock.now(), {});
  const [header = "", payload = "", signature = ""] = good.split(".");
  const own = await generateKeyPair("EdDSA", { crv: "Ed25519", extractable: true });
  const ownJwk = await exportJWK(own.publicKey);
  const rsa = await generateKeyPair("RS256");
  const elliptic = await generateKeyPair("ES256");
  const secret = new TextEncoder().encode(String(instance.publicJwk.x).padEnd(32, "x"));
  const none = base64url.encode(JSON.stringify({ alg: "none", typ: "ctxrepo+jwt" }));
  const now = Math.floor(clock.now() / 1000);
  const cases: [string, Forgery][] = [
    ["expired", { claims: { exp: now - 1 } }],
    ["expires now", { claims: { exp: now } }],
    ["not valid yet", { claims: { nbf: now + 60 } }],
    ["another issuer", { claims: { iss: "urn:ctxrepo:other" } }],
    ["another audience", { claims: { aud: "urn:ctxrepo:other" } }],
    ["no issuer", { without: ["iss"] }],
    ["no audience", { without: ["aud"] }],
    ["no expiry", { without: ["exp"] }],
    ["no subject", { without: ["sub"] }],
    ["no token id", { without: ["jti"] }],
    ["no kind", { without: ["kind"] }],
    ["an unknown kind", { claims: { kind: "admin" } }],
    ["a machine token without its prefix", { claims: { kind: "machine", scopes: ["documents.write"] } }],
    ["a session token as machine token", { prefix: "mt_" }],
    ["a session token as managed token", { prefix: "ak_" }],
    ["a session token as OAuth token", { prefix: "oat_" }],
    ["an unknown prefix", { prefix: "xx_" }],
    ["a user who does not exist", { claims: { sub: "0".repeat(27) } }],
    ["another type", { header: { typ: "JWT" } }],
    ["signed by another key", { key: own.privateKey }],
    ["signed by the key in its header", { key: own.privateKey, header: { jwk: ownJwk } }],
    [
      "signed by a key at a URL in its header",
      { key: own.privateKey, header: { jku: "http://127.0.0.1:9/keys" } },
    ],
    ["with a jwk header although validly signed", { header: { jwk: ownJwk } }],
    ["with a jku header although validly signed", { header: { jku: "http://127.0.0.1:9/keys" } }],
    ["with an x5u header although validly signed", { header: { x5u: "http://127.0.0.1:9/keys" } }],
    ["RS256", { algorithm: "RS256", key: rsa.privateKey }],
    ["ES256", { algorithm: "ES256", key: elliptic.privateKey }],
    ["HS256 with the public key as secret", { algorithm: "HS256", key: secret }],
  ];
  const forged = await Promise.all(
    cases.map(
      async ([name, forgery]): Promise<[string, string]> => [
        name,
        await forge(instance, userId, clock.now(), forgery),
      ],
    ),
  );
  const otherPayload = base64url.encode(
    JSON.stringify({
      ...JSON.parse(new TextDecoder().decode(base64url.decode(payload))),
      sub: "1".repeat(27),
    }),
  );
  return [
    ...forged,
    ["algorithm none, no signature", `${none}.${payload}.`],
    ["algorithm none, the old signature", `${none}.${payload}.${signature}`],
    ["another payload", `${header}.${otherPayload}.${signature}`],
    ["no signature", `${header}.${payload}`],
    ["an empty signature", `${header}.${payload}.`],
    [
      "a flipped signature",
      `${header}.${payload}.${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`,
    ],
    ["one part too many", `${good}.x`],
    ["a header that is not JSON", `x.${payload}.${signature}`],
    ["only dots", ".."],
    ["longer than 8 kB", `${good}${"x".repeat(9000)}`],
  ];
}

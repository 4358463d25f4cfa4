// Creates and verifies this installation's own tokens, which are JWTs (RFC 8725). Algorithm, key, issuer and audience
// are fixed here and never read from the token. The kind is signed and must agree with the token's prefix.

import { decodeProtectedHeader, jwtVerify, SignJWT } from "jose";
import type { Store, Write } from "../db/store.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Identity } from "./identity.ts";
import { type Instance, SIGNING_ALGORITHM } from "./instance.ts";
import { type Scope, USER_SCOPES } from "./scopes.ts";
import { findUser, type User } from "./users.ts";

export const TOKEN_KINDS = ["session", "oauth", "machine", "managed"] as const;
export type TokenKind = (typeof TOKEN_KINDS)[number];

/** The prefix of each kind of token after `Bearer `. A session token is a JWT without a prefix. */
const PREFIX: Record<TokenKind, string> = { session: "", oauth: "oat_", machine: "mt_", managed: "ak_" };
const TYPE = "ctxrepo+jwt";
/** JWT header members with which a token could supply its own key or change how it is verified. */
const FORBIDDEN_HEADERS = ["jku", "jwk", "x5u", "x5c", "x5t", "crit", "zip", "b64"];

/** Lifetimes without `--ttl`: people log in again, machines are set up once. */
export const DEFAULT_TTL_S: Record<TokenKind, number> = {
  session: 3600,
  oauth: 3600,
  machine: 90 * 86_400,
  managed: 90 * 86_400,
};

export interface CreatedToken {
  token: string;
  kind: TokenKind;
  userId: string;
  scopes: Scope[];
  /** Epoch milliseconds, on a whole second. */
  expiresAt: number;
}

export interface TokenRequest {
  kind: TokenKind;
  user: User;
  /** For machine and managed tokens only; the other kinds have all scopes of the user. */
  scopes: Scope[];
  ttlSeconds: number;
}

/** Creates and signs a token, issued at `now`. */
export async function createToken(
  instance: Instance,
  { now, newId }: Pick<Write, "now" | "newId">,
  { kind, user, scopes: wanted, ttlSeconds }: TokenRequest,
): Promise<CreatedToken> {
  const scopes = isScoped(kind) ? wanted : [...USER_SCOPES];
  const issuedAt = Math.floor(now / 1000);
  const expiresAt = issuedAt + ttlSeconds;
  const jwt = await new SignJWT({ kind, ...(isScoped(kind) && { scopes }) })
    .setProtectedHeader({ alg: SIGNING_ALGORITHM, typ: TYPE, kid: instance.keyId })
    .setIssuer(instance.urn)
    .setAudience(instance.urn)
    .setSubject(user.id)
    .setJti(newId())
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(instance.signingKey);
  return { token: PREFIX[kind] + jwt, kind, userId: user.id, scopes, expiresAt: expiresAt * 1000 };
}

function isScoped(kind: TokenKind): boolean {
  return kind === "machine" || kind === "managed";
}

/**
 * The identity behind a token of this installation; null when its form, signature, algorithm, issuer, audience, kind or
 * expiry is wrong, or its user was removed.
 */
export async function identifyToken(
  { store, clock, instance }: { store: Store; clock: Clock; instance: Instance },
  token: string,
): Promise<Identity | null> {
  const kind =
    TOKEN_KINDS.find((candidate) => PREFIX[candidate] && token.startsWith(PREFIX[candidate])) ?? "session";
  const jwt = token.slice(PREFIX[kind].length);
  try {
    const header = decodeProtectedHeader(jwt);
    if (FORBIDDEN_HEADERS.some((name) => name in header)) return null;
    const { payload } = await jwtVerify(jwt, instance.verifyingKey, {
      algorithms: [SIGNING_ALGORITHM],
      typ: TYPE,
      issuer: instance.urn,
      audience: instance.urn,
      requiredClaims: ["sub", "jti", "iat", "exp", "kind"],
      currentDate: new Date(clock.now()),
    });
    if (payload.kind !== kind) return null;
    const user = findUser(store, payload.sub!);
    if (!user) return null;
    return {
      kind: isScoped(kind) ? "machine" : "session",
      userId: user.id,
      email: user.email,
      name: user.name,
      scopes: isScoped(kind) ? scopesIn(payload.scopes) : USER_SCOPES,
      credentialId: payload.jti!,
    };
  } catch {
    // jose throws when a token does not verify. The caller must not learn why.
    return null;
  }
}

function scopesIn(claim: unknown): string[] {
  return Array.isArray(claim) ? claim.filter((scope) => typeof scope === "string") : [];
}

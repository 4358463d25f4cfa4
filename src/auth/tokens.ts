// Tokens made and checked here: JWTs by RFC 8725. The algorithm, the key, the issuer and the audience come from us, never
// from the token; the kind is signed, and must agree with the prefix that the token is presented with.

import { decodeProtectedHeader, jwtVerify, SignJWT } from "jose";
import type { Store, Write } from "../db/store.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Identity } from "./identity.ts";
import { type Instance, SIGNING_ALGORITHM } from "./instance.ts";
import { type Scope, USER_SCOPES } from "./scopes.ts";
import { findUser, type User } from "./users.ts";

export const TOKEN_KINDS = ["session", "oauth", "machine", "managed"] as const;
export type TokenKind = (typeof TOKEN_KINDS)[number];

/** How each kind is presented behind `Bearer`; a session token is a bare JWT. */
const PREFIX: Record<TokenKind, string> = { session: "", oauth: "oat_", machine: "mt_", managed: "ak_" };
const TYPE = "ctxrepo+jwt";
/** Header members that would let a token bring its own key or rules. */
const REFUSED_HEADERS = ["jku", "jwk", "x5u", "x5c", "x5t", "crit", "zip", "b64"];

/** Lives without `--ttl`: people log in again, machines are set up once. */
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

/** Signs a token for `user`. Scopes bind machine and managed tokens only; the others may do whatever the user may. */
export async function createToken(
  instance: Instance,
  { now, newId }: Pick<Write, "now" | "newId">,
  kind: TokenKind,
  user: User,
  wanted: Scope[],
  ttlSeconds: number,
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
 * The identity behind a presented token of this installation, or null for every way to be wrong: form, signature,
 * algorithm, issuer, audience, kind, expiry, a user who is gone.
 */
export async function identifyToken(
  store: Store,
  clock: Clock,
  instance: Instance,
  token: string,
): Promise<Identity | null> {
  const kind =
    TOKEN_KINDS.find((candidate) => PREFIX[candidate] && token.startsWith(PREFIX[candidate])) ?? "session";
  const jwt = token.slice(PREFIX[kind].length);
  try {
    const header = decodeProtectedHeader(jwt);
    if (REFUSED_HEADERS.some((name) => name in header)) return null;
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
    // jose throws for whatever does not verify; what exactly is nobody's business.
    return null;
  }
}

function scopesIn(claim: unknown): string[] {
  return Array.isArray(claim) ? claim.filter((scope) => typeof scope === "string") : [];
}

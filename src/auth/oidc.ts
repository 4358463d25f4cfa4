// Verifies tokens of a configured identity provider (OpenID Connect). Its metadata and keys are fetched and cached;
// nothing else in the program contacts another machine to identify a caller.

import { createRemoteJWKSet, decodeJwt, type JWTPayload, jwtVerify } from "jose";
import { storageProblemOf } from "../db/storage-errors.ts";
import type { Store } from "../db/store.ts";
import type { Clock } from "../kernel/clock.ts";
import { Failure } from "../kernel/errors.ts";
import { shorten } from "../kernel/text.ts";
import { type Claims, findLinkedUser, isSubject, userOf } from "./external-identities.ts";
import type { Identity } from "./identity.ts";
import { isScope, USER_SCOPES } from "./scopes.ts";

/** Asymmetric algorithms only: with a shared secret, anyone who can verify a token could also sign one. */
const ALGORITHMS = ["EdDSA", "ES256", "ES384", "ES512", "PS256", "PS384", "PS512", "RS256", "RS384", "RS512"];
const FETCH_TIMEOUT_MS = 5_000;
const METADATA_TTL_MS = 10 * 60_000;
const MAX_METADATA_BYTES = 256 * 1024;

export interface IdentityProvider {
  readonly issuer: string;
  /** Whether a token names this provider as its issuer. Does not verify the token. */
  isNamedBy(token: string): boolean;
  /**
   * The identity behind a token whose audience is one of `audiences`, or null. Creates or links the user on first use.
   * Throws `forbidden` for an identity that only a command may link.
   */
  identify(token: string, audiences: string[]): Promise<Identity | null>;
  /** The provider's metadata document. Throws `unavailable` when it cannot be fetched. */
  metadata(): Promise<Record<string, unknown>>;
}

/** `issuer` is the provider's issuer URL: https, or http on this machine. */
export function openIdentityProvider(store: Store, clock: Clock, issuer: string): IdentityProvider {
  let cached: { document: Record<string, unknown>; at: number } | undefined;
  let keys: ReturnType<typeof createRemoteJWKSet> | undefined;

  const metadata = async () => {
    if (cached && clock.monotonic() - cached.at < METADATA_TTL_MS) return cached.document;
    const document = await fetchMetadata(issuer);
    if (document.issuer !== issuer)
      throw new Failure("unavailable", "the metadata of the identity provider names another issuer");
    if (cached?.document.jwks_uri !== document.jwks_uri) keys = undefined;
    cached = { document, at: clock.monotonic() };
    return document;
  };

  return {
    issuer,
    metadata,
    isNamedBy(token) {
      try {
        return decodeJwt(token).iss === issuer;
      } catch {
        return false;
      }
    },
    async identify(token, audiences) {
      try {
        const { jwks_uri } = await metadata();
        keys ??= createRemoteJWKSet(new URL(String(jwks_uri)), { timeoutDuration: FETCH_TIMEOUT_MS });
        const { payload } = await jwtVerify(token, keys, {
          algorithms: ALGORITHMS,
          issuer,
          audience: audiences,
          requiredClaims: ["sub", "exp"],
          currentDate: new Date(clock.now()),
        });
        return await identityOf(store, issuer, payload);
      } catch (error) {
        // The token is valid, but only a command may decide whose it is.
        if (storageProblemOf(error) || (error instanceof Failure && error.kind === "forbidden")) throw error;
        return null;
      }
    },
  };
}

const MAX_NAME_CHARACTERS = 200;

/**
 * A token that names at least one of our scopes (`scope` as text, or `scopes` as list) is limited to these scopes. A
 * token that names none has all scopes of its user, as a session has.
 */
async function identityOf(store: Store, issuer: string, payload: JWTPayload): Promise<Identity | null> {
  const { sub: subject, email, email_verified: verified, name, jti, iat = 0 } = payload;
  if (typeof subject !== "string" || !isSubject(subject) || verified === false) return null;
  const claims: Claims = { issuer, subject, email, isEmailVerified: verified === true };
  const user = findLinkedUser(store, claims) ?? (await store.writeWhenFree((write) => userOf(write, claims)));
  const named = typeof payload.scope === "string" ? payload.scope.split(" ") : payload.scopes;
  const scopes = Array.isArray(named)
    ? named.filter((scope) => typeof scope === "string" && isScope(scope))
    : [];
  return {
    kind: "session",
    userId: user.id,
    email: user.email,
    name: user.name ?? (typeof name === "string" ? nameIn(name) : null),
    scopes: scopes.length > 0 ? (scopes as string[]) : USER_SCOPES,
    credentialId: typeof jti === "string" && isSubject(jti) ? jti : `${issuer}#${subject}#${iat}`,
  };
}

/** A name as it is stored with versions: on one line and short; null if nothing is left. */
function nameIn(claim: string): string | null {
  const name = claim.replace(/[\p{C}\p{Z}]+/gu, " ").trim();
  return name === "" ? null : shorten(name, MAX_NAME_CHARACTERS);
}

async function fetchMetadata(issuer: string): Promise<Record<string, unknown>> {
  const response = await fetch(`${issuer}/.well-known/openid-configuration`, {
    signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
    redirect: "error",
  });
  const text = await response.text();
  if (!response.ok || text.length > MAX_METADATA_BYTES) {
    throw new Failure("unavailable", `the identity provider responded with status ${response.status}`);
  }
  return JSON.parse(text) as Record<string, unknown>;
}

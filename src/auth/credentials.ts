// Identifies the caller from an Authorization header: API keys, our own tokens, tokens of an identity provider, and the
// secret of local commands.

import type { JWK } from "jose";
import type { Store } from "../db/store.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Identity } from "./identity.ts";
import { type Instance, openInstance } from "./instance.ts";
import { openKeyRing } from "./keys.ts";
import { createLocalSecret, identifyLocal } from "./local-access.ts";
import { type IdentityProvider, openIdentityProvider } from "./oidc.ts";
import { identifyToken } from "./tokens.ts";

const MAX_HEADER_CHARACTERS = 8 * 1024;
/** Case-sensitive, by the spec. */
const API_KEY = /^API-Key (\S+)$/;
/** Case-insensitive, by RFC 9110. */
const BEARER = /^Bearer +(\S+)$/i;

export interface Credentials {
  /**
   * The identity behind an Authorization header; null when it is missing, malformed, unknown, expired or revoked. A
   * token of an identity provider must have one of `audiences`. Throws `forbidden` when a local command names an
   * unknown user.
   */
  identify(authorization: string | null, audiences: string[]): Promise<Identity | null>;
  /** Gives local commands access as any user (auth/local-access.ts). Never stored in the database. */
  readonly localSecret: string;
  /** The public key that verifies tokens of this installation. */
  publicKey(): Promise<JWK>;
  /** The configured identity provider, or null. */
  readonly provider: IdentityProvider | null;
  /** Writes the times of last use, which are collected in memory. */
  flush(): void;
}

/** `oidcIssuer` is the URL of an identity provider, or null for none. */
export function openCredentials(store: Store, clock: Clock, oidcIssuer: string | null): Credentials {
  const keys = openKeyRing(store);
  const localSecret = createLocalSecret();
  const provider = oidcIssuer === null ? null : openIdentityProvider(store, clock, oidcIssuer);
  let instance: Promise<Instance> | undefined;
  const opened = () => {
    instance ??= openInstance(store).catch((error) => {
      instance = undefined;
      throw error;
    });
    return instance;
  };
  return {
    provider,
    localSecret,
    async identify(authorization, audiences) {
      if (authorization === null || authorization.length > MAX_HEADER_CHARACTERS) return null;
      const [, key] = API_KEY.exec(authorization) ?? [];
      if (key !== undefined) return keys.identify(key);
      const [, token] = BEARER.exec(authorization) ?? [];
      if (token === undefined) return identifyLocal(store, localSecret, authorization);
      if (provider?.isNamedBy(token)) return provider.identify(token, audiences);
      return identifyToken({ store, clock, instance: await opened() }, token);
    },
    publicKey: async () => (await opened()).publicJwk,
    flush: keys.flush,
  };
}

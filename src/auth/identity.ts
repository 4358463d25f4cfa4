// The caller of an operation, as authentication identified it.

import { Failure } from "../kernel/errors.ts";
import { grants, type Requirement, type Scope } from "./scopes.ts";

export interface Identity {
  kind: "session" | "machine" | "apiKey";
  userId: string;
  email: string;
  name: string | null;
  /** The granted scopes; all of them for credentials without scopes. */
  scopes: readonly string[];
  /** The key's public id or the token's `jti`. A lease belongs to it. */
  credentialId: string;
  /** The label of the API key. */
  keyName?: string;
  /** The program that acts for the user, as it calls itself. */
  program?: string;
  /** True for local commands (auth/local-access.ts) and the console that they open: not rate-limited. */
  isLocal?: boolean;
}

/** The name of a user in version histories: the name, or else the e-mail address. */
export function displayName(identity: Pick<Identity, "name" | "email">): string {
  return identity.name ?? identity.email;
}

/** Which key and which program of the user acts, in version histories; null if neither is known. */
export function agentName({ keyName, program }: Pick<Identity, "keyName" | "program">): string | null {
  const parts = [keyName !== undefined && `key ${keyName}`, program].filter(Boolean);
  return parts.length === 0 ? null : parts.join(", ");
}

/** Whether the caller has a scope, directly or implied by another one. */
export function hasScope(identity: Pick<Identity, "scopes">, scope: Scope): boolean {
  return grants(identity.scopes, scope);
}

/** Throws `forbidden`, naming the missing scope, unless the caller fulfils the requirement. */
export function requireScope(identity: Identity, requirement: Requirement): void {
  if (requirement === "public" || requirement === "authenticated") return;
  if (requirement.anyOf.some((scope) => hasScope(identity, scope))) return;
  throw new Failure("forbidden", `this credential lacks the scope ${requirement.anyOf.join(" or ")}`);
}

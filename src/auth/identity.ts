// Who is calling: made by authentication, handed to every operation.

import { Failure } from "../kernel/errors.ts";
import { grants, type Requirement, type Scope } from "./scopes.ts";

export interface Identity {
  kind: "session" | "machine" | "apiKey";
  userId: string;
  email: string;
  name: string | null;
  /** Scopes as granted; all of them where scopes do not apply. */
  scopes: readonly string[];
  /** The key's public id or the token's `jti`: what holds a lease. */
  credentialId: string;
}

/** How a person is named in histories: the name, or else the e-mail. */
export function displayName(identity: Pick<Identity, "name" | "email">): string {
  return identity.name ?? identity.email;
}

export function mayDo(identity: Identity, scope: Scope): boolean {
  return grants(identity.scopes, scope);
}

/** Throws `forbidden` naming the scope that is missing. */
export function requireScope(identity: Identity, requirement: Requirement): void {
  if (requirement === "public" || requirement === "authenticated") return;
  if (requirement.anyOf.some((scope) => mayDo(identity, scope))) return;
  throw new Failure("forbidden", `this credential lacks the scope ${requirement.anyOf.join(" or ")}`);
}

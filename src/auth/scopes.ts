// Scopes: what a credential allows, and what an operation requires.

/** The scopes of the API. Users have all of them. */
export const USER_SCOPES = ["prompts.read", "prompts.write", "documents.read", "documents.write"] as const;

/** The scopes that can be granted: those of the API, and a legacy one that only scrape and refresh accept. */
export const SCOPES = [...USER_SCOPES, "documents.scrape"] as const;
export type Scope = (typeof SCOPES)[number];

/** What an operation requires: nothing, any valid credential, or one of these scopes. */
export type Requirement = "public" | "authenticated" | { anyOf: readonly Scope[] };

/** Whether a text is the name of a scope. */
export function isScope(text: string): text is Scope {
  return (SCOPES as readonly string[]).includes(text);
}

/** Whether the granted scopes include `wanted`. A write scope implies the read scope of the same resource. */
export function grants(granted: readonly string[], wanted: Scope): boolean {
  return (
    granted.includes(wanted) ||
    (wanted.endsWith(".read") && granted.includes(wanted.replace(".read", ".write")))
  );
}

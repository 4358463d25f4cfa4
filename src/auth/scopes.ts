// What a credential may be allowed to do, and what an operation requires.

/** The scopes of the API; users themselves have all of them. */
export const USER_SCOPES = ["prompts.read", "prompts.write", "documents.read", "documents.write"] as const;

/** What can be granted: the scopes of the API, and a legacy one that only scrape and refresh accept. */
export const SCOPES = [...USER_SCOPES, "documents.scrape"] as const;
export type Scope = (typeof SCOPES)[number];

/** What an operation asks for: nobody, anybody known, or one of the scopes named. */
export type Requirement = "public" | "authenticated" | { anyOf: readonly Scope[] };

export function isScope(text: string): text is Scope {
  return (SCOPES as readonly string[]).includes(text);
}

/** True when the granted scopes hold `wanted`; a write scope implies the read scope of the same resource. */
export function grants(granted: readonly string[], wanted: Scope): boolean {
  return (
    granted.includes(wanted) ||
    (wanted.endsWith(".read") && granted.includes(wanted.replace(".read", ".write")))
  );
}

// What a write requires of the record that it changes: the headers of a request that the rules of a write read.

/** The states that a condition header names: any, or a list of entity tags. */
export type TagCondition = "*" | { tag: string; weak: boolean }[];

/** The preconditions that a request sent, as text; If-Match parsed. */
export interface WriteConditions {
  ifMatch?: TagCondition;
  idempotencyKey?: string;
  leaseId?: string;
  fence?: string;
}

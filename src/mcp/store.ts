// What MCP reads beside the operations: numbers for the instructions, and prompts by the end of their id.

import { and, count, desc, eq, like } from "drizzle-orm";
import type { Store } from "../db/store.ts";
import { collections, documents, prompts } from "../db/tables.ts";

type Reader = Pick<Store, "tables">;

/** The number of documents of a user. */
export function countDocuments({ tables }: Reader, userId: string): number {
  return tables.select({ n: count() }).from(documents).where(eq(documents.userId, userId)).get()?.n ?? 0;
}

/** The number of prompts of a user. */
export function countPrompts({ tables }: Reader, userId: string): number {
  return tables.select({ n: count() }).from(prompts).where(eq(prompts.userId, userId)).get()?.n ?? 0;
}

/** The names of a user's newest collections. */
export function newestCollections({ tables }: Reader, userId: string, limit: number): string[] {
  return tables
    .select({ name: collections.name })
    .from(collections)
    .where(eq(collections.userId, userId))
    .orderBy(desc(collections.createdAt), desc(collections.id))
    .limit(limit)
    .all()
    .map(({ name }) => name);
}

/** The tags of a user's newest documents, most recent first, each once. */
export function newestTags({ tables }: Reader, userId: string, newest: number): string[] {
  const rows = tables
    .select({ tags: documents.tags })
    .from(documents)
    .where(eq(documents.userId, userId))
    .orderBy(desc(documents.createdAt), desc(documents.id))
    .limit(newest)
    .all();
  return [...new Set(rows.flatMap(({ tags }) => tags))];
}

/** The user's prompts whose id ends like this: nearly always at most one. `ending` contains letters and digits only. */
export function promptsEndingWith(
  { tables }: Reader,
  userId: string,
  ending: string,
): { id: string; title: string }[] {
  return (
    tables
      .select({ id: prompts.id, title: prompts.title })
      .from(prompts)
      .where(and(eq(prompts.userId, userId), like(prompts.id, `%${ending}`)))
      .limit(10)
      .all()
      // LIKE ignores case.
      .filter(({ id }) => id.endsWith(ending))
  );
}

/** The whole content and the declared variables of a prompt. */
export function promptTemplate({ tables }: Reader, id: string) {
  return tables
    .select({ content: prompts.content, variables: prompts.variables })
    .from(prompts)
    .where(eq(prompts.id, id))
    .get();
}

// People. A user is an e-mail address with an id; the local owner is made on first use.

import { count, eq } from "drizzle-orm";
import type { Store, Write } from "../db/store.ts";
import { collections, documents, prompts, users } from "../db/tables.ts";

export const LOCAL_OWNER = "owner@localhost";

type Reader = Pick<Store, "tables">;
export type User = typeof users.$inferSelect;

/** The user of this e-mail (letter case does not matter), made when there is none. */
export function ensureUser({ tables, now, newId }: Write, email: string): User {
  const found = tables.select().from(users).where(eq(users.email, email.toLowerCase())).get();
  if (found) return found;
  const user: User = { id: newId(), email: email.toLowerCase(), name: null, createdAt: now };
  tables.insert(users).values(user).run();
  return user;
}

export function findUser({ tables }: Reader, id: string): User | undefined {
  return tables.select().from(users).where(eq(users.id, id)).get();
}

export function findUserByEmail({ tables }: Reader, email: string): User | undefined {
  return tables.select().from(users).where(eq(users.email, email.toLowerCase())).get();
}

export function listUsers({ tables }: Reader): User[] {
  return tables.select().from(users).orderBy(users.createdAt, users.id).all();
}

/** How many records a user owns: what `users remove` refuses to lose. */
export function countRecords({ tables }: Reader, userId: string): number {
  return [documents, prompts, collections].reduce(
    (sum, table) => sum + tables.select({ n: count() }).from(table).where(eq(table.userId, userId)).get()!.n,
    0,
  );
}

/** Ends a user: keys, tokens and receipts with it. Its records must be gone before. */
export function removeUser({ tables }: Write, id: string): void {
  tables.delete(users).where(eq(users.id, id)).run();
}

export function hasUsers({ tables }: Store): boolean {
  return tables.select({ id: users.id }).from(users).limit(1).get() !== undefined;
}

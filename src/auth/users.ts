// People. A user is an e-mail address with an id; the local owner is made on first use.

import { eq } from "drizzle-orm";
import type { Store, Write } from "../db/store.ts";
import { users } from "../db/tables.ts";

export const LOCAL_OWNER = "owner@localhost";

export type User = typeof users.$inferSelect;

/** The user of this e-mail (letter case does not matter), made when there is none. */
export function ensureUser({ tables, now, newId }: Write, email: string): User {
  const found = tables.select().from(users).where(eq(users.email, email.toLowerCase())).get();
  if (found) return found;
  const user: User = { id: newId(), email: email.toLowerCase(), name: null, createdAt: now };
  tables.insert(users).values(user).run();
  return user;
}

export function hasUsers({ tables }: Store): boolean {
  return tables.select({ id: users.id }).from(users).limit(1).get() !== undefined;
}

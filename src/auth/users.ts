// Users. A user is an e-mail address with an id; the local owner is created on first use.

import { and, count, eq, isNull, sql } from "drizzle-orm";
import { prepared } from "../db/prepared.ts";
import type { Store, TableReader, Write } from "../db/store.ts";
import { folders } from "../db/folder-table.ts";
import { collections, documents, externalIdentities, prompts, users } from "../db/tables.ts";
import { badRequest } from "../kernel/errors.ts";
import { isEmail } from "./email.ts";

export const LOCAL_OWNER = "owner@localhost";

export type User = typeof users.$inferSelect;

const userById = prepared((tables) =>
  tables
    .select()
    .from(users)
    .where(and(eq(users.id, sql.placeholder("id")), isNull(users.removedAt)))
    .prepare(),
);
const userByEmail = prepared((tables) =>
  tables
    .select()
    .from(users)
    .where(eq(users.email, sql.placeholder("email")))
    .prepare(),
);

/**
 * For commands: the user with this e-mail address (case-insensitive), created if there is none. Throws `bad-request`.
 */
export function ensureUser(write: Write, email: string): User {
  return findUserByEmail(write, email) ?? createUser(write, { email, origin: "command" });
}

/** Creates a user. Throws `bad-request` for an address that no user may have. */
export function createUser(
  { tables, now, newId }: Write,
  { email, origin }: Pick<User, "email" | "origin">,
): User {
  if (!isEmail(email)) throw badRequest({ path: "email", message: "must be an e-mail address" });
  const user: User = {
    id: newId(),
    email: email.toLowerCase(),
    name: null,
    origin,
    createdAt: now,
    removedAt: null,
  };
  tables.insert(users).values(user).run();
  return user;
}

/** A user by id, or undefined. */
export function findUser(reader: TableReader, id: string): User | undefined {
  return userById(reader).get({ id });
}

/** A user by e-mail address (case-insensitive), or undefined. */
export function findUserByEmail(reader: TableReader, email: string): User | undefined {
  return userByEmail(reader).get({ email: email.toLowerCase() });
}

/** All users, oldest first. */
export function listUsers({ tables }: TableReader): User[] {
  return tables.select().from(users).where(isNull(users.removedAt)).orderBy(users.createdAt, users.id).all();
}

/** The number of documents, prompts and collections of a user. `users remove` rejects a user who has any. */
export function countRecords({ tables }: TableReader, userId: string): number {
  return [documents, prompts, collections].reduce(
    (sum, table) =>
      sum + (tables.select({ n: count() }).from(table).where(eq(table.userId, userId)).get()?.n ?? 0),
    0,
  );
}

/** From now on the user is not found, neither by id nor by e-mail address, which another user may have. */
export function markRemoved({ tables, now }: Write, id: string): void {
  tables.update(users).set({ email: id, name: null, removedAt: now }).where(eq(users.id, id)).run();
  tables.delete(externalIdentities).where(eq(externalIdentities.userId, id)).run();
  tables.delete(folders).where(eq(folders.userId, id)).run();
}

/** Deletes a user with its keys, sessions and receipts. Its records must have been deleted before. */
export function removeUser({ tables }: Write, id: string): void {
  tables.delete(users).where(eq(users.id, id)).run();
}

/** Whether there is any user. */
export function hasUsers({ tables }: Store): boolean {
  return (
    tables.select({ id: users.id }).from(users).where(isNull(users.removedAt)).limit(1).get() !== undefined
  );
}

// Who signs in with an external provider: an issuer and a subject, linked to one user. An e-mail address is never an
// identity: it only finds the user of a new identity, under the rules below.

import { and, eq, sql } from "drizzle-orm";
import { prepared } from "../db/prepared.ts";
import type { TableReader, Write } from "../db/store.ts";
import { externalIdentities } from "../db/tables.ts";
import { Failure } from "../kernel/errors.ts";
import { sha256Hex } from "../kernel/hash.ts";
import { shorten } from "../kernel/text.ts";
import { isEmail } from "./email.ts";
import { createUser, findUser, findUserByEmail, type User } from "./users.ts";

export interface ExternalIdentity {
  issuer: string;
  /** Unique at its issuer, which never gives it to somebody else. */
  subject: string;
}

/** What a verified token says of who sent it. */
export interface Claims extends ExternalIdentity {
  /** The claim `email`, unchecked. */
  email: unknown;
  /** Whether `email_verified` is true, and nothing else. */
  isEmailVerified: boolean;
}

/** Whether a text may be a subject: at most 255 ASCII characters (OpenID Connect Core, 2). */
export const isSubject = (text: string): boolean => /^[\x20-\x7e]{1,255}$/.test(text);

const byIdentity = prepared((tables) =>
  tables
    .select({ userId: externalIdentities.userId })
    .from(externalIdentities)
    .where(
      and(
        eq(externalIdentities.issuer, sql.placeholder("issuer")),
        eq(externalIdentities.subject, sql.placeholder("subject")),
      ),
    )
    .prepare(),
);

/** The user to whom an identity is linked, or undefined. */
export function findLinkedUser(reader: TableReader, { issuer, subject }: ExternalIdentity): User | undefined {
  const found = byIdentity(reader).get({ issuer, subject });
  return found && findUser(reader, found.userId);
}

/** The identities of a user. */
export function identitiesOf({ tables }: TableReader, userId: string): ExternalIdentity[] {
  const { issuer, subject } = externalIdentities;
  return tables
    .select({ issuer, subject })
    .from(externalIdentities)
    .where(eq(externalIdentities.userId, userId))
    .orderBy(issuer, subject)
    .all();
}

/** Links an identity to a user, and to nobody else. */
export function linkIdentity(
  { tables, now }: Write,
  user: User,
  { issuer, subject }: ExternalIdentity,
): void {
  const link = { userId: user.id, linkedAt: now };
  tables
    .insert(externalIdentities)
    .values({ issuer, subject, ...link })
    .onConflictDoUpdate({ target: [externalIdentities.issuer, externalIdentities.subject], set: link })
    .run();
}

/**
 * The user of an identity, linked or created on its first use. A verified e-mail address links it to the user with this
 * address whom a provider created, or becomes the address of a new user. Any other identity gets a user of its own.
 * Throws `forbidden` for a user whom only `ctxrepo users link` may link.
 */
export function userOf(write: Write, claims: Claims): User {
  const linked = findLinkedUser(write, claims);
  if (linked) return linked;
  const email = verifiedEmail(claims);
  const address = email ?? addressOf(claims);
  const user = findUserByEmail(write, address);
  if (user && user.origin !== "provider") throw needsCommand(user, claims);
  const earlier = email === undefined ? userOfEarlierVersion(write, claims) : undefined;
  if (earlier) throw needsCommand(earlier, claims);
  const owner = user ?? createUser(write, { email: address, origin: "provider" });
  linkIdentity(write, owner, claims);
  return owner;
}

function verifiedEmail({ email, isEmailVerified }: Claims): string | undefined {
  const isAddress = typeof email === "string" && isEmail(email) && !email.toLowerCase().endsWith(NO_DOMAIN);
  return isEmailVerified && isAddress ? email : undefined;
}

/**
 * The user as whom version 0.2.0 identified these claims, if nobody is linked to that user yet. It trusted any `email`,
 * and made an address of the subject without one.
 */
function userOfEarlierVersion(write: Write, { issuer, subject, email }: Claims): User | undefined {
  const address =
    typeof email === "string" && email.includes("@")
      ? email
      : `${encodeURIComponent(subject)}@${new URL(issuer).hostname}`;
  const user = findUserByEmail(write, address);
  return user?.origin === "provider" && identitiesOf(write, user.id).length === 0 ? user : undefined;
}

const SUBJECT_DIGITS = 32;
/** Nobody has an address in it: the domain `invalid` is reserved (RFC 2606). */
const NO_DOMAIN = "@oidc.invalid";

/** The address of a user without a verified one. No verified address can be the same. */
function addressOf({ issuer, subject }: ExternalIdentity): string {
  return `subject-${sha256Hex(JSON.stringify([issuer, subject])).slice(0, SUBJECT_DIGITS)}${NO_DOMAIN}`;
}

function needsCommand({ email }: User, { issuer, subject }: ExternalIdentity): Failure {
  const command = `ctxrepo users link ${shorten(email, 100)} --issuer ${issuer} --subject ${subject}`;
  return new Failure(
    "forbidden",
    `this identity is linked to no user. If it is that of ${shorten(email, 100)}, run: ${command}`,
  );
}
